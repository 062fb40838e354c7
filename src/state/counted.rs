//! Counts for metrics. They begin with 0 where somebody begins to count and never go back while he
//! lives: what reads them takes each step back for a new beginning, and would add up all that had
//! been counted before it.

use super::isolate::Book;
use super::stats::Tally;
use crate::time::Millis;

/// What one who tells has counted of a route.
#[derive(Debug, Clone, Default)]
pub struct Counted<'a> {
    /// Since when; `None`: he does not know.
    pub since: Option<Millis>,
    /// Calls that got an own error because nobody answered; `None`: nobody counts them.
    pub exhausted: Option<u64>,
    /// By the endpoints' configured order.
    pub endpoints: Vec<Counts<'a>>,
}

/// What he has counted of an endpoint.
#[derive(Debug, Clone, Copy)]
pub struct Counts<'a> {
    /// Its attempts.
    pub tally: &'a Tally,
    /// How often its breaker opened from closed.
    pub trips: u64,
}

impl Book {
    /// Of an isolate that hands nothing in: all that it has seen.
    pub fn counted(&self) -> Counted<'_> {
        let counts = |endpoint| {
            Some(Counts { tally: self.tally(endpoint)?, trips: self.breaker(endpoint)?.trips() })
        };
        Counted { endpoints: (0..).map_while(counts).collect(), ..Counted::default() }
    }
}
