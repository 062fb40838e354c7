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

    /// Whether an endpoint lacks the height at which what it answers fits what clients were given: the
    /// mark for reads of the present, the block itself for reads of one up to the mark.
    pub fn lacks(&self, endpoint: usize, operation: &Operation<'_>, now: Millis) -> bool {
        let lacks = |block| self.heads.lacks(endpoint, block, now);
        // Who has the mark has all below it.
        let Some(mark) = self.mark.stands(&self.heads, now).filter(|mark| lacks(mark.number))
        else {
            return false;
        };
        block::depends_on_head(operation)
            || block::highest(operation).is_some_and(|block| block <= mark.number && lacks(block))
    }
}
