//! From an arrival to verdicts: pairs the items of a batch with their answers and asks
//! [`crate::verdict`] about each.

use std::borrow::Cow;
use std::rc::Rc;

use serde_json::value::RawValue;

use super::clock;
use super::parcel::{Delivered, Held, Item};
use super::relay::Tail;
use super::upstream::{Answer, Arrival};
use crate::config::{Endpoint, Route};
use crate::exchange::Sight;
use crate::method::Operation;
use crate::rpc::begin;
use crate::rpc::reply::{self, Body, Said, ids_match};
use crate::verdict::{self, Context, Failure, Next, Outcome, Part, Policy, Reply, Signal, Verdict};

/// What one item's answer means.
pub(super) struct Judged {
    /// Index of the item.
    pub(super) item: usize,
    pub(super) verdict: Verdict,
    /// The answer, when it is one that could be passed on.
    pub(super) held: Option<Held>,
}

/// Judges everything a parcel carried.
pub(super) fn parcel(route: &Route, items: &[Item<'_>], delivered: &Delivered) -> Vec<Judged> {
    let Some(endpoint) = route.endpoints.get(delivered.parcel.endpoint) else {
        return Vec::new();
    };
    match &delivered.arrival.outcome {
        Err(failure) => failed(route, endpoint, items, delivered, *failure),
        Ok(answer) => answered(route, endpoint, items, delivered, answer),
    }
}

/// What the look-up of a hash showed.
pub(super) fn sight(delivered: &Delivered) -> Sight {
    let Ok(answer) = &delivered.arrival.outcome else {
        return Sight::Silent;
    };
    match result_of(&Body::read(&answer.body), answer.status) {
        Some("null") => Sight::Absent,
        Some(result) if result.starts_with('{') => Sight::Found,
        Some(_) | None => Sight::Silent,
    }
}

/// The receipt that was looked up, if there is one.
pub(super) fn receipt(delivered: &Delivered, item: &Item<'_>) -> Option<Held> {
    let answer = delivered.arrival.outcome.as_ref().ok()?;
    let body = Body::read(&answer.body);
    let found = result_of(&body, answer.status)?.starts_with('{');
    let Body::One(one) = &body else { return None };
    found.then(|| hold(answer, one, item.call.id.unwrap_or("null"), None)).flatten()
}

/// The result of a look-up, which carries the id 1.
fn result_of<'a>(body: &Body<'a>, status: u16) -> Option<&'a str> {
    let Body::One(one) = body else { return None };
    let own = one.id.is_none_or(|id| ids_match("1", id.get()));
    match one.said {
        Said::Result(result) if own && (200..=299).contains(&status) => Some(result.get()),
        Said::Result(_) | Said::Error(_) | Said::Malformed => None,
    }
}

