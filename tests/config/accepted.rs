//! What is taken, and what it becomes.

use breakwater::config::{
    BreakerPolicy, EmptyResult, Freshness, Limits, MethodList, Mode, OperatorRule, OriginRule,
    Protocol, Route, RpcErrors, RuleAction, SendMode, Settle, SettleFailover, SettleUnknown,
    StateScope, Timeouts, WhenAllOpen, parse,
};
use breakwater::method::{Effect, NO_LIMIT_MS};

use crate::{config, secret, vars};

/// Every key of this version with a value that is not its default, where one is possible.
pub(crate) const FULL: &str = r#"
[SERVICE]
default_route = "ethereum-main"
allowed_origins = ["https://app.example.org", "https://*.example.org", "extensions"]
require_key = true
state = "global"

[ROUTE_ETHEREUM_MAIN]
protocol = "evm"
chain_id = 11155111
chain_name = " Proving Ground "
currency = { name = "Sand", symbol = "SND", decimals = 6 }
network_id = 7
mode = "ordered"
attempt_timeout_ms = 2500
total_timeout_ms = 8000
method_timeouts_ms = { eth_getLogs = 7000 }
max_attempts = 2
hedge_after_ms = 0
trip_after = 0
trip_ratio = 1
trip_min = 4
trip_window_ms = 1000
cooldown_ms = 2000
cooldown_max_ms = 2000
close_after = 0
when_all_open = "fail"
retry_after_cap_ms = 60000
rpc_errors = "lenient"
send = "once"
max_lag_blocks = 0
max_lag_ms = 0
poll_ms = 5000
empty_result = "answer"
monotonic_head = false
methods = { allow = ["debug_*", "trace_block"], deny = ["eth_getLogs"] }
batch_max = 10
body_max_bytes = 1000
response_max_bytes = 2000
max_subrequests = 20
rate_limit = { binding = "RATE_MAIN", period_s = 10 }
rules = [
  { code = -32005, message = "Compute Units", action = "cooldown" },
  { status = 403, method = "eth_*", endpoint = "public", action = "failover_no_penalty" },
]
endpoints = [
  { name = " alchemy ", url = "https://Eth.Example.com:8443/v2/${ALCHEMY_KEY}?net=1" },
  { name = "public", url = "https://rpc.example.org", weight = 1, private = true, archive = true,
    headers = { Authorization = "Bearer ${RPC_TOKEN}" }, attempt_timeout_ms = 900, batch_max = 1,
    forward_headers = [], methods = { allow = ["eth_*"], deny = ["eth_getLogs"] } },
]
"#;

/// Every key of a facilitators' route that is its own.
pub(crate) const FACILITATORS: &str = r#"
[ROUTE_PAY]
protocol = "x402"
settle_failover = "never"
settle_unknown = "status"
method_timeouts_ms = { verify = 9000 }
endpoints = [
  { name = "cdp", url = "https://pay.example.org/v2/x402", forward_headers = ["authorization", "x-trace"] },
  { name = "own", url = "https://own.example.org", headers = { Authorization = "Bearer ${RPC_TOKEN}" } },
]
"#;

/// A route with nothing but what it needs.
pub(crate) const SMALL: &str = r#"
[ROUTE_BASE]
chain_id = 8453
endpoints = [{ name = "public", url = "https://rpc.example.org" }]
"#;

pub(crate) fn only_route(toml: &str) -> Route {
    let mut config = config(toml);
    assert_eq!((config.faults.as_slice(), config.routes.len()), (&[][..], 1));
    config.routes.remove(0)
}

