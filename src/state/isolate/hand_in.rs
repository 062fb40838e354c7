//! What an isolate tells the region's object, and what it takes from the answer.

use super::super::heads::Head;
use super::super::wire::{Observation, Report, Snapshot, VERSION};
use super::Book;
use crate::time::Millis;

/// Hand-ins of an isolate's life for the sake of chain ids: some endpoints never tell theirs.
const COMEBACKS_MAX: u8 = 3;

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
            events: std::mem::take(&mut self.events),
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
        for event in observation.events {
            self.tell(event);
        }
        for report in observation.endpoints {
            if let Some(entry) = self.endpoints.iter_mut().find(|entry| entry.name == report.name) {
                entry.restore(report);
            }
        }
    }

    /// A new object has just begun to ask for chain ids: the isolate comes back for them soon.
    fn ask_again_for_chains(&mut self, snapshot: &Snapshot) {
        let unknown = snapshot.endpoints.iter().any(|regional| regional.chain.is_none());
        if unknown && self.comebacks < COMEBACKS_MAX {
            self.comebacks += 1;
            self.schedule.note_news();
        }
    }

    /// Takes the region's view. A breaker of the isolate's own closes when the region's went through
    /// an outage and closed again: somebody has asked the endpoint and it works.
    pub fn apply(&mut self, snapshot: &Snapshot, now: Millis) {
        self.ask_again_for_chains(snapshot);
        self.writes.apply(&snapshot.writes, now);
        self.rated.look_again();
        // A clock ahead of ours must not outdo what we see ourselves.
        let seen = |head: Head| Head { at: head.at.min(now), ..head };
        for regional in &snapshot.endpoints {
            if let (Some(index), Some(head)) = (self.index(&regional.name), regional.head) {
                self.heads.note_told(index, seen(head), regional.lag);
            }
            if let (Some(index), Some(head)) = (self.index(&regional.name), regional.finalized) {
                self.finalized.note_told(index, seen(head), regional.finalized_lag);
            }
            self.rehearse(regional, now);
            if let Some(entry) = self.endpoints.iter_mut().find(|entry| entry.name == regional.name)
            {
                entry.apply(regional, now);
            }
        }
        if let Some(given) = snapshot.given {
            let given = seen(given);
            self.heads.believe(given);
            self.mark.raise(given, &self.heads);
        }
    }
}
