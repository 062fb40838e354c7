//! What the look-up of a transaction showed.

use super::judge;
use super::parcel::{Delivered, Held, Item};
use crate::exchange::Finding;
use crate::rpc::reply::{Body, Said, ids_match};

/// Whether the hash is known there.
pub(super) fn finding(delivered: &Delivered) -> Finding {
    let Ok(answer) = &delivered.arrival.outcome else {
        return Finding::Silent;
    };
    match result_of(&Body::read(&answer.body), answer.status) {
        Some("null") => Finding::Absent,
        Some(result) if result.starts_with('{') => Finding::Found,
        Some(_) | None => Finding::Silent,
    }
}

/// The receipt that was looked up, if there is one.
pub(super) fn receipt(delivered: &Delivered, item: &Item<'_>) -> Option<Held> {
    let answer = delivered.arrival.outcome.as_ref().ok()?;
    let body = Body::read(&answer.body);
    let found = result_of(&body, answer.status)?.starts_with('{');
    let Body::One(one) = &body else { return None };
    found.then(|| judge::hold(answer, one, item.call.id.unwrap_or("null"), None)).flatten()
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
