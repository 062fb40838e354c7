//! The method is not there. Remembered per endpoint and method for a while; its health is untouched.

use crate::verdict::facts::Form;
use crate::verdict::meaning::{ADVANCE, LONG_REST, Meaning, UNAUTHORIZED, gap};
use crate::verdict::rule::{ANY, ERROR, Rule, WORDS, When};
use crate::verdict::sample::{body, error, error_at};
use crate::verdict::{Class, Gap};

const MISSING: Meaning = Meaning::gap(Class::MethodUnsupported, Gap::Method);

pub(super) static RULES: &[Rule] = &[
    // An aggregator without a node for it at the moment.
    Rule::new(
        "method.unrouted",
        When { text: &["route your request"], ..ERROR },
        Meaning::new(Class::MethodUnsupported, gap(Gap::Method), ADVANCE),
    )
    .seen(
        "gh:tradingstrategy-ai/web3-ethereum-defi",
        error_at(
            400,
            "eth_getBlockReceipts",
            r#"{"code":12,"message":"Can't route your request to suitable provider"}"#,
        ),
    ),
    Rule::new("method.code", When { codes: &[-32601, -32604, -32004], ..ERROR }, MISSING)
        .seen("JSON-RPC 2.0, section 5.1", error("trace_block", r#"{"code":-32601}"#)),
    Rule::new(
        "method.words",
        When {
            text: &[
                "method not found",
                "method*not found",
                "method*not exist",
                "method*not supported",
                "method*not available",
                "method*not allowed",
                "method*not permitted",
                "method*blocked",
                "method*restricted",
                "method*forbidden",
                "unsupported*method",
                "unrecognized method",
                "no such method",
                "^invalid method",
                "invalid json-rpc method",
                "function not supported",
                "not in whitelist",
                "method*not enabled",
                "method*not whitelisted",
                "method*disabled",
                "method*unavailable",
                "unknown method",
                "not support*method",
                "module*not",
                "namespace*not",
                "api*is not enabled",
                "api*disabled",
                "api is off",
                "namespace*disabled",
                "not available on this chain",
                "not available on this network",
                "not supported on this chain",
                "not supported on this network",
                "rpc not supported",
                "eth_*not available",
                "eth_*unavailable",
                "not implemented",
                "unimplemented",
                "eth_*not supported",
                "eth_*disabled",
                "eth_*not enabled",
            ],
            // Of the client's parameters rather than of the method.
            unless: &["param"],
            ..WORDS
        },
        MISSING,
    )
    .seen(
        "gh:ethereum-optimism/infra proxyd",
        error_at(
            403,
            "debug_traceTransaction",
            r#"{"code":-32000,"message":"rpc method is not whitelisted"}"#,
        ),
    ),
    // Infura answers unknown methods so.
    Rule::new("method.status", When { statuses: &[(405, 405)], ..ANY }, MISSING)
        .seen("gh:MetaMask/core#5766", body(405, "eth_foo", "")),
    // Only now: a 403 may be about a method, a range or history, and then says so.
    Rule::new(
        "method.forbidden_page",
        When { forms: &[Form::Html], statuses: &[(403, 403)], ..ANY },
        Meaning::both(Class::Html, LONG_REST).unavailable(),
    )
    .seen("CloudFront", body(403, "eth_call", "<HTML><H1>403 ERROR</H1></HTML>")),
    Rule::new("method.forbidden", When { statuses: &[(403, 403)], ..ANY }, UNAUTHORIZED)
        .seen("RFC 9110", body(403, "eth_call", "nope")),
];