fn failed(
    route: &Route,
    endpoint: &Endpoint,
    items: &[Item<'_>],
    delivered: &Delivered,
    failure: Failure,
) -> Vec<Judged> {
    let judged = delivered.parcel.items.iter().filter_map(|index| {
        let item = items.get(*index)?;
        let context = context(route, item, delivered.parcel.endpoint, None);
        let policy = policy(route, endpoint);
        let outcome = Outcome::Failed(failure);
        let verdict = verdict::judge(&item.operation, &outcome, &context, &policy);
        Some(Judged { item: *index, verdict, held: None })
    });
    judged.collect()
}

fn answered(
    route: &Route,
    endpoint: &Endpoint,
    items: &[Item<'_>],
    delivered: &Delivered,
    answer: &Answer,
) -> Vec<Judged> {
    if answer.rest.is_some() {
        return large(items, delivered, answer).into_iter().collect();
    }
    let body = Body::read(&answer.body);
    let judged = delivered.parcel.items.iter().enumerate().filter_map(|(nth, index)| {
        let item = items.get(*index)?;
        let sent_id = delivered.ids.get(nth).map(String::as_str);
        let (part, one) = part_of(&body, sent_id, nth);
        let context = context(route, item, delivered.parcel.endpoint, sent_id.or(item.call.id));
        let policy = policy(route, endpoint);
        let verdict =
            verdict::judge_part(&item.operation, &answer.reply(), part, &context, &policy);
        let verdict = trusted(verdict, one, item);
        let held = one.and_then(|one| hold(answer, one, item.call.id.unwrap_or("null"), sent_id));
        Some(Judged { item: *index, verdict, held })
    });
    judged.collect()
}

/// A large result: good by its beginning, passed on while it arrives.
fn large(items: &[Item<'_>], delivered: &Delivered, answer: &Answer) -> Option<Judged> {
    let index = *delivered.parcel.items.first()?;
    let item = items.get(index)?;
    let caller_id = item.call.id?;
    let begin = begin::read(&answer.body)?;
    let tail = Tail {
        rest: answer.rest.clone()?,
        endpoint: delivered.parcel.endpoint,
        method: item.operation.method.to_owned(),
        status: answer.status,
    };
    let held = Held {
        body: Rc::clone(&answer.body),
        payload: begin.result_at..answer.body.len(),
        is_error: false,
        content_type: answer.content_type.clone(),
        whole: begin.id.is_none_or(|id| id == caller_id),
        tail: Some(tail),
    };
    Some(Judged { item: index, verdict: verdict::large(), held: Some(held) })
}

/// A result, however empty, is an answer unless heads show that its endpoint is behind, and no heads
/// are gathered yet: doubting every `null` would double each wait for a receipt.
fn trusted(verdict: Verdict, one: Option<&reply::Answer<'_>>, item: &Item<'_>) -> Verdict {
    let by_hash = matches!(verdict.next, Next::Accepted | Next::CheckHash);
    if by_hash && item.tx_hash.is_none() {
        // Without a transaction of ours there is no hash to answer with or to look up.
        return Verdict { next: Next::Return, ..verdict };
    }
    let is_result = one.is_some_and(|one| matches!(one.said, Said::Result(_)));
    if verdict.next == Next::AdvanceIfBehind && is_result {
        return Verdict { next: Next::Return, signal: Signal::Success, ..verdict };
    }
    verdict
}

/// The part of the body that speaks for the nth item of a parcel, and its answer if it is one.
fn part_of<'b, 'a>(
    body: &'b Body<'a>,
    sent_id: Option<&str>,
    nth: usize,
) -> (Part<'b, 'a>, Option<&'b reply::Answer<'a>>) {
    match (sent_id, body) {
        (None, Body::One(one)) => (Part::Whole(body), Some(one)),
        (None, _) => (Part::Whole(body), None),
        (Some(id), Body::Many(answers)) => paired(answers, id, nth),
        (Some(_), Body::One(one)) => (Part::Batch(body), Some(one)),
        (Some(_), _) => (Part::Batch(body), None),
    }
}

/// The one answer with this id: mostly the nth, since most upstreams keep the order. An id in the
/// very form that was sent goes before one that only means the same.
fn paired<'b, 'a>(
    answers: &'b [reply::Item<'a>],
    id: &str,
    nth: usize,
) -> (Part<'b, 'a>, Option<&'b reply::Answer<'a>>) {
    let id_of = |item: &reply::Item<'a>| match item {
        reply::Item::Answer(one) => one.id.map(RawValue::get),
        reply::Item::Null | reply::Item::Foreign => None,
    };
    let same = |item: &&reply::Item<'a>| id_of(item) == Some(id);
    let alike = |item: &&reply::Item<'a>| id_of(item).is_some_and(|own| ids_match(id, own));
    let place = answers.get(nth).filter(same);
    let anywhere = || answers.iter().find(same).or_else(|| answers.iter().find(alike));
    match place.or_else(anywhere) {
        Some(item @ reply::Item::Answer(one)) => (Part::Item(item), Some(one)),
        _ => (Part::Missing, None),
    }
}

/// Holds an answer that could be passed on, by its place in the body.
fn hold(
    answer: &Answer,
    one: &reply::Answer<'_>,
    caller_id: &str,
    sent_id: Option<&str>,
) -> Option<Held> {
    let (text, around) = match &one.said {
        Said::Result(result) => (Cow::Borrowed(result.get()), RESULT_AROUND),
        Said::Error(error) => (error.legal(), ERROR_AROUND),
        Said::Malformed => return None,
    };
    let same_id = sent_id.is_none() && one.id.is_some_and(|id| id.get() == caller_id);
    let length = around + caller_id.len() + text.len();
    let held = Held {
        body: Rc::clone(&answer.body),
        payload: 0..text.len(),
        is_error: around == ERROR_AROUND,
        content_type: answer.content_type.clone(),
        whole: false,
        tail: None,
    };
    match text {
        Cow::Owned(rebuilt) => Some(Held { body: Rc::new(rebuilt.into_bytes()), ..held }),
        Cow::Borrowed(text) => {
            let start = (text.as_ptr() as usize).checked_sub(answer.body.as_ptr() as usize)?;
            let whole = same_id && answer.body.trim_ascii().len() == length;
            Some(Held { payload: start..start + text.len(), whole, ..held })
        }
    }
}

/// Length of an answer beside its id and payload: a body of just this length has no other members.
const RESULT_AROUND: usize = r#"{"jsonrpc":"2.0","id":,"result":}"#.len();
const ERROR_AROUND: usize = r#"{"jsonrpc":"2.0","id":,"error":}"#.len();

fn context<'a>(
    route: &Route,
    item: &'a Item<'_>,
    endpoint: usize,
    id: Option<&'a str>,
) -> Context<'a> {
    Context {
        now: clock::now(),
        earlier_ambiguous: item.exchange.ambiguous(),
        id,
        chain_id: route.chain_id,
        network_id: route.network_id,
        tx_hash: item.tx_hash.as_deref(),
        accepted_elsewhere: item.accepted_at.is_some_and(|at| at != endpoint),
        ..Context::default()
    }
}

pub(super) fn policy<'a>(route: &'a Route, endpoint: &'a Endpoint) -> Policy<'a> {
    Policy { rpc_errors: route.rpc_errors, rules: &route.rules, endpoint: &endpoint.name }
}

impl Answer {
    fn reply(&self) -> Reply<'_> {
        Reply {
            status: self.status,
            retry_after: self.retry_after.as_deref(),
            edge_error: self.edge_error.as_deref(),
            body: &self.body,
        }
    }
}

/// A probe's verdict: a single read under the id 1.
pub(super) fn probe(
    route: &Route,
    endpoint: &Endpoint,
    operation: &Operation<'_>,
    arrival: &Arrival,
) -> Verdict {
    let context = Context { now: clock::now(), id: Some("1"), ..Context::default() };
    let policy = policy(route, endpoint);
    let outcome = match &arrival.outcome {
        Err(failure) => Outcome::Failed(*failure),
        Ok(answer) => Outcome::Replied(answer.reply()),
    };
    verdict::judge(operation, &outcome, &context, &policy)
}
