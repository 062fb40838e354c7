//! Who is behind, and who only says that everybody else is.

use breakwater::config::{EmptyResult, Freshness};
use breakwater::state::heads::{Head, Heads, Lag};
use breakwater::time::Millis;
use proptest::prelude::*;

const T0: Millis = Millis(1_800_000_000_000);
const POLICY: Freshness = Freshness {
    max_lag_blocks: 2,
    max_lag_ms: 15_000,
    empty_result: EmptyResult::RetryIfBehind,
    monotonic: true,
};

fn head(number: u64, at: u64) -> Head {
    Head { number, at: T0.plus(at) }
}

fn reference(heads: &Heads) -> Option<u64> {
    heads.reference().map(|head| head.number)
}

#[test]
fn unknown_is_not_zero() {
    let mut heads = Heads::new(2);
    assert_eq!(heads.lag(0, T0), None);
    heads.note(0, head(100, 0));
    assert_eq!(heads.lag(0, T0), Some(Lag { blocks: 0, ms: 0 }));
    assert_eq!(heads.lag(1, T0), None);
    assert!(!heads.lags(1, POLICY, T0));
}

#[test]
fn a_height_that_was_reached_takes_nobody_back() {
    let mut heads = Heads::new(2);
    heads.reach(0, head(100, 0));
    assert_eq!(heads.of(0), None, "an old receipt is no head");
    heads.note(0, head(100, 0));
    heads.reach(0, head(90, 1_000));
    assert_eq!(heads.of(0), Some(head(100, 0)));
    heads.reach(0, head(102, 1_000));
    assert_eq!((heads.of(0), reference(&heads)), (Some(head(102, 1_000)), Some(102)));
}

#[test]
fn an_endpoint_that_stands_still_is_found_out_by_blocks_and_time() {
    let mut heads = Heads::new(2);
    for step in 0..10 {
        let at = step * 12_000;
        heads.note(0, head(100, at));
        heads.note(1, head(100 + step, at));
        assert_eq!(heads.lags(0, POLICY, T0), step >= 3, "{step}: {:?}", heads.lag(0, T0));
        assert!(!heads.lags(1, POLICY, T0));
    }
    assert_eq!(heads.lag(0, T0), Some(Lag { blocks: 9, ms: 96_000 }));
}

#[test]
fn it_is_found_out_on_a_fast_chain_too() {
    let mut heads = Heads::new(2);
    for step in 0..1_000 {
        heads.note(0, head(100, step * 50));
        heads.note(1, head(100 + step, step * 50));
    }
    let lag = heads.lag(0, T0).unwrap_or(Lag { blocks: 0, ms: 0 });
    assert!(lag.blocks >= 998 && lag.ms > 48_000, "{lag:?}");
    assert!(heads.lags(0, POLICY, T0));
}

#[test]
fn a_backup_that_is_polled_now_and_then_does_not_lag_behind_one_that_is_seen_all_the_time() {
    let mut heads = Heads::new(2);
    for step in 0..1_000 {
        let at = step * 250;
        heads.note(0, head(100 + step, at));
        if at % 15_000 == 0 {
            heads.note(1, head(100 + step, at));
        }
        assert!(!heads.lags(1, POLICY, T0), "{at}: {:?}", heads.lag(1, T0));
    }
}

#[test]
fn one_endpoint_far_ahead_moves_nothing() {
    let mut heads = Heads::new(3);
    heads.note(0, head(100, 0));
    heads.note(1, head(100, 10));
    heads.note(2, head(10_100, 20));
    assert_eq!(reference(&heads), Some(100));
    heads.note(0, head(101, 12_000));
    assert_eq!(reference(&heads), Some(101));
    assert!(!heads.lags(0, POLICY, T0));
}

#[test]
fn even_when_it_was_heard_first() {
    let mut heads = Heads::new(3);
    heads.note(2, head(10_100, 0));
    heads.note(0, head(100, 10));
    heads.note(1, head(100, 20));
    assert_eq!(reference(&heads), Some(100));
}

#[test]
fn a_jump_that_two_endpoints_hold_is_believed() {
    let mut heads = Heads::new(3);
    for endpoint in 0..3 {
        heads.note(endpoint, head(100, 0));
    }
    heads.note(0, head(5_000, 1_000));
    assert_eq!(reference(&heads), Some(100));
    heads.note(1, head(5_000, 1_100));
    assert_eq!(reference(&heads), Some(5_000));
}

#[test]
fn an_older_sight_changes_nothing() {
    let mut heads = Heads::new(1);
    heads.note(0, head(100, 1_000));
    heads.note(0, head(90, 500));
    assert_eq!(heads.of(0), Some(head(100, 1_000)));
}

#[test]
fn zero_switches_it_off() {
    let mut heads = Heads::new(2);
    for step in 0..10 {
        heads.note(0, head(100, step * 12_000));
        heads.note(1, head(100 + step, step * 12_000));
    }
    assert!(heads.lags(0, POLICY, T0));
    assert!(!heads.lags(0, Freshness { max_lag_blocks: 0, ..POLICY }, T0));
    assert!(!heads.lags(0, Freshness { max_lag_ms: 0, ..POLICY }, T0));
}

proptest! {
    #[test]
    fn the_reference_is_somebodys_head_and_never_goes_back_once_two_agree(
        steps in prop::collection::vec((0usize..3, 0u64..200, 0u64..5_000), 1..100),
    ) {
        let mut heads = Heads::new(3);
        heads.note(0, head(100, 0));
        heads.note(1, head(100, 0));
        let (mut at, mut before) = (0, 100);
        for (endpoint, number, pause) in steps {
            at += pause;
            heads.note(endpoint, head(100 + number, at));
            let now = reference(&heads).unwrap_or_default();
            prop_assert!(now >= before, "{now} after {before}");
            before = now;
        }
    }
}

#[test]
fn who_has_seen_nothing_before_takes_the_word_of_who_has() {
    let (mut heads, lag) = (Heads::new(2), Lag { blocks: 90, ms: 16_000 });
    heads.note_told(0, head(10, 0), Some(lag));
    heads.note_told(1, head(100, 0), None);
    assert!(heads.lags(0, POLICY, T0) && !heads.lags(1, POLICY, T0));
    heads.note(0, head(101, 1_000));
    assert!(!heads.lags(0, POLICY, T0), "its own newer sight counts");
}
