//! From an arrival to verdicts: pairs the items of a batch with their answers and asks
//! [`crate::verdict`] about each.

use std::borrow::Cow;
use std::rc::Rc;

use super::clock;
use super::parcel::{Delivered, Held, Item};
use super::relay::Tail;
use super::upstream::Answer;
use crate::config::{EmptyResult, Endpoint, Route};
use crate::method::block;
use crate::rpc::begin;
use crate::rpc::reply::{self, Body, Picker, Said};
use crate::rpc::splice;
use crate::state::isolate::Book;
use crate::time::Millis;
use crate::verdict::{
    self, Class, Context, Failure, Next, Outcome, Part, Policy, Reply, Signal, Verdict,
};

/// What one item's answer means.
pub(super) struct Judged {
    /// Index of the item.
    pub(super) item: usize,
    pub(super) verdict: Verdict,
    /// The answer, when it is the item's and one that could be passed on.
    pub(super) held: Option<Held>,
}

/// Judges everything a parcel carried.
pub(super) fn parcel(
    route: &Route,
    items: &[Item<'_>],
    delivered: &Delivered,
    sight: Sight,
) -> Vec<Judged> {
    let Some(endpoint) = route.endpoints.get(delivered.parcel.endpoint) else {
        return Vec::new();
    };
    match &delivered.arrival.outcome {
        Err(failure) => failed(route, endpoint, items, delivered, *failure),
        Ok(answer) => answered(route, endpoint, items, delivered, answer, sight),
    }
}

fn failed(
    route: &Route,
    endpoint: &Endpoint,
    items: &[Item<'_>],
    delivered: &Delivered,
    failure: Failure,
) -> Vec<Judged> {
    let now = clock::now();
    let judged = delivered.parcel.items.iter().filter_map(|index| {
        let item = items.get(*index)?;
        let context = context(route, item, None, Sight::default(), now);
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
    sight: Sight,
) -> Vec<Judged> {
    if answer.rest.is_some() {
        return large(items, delivered, answer).into_iter().collect();
    }
    let body = Body::read(&answer.body);
    let picker = if let Body::Many(answers) = &body {
        Some(Picker::new(answers, &delivered.ids))
    } else {
        None
    };
    let now = clock::now();
    let judged = delivered.parcel.items.iter().enumerate().filter_map(|(nth, index)| {
        let item = items.get(*index)?;
        let sent_id = delivered.ids.get(nth).map(String::as_str);
        let (part, one) = part_of(&body, picker.as_ref(), sent_id, nth);
        let endpoint_index = delivered.parcel.endpoint;
        let context = Context {
            accepted_elsewhere: item.accepted_at.is_some_and(|at| at != endpoint_index),
            odd: delivered.odd,
            ..context(route, item, sent_id.or(item.call.id), sight, now)
        };
        let policy = policy(route, endpoint);
        let verdict =
            verdict::judge_part(&item.operation, &answer.reply(), part, &context, &policy);
        let verdict = trusted(route, verdict, one, item, sight);
        let one = one.filter(|_| !matches!(verdict.class, Class::WrongId | Class::BatchPartial));
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
        content_type: answer.json_type(),
        original: None,
        whole: begin.id.is_none_or(|id| id == caller_id) && answer.body.starts_with(b"{"),
        tail: Some(tail),
    };
    Some(Judged { item: index, verdict: verdict::large(), held: Some(held) })
}

/// What this route knows of heads: the chain's, and that of the endpoint asked where it lags. One
/// that does not lag has all there is.
#[derive(Clone, Copy, Default)]
pub(super) struct Sight {
    known: Option<u64>,
    own: Option<u64>,
    pub(super) lags: bool,
}

impl Sight {
    pub(super) fn of(route: &Route, book: &Book, endpoint: usize) -> Self {
        let known = book.heads.reference().map(|head| head.number);
        let own = book.heads.seen(endpoint, clock::now()).map(|head| head.number);
        let lags = book.heads.lags(endpoint, route.freshness, clock::now());
        Self { known, own: if lags { own } else { own.and(known.max(own)) }, lags }
    }
}

/// Whether an answer without content is doubted: as the operator says, and by heads alone where
/// he leaves it to them. Without heads an empty answer is an answer: doubting every `null` would
/// double each wait for a receipt.
fn trusted(
    route: &Route,
    verdict: Verdict,
    one: Option<&reply::Answer<'_>>,
    item: &Item<'_>,
    sight: Sight,
) -> Verdict {
    let by_hash = matches!(verdict.next, Next::Accepted | Next::CheckHash);
    if by_hash && item.tx_hash.is_none() {
        // Without a transaction of ours there is no hash to answer with or to look up.
        return Verdict { next: Next::Return, ..verdict };
    }
    let is_result = one.is_some_and(|one| matches!(one.said, Said::Result(_)));
    let doubted = match route.freshness.empty_result {
        EmptyResult::Answer => false,
        EmptyResult::RetryIfBehind => sight.lags,
        // Comparing is doubt enough.
        EmptyResult::Retry => sight.lags || !item.exchange.compares(),
    };
    if verdict.next == Next::AdvanceIfBehind && is_result && !doubted {
        return Verdict { next: Next::Return, signal: Signal::Success, ..verdict };
    }
    if verdict.next == Next::Return && doubted && retried(route, one) {
        return Verdict { next: Next::AdvanceIfBehind, class: Class::EmptyResult, ..verdict };
    }
    verdict
}

/// Whether the operator has every empty result asked for again, and this is one.
fn retried(route: &Route, one: Option<&reply::Answer<'_>>) -> bool {
    let empty = one.is_some_and(|one| match &one.said {
        Said::Result(result) => matches!(result.get(), "null" | "[]" | "\"0x\""),
        Said::Error(_) | Said::Malformed => false,
    });
    empty && route.freshness.empty_result == EmptyResult::Retry
}

/// The part of the body that speaks for the nth item of a parcel, and its answer if it is one.
fn part_of<'b, 'a>(
    body: &'b Body<'a>,
    picker: Option<&Picker<'b, 'a>>,
    sent_id: Option<&str>,
    nth: usize,
) -> (Part<'b, 'a>, Option<&'b reply::Answer<'a>>) {
    let lone = if let Body::One(one) = body { Some(one) } else { None };
    match (sent_id, picker) {
        (None, _) => (Part::Whole(body), lone),
        (Some(_), None) => (Part::Batch(body), lone),
        (Some(id), Some(picker)) => match picker.pick(id, nth) {
            Some(item @ reply::Item::Answer(one)) => (Part::Item(item), Some(one)),
            Some(item) => (Part::Item(item), None),
            None => (Part::Missing, None),
        },
    }
}

/// Holds an answer that could be passed on, by its place in the body.
pub(super) fn hold(
    answer: &Answer,
    one: &reply::Answer<'_>,
    caller_id: &str,
    sent_id: Option<&str>,
) -> Option<Held> {
    let (text, is_error) = match &one.said {
        Said::Result(result) => (Cow::Borrowed(result.get()), false),
        Said::Error(error) => (error.legal(), true),
        Said::Malformed => return None,
    };
    let held = Held {
        body: Rc::clone(&answer.body),
        payload: 0..text.len(),
        is_error,
        content_type: answer.json_type(),
        whole: false,
        original: None,
        tail: None,
    };
    match text {
        Cow::Owned(rebuilt) => Some(Held { body: Rc::new(rebuilt.into_bytes()), ..held }),
        Cow::Borrowed(text) => {
            let start = (text.as_ptr() as usize).checked_sub(answer.body.as_ptr() as usize)?;
            let payload = start..start + text.len();
            let alone = sent_id.is_none();
            let whole = alone && splice::is_answer(&answer.body, caller_id, is_error, &payload);
            let original = answer.original.clone().filter(|_| whole);
            Some(Held { payload, whole, original, ..held })
        }
    }
}

fn context<'a>(
    route: &Route,
    item: &'a Item<'_>,
    id: Option<&'a str>,
    sight: Sight,
    now: Millis,
) -> Context<'a> {
    Context {
        now,
        earlier_ambiguous: item.exchange.ambiguous(),
        id,
        chain_id: route.chain_id,
        network_id: route.network_id,
        tx_hash: item.tx_hash.as_deref(),
        known_head: sight.known,
        endpoint_head: sight.own,
        block: block::highest(&item.operation),
        ..Context::default()
    }
}

pub(super) fn policy<'a>(route: &'a Route, endpoint: &'a Endpoint) -> Policy<'a> {
    Policy { rpc_errors: route.rpc_errors, rules: &route.rules, endpoint: &endpoint.name }
}

impl Answer {
    pub(super) fn reply(&self) -> Reply<'_> {
        Reply {
            status: self.status,
            retry_after: self.retry_after.as_deref(),
            edge_error: self.edge_error.as_deref(),
            body: &self.body,
        }
    }
}
