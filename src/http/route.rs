//! Method and path → what is asked of us. Table of the surface; everything else is 404 or 405.

use crate::config::{Config, Fault as ConfigFault, Protocol, Route};
use crate::rpc::fault::Fault;
use crate::x402::call::Call;

/// What a request is for.
#[derive(Debug)]
pub enum Target<'a> {
    /// JSON-RPC on a route.
    Rpc(&'a Route),
    /// A call to a route's facilitators.
    Facilitator(&'a Route, Call),
    /// CORS preflight: answered here.
    Preflight,
    /// Status of one route, or of all.
    Status(Option<&'a Route>),
    /// The same, for a browser as a page.
    Page(Option<&'a Route>),
    /// Status of all routes as Prometheus text.
    Metrics,
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
    /// What the path's route speaks: refusals are told in it.
    pub protocol: Protocol,
}

/// Finds the target. `path` starts with `/` and has no query.
pub fn route<'a>(config: &'a Config, method: &str, path: &'a str, upgrade: bool) -> Routed<'a> {
    if method == "OPTIONS" {
        return Routed { target: Target::Preflight, path_key: None, protocol: Protocol::Evm };
    }
    let segments: Vec<_> = path.split('/').filter(|segment| !segment.is_empty()).collect();
    let protocol = protocol(config, &segments);
    let (target, path_key) = match segments.as_slice() {
        ["health"] => (only_get(method, Target::Health), None),
        _ if config.service_fault().is_some() => (service_fault(config), None),
        ["admin", rest @ ..] => (admin(config, rest), None),
        ["metrics"] => (only_get(method, Target::Metrics), None),
        ["status"] => (only_get(method, Target::Status(None)), None),
        ["ready"] => (only_get(method, Target::Ready(None)), None),
        ["status", name] => (only_get(method, of_route(config, name, some(Target::Status))), None),
        ["ready", name] => (only_get(method, of_route(config, name, some(Target::Ready))), None),
        [] => (on_route(config, method, "", upgrade), None),
        [name, behind @ ..] if protocol == Protocol::X402 => {
            facilitators(config, method, (name, behind), upgrade)
        }
        [name] => (on_route(config, method, name, upgrade), None),
        [name, key] => (on_route(config, method, name, upgrade), Some(*key)),
        _ => (Target::Refused(Fault::NotFound), None),
    };
    Routed { target, path_key, protocol }
}

/// What the first segment's route speaks. One that is refused has no protocol: its path tells.
fn protocol(config: &Config, segments: &[&str]) -> Protocol {
    let (name, behind) = segments.split_first().map_or(("", &[][..]), |(name, rest)| (*name, rest));
    let route = if name.is_empty() { config.default_route() } else { config.route(name) };
    match route {
        Some(route) => route.protocol,
        None if config.fault_of(name).is_some() && Call::read(behind).is_some() => Protocol::X402,
        None => Protocol::Evm,
    }
}

/// Below the name of a route of facilitators.
fn facilitators<'a>(
    config: &'a Config,
    method: &str,
    (name, behind): (&'a str, &[&'a str]),
    upgrade: bool,
) -> (Target<'a>, Option<&'a str>) {
    if let Some((call, key)) = Call::read(behind) {
        let made = |route| Target::Facilitator(route, call);
        let right = method == call.http_method();
        let wrong = |_| Target::Refused(Fault::HttpMethod);
        return (
            if right { of_route(config, name, made) } else { of_route(config, name, wrong) },
            key,
        );
    }
    match behind {
        [] => (on_route(config, method, name, upgrade), None),
        [key] if method != "POST" => (on_route(config, method, name, upgrade), Some(*key)),
        _ => (Target::Refused(Fault::NotFound), None),
    }
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
        "POST" => match route.protocol {
            Protocol::Evm => Target::Rpc(route),
            Protocol::X402 => Target::Refused(Fault::HttpMethod),
        },
        "GET" if upgrade => Target::Refused(Fault::NoWebSocket),
        "GET" | "HEAD" if name.is_empty() => Target::Page(None),
        "GET" | "HEAD" => Target::Page(Some(route)),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::parse;

    fn config() -> Config {
        let vars = [
            ("SERVICE", r#"{"default_route":"eth"}"#),
            ("ROUTE_ETH", r#"{"chain_id":1,"endpoints":[{"name":"a","url":"https://a.example"}]}"#),
            (
                "ROUTE_PAY",
                r#"{"protocol":"x402","endpoints":[{"name":"a","url":"https://a.example"}]}"#,
            ),
            ("ROUTE_BAD", r#"{"protocol":"x402"}"#),
        ];
        parse(&vars.map(|(name, json)| (name.to_owned(), json.to_owned())), &|_| None)
    }

    /// What a request leads to, in a word, the key in its path, and whose words refusals are in.
    fn leads(method: &str, path: &str) -> (String, Option<String>, Protocol) {
        let config = config();
        let Routed { target, path_key, protocol } = route(&config, method, path, false);
        let word = match target {
            Target::Rpc(route) => format!("rpc {}", route.name),
            Target::Facilitator(route, call) => format!("{} {call:?}", route.name),
            Target::Preflight => "preflight".to_owned(),
            Target::Page(route) => format!("page {}", route.map_or("", |route| &route.name)),
            Target::Status(route) => format!("status {}", route.map_or("", |route| &route.name)),
            Target::Metrics => "metrics".to_owned(),
            Target::Health => "health".to_owned(),
            Target::Ready(_) => "ready".to_owned(),
            Target::Admin(_) => "admin".to_owned(),
            Target::Refused(fault) => fault.status().to_string(),
        };
        (word, path_key.map(str::to_owned), protocol)
    }

    #[test]
    fn facilitators_are_below_their_route() {
        for (method, path, word, key) in [
            ("POST", "/pay/verify", "pay Verify", None),
            ("POST", "//pay//settle/", "pay Settle", None),
            ("POST", "/pay/settle/k", "pay Settle", Some("k")),
            ("POST", "/pay/k/settle", "pay Settle", Some("k")),
            ("GET", "/pay/supported", "pay Supported", None),
            ("GET", "/pay/discovery/resources", "pay Resources", None),
            ("GET", "/pay/discovery/search/", "pay Search", None),
            ("GET", "/pay/verify", "405", None),
            ("GET", "/pay/settle", "405", None),
            ("POST", "/pay/supported", "405", None),
            ("PUT", "/pay/settle", "405", None),
            ("GET", "/pay", "page pay", None),
            ("GET", "/pay/k", "page pay", Some("k")),
            ("POST", "/pay", "405", None),
            ("POST", "/pay/k", "404", None),
            ("POST", "/pay/discovery/x/y", "404", None),
            ("POST", "/bad/settle", "500", None),
        ] {
            let found = (word.to_owned(), key.map(str::to_owned), Protocol::X402);
            assert_eq!(leads(method, path), found, "{method} {path}");
        }
    }

    #[test]
    fn other_routes_have_no_facilitators() {
        for (method, path, word, key) in [
            ("POST", "/eth/verify", "rpc eth", Some("verify")),
            ("POST", "/", "rpc eth", None),
            ("POST", "/1", "rpc eth", None),
            ("GET", "/", "page ", None),
            ("HEAD", "/1/k", "page eth", Some("k")),
            ("GET", "/status/pay", "status pay", None),
            ("GET", "/metrics", "metrics", None),
            ("HEAD", "/metrics/", "metrics", None),
            ("POST", "/metrics", "405", None),
            ("GET", "/metrics/eth", "404", Some("eth")),
            ("POST", "/nobody/settle", "404", Some("settle")),
            ("POST", "/verify", "404", None),
            ("GET", "/bad", "500", None),
        ] {
            let found = (word.to_owned(), key.map(str::to_owned), Protocol::Evm);
            assert_eq!(leads(method, path), found, "{method} {path}");
        }
    }
}
