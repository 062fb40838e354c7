//! From what exchanges want to the upstream requests that carry it.

use super::parcel::{Errand, Item, Parcel};
use crate::config::Route;
use crate::exchange::{Finding, Step};
use crate::state::isolate::Book;
use crate::time::Millis;

/// What an item wants to be sent next.
pub(super) fn next_of(
    item: &mut Item<'_>,
    route: &Route,
    book: &Book,
    now: Millis,
) -> Option<(Errand, usize, u64)> {
    loop {
        match item.exchange.step(route, book, &item.operation, now) {
            Step::Ask { endpoint, timeout_ms } => return Some((Errand::Ask, endpoint, timeout_ms)),
            // Bytes that are no transaction are nowhere.
            Step::LookUp { endpoint, .. } if item.tx_hash.is_none() => {
                item.exchange.looked_up(endpoint, Finding::Absent);
            }
            Step::LookUp { endpoint, timeout_ms } => {
                return Some((Errand::LookUp, endpoint, timeout_ms));
            }
            Step::Receipt { endpoint, timeout_ms } => {
                return Some((Errand::Receipt, endpoint, timeout_ms));
            }
            Step::Wait | Step::Done => return None,
        }
    }
}

/// One parcel per `batch_max` items of the endpoint; look-ups go one by one.
pub(super) fn split(
    route: &Route,
    (errand, endpoint): (Errand, usize),
    timeout_ms: u64,
    items: &[usize],
) -> Vec<Parcel> {
    let limit = route.endpoints.get(endpoint).and_then(|endpoint| endpoint.batch_max);
    let limit = match errand {
        Errand::Ask => limit.map_or(usize::MAX, |max| max as usize),
        Errand::LookUp | Errand::Receipt => 1,
    };
    let parcel = |items: &[usize]| Parcel {
        endpoint,
        timeout_ms,
        items: items.to_vec(),
        errand,
        grant: None,
        aborts: true,
    };
    items.chunks(limit.max(1)).map(parcel).collect()
}
