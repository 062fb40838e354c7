//! Questions that others ask of the configuration.

use breakwater::config::{Config, Endpoint, MethodList, Protocol, Route, method_matches};
use breakwater::method::Effect;

use crate::config;

const SERVICE: &str = "[SERVICE]\ndefault_route = \"main\"\n";

fn route(name: &str, chain_id: u64) -> String {
    format!(
        "[ROUTE_{name}]\nchain_id = {chain_id}\n\
         endpoints = [{{ name = \"a\", url = \"https://a.example\" }}]\n"
    )
}

fn name(route: Option<&Route>) -> Option<&str> {
    route.map(|route| route.name.as_str())
}

fn three() -> Config {
    config(&[SERVICE, &route("MAIN", 1), &route("BACK", 10), &route("ALSO_ONE", 1)].concat())
}

#[test]
fn routes_are_found_by_name_and_chain() {
    let config = three();
    assert_eq!(name(config.default_route()), Some("main"));
    assert_eq!(name(config.route("also-one")), Some("also-one"));
    assert_eq!(name(config.route("ALSO_ONE")), None);
    assert_eq!(name(config.by_chain(1)), Some("main"), "the default route goes first");
    assert_eq!(name(config.by_chain(10)), Some("back"));
    assert_eq!(name(config.by_chain(2)), None);
    let other = config_with_default("back");
    assert_eq!(name(other.by_chain(1)), Some("also-one"), "else the first by name");
}

#[test]
fn a_chain_id_in_a_path_has_one_spelling() {
    let config = three();
    assert_eq!(name(config.by_chain_segment("10")), Some("back"));
    for other in
        ["010", "00010", "+10", "-10", " 10", "0xa", "1e1", "10.0", "0", "", "99999999999999999999"]
    {
        assert_eq!(name(config.by_chain_segment(other)), None, "{other:?}");
    }
}

fn config_with_default(default: &str) -> Config {
    let mut config = three();
    config.service.default_route = Some(default.into());
    config
}

#[test]
fn a_refused_default_route_is_told_apart_from_an_unknown_one() {
    let config = config(&[SERVICE, "[ROUTE_MAIN]\n", &route("BACK", 10)].concat());
    assert_eq!(name(config.default_route()), None);
    assert_eq!(config.service.default_route.as_deref(), Some("main"));
    let fault = config.fault_of("main").unwrap();
    assert_eq!(fault.message, "ROUTE_MAIN.chain_id: is missing: an evm route needs it");
    assert_eq!((config.fault_of("back"), config.service_fault()), (None, None));
}

#[test]
fn a_fault_of_service_is_every_routes_fault() {
    let config = config(&["[SERVICE]\nstate = \"x\"\n", &route("MAIN", 1)].concat());
    assert_eq!(config.routes.len(), 1);
    assert!(config.service_fault().is_some());
    assert_eq!(config.fault_of("main"), config.service_fault());
}

#[test]
fn attempt_timeouts_go_from_the_method_to_the_default() {
    let mut route = three().routes.remove(0);
    assert_eq!(route.attempt_timeout_ms("eth_call", Effect::Read), 3500);
    assert_eq!(route.attempt_timeout_ms("eth_sendRawTransaction", Effect::Send), 6000);
    assert_eq!(route.attempt_timeout_ms("eth_sendTransaction", Effect::Once), 6000);
    route.protocol = Protocol::X402;
    assert_eq!(route.attempt_timeout_ms("verify", Effect::Read), 15_000);
    route.timeouts.attempt_ms = Some(1000);
    route.timeouts.per_method_ms = vec![("eth_getLogs".into(), 7000)];
    assert_eq!(route.attempt_timeout_ms("eth_call", Effect::Send), 1000);
    assert_eq!(route.attempt_timeout_ms("eth_getLogs", Effect::Read), 7000);
    assert_eq!(route.attempt_timeout_ms("eth_getlogs", Effect::Read), 1000);

    let mut endpoint = route.endpoints[0].clone();
    assert_eq!(route.attempt_timeout_at_ms(&endpoint, "eth_call", Effect::Read), 1000);
    endpoint.attempt_timeout_ms = Some(200);
    assert_eq!(route.attempt_timeout_at_ms(&endpoint, "eth_call", Effect::Read), 200);
    assert_eq!(route.attempt_timeout_at_ms(&endpoint, "eth_getLogs", Effect::Read), 7000);
}

#[test]
fn method_patterns() {
    assert!(method_matches("eth_call", "eth_call"));
    assert!(!method_matches("eth_call", "eth_callMany"));
    assert!(!method_matches("eth_call", "ETH_CALL"));
    assert!(method_matches("debug_*", "debug_traceCall"));
    assert!(!method_matches("debug_*", "debugX"));
    let list = |allow: &[&str], deny: &[&str]| MethodList {
        allow: allow.iter().map(|text| (*text).into()).collect(),
        deny: deny.iter().map(|text| (*text).into()).collect(),
    };
    assert!(list(&[], &[]).serves("eth_call"));
    assert!(!list(&[], &["eth_*"]).serves("eth_call"));
    assert!(!list(&["trace_*"], &[]).serves("eth_call"));
    assert!(!list(&["eth_call"], &["eth_*"]).serves("eth_call"), "deny wins");
    assert!(list(&["eth_*"], &["eth_getLogs"]).serves("eth_call"));
    assert!(list(&["eth_call"], &["eth_*"]).allows("eth_call"));
    assert!(!list(&[], &[]).allows("eth_call"));
}

#[test]
fn the_fingerprint_follows_name_and_url() {
    let endpoint = three().routes.remove(0).endpoints.remove(0);
    let base = endpoint.fingerprint();
    assert_eq!(base, 0x1b74_1144_ff8a_194a, "stored fingerprints must stay good across builds");
    let changed = |change: fn(&mut Endpoint)| {
        let mut endpoint = endpoint.clone();
        change(&mut endpoint);
        endpoint.fingerprint()
    };
    assert_ne!(changed(|endpoint| endpoint.name.push('x')), base);
    assert_ne!(changed(|endpoint| endpoint.url.push('x')), base);
    let moved = |endpoint: &mut Endpoint| {
        endpoint.name = format!("{}{}", endpoint.name, endpoint.url);
        endpoint.url = String::new();
    };
    assert_ne!(changed(moved), base);
    assert_eq!(changed(|endpoint| endpoint.private = true), base);
}
