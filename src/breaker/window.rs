//! Attempts and failures over the last `trip_window_ms`, in six slots that overwrite each other.

use crate::time::Millis;

const SLOTS: usize = 6;

/// A sliding window of counts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Window {
    slots: [Slot; SLOTS],
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Slot {
    tick: u64,
    attempts: u32,
    failures: u32,
}

/// The number of the slot-long stretch of time that `now` lies in.
fn tick(now: Millis, window_ms: u64) -> u64 {
    now.0 / (window_ms / SLOTS as u64).max(1)
}

impl Window {
    pub(crate) fn add(&mut self, now: Millis, window_ms: u64, failed: bool) {
        let tick = tick(now, window_ms);
        let place = usize::try_from(tick % SLOTS as u64).unwrap_or_default();
        let Some(slot) = self.slots.get_mut(place) else {
            return;
        };
        if slot.tick != tick {
            *slot = Slot { tick, ..Slot::default() };
        }
        slot.attempts = slot.attempts.saturating_add(1);
        slot.failures = slot.failures.saturating_add(u32::from(failed));
    }

    /// Attempts and failures still inside the window.
    pub(crate) fn counts(&self, now: Millis, window_ms: u64) -> (u32, u32) {
        let tick = tick(now, window_ms);
        self.slots
            .iter()
            .filter(|slot| tick.saturating_sub(slot.tick) < SLOTS as u64)
            .fold((0, 0), |(a, f), slot| (a + slot.attempts, f + slot.failures))
    }

    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_counts_leave() {
        let mut window = Window::default();
        window.add(Millis(1_000_000), 30_000, true);
        window.add(Millis(1_010_000), 30_000, false);
        assert_eq!(window.counts(Millis(1_010_000), 30_000), (2, 1));
        assert_eq!(window.counts(Millis(1_030_000), 30_000), (1, 0));
        assert_eq!(window.counts(Millis(1_090_000), 30_000), (0, 0));
    }
}
