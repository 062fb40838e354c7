//! Status, health and readiness as JSON.

use serde::Serialize;
use worker::web_sys::Response;

use super::visit::Visit;
use super::{clock, respond};
use crate::config::Route;
use crate::state::isolate::{Book, Standing};
use crate::state::status::{Facts, RouteStatus};

#[derive(Serialize)]
struct Routes {
    routes: Vec<RouteStatus>,
}

/// One route's status, or all.
pub(super) async fn status(visit: &Visit, route: Option<&Route>) -> worker::Result<Response> {
    let body = match route {
        Some(route) => serde_json::to_vec(&status_of(visit, route).await)?,
        None => {
            let all = visit.isolate.config.routes.iter().map(|route| status_of(visit, route));
            serde_json::to_vec(&Routes { routes: futures_util::future::join_all(all).await })?
        }
    };
    respond::json(visit, 200, &body, Vec::new())
}

/// The region's status with this isolate's part; the isolate's alone when the object is silent.
async fn status_of(visit: &Visit, route: &Route) -> RouteStatus {
    let regional = match visit.line(route) {
        Some(line) => line.status().await,
        None => None,
    };
    let now = clock::now();
    let index = visit.isolate.index(route);
    let own = |book: &mut Book| {
        let mut status = regional.unwrap_or_else(|| isolate_status(route, book));
        for (endpoint, entry) in status.endpoints.iter_mut().enumerate() {
            entry.local_state = book.breaker(endpoint).map(|b| b.state().label().to_owned());
            entry.gaps = book.gap_methods(endpoint, now);
        }
        status
    };
    visit.isolate.book(index, own).unwrap_or_else(|| RouteStatus::new(route, "", now, |_| None))
}

fn isolate_status(route: &Route, book: &Book) -> RouteStatus {
    let now = clock::now();
    RouteStatus::new(route, "isolate", now, |endpoint| {
        Some(Facts {
            breaker: book.breaker(endpoint)?,
            rest: book.rest(endpoint, now),
            tally: book.tally(endpoint)?,
        })
    })
}

#[derive(Serialize)]
struct Health<'a> {
    ok: bool,
    version: &'static str,
    routes: Vec<&'a str>,
    errors: Vec<&'a str>,
    notices: Vec<&'a str>,
}

/// 200 while at least one route is valid, with what is wrong in the configuration.
pub(super) fn health(visit: &Visit) -> worker::Result<Response> {
    let config = &visit.isolate.config;
    let ok = config.service_fault().is_none() && !config.routes.is_empty();
    let health = Health {
        ok,
        version: env!("CARGO_PKG_VERSION"),
        routes: config.routes.iter().map(|route| &*route.name).collect(),
        errors: config.faults.iter().map(|fault| &*fault.message).collect(),
        notices: config.notices.iter().map(|notice| &*notice.message).collect(),
    };
    let status = if ok { 200 } else { 500 };
    respond::json(visit, status, &serde_json::to_vec(&health)?, Vec::new())
}

#[derive(Serialize)]
struct Ready<'a> {
    ready: bool,
    routes: Vec<RouteReady<'a>>,
}

#[derive(Serialize)]
struct RouteReady<'a> {
    route: &'a str,
    usable: Vec<&'a str>,
}

/// 200 while every asked route has a usable endpoint.
pub(super) async fn ready(visit: &Visit, route: Option<&Route>) -> worker::Result<Response> {
    let all = &visit.isolate.config.routes;
    let asked: Vec<_> = route.map_or_else(|| all.iter().collect(), |route| vec![route]);
    let routes = futures_util::future::join_all(asked.into_iter().map(|r| ready_of(visit, r))).await;
    let ready = !routes.is_empty() && routes.iter().all(|route| !route.usable.is_empty());
    let status = if ready { 200 } else { 503 };
    respond::json(visit, status, &serde_json::to_vec(&Ready { ready, routes })?, Vec::new())
}

async fn ready_of<'a>(visit: &Visit, route: &'a Route) -> RouteReady<'a> {
    if let Some(line) = visit.line(route) {
        line.status().await;
    }
    let now = clock::now();
    let usable = |book: &mut Book| {
        let fit = |endpoint| {
            matches!(book.standing(endpoint, now), Standing::Ready | Standing::Trial)
        };
        let endpoints = route.endpoints.iter().enumerate().filter(|(index, _)| fit(*index));
        endpoints.map(|(_, endpoint)| &*endpoint.name).collect()
    };
    let usable = visit.isolate.book(visit.isolate.index(route), usable).unwrap_or_default();
    RouteReady { route: &route.name, usable }
}
