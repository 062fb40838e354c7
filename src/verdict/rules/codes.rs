//! Codes, when the text said nothing.

use crate::verdict::Class;
use crate::verdict::meaning::{ADVANCE, ADVANCE_FAILURE, Meaning, RESEND};
use crate::verdict::rule::{ERROR, On, Rule, When};
use crate::verdict::sample::error;

pub(super) static RULES: &[Rule] = &[
    // Our own request is sound JSON, so a plain one that cannot be parsed shows a broken reader.
    Rule::new(
        "codes.parse",
        When { codes: &[-32700], on: On::PlainRequests, ..ERROR },
        Meaning::both(Class::Internal, ADVANCE_FAILURE),
    )
    .seen("dRPC, Optimism", error("eth_call", r#"{"code":-32700,"message":"Parse error"}"#)),
    // Deep nesting and odd escapes are legal, and some readers refuse them: the caller's doing.
    Rule::new(
        "codes.parse_odd",
        When { codes: &[-32700], ..ERROR },
        Meaning::both(Class::InvalidRequest, ADVANCE),
    )
    .seen(
        "composed",
        error("eth_call", r#"{"code":-32700,"message":"exceeded max depth"}"#)
            .asked(r#"["\ud800"]"#),
    ),
    Rule::new(
        "codes.request",
        When { codes: &[-32600], ..ERROR },
        Meaning::new(Class::InvalidRequest, ADVANCE, RESEND),
    )
    .seen(
        "gh:NethermindEth/nethermind#1439",
        error("eth_call", r#"{"code":-32600,"message":"Invalid request"}"#),
    ),
    Rule::new(
        "codes.params",
        When { codes: &[-32602], ..ERROR },
        Meaning::answer(Class::InvalidParams),
    )
    .seen(
        "JSON-RPC 2.0, section 5.1",
        error("eth_getBalance", r#"{"code":-32602,"message":"Invalid params"}"#),
    ),
    Rule::new(
        "codes.internal",
        When { codes: &[-32603], ..ERROR },
        Meaning::broken(Class::Internal),
    )
    .seen("gh:wevm/viem#3159", error("eth_call", r#"{"code":-32603,"message":null}"#)),
    Rule::new(
        "codes.rejected",
        When { codes: &[-32003, -32010], on: On::Sends, ..ERROR },
        Meaning::answer(Class::TxInvalid),
    )
    .seen(
        "EIP-1474",
        error("eth_sendRawTransaction", r#"{"code":-32003,"message":"Transaction rejected"}"#),
    ),
    Rule::new(
        "codes.simulate",
        When {
            codes: &[
                -38010, -38011, -38012, -38013, -38014, -38015, -38020, -38021, -38022, -38023,
                -38024, -38025, -38026,
            ],
            ..ERROR
        },
        Meaning::answer(Class::InvalidParams),
    )
    .seen(
        "execution-apis eth_simulateV1",
        error(
            "eth_simulateV1",
            r#"{"code":-38020,"message":"block number in sequence did not increase"}"#,
        ),
    ),
];
