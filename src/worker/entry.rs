//! The fetch handler: finds the room, checks the door, never lets an error out without CORS.

use std::rc::Rc;

use worker::web_sys::{Request, Response};
use worker::{Context, Env, event};

use super::gone::gone;
use super::rate::Gate;
use super::visit::Visit;
use super::{admin, metrics, page, pages, respond, rpc, together, x402};
use crate::config::Protocol;
use crate::http::route::{Target, route};
use crate::http::{access, cors};
use crate::rpc::fault::Fault;

/// As nginx calls it.
const CLIENT_GONE: u16 = 499;

/// Serves one request, for as long as its client is there.
#[event(fetch)]
async fn fetch(request: Request, env: Env, context: Context) -> worker::Result<Response> {
    let gone = gone(&request);
    let visit = Rc::new(Visit::new(request, env, context));
    let served = together::unless(Box::pin(serve(&visit)), gone).await;
    // Nobody reads it.
    served.unwrap_or_else(|| respond::empty(&visit, CLIENT_GONE, &Vec::new()))
}

async fn serve(visit: &Rc<Visit>) -> worker::Result<Response> {
    let isolate = Rc::clone(&visit.isolate);
    let (method, url) = (visit.heading().method(), visit.heading().url());
    let upgrade = method == "GET" && visit.header("upgrade").is_some();
    let routed = route(&isolate.config, method, path_of(url), upgrade);
    let service = &isolate.config.service;
    if matches!(routed.target, Target::Preflight) {
        let asked = visit.header("access-control-request-headers");
        return respond::empty(visit, 204, &cors::preflight(asked.as_deref()));
    }
    let caller = visit.heading().caller(routed.path_key);
    let keyed = matches!(
        routed.target,
        Target::Rpc(_)
            | Target::Facilitator(..)
            | Target::Status(_)
            | Target::Page(_)
            | Target::Metrics
    );
    if let Err(fault) = access::check(service, caller, keyed) {
        return refuse(visit, routed.protocol, fault).await;
    }
    match routed.target {
        Target::Rpc(route) => rpc::serve(visit, route, Gate::of(visit, route, caller)).await,
        Target::Facilitator(route, call) => {
            x402::serve(visit, route, call, Gate::of(visit, route, caller)).await
        }
        Target::Status(route) => pages::status(visit, route).await,
        Target::Page(route) => page::serve(visit, route).await,
        Target::Metrics => metrics::serve(visit).await,
        Target::Health => pages::health(visit),
        Target::Ready(route) => pages::ready(visit, route).await,
        Target::Admin(segments) => admin::serve(visit, &segments).await,
        Target::Refused(fault) => refuse(visit, routed.protocol, fault).await,
        Target::Preflight => respond::fault(visit, &Fault::Internal, "null", Vec::new()),
    }
}

/// An own error for the whole request, in the words of its route.
async fn refuse(visit: &Visit, protocol: Protocol, fault: Fault) -> worker::Result<Response> {
    match protocol {
        Protocol::Evm => rpc::refuse(visit, &fault).await,
        Protocol::X402 => x402::refuse(visit, fault),
    }
}

/// The path of an absolute URL, without query and fragment.
fn path_of(url: &str) -> &str {
    let after_scheme = url.split_once("://").map_or(url, |(_, rest)| rest);
    let path = after_scheme.find('/').and_then(|at| after_scheme.get(at..)).unwrap_or("/");
    path.split(['?', '#']).next().unwrap_or("/")
}
