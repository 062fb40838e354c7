//! The last error replies of an endpoint, for the operator's eyes: words of the upstream, bounded,
//! redacted and cut before they get here. Never results, never revert data, never in the status
//! that everybody can read. In memory only.

use std::collections::VecDeque;

use crate::json::{self, Raw, written};
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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ErrorReply<'a> {
    /// When.
    pub at_ms: Millis,
    /// JSON-RPC method or x402 call.
    pub method: &'a str,
    /// The verdict's class.
    pub class: &'a str,
    /// HTTP status.
    pub status: Option<u16>,
    /// Its beginning; `None` where it may be a result.
    pub text: Option<&'a str>,
}

written!(ErrorReply<'_> { at_ms, method, class, status, text });

impl ErrorReply<'_> {
    /// As it is shown: a JSON object. Nobody between here and the operator reads it.
    pub fn json(&self) -> String {
        json::text(self)
    }
}

/// The newest ones.
#[derive(Debug, Clone, Default)]
pub struct Replies(VecDeque<String>);

impl Replies {
    /// Adds one's JSON; the oldest go where there are more than `max`. Another version's word may be
    /// anything, and would spoil what it is shown in.
    pub fn add(&mut self, reply: String, max: usize) {
        if !json::valid(&reply) {
            return;
        }
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
    pub fn take(&mut self) -> Vec<String> {
        std::mem::take(&mut self.0).into()
    }

    /// All as a JSON list, newest first.
    pub fn newest_first(&self) -> Raw<String> {
        let replies: Vec<_> = self.0.iter().rev().map(Raw).collect();
        Raw(json::text(&replies))
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
            method: "eth_call",
            class: "unknown",
            status: Some(200),
            text: None,
        };
        let mut replies = Replies::default();
        (0..100).for_each(|n| replies.add(reply(n).json(), KEPT_MAX));
        let Raw(shown) = replies.newest_first();
        let first = r#"[{"at_ms":99,"method":"eth_call","class":"unknown","status":200,"text":null},{"at_ms":98,"#;
        assert!(shown.starts_with(first), "{shown}");
        assert_eq!(shown.matches("at_ms").count(), KEPT_MAX);
    }
}
