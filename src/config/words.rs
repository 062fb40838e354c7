//! The words of the configuration and what they stand for.

use super::{
    EmptyResult, Mode, OnDisagreement, Protocol, RpcErrors, RuleAction, SendMode, SettleFailover,
    SettleUnknown, StateScope, WhenAllOpen,
};

/// Gives an enum its words: the table that is read from, and the way back.
macro_rules! words {
    ($name:ident { $($variant:ident = $word:literal),+ $(,)? }) => {
        impl $name {
            pub(super) const WORDS: &'static [(&'static str, Self)] =
                &[$(($word, Self::$variant)),+];

            /// As written in the configuration.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word),+
                }
            }
        }
    };
}

words!(StateScope { Region = "region", Global = "global", Isolate = "isolate" });
words!(Protocol { Evm = "evm", X402 = "x402" });
words!(Mode { Ordered = "ordered", Weighted = "weighted", Quorum = "quorum" });
words!(OnDisagreement { Fail = "fail", BestEffort = "best_effort" });
words!(WhenAllOpen { Try = "try", Fail = "fail" });
words!(RpcErrors { Declined = "declined", Never = "never", Lenient = "lenient" });
words!(EmptyResult { Answer = "answer", RetryIfBehind = "retry_if_behind", Retry = "retry" });
words!(SendMode { Once = "once", Resend = "resend", Broadcast = "broadcast" });
words!(SettleFailover { Never = "never", Proof = "proof" });
words!(SettleUnknown { Opaque = "opaque", Status = "status" });
words!(RuleAction {
    Return = "return",
    Failover = "failover",
    FailoverNoPenalty = "failover_no_penalty",
    Cooldown = "cooldown",
    LongCooldown = "long_cooldown",
    Breaker = "breaker",
});
