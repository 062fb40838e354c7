//! Rest that an endpoint asked for: rate limits and account trouble. Never a failure.

use crate::json::words;
use crate::time::Millis;

/// First rest after a throttle without `Retry-After`; doubles with each further one.
pub const FIRST_MS: u64 = 1_000;
/// Cap of the doubling.
const LONGEST_MS: u64 = 60_000;
/// Rest after account trouble (401, 402, 403, quota): it will not clear in seconds.
pub const ACCOUNT_MS: u64 = 300_000;

/// Why an endpoint rests.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Why {
    /// Too many requests in a short time.
    #[default]
    Rate,
    /// Key, plan or quota: an operator must look.
    Account,
}

words!(Why { Rate = "rate", Account = "account" });

/// One endpoint's rest.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Throttle {
    rest: Option<(Millis, Why)>,
    doublings: u32,
    /// It has not answered since.
    untried: bool,
}

impl Throttle {
    /// The end of the rest and its reason, while it lasts.
    pub fn resting(&self, now: Millis) -> Option<(Millis, Why)> {
        self.rest.filter(|(until, _)| *until > now)
    }

    /// Whether its rest is over, and nobody knows yet whether it has helped.
    pub fn untried(&self, now: Millis) -> bool {
        self.untried && self.resting(now).is_none()
    }

    /// A throttle was heard. `retry_after_ms` is the upstream's, `cap_ms` the most we honour.
    pub fn rate(&mut self, now: Millis, retry_after_ms: Option<u64>, cap_ms: u64) {
        if let Some(ms) = retry_after_ms {
            self.extend(now, ms.min(cap_ms), Why::Rate);
        } else if self.resting(now).is_none() {
            let own = FIRST_MS.saturating_mul(1 << self.doublings.min(16)).min(LONGEST_MS);
            self.doublings = self.doublings.saturating_add(1);
            self.extend(now, own, Why::Rate);
        }
    }

    /// Account trouble was heard. Returns whether this is news (for the alert).
    pub fn account(&mut self, now: Millis) -> bool {
        let news = !matches!(self.resting(now), Some((_, Why::Account)));
        self.extend(now, ACCOUNT_MS, Why::Account);
        news
    }

    /// A good answer was heard: the next throttle starts small again. One while it rests was on its
    /// way before.
    pub fn answered(&mut self, now: Millis) {
        self.doublings = 0;
        self.untried &= self.resting(now).is_some();
    }

    /// Ends the rest.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Rest until then, unless it rests longer already.
    pub fn extend_until(&mut self, until: Millis, why: Why) {
        if self.rest.is_none_or(|(current, _)| current < until) {
            self.rest = Some((until, why));
            self.untried = true;
        }
    }

    fn extend(&mut self, now: Millis, ms: u64, why: Why) {
        self.extend_until(now.plus(ms), why);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const T0: Millis = Millis(1_000_000);

    fn until(throttle: &Throttle, now: Millis) -> Option<u64> {
        throttle.resting(now).map(|(until, _)| until.since(T0))
    }

    #[test]
    fn doubles_per_episode_not_per_answer() {
        let mut throttle = Throttle::default();
        for _ in 0..10 {
            throttle.rate(T0, None, 300_000);
        }
        assert_eq!(until(&throttle, T0), Some(1_000));
        throttle.rate(T0.plus(2_000), None, 300_000);
        assert_eq!(until(&throttle, T0.plus(2_000)), Some(4_000));
        throttle.answered(T0.plus(8_000));
        throttle.rate(T0.plus(9_000), None, 300_000);
        assert_eq!(until(&throttle, T0.plus(9_000)), Some(10_000));
    }

    #[test]
    fn retry_after_is_honoured_up_to_the_cap() {
        let mut throttle = Throttle::default();
        throttle.rate(T0, Some(7_000), 300_000);
        assert_eq!(until(&throttle, T0), Some(7_000));
        throttle.rate(T0, Some(86_400_000), 300_000);
        assert_eq!(until(&throttle, T0), Some(300_000));
        assert_eq!(until(&throttle, T0.plus(300_000)), None);
    }

    #[test]
    fn a_rest_that_is_over_has_to_prove_itself() {
        let mut throttle = Throttle::default();
        assert!(!throttle.untried(T0));
        throttle.rate(T0, None, 300_000);
        throttle.answered(T0.plus(10));
        assert!(!throttle.untried(T0.plus(999)) && throttle.untried(T0.plus(1_000)));
        throttle.answered(T0.plus(1_020));
        assert!(!throttle.untried(T0.plus(1_020)));
    }

    #[test]
    fn account_trouble_is_long_and_news_once() {
        let mut throttle = Throttle::default();
        assert!(throttle.account(T0));
        assert!(!throttle.account(T0.plus(1)));
        assert!(throttle.account(T0.plus(ACCOUNT_MS + 10)));
    }
}
