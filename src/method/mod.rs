//! What an operation does, in terms of asking twice: the only thing the engine knows of a method.

pub mod block;
mod effect;
pub mod filter;
pub mod known;
pub mod local;
pub mod pin;
pub mod policy;
pub mod raw_transaction;
mod timeout;

pub use effect::effect;
pub use timeout::NO_LIMIT_MS;

use crate::config::Protocol;

/// Characters of a 32-byte hash, `0x` included.
const HASH_LENGTH: usize = 66;

/// What asking twice means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Asking twice is harmless.
    Read,
    /// Repeatable by content: a signed transaction is one transaction however often it is sent.
    Send,
    /// Must not be repeated: a node-signed send, an x402 settle.
    Once,
}

/// One thing the client asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Operation<'a> {
    /// The route's protocol.
    pub protocol: Protocol,
    /// JSON-RPC method, or the x402 call: `verify`, `settle`, `supported`, `discovery`.
    pub method: &'a str,
    /// JSON text of `params`; `None` when absent and for x402.
    pub params: Option<&'a str>,
    /// What asking twice means.
    pub effect: Effect,
}

impl<'a> Operation<'a> {
    /// The transaction hash that is its first parameter.
    pub fn transaction(&self) -> Option<&'a str> {
        let first = self.params?.trim_start().strip_prefix('[')?.trim_start();
        let (hash, _) = first.strip_prefix('"')?.split_once('"')?;
        (hash.len() == HASH_LENGTH && hash.starts_with("0x")).then_some(hash)
    }

    /// Whether it asks for an account's next nonce, transactions that wait in the pool included.
    pub fn is_pending_count(&self) -> bool {
        self.method == "eth_getTransactionCount"
            && self.params.is_some_and(|params| params.contains("\"pending\""))
    }

    /// Whether its result is a receipt: it waits until the transaction is in a block.
    pub fn gives_receipt(&self) -> bool {
        self.method == "eth_sendRawTransactionSync"
    }

    /// Whether it reads state below the head, where pruned history matters: any read that does not
    /// name a block tag that moves with the head.
    pub fn below_head(&self) -> bool {
        const MOVING: [&str; 4] = ["\"latest\"", "\"pending\"", "\"safe\"", "\"finalized\""];
        let params = self.params.unwrap_or_default();
        !MOVING.iter().any(|tag| params.contains(tag))
    }
}
