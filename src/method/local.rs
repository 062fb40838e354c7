//! Methods answered from the configuration: a wallet must be able to add the network, and ask its
//! chain id, with every endpoint down.

use crate::config::Route;

/// The `result`, as JSON text, of a method that needs no endpoint; `None` when it needs one.
pub fn answer(route: &Route, method: &str) -> Option<String> {
    match method {
        "eth_chainId" => route.chain_id.map(|id| format!("\"{id:#x}\"")),
        "net_version" => route.network_id.or(route.chain_id).map(|id| format!("\"{id}\"")),
        "eth_accounts" => Some("[]".to_owned()),
        _ => None,
    }
}
