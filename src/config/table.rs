//! A table that is read key by key. It remembers what is wrong with it, so that those who read can
//! go straight through: a key that cannot be read gives its default, and [`Table::finish`] tells.
//!
//! No sentence holds a configured value: faults are shown in public, and a value may be a URL or a
//! key that was pasted into the wrong place.

use crate::json::Value;

/// One table and its place in the configuration.
pub(super) struct Table {
    path: String,
    entries: Vec<Entry>,
    fault: Option<String>,
}

struct Entry {
    key: String,
    value: Value,
    read: bool,
}

impl Table {
    /// The table at `path`.
    pub(super) fn new(path: impl Into<String>, value: Value) -> Self {
        let mut table = Self { path: path.into(), entries: Vec::new(), fault: None };
        let Value::Table(entries) = value else {
            table.fail("", "must be a table");
            return table;
        };
        for (key, value) in entries {
            if table.entries.iter().any(|entry| entry.key == key) {
                table.fail(&key, "is given twice");
            } else {
                table.entries.push(Entry { key, value, read: false });
            }
        }
        table
    }

    /// Takes down what is wrong with `key` (empty: with the table itself), unless something is
    /// already. `key` may have an index behind it.
    pub(super) fn fail(&mut self, key: &str, why: &str) {
        if self.fault.is_none() {
            self.fault = Some(format!("{}: {why}", self.path_of(key)));
        }
    }

    /// The result, or a default once `key` is taken down as wrong.
    pub(super) fn judge<T: Default>(&mut self, key: &str, result: Result<T, &'static str>) -> T {
        result.unwrap_or_else(|why| {
            self.fail(key, why);
            T::default()
        })
    }

    /// What was read from a table within this one; its fault becomes this one's.
    pub(super) fn adopt<T>(&mut self, inner: Result<T, String>) -> Option<T> {
        inner.map_err(|fault| self.fault.get_or_insert(fault)).ok()
    }

    /// The sentence about this table if anything is wrong: about a key that nobody read, else the
    /// first that was taken down.
    pub(super) fn finish(self) -> Result<(), String> {
        match (self.entries.iter().find(|entry| !entry.read), &self.fault) {
            (Some(entry), _) => Err(format!("{}: is not a known key", self.path_of(&entry.key))),
            (None, Some(fault)) => Err(fault.clone()),
            (None, None) => Ok(()),
        }
    }

    /// Full path of a key of this table.
    pub(super) fn path_of(&self, key: &str) -> String {
        if key.is_empty() {
            return self.path.clone();
        }
        format!("{}.{}", self.path, shown(key))
    }

    /// The value of `key`, which counts as read from now on.
    pub(super) fn value(&mut self, key: &str) -> Option<&mut Value> {
        let entry = self.entries.iter_mut().find(|entry| entry.key == key)?;
        entry.read = true;
        Some(&mut entry.value)
    }

    /// All keys, for tables whose keys are free.
    pub(super) fn keys(&self) -> Vec<String> {
        self.entries.iter().map(|entry| entry.key.clone()).collect()
    }
}

/// A key or a variable's name as it may be shown: itself, or `?` when it does not look like one.
pub(super) fn shown(key: &str) -> &str {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-.*[] ".contains(c);
    if key.len() <= 64 && key.chars().all(plain) { key } else { "?" }
}
