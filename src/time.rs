//! Time as an argument. The core never reads a clock: whoever calls it passes a [`Millis`].

/// A moment: milliseconds since the Unix epoch, as the isolate's clock shows them.
///
/// Workers' clocks move only on I/O and differ a little between isolates, so arithmetic
/// saturates instead of assuming order. Durations are plain `u64` in names that end in `_ms`.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Millis(pub u64);

impl Millis {
    /// The moment `duration_ms` later.
    #[must_use]
    pub fn plus(self, duration_ms: u64) -> Self {
        Self(self.0.saturating_add(duration_ms))
    }

    /// How many milliseconds have passed since `earlier`; 0 when the clock went backwards.
    pub fn since(self, earlier: Self) -> u64 {
        self.0.saturating_sub(earlier.0)
    }

    /// Whole seconds from now until this moment, rounded up, at least 1: for `Retry-After`.
    pub fn seconds_from(self, now: Self) -> u64 {
        self.since(now).div_ceil(1000).max(1)
    }
}