#[test]
fn every_key_arrives() {
    let route = only_route(FULL);
    assert_eq!(route.name, "ethereum-main");
    assert_eq!((route.chain_id, route.network_id), (Some(11_155_111), Some(7)));
    assert_eq!(
        (route.protocol, route.mode, route.send),
        (Protocol::Evm, Mode::Ordered, SendMode::Once)
    );
    assert_eq!((route.max_attempts, route.rpc_errors), (2, RpcErrors::Lenient));
    let timeouts = Timeouts {
        attempt_ms: Some(2500),
        total_ms: 8000,
        per_method_ms: vec![("eth_getLogs".into(), 7000)],
    };
    assert_eq!(route.timeouts, timeouts);
    let breaker = BreakerPolicy {
        trip_after: 0,
        trip_ratio: 1.0,
        trip_min: 4,
        trip_window_ms: 1000,
        cooldown_ms: 2000,
        cooldown_max_ms: 2000,
        close_after: 0,
        retry_after_cap_ms: 60_000,
        when_all_open: WhenAllOpen::Fail,
        poll_ms: 5000,
    };
    assert_eq!(route.breaker, breaker);
    let freshness = Freshness {
        max_lag_blocks: 0,
        max_lag_ms: 0,
        empty_result: EmptyResult::Answer,
        monotonic: false,
    };
    assert_eq!(route.freshness, freshness);
    let limits = Limits {
        batch_max: 10,
        body_max_bytes: 1000,
        response_max_bytes: 2000,
        max_subrequests: 20,
    };
    assert_eq!(route.limits, limits);
    let methods = MethodList {
        allow: vec!["debug_*".into(), "trace_block".into()],
        deny: vec!["eth_getLogs".into()],
    };
    assert_eq!(route.methods, methods);
}

#[test]
fn rules_arrive_in_order_with_lower_case_messages() {
    let throttle = OperatorRule {
        code: Some(-32005),
        status: None,
        message: Some("compute units".into()),
        method: None,
        endpoint: None,
        action: RuleAction::Cooldown,
    };
    let refusal = OperatorRule {
        code: None,
        status: Some(403),
        message: None,
        method: Some("eth_*".into()),
        endpoint: Some("public".into()),
        action: RuleAction::FailoverNoPenalty,
    };
    assert_eq!(only_route(FULL).rules, [throttle, refusal]);
}

#[test]
fn any_part_makes_a_rule() {
    for part in
        ["code = 3", "status = 599", "message = \"x\"", "method = \"a\"", "endpoint = \"public\""]
    {
        let route = only_route(&format!("{SMALL}rules = [{{ {part}, action = \"breaker\" }}]\n"));
        assert_eq!(route.rules[0].action, RuleAction::Breaker);
    }
}

#[test]
fn endpoints_arrive_in_order_and_filled_in() {
    let route = only_route(FULL);
    let [first, second] = route.endpoints.as_slice() else { panic!("two endpoints") };
    assert_eq!(first.name, "alchemy");
    assert_eq!(first.url, "https://Eth.Example.com:8443/v2/al-S3cret-key-0123456789?net=1");
    assert_eq!((first.host.as_str(), first.bound), ("eth.example.com", true));
    assert_eq!((first.private, first.batch_max, first.attempt_timeout_ms), (false, None, None));
    assert_eq!((first.archive, second.archive), (false, true));
    assert_eq!(first.headers, []);
    assert_eq!(
        (second.private, second.batch_max, second.attempt_timeout_ms),
        (true, Some(1), Some(900))
    );
    assert_eq!(second.headers, [("Authorization".into(), "Bearer tok-S3cret-9876543210".into())]);
    assert_eq!(second.methods.allow, ["eth_*"]);
    assert_eq!(second.methods.deny, ["eth_getLogs"]);
}

#[test]
fn facilitators_arrive() {
    let route = only_route(FACILITATORS);
    let settle = Settle { failover: SettleFailover::Never, unknown: SettleUnknown::Status };
    assert_eq!((route.protocol, route.chain_id, route.settle), (Protocol::X402, None, settle));
    assert_eq!(route.endpoints[0].forward_headers, ["authorization", "x-trace"]);
    assert_eq!(route.endpoints[1].forward_headers, [""; 0]);
    let keys = "settle_failover = \"never\"\nsettle_unknown = \"status\"\n";
    let route = only_route(&FACILITATORS.replace(keys, ""));
    let settle = Settle { failover: SettleFailover::Proof, unknown: SettleUnknown::Opaque };
    assert_eq!((route.settle, route.timeouts.total_ms), (settle, 60_000));
    let [cdp, _] = route.endpoints.as_slice() else { panic!("two endpoints") };
    assert_eq!(route.attempt_timeout_at_ms(cdp, "verify", Effect::Read), 9000);
    assert_eq!(route.attempt_timeout_at_ms(cdp, "supported", Effect::Read), 15_000);
    assert_eq!(route.attempt_timeout_at_ms(cdp, "settle", Effect::Once), NO_LIMIT_MS);
}

