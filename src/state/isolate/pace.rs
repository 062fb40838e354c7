//! How fast an endpoint usually answers this isolate, who waits for it now, and whether it has gone
//! silent.

use super::super::stats::{bucket, quantile_ms};
use super::entry::Entry;
use super::{Book, Grant};
use crate::breaker::machine::Heard;
use crate::config::BreakerPolicy;
use crate::time::Millis;

/// Answers before there is a usual pace.
const SAMPLES_MIN: u64 = 20;
/// Answers after which old ones weigh half.
const SAMPLES_MAX: u64 = 512;
/// Its usual 99th percentile may pass this many times before its silence is odd.
const PATIENCE: u64 = 3;
/// Shorter silences are nothing.
const PATIENCE_MIN_MS: u64 = 100;
/// Fewer requests that wait are no sign: one may simply be hard.
const WAITING_MIN: usize = 3;

/// What is told of a trial that nobody saw the end of.
const GIVEN_UP: &str = "client_gone";

/// One endpoint's pace.
#[derive(Debug, Clone, Default)]
pub(super) struct Pace {
    /// Answers by latency.
    latency: Vec<u64>,
    /// Attempts under way: since when, and when they end at the latest.
    waiting: Vec<(Millis, Millis)>,
    /// When it first and last answered, whatever it said.
    first: Option<Millis>,
    heard: Millis,
}

impl Pace {
    /// An attempt begins.
    pub(super) fn begin(&mut self, now: Millis, timeout_ms: u64) {
        // Of an attempt whose client has gone nobody tells the end.
        self.waiting.retain(|(_, until)| *until > now);
        self.waiting.push((now, now.plus(timeout_ms)));
    }

    /// An attempt that took `ms` ended.
    pub(super) fn end(&mut self, ms: u64, answered: bool, now: Millis) {
        let began = Millis(now.0.saturating_sub(ms));
        let nearest = self.waiting.iter().enumerate();
        let nearest = nearest.min_by_key(|(_, (since, _))| since.0.abs_diff(began.0));
        if let Some((index, _)) = nearest {
            self.waiting.swap_remove(index);
        }
        if answered {
            self.heard = now;
            // What began before the first answer waited for connections and cold code, too.
            if *self.first.get_or_insert(now) <= began {
                self.add(ms);
            }
        }
    }

    fn add(&mut self, ms: u64) {
        let bucket = bucket(ms);
        if self.latency.len() <= bucket {
            self.latency.resize(bucket + 1, 0);
        }
        if let Some(count) = self.latency.get_mut(bucket) {
            *count += 1;
        }
        if self.latency.iter().sum::<u64>() >= SAMPLES_MAX {
            self.latency.iter_mut().for_each(|count| *count /= 2);
        }
    }

    /// Whether an attempt is under way.
    fn is_asked(&self, now: Millis) -> bool {
        self.waiting.iter().any(|(_, until)| *until > now)
    }

    /// Milliseconds of silence that are odd for it; `None` while its pace is not known.
    pub(super) fn patience_ms(&self) -> Option<u64> {
        let known = self.latency.iter().sum::<u64>() >= SAMPLES_MIN;
        let usual = known.then(|| quantile_ms(&self.latency, 0.99)).flatten()?;
        Some((PATIENCE * usual).max(PATIENCE_MIN_MS))
    }

    /// Whether several wait and it has answered nobody for too long.
    pub(super) fn suspected(&self, now: Millis) -> bool {
        let Some(patience_ms) = self.patience_ms() else {
            return false;
        };
        let waiting = self.waiting.iter().filter(|(_, until)| *until > now);
        let (count, oldest) =
            waiting.fold((0, now), |(count, oldest), (since, _)| (count + 1, oldest.min(*since)));
        count >= WAITING_MIN && now.since(oldest.max(self.heard)) >= patience_ms
    }
}

