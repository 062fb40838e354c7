//! What the region tells: isolates what they choose by, people how things are.

use super::super::orders::Orders;
use super::super::status::{Facts, RouteStatus};
use super::super::wire::{Regional, Snapshot, VERSION};
use super::Region;
use super::member::Member;
use crate::config::Route;
use crate::json::Maybe;
use crate::time::Millis;

impl Region {
    /// What isolates choose by.
    pub fn snapshot(&self, now: Millis) -> Snapshot {
        let regional = |(index, member): (usize, &Member)| Regional {
            name: member.name.clone(),
            state: member.breaker.state(),
            generation: member.breaker.generation(),
            retry_at: member.breaker.retry_at(),
            rest: member.resting(now),
            head: self.heads.of(index),
            orders: Orders { drill: member.orders.drill(now), ..member.orders },
            lag: self.heads.true_lag(index).filter(|lag| lag.ms > 0),
            finalized: self.finalized.of(index),
            finalized_lag: self.finalized.true_lag(index).filter(|lag| lag.ms > 0),
            chain: member.chain,
            recent: self.weighted.then(|| member.recent.digest(now)),
            lease: None,
        };
        let endpoints = self.members.iter().enumerate().map(regional).collect();
        let given = self.mark.stands(&self.heads, now);
        Snapshot { v: VERSION, endpoints, given, writes: self.writes.live(now).cloned().collect() }
    }

    /// The status of `docs/operating.md`, as the region sees it.
    pub fn status(&self, route: &Route, now: Millis) -> RouteStatus {
        let mut status = RouteStatus::new(route, &self.name, now, |endpoint| {
            self.members.get(endpoint).map(|member| Facts {
                breaker: &member.breaker,
                rest: member.resting(now),
                tally: &member.tally,
                minutes: Some(&member.minutes),
                head: self.heads.seen(endpoint, now),
                lag: self.heads.lag(endpoint, now),
                orders: member.orders,
                finalized: member.finalized,
                finalized_lag: self.finalized.true_lag(endpoint),
                chain: member.chain,
                recent: member.recent.digest(now),
            })
        });
        status.transitions = self.log.iter().rev().cloned().collect();
        status
    }

    /// The status with what only the operator may see.
    pub fn status_for_operator(&self, route: &Route, now: Millis) -> RouteStatus {
        let mut status = self.status(route, now);
        for (endpoint, member) in status.endpoints.iter_mut().zip(&self.members) {
            endpoint.error_replies = Maybe(Some(member.replies.newest_first()));
        }
        status
    }
}
