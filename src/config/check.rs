//! The checks that many keys share. Each says the rule, never the value.

use std::fmt::Display;
use std::ops::RangeInclusive;

use super::remark::{Reading, Remark};

/// Longest time any key takes: one day. Keeps arithmetic on times far from its limits.
pub(super) const MAX_MS: u64 = 86_400_000;

/// The number, when `range` holds it.
pub(super) fn within<T: Copy + PartialOrd + Display>(
    key: &str,
    value: T,
    range: RangeInclusive<T>,
) -> Reading<T> {
    if range.contains(&value) {
        return Ok(value);
    }
    Err(Remark::at(key, format!("must be from {} to {}", range.start(), range.end())))
}

/// A time of at least 1 ms.
pub(super) fn millis(key: &str, value: u64) -> Reading<u64> {
    within(key, value, 1..=MAX_MS)
}

/// The value that a word stands for.
pub(super) fn word<T: Copy>(key: &str, value: &str, words: &[(&'static str, T)]) -> Reading<T> {
    if let Some((_, meaning)) = words.iter().find(|(word, _)| *word == value) {
        return Ok(*meaning);
    }
    let known: Vec<String> = words.iter().map(|(word, _)| format!("\"{word}\"")).collect();
    Err(Remark::at(key, format!("must be one of {}", known.join(", "))))
}

/// The value of a key that must be there.
pub(super) fn required<T>(key: &str, value: Option<T>) -> Reading<T> {
    value.ok_or_else(|| Remark::at(key, "is missing"))
}