impl Book {
    /// An attempt was given up after `ms`. Nothing was learned; a trial's lease is free again.
    pub fn given_up(
        &mut self,
        endpoint: usize,
        grant: Grant,
        ms: u64,
        policy: &BreakerPolicy,
        now: Millis,
    ) {
        let Some(entry) = self.endpoints.get_mut(endpoint) else {
            return;
        };
        if grant.waits {
            entry.pace.end(ms, false, now);
        }
        // Moves nothing, so chance has no say.
        entry.breaker.record(now, grant.permit, Heard::Nothing, GIVEN_UP, policy, 0.0);
        if let Some(lease) = grant.lease {
            entry.trialed = Some(lease.ended(Heard::Nothing, GIVEN_UP));
            self.schedule.note_news();
        }
    }

    /// Whether an endpoint has gone silent: several wait, and it has answered nobody for a few times
    /// as long as nearly all its answers take. Nothing is proven; its breaker does not hear of it.
    pub fn suspected(&self, endpoint: usize, now: Millis) -> bool {
        self.endpoints.get(endpoint).is_some_and(|entry| entry.pace.suspected(now))
    }

    /// Whether an endpoint has rested and is being asked whether it serves again: one question is
    /// enough, and others are better off elsewhere.
    pub fn on_trial(&self, endpoint: usize, now: Millis) -> bool {
        let tried = |entry: &Entry| entry.throttle.untried(now) && entry.pace.is_asked(now);
        self.endpoints.get(endpoint).is_some_and(tried)
    }

    /// How long to wait, in milliseconds, before asking again whether it has gone silent; `None`
    /// while its usual pace is not known.
    pub fn patience_ms(&self, endpoint: usize) -> Option<u64> {
        self.endpoints.get(endpoint)?.pace.patience_ms()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const T0: Millis = Millis(1_000_000);

    /// Usually answers within 10 ms.
    fn known() -> Pace {
        let mut pace = Pace::default();
        pace.end(900, true, Millis(T0.0 - 1_000));
        for _ in 0..SAMPLES_MIN {
            pace.begin(T0, 1_000);
            pace.end(9, true, T0);
        }
        pace
    }

    fn waited_on_by(count: u64) -> Pace {
        let mut pace = known();
        for n in 0..count {
            pace.begin(T0.plus(n), 1_000);
        }
        pace
    }

    #[test]
    fn silence_is_odd_when_several_wait_for_longer_than_usual() {
        let pace = waited_on_by(3);
        assert!(!pace.suspected(T0.plus(99)) && pace.suspected(T0.plus(100)));
        assert!(!waited_on_by(2).suspected(T0.plus(500)));
    }

    #[test]
    fn any_answer_ends_it() {
        let mut pace = waited_on_by(5);
        assert!(pace.suspected(T0.plus(150)));
        pace.end(9, true, T0.plus(150));
        assert!(!pace.suspected(T0.plus(249)) && pace.suspected(T0.plus(250)));
    }

    #[test]
    fn a_timeout_is_no_answer() {
        let mut pace = waited_on_by(4);
        pace.end(150, false, T0.plus(150));
        assert!(pace.suspected(T0.plus(150)));
    }

    #[test]
    fn who_has_gone_does_not_wait_for_ever() {
        let pace = waited_on_by(3);
        assert!(!pace.suspected(T0.plus(1_000)));
    }

    #[test]
    fn nothing_is_odd_before_its_pace_is_known() {
        let mut pace = Pace::default();
        for _ in 0..9 {
            pace.begin(T0, 9_000);
        }
        assert!(!pace.suspected(T0.plus(5_000)));
        assert_eq!(pace.patience_ms(), None);
    }

    #[test]
    fn a_slow_endpoint_is_given_its_time_and_old_habits_fade() {
        let mut pace = Pace::default();
        for n in 0..=SAMPLES_MIN {
            pace.end(900, true, T0.plus(900 * n));
        }
        assert_eq!(pace.patience_ms(), Some(3_000));
        for n in 0..10 * SAMPLES_MAX {
            pace.end(9, true, T0.plus(60_000 + 9 * n));
        }
        assert_eq!(pace.patience_ms(), Some(PATIENCE_MIN_MS));
    }
}
