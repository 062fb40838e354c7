//! What an isolate hands in, and what becomes of it when that does not arrive.

use super::super::wire::{Observation, Report, VERSION};
use super::Book;
use crate::time::Millis;

impl Book {
    /// What to hand in, taking the counts out of the book; [`Book::restore`] puts them back.
    pub fn observe(&mut self, isolate: &str, now: Millis) -> Observation {
        Observation {
            v: VERSION,
            isolate: isolate.to_owned(),
            endpoints: self.reports(now),
            traffic: std::mem::take(&mut self.used),
            given: self.mark.stands(&self.heads, now),
            writes: self.writes.tell(),
            ..Observation::default()
        }
    }

    fn reports(&mut self, now: Millis) -> Vec<Report> {
        let heads = &self.heads;
        let entries = self.endpoints.iter_mut().enumerate();
        entries.filter_map(|(index, entry)| entry.report(heads.of(index), now)).collect()
    }

    /// Puts the counts of a hand-in that did not arrive back.
    pub fn restore(&mut self, observation: Observation) {
        self.writes.restore(observation.writes);
        self.used |= observation.traffic;
        for report in observation.endpoints {
            if let Some(entry) = self.endpoints.iter_mut().find(|entry| entry.name == report.name) {
                let newer = std::mem::replace(&mut entry.tally, report.tally);
                entry.tally.merge(&newer);
                entry.trialed = entry.trialed.take().or(report.trial);
            }
        }
    }
}
