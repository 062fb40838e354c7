//! The circuit breaker by the book, and its invariants over random histories.

#![allow(clippy::unwrap_used)]

use breakwater::breaker::machine::{Breaker, Heard, Permit, State, Transition};
use breakwater::config::{BreakerPolicy, WhenAllOpen};
use breakwater::time::Millis;
use proptest::prelude::*;

fn policy() -> BreakerPolicy {
    BreakerPolicy {
        trip_after: 3,
        trip_ratio: 0.5,
        trip_min: 20,
        trip_window_ms: 30_000,
        cooldown_ms: 15_000,
        cooldown_max_ms: 120_000,
        close_after: 2,
        retry_after_cap_ms: 300_000,
        when_all_open: WhenAllOpen::Try,
        poll_ms: 15_000,
    }
}

const T0: Millis = Millis(1_000_000);

fn hear(breaker: &mut Breaker, at: u64, heard: Heard) -> Option<Transition> {
    let (permit, _) = breaker.admit(T0.plus(at), 1_000)?;
    breaker.record(T0.plus(at), permit, heard, "timeout", &policy(), 0.5)
}

fn tripped() -> Breaker {
    let mut breaker = Breaker::new(T0);
    for _ in 0..3 {
        hear(&mut breaker, 0, Heard::Failure);
    }
    breaker
}

#[test]
fn opens_on_the_third_failure_in_a_row_and_not_before() {
    let mut breaker = Breaker::new(T0);
    assert_eq!(hear(&mut breaker, 0, Heard::Failure), None);
    assert_eq!(hear(&mut breaker, 0, Heard::Failure), None);
    assert_eq!(hear(&mut breaker, 0, Heard::Success), None);
    assert_eq!(hear(&mut breaker, 0, Heard::Failure), None);
    assert_eq!(hear(&mut breaker, 0, Heard::Failure), None);
    let opened = hear(&mut breaker, 5, Heard::Failure).unwrap();
    assert_eq!((opened.from, opened.to, opened.at), (State::Closed, State::Open, T0.plus(5)));
    assert_eq!(opened.reason, "timeout");
    assert_eq!(breaker.trips(), 1);
}

#[test]
fn zero_and_one_both_mean_the_first_failure() {
    for trip_after in [0, 1] {
        let mut breaker = Breaker::new(T0);
        let permit = breaker.bypass();
        let policy = BreakerPolicy { trip_after, ..policy() };
        assert!(breaker.record(T0, permit, Heard::Failure, "x", &policy, 0.5).is_some());
    }
}

#[test]
fn opens_by_share_even_when_successes_come_between() {
    let mut breaker = Breaker::new(T0);
    for n in 0..19 {
        let heard = if n % 2 == 0 { Heard::Failure } else { Heard::Success };
        assert_eq!(hear(&mut breaker, n, heard), None);
    }
    assert_eq!(hear(&mut breaker, 19, Heard::Failure).map(|t| t.to), Some(State::Open));
}

#[test]
fn throttles_and_cancelled_attempts_never_open_it() {
    let mut breaker = Breaker::new(T0);
    for n in 0..100 {
        assert_eq!(hear(&mut breaker, n, Heard::Throttled), None);
        assert_eq!(hear(&mut breaker, n, Heard::Nothing), None);
    }
}

#[test]
fn one_probe_at_a_time_and_two_successes_close_it() {
    let mut breaker = tripped();
    assert!(breaker.admit(T0.plus(14_999), 1_000).is_none());
    let (first, moved) = breaker.admit(T0.plus(15_000), 1_000).unwrap();
    assert_eq!(moved.unwrap().to, State::HalfOpen);
    assert!(breaker.admit(T0.plus(15_001), 1_000).is_none(), "one in flight");
    let now = T0.plus(15_100);
    assert_eq!(breaker.record(now, first, Heard::Success, "ok", &policy(), 0.5), None);
    let (second, moved) = breaker.admit(now, 1_000).unwrap();
    assert!(moved.is_none());
    let closed = breaker.record(now, second, Heard::Success, "ok", &policy(), 0.5).unwrap();
    assert_eq!(closed.to, State::Closed);
    assert_eq!(breaker.consecutive_failures(), 0);
}

