//! Which methods a route serves: the default set, what the operator added, what he refused.

/// Families served unless refused.
const SERVED: [&str; 3] = ["eth_*", "net_*", "web3_*"];

/// Methods of those families that need a node's own keys, accounts or miner.
const NODE_OWN: [&str; 13] = [
    "eth_sign*",
    "eth_sendTransaction",
    "eth_coinbase",
    "eth_mining",
    "eth_hashrate",
    "eth_getWork",
    "eth_submitWork",
    "eth_submitHashrate",
    "eth_setEtherbase",
    "eth_setExtra",
    "eth_setGasPrice",
    "eth_fillTransaction",
    "eth_resend",
];

/// Whether one entry of a list names the method: exactly, or as `prefix_*`.
pub fn names(entry: &str, method: &str) -> bool {
    entry.strip_suffix('*').map_or(entry == method, |prefix| method.starts_with(prefix))
}

/// Whether any entry of a list names the method.
pub fn listed<S: AsRef<str>>(list: &[S], method: &str) -> bool {
    list.iter().any(|entry| names(entry.as_ref(), method))
}

/// Whether a route with these lists serves the method. `deny` wins, `allow` adds to the default set.
pub fn served(allow: &[String], deny: &[String], method: &str) -> bool {
    if listed(deny, method) {
        return false;
    }
    listed(allow, method) || (listed(&SERVED, method) && !listed(&NODE_OWN, method))
}

/// Whether an endpoint with these lists is sent the method: an empty `allow` takes all.
pub fn sent_to(allow: &[String], deny: &[String], method: &str) -> bool {
    !listed(deny, method) && (allow.is_empty() || listed(allow, method))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_set() {
        for method in ["eth_call", "eth_sendRawTransaction", "net_version", "web3_sha3", "eth_subscribe"] {
            assert!(served(&[], &[], method), "{method}");
        }
        for method in [
            "eth_sign",
            "eth_signTypedData_v4",
            "eth_signTransaction",
            "eth_sendTransaction",
            "eth_coinbase",
            "debug_traceTransaction",
            "trace_block",
            "txpool_content",
            "admin_peers",
            "engine_newPayloadV4",
            "personal_sign",
            "miner_start",
            "anvil_mine",
            "evm_mine",
            "hardhat_reset",
            "ethcall",
            "",
            "*",
        ] {
            assert!(!served(&[], &[], method), "{method}");
        }
    }

    #[test]
    fn the_operators_lists() {
        let list = |entries: &[&str]| entries.iter().map(|e| (*e).to_owned()).collect::<Vec<_>>();
        assert!(served(&list(&["trace_*"]), &[], "trace_block"));
        assert!(served(&list(&["eth_sendTransaction"]), &[], "eth_sendTransaction"));
        assert!(!served(&list(&["trace_*"]), &list(&["trace_block"]), "trace_block"));
        assert!(!served(&[], &list(&["eth_getLogs"]), "eth_getLogs"));
        assert!(sent_to(&[], &[], "anything"));
        assert!(!sent_to(&list(&["eth_call"]), &[], "eth_getLogs"));
        assert!(!sent_to(&list(&["eth_*"]), &list(&["eth_getLogs"]), "eth_getLogs"));
    }
}
