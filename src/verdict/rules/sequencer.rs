//! Chains with one sequencer behind all endpoints: what its own word is, and what got lost on the
//! way to it.

use crate::verdict::Class;
use crate::verdict::meaning::{ADVANCE, LET_BE, Meaning, RESEND, TIMED_OUT};
use crate::verdict::rule::{ERROR, Rule, When};
use crate::verdict::sample::{error, error_at};

pub(super) static RULES: &[Rule] = &[
    // The limit sits at the sequencer that all endpoints lead to.
    Rule::new(
        "sequencer.sender_limit",
        When { text: &["sender is over rate limit"], ..ERROR },
        Meaning::both(Class::RateLimited, LET_BE),
    )
    .seen(
        "gh:erpc/erpc#816",
        error_at(
            429,
            "eth_sendRawTransaction",
            r#"{"code":-32017,"message":"sender is over rate limit"}"#,
        ),
    ),
    Rule::new(
        "sequencer.down",
        When { text: &["sequencer*not available", "sequencer*unavailable", "sequencer*down", "sequencer*paused", "sequencer*not accepting", "chain halted", "chain is halted", "network is paused", "chain is paused"], ..ERROR },
        Meaning::both(Class::Capacity, ADVANCE).unavailable(),
    )
    .seen(
        "gh:OffchainLabs/nitro execution/gethexec",
        error(
            "eth_sendRawTransaction",
            r#"{"code":-32000,"message":"sequencer temporarily not available"}"#,
        ),
    ),
    // Between replica and sequencer anything may have happened.
    Rule::new(
        "sequencer.forward_lost",
        When { text: &["failed to forward tx", "forward*sequencer"], ..ERROR },
        TIMED_OUT,
    )
    .seen(
        "gh:ethereum-optimism/op-geth",
        error(
            "eth_sendRawTransaction",
            r#"{"code":-32000,"message":"failed to forward tx to sequencer, please try again. Error message: 'Post \"https://sequencer.example\": context deadline exceeded'"}"#,
        ),
    ),
    Rule::new(
        "sequencer.publish_failed",
        When { text: &["failed to publish transaction", "failed to broadcast", "broadcast failed", "sequencer backend"], ..ERROR },
        Meaning::new(Class::Internal, ADVANCE, RESEND),
    )
    .seen(
        "gh:OffchainLabs/nitro execution/gethexec",
        error(
            "eth_sendRawTransaction",
            r#"{"code":-32000,"message":"failed to publish transaction to any of the forwarding targets"}"#,
        ),
    ),
];
