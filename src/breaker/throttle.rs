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

/// A `Retry-After` grows by a quarter with each rest that did not help, this often: to twice as long.
const QUARTERS: u32 = 4;

/// One endpoint's rest.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Throttle {
    rest: Option<(Millis, Why)>,
    /// Rests for its rate since it last answered.
    in_a_row: u32,
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

    /// A throttle was heard. `retry_after_ms` is the upstream's, `cap_ms` the most we honour. One that
    /// is heard while it rests was on its way before.
    pub fn rate(&mut self, now: Millis, retry_after_ms: Option<u64>, cap_ms: u64) {
        let begins = self.resting(now).is_none();
        let before = self.in_a_row;
        if begins {
            self.in_a_row = before.saturating_add(1);
        }
        let ms = match retry_after_ms {
            Some(ms) if begins => longer(ms, before).min(cap_ms),
            Some(ms) => ms.min(cap_ms),
            None if begins => FIRST_MS.saturating_mul(1 << before.min(16)).min(LONGEST_MS),
            None => return,
        };
        self.extend(now, ms, Why::Rate);
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
        self.in_a_row = 0;
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

/// What an upstream asks for, after so many rests that did not help.
fn longer(ms: u64, before: u32) -> u64 {
    let quarters = u64::from(before.min(QUARTERS));
    ms.saturating_add((ms / u64::from(QUARTERS)).saturating_mul(quarters))
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
    fn a_retry_after_that_did_not_help_grows_to_twice_as_long() {
        let mut throttle = Throttle::default();
        let mut now = T0;
        let mut rests = Vec::new();
        for _ in 0..7 {
            throttle.rate(now, Some(1_000), 300_000);
            throttle.rate(now.plus(1), Some(500), 300_000);
            rests.push(throttle.resting(now).unwrap().0.since(now));
            now = throttle.resting(now).unwrap().0;
        }
        assert_eq!(rests, [1_000, 1_250, 1_500, 1_750, 2_000, 2_000, 2_000]);
        throttle.answered(now);
        throttle.rate(now, Some(1_000), 300_000);
        assert_eq!(throttle.resting(now).unwrap().0.since(now), 1_000);
        let end = now.plus(1_000);
        throttle.rate(end, Some(u64::MAX), 300_000);
        assert_eq!(throttle.resting(end).unwrap().0.since(end), 300_000);
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
