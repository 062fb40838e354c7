//! How many requests may be made only because an answer is late: a share of what clients ask, so that
//! a slow day of all endpoints does not double their load.

use super::Book;

/// Hundredths of a hedge that each client request allows: one in ten.
const PER_REQUEST: u32 = 10;
/// Hundredths that one costs.
const COST: u32 = 100;
/// Hedges that a quiet time saves up.
const SAVED_MAX: u32 = 10 * COST;
/// Hedges of an isolate that has just begun.
const AT_FIRST: u32 = 3 * COST;

/// What is left, in hundredths of a hedge.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hedges(u32);

impl Default for Hedges {
    fn default() -> Self {
        Self(AT_FIRST)
    }
}

impl Hedges {
    pub(super) fn earn(&mut self) {
        self.0 = (self.0 + PER_REQUEST).min(SAVED_MAX);
    }
}

impl Book {
    /// Whether another endpoint may be asked because one is late.
    pub fn may_hedge(&self) -> bool {
        self.hedges.0 >= COST
    }

    /// One was asked.
    pub fn note_hedge(&mut self) {
        self.hedges.0 = self.hedges.0.saturating_sub(COST);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_in_ten_and_ten_saved_at_most() {
        let mut hedges = Hedges(0);
        for _ in 0..9 {
            hedges.earn();
        }
        assert!(hedges.0 < COST);
        hedges.earn();
        assert_eq!(hedges.0, COST);
        for _ in 0..1_000 {
            hedges.earn();
        }
        assert_eq!(hedges.0, SAVED_MAX);
    }
}
