//! Reading the keys of a table. `None`: left out, or wrong and taken down as such.

use std::ops::RangeInclusive;

use super::table::Table;
use crate::json::Value;

/// Longest time any key takes: one day. Keeps arithmetic on times far from its limits.
pub(super) const MAX_MS: i64 = 86_400_000;

impl Table {
    /// Any text.
    pub(super) fn text(&mut self, key: &str) -> Option<String> {
        if let Value::Text(text) = self.value(key)? {
            return Some(std::mem::take(text));
        }
        self.fail(key, "must be a string");
        None
    }

    /// A text that must be there.
    pub(super) fn required(&mut self, key: &str) -> Option<String> {
        let text = self.text(key);
        if text.is_none() {
            self.fail(key, "is missing");
        }
        text
    }

    /// What a word stands for.
    pub(super) fn word<T: Copy>(&mut self, key: &str, words: &[(&'static str, T)]) -> Option<T> {
        if let Value::Text(text) = self.value(key)?
            && let Some((_, meaning)) = words.iter().find(|(word, _)| word == text)
        {
            return Some(*meaning);
        }
        let words: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        self.fail(key, &format!("must be one of \"{}\"", words.join("\", \"")));
        None
    }

    /// `true` or `false`.
    pub(super) fn flag(&mut self, key: &str) -> Option<bool> {
        if let Value::Flag(flag) = self.value(key)? {
            return Some(*flag);
        }
        self.fail(key, "must be true or false");
        None
    }

    /// A whole number.
    pub(super) fn whole(&mut self, key: &str, range: RangeInclusive<i64>) -> Option<i64> {
        if let Value::Whole(number) = self.value(key)?
            && range.contains(number)
        {
            return Some(*number);
        }
        let (least, most) = range.into_inner();
        self.fail(key, &format!("must be a whole number from {least} to {most}"));
        None
    }

    /// A whole number for which 32 bits are enough.
    pub(super) fn count(&mut self, key: &str, range: RangeInclusive<i64>) -> Option<u32> {
        self.whole(key, range).and_then(|number| number.try_into().ok())
    }

    /// A whole number for which they are not.
    pub(super) fn size(&mut self, key: &str, range: RangeInclusive<i64>) -> Option<u64> {
        self.whole(key, range).and_then(|number| number.try_into().ok())
    }

    /// A time in milliseconds, at least 1 and at most a day.
    pub(super) fn millis(&mut self, key: &str) -> Option<u64> {
        self.size(key, 1..=MAX_MS)
    }

    /// A share above 0 and up to 1.
    pub(super) fn share(&mut self, key: &str) -> Option<f64> {
        let value = self.value(key)?;
        if *value == Value::Whole(1) {
            return Some(1.0);
        }
        if let Value::Real(share) = *value
            && share > 0.0
            && share <= 1.0
        {
            return Some(share);
        }
        self.fail(key, "must be a number above 0 and at most 1");
        None
    }

    /// A list of whatever; empty when left out.
    pub(super) fn list(&mut self, key: &str) -> Vec<Value> {
        let Some(value) = self.value(key) else { return Vec::new() };
        if let Value::List(list) = value {
            return std::mem::take(list);
        }
        self.fail(key, "must be a list");
        Vec::new()
    }

    /// A list of texts; empty when left out.
    pub(super) fn texts(&mut self, key: &str) -> Vec<String> {
        let mut texts = Vec::new();
        for (at, value) in self.list(key).into_iter().enumerate() {
            if let Value::Text(text) = value {
                texts.push(text);
            } else {
                self.fail(&format!("{key}[{at}]"), "must be a string");
            }
        }
        texts
    }

    /// A list of tables; empty when left out.
    pub(super) fn tables(&mut self, key: &str) -> Vec<Table> {
        let path = self.path_of(key);
        let table = |(at, value)| Table::new(format!("{path}[{at}]"), value);
        self.list(key).into_iter().enumerate().map(table).collect()
    }

    /// A table; empty when left out.
    pub(super) fn table(&mut self, key: &str) -> Table {
        let path = self.path_of(key);
        let value = self.value(key).map(|value| std::mem::replace(value, Value::Null));
        Table::new(path, value.unwrap_or(Value::Table(Vec::new())))
    }
}
