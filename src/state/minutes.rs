//! The last hour of an endpoint, minute by minute, for the status. In memory only: what was before
//! the object was made is not known, and not shown as zero.

use crate::time::Millis;

/// Minutes kept.
const KEPT: usize = 60;
const MINUTE_MS: u64 = 60_000;

/// Attempts of one minute, and how many of them failed.
pub type Minute = [u32; 2];

/// The minutes of the last hour that were seen, the newest last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Minutes {
    counts: Vec<Minute>,
    /// Which minute since 1970 the newest is.
    newest: u64,
}

impl Minutes {
    /// Of somebody who watches from now on.
    pub fn new(now: Millis) -> Self {
        Self { counts: vec![Minute::default()], newest: now.0 / MINUTE_MS }
    }

    /// Counts what was heard of now.
    pub fn add(&mut self, requests: u64, failures: u64, now: Millis) {
        self.advance(now);
        if let Some([all, failed]) = self.counts.last_mut() {
            *all = sum(*all, requests);
            *failed = sum(*failed, failures);
        }
    }

    /// Oldest first; the last one is the minute that goes on now.
    pub fn until(&self, now: Millis) -> Vec<Minute> {
        let mut minutes = self.clone();
        minutes.advance(now);
        minutes.counts
    }

    /// A clock that goes back stays in the minute it was in.
    fn advance(&mut self, now: Millis) {
        let minute = now.0 / MINUTE_MS;
        let gone = usize::try_from(minute.saturating_sub(self.newest)).unwrap_or(KEPT);
        for _ in 0..gone.min(KEPT) {
            if self.counts.len() == KEPT {
                self.counts.remove(0);
            }
            self.counts.push(Minute::default());
        }
        self.newest = self.newest.max(minute);
    }
}

fn sum(count: u32, more: u64) -> u32 {
    count.saturating_add(u32::try_from(more).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn minute(number: u64) -> Millis {
        Millis(number * MINUTE_MS + 7)
    }

    #[test]
    fn what_was_before_is_not_there() {
        let minutes = Minutes::new(minute(100));
        assert_eq!(minutes.until(minute(100)), [[0, 0]]);
        assert_eq!(minutes.until(minute(102)), [[0, 0]; 3]);
    }

    #[test]
    fn counts_fall_into_their_minute() {
        let mut minutes = Minutes::new(minute(100));
        minutes.add(3, 1, minute(100));
        minutes.add(2, 0, minute(102));
        minutes.add(1, 1, minute(102));
        minutes.add(1, 0, minute(101));
        assert_eq!(minutes.until(minute(103)), [[3, 1], [0, 0], [4, 1], [0, 0]]);
    }

    #[test]
    fn an_hour_is_kept_whatever_happens() {
        let mut minutes = Minutes::new(minute(0));
        for number in 0..200 {
            minutes.add(number, 0, minute(number));
        }
        let kept = minutes.until(minute(199));
        assert_eq!((kept.len(), kept[0], kept[59]), (60, [140, 0], [199, 0]));
        minutes.add(u64::MAX, u64::MAX, minute(u64::MAX / MINUTE_MS - 1));
        let kept = minutes.until(Millis(u64::MAX));
        assert_eq!((kept.len(), kept[0], kept[58]), (60, [0, 0], [u32::MAX, u32::MAX]));
    }
}
