//! `GET /metrics`: one reading of every route's status, as metrics.

use worker::web_sys::Response;

use super::together::{Boxed, together};
use super::visit::Visit;
use super::{pages, respond};
use crate::config::Route;
use crate::metrics::{self, Reading, TEXT};
use crate::state::isolate::Book;

/// The page.
pub(super) async fn serve(visit: &Visit) -> worker::Result<Response> {
    let config = &visit.isolate.config;
    let routes = config.routes.iter();
    let routes = routes.map(|route| Box::pin(samples(visit, route)) as Boxed<'_, String>);
    let routes = together(routes.collect(), pages::AT_ONCE).await;
    let page = metrics::page(config, &routes);
    respond::answer(visit, 200, page.as_bytes(), TEXT, &Vec::new())
}

/// A route's samples: its object's. Of an isolate that shares nothing all it knows; where the object
/// is silent only how things are, since what is counted here is not what the object has counted.
async fn samples(visit: &Visit, route: &Route) -> String {
    let line = visit.line(route);
    let region = line.as_ref().map(|line| line.region);
    if let Some(line) = line
        && let Some(samples) = line.metrics().await
    {
        return samples;
    }
    let own = |book: &mut Book| {
        let mut status = pages::isolate_status(route, book, false);
        let Some(region) = region else {
            let counted = Some(&book.counted());
            return metrics::samples(&Reading { status: &status, counted, up: None });
        };
        region.clone_into(&mut status.region);
        metrics::samples(&Reading { status: &status, counted: None, up: Some(false) })
    };
    visit.isolate.book(visit.isolate.index(route), own).unwrap_or_default()
}
