//! Method and path → what is asked of us. Table of the surface; everything else is 404 or 405.

use crate::config::{Config, Fault as ConfigFault, Route};
use crate::rpc::fault::Fault;

/// What a request is for.
#[derive(Debug)]
pub enum Target<'a> {
    /// JSON-RPC on a route.
    Rpc(&'a Route),
    /// CORS preflight: answered here.
    Preflight,
    /// Status of one route, or of all.
    Status(Option<&'a Route>),
    /// Whether the Worker runs with a valid route.
    Health,
    /// Whether a route, or every route, has a usable endpoint.
    Ready(Option<&'a Route>),
    /// The operator's door, with the path behind it.
    Admin(Vec<&'a str>),
    /// An own error.
    Refused(Fault),
}

/// A target and the client key that the path carried.
#[derive(Debug)]
pub struct Routed<'a> {
    /// What is asked.
    pub target: Target<'a>,
    /// Last path segment of `/{route}/{key}`.
    pub path_key: Option<&'a str>,
}

/// Finds the target. `path` starts with `/` and has no query.
pub fn route<'a>(config: &'a Config, method: &str, path: &'a str, upgrade: bool) -> Routed<'a> {
    if method == "OPTIONS" {
        return Routed { target: Target::Preflight, path_key: None };
    }
    let segments: Vec<_> = path.split('/').filter(|segment| !segment.is_empty()).collect();
    let (target, path_key) = match segments.as_slice() {
        ["health"] => (only_get(method, Target::Health), None),
        _ if config.service_fault().is_some() => (service_fault(config), None),
        ["admin", rest @ ..] => (admin(config, rest), None),
        ["status"] => (only_get(method, Target::Status(None)), None),
        ["ready"] => (only_get(method, Target::Ready(None)), None),
        ["status", name] => (only_get(method, of_route(config, name, some(Target::Status))), None),
        ["ready", name] => (only_get(method, of_route(config, name, some(Target::Ready))), None),
        [] => (on_route(config, method, "", upgrade), None),
        [name] => (on_route(config, method, name, upgrade), None),
        [name, key] => (on_route(config, method, name, upgrade), Some(*key)),
        _ => (Target::Refused(Fault::NotFound), None),
    };
    Routed { target, path_key }
}

/// Without its secret the door is not there.
fn admin<'a>(config: &Config, rest: &[&'a str]) -> Target<'a> {
    match config.service.admin_token {
        Some(_) => Target::Admin(rest.to_vec()),
        None => Target::Refused(Fault::NotFound),
    }
}

fn some<'a>(make: fn(Option<&'a Route>) -> Target<'a>) -> impl FnOnce(&'a Route) -> Target<'a> {
    move |route| make(Some(route))
}

fn only_get<'a>(method: &str, target: Target<'a>) -> Target<'a> {
    if method == "GET" || method == "HEAD" { target } else { Target::Refused(Fault::HttpMethod) }
}

fn on_route<'a>(config: &'a Config, method: &str, name: &str, upgrade: bool) -> Target<'a> {
    of_route(config, name, |route| match method {
        "POST" => Target::Rpc(route),
        "GET" if upgrade => Target::Refused(Fault::NoWebSocket),
        "GET" | "HEAD" if name.is_empty() => Target::Status(None),
        "GET" | "HEAD" => Target::Status(Some(route)),
        _ => Target::Refused(Fault::HttpMethod),
    })
}

/// The route of that name (its chain id, or "" for the default), or what is wrong with it.
fn of_route<'a>(
    config: &'a Config,
    name: &str,
    then: impl FnOnce(&'a Route) -> Target<'a>,
) -> Target<'a> {
    let found = if name.is_empty() {
        config.default_route()
    } else {
        config.route(name).or_else(|| config.by_chain_segment(name))
    };
    if let Some(route) = found {
        return then(route);
    }
    let wanted = if name.is_empty() { config.service.default_route.as_deref() } else { Some(name) };
    match wanted.and_then(|name| config.fault_of(name)).or_else(|| only_fault(config, name)) {
        Some(fault) => bad(&fault.message),
        None => Target::Refused(Fault::NotFound),
    }
}

/// Without a valid `SERVICE` nobody knows who may enter: nothing is served.
fn service_fault(config: &Config) -> Target<'_> {
    config.service_fault().map_or(Target::Refused(Fault::Internal), |fault| bad(&fault.message))
}

/// `/` with nothing valid to serve: the first fault says why.
fn only_fault<'a>(config: &'a Config, name: &str) -> Option<&'a ConfigFault> {
    config.faults.first().filter(|_| name.is_empty() && config.routes.is_empty())
}

fn bad<'a>(message: &str) -> Target<'a> {
    Target::Refused(Fault::BadRoute { message: message.to_owned() })
}