#[test]
fn a_failed_probe_doubles_the_cooldown_up_to_the_cap() {
    let mut breaker = tripped();
    let mut at = 15_000;
    for cooldown in [30_000, 60_000, 120_000, 120_000] {
        assert_eq!(hear(&mut breaker, at, Heard::Failure).unwrap().to, State::Open);
        at += cooldown;
        assert!(breaker.admit(T0.plus(at - 1), 1_000).is_none());
    }
    assert_eq!(breaker.trips(), 1, "a failed probe is no new trip");
}

#[test]
fn a_throttle_in_half_open_reopens_at_once_without_doubling() {
    let mut breaker = tripped();
    assert_eq!(hear(&mut breaker, 15_000, Heard::Throttled).unwrap().to, State::Open);
    assert!(breaker.due(T0.plus(30_000)));
}

#[test]
fn an_expired_lease_frees_itself_and_its_outcome_changes_nothing() {
    let mut breaker = tripped();
    let (lost, _) = breaker.admit(T0.plus(15_000), 1_000).unwrap();
    let (held, _) = breaker.admit(T0.plus(16_000), 1_000).unwrap();
    let now = T0.plus(16_001);
    assert_eq!(breaker.record(now, lost, Heard::Failure, "x", &policy(), 0.5), None);
    assert_eq!(breaker.state(), State::HalfOpen);
    assert_eq!(breaker.record(now, held, Heard::Success, "x", &policy(), 0.5), None);
    assert_eq!(breaker.probe_successes(), 1);
}

#[test]
fn a_late_failure_does_not_reopen_a_healed_breaker() {
    let mut breaker = Breaker::new(T0);
    let late = breaker.bypass();
    for _ in 0..3 {
        hear(&mut breaker, 0, Heard::Failure);
    }
    breaker.close(T0.plus(1), "admin");
    for _ in 0..10 {
        assert_eq!(breaker.record(T0.plus(2), late, Heard::Failure, "x", &policy(), 0.5), None);
    }
    assert_eq!(breaker.state(), State::Closed);
}

#[test]
fn what_is_not_what_it_should_be_is_out_at_once_and_only_a_success_brings_it_back() {
    let mut breaker = Breaker::new(T0);
    let moved = hear(&mut breaker, 0, Heard::Unfit).unwrap();
    assert_eq!((moved.to, breaker.trips()), (State::Open, 1));
    assert_eq!(hear(&mut breaker, 15_000, Heard::Unfit).map(|moved| moved.to), Some(State::Open));
    assert_eq!(breaker.retry_at(), Some(T0.plus(45_000)), "the cooldown doubles");
    assert_eq!(hear(&mut breaker, 45_000, Heard::Success), None);
    assert_eq!(hear(&mut breaker, 45_001, Heard::Success).map(|m| m.to), Some(State::Closed));
}

#[test]
fn jitter_stays_within_a_tenth() {
    for (draw, cooldown_ms) in [(0.0, 13_500), (0.5, 15_000), (1.0, 16_500)] {
        let mut breaker = Breaker::new(T0);
        breaker.trip(T0, "x", &policy(), draw);
        assert_eq!(breaker.retry_at(), Some(T0.plus(cooldown_ms)));
    }
}

#[test]
fn a_new_breaker_has_no_past() {
    let breaker = Breaker::new(T0);
    assert_eq!((breaker.state(), breaker.since(), breaker.trips()), (State::Closed, T0, 0));
    assert_eq!((breaker.consecutive_failures(), breaker.probe_successes()), (0, 0));
    assert_eq!(breaker.retry_at(), None);
    assert!(!breaker.due(T0.plus(u64::MAX / 2)), "there is nothing to probe");
}

#[test]
fn opening_and_closing_forget_what_was_counted() {
    let mut breaker = Breaker::new(T0);
    hear(&mut breaker, 1, Heard::Failure);
    hear(&mut breaker, 2, Heard::Failure);
    assert_eq!(breaker.consecutive_failures(), 2);
    hear(&mut breaker, 3, Heard::Failure);
    assert_eq!((breaker.consecutive_failures(), breaker.since()), (0, T0.plus(3)));
    hear(&mut breaker, 15_003, Heard::Failure);
    hear(&mut breaker, 45_003, Heard::Success);
    assert_eq!(breaker.probe_successes(), 1);
    hear(&mut breaker, 45_004, Heard::Success);
    assert_eq!((breaker.state(), breaker.since()), (State::Closed, T0.plus(45_004)));
    assert_eq!((breaker.consecutive_failures(), breaker.probe_successes()), (0, 0));
    assert_eq!(hear(&mut breaker, 45_005, Heard::Failure), None);
    assert_eq!(hear(&mut breaker, 45_006, Heard::Failure), None);
    hear(&mut breaker, 45_007, Heard::Failure);
    assert_eq!(breaker.retry_at(), Some(T0.plus(60_007)), "the first cooldown again");
}

