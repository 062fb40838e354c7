//! What shows only beside other endpoints: that one was slower, that its answer was another; and the
//! head that several have reached.

use super::super::heads::Head;
use super::Book;
use crate::time::Millis;

/// A head that was agreed on serves reads of the present for so long.
const AGREED_MS: u64 = 1_000;

impl Book {
    /// It kept a client waiting longer than `hedge_after_ms`.
    pub fn count_slow(&mut self, endpoint: usize) {
        if let Some(entry) = self.endpoints.get_mut(endpoint) {
            entry.tally.slow += 1;
        }
    }

    /// A quorum gave another answer than it did.
    pub fn count_outvoted(&mut self, endpoint: usize) {
        if let Some(entry) = self.endpoints.get_mut(endpoint) {
            entry.tally.disagreements += 1;
        }
    }

    /// The head that so many endpoints as count had reached within the last second.
    pub fn agreed_head(&self, now: Millis) -> Option<u64> {
        self.agreed.filter(|head| now.since(head.at) <= AGREED_MS).map(|head| head.number)
    }

    /// A quorum agreed on this head.
    pub fn agree(&mut self, number: u64, now: Millis) {
        self.agreed = Some(Head { number, at: now });
    }
}
