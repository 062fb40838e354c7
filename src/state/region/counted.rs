//! What the object counts for metrics, from when it was made.

use super::Region;
use crate::breaker::machine::{State, Transition};
use crate::state::counted::{Counted, Counts};
use crate::state::wire::Observation;

impl Region {
    /// Its counts. They are not stored: what was lost with an object's memory would be a step back.
    pub fn counted(&self) -> Counted<'_> {
        let counts = self.members.iter().map(|member| {
            let (tally, trips) = (&member.counted, member.trips);
            Counts { tally, trips }
        });
        Counted {
            since: Some(self.made),
            exhausted: Some(self.exhausted),
            endpoints: counts.collect(),
        }
    }

    pub(super) fn count_exhausted(&mut self, observation: &Observation) {
        let told = observation.events.iter().filter(|told| told.is_exhausted());
        self.exhausted += told.map(|told| told.times).sum::<u64>();
    }

    pub(super) fn count_trip(&mut self, endpoint: usize, moved: &Transition) {
        if let Some(member) = self.members.get_mut(endpoint) {
            member.trips += u64::from(moved.from == State::Closed && moved.to == State::Open);
        }
    }
}
