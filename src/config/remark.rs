//! One sentence about one key. It grows its path on the way out and ends as a fault or a notice.

use std::borrow::Cow;
use std::fmt;

/// A key's path and what is to be said about it. Never holds a configured value: faults are shown
/// in public, and a value may be a URL or a key that was pasted into the wrong place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Remark {
    path: String,
    text: Cow<'static, str>,
}

impl Remark {
    /// About `path`, relative to the table at hand; empty for the table itself.
    pub(super) fn at(path: impl Into<String>, text: impl Into<Cow<'static, str>>) -> Self {
        Self { path: path.into(), text: text.into() }
    }

    /// The same, seen from one table further out.
    pub(super) fn under(mut self, parent: &str) -> Self {
        let joint = if self.path.is_empty() || self.path.starts_with('[') { "" } else { "." };
        self.path = format!("{parent}{joint}{}", self.path);
        self
    }
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.text)
    }
}

/// What reading a part of the configuration gives.
pub(super) type Reading<T> = Result<T, Remark>;

/// [`Remark::under`] for results.
pub(super) trait Under {
    /// The same, its error seen from one table further out.
    fn under(self, parent: &str) -> Self;
}

impl<T> Under for Reading<T> {
    fn under(self, parent: &str) -> Self {
        self.map_err(|remark| remark.under(parent))
    }
}

/// A key or a variable's name as it may be shown: itself, or `?` when it does not look like one.
pub(super) fn shown(key: &str) -> &str {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-.* ".contains(c);
    if key.len() <= 64 && key.chars().all(plain) { key } else { "?" }
}
