//! Counts of the last one to two minutes: two halves, of which the older goes when the newer is full.

use super::score::Digest;
use super::stats::{Tally, bucket, quantile_ms};
use crate::time::Millis;

/// One half.
const HALF_MS: u64 = 60_000;
/// The latency that counts is that of this share of the answers.
const QUANTILE: f64 = 0.9;
/// Fewer answers show no latency.
const ANSWERS_MIN: u64 = 5;

/// The counts.
#[derive(Debug, Clone, Default)]
pub struct Recent {
    began: Millis,
    halves: [Half; 2],
}

#[derive(Debug, Clone, Default)]
struct Half {
    requests: u64,
    failures: u64,
    latency: Vec<u64>,
}

impl Recent {
    /// Counts an attempt; `ms` is how long its answer took.
    pub fn add(&mut self, failed: bool, ms: Option<u64>, now: Millis) {
        let half = self.half(now);
        half.requests += 1;
        half.failures += u64::from(failed);
        if let Some(ms) = ms.filter(|_| !failed) {
            half.answer(bucket(ms), 1);
        }
    }

    /// Counts what somebody else has counted lately.
    pub fn merge(&mut self, tally: &Tally, now: Millis) {
        let half = self.half(now);
        half.requests += tally.requests;
        half.failures += tally.failures;
        for (bucket, count) in tally.latency.iter().enumerate() {
            half.answer(bucket, *count);
        }
    }

    /// What is left of it now.
    pub fn digest(&self, now: Millis) -> Digest {
        let age_ms = now.since(self.began);
        let live = self
            .halves
            .iter()
            .enumerate()
            .filter(|(nth, _)| age_ms < HALF_MS || (age_ms < 2 * HALF_MS && *nth == 0));
        let mut sum = Half::default();
        for (_, half) in live {
            sum.requests += half.requests;
            sum.failures += half.failures;
            half.latency.iter().enumerate().for_each(|(bucket, count)| sum.answer(bucket, *count));
        }
        let known = sum.latency.iter().sum::<u64>() >= ANSWERS_MIN;
        let ms = known.then(|| quantile_ms(&sum.latency, QUANTILE)).flatten();
        Digest { requests: sum.requests, failures: sum.failures, ms }
    }

    fn half(&mut self, now: Millis) -> &mut Half {
        let age_ms = now.since(self.began);
        let [newer, older] = &mut self.halves;
        if age_ms >= HALF_MS {
            *older = if age_ms < 2 * HALF_MS { std::mem::take(newer) } else { Half::default() };
            *newer = Half::default();
            self.began = now;
        }
        newer
    }
}

impl Half {
    fn answer(&mut self, bucket: usize, count: u64) {
        if self.latency.len() <= bucket {
            self.latency.resize(bucket + 1, 0);
        }
        if let Some(sum) = self.latency.get_mut(bucket) {
            *sum += count;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const T0: Millis = Millis(1_000_000_000);

    #[test]
    fn it_forgets_within_two_minutes() {
        let mut recent = Recent::default();
        for _ in 0..10 {
            recent.add(false, Some(90), T0);
        }
        recent.add(true, Some(3_500), T0);
        let all = Digest { requests: 11, failures: 1, ms: Some(100) };
        assert_eq!(recent.digest(T0.plus(59_999)), all);
        recent.add(false, Some(9), T0.plus(60_000));
        assert_eq!(recent.digest(T0.plus(60_000)).requests, 12);
        assert_eq!(recent.digest(T0.plus(120_000)).requests, 1);
        assert_eq!(recent.digest(T0.plus(180_000)), Digest::default());
        recent.add(false, Some(9), T0.plus(500_000));
        assert_eq!(recent.digest(T0.plus(500_000)).requests, 1);
    }

    #[test]
    fn few_answers_show_no_latency() {
        let mut recent = Recent::default();
        for _ in 0..4 {
            recent.add(false, Some(90), T0);
        }
        assert_eq!(recent.digest(T0).ms, None);
    }
}
