//! An isolate's memory of the heads its clients were given.

use super::super::heads::Head;
use super::Book;
use crate::method::{Operation, block};
use crate::time::Millis;

impl Book {
    /// A client is given this head: what to tell instead where another was given a greater one.
    pub fn give(&mut self, number: u64, now: Millis) -> u64 {
        self.mark.raise(Head { number, at: now }, &self.heads);
        self.mark.stands(&self.heads, now).map_or(number, |mark| mark.number.max(number))
    }

    /// The height that an endpoint needs so that what it answers fits what clients were given: the
    /// mark for reads of the present, the block itself for reads of one up to the mark.
    pub fn needed(&self, operation: &Operation<'_>, now: Millis) -> Option<u64> {
        let mark = self.mark.stands(&self.heads, now)?.number;
        if block::depends_on_head(operation) {
            return Some(mark);
        }
        block::highest(operation).filter(|block| *block <= mark)
    }

    /// Whether an endpoint lacks the mark.
    pub fn lacks_mark(&self, endpoint: usize, now: Millis) -> bool {
        let mark = self.mark.stands(&self.heads, now);
        mark.is_some_and(|mark| self.heads.lacks(endpoint, mark.number, now))
    }
}
