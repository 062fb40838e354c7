//! A form as lines of text, one a field, an empty line for what is not there. A later version may add
//! lines at the end: who does not know them passes them over, who misses them takes them for empty.
//!
//! No JSON, since derived readers of so few fields weigh more than all else about payments.

use std::str::Lines as Split;

/// A form being read.
pub(super) struct Lines<'a>(Split<'a>);

impl<'a> Lines<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        Self(text.lines())
    }

    /// Text; `None` where there is none.
    pub(super) fn text(&mut self) -> Option<String> {
        self.0.next().filter(|line| !line.is_empty()).map(str::to_owned)
    }

    /// A number; `None` where there is none, or it cannot be read.
    pub(super) fn number(&mut self) -> Option<u64> {
        self.0.next()?.parse().ok()
    }

    pub(super) fn flag(&mut self) -> bool {
        self.0.next() == Some("yes")
    }

    /// What a word stands for.
    pub(super) fn word<T: Copy>(&mut self, words: &[(T, &str)]) -> Option<T> {
        let line = self.0.next()?;
        words.iter().find(|(_, word)| *word == line).map(|(meaning, _)| *meaning)
    }
}

/// A form being written.
#[derive(Default)]
pub(super) struct Sheet(String);

impl Sheet {
    /// Adds text. A line break in it would be two fields: what has one is left out.
    pub(super) fn text(mut self, text: Option<&str>) -> Self {
        self.0.push_str(text.filter(|text| !text.contains(['\n', '\r'])).unwrap_or_default());
        self.0.push('\n');
        self
    }

    pub(super) fn number(self, number: Option<u64>) -> Self {
        self.text(number.map(|number| number.to_string()).as_deref())
    }

    pub(super) fn flag(self, flag: bool) -> Self {
        self.text(flag.then_some("yes"))
    }

    pub(super) fn word<T: PartialEq>(self, word: &T, words: &[(T, &str)]) -> Self {
        self.text(words.iter().find(|(meaning, _)| meaning == word).map(|(_, word)| *word))
    }

    pub(super) fn done(self) -> String {
        self.0
    }
}
