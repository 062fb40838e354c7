//! An isolate's memory of accepted transactions: its own, and those it was told of.

use super::super::writes::{MAX, Write, Writes};
use super::Book;
use crate::method::Operation;
use crate::time::Millis;

/// What is known, and what the region has not heard yet.
#[derive(Debug, Clone, Default)]
pub(super) struct Told {
    known: Writes,
    untold: Vec<Write>,
}

impl Told {
    pub(super) fn apply(&mut self, writes: &[Write], now: Millis) {
        for write in writes {
            self.known.add(write.clone(), now);
        }
    }

    pub(super) fn tell(&mut self) -> Vec<Write> {
        std::mem::take(&mut self.untold)
    }

    /// Puts back what did not arrive.
    pub(super) fn restore(&mut self, mut writes: Vec<Write>) {
        writes.append(&mut self.untold);
        self.keep(writes);
    }

    fn add(&mut self, write: Write, now: Millis) {
        self.known.add(write.clone(), now);
        let mut writes = self.tell();
        writes.push(write);
        self.keep(writes);
    }

    /// The oldest go where there are too many.
    fn keep(&mut self, mut writes: Vec<Write>) {
        let surplus = writes.len().saturating_sub(MAX);
        self.untold = writes.split_off(surplus);
    }
}

impl Book {
    /// An endpoint has accepted a transaction of this client: the region should hear of it at once.
    pub fn note_write(&mut self, hash: &str, endpoint: usize, client: Option<String>, now: Millis) {
        let Some(entry) = self.endpoints.get(endpoint) else {
            return;
        };
        let (hash, endpoint) = (hash.to_owned(), entry.name.clone());
        let write = Write { hash, endpoint, at: now, client };
        self.writes.add(write, now);
        self.schedule.note_write();
    }

    /// The endpoint that accepted the transaction this read is about, within two minutes.
    pub fn accepted_at(&self, operation: &Operation<'_>, now: Millis) -> Option<usize> {
        self.index(self.writes.known.about(operation, now)?)
    }

    /// The endpoint that accepted this client's last transaction, within two minutes.
    pub fn last_send_at(&self, client: &str, now: Millis) -> Option<usize> {
        self.index(self.writes.known.last_of(client, now)?)
    }
}
