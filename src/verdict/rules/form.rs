//! Bodies that are no JSON-RPC answer although the status says that all is well.

use super::{account, throttle};
use crate::verdict::facts::Form;
use crate::verdict::meaning::{
    ADVANCE, ADVANCE_FAILURE, LONG_REST, Meaning, RESEND, RESEND_FAILURE, REST,
};
use crate::verdict::rule::{ANY, Rule, When};
use crate::verdict::sample::{body, missing};
use crate::verdict::{Class, LastWord};

/// Other statuses speak for themselves, further down.
const FINE: When = When { statuses: &[(200, 299)], ..ANY };

/// Words in place of an answer; for a send they do not show that nothing happened.
const SPOKEN: When = When { forms: &[Form::Text, Form::Foreign], ..FINE };

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "form.empty",
        When { forms: &[Form::Empty], ..FINE },
        Meaning::broken(Class::EmptyBody).unavailable(),
    )
    .seen("gh:ethers-io/ethers.js#4873", body(204, "eth_call", "")),
    // A parked domain or a captive portal: no node has seen the request.
    Rule::new(
        "form.page",
        When { forms: &[Form::Html], ..FINE },
        Meaning::both(Class::Html, ADVANCE_FAILURE).unavailable(),
    )
    .seen("composed", body(200, "eth_call", "<!DOCTYPE html><title>Welcome</title>")),
    Rule::new(
        "form.throttle_words",
        When { text: throttle::WORDS, ..SPOKEN },
        Meaning::new(Class::RateLimited, REST, RESEND_FAILURE).last(LastWord::RateLimited),
    )
    .seen("gh:erpc/erpc", body(200, "eth_call", "Too many connections")),
    Rule::new(
        "form.account_words",
        When { text: account::WORDS, ..SPOKEN },
        Meaning::new(Class::Unauthorized, LONG_REST, RESEND_FAILURE).unavailable(),
    )
    .seen("composed", body(200, "eth_call", r#"{"message":"Invalid API key"}"#)),
    Rule::new(
        "form.cut",
        When { forms: &[Form::Cut], ..FINE },
        Meaning::broken(Class::Truncated).unavailable(),
    )
    .seen(
        "LlamaNodes: InvalidChunkLength",
        body(200, "eth_blockNumber", r#"{"jsonrpc":"2.0","id":1,"result":"0x1312d"#),
    ),
    Rule::new(
        "form.text",
        When { forms: &[Form::Text], ..FINE },
        Meaning::broken(Class::Malformed).unavailable(),
    )
    .seen("gh:ethereum-optimism/infra proxyd", body(200, "eth_call", "this data is not JSON!")),
    Rule::new(
        "form.foreign",
        When { forms: &[Form::Foreign], ..FINE },
        Meaning::broken(Class::NotJsonRpc).unavailable(),
    )
    .seen(
        "Etherscan API",
        body(200, "eth_call", r#"{"status":"1","message":"OK","result":"0x1"}"#),
    ),
    Rule::new(
        "form.broken",
        When { forms: &[Form::Broken], ..FINE },
        Meaning::broken(Class::Malformed).unavailable(),
    )
    .seen("JSON-RPC 2.0, section 5", body(200, "eth_call", r#"{"jsonrpc":"2.0","id":1}"#)),
    Rule::new(
        "form.wrong_id",
        When { forms: &[Form::WrongId], ..ANY },
        Meaning::broken(Class::WrongId).unavailable(),
    )
    .seen(
        "JSON-RPC 2.0, section 5",
        body(200, "eth_call", r#"{"jsonrpc":"2.0","id":77,"result":"0x1"}"#),
    ),
    Rule::new(
        "form.null_item",
        When { forms: &[Form::NullItem], ..ANY },
        Meaning::new(Class::Malformed, ADVANCE, RESEND).unavailable(),
    )
    .seen("QuickNode, Polygon batches", body(200, "eth_call", "[null]").for_batch()),
    Rule::new(
        "form.lone",
        When { forms: &[Form::Lone], ..ANY },
        Meaning::new(Class::BatchPartial, ADVANCE, RESEND).unavailable(),
    )
    .seen(
        "gh:erigontech/erigon#17245",
        body(200, "eth_call", r#"{"jsonrpc":"2.0","id":77,"result":"0x1"}"#).for_batch(),
    ),
    Rule::new(
        "form.missing",
        When { forms: &[Form::Missing], ..ANY },
        Meaning::broken(Class::BatchPartial).unavailable(),
    )
    .seen("gh:alloy-rs/alloy#3827", missing("eth_call")),
];
