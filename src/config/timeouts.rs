//! How long an attempt may take.

use super::methods::check_name;
use super::table::Table;
use super::{Endpoint, Protocol, Route, Timeouts};
use crate::method::Effect;

/// One attempt of a read, unless configured.
const READ_MS: u64 = 3_500;
/// One attempt of a send, unless configured: cutting it short leaves its outcome unknown.
const SEND_MS: u64 = 6_000;
/// One attempt of an x402 call, unless configured: a facilitator waits for a chain.
const X402_MS: u64 = 15_000;
/// Until the first byte of the answer, unless configured; below viem's 10 s.
const TOTAL_MS: u64 = 9_000;
/// The same for x402.
const X402_TOTAL_MS: u64 = 60_000;

impl Route {
    /// Milliseconds one attempt may take at an endpoint without a say of its own: the method's
    /// (`method_timeouts_ms`, exact name), else the route's, else the default of the operation.
    pub fn attempt_timeout_ms(&self, method: &str, effect: Effect) -> u64 {
        let route = self.timeouts.of_method(method).or(self.timeouts.attempt_ms);
        route.unwrap_or_else(|| default_ms(self.protocol, effect))
    }

    /// The same at `endpoint`, whose own `attempt_timeout_ms` goes before the route's and behind
    /// the method's.
    pub fn attempt_timeout_at_ms(&self, endpoint: &Endpoint, method: &str, effect: Effect) -> u64 {
        let own = self.timeouts.of_method(method).or(endpoint.attempt_timeout_ms);
        own.unwrap_or_else(|| self.attempt_timeout_ms(method, effect))
    }
}

impl Timeouts {
    fn of_method(&self, method: &str) -> Option<u64> {
        self.per_method_ms.iter().find(|(name, _)| name == method).map(|(_, ms)| *ms)
    }
}

fn default_ms(protocol: Protocol, effect: Effect) -> u64 {
    match (protocol, effect) {
        (Protocol::X402, _) => X402_MS,
        (Protocol::Evm, Effect::Read) => READ_MS,
        (Protocol::Evm, Effect::Send | Effect::Once) => SEND_MS,
    }
}

/// Reads the time limits from a route's table.
pub(super) fn build(route: &mut Table, protocol: Protocol) -> Timeouts {
    let total_ms = match protocol {
        Protocol::Evm => TOTAL_MS,
        Protocol::X402 => X402_TOTAL_MS,
    };
    let per_method = per_method(route.table("method_timeouts_ms"));
    Timeouts {
        attempt_ms: route.millis("attempt_timeout_ms"),
        total_ms: route.millis("total_timeout_ms").unwrap_or(total_ms),
        per_method_ms: route.adopt(per_method).unwrap_or_default(),
    }
}

fn per_method(mut table: Table) -> Result<Vec<(String, u64)>, String> {
    let mut limits = Vec::new();
    for method in table.keys() {
        let limit = table.millis(&method);
        table.judge(&method, check_name(&method));
        limits.extend(limit.map(|limit| (method, limit)));
    }
    table.finish()?;
    Ok(limits)
}

#[cfg(test)]
mod tests {
    use super::{Protocol, Table, build};
    use crate::config::value::Value;

    #[test]
    fn an_answer_may_take_as_long_as_its_protocol_needs() {
        for (protocol, total_ms) in [(Protocol::Evm, 9_000), (Protocol::X402, 60_000)] {
            let mut route = Table::new("ROUTE_A", Value::Table(Vec::new()));
            assert_eq!(build(&mut route, protocol).total_ms, total_ms);
        }
    }
}
