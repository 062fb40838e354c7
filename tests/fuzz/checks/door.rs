//! Paths and headers: who is let in, and where to.

use breakwater::config::Protocol;
use breakwater::http::access::{self, Caller};
use breakwater::http::route::{Routed, Target, route};
use breakwater::http::{admin, client, cors, page};
use breakwater::json;
use breakwater::verdict::retry_after;
use breakwater::x402::call::Call;

use super::scene::{self, NOW, config};
use super::{fields, is_json, pick, text};

pub(super) fn check(data: &[u8]) {
    let [method, path, origin, authorization, key, more] = fields(data);
    let method = ["GET", "POST", "HEAD", "OPTIONS", "PUT", "DELETE"][pick(method, 0) % 6];
    let path = format!("/{}", text(path));
    leads(method, &path, pick(more, 0) % 2 == 1);
    enters(text(origin), text(authorization), text(key));
    headers(text(origin), text(more));
}

/// Where a path leads is decided by its plain segments alone.
fn leads(method: &str, path: &str, upgrade: bool) {
    let Routed { target, path_key, .. } = route(config(), method, path, upgrade);
    let segments: Vec<_> = path.split('/').filter(|segment| !segment.is_empty()).collect();
    if let Some(key) = path_key {
        assert!(segments.contains(&key));
    }
    match target {
        Target::Admin(rest) => {
            assert_eq!((segments[0], &segments[1..]), ("admin", &*rest));
            orders(method, &rest);
        }
        Target::Rpc(route) => assert!(method == "POST" && route.protocol == Protocol::Evm),
        Target::Facilitator(route, call) => {
            assert!(method == call.http_method() && route.protocol == Protocol::X402);
            assert_eq!(Call::read(&segments[1..]).map(|(call, _)| call), Some(call));
        }
        Target::Preflight => assert_eq!(method, "OPTIONS"),
        Target::Status(_)
        | Target::Page(_)
        | Target::Metrics
        | Target::Health
        | Target::Ready(_) => {
            assert!(matches!(method, "GET" | "HEAD"));
        }
        Target::Refused(fault) => assert!(fault.status() >= 400),
    }
}

fn orders(method: &str, rest: &[&str]) {
    match admin::find(config(), method, rest) {
        Ok(admin::Wanted::Show(_)) => assert_ne!(method, "POST"),
        Ok(admin::Wanted::Change { .. }) => assert_eq!(method, "POST"),
        Err(refusal) => is_json(&refusal.body()),
    }
}

/// Nobody enters without what the configuration asks for, compared by a reading of its own.
fn enters(origin: &str, authorization: &str, key: &str) {
    let service = &config().service;
    let given = |text| Some(text).filter(|text: &&str| !text.is_empty());
    let token = |scheme: &str| {
        let (said, token) = authorization.split_once(' ')?;
        said.eq_ignore_ascii_case(scheme).then(|| token.trim())
    };
    for path_key in [None, given(key)] {
        let caller = Caller {
            origin: given(origin),
            authorization: given(authorization),
            api_key: given(key),
            path_key,
        };
        if access::check(service, caller, true).is_ok() {
            let keys = ["client-key-1", "client-key-2"];
            assert!(
                keys.contains(&key) || token("bearer").is_some_and(|token| keys.contains(&token))
            );
            assert!(origin.is_empty() || is_listed(origin), "{origin} was let in");
        }
    }
    let opens = admin::authorized(service, given(authorization));
    let right = scene::secret("ADMIN_TOKEN").unwrap();
    assert_eq!(opens, token("bearer") == Some(&*right));
}

fn is_listed(origin: &str) -> bool {
    let origin = origin.to_ascii_lowercase();
    let label = |label: &str| {
        !label.is_empty() && label.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b))
    };
    let wide =
        origin.strip_prefix("https://").and_then(|rest| rest.strip_suffix(".wide.example:8443"));
    let extension = origin.split_once("-extension://").is_some_and(|(_, id)| label(id));
    origin == "https://app.example"
        || wide.is_some_and(|labels| labels.split('.').all(label))
        || extension
}

/// Headers that are only looked at.
fn headers(origin: &str, more: &str) {
    let service = &config().service;
    let mut answer = cors::answer(service, Some(origin));
    answer.extend(cors::preflight(Some(more)));
    let allowed = answer.iter().filter(|(name, _)| *name == "access-control-allow-origin").count();
    assert_eq!(allowed, usize::from(access::allows(service, origin)));
    if let Some(wait_ms) = retry_after::parse(more, NOW) {
        assert!(wait_ms > 0);
    }
    let _ = page::wants_html(Some(more));
    let eth = scene::route("eth");
    let caller = client::client(more, eth);
    assert!(caller.is_none_or(|caller| caller.len() == 8));
    let url = Call::Search.url(&eth.endpoints[0].url, more);
    assert!(url.starts_with("https://example.org/v2/hunter2hunter2/discovery/search"));
    is_json(&json::text(&more));
}
