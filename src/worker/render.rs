//! From conclusions to the bytes that the client reads.

use std::borrow::Cow;

use super::parcel::{Held, Item};
use super::relay::Tail;
use super::respond::Body;
use super::visit::Visit;
use super::{clock, heads, log, respond};
use crate::config::Route;
use crate::exchange::{Attempt, Conclusion, Passed, conclusion};
use crate::http::headers::{Agreement, Trace};
use crate::method::{Operation, filter};
use crate::rpc::fault::Fault;
use crate::rpc::redact::redact;
use crate::rpc::splice::{self, Payload};
use crate::state::hops::Hop;
use crate::time::Millis;
use crate::verdict::Class;

/// What one item is answered with.
pub(super) enum Reply {
    /// An upstream's answer.
    Held(Held),
    /// The raw transaction's hash: it is accepted.
    Hash(String),
    /// A `result` of our own, JSON text.
    Local(String),
    /// An own error.
    Fault(Fault),
}

impl Reply {
    /// The answer under the caller's id, JSON text.
    pub(super) fn text(&self, route: &Route, id: &str) -> String {
        match self {
            Self::Held(held) => {
                let text = relayed(route, held);
                let payload =
                    if held.is_error { Payload::Error(&text) } else { Payload::Result(&text) };
                splice::answer(id, payload)
            }
            Self::Hash(hash) => splice::string_result(id, hash),
            Self::Local(result) => splice::answer(id, Payload::Result(result)),
            Self::Fault(fault) => fault.body(id),
        }
    }

    /// `Content-Type` to answer with.
    pub(super) fn content_type(&self) -> &str {
        match self {
            Self::Held(held) => held.content_type.as_deref().unwrap_or(respond::JSON),
            Self::Hash(_) | Self::Local(_) | Self::Fault(_) => respond::JSON,
        }
    }

    /// The beginning of a large answer under the caller's id, and the rest.
    pub(super) fn large(&self, id: &str) -> Option<(Cow<'_, [u8]>, &Tail)> {
        let Self::Held(held) = self else {
            return None;
        };
        let tail = held.tail.as_ref()?;
        if held.whole {
            return Some((Cow::Borrowed(&held.body), tail));
        }
        Some((Cow::Owned(splice::begin_of_result(id, held.bytes())), tail))
    }

    /// An upstream's result, all of which is here.
    pub(super) fn result(&self) -> Option<&Held> {
        match self {
            Self::Held(held) if !held.is_error && held.tail.is_none() => Some(held),
            Self::Held(_) | Self::Hash(_) | Self::Local(_) | Self::Fault(_) => None,
        }
    }

    /// The upstream's body, where it can go out byte for byte.
    pub(super) fn untouched(&self, route: &Route) -> Option<Body<'_>> {
        match self {
            Self::Held(held) if held.whole && is_clean(route, held) => {
                Some(held.original.as_ref().map_or(Body::Bytes(&held.body), Body::Original))
            }
            Self::Held(_) | Self::Hash(_) | Self::Local(_) | Self::Fault(_) => None,
        }
    }
}

/// Whether it hides nothing. A result is not looked at.
fn is_clean(route: &Route, held: &Held) -> bool {
    !held.is_error || matches!(relayed(route, held), Cow::Borrowed(_))
}

/// `result` as it came; `error` without configured secrets and hosts.
fn relayed<'a>(route: &Route, held: &'a Held) -> Cow<'a, str> {
    if !held.is_error {
        return Cow::Borrowed(held.payload());
    }
    redact(held.payload(), &route.hidden())
}

