//! Heads in answers that pass by: the endpoint has them, and the client is given them.

use super::clock;
use super::parcel::Held;
use super::visit::Visit;
use crate::config::Route;
use crate::method::{Operation, block};

/// The head that an answer shows.
pub(super) fn shown(operation: &Operation<'_>, answer: &Held) -> Option<u64> {
    let whole = !answer.is_error && answer.tail.is_none();
    whole.then(|| block::shown_head(operation, answer.payload())).flatten()
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
    let own = shown(operation, answer)?;
    let index = visit.isolate.index(route);
    let given = visit.isolate.book(index, |book| book.give(own, clock::now()))?;
    let replaced = given > own && operation.method == "eth_blockNumber";
    replaced.then(|| format!("\"{given:#x}\""))
}
