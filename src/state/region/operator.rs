//! What an object does when the operator orders something. A move of a breaker is a transition like
//! any other, with the operator as its reason.

use super::member::Member;
use super::{Event, Region};
use crate::breaker::machine::Transition;
use crate::config::BreakerPolicy;
use crate::state::minutes::Minutes;
use crate::state::orders::{Action, Command, Drill, OPERATOR, Orders};
use crate::state::stats::Tally;
use crate::time::Millis;

impl Region {
    /// Obeys a command; `None`, and nothing changed, when there is no such endpoint.
    pub fn obey(
        &mut self,
        command: &Command,
        policy: &BreakerPolicy,
        now: Millis,
        draw: f64,
    ) -> Option<Vec<Event>> {
        let meant = |member: &Member| {
            command.endpoint.as_ref().is_none_or(|endpoint| *endpoint == member.name)
        };
        let members = self.members.iter().enumerate().filter(|(_, member)| meant(member));
        let endpoints: Vec<_> = members.map(|(endpoint, _)| endpoint).collect();
        if endpoints.is_empty() {
            return None;
        }
        let mut events = Vec::new();
        for endpoint in endpoints {
            let moved = match command.action {
                Action::Disable => self.allow(endpoint, false),
                Action::Enable => self.allow(endpoint, true),
                Action::Open => self.open(endpoint, policy, now, draw),
                Action::Close => self.close(endpoint, now),
                Action::Reset => self.reset(endpoint, now),
                Action::Fault => self.rehearse(endpoint, command.drill),
            };
            events.extend(moved.map(|moved| self.log(endpoint, moved)));
        }
        events.extend(self.serving_changed(now));
        Some(events)
    }

    fn allow(&mut self, endpoint: usize, allowed: bool) -> Option<Transition> {
        self.members.get_mut(endpoint)?.orders.disabled = !allowed;
        None
    }

    fn open(
        &mut self,
        endpoint: usize,
        policy: &BreakerPolicy,
        now: Millis,
        draw: f64,
    ) -> Option<Transition> {
        self.members.get_mut(endpoint)?.breaker.force_open(now, OPERATOR, policy, draw)
    }

    fn close(&mut self, endpoint: usize, now: Millis) -> Option<Transition> {
        self.votes.forget(endpoint);
        let member = self.members.get_mut(endpoint)?;
        member.suspected = false;
        member.breaker.force_close(now, OPERATOR)
    }

    fn reset(&mut self, endpoint: usize, now: Millis) -> Option<Transition> {
        self.rehearse(endpoint, None);
        self.votes.forget(endpoint);
        let member = self.members.get_mut(endpoint)?;
        let moved = member.breaker.reset(now, OPERATOR);
        member.suspected = false;
        member.rest = None;
        member.tally = Tally::default();
        member.minutes = Minutes::new(now);
        member.replies.clear();
        member.orders = Orders { reset: member.breaker.generation(), ..member.orders };
        moved
    }

    fn rehearse(&mut self, endpoint: usize, drill: Option<Drill>) -> Option<Transition> {
        self.members.get_mut(endpoint)?.orders.drill = drill;
        self.heads.rehearse(endpoint, drill);
        None
    }

    /// The drill that an endpoint's probes take part in.
    pub fn drill(&self, endpoint: usize, now: Millis) -> Option<Drill> {
        self.members.get(endpoint)?.orders.drill(now)
    }
}
