//! What an isolate knows of the operator's orders, and what it has to tell him.

use super::super::event::Told;
use super::super::orders::{Drill, Orders};
use super::super::replies::HANDED_MAX;
use super::super::sync::SNAPSHOT_MAX_AGE_MS;
use super::super::wire::{Regional, Snapshot};
use super::Book;
use super::entry::Entry;
use crate::json::Raw;
use crate::time::Millis;

/// Events that wait for a hand-in; further ones are in the log only.
const EVENTS_MAX: usize = 16;

impl Entry {
    /// Whether the operator wants it never asked. His last word holds even where the region cannot
    /// be reached: who shuts an endpoint out means it.
    pub(super) fn disabled(&self) -> bool {
        self.regional.as_ref().is_some_and(|regional| regional.orders.disabled)
    }
}

impl Book {
    /// What stands of the operator's orders for an endpoint.
    pub fn orders(&self, endpoint: usize) -> Option<Orders> {
        Some(self.endpoints.get(endpoint)?.regional.as_ref()?.orders)
    }

    /// Whether a snapshot tells of a breaker's move or of an order that is not known here yet.
    pub fn is_news(&self, snapshot: &Snapshot) -> bool {
        let known = |entry: &Entry, told: &Regional| {
            let regional = entry.regional.as_ref();
            regional.is_some_and(|r| (r.generation, r.orders) == (told.generation, told.orders))
        };
        let entry = |name: &str| self.endpoints.iter().find(|entry| entry.name == name);
        let mut told = snapshot.endpoints.iter();
        told.any(|told| entry(&told.name).is_some_and(|entry| !known(entry, told)))
    }

    /// The drill that an attempt at an endpoint takes part in.
    pub fn drill(&self, endpoint: usize, now: Millis) -> Option<Drill> {
        let orders = self.orders(endpoint).filter(|_| !self.schedule.cold(now))?;
        orders.drill(now)
    }

    /// Whether an old word of the region's shuts out all there are: a new one may let them in.
    pub fn shut_by_old_word(&self, now: Millis) -> bool {
        let mut bound = self.endpoints.iter().filter(|entry| entry.bound);
        self.schedule.cold(now) && bound.all(Entry::disabled)
    }

    /// A drill is seen no longer than the snapshot that told of it.
    pub(super) fn rehearse(&mut self, regional: &Regional, now: Millis) {
        let Some(endpoint) = self.index(&regional.name) else {
            return;
        };
        let last = now.plus(SNAPSHOT_MAX_AGE_MS);
        let drill = regional.orders.drill;
        let drill = drill.map(|drill| Drill { until_ms: drill.until_ms.min(last), ..drill });
        self.heads.rehearse(endpoint, drill);
    }

    /// Something the operator should be alerted of.
    pub fn tell(&mut self, event: Told) {
        if let Some(like) = self.events.iter_mut().find(|waiting| waiting.is_like(&event)) {
            let times = like.times.saturating_add(event.times);
            *like = Told { times, ..event };
        } else if self.events.len() < EVENTS_MAX {
            self.events.push(event);
        }
    }

    /// An error reply for the operator to look at.
    pub fn note_reply(&mut self, endpoint: usize, reply: String) {
        if let Some(entry) = self.endpoints.get_mut(endpoint) {
            entry.replies.add(reply, HANDED_MAX);
        }
    }

    /// Error replies not handed in yet, newest first.
    pub fn replies(&self, endpoint: usize) -> Option<Raw<String>> {
        Some(self.endpoints.get(endpoint)?.replies.newest_first())
    }
}
