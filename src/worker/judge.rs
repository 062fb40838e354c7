//! From an arrival to verdicts: pairs the items of a batch with their answers and asks
//! [`crate::verdict`] about each.

use std::rc::Rc;

use super::parcel::{Delivered, Held, Item};
use super::upstream::{Answer, Arrival};
use super::clock;
use crate::config::{Endpoint, Route};
use crate::method::Operation;
use crate::rpc::reply::{self, Body, Said};
use crate::verdict::{self, Context, Failure, Head, Part, Policy, Verdict};

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

/// Whether the look-up found the transaction.
pub(super) fn found(delivered: &Delivered) -> bool {
    let Ok(answer) = &delivered.arrival.outcome else {
        return false;
    };
    match Body::read(&answer.body) {
        Body::One(one) => matches!(one.said, Said::Result(result) if result.get() != "null"),
        Body::Empty | Body::Html | Body::Cut | Body::Text | Body::Foreign | Body::Many(_) => false,
    }
}
