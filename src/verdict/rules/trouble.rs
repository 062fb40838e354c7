//! The endpoint says in words that it is in trouble. Its own clock running out is no fault by
//! itself; breaking inside is.

use crate::verdict::Class;
use crate::verdict::meaning::{ADVANCE, ADVANCE_FAILURE, Meaning, RESEND, REST, TIMED_OUT};
use crate::verdict::rule::{ERROR, On, Rule, WORDS, When};
use crate::verdict::sample::{body, error, error_at};

pub(super) static RULES: &[Rule] = &[
    // Some nodes have no pending block and break on it.
    Rule::new(
        "trouble.pending",
        When { codes: &[-32603], on: On::Pending, ..ERROR },
        Meaning::new(Class::Internal, ADVANCE, RESEND),
    )
    .seen(
        "gh:mybucks-online/app#63",
        error("eth_getTransactionCount", r#"{"code":-32603,"message":"Internal error"}"#)
            .asked(r#"["0x00","pending"]"#),
    ),
    Rule::new(
        "trouble.gateway_timeout",
        When { text: &["forwarding*deadline exceeded", "gateway time", "^504"], ..ERROR },
        Meaning::broken(Class::UpstreamTimeout).unavailable(),
    )
    .seen(
        "MegaETH",
        error(
            "eth_call",
            r#"{"code":-32000,"message":"permanent error forwarding request context deadline exceeded"}"#,
        ),
    ),
    Rule::new(
        "trouble.inner_cancel",
        When {
            text: &["grpc context", "not enough agreement", "low participants"],
            ..ERROR
        },
        Meaning::new(Class::Internal, ADVANCE, RESEND),
    )
    .seen(
        "dRPC",
        error("eth_getBlockByNumber", r#"{"code":14,"message":"GRPC Context cancellation"}"#),
    ),
    Rule::new(
        "trouble.timeout",
        When {
            text: &[
                "timeout",
                "timed out",
                "time out",
                "deadline exceeded",
                "took too long",
                "execution aborted",
                "context canceled",
                "context cancelled",
                "etimedout",
                "request canceled",
            ],
            ..ERROR
        },
        TIMED_OUT,
    )
    .seen(
        "gh:ethereum/go-ethereum rpc/errors.go",
        error("eth_getLogs", r#"{"code":-32002,"message":"request timed out"}"#),
    ),
    // Each of its endpoints was asked: one may have done it.
    Rule::new(
        "trouble.attempts_failed",
        When { text: &["all upstream attempts failed", "relay attempts exhausted", "all backends", "all providers", "all endpoints", "all nodes"], ..ERROR },
        Meaning::broken(Class::Capacity).unavailable(),
    )
    .seen(
        "gh:erpc/erpc#275",
        error_at(
            500,
            "eth_call",
            r#"{"code":-32603,"message":"all upstream attempts failed (2 syncing nodes)"}"#,
        ),
    ),
    // Turned away at the door of a node that is not up yet.
    Rule::new(
        "trouble.starting",
        When { text: &["not done bootstrapping", "maintenance", "not ready", "starting up", "is starting", "shutting down", "node is down", "node is offline", "node unavailable", "node is unavailable"], ..WORDS },
        Meaning::both(Class::Capacity, ADVANCE_FAILURE).unavailable(),
    )
    .seen(
        "gh:ava-labs/avalanchego#1182",
        body(
            503,
            "eth_blockNumber",
            "API call rejected because chain is not done bootstrapping",
        ),
    ),
    Rule::new(
        "trouble.nobody_left",
        When {
            text: &[
                "no healthy",
                "no available",
                "no nodes available",
                "no full node available",
                "no backend",
                "no provider",
                "no endpoint",
                "no upstream",
                "no live upstream",
                "no server available",
                "all upstreams",
                "upstreams exhausted",
            ],
            ..ERROR
        },
        Meaning::both(Class::Capacity, ADVANCE_FAILURE).unavailable(),
    )
    .seen(
        "gh:ethereum-optimism/infra proxyd",
        error_at(
            503,
            "eth_sendRawTransaction",
            r#"{"code":-32011,"message":"no backend is currently healthy to serve traffic"}"#,
        ),
    ),
    Rule::new(
        "trouble.dry_proxy",
        When { codes: &[-32503], ..ERROR },
        Meaning::new(Class::Capacity, ADVANCE_FAILURE, ADVANCE).unavailable(),
    )
    .seen(
        "gh:MetaMask/core rpc-service",
        error(
            "eth_call",
            r#"{"code":-32503,"message":"Errors from the following providers prevented the request from completing: ProviderA does not support chainId(s) 8453"}"#,
        ),
    ),
    Rule::new(
        "trouble.retry_please",
        When { codes: &[-32055], ..ERROR },
        Meaning::new(Class::Capacity, ADVANCE, RESEND).unavailable(),
    )
    .seen(
        "gh:foundry-rs/foundry#11667",
        error("eth_call", r#"{"code":-32055,"message":"internal error, please retry"}"#),
    ),
    Rule::new(
        "trouble.unavailable",
        When {
            text: &["temporarily unavailable", "service unavailable", "resource unavailable"],
            ..ERROR
        },
        Meaning::broken(Class::Capacity).unavailable(),
    )
    .seen(
        "EIP-1474",
        error("eth_call", r#"{"code":-32002,"message":"Resource unavailable"}"#),
    ),
    // The node's view of one block, not the node.
    Rule::new(
        "trouble.evm",
        When { text: &["internal block error"], ..ERROR },
        Meaning::new(Class::Internal, ADVANCE_FAILURE, RESEND),
    )
    .seen(
        "gh:paradigmxyz/reth rpc-eth-types",
        error("eth_call", r#"{"code":-32603,"message":"internal block error"}"#),
    ),
    // Not now, for whatever reason.
    Rule::new(
        "trouble.later",
        When {
            text: &[
                "try again",
                "retry later",
                "retry in ",
                "retry after",
                "high load",
                "load shedding",
                "degraded",
                "circuit breaker",
                "limit reached",
            ],
            unless: &["internal"],
            ..ERROR
        },
        Meaning::new(Class::Capacity, REST, RESEND).unavailable(),
    )
    .seen(
        "composed",
        error("eth_call", r#"{"code":-32000,"message":"Please try again in a few seconds"}"#),
    ),
    Rule::new("trouble.internal", When { text: BROKEN, ..ERROR }, Meaning::broken(Class::Internal))
        .seen(
            "LlamaNodes",
            error(
                "eth_call",
                r#"{"code":-32000,"message":"MDBX_PANIC: Maybe free space is over on disk. Otherwise it's hardware failure."}"#,
            ),
        ),
];

/// Broken inside, or cut off from what it needs.
const BROKEN: &[&str] = &[
    "internal error",
    "internal server error",
    "internal json-rpc error",
    "temporary internal",
    "server error",
    "panic",
    "crashed",
    "corrupt",
    "is broken",
    "mdbx",
    "leveldb",
    "pebble",
    "database",
    "no space left",
    "hardware failure",
    "nil pointer",
    "invalid response",
    "backend returned",
    "connection refused",
    "connection reset",
    "connection closed",
    "connection error",
    "broken pipe",
    "connection is closed",
    "client is closed",
    "transport is closing",
    "code = unavailable",
    "failed to connect",
    "could not connect",
    "cannot connect",
    "upstream error",
    "upstream unavailable",
    "cluster unavailable",
    "gateway unavailable",
    "relay unavailable",
    "builder error",
    "backend error",
    "bad response",
    "runtime error:",
    "memory address",
    "disk full",
    "db closed",
    "unexpected end of json",
    "unexpected eof",
    "^eof$",
    "enotfound",
    "no such host",
    "dial tcp",
    "socket hang up",
    "econn",
    "fetch failed",
    "failed to fetch",
    "upstream connect error",
    "upstream request failed",
    "bad gateway",
    "^500",
    "^502",
    "^503",
];
