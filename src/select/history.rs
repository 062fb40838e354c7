//! Reads of history, which full nodes prune: endpoints with all of it come first.

use crate::config::Route;
use crate::method::{Effect, Operation, block};
use crate::state::isolate::Book;
use crate::verdict::HISTORY_BLOCKS;

/// The first archive of `ready` that is able, where the operation reads history.
pub(super) fn first(
    route: &Route,
    book: &Book,
    operation: &Operation<'_>,
    ready: &[usize],
    able: impl Fn(&usize) -> bool,
) -> Option<usize> {
    let archive = |index: &usize| route.endpoints.get(*index).is_some_and(|e| e.archive);
    let endpoint = ready.iter().copied().find(|index| archive(index) && able(index))?;
    is_old(book, operation).then_some(endpoint)
}

/// Whether it reads more than [`HISTORY_BLOCKS`] below the head; not while the head is unknown.
fn is_old(book: &Book, operation: &Operation<'_>) -> bool {
    let depth = |block: u64| Some(book.heads.reference()?.number.saturating_sub(block));
    operation.effect == Effect::Read
        && block::lowest(operation).and_then(depth).is_some_and(|depth| depth > HISTORY_BLOCKS)
}
