//! Declined for who asked: credentials, allow lists, regions, a service that was switched off.

use crate::verdict::meaning::{ADVANCE, LONG_REST, Meaning, QUOTA, UNAUTHORIZED};
use crate::verdict::rule::{ANY, ERROR, On, Rule, WORDS as SPOKEN, When};
use crate::verdict::sample::{body, error, error_at};
use crate::verdict::{Class, Gap};

/// How a refusal of the account says so.
pub(super) const WORDS: &[&str] = &[
    "unauthorized",
    "unauthenticated",
    "not authorized",
    "be authenticated",
    "must authenticate",
    "authentication",
    "api key",
    "api-key",
    "api_key",
    "apikey",
    "access key",
    "access token",
    "bad token",
    "invalid token",
    "token is invalid",
    "token*expired",
    "is inactive",
    "invalid project",
    "project id",
    "project scope",
    "tenant disabled",
    "access denied",
    "forbidden",
    "permission denied",
    "in your region",
    "in your country",
    "your ip",
    "ip address",
    "account*suspended",
    "account*disabled",
    "account*inactive",
    "account*expired",
    "origin*not allowed",
    "origin is not",
    "domain*not allowed",
    "domain*whitelist",
    "domain is not",
    "referer",
    "user-agent",
    "^ip is not",
    "ip not allowed",
    "not enabled for this",
    "chain not enabled",
    "network not enabled",
    "not include this network",
    "invalid credentials",
    "jwt",
    "project not found",
    "app not found",
    "access to this resource",
    "been banned",
    "temporarily banned",
    "key was blocked",
    "key is blocked",
    "blocked by waf",
    "captcha",
    "suspicious activity",
    "unusual activity",
    "not available on*plan",
    "upgrade to paid",
];

pub(super) static RULES: &[Rule] = &[
    // Bound to the method: everything else goes on.
    Rule::new(
        "account.method",
        When {
            text: &["for method", "method requires", "access method", "access to method"],
            ..ERROR
        },
        Meaning::gap(Class::Unauthorized, Gap::Method).unavailable(),
    )
    .seen(
        "gh:erpc/erpc common/errors.go",
        error(
            "trace_block",
            r#"{"code":-32401,"message":"authenticated API key required for method"}"#,
        ),
    ),
    Rule::new(
        "account.plan_method",
        When { text: &["not included in", "method*plan"], ..ERROR },
        Meaning::gap(Class::MethodUnsupported, Gap::Method),
    )
    .seen(
        "Chainstack docs",
        error_at(
            403,
            "eth_getProof",
            r#"{"code":-32002,"message":"eth_getProof is not included in your current plan."}"#,
        ),
    ),
    // A filter in front of the service, also against what a transaction looks like.
    Rule::new(
        "account.blocked",
        When { text: &["request blocked", "request was blocked"], ..ERROR },
        Meaning::new(Class::Unauthorized, LONG_REST, ADVANCE).unavailable(),
    )
    .seen(
        "Allnodes publicnode",
        error_at(
            403,
            "eth_sendRawTransaction",
            r#"{"code":-32602,"message":"Request blocked"}"#,
        ),
    ),
    Rule::new(
        "account.sunset",
        When {
            text: &[
                "endpoint*deprecated",
                "endpoint*sunset",
                "endpoint*no longer",
                "network*deprecated",
                "network*no longer",
                "network*decommissioned",
                "service*no longer",
                "service*discontinued",
                "requests to*no longer allowed",
            ],
            unless: &["method"],
            on: On::Reads,
            ..SPOKEN
        },
        Meaning::both(Class::EndpointGone, LONG_REST).unavailable(),
    )
    .seen(
        "gh:Snowfork/snowbridge#1697",
        error(
            "eth_call",
            r#"{"code":-32000,"message":"Requests to alchemyapi.io are no longer allowed. Please use g.alchemy.com going forwards."}"#,
        ),
    ),
    // It serves no such chain at all. For a send it may mean the transaction's own chain id.
    Rule::new(
        "account.chain",
        When { codes: &[-32601], text: &["unsupported chain"], ..ERROR },
        Meaning::new(Class::Unauthorized, LONG_REST, ADVANCE).unavailable(),
    )
    .seen("lab.au.ro docs", error("eth_call", r#"{"code":-32601,"message":"unsupported chain: xyz"}"#)),
    // May be about who signed rather than who asked: the caller chooses that.
    Rule::new(
        "account.sender",
        When {
            statuses: &[(200, 299), (400, 400), (422, 422)],
            text: &["access denied", "permission denied", "forbidden"],
            on: On::Sends,
            ..ERROR
        },
        Meaning::both(Class::Unauthorized, ADVANCE),
    )
    .seen(
        "gh:0xPolygon/cdk-validium-node#5",
        error("eth_sendRawTransaction", r#"{"code":-32800,"message":"Access denied"}"#),
    ),
    Rule::new("account.words", When { text: WORDS, unless: &["method"], ..SPOKEN }, UNAUTHORIZED)
        .seen(
            "Ankr docs",
            error(
                "eth_call",
                r#"{"code":-32000,"message":"Unauthorized: You must authenticate your request with an API key."}"#,
            ),
        ),
    Rule::new("account.payment", When { statuses: &[(402, 402)], ..ANY }, QUOTA)
        .seen("RFC 9110", body(402, "eth_call", "{}")),
    Rule::new(
        "account.gone",
        When { statuses: &[(410, 410)], ..ANY },
        Meaning::both(Class::EndpointGone, LONG_REST).unavailable(),
    )
    .seen("gh:tradingstrategy-ai/web3-ethereum-defi", body(410, "eth_blockNumber", "Gone")),
    Rule::new(
        "account.status",
        When { statuses: &[(401, 401), (407, 407), (451, 451)], ..ANY },
        UNAUTHORIZED,
    )
    .seen("RFC 9110", body(401, "eth_call", "{}")),
];
