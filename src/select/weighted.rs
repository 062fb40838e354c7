//! Weighted rendezvous: each endpoint draws a number for the caller, and shares bend the draw. The
//! same key draws the same, so a caller stays where it is while shares stay; over all keys each
//! endpoint comes first as often as its share says; a small change of one share moves few.

use crate::config::{Endpoint, Route};
use crate::state::isolate::Book;
use crate::time::Millis;

/// How long a caller stays at an endpoint: a page's loading fits in, and a single server behind one
/// address still spreads over the endpoints in time.
const SLOT_MS: u64 = 30_000;

/// The key of a caller now. Slots of different callers end at different times.
pub fn key(caller: u64, now: Millis) -> u64 {
    let offset = mixed(caller) % SLOT_MS;
    mixed(caller ^ mixed(now.0.saturating_add(offset) / SLOT_MS))
}

/// The best of those that are able, else of all: by key, weight and score.
pub(super) fn first(
    route: &Route,
    book: &Book,
    key: u64,
    ready: &[usize],
    able: impl Fn(&usize) -> bool,
) -> Option<usize> {
    let rank = |endpoint: usize| {
        let one = route.endpoints.get(endpoint)?;
        let last = u8::from(!able(&endpoint));
        Some((last, bent(one, book.score(endpoint), key), endpoint))
    };
    let ranked = ready.iter().filter_map(|endpoint| rank(*endpoint));
    let first = ranked.min_by(|a, b| (a.0.cmp(&b.0)).then(a.1.total_cmp(&b.1)));
    first.map(|(_, _, endpoint)| endpoint)
}

/// The endpoint's draw for a key, the less the better: exponentially distributed, by its share.
fn bent(endpoint: &Endpoint, score: f64, key: u64) -> f64 {
    -draw(mixed(key ^ endpoint.fingerprint())).ln() / (f64::from(endpoint.weight) * score)
}

/// A number above 0 and below 1.
#[expect(clippy::cast_precision_loss, reason = "53 bits fit")]
fn draw(bits: u64) -> f64 {
    ((bits >> 11) as f64 + 0.5) / (1u64 << 53) as f64
}

/// Well-mixed bits (the finaliser of `SplitMix64`).
fn mixed(bits: u64) -> u64 {
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_caller_keeps_its_key_for_a_slot_and_slots_end_apart() {
        let changes = |caller: u64| {
            let at = |ms| key(caller, Millis(1_000_000 + ms));
            (1..=SLOT_MS).filter(|ms| at(*ms) != at(ms - 1)).collect::<Vec<_>>()
        };
        let (one, other) = (changes(7), changes(8));
        assert_eq!((one.len(), other.len()), (1, 1));
        assert_ne!(one, other);
    }
}
