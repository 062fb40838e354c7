//! Status, health and readiness as JSON.

use worker::web_sys::Response;

use super::together::{Boxed, together};
use super::visit::Visit;
use super::{clock, respond};
use crate::config::Route;
use crate::json::{self, Maybe, written};
use crate::state::isolate::{ALONE, Book, Standing};
use crate::state::status::{Facts, RouteStatus};
use crate::state::wire::Chain;

/// Objects asked at once.
pub(super) const AT_ONCE: usize = 6;

/// One route's status, or all.
pub(super) async fn status(visit: &Visit, route: Option<&Route>) -> worker::Result<Response> {
    if let Some(route) = route {
        return respond::json(
            visit,
            200,
            status_of(visit, route, false).await.as_bytes(),
            &Vec::new(),
        );
    }
    let all = visit.isolate.config.routes.iter();
    let all = all.map(|route| Box::pin(status_of(visit, route, false)) as Boxed<'_, String>);
    let body = format!(r#"{{"routes":[{}]}}"#, together(all.collect(), AT_ONCE).await.join(","));
    respond::json(visit, 200, body.as_bytes(), &Vec::new())
}

/// The region's status with this isolate's part; the isolate's alone when the object is silent. For
/// the operator with error replies.
pub(super) async fn status_of(visit: &Visit, route: &Route, for_operator: bool) -> String {
    if let Some(line) = visit.line(route)
        && let Some(status) = line.status(for_operator).await
    {
        return status;
    }
    let index = visit.isolate.index(route);
    let own = visit.isolate.book(index, |book| isolate_status(route, book, for_operator));
    json::text(&own)
}

/// What this isolate alone knows.
pub(super) fn isolate_status(route: &Route, book: &Book, for_operator: bool) -> RouteStatus {
    let now = clock::now();
    let mut status = RouteStatus::new(route, ALONE, now, |endpoint| {
        Some(Facts {
            breaker: book.breaker(endpoint)?,
            rest: book.rest(endpoint, now),
            tally: book.tally(endpoint)?,
            minutes: None,
            head: book.heads.seen(endpoint, now),
            lag: book.heads.lag(endpoint, now),
            orders: book.orders(endpoint).unwrap_or_default(),
            finalized: book.finalized.of(endpoint).map(|head| head.number),
            finalized_lag: book.finalized.lag(endpoint, now),
            chain: book.wrong_chain(endpoint).then_some(Chain::Wrong),
            recent: book.recent(endpoint, now),
        })
    });
    status.add_locals(book.locals(now));
    if for_operator {
        for (index, endpoint) in status.endpoints.iter_mut().enumerate() {
            endpoint.error_replies = Maybe(book.replies(index));
        }
    }
    status.transitions = book.transitions().rev().cloned().collect();
    status
}

/// 200 while at least one route is valid, with what is wrong in the configuration.
pub(super) fn health(visit: &Visit) -> worker::Result<Response> {
    let config = &visit.isolate.config;
    let ok = config.service_fault().is_none() && !config.routes.is_empty();
    let routes: Vec<_> = config.routes.iter().map(|route| &*route.name).collect();
    let errors: Vec<_> = config.faults.iter().map(|fault| &*fault.message).collect();
    let notices: Vec<_> = config.notices.iter().map(|notice| &*notice.message).collect();
    let health = json::object(&[
        ("ok", &ok),
        ("version", &env!("CARGO_PKG_VERSION")),
        ("routes", &routes),
        ("errors", &errors),
        ("notices", &notices),
    ]);
    let status = if ok { 200 } else { 500 };
    respond::json(visit, status, health.as_bytes(), &Vec::new())
}

struct RouteReady<'a> {
    route: &'a str,
    usable: Vec<&'a str>,
}

written!(RouteReady<'_> { route, usable });

/// 200 while every asked route has a usable endpoint.
pub(super) async fn ready(visit: &Visit, route: Option<&Route>) -> worker::Result<Response> {
    let all = &visit.isolate.config.routes;
    let asked: Vec<_> = route.map_or_else(|| all.iter().collect(), |route| vec![route]);
    let routes =
        asked.into_iter().map(|r| Box::pin(ready_of(visit, r)) as Boxed<'_, RouteReady<'_>>);
    let routes = together(routes.collect(), AT_ONCE).await;
    let ready = !routes.is_empty() && routes.iter().all(|route| !route.usable.is_empty());
    let status = if ready { 200 } else { 503 };
    let body = json::object(&[("ready", &ready), ("routes", &routes)]);
    respond::json(visit, status, body.as_bytes(), &Vec::new())
}

async fn ready_of<'a>(visit: &Visit, route: &'a Route) -> RouteReady<'a> {
    if let Some(line) = visit.line(route) {
        line.status(false).await;
    }
    let now = clock::now();
    let usable = |book: &mut Book| {
        let fit =
            |endpoint| matches!(book.standing(endpoint, now), Standing::Ready | Standing::Trial);
        let endpoints = route.endpoints.iter().enumerate().filter(|(index, _)| fit(*index));
        endpoints.map(|(_, endpoint)| &*endpoint.name).collect()
    };
    let usable = visit.isolate.book(visit.isolate.index(route), usable).unwrap_or_default();
    RouteReady { route: &route.name, usable }
}
