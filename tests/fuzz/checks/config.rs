//! Whatever the operator writes: a route or a sentence that gives nothing away.

use breakwater::config::{Config, Endpoint, Route, parse};
use breakwater::rpc::redact::redact;
use breakwater::x402::address::address;

use super::{fields, text};

/// What a secret's value ends with: no sentence has it by chance.
const OURS: &str = "-zq7-s3cr3t-zq7";

/// A secret's value, another name, and the texts of `SERVICE` and of two routes.
pub fn check(data: &[u8]) {
    let [value, name, service, route, other] = fields(data);
    let vars = [
        ("SERVICE".to_owned(), text(service).to_owned()),
        ("ROUTE_A".to_owned(), text(route).to_owned()),
        (format!("ROUTE_{}", text(name)), text(other).to_owned()),
    ];
    let vars = if service.is_empty() { &vars[1..] } else { &vars };
    let secret = |_: &str| Some(format!("{}{OURS}", text(value)));
    let config = parse(vars, &secret);
    assert_eq!(config, parse(vars, &secret));
    let faults = config.faults.iter().filter(|fault| fault.route.is_some()).count();
    assert_eq!(config.routes.len() + faults, 2);
    let public = |name: &str| name.to_ascii_lowercase().replace('_', "-");
    if !vars.iter().any(|(name, text)| public(name).contains(OURS) || text.contains(OURS)) {
        tells_nothing(&config);
    }
    for route in &config.routes {
        assert!((1..=16).contains(&route.endpoints.len()));
        route.endpoints.iter().filter(|endpoint| endpoint.bound).for_each(goes_where_it_says);
        is_hidden(route);
    }
    let _ = parse(vars, &|_| None);
}

/// No sentence and no debug output holds a secret or a URL.
fn tells_nothing(config: &Config) {
    let faults = config.faults.iter().map(|fault| &fault.message);
    for sentence in faults.chain(config.notices.iter().map(|notice| &notice.message)) {
        assert!(!sentence.contains(['\n', '\r']) && sentence.contains(": "), "{sentence}");
        assert!(!sentence.contains(OURS), "{sentence}");
        let examples = sentence.replace("https://…", "").replace("https://app.example.org", "");
        let examples = examples.replace("https://*.example.org", "");
        assert!(!examples.contains("://"), "{sentence}");
    }
    let shown = format!("{config:?}");
    assert!(!shown.contains(OURS), "{shown}");
}

/// Where an endpoint is, and what it is sent, is taken out of words of its own.
fn is_hidden(route: &Route) {
    let hidden = route.hidden();
    for endpoint in &route.endpoints {
        let place = endpoint.url.split_once("://").map_or("", |(_, place)| place);
        for words in [format!("x {place} y"), serde_json::to_string(place).unwrap()] {
            let told = redact(&words, &hidden);
            assert!(!told.contains(OURS), "{told}");
            assert!(
                place.len() < 4 || "[redacted]".contains(place) || !told.contains(place),
                "{told}"
            );
        }
        for (_, value) in &endpoint.headers {
            let told = redact(value, &hidden);
            assert!(!told.contains(OURS), "{told}");
        }
    }
}

/// The host that is told apart is the one that is asked.
fn goes_where_it_says(endpoint: &Endpoint) {
    let (scheme, rest) = endpoint.url.split_once("://").unwrap();
    let authority = rest.split(['/', '?']).next().unwrap();
    assert!(!authority.contains(['@', '\\', '%', ' ', '#']), "{authority}");
    assert!(authority.to_ascii_lowercase().starts_with(&endpoint.host));
    let local = endpoint.host.starts_with("127.")
        || endpoint.host.ends_with("localhost")
        || endpoint.host == "[::1]";
    assert!(scheme.eq_ignore_ascii_case("https") || local, "{scheme} to {authority}");
    assert!(endpoint.url.bytes().all(|byte| byte.is_ascii_graphic()));
    for (name, value) in &endpoint.headers {
        assert!(!name.is_empty() && !format!("{name}{value}").contains(['\r', '\n', '\0']));
    }
    assert!(address(&endpoint.url).is_some_and(|address| address.contains(':')));
}
