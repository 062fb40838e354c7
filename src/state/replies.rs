//! The last error replies of an endpoint, for the operator's eyes: words of the upstream, bounded,
//! redacted and cut before they get here. Never results, never revert data, never in the status
//! that everybody can read. In memory only.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use crate::time::Millis;
use crate::verdict::{Class, Signal, Verdict};

/// What an isolate hands in of one endpoint at a time.
pub const HANDED_MAX: usize = 4;
/// What the object keeps of one endpoint.
pub const KEPT_MAX: usize = 16;

/// Whether an answer with this verdict is one to look at.
pub fn is_worth_keeping(verdict: &Verdict) -> bool {
    match verdict.signal {
        Signal::Failure
        | Signal::Throttled { .. }
        | Signal::Account { .. }
        | Signal::WrongChain => true,
        Signal::Success | Signal::Neutral | Signal::Gap(_) => verdict.class == Class::Unknown,
    }
}

/// An answer that counted as failure, throttle or account trouble, or that no rule knew.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErrorReply {
    /// When.
    pub at_ms: Millis,
    /// JSON-RPC method or x402 call.
    pub method: String,
    /// The verdict's class.
    pub class: String,
    /// HTTP status.
    pub status: Option<u16>,
    /// Its beginning; `None` where it may be a result.
    pub text: Option<String>,
}

/// The newest ones.
#[derive(Debug, Clone, Default)]
pub struct Replies(VecDeque<ErrorReply>);

impl Replies {
    /// Adds one; the oldest go where there are more than `max`.
    pub fn add(&mut self, reply: ErrorReply, max: usize) {
        self.0.push_back(reply);
        while self.0.len() > max {
            self.0.pop_front();
        }
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Takes them out, oldest first.
    pub fn take(&mut self) -> Vec<ErrorReply> {
        std::mem::take(&mut self.0).into()
    }

    /// Newest first.
    pub fn newest_first(&self) -> Vec<ErrorReply> {
        self.0.iter().rev().cloned().collect()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_newest_are_kept() {
        let reply = |n: u64| ErrorReply {
            at_ms: Millis(n),
            method: "eth_call".into(),
            class: "unknown".into(),
            status: Some(200),
            text: None,
        };
        let mut replies = Replies::default();
        (0..100).for_each(|n| replies.add(reply(n), KEPT_MAX));
        let times: Vec<_> = replies.newest_first().iter().map(|reply| reply.at_ms.0).collect();
        assert_eq!(times, (84..100).rev().collect::<Vec<_>>());
    }
}
