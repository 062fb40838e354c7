//! One `ROUTE_<NAME>` table.

use super::check::{millis, within, word};
use super::json::Table;
use super::remark::{Reading, Remark, Under};
use super::template::Secrets;
use super::{
    BreakerPolicy, Endpoint, Limits, Mode, Protocol, Route, RpcErrors, SendMode, WhenAllOpen,
    endpoint, methods, names, not_yet, raw, rules, timeouts,
};

/// Most endpoints a route may have.
const MAX_ENDPOINTS: usize = 16;
/// Largest chain id: beyond it JavaScript's numbers are not exact.
const MAX_CHAIN_ID: u64 = (1 << 53) - 1;

/// A route, and what to tell the operator about it.
pub(super) struct Built {
    pub(super) route: Route,
    pub(super) notices: Vec<Notice>,
}

/// A remark about one endpoint.
pub(super) struct Notice {
    pub(super) endpoint: String,
    pub(super) remark: Remark,
}

/// Reads the table of the route with this public name.
pub(super) fn build(name: &str, raw: raw::Route, secrets: Secrets<'_>) -> Reading<Built> {
    names::check_route(name).map_err(|why| Remark::at("", why))?;
    let protocol = word("protocol", &raw.protocol, Protocol::WORDS)?;
    let chain_id = chain_id(&raw, protocol)?;
    let mode = word("mode", &raw.mode, Mode::WORDS)?;
    let send = word("send", &raw.send, SendMode::WORDS)?;
    let rpc_errors = word("rpc_errors", &raw.rpc_errors, RpcErrors::WORDS)?;
    let timeouts = timeouts::build(&raw, protocol)?;
    let breaker = breaker(&raw)?;
    let limits = limits(&raw)?;
    let max_attempts = within("max_attempts", raw.max_attempts, 1..=16)?;
    not_yet::check(&raw)?;
    let (endpoints, notices) = endpoints(raw.endpoints, secrets)?;
    let route = Route {
        name: name.into(),
        protocol,
        chain_id,
        network_id: raw.network_id.0.or(chain_id),
        mode,
        timeouts,
        max_attempts,
        breaker,
        rpc_errors,
        rules: rules::build(raw.rules, &endpoints)?,
        send,
        methods: methods::build(raw.methods.0).under("methods")?,
        limits,
        endpoints,
    };
    Ok(Built { route, notices })
}

fn chain_id(raw: &raw::Route, protocol: Protocol) -> Reading<Option<u64>> {
    let given = [("chain_id", raw.chain_id.0), ("network_id", raw.network_id.0)];
    match protocol {
        Protocol::Evm => {
            for (key, id) in given {
                within(key, id.unwrap_or(1), 1..=MAX_CHAIN_ID)?;
            }
            let missing = || Remark::at("chain_id", "is missing: an evm route needs it");
            raw.chain_id.0.ok_or_else(missing).map(Some)
        }
        Protocol::X402 => match given.iter().find(|(_, id)| id.is_some()) {
            Some((key, _)) => Err(Remark::at(*key, "belongs to evm routes only")),
            None => Ok(None),
        },
    }
}

fn endpoints(
    list: Vec<Table<raw::Endpoint>>,
    secrets: Secrets<'_>,
) -> Reading<(Vec<Endpoint>, Vec<Notice>)> {
    let at = |why| Remark::at("endpoints", why);
    if list.is_empty() {
        return Err(at("is empty: a route needs at least one endpoint"));
    }
    if list.len() > MAX_ENDPOINTS {
        return Err(at("has more than 16 entries"));
    }
    let (mut endpoints, mut notices) = (Vec::new(), Vec::new());
    for (index, Table(raw)) in list.into_iter().enumerate() {
        let path = format!("endpoints[{index}]");
        let built = endpoint::build(raw, &endpoints, secrets).under(&path)?;
        notices.extend(built.notices.into_iter().map(|remark| Notice {
            endpoint: built.endpoint.name.clone(),
            remark: remark.under(&path),
        }));
        endpoints.push(built.endpoint);
    }
    if !endpoints.iter().any(|endpoint| endpoint.bound) {
        return Err(at("has no entry whose secrets are all bound"));
    }
    Ok((endpoints, notices))
}

fn breaker(raw: &raw::Route) -> Reading<BreakerPolicy> {
    Ok(BreakerPolicy {
        trip_after: within("trip_after", raw.trip_after, 0..=10_000)?,
        trip_ratio: ratio(raw.trip_ratio)?,
        trip_min: within("trip_min", raw.trip_min, 1..=1_000_000)?,
        trip_window_ms: millis("trip_window_ms", raw.trip_window_ms)?,
        cooldown_ms: millis("cooldown_ms", raw.cooldown_ms)?,
        cooldown_max_ms: cooldown_max(raw)?,
        close_after: within("close_after", raw.close_after, 1..=100)?,
        retry_after_cap_ms: millis("retry_after_cap_ms", raw.retry_after_cap_ms)?,
        when_all_open: word("when_all_open", &raw.when_all_open, WhenAllOpen::WORDS)?,
        poll_ms: within("poll_ms", raw.poll_ms, 100..=super::check::MAX_MS)?,
    })
}

fn ratio(share: f64) -> Reading<f64> {
    if share > 0.0 && share <= 1.0 {
        return Ok(share);
    }
    Err(Remark::at("trip_ratio", "must be above 0 and at most 1"))
}

fn cooldown_max(raw: &raw::Route) -> Reading<u64> {
    if raw.cooldown_max_ms < raw.cooldown_ms {
        return Err(Remark::at("cooldown_max_ms", "must not be below cooldown_ms"));
    }
    millis("cooldown_max_ms", raw.cooldown_max_ms)
}

fn limits(raw: &raw::Route) -> Reading<Limits> {
    Ok(Limits {
        batch_max: within("batch_max", raw.batch_max, 1..=10_000)?,
        body_max_bytes: within("body_max_bytes", raw.body_max_bytes, 1..=104_857_600)?,
        response_max_bytes: within("response_max_bytes", raw.response_max_bytes, 1..=67_108_864)?,
        max_subrequests: within("max_subrequests", raw.max_subrequests, 1..=10_000)?,
    })
}
