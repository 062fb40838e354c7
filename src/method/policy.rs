//! Which methods a route serves: the default set, what the operator added, what he refused.

use crate::config::{MethodList, method_matches};

/// Longest name that is served. Names go into counts, logs and the status: no client may fill those.
const NAME_MAX: usize = 128;

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

/// Whether a route with these lists serves the method. `deny` wins, `allow` adds to the default set.
pub fn served(list: &MethodList, method: &str) -> bool {
    let plain = method.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte));
    if !plain || method.len() > NAME_MAX {
        return false;
    }
    let among = |patterns: &[&str]| patterns.iter().any(|pattern| method_matches(pattern, method));
    !list.denies(method) && (list.allows(method) || (among(&SERVED) && !among(&NODE_OWN)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lists(allow: &[&str], deny: &[&str]) -> MethodList {
        let owned = |list: &[&str]| list.iter().map(|entry| (*entry).to_owned()).collect();
        MethodList { allow: owned(allow), deny: owned(deny) }
    }

    #[test]
    fn the_default_set() {
        let list = lists(&[], &[]);
        for method in ["eth_call", "eth_sendRawTransaction", "net_version", "web3_sha3"] {
            assert!(served(&list, method), "{method}");
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
            assert!(!served(&list, method), "{method}");
        }
    }

    #[test]
    fn a_name_that_is_no_name_is_not_served() {
        for odd in ["eth_call\n", "eth_\0", "eth_é", "eth_ call", "eth_\"x"] {
            assert!(!served(&lists(&["eth_*"], &[]), odd), "{odd:?}");
        }
        let long = format!("eth_{}", "x".repeat(NAME_MAX));
        assert!(!served(&lists(&[], &[]), &long));
        assert!(!served(&lists(&["eth_*"], &[]), &long));
    }

    #[test]
    fn the_operators_lists() {
        assert!(served(&lists(&["trace_*"], &[]), "trace_block"));
        assert!(served(&lists(&["eth_sendTransaction"], &[]), "eth_sendTransaction"));
        assert!(!served(&lists(&["trace_*"], &["trace_block"]), "trace_block"));
        assert!(!served(&lists(&[], &["eth_getLogs"]), "eth_getLogs"));
    }
}