/// Concludes an item's exchange: its reply, and what it adds to trace and log.
pub(super) fn conclude(visit: &Visit, route: &Route, item: Item<'_>, trace: &mut Trace) -> Reply {
    let Item { operation, exchange, tx_hash, over_budget, refused, .. } = item;
    if let Some(fault) = refused {
        return Reply::Fault(fault);
    }
    let now = clock::now();
    let decided = exchange.compares() && exchange.is_over();
    let (ended, attempts) = exchange.conclude();
    let nothing =
        matches!(ended, Conclusion::NoAnswer | Conclusion::Throttled | Conclusion::Disagreed(_));
    if over_budget && nothing {
        return Reply::Fault(Fault::TooManySubrequests);
    }
    note_attempts(visit, route, &operation, &attempts, trace, now);
    let index = visit.isolate.index(route);
    if decided {
        agree(visit, index, trace, &ended, &attempts);
    }
    let fault = visit
        .isolate
        .book(index, |book| conclusion::fault(&ended, &attempts, route, book, &operation, now));
    match (ended, tx_hash) {
        _ if fault == Some(Some(Fault::FilterNotFound)) => no_filter(operation.method),
        (Conclusion::Answer(passed) | Conclusion::BestEffort(passed), _) => {
            add_endpoint(trace, passed.endpoint);
            match heads::give(visit, route, &operation, &passed.answer) {
                Some(result) => Reply::Local(result),
                None => answer(route, &operation, passed),
            }
        }
        (Conclusion::Accepted { endpoint }, Some(hash)) => {
            add_endpoint(trace, endpoint);
            if operation.gives_receipt() {
                return Reply::Fault(Fault::NotMined { hash });
            }
            Reply::Hash(hash)
        }
        _ => {
            let fault = fault.flatten().unwrap_or(Fault::Internal);
            log::exhausted(visit, route, &operation, &fault, &attempts);
            Reply::Fault(fault)
        }
    }
}

/// Tells what came of comparing, and holds it against those who were outvoted: who often is, is not
/// down but wrong.
fn agree(
    visit: &Visit,
    index: usize,
    trace: &mut Trace,
    ended: &Conclusion<Held>,
    attempts: &[Attempt],
) {
    let agreement = match ended {
        Conclusion::Answer(_) => Agreement::Met,
        Conclusion::BestEffort(_) => Agreement::BestEffort,
        Conclusion::Disagreed(_)
        | Conclusion::Accepted { .. }
        | Conclusion::Unknown
        | Conclusion::Throttled
        | Conclusion::NoAnswer => Agreement::NotMet,
    };
    trace.agreement = trace.agreement.max(Some(agreement));
    let outvoted = attempts.iter().filter(|attempt| attempt.class == Class::Outvoted);
    for attempt in outvoted.filter(|_| agreement == Agreement::Met) {
        visit.isolate.book(index, |book| book.count_outvoted(attempt.endpoint));
    }
}

/// An upstream's answer; a new filter's id names its endpoint.
fn answer(route: &Route, operation: &Operation<'_>, passed: Passed<Held>) -> Reply {
    let Passed { endpoint, answer } = passed;
    let made = filter::makes(operation.method) && !answer.is_error;
    let id = made.then(|| filter::encode(route, endpoint, answer.payload())).flatten();
    id.map_or(Reply::Held(answer), Reply::Local)
}

/// What the client hears of a filter that is not there.
pub(super) fn no_filter(method: &str) -> Reply {
    let result = filter::result_without(method).map(|result| Reply::Local(result.to_owned()));
    result.unwrap_or(Reply::Fault(Fault::FilterNotFound))
}

fn add_endpoint(trace: &mut Trace, endpoint: usize) {
    if !trace.endpoints.contains(&endpoint) {
        trace.endpoints.push(endpoint);
    }
}

/// Marks what was left in the trace and tells the log of each step to another endpoint.
pub(super) fn note_attempts(
    visit: &Visit,
    route: &Route,
    operation: &Operation<'_>,
    attempts: &[Attempt],
    trace: &mut Trace,
    now: Millis,
) {
    for left in attempts.iter().filter(|attempt| attempt.left) {
        if left.class == Class::Slow {
            visit.isolate.book(visit.isolate.index(route), |book| book.count_slow(left.endpoint));
        }
        for traced in trace.attempts.iter_mut().filter(|t| t.endpoint == left.endpoint) {
            traced.left = true;
            traced.class = left.class;
        }
    }
    for pair in attempts.windows(2) {
        if let [from, to] = pair
            && from.left
        {
            log::hop(visit, hop(route, operation, from, to), now);
        }
    }
}

fn hop(route: &Route, operation: &Operation<'_>, from: &Attempt, to: &Attempt) -> Hop {
    let name = |endpoint: usize| route.endpoints.get(endpoint).map(|e| e.name.clone());
    Hop {
        route: route.name.clone(),
        operation: operation.method.to_owned(),
        from: name(from.endpoint).unwrap_or_default(),
        to: name(to.endpoint).unwrap_or_default(),
        reason: from.class.label(),
        status: from.status,
    }
}
