//! Lines of the text format.

use crate::json::ToJson;

/// A sample's value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Number {
    /// A count.
    Whole(u64),
    /// Milliseconds, written as seconds: a duration, or a moment since 1970.
    Millis(u64),
    /// A share.
    Real(f64),
}

/// The samples of one metric.
pub(super) struct Lines<'o> {
    out: &'o mut String,
    name: &'static str,
    /// Labels that every sample has, as text.
    labels: String,
}

impl<'o> Lines<'o> {
    pub(super) fn new(name: &'static str, out: &'o mut String) -> Self {
        Self { out, name, labels: String::new() }
    }

    /// Gives every sample from here on one label more.
    pub(super) fn label(&mut self, name: &str, value: &str) {
        pair(&mut self.labels, name, value);
    }

    /// Adds samples that all have one label more.
    pub(super) fn with(&mut self, name: &str, value: &str, add: impl FnOnce(&mut Self)) {
        let before = self.labels.len();
        self.label(name, value);
        add(self);
        self.labels.truncate(before);
    }

    /// Adds a sample, if there is one.
    pub(super) fn add_known(&mut self, number: Option<Number>) {
        if let Some(number) = number {
            self.add("", &[], number);
        }
    }

    /// Adds a sample with further labels; `suffix` stands behind the metric's name.
    pub(super) fn add(&mut self, suffix: &str, more: &[(&str, &str)], number: Number) {
        let before = self.labels.len();
        for (name, value) in more {
            self.label(name, value);
        }
        for part in [self.name, suffix, "{", &self.labels, "} "] {
            self.out.push_str(part);
        }
        number.write(self.out);
        self.out.push('\n');
        self.labels.truncate(before);
    }
}

fn pair(labels: &mut String, name: &str, value: &str) {
    if !labels.is_empty() {
        labels.push(',');
    }
    labels.push_str(name);
    labels.push_str("=\"");
    for char in value.chars() {
        match char {
            '\\' => labels.push_str("\\\\"),
            '"' => labels.push_str("\\\""),
            '\n' => labels.push_str("\\n"),
            plain => labels.push(plain),
        }
    }
    labels.push('"');
}

impl Number {
    /// 1 where it is so, else 0.
    pub(super) fn flag(so: bool) -> Self {
        Self::Whole(so.into())
    }

    pub(super) fn write(self, out: &mut String) {
        match self {
            Self::Whole(count) => count.write(out),
            Self::Millis(ms) => {
                (ms / 1000).write(out);
                let thousandths = ms % 1000;
                if thousandths > 0 {
                    // The leading 1 keeps the zeros behind it.
                    let digits = (1000 + thousandths).to_string();
                    out.push('.');
                    out.push_str(
                        digits.strip_prefix('1').unwrap_or_default().trim_end_matches('0'),
                    );
                }
            }
            Self::Real(share) => share.write(out),
        }
    }
}
