//! Whatever the operator writes: a route or a sentence that gives nothing away.

use breakwater::config::{Config, parse};
use breakwater::rpc::redact::redact;
use breakwater::x402::address::address as reach;

use super::{fields, text};

/// A secret's value, another name, and the texts of `SERVICE` and of two routes.
pub fn check(data: &[u8]) {
    let [value, name, service, route, other] = fields(data);
    let vars = [
        ("SERVICE".to_owned(), text(service).to_owned()),
        ("ROUTE_A".to_owned(), text(route).to_owned()),
        (format!("ROUTE_{}", text(name)), text(other).to_owned()),
    ];
    let vars = if service.is_empty() { &vars[1..] } else { &vars };
    let secret = |_: &str| Some(text(value).to_owned());
    let config = parse(vars, &secret);
    assert_eq!(config, parse(vars, &secret));
    assert!(config.routes.len() + config.faults.iter().filter(|fault| fault.route.is_some()).count() == 2);
    tells_nothing(&config, text(value).trim());
    for route in &config.routes {
        assert!((1..=16).contains(&route.endpoints.len()));
        route.endpoints.iter().filter(|endpoint| endpoint.bound).for_each(goes_where_it_says);
        let hidden = route.hidden();
        for endpoint in &route.endpoints {
            let place = endpoint.url.split_once("://").map_or("", |(_, place)| place);
            let told = format!("x {place} y");
            assert!(place.len() < 4 || !redact(&told, &hidden).contains(place), "a URL is shown");
        }
    }
    let parsed = parse(vars, &|_| None);
    tells_nothing(&parsed, "");
}

/// No sentence and no debug output holds a value.
fn tells_nothing(config: &Config, value: &str) {
    let faults = config.faults.iter().map(|fault| &fault.message);
    for sentence in faults.chain(config.notices.iter().map(|notice| &notice.message)) {
        assert!(!sentence.contains(['\n', '\r']) && sentence.contains(": "), "{sentence}");
        assert!(value.len() < 24 || !sentence.contains(value), "{sentence}");
        assert!(!sentence.contains("://") || sentence.contains("https://…") || sentence.contains("https://app.example.org"), "{sentence}");
    }
    let shown = format!("{config:?}");
    let names = config.routes.iter().any(|route| shown_by_name(value, route));
    assert!(value.len() < 24 || names || !shown.contains(value), "{value} in {shown}");
}

/// A value that is a name, a rule or the like of the configuration as well is no secret.
fn shown_by_name(value: &str, route: &breakwater::config::Route) -> bool {
    let bare = format!("{route:?}");
    bare.contains(value)
}

/// The host that is told apart is the one that is asked.
fn goes_where_it_says(endpoint: &breakwater::config::Endpoint) {
    let (scheme, rest) = endpoint.url.split_once("://").unwrap();
    let authority = rest.split(['/', '?']).next().unwrap();
    assert!(!authority.contains(['@', '\\', '%', ' ', '#']), "{authority}");
    assert!(authority.to_ascii_lowercase().starts_with(&endpoint.host));
    let local = endpoint.host.starts_with("127.") || endpoint.host.ends_with("localhost") || endpoint.host == "[::1]";
    assert!(scheme.eq_ignore_ascii_case("https") || local, "{scheme} to {authority}");
    assert!(endpoint.url.bytes().all(|byte| byte.is_ascii_graphic()));
    for (name, value) in &endpoint.headers {
        assert!(!name.is_empty() && !format!("{name}{value}").contains(['\r', '\n', '\0']));
    }
    let _ = reach(&endpoint.url);
}
