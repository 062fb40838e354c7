//! Declined for how much was asked: seconds (a rest), days or plans (a long rest).
//!
//! Text before status, since a 429 may mean either; and words before codes.

use crate::verdict::Class;
use crate::verdict::meaning::{Meaning, QUOTA, RATE_LIMITED, REST};
use crate::verdict::rule::{ANY, ERROR, Rule, WORDS as SPOKEN, When};
use crate::verdict::sample::{body, error, error_at};

/// How a limit per second says so.
pub(super) const WORDS: &[&str] = &[
    "^429",
    "rate limit",
    "ratelimit",
    "rate-limit",
    "rate_limit",
    "rate exceeded",
    "request rate",
    "too many request",
    "toomanyrequests",
    "too many connections",
    "too many concurrent",
    "concurrent requests",
    "request limit",
    "requests limited",
    "requests per",
    "calls per",
    "per second",
    "per minute",
    "/second",
    "0/sec",
    "s/sec",
    "rps",
    "qps",
    "compute unit",
    "cu limit",
    "throughput",
    "credits limited",
    "slow down",
    "throttl",
    "too fast",
    "rate: wait(",
    "too many calls",
    "excessive request",
    "request count",
    "request allowance",
    "requests exceeded",
    "number of requests",
    "max requests",
    "max calls",
    "call limit",
    "usage limit",
    "traffic limit",
    "api limit",
    "bandwidth",
    "request frequency",
    "too frequent",
    "cu exceeded",
    "out of cus",
    "compute budget",
    "ru limit",
    // In other languages than English.
    "过于频繁",
    "请求太多",
    "太多请求",
    "リクエストが多すぎ",
    "много запросов",
    "demasiadas solicitudes",
    "demasiadas peticiones",
    "trop de requ",
    "zu viele anfragen",
    "muitas requisi",
    "reduce calls",
];

/// An allowance that comes back with a date.
const PERIOD: &[&str] = &[
    "monthly",
    "per month",
    "daily",
    "per day",
    "24 hours",
    "quota",
    "total included usage",
    "capacity limit exceeded",
];

/// Per second after all.
const SHORT: &[&str] = &["per second", "/second", "0/sec", "s/sec", "per minute", "rps"];

pub(super) static RULES: &[Rule] = &[
    Rule::new("throttle.period", When { text: PERIOD, unless: SHORT, ..SPOKEN }, QUOTA).seen(
        "Infura docs",
        error_at(
            429,
            "eth_getLogs",
            r#"{"code":-32005,"message":"daily request count exceeded, request rate limited"}"#,
        ),
    ),
    Rule::new("throttle.words", When { text: WORDS, ..SPOKEN }, RATE_LIMITED).seen(
        "gh:foundry-rs/foundry#4894",
        error(
            "eth_getLogs",
            r#"{"code":-32007,"message":"50/second request limit reached - reduce calls per second or upgrade your account at quicknode.com"}"#,
        ),
    ),
    // Units that refill within seconds, in the words of a quota.
    Rule::new(
        "throttle.units",
        When { text: &["enough cups"], ..SPOKEN },
        Meaning::both(Class::Quota, REST).unavailable(),
    )
    .seen(
        "dRPC",
        error_at(
            429,
            "eth_call",
            r#"{"code":42903,"message":"There are not enough CUPs left to cover the CU required for current request."}"#,
        ),
    ),
    // Refused before work began; not the caller's rate but the vendor's room.
    Rule::new(
        "throttle.capacity",
        When {
            text: &[
                "over capacity",
                "at capacity",
                "overloaded",
                "too much load",
                "is busy",
                "too busy",
                "service not available",
            ],
            ..SPOKEN
        },
        Meaning::both(Class::Capacity, REST).unavailable(),
    )
    .seen(
        "gh:ethereum-optimism/infra proxyd",
        error_at(429, "eth_getLogs", r#"{"code":-32012,"message":"backend is over capacity"}"#),
    ),
    Rule::new(
        "throttle.plan",
        When {
            text: &[
                "billing",
                "payment required",
                "your current plan",
                "your plan",
                "upgrade your tier",
                "reached the free tier",
                "out of credits",
                "insufficient credits",
                "not enough credits",
                "credits exhausted",
                "credit balance",
                "subscription*expired",
                "subscription plan",
                "active subscription",
                "top up",
                "recharge",
                "trial*expired",
                "trial*ended",
                "payment overdue",
            ],
            unless: &["method", "not included in", "not available on"],
            ..SPOKEN
        },
        QUOTA,
    )
    .seen(
        "gh:erpc/erpc architecture/evm/error_normalizer.go",
        error(
            "eth_call",
            r#"{"code":-32000,"message":"You have reached the free tier limit, upgrade at https://example.org/billing"}"#,
        ),
    ),
    Rule::new(
        "throttle.code",
        When {
            codes: &[429, -32005, -32029, -32090, -32429, 42903],
            ..ERROR
        },
        RATE_LIMITED,
    )
    .seen("EIP-1474", error("eth_call", r#"{"code":-32005,"message":"Limit exceeded"}"#)),
    Rule::new("throttle.status", When { statuses: &[(429, 429), (529, 529)], ..ANY }, RATE_LIMITED)
        .seen("RFC 6585", body(429, "eth_call", "")),
];
