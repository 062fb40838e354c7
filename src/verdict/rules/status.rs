//! The status alone, for bodies that told nothing; and what no row knows.

use crate::verdict::Class;
use crate::verdict::facts::Form;
use crate::verdict::meaning::{
    ADVANCE, ADVANCE_FAILURE, LET_BE, LONG_REST, Meaning, RESEND_FAILURE, TIMED_OUT,
};
use crate::verdict::rule::{ANY, ERROR, Rule, When};
use crate::verdict::sample::{body, error};

/// Anything but a JSON-RPC error.
const NO_ERROR: When = When {
    forms: &[Form::Empty, Form::Html, Form::Cut, Form::Text, Form::Foreign, Form::Broken],
    ..ANY
};

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "status.request_timeout",
        When { statuses: &[(408, 408)], ..ANY },
        TIMED_OUT.send(RESEND_FAILURE),
    )
    .seen("RFC 9110", body(408, "eth_call", "")),
    Rule::new("status.cancelled", When { statuses: &[(499, 499)], ..ANY }, TIMED_OUT)
        .seen("nginx", body(499, "eth_call", "")),
    Rule::new(
        "status.no_route",
        When { statuses: &[(404, 404)], text: &["no route matched"], ..NO_ERROR },
        Meaning::both(Class::NotJsonRpc, LONG_REST).unavailable(),
    )
    .seen(
        "Kong docs",
        body(404, "eth_call", r#"{"message":"no Route matched with those values"}"#),
    ),
    // The origin was not reached.
    Rule::new(
        "status.edge_before",
        When { statuses: &[(521, 521), (523, 523), (525, 526), (530, 530)], ..NO_ERROR },
        Meaning::both(Class::Edge, ADVANCE_FAILURE).unavailable(),
    )
    .seen(
        "Cloudflare docs: 5xx",
        body(523, "eth_call", "<title>523: Origin is unreachable</title>"),
    ),
    Rule::new(
        "status.edge_after",
        When { statuses: &[(520, 520), (522, 522), (524, 524), (527, 527)], ..NO_ERROR },
        Meaning::broken(Class::Edge).unavailable(),
    )
    .seen("Cloudflare docs: 5xx", body(524, "eth_call", "<title>524: A timeout occurred</title>")),
    Rule::new(
        "status.server_error",
        When { statuses: &[(500, 599)], ..ANY },
        Meaning::broken(Class::ServerError),
    )
    .seen("RFC 9110", body(502, "eth_call", "<h1>502 Bad Gateway</h1>")),
    // The caller's own body can bring these about.
    Rule::new(
        "status.own_body",
        When { statuses: &[(400, 400), (413, 414), (422, 422), (431, 431)], ..NO_ERROR },
        Meaning::both(Class::ClientError, ADVANCE).unavailable(),
    )
    .seen("RFC 9110", body(400, "eth_call", "<h1>400 Bad Request</h1>")),
    Rule::new(
        "status.client_error",
        When { statuses: &[(400, 499)], ..NO_ERROR },
        Meaning::both(Class::NotJsonRpc, ADVANCE_FAILURE).unavailable(),
    )
    .seen("ingress-nginx", body(404, "eth_call", "default backend - 404")),
    // One more endpoint for a read, without weight on a word not met before; a send's refusal is
    // handed back.
    Rule::new("status.unknown", ERROR, Meaning::new(Class::Unknown, ADVANCE, LET_BE)).seen(
        "composed",
        error("eth_call", r#"{"code":1001,"message":"custom chain error: oracle paused"}"#),
    ),
];

/// No such status exists: whatever it was, it was no answer.
pub(super) static LAST: Rule =
    Rule::new("status.none", ANY, Meaning::broken(Class::NotJsonRpc).unavailable())
        .seen("composed", body(600, "eth_call", ""));
