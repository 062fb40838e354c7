//! The time limits of a route. How they come together for one attempt: `method::timeout`.

use super::methods::check_name;
use super::table::Table;
use super::{Protocol, Timeouts};

/// Until the first byte of the answer, unless configured; below viem's 10 s.
const TOTAL_MS: u64 = 9_000;
/// The same for x402.
const X402_TOTAL_MS: u64 = 60_000;

/// Reads the time limits from a route's table.
pub(super) fn build(route: &mut Table, protocol: Protocol) -> Timeouts {
    let total_ms = match protocol {
        Protocol::Evm => TOTAL_MS,
        Protocol::X402 => X402_TOTAL_MS,
    };
    let mut limits = route.table("method_timeouts_ms");
    if protocol == Protocol::X402 && limits.value("settle").is_some() {
        limits.fail("settle", "cannot be set: a settle has no time limit");
    }
    let per_method = per_method(limits);
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
    use crate::json::Value;

    #[test]
    fn an_answer_may_take_as_long_as_its_protocol_needs() {
        for (protocol, total_ms) in [(Protocol::Evm, 9_000), (Protocol::X402, 60_000)] {
            let mut route = Table::new("ROUTE_A", Value::Table(Vec::new()));
            assert_eq!(build(&mut route, protocol).total_ms, total_ms);
        }
    }
}