#[test]
fn while_it_is_open_nothing_that_comes_back_moves_it() {
    let mut breaker = tripped();
    let before = breaker.clone();
    for heard in [Heard::Failure, Heard::Success, Heard::Unfit, Heard::Throttled, Heard::Nothing] {
        for _ in 0..10 {
            let permit = breaker.bypass();
            assert_eq!(breaker.record(T0.plus(9), permit, heard, "x", &policy(), 0.5), None);
        }
        assert_eq!(breaker, before, "{heard:?}");
    }
}

#[test]
fn a_probe_that_says_nothing_gives_its_lease_back() {
    let mut breaker = tripped();
    for n in 0..100 {
        assert!(breaker.admit(T0.plus(15_000 + n), 1_000).is_some(), "{n}");
        assert!(breaker.admit(T0.plus(15_000 + n), 1_000).is_none(), "one at a time");
        let id = n + 1;
        let permit = Permit::leased(breaker.generation(), id);
        let heard = Heard::Nothing;
        assert_eq!(breaker.record(T0.plus(15_000 + n), permit, heard, "x", &policy(), 0.5), None);
    }
    assert_eq!((breaker.state(), breaker.probe_successes()), (State::HalfOpen, 0));
}

#[test]
fn close_after_zero_and_one_both_mean_the_first_success() {
    for close_after in [0, 1] {
        let mut breaker = tripped();
        let (permit, _) = breaker.admit(T0.plus(15_000), 1_000).unwrap();
        let policy = BreakerPolicy { close_after, ..policy() };
        let moved = breaker.record(T0.plus(15_001), permit, Heard::Success, "x", &policy, 0.5);
        assert_eq!(moved.map(|moved| moved.to), Some(State::Closed));
    }
}

fn any_heard() -> impl Strategy<Value = Heard> {
    prop_oneof![
        Just(Heard::Success),
        Just(Heard::Failure),
        Just(Heard::Unfit),
        Just(Heard::Throttled),
        Just(Heard::Nothing),
    ]
}

proptest! {
    #[test]
    fn whatever_happens_it_keeps_its_promises(
        history in prop::collection::vec((any_heard(), 0u64..20_000), 1..200),
    ) {
        let (mut breaker, mut at, mut streak) = (Breaker::new(T0), 0, 0);
        for (heard, pause_ms) in history {
            at += pause_ms;
            let before = breaker.state();
            let Some((permit, _)) = breaker.admit(T0.plus(at), 1_000) else {
                prop_assert_eq!(breaker.state(), State::Open, "only an open one keeps away");
                continue;
            };
            let moved = breaker.record(T0.plus(at), permit, heard, "timeout", &policy(), 0.5);
            streak = match heard {
                Heard::Failure => streak + 1,
                Heard::Unfit => 3,
                Heard::Success => 0,
                Heard::Throttled | Heard::Nothing => streak,
            };
            let opened = moved.is_some_and(|moved| moved.to == State::Open);
            if before == State::Closed && opened {
                let trips = matches!(heard, Heard::Failure | Heard::Unfit);
                prop_assert!(trips, "only a failure trips");
            }
            if before == State::Closed && streak >= 3 {
                prop_assert!(opened, "three in a row always trip");
            }
            if opened || breaker.state() == State::Closed && before != State::Closed {
                streak = 0;
            }
            prop_assert_eq!(breaker.retry_at().is_none(), breaker.state() == State::Closed);
        }
    }

    #[test]
    fn an_old_permit_never_moves_it(heard in any_heard(), times in 1usize..20) {
        let mut breaker = Breaker::new(T0);
        let old = breaker.bypass();
        breaker.trip(T0, "x", &policy(), 0.5);
        breaker.close(T0, "y");
        for _ in 0..times {
            prop_assert!(breaker.record(T0, old, heard, "z", &policy(), 0.5).is_none());
        }
        prop_assert_eq!(breaker.consecutive_failures(), 0);
    }
}
