//! Facilitators. `verify`, `supported` and `discovery` are reads; `settle` moves money and is asked
//! once: whatever is not plainly its answer is an unknown outcome.

use super::facts::{Facts, Form};
use super::meaning::{ADVANCE, ADVANCE_FAILURE, Course, LET_BE, LONG_REST, REST, RETURN};
use super::{Class, Context, LastWord, Next, Policy, Reply, Verdict, policy};
use crate::json::members::{Member, given, strict};
use crate::json::{utf8, valid};
use crate::method::{Effect, Operation};

/// What the members that make a body an answer say.
fn flag([is_valid, success]: [Member<'_>; 2], method: &str) -> Option<bool> {
    let is_valid = given(is_valid).filter(|_| method == "verify");
    match is_valid.or(success)?.get() {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    }
}

/// How facilitators and tokens say that an authorisation was used before.
const USED: &[&str] = &[
    "already_used",
    "already used",
    "is used",
    "been used",
    "already_settled",
    "already settled",
    "already_processed",
    "already processed",
    "duplicate",
];

/// What a body is worth.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Worth {
    /// A yes or a no, as a boolean: `isValid` for a verify, `success` for both.
    Answer(bool),
    /// JSON without.
    Json,
    Page,
    Empty,
    Other,
}

impl Worth {
    fn of(body: &[u8], method: &str) -> Self {
        let body = body.trim_ascii();
        match (body, utf8(body)) {
            ([], _) => Self::Empty,
            ([b'<', ..], _) => Self::Page,
            (_, Some(text)) => Self::of_text(text, method),
            (_, None) => Self::Other,
        }
    }

    fn of_text(text: &str, method: &str) -> Self {
        match strict(text, ["isValid", "success"]) {
            Some(members) => flag(members, method).map_or(Self::Json, Self::Answer),
            None if valid(text) => Self::Json,
            None => Self::Other,
        }
    }

    fn form(self) -> Form {
        match self {
            Self::Answer(_) => Form::Result,
            Self::Json => Form::Foreign,
            Self::Page => Form::Html,
            Self::Empty => Form::Empty,
            Self::Other => Form::Text,
        }
    }

    fn class(self) -> Class {
        match self {
            Self::Answer(_) | Self::Json | Self::Other => Class::Malformed,
            Self::Page => Class::Html,
            Self::Empty => Class::EmptyBody,
        }
    }
}

/// Whether a facilitator's body says yes: the payment is valid, or settled.
pub fn agrees(operation: &Operation<'_>, body: &[u8]) -> bool {
    Worth::of(body, operation.method) == Worth::Answer(true)
}

/// What a verify that did not say yes means for the settle that was to follow at the same
/// facilitator: it was not sent. An answer ends the matter, anything else leads to the next one.
pub fn unverified(verify: &Verdict) -> Verdict {
    let (next, class) = match verify.next {
        Next::Advance => (Next::Advance, verify.class),
        Next::Return
        | Next::AdvanceIfBehind
        | Next::Resend
        | Next::Accepted
        | Next::CheckHash
        | Next::Unknown
        | Next::Stop => (Next::Stop, Class::NotVerified),
    };
    Verdict { next, class, last_word: LastWord::Unavailable, ..*verify }
}

/// What a facilitator's answer means.
pub(super) fn judge(
    operation: &Operation<'_>,
    reply: &Reply<'_>,
    context: &Context<'_>,
    policy: &Policy<'_>,
) -> Verdict {
    let worth = Worth::of(reply.body, operation.method);
    let facts = Facts::new(operation, worth.form()).with_reply(reply).with_words(reply.body);
    let verdict = match operation.effect {
        Effect::Once => settle(worth, &facts, context),
        Effect::Read | Effect::Send => read(worth, &facts, context),
    };
    policy::apply(verdict, None, &facts, policy).resting(reply, context)
}

fn read(worth: Worth, facts: &Facts<'_>, context: &Context<'_>) -> Verdict {
    let answers = match facts.asked.method {
        "verify" => matches!(worth, Worth::Answer(_)),
        _ => matches!(worth, Worth::Answer(_) | Worth::Json) && facts.status < 300,
    };
    // A facilitator's own words are better than ours, if they are JSON.
    let last = if worth == Worth::Json { LastWord::PassOn } else { LastWord::Unavailable };
    match facts.status {
        300..=399 => LONG_REST.verdict("x402.redirect", Class::Redirect, LastWord::Unavailable),
        200..=299 if answers => RETURN.verdict("x402.answer", Class::Ok, LastWord::PassOn),
        _ if answers => LET_BE.verdict("x402.answer", Class::Ok, LastWord::PassOn),
        400..=499 => refused(facts.status, context),
        500..=599 => ADVANCE_FAILURE.verdict("x402.server_error", Class::ServerError, last),
        _ => ADVANCE_FAILURE.verdict("x402.no_answer", worth.class(), LastWord::Unavailable),
    }
}

/// A 4xx without an answer in it. Only a throttle and missing credentials of ours are about the
/// facilitator; everything else is about the request.
fn refused(status: u16, context: &Context<'_>) -> Verdict {
    match status {
        429 => REST.verdict("x402.throttle", Class::RateLimited, LastWord::RateLimited),
        401 | 403 => {
            let (course, last) = if context.caller_credentials {
                (ADVANCE, LastWord::PassOn)
            } else {
                (LONG_REST, LastWord::Unavailable)
            };
            course.verdict("x402.credentials", Class::Unauthorized, last)
        }
        _ => LET_BE.verdict("x402.client_error", Class::InvalidParams, LastWord::PassOn),
    }
}

fn settle(worth: Worth, facts: &Facts<'_>, context: &Context<'_>) -> Verdict {
    let unknown = |rule, class, course: Course| {
        Course { next: Next::Unknown, ..course }.verdict(rule, class, LastWord::Unknown)
    };
    let used = || USED.iter().any(|words| facts.text.contains(words));
    match (facts.status, worth) {
        (300..=399, _) => unknown("x402.redirect", Class::Redirect, LONG_REST),
        // Used by our own first try, perhaps.
        (400..=499, _) | (_, Worth::Answer(false)) if context.earlier_ambiguous && used() => {
            unknown("x402.used_before", Class::AlreadyKnown, LET_BE)
        }
        (200..=299, Worth::Answer(_)) => RETURN.verdict("x402.answer", Class::Ok, LastWord::PassOn),
        (_, Worth::Answer(_)) => LET_BE.verdict("x402.answer", Class::Ok, LastWord::PassOn),
        (400..=499, _) => {
            let refusal = refused(facts.status, context);
            let (next, last_word) = if context.earlier_ambiguous {
                // Turned away at the door: that says nothing of our own first try.
                (Next::Unknown, LastWord::Unknown)
            } else {
                (Next::Return, LastWord::PassOn)
            };
            Verdict { next, last_word, ..refusal }
        }
        (500..=599, _) => unknown("x402.server_error", Class::ServerError, ADVANCE_FAILURE),
        _ => unknown("x402.no_answer", worth.class(), ADVANCE_FAILURE),
    }
}
