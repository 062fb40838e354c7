//! When a client's request has the isolate talk to the region's object: together with its first
//! attempt where nothing is known, and after its answer where it is time.

use super::together::Boxed;
use super::visit::Visit;
use super::{clock, log, outlive};
use crate::config::Route;
use crate::state::isolate::Book;

/// A hand-in under way.
pub(super) type HandIn = Boxed<'static, ()>;

/// Notes that clients use the route; a cold isolate's hand-in starts together with its first attempt.
pub(super) fn begin(visit: &Visit, route: &Route) -> Option<HandIn> {
    let index = visit.isolate.index(route);
    let now = clock::now();
    let start = |book: &mut Book| {
        book.note_use();
        book.schedule.cold(now) && book.schedule.due(now, false)
    };
    let cold = visit.isolate.book(index, start)?;
    let line = cold.then(|| visit.line(route)).flatten()?;
    // What it takes out of the book arrives though the client leaves.
    outlive::beside(visit, Box::pin(line.hand_in()))
}

/// Whether an old word of the operator's leaves nobody to ask: only then a request waits for the
/// region's new one.
pub(super) fn shut_by_old_word(visit: &Visit, route: &Route) -> bool {
    let now = clock::now();
    let shut = |book: &mut Book| book.shut_by_old_word(now);
    visit.isolate.book(visit.isolate.index(route), shut).unwrap_or_default()
}

/// After the answer, in the background.
pub(super) fn when_due(visit: &Visit, route: &Route) {
    let now = clock::now();
    log::due_hops(visit, now);
    let freshness = route.freshness;
    let due = |book: &mut Book| book.schedule.due(now, book.troubled(freshness, now));
    let due = visit.isolate.book(visit.isolate.index(route), due);
    if let (Some(true), Some(line)) = (due, visit.line(route)) {
        outlive::behind(visit, Box::pin(line.hand_in()));
    }
}
