//! How good an endpoint is beside its neighbours, for modes that choose by it. Differences that mean
//! nothing count as none, so that equals stay equal: a set that is slow as a whole is a good set.

use crate::json::{form, written};

/// Share of good answers from which an endpoint counts as sound.
const SOUND: f64 = 0.95;
/// Times as slow as the fastest that still counts as fast …
const FAST_TIMES: u64 = 2;
/// … and milliseconds.
const FAST_MS: u64 = 50;
/// What is left of one that is too far behind.
const BEHIND: f64 = 0.1;
/// Attempts that an endpoint is given the benefit of before its own count.
const BENEFIT: f64 = 2.0;
/// What is left of the worst: it keeps being sampled.
pub const LEAST: f64 = 0.02;

/// What an endpoint showed within the last minutes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Digest {
    /// Attempts.
    pub requests: u64,
    /// Attempts that failed.
    pub failures: u64,
    /// Nine of ten answers were at most this slow, in milliseconds; `None` with too few of them.
    pub ms: Option<u64>,
}

form!(Digest { requests, failures, ms });

/// What an endpoint is scored by.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Shown {
    /// Its attempts.
    pub digest: Digest,
    /// Whether it is too far behind the chain.
    pub lags: bool,
}

/// A score and its parts, each from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Score {
    /// The product of the parts, at least [`LEAST`].
    pub value: f64,
    /// 1 from 95 % of good answers; below, the square of their share.
    pub success: f64,
    /// 1 up to twice the fastest endpoint's latency, or 50 ms more; then falling in proportion.
    pub latency: f64,
    /// 1, or 0.1 when too far behind.
    pub lag: f64,
}

written!(Score { value, success, latency, lag });

/// The scores of a route's endpoints.
pub fn scores(shown: &[Shown]) -> Vec<Score> {
    let sound = |one: &&Shown| 2 * one.digest.failures <= one.digest.requests && !one.lags;
    let sound = shown.iter().filter(sound);
    let fastest = sound.filter_map(|one| one.digest.ms).min();
    let fast_ms = fastest.map(|ms| (FAST_TIMES * ms).max(ms + FAST_MS));
    shown.iter().map(|one| score(one, fast_ms)).collect()
}

fn score(shown: &Shown, fast_ms: Option<u64>) -> Score {
    let Shown { digest, lags } = *shown;
    let success = success(digest);
    let latency = digest.ms.zip(fast_ms).map_or(1.0, |(own, fast)| ratio(fast, own).min(1.0));
    let lag = if lags { BEHIND } else { 1.0 };
    Score { value: (success * latency * lag).max(LEAST), success, latency, lag }
}

#[expect(clippy::cast_precision_loss)]
fn success(digest: Digest) -> f64 {
    let all = digest.requests as f64 + BENEFIT;
    let share = 1.0 - digest.failures as f64 / all;
    if share >= SOUND { 1.0 } else { share * share }
}

#[expect(clippy::cast_precision_loss)]
fn ratio(part: u64, of: u64) -> f64 {
    part as f64 / of.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(requests: u64, failures: u64, ms: u64) -> Shown {
        Shown { digest: Digest { requests, failures, ms: Some(ms) }, lags: false }
    }

    fn values(shown: &[Shown]) -> Vec<f64> {
        scores(shown).iter().map(|score| (score.value * 100.0).round() / 100.0).collect()
    }

    #[test]
    fn small_differences_are_none() {
        assert_eq!(values(&[shown(100, 0, 100), shown(100, 4, 200), shown(50, 2, 100)]), [1.0; 3]);
        assert_eq!(values(&[shown(100, 0, 3), shown(100, 0, 50)]), [1.0; 2], "both are fast");
        assert_eq!(values(&[shown(100, 0, 7_000); 3]), [1.0; 3], "slow as a whole");
        assert_eq!(values(&[Shown::default(); 2]), [1.0; 2], "nothing is known");
    }

    #[test]
    fn who_is_slow_fails_or_lags_is_worth_less_and_never_nothing() {
        let behind = Shown { lags: true, ..shown(100, 0, 5) };
        let of = [shown(100, 0, 100), shown(100, 0, 1_000), shown(100, 50, 100), behind];
        assert_eq!(values(&of), [1.0, 0.2, 0.26, 0.1]);
        assert_eq!(values(&[shown(100, 0, 100), shown(100, 100, 100)]), [1.0, LEAST]);
    }

    #[test]
    fn one_that_fails_fast_is_not_the_measure() {
        assert_eq!(values(&[shown(100, 0, 500), shown(100, 90, 1)])[..1], [1.0]);
    }

    #[test]
    fn few_attempts_say_little() {
        assert!(scores(&[shown(1, 1, 5)])[0].success > 0.4);
    }
}
