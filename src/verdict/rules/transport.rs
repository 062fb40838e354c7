//! No whole answer, or an answer that is not the endpoint's own.

use crate::verdict::facts::Form;
use crate::verdict::meaning::{ADVANCE, ADVANCE_FAILURE, LONG_REST, Meaning, RESEND, REST, STOP};
use crate::verdict::rule::{ANY, On, Rule, When};
use crate::verdict::sample::{body, fails};
use crate::verdict::{Class, Failure};

const fn failed(forms: &'static [Form]) -> When {
    When { forms, ..ANY }
}

/// Cloudflare's plain-text pages.
const CODE_PAGE: When = When { forms: &[Form::Text], text: &["^error code: 1"], ..ANY };

/// Client errors that are no throttle and not about the request's own size or time.
const REFUSALS: &[(u16, u16)] = &[(401, 407), (409, 412), (415, 428), (430, 430), (432, 499)];

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "transport.network",
        failed(&[Form::Failed(Failure::Network)]),
        Meaning::broken(Class::Network).unavailable(),
    )
    .seen("workerd: Network connection lost", fails(Failure::Network)),
    Rule::new(
        "transport.timeout",
        failed(&[Form::Failed(Failure::Timeout), Form::Failed(Failure::BodyTimeout)]),
        Meaning::broken(Class::Timeout).unavailable(),
    )
    .seen("workerd: TimeoutError", fails(Failure::Timeout)),
    Rule::new(
        "transport.truncated",
        failed(&[Form::Failed(Failure::BodyBroken)]),
        Meaning::broken(Class::Truncated).unavailable(),
    )
    .seen("gh:JSONbored/metagraphed#239", fails(Failure::BodyBroken)),
    // A limit of ours, which the next endpoint's answer may keep.
    Rule::new(
        "transport.too_large",
        failed(&[Form::Failed(Failure::TooLarge)]),
        Meaning::new(Class::ResponseTooLarge, ADVANCE, RESEND).unavailable(),
    )
    .seen("response_max_bytes", fails(Failure::TooLarge)),
    Rule::new(
        "transport.unreached",
        failed(&[Form::Failed(Failure::Unreached)]),
        Meaning::both(Class::Unreached, ADVANCE_FAILURE).unavailable(),
    )
    .seen("workerd: cannot connect to the specified address", fails(Failure::Unreached)),
    Rule::new(
        "transport.drill",
        failed(&[Form::Failed(Failure::Drill)]),
        Meaning::both(Class::Drill, ADVANCE_FAILURE).unavailable(),
    )
    .seen("an operator's drill", fails(Failure::Drill)),
    Rule::new(
        "transport.not_sent",
        failed(&[Form::Failed(Failure::NotSent)]),
        Meaning::both(Class::NotSent, STOP).unavailable(),
    )
    .seen("workerd: Too many subrequests", fails(Failure::NotSent)),
    Rule::new(
        "transport.client_gone",
        failed(&[Form::Failed(Failure::ClientGone)]),
        Meaning::both(Class::ClientGone, STOP).unavailable(),
    )
    .seen("gh:ethereum-optimism/infra#420", fails(Failure::ClientGone)),
    // Never followed: the request and its secrets belong to the host that was configured.
    Rule::new(
        "transport.redirect",
        When { statuses: &[(300, 399)], ..ANY },
        Meaning::both(Class::Redirect, LONG_REST).unavailable(),
    )
    .seen("gh:coinbase/x402#605", body(308, "eth_call", "Redirecting...")),
    Rule::new(
        "transport.edge_throttle",
        When { statuses: &[(429, 429)], ..CODE_PAGE },
        Meaning::both(Class::EdgeRefusal, REST).unavailable(),
    )
    .seen("gh:erpc/erpc thirdparty/llama.go", body(429, "eth_call", "error code: 1015")),
    Rule::new(
        "transport.edge_code",
        When { statuses: REFUSALS, ..CODE_PAGE },
        Meaning::both(Class::EdgeRefusal, LONG_REST).unavailable(),
    )
    .seen("Cloudflare docs: error 1010", body(403, "eth_call", "error code: 1010")),
    Rule::new(
        "transport.edge_refusal",
        When { statuses: REFUSALS, on: On::EdgeAnswers, ..ANY },
        Meaning::both(Class::EdgeRefusal, LONG_REST).unavailable(),
    )
    .seen(
        "Cloudflare docs: cf-error-type",
        body(403, "eth_call", "<html><title>Direct IP access not allowed</title></html>")
            .by_edge("1003"),
    ),
    Rule::new(
        "transport.edge_unreachable",
        When { statuses: &[(530, 530)], ..CODE_PAGE },
        Meaning::both(Class::EdgeRefusal, ADVANCE_FAILURE).unavailable(),
    )
    .seen("Cloudflare docs: error 1033", body(530, "eth_call", "error code: 1033")),
];
