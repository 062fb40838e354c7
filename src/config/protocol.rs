//! Keys that mean something to one protocol only. On a route of the other they are refused: no key
//! is without effect.

use super::table::Table;
use super::{Protocol, Settle, SettleFailover, SettleUnknown};

/// Keys of a route that only Ethereum JSON-RPC has a use for.
const EVM: [&str; 16] = [
    "mode",
    "quorum",
    "hedge_after_ms",
    "chain_id",
    "chain_name",
    "currency",
    "network_id",
    "rpc_errors",
    "send",
    "batch_max",
    "max_subrequests",
    "max_lag_blocks",
    "max_lag_ms",
    "empty_result",
    "monotonic_head",
    "methods",
];
/// The same of an endpoint.
const EVM_ENDPOINT: [&str; 5] = ["weight", "batch_max", "private", "archive", "methods"];
/// Keys of a route that only facilitators have a use for.
const X402: [&str; 2] = ["settle_failover", "settle_unknown"];

/// Takes down the first key that belongs to the other protocol. To be asked before they are read.
pub(super) fn check_route(table: &mut Table, protocol: Protocol) {
    match protocol {
        Protocol::Evm => foreign(table, &X402, "belongs to x402 routes only"),
        Protocol::X402 => foreign(table, &EVM, "belongs to evm routes only"),
    }
}

/// The same for an endpoint of such a route.
pub(super) fn check_endpoint(table: &mut Table, protocol: Protocol) {
    match protocol {
        Protocol::Evm => {}
        Protocol::X402 => foreign(table, &EVM_ENDPOINT, "belongs to evm routes only"),
    }
}

fn foreign(table: &mut Table, keys: &[&str], why: &str) {
    for key in keys {
        if table.value(key).is_some() {
            table.fail(key, why);
        }
    }
}

/// Reads what a route does about settles.
pub(super) fn settle(route: &mut Table) -> Settle {
    Settle {
        failover: route
            .word("settle_failover", SettleFailover::WORDS)
            .unwrap_or(SettleFailover::Proof),
        unknown: route
            .word("settle_unknown", SettleUnknown::WORDS)
            .unwrap_or(SettleUnknown::Opaque),
    }
}
