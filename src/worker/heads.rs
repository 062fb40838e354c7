//! Heads in answers that pass by: the endpoint has them, and the client is given them.

use super::clock;
use super::parcel::Held;
use super::visit::Visit;
use crate::config::Route;
use crate::method::{Operation, block};
use crate::state::heads::Head;
use crate::state::isolate::Book;
use crate::time::Millis;

/// The head that an answer shows.
pub(super) fn shown(operation: &Operation<'_>, answer: &Held) -> Option<u64> {
    shows(operation, answer).then(|| block::shown_head(operation, answer.payload())).flatten()
}

/// A height that its endpoint has reached, as an answer shows.
pub(super) fn shown_height(operation: &Operation<'_>, answer: &Held) -> Option<u64> {
    let whole = !answer.is_error && answer.tail.is_none();
    whole.then(|| block::shown_height(operation, answer.payload())).flatten()
}

/// The finalized block that an answer shows.
pub(super) fn shown_finalized(operation: &Operation<'_>, answer: &Held) -> Option<u64> {
    shows(operation, answer).then(|| block::shown_finalized(operation, answer.payload())).flatten()
}

fn shows(operation: &Operation<'_>, answer: &Held) -> bool {
    block::shows_blocks(operation) && !answer.is_error && answer.tail.is_none()
}

/// What answers showed of one endpoint.
#[derive(Default, PartialEq, Eq)]
pub(super) struct Shown {
    pub(super) head: Option<u64>,
    pub(super) height: Option<u64>,
    pub(super) finalized: Option<u64>,
}

/// Remembers what answers showed of their endpoint's blocks.
pub(super) fn note(
    book: &mut Book,
    endpoint: usize,
    Shown { head, height, finalized }: Shown,
    at: Millis,
) {
    if let Some(number) = head {
        book.heads.note(endpoint, Head { number, at });
    }
    if let Some(number) = height {
        book.heads.reach(endpoint, Head { number, at });
    }
    if let Some(number) = finalized {
        book.finalized.note(endpoint, Head { number, at });
    }
}

/// Remembers the head that a client is given. The `result` to give instead, JSON text, where
/// `eth_blockNumber` would go back.
pub(super) fn give(
    visit: &Visit,
    route: &Route,
    operation: &Operation<'_>,
    answer: &Held,
) -> Option<String> {
    if !route.freshness.monotonic {
        return None;
    }
    let own = shown(operation, answer).or_else(|| shown_height(operation, answer))?;
    let index = visit.isolate.index(route);
    let given = visit.isolate.book(index, |book| book.give(own, clock::now()))?;
    let replaced = given > own && operation.method == "eth_blockNumber";
    replaced.then(|| format!("\"{given:#x}\""))
}
