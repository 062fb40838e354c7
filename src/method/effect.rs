//! What a method does, by its name.
//!
//! The rule for names not met before: what looks like a send must not be repeated, everything else
//! is a read. An operator who allows a method that changes a node's state under an innocent name
//! should give it one endpoint only.

use super::Effect;

/// Signed by the caller and meant for everybody: the same bytes are the same transaction wherever
/// they go.
const SENDS: &[&str] =
    &["eth_sendRawTransaction", "eth_sendRawTransactionConditional", "eth_sendRawTransactionSync"];

/// Namespaces that change a node, its keys or its chain.
const ONCE_SPACES: &[&str] = &[
    "admin_",
    "anvil_",
    "clique_",
    "engine_",
    "evm_",
    "ganache_",
    "hardhat_",
    "miner_",
    "personal_",
    "tenderly_set",
    "tenderly_add",
    "wallet_",
];

/// Methods elsewhere that do.
const ONCE: &[&str] = &[
    "debug_setHead",
    "debug_startCPUProfile",
    "debug_writeBlockProfile",
    "debug_writeMemProfile",
    "eth_resend",
    "eth_sign",
    "parity_postTransaction",
    "settle",
];

/// What asking `method` twice means: a JSON-RPC method, or an x402 call.
pub fn effect(method: &str) -> Effect {
    if SENDS.contains(&method) {
        Effect::Send
    } else if is_once(method) {
        Effect::Once
    } else {
        Effect::Read
    }
}

/// `*_send…` covers user operations, bundles and private transactions: they have ids of their own,
/// but whoever takes them keeps them to himself, and a second taker may include them again or show
/// them to the public.
fn is_once(method: &str) -> bool {
    let verb = method.split_once('_').map_or("", |(_, verb)| verb);
    ONCE.contains(&method)
        || ONCE_SPACES.iter().any(|space| method.starts_with(space))
        || ["send", "submit", "signT"].iter().any(|prefix| verb.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn raw_transactions_may_be_sent_again() {
        for method in SENDS {
            assert_eq!(effect(method), Effect::Send, "{method}");
        }
    }

    #[test]
    fn what_others_sign_or_keep_may_not() {
        for method in [
            "eth_sendTransaction",
            "eth_sendUserOperation",
            "eth_sendPrivateTransaction",
            "eth_sendPrivateRawTransaction",
            "eth_sendBundle",
            "eth_sendSomethingNew",
            "mev_sendBundle",
            "eth_submitWork",
            "eth_signTransaction",
            "personal_sendTransaction",
            "anvil_impersonateAccount",
            "evm_mine",
            "hardhat_reset",
            "miner_start",
            "wallet_sendCalls",
            "settle",
        ] {
            assert_eq!(effect(method), Effect::Once, "{method}");
        }
    }

    #[test]
    fn all_else_is_a_read() {
        for method in [
            "eth_call",
            "eth_getLogs",
            "eth_newFilter",
            "eth_simulateV1",
            "net_version",
            "debug_traceCall",
            "trace_block",
            "txpool_content",
            "verify",
            "supported",
            "discovery",
            "",
            "_",
        ] {
            assert_eq!(effect(method), Effect::Read, "{method}");
        }
    }
}
