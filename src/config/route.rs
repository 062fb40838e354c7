//! One `ROUTE_<NAME>` table.

use super::table::Table;
use super::take::MAX_MS;
use super::template::Secrets;
use super::{
    BreakerPolicy, EmptyResult, Endpoint, Freshness, Limits, Mode, Notice, OperatorRule, Protocol,
    Route, RpcErrors, SendMode, WhenAllOpen, chain, endpoint, methods, names, protocol, quorum,
    rate_limit, rules, timeouts,
};

/// Most endpoints a route may have.
const MAX_ENDPOINTS: usize = 16;
/// Largest chain id: beyond it JavaScript's numbers are not exact.
const MAX_CHAIN_ID: i64 = (1 << 53) - 1;
/// Shortest poll: each one costs a request to every endpoint.
const MIN_POLL_MS: i64 = 100;

/// Reads the table of the route with this public name; `notices` takes what the operator should
/// hear of.
pub(super) fn build(
    name: &str,
    mut table: Table,
    secrets: Secrets<'_>,
    notices: &mut Vec<Notice>,
) -> Result<Route, String> {
    table.judge("", names::check_route(name));
    let speaks = table.word("protocol", Protocol::WORDS).unwrap_or(Protocol::Evm);
    protocol::check_route(&mut table, speaks);
    let chain_id = chain_id(&mut table, speaks);
    let endpoints = endpoints(name, &mut table, speaks, secrets, notices);
    let rules = rules(&mut table, &endpoints);
    let methods = methods::build(table.table("methods"));
    let mode = table.word("mode", Mode::WORDS).unwrap_or(Mode::Ordered);
    let given = table.value("quorum").is_some();
    let quorum = quorum::build(table.table("quorum"), given, mode, &endpoints);
    let given = table.value("rate_limit").is_some();
    let rate_limit = rate_limit::build(table.table("rate_limit"), given);
    let route = Route {
        name: name.into(),
        protocol: speaks,
        chain_id,
        chain: chain::build(&mut table, speaks, chain_id),
        network_id: table.size("network_id", 1..=MAX_CHAIN_ID).or(chain_id),
        mode,
        quorum: table.adopt(quorum).flatten(),
        hedge_after_ms: table.size("hedge_after_ms", 0..=MAX_MS).unwrap_or(0),
        endpoints,
        timeouts: timeouts::build(&mut table, speaks),
        max_attempts: table.count("max_attempts", 1..=16).unwrap_or(3),
        breaker: breaker(&mut table),
        rpc_errors: table.word("rpc_errors", RpcErrors::WORDS).unwrap_or(RpcErrors::Declined),
        rules,
        send: table.word("send", SendMode::WORDS).unwrap_or(SendMode::Resend),
        settle: protocol::settle(&mut table),
        freshness: freshness(&mut table),
        methods: table.adopt(methods).unwrap_or_default(),
        limits: limits(&mut table),
        rate_limit: table.adopt(rate_limit).flatten(),
    };
    table.finish()?;
    Ok(route)
}

fn chain_id(table: &mut Table, protocol: Protocol) -> Option<u64> {
    match protocol {
        Protocol::Evm => {
            let id = table.size("chain_id", 1..=MAX_CHAIN_ID);
            if id.is_none() {
                table.fail("chain_id", "is missing: an evm route needs it");
            }
            id
        }
        Protocol::X402 => None,
    }
}

fn endpoints(
    route: &str,
    table: &mut Table,
    protocol: Protocol,
    secrets: Secrets<'_>,
    notices: &mut Vec<Notice>,
) -> Vec<Endpoint> {
    let tables = table.tables("endpoints");
    if tables.is_empty() {
        table.fail("endpoints", "is empty: a route needs at least one endpoint");
    }
    if tables.len() > MAX_ENDPOINTS {
        table.fail("endpoints", "has more than 16 entries");
    }
    let mut endpoints = Vec::new();
    for inner in tables {
        let mut messages = Vec::new();
        let built = endpoint::build(inner, protocol, &endpoints, secrets, &mut messages);
        let Some(endpoint) = table.adopt(built) else { continue };
        let (route, name) = (route.to_owned(), Some(endpoint.name.clone()));
        let notice = |message| Notice { route: route.clone(), endpoint: name.clone(), message };
        notices.extend(messages.into_iter().map(notice));
        endpoints.push(endpoint);
    }
    if !endpoints.iter().any(|endpoint| endpoint.bound) {
        table.fail("endpoints", "has no entry whose secrets are all bound");
    }
    endpoints
}

fn rules(table: &mut Table, endpoints: &[Endpoint]) -> Vec<OperatorRule> {
    let tables = table.tables("rules").into_iter();
    tables.filter_map(|inner| table.adopt(rules::build(inner, endpoints))).collect()
}

fn breaker(table: &mut Table) -> BreakerPolicy {
    let policy = BreakerPolicy {
        trip_after: table.count("trip_after", 0..=10_000).unwrap_or(5),
        trip_ratio: table.share("trip_ratio").unwrap_or(0.5),
        trip_min: table.count("trip_min", 1..=1_000_000).unwrap_or(20),
        trip_window_ms: table.millis("trip_window_ms").unwrap_or(30_000),
        cooldown_ms: table.millis("cooldown_ms").unwrap_or(15_000),
        cooldown_max_ms: table.millis("cooldown_max_ms").unwrap_or(120_000),
        close_after: table.count("close_after", 0..=100).unwrap_or(2),
        retry_after_cap_ms: table.millis("retry_after_cap_ms").unwrap_or(300_000),
        when_all_open: table.word("when_all_open", WhenAllOpen::WORDS).unwrap_or(WhenAllOpen::Try),
        poll_ms: table.size("poll_ms", MIN_POLL_MS..=MAX_MS).unwrap_or(15_000),
    };
    if policy.cooldown_max_ms < policy.cooldown_ms {
        table.fail("cooldown_max_ms", "must not be below cooldown_ms");
    }
    policy
}

fn freshness(table: &mut Table) -> Freshness {
    Freshness {
        max_lag_blocks: table.size("max_lag_blocks", 0..=1_000_000).unwrap_or(2),
        max_lag_ms: table.size("max_lag_ms", 0..=MAX_MS).unwrap_or(15_000),
        empty_result: table
            .word("empty_result", EmptyResult::WORDS)
            .unwrap_or(EmptyResult::RetryIfBehind),
        monotonic: table.flag("monotonic_head").unwrap_or(true),
    }
}

fn limits(table: &mut Table) -> Limits {
    Limits {
        batch_max: table.count("batch_max", 1..=10_000).unwrap_or(100),
        body_max_bytes: table.size("body_max_bytes", 1..=104_857_600).unwrap_or(5_242_880),
        response_max_bytes: table.size("response_max_bytes", 1..=67_108_864).unwrap_or(2_097_152),
        max_subrequests: table.count("max_subrequests", 1..=10_000).unwrap_or(40),
    }
}
