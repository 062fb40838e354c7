//! The breaker over random histories in which attempts overlap, come back late, are lost or given up.

#![allow(clippy::unwrap_used)]

mod common;

use breakwater::breaker::machine::{Breaker, Heard, Permit, State};
use breakwater::config::BreakerPolicy;
use breakwater::time::Millis;
use common::{T0, route};
use proptest::prelude::*;

const LEASE_MS: u64 = 1_000;

/// One step of a history.
#[derive(Debug, Clone, Copy)]
enum Step {
    Begin,
    /// One that does not ask the breaker: the last resort.
    Force,
    /// The `n`-th of those under way ends; it may not be the oldest.
    End(usize, Heard),
    /// It is never heard of again.
    Lose(usize),
}

fn any_heard() -> impl Strategy<Value = Heard> {
    prop_oneof![
        3 => Just(Heard::Success),
        6 => Just(Heard::Failure),
        1 => Just(Heard::Unfit),
        1 => Just(Heard::Throttled),
        1 => Just(Heard::Nothing),
    ]
}

fn any_history() -> impl Strategy<Value = Vec<(Step, u64)>> {
    let step = prop_oneof![
        5 => Just(Step::Begin),
        1 => Just(Step::Force),
        6 => (0usize..8, any_heard()).prop_map(|(n, heard)| Step::End(n, heard)),
        1 => (0usize..8).prop_map(Step::Lose),
    ];
    let pause_ms = prop_oneof![3 => 0u64..300, 1 => 0u64..40_000];
    prop::collection::vec((step, pause_ms), 1..200)
}

struct World {
    breaker: Breaker,
    policy: BreakerPolicy,
    under_way: Vec<Permit>,
    /// The lease that is out, and its end.
    leased: Option<(u64, Millis)>,
    /// What must have been counted: failures in a row under permits of the present.
    streak: u32,
}

impl World {
    fn new() -> Self {
        let policy = route(1, r#""trip_after":3,"trip_min":1000000"#).breaker;
        let (under_way, breaker) = (Vec::new(), Breaker::new(T0));
        Self { breaker, policy, under_way, leased: None, streak: 0 }
    }

    fn play(&mut self, step: Step, now: Millis) -> Result<(), TestCaseError> {
        match step {
            Step::Begin => self.begin(now)?,
            Step::Force => self.under_way.push(self.breaker.bypass()),
            Step::End(n, heard) if n < self.under_way.len() => {
                let permit = self.under_way.remove(n);
                self.end(permit, heard, now)?;
            }
            Step::Lose(n) if n < self.under_way.len() => {
                self.under_way.remove(n);
            }
            Step::End(..) | Step::Lose(_) => {}
        }
        Ok(())
    }

    fn begin(&mut self, now: Millis) -> Result<(), TestCaseError> {
        let closed = self.breaker.state() == State::Closed;
        let due = self.breaker.due(now);
        let Some((permit, _)) = self.breaker.admit(now, LEASE_MS) else {
            prop_assert!(!closed && !due, "it keeps away only what is not due");
            return Ok(());
        };
        prop_assert_eq!(permit.lease().is_none(), closed);
        if let Some(lease) = permit.lease() {
            let other = self.leased.filter(|(_, until)| *until > now);
            prop_assert_eq!(other, None, "two leases at a time");
            self.leased = Some((lease, now.plus(LEASE_MS)));
        }
        self.under_way.push(permit);
        Ok(())
    }

    fn end(&mut self, permit: Permit, heard: Heard, now: Millis) -> Result<(), TestCaseError> {
        let before = self.breaker.clone();
        let held = self.leased.filter(|(id, until)| permit.lease() == Some(*id) && now <= *until);
        let present = permit.generation() == before.generation();
        let moved = self.breaker.record(now, permit, heard, "x", &self.policy, 0.5);
        let counts = present && (before.state() == State::Closed || held.is_some());
        if !counts {
            prop_assert_eq!(&self.breaker, &before, "late, or under a lease that is not its own");
            return Ok(());
        }
        if held.is_some() {
            self.leased = None;
        }
        match (before.state(), heard) {
            (State::Closed, Heard::Nothing | Heard::Throttled) => {
                prop_assert_eq!(&self.breaker, &before, "cancelled or throttled: no failure");
            }
            (State::Closed, Heard::Failure) => self.streak += 1,
            (State::Closed, Heard::Success) => self.streak = 0,
            (State::HalfOpen, Heard::Nothing) => {
                prop_assert!(self.breaker.due(now), "a probe that said nothing gives way");
            }
            (State::HalfOpen, Heard::Throttled | Heard::Failure | Heard::Unfit) => {
                prop_assert_eq!(self.breaker.state(), State::Open);
            }
            _ => {}
        }
        if before.state() == State::Closed {
            let opens = heard == Heard::Unfit || self.streak >= 3;
            prop_assert_eq!(moved.is_some(), opens, "{} in a row", self.streak);
        }
        if moved.is_some() {
            self.streak = 0;
            prop_assert_eq!(self.breaker.generation(), before.generation() + 1);
        }
        Ok(())
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn overlapping_attempts_never_break_its_promises(history in any_history()) {
        let (mut world, mut now) = (World::new(), T0);
        for (step, pause_ms) in history {
            now = now.plus(pause_ms);
            world.play(step, now)?;
        }
        // Whatever is still out or lost: with good probes it closes.
        now = now.plus(world.policy.cooldown_max_ms * 2);
        for _ in 0..2 {
            if world.breaker.state() != State::Closed {
                let (permit, _) = world.breaker.admit(now, LEASE_MS).unwrap();
                world.breaker.record(now, permit, Heard::Success, "x", &world.policy, 0.5);
            }
        }
        prop_assert_eq!(world.breaker.state(), State::Closed);
    }

    /// The clock of another machine may be behind: probes are late then, and nothing else.
    #[test]
    fn a_clock_that_goes_back_makes_probes_late_and_nothing_else(
        moments in prop::collection::vec((any_heard(), 0u64..600_000), 1..100),
    ) {
        let (mut world, mut latest) = (World::new(), T0);
        for (heard, at) in moments {
            let now = T0.plus(at);
            latest = latest.max(now);
            if let Some((permit, _)) = world.breaker.admit(now, LEASE_MS) {
                world.breaker.record(now, permit, heard, "x", &world.policy, 0.5);
            }
            let most = latest.plus(world.policy.cooldown_max_ms + world.policy.cooldown_max_ms / 10);
            prop_assert!(world.breaker.retry_at().is_none_or(|at| at <= most));
        }
        let end = latest.plus(world.policy.cooldown_max_ms * 2);
        prop_assert!(world.breaker.admit(end, LEASE_MS).is_some());
    }
}
