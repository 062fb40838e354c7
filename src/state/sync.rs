//! When an isolate talks to the region's object: driven by traffic, never by a timer, and never in
//! the way of a request.

use crate::time::Millis;

/// Between hand-ins while all is well.
const CALM_MS: u64 = 15_000;
/// Between hand-ins while any endpoint is not well.
const TROUBLED_MS: u64 = 5_000;
/// A trip or recovery of the isolate's own is handed in at once, but not more often than this.
const DEBOUNCE_MS: u64 = 1_000;
/// An older snapshot is not served from: the isolate is cold again.
pub const SNAPSHOT_MAX_AGE_MS: u64 = 60_000;
/// How long a hand-in may take before the isolate goes on alone.
pub const TIMEOUT_MS: u64 = 2_000;

/// An isolate's memory of its hand-ins for one route.
#[derive(Debug, Clone, Copy, Default)]
pub struct Schedule {
    started: Option<Millis>,
    running: bool,
    answered: Option<Millis>,
    read: Option<Millis>,
    news: bool,
    written: bool,
    told: Option<Millis>,
}

impl Schedule {
    /// Whether the isolate has no snapshot fresh enough to choose by.
    pub fn cold(&self, now: Millis) -> bool {
        self.answered.is_none_or(|at| now.since(at) > SNAPSHOT_MAX_AGE_MS)
    }

    /// Something changed that the region should hear at once.
    pub fn note_news(&mut self) {
        self.news = true;
    }

    /// A transaction was accepted: other isolates' readers should know where.
    pub fn note_write(&mut self) {
        self.written = true;
    }

    /// Whether an accepted transaction is a reason for a hand-in now: at once, then once a second.
    pub fn write_due(&self, now: Millis) -> bool {
        self.written && self.free(now) && self.told.is_none_or(|at| now.since(at) >= DEBOUNCE_MS)
    }

    /// Whether no hand-in is under way, unless it was lost.
    fn free(&self, now: Millis) -> bool {
        !self.running || self.started.is_none_or(|at| now.since(at) > 2 * TIMEOUT_MS)
    }

    /// Whether a hand-in should start now.
    pub fn due(&self, now: Millis, troubled: bool) -> bool {
        let Some(started) = self.started else {
            return true;
        };
        let pause = match (self.news, troubled) {
            (true, _) => DEBOUNCE_MS,
            (false, true) => TROUBLED_MS,
            (false, false) => CALM_MS,
        };
        self.write_due(now) || (self.free(now) && now.since(started) >= pause)
    }

    /// Whether reading the status hands in first, which it does once a second, whatever traffic
    /// does: who has just made requests should see their effect.
    pub fn read_due(&mut self, now: Millis) -> bool {
        let due = self.read.is_none_or(|at| now.since(at) >= DEBOUNCE_MS);
        if due {
            self.read = Some(now);
        }
        due
    }

    /// A snapshot came by another way.
    pub fn heard(&mut self, now: Millis) {
        self.answered = Some(now);
    }

    /// A hand-in starts.
    pub fn start(&mut self, now: Millis) {
        self.started = Some(now);
        self.running = true;
        self.news = false;
        if std::mem::take(&mut self.written) {
            self.told = Some(now);
        }
    }

    /// It ended; `answered` when a snapshot came back.
    pub fn end(&mut self, now: Millis, answered: bool) {
        self.running = false;
        if answered {
            self.answered = Some(now);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const T0: Millis = Millis(1_000_000);

    fn synced() -> Schedule {
        let mut schedule = Schedule::default();
        schedule.start(T0);
        schedule.end(T0, true);
        schedule
    }

    #[test]
    fn a_fresh_isolate_is_cold_and_due() {
        let schedule = Schedule::default();
        assert!(schedule.cold(T0) && schedule.due(T0, false));
    }

    #[test]
    fn pauses_follow_the_weather() {
        let mut schedule = synced();
        assert!(!schedule.due(T0.plus(14_999), false) && schedule.due(T0.plus(15_000), false));
        assert!(!schedule.due(T0.plus(4_999), true) && schedule.due(T0.plus(5_000), true));
        schedule.note_news();
        assert!(!schedule.due(T0.plus(999), false) && schedule.due(T0.plus(1_000), false));
    }

    #[test]
    fn one_at_a_time_but_a_lost_one_does_not_block_for_ever() {
        let mut schedule = synced();
        schedule.start(T0.plus(15_000));
        schedule.note_news();
        assert!(!schedule.due(T0.plus(18_999), true));
        assert!(schedule.due(T0.plus(19_001), true));
    }

    #[test]
    fn a_write_is_handed_in_at_once_and_then_once_a_second() {
        let mut schedule = synced();
        schedule.note_write();
        assert!(schedule.due(T0.plus(1), false) && schedule.write_due(T0.plus(1)));
        schedule.start(T0.plus(1));
        schedule.note_write();
        assert!(!schedule.due(T0.plus(2), false), "one is under way");
        schedule.end(T0.plus(2), true);
        assert!(!schedule.due(T0.plus(1_000), false) && schedule.due(T0.plus(1_001), false));
    }

    #[test]
    fn a_reader_hands_in_once_a_second_whatever_traffic_does() {
        let mut schedule = synced();
        assert!(schedule.read_due(T0) && !schedule.read_due(T0.plus(999)));
        assert!(schedule.read_due(T0.plus(1_000)));
    }

    #[test]
    fn a_snapshot_ages_out() {
        let schedule = synced();
        assert!(!schedule.cold(T0.plus(60_000)) && schedule.cold(T0.plus(60_001)));
        let mut failed = synced();
        failed.start(T0.plus(50_000));
        failed.end(T0.plus(52_000), false);
        assert!(failed.cold(T0.plus(61_000)), "a failed hand-in brings no snapshot");
    }
}