#[test]
fn service_arrives() {
    let service = config(FULL).service;
    assert_eq!(service.default_route.as_deref(), Some("ethereum-main"));
    assert_eq!((service.require_key, service.state), (true, StateScope::Global));
    assert_eq!(service.client_keys, ["client-one", "client-two"]);
    let wildcard =
        OriginRule::Wildcard { prefix: "https://".into(), suffix: ".example.org".into() };
    let exact = OriginRule::Exact("https://app.example.org".into());
    assert_eq!(service.allowed_origins, [exact, wildcard, OriginRule::Extensions]);
}

#[test]
fn defaults_are_those_told() {
    let config = config(SMALL);
    assert_eq!(config.service.default_route.as_deref(), Some("base"));
    assert_eq!(config.service.allowed_origins, [OriginRule::Any]);
    assert_eq!((config.service.require_key, config.service.state), (false, StateScope::Region));
    let route = &config.routes[0];
    assert_eq!(
        (route.protocol, route.mode, route.send),
        (Protocol::Evm, Mode::Ordered, SendMode::Resend)
    );
    assert_eq!((route.chain_id, route.network_id), (Some(8453), Some(8453)));
    assert_eq!((route.max_attempts, route.rpc_errors), (3, RpcErrors::Declined));
    let timeouts = Timeouts { attempt_ms: None, total_ms: 9000, per_method_ms: vec![] };
    assert_eq!(route.timeouts, timeouts);
    let breaker = BreakerPolicy {
        trip_after: 5,
        trip_ratio: 0.5,
        trip_min: 20,
        trip_window_ms: 30_000,
        cooldown_ms: 15_000,
        cooldown_max_ms: 120_000,
        close_after: 2,
        retry_after_cap_ms: 300_000,
        when_all_open: WhenAllOpen::Try,
        poll_ms: 15_000,
    };
    assert_eq!(route.breaker, breaker);
    let freshness = Freshness {
        max_lag_blocks: 2,
        max_lag_ms: 15_000,
        empty_result: EmptyResult::RetryIfBehind,
        monotonic: true,
    };
    assert_eq!(route.freshness, freshness);
    let limits = Limits {
        batch_max: 100,
        body_max_bytes: 5_242_880,
        response_max_bytes: 2_097_152,
        max_subrequests: 40,
    };
    assert_eq!(route.limits, limits);
    assert_eq!((route.rules.as_slice(), &route.methods), (&[][..], &MethodList::default()));
}

#[test]
fn one_key_changes_nothing_but_itself() {
    let plain = only_route(SMALL);
    let mut changed = only_route(&format!("{SMALL}cooldown_ms = 500\n"));
    assert_eq!(changed.breaker.cooldown_ms, 500);
    changed.breaker.cooldown_ms = plain.breaker.cooldown_ms;
    assert_eq!(changed, plain);
}

#[test]
fn a_table_may_come_as_text() {
    let tables = vars(FULL);
    let text = |json: &String| serde_json::to_string(json).unwrap();
    let texts: Vec<_> = tables.iter().map(|(name, json)| (name.clone(), text(json))).collect();
    assert_eq!(parse(&texts, &secret), parse(&tables, &secret));
}

#[test]
fn a_bad_route_leaves_the_others_alone() {
    let config = config(&format!("{FULL}\n[ROUTE_BAD]\nchain_id = 1\n{SMALL}"));
    let names: Vec<_> = config.routes.iter().map(|route| route.name.as_str()).collect();
    assert_eq!(names, ["base", "ethereum-main"]);
    let faults: Vec<_> = config.faults.iter().map(|fault| fault.route.as_deref()).collect();
    assert_eq!(faults, [Some("bad")]);
    assert_eq!(config.routes[1], only_route(FULL));
}

#[test]
fn other_variables_are_passed_over() {
    assert_eq!(config(&format!("LOG_LEVEL = \"debug\"\n{SMALL}")), config(SMALL));
}
