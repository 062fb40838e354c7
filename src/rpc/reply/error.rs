//! The error of an answer, in whatever form it came.

use std::borrow::Cow;

use super::{number, string};
use crate::json::scan::Span;
use crate::json::{self, Maybe, Raw, members};

/// An error as an upstream sent it. Code and message are read leniently, nothing else is read.
#[derive(Debug, Clone)]
pub struct ErrorObject<'a> {
    /// The code, if it is a whole number: `-32005`, `-32005.0` or `"-32005"`.
    pub code: Option<i64>,
    /// The code, if it is a word: `"RATE_LIMITED"`.
    pub word: Option<Cow<'a, str>>,
    /// The message, or what stands in its place as `msg` or `details`; JSON text when it is not a
    /// string, `None` when missing or `null`.
    pub message: Option<Cow<'a, str>>,
    /// `data` as sent; `None` when missing or `null`.
    pub data: Option<Span<'a>>,
    /// The `error` member as sent; `None` when the body itself was the error object.
    pub raw: Option<Span<'a>>,
}

const NAMES: [&str; 5] = ["code", "message", "msg", "details", "data"];

impl<'a> ErrorObject<'a> {
    /// Reads the `error` member: an object with a code or a message, or a string.
    pub(super) fn from_member(raw: Span<'a>) -> Option<Self> {
        if raw.get().starts_with('"') {
            let message = Some(text(raw));
            return Some(Self { code: None, word: None, message, data: None, raw: Some(raw) });
        }
        let [code, message, msg, details, data] =
            members::strict(raw.get(), NAMES)?.map(members::given);
        let error = Self::new(code, message.or(msg).or(details))?;
        Some(Self { data, raw: Some(raw), ..error })
    }

    /// Reads a body that is itself the error object: `{"code":…,"message":"…"}`.
    pub(super) fn from_bare(code: Option<Span<'a>>, message: Option<Span<'a>>) -> Option<Self> {
        let message = message.filter(|message| message.get().starts_with('"'))?;
        Self::new(Some(code?), Some(message))
    }

    fn new(code: Option<Span<'a>>, message: Option<Span<'a>>) -> Option<Self> {
        code.or(message)?;
        let number = code.and_then(whole);
        let word = code.filter(|_| number.is_none()).map(text);
        Some(Self { code: number, word, message: message.map(text), data: None, raw: None })
    }

    /// Whether the error came as an object rather than a bare string.
    pub(super) fn is_object(&self) -> bool {
        self.raw.is_none_or(|raw| raw.get().starts_with('{'))
    }

    /// The error as every client can read it: an object with an integer `code` and a string
    /// `message`. The bytes as sent when they are that already; −32000 stands in for a code that
    /// is missing or no number.
    pub fn legal(&self) -> Cow<'a, str> {
        match self.raw {
            Some(raw) if is_legal(raw) => Cow::Borrowed(raw.get()),
            _ => Cow::Owned(self.rebuilt()),
        }
    }

    fn rebuilt(&self) -> String {
        let message = self.message.as_deref().or(self.word.as_deref()).unwrap_or_default();
        let code = self.code.unwrap_or(-32000);
        let data = Maybe(self.data.map(|data| Raw(data.get())));
        json::object(&[("code", &code), ("message", &message), ("data", &data)])
    }
}

fn is_legal(raw: Span<'_>) -> bool {
    members::strict(raw.get(), NAMES).is_some_and(|[code, message, ..]| {
        code.is_some_and(|code| code.get().parse::<i64>().is_ok())
            && message.is_some_and(|message| message.get().starts_with('"'))
    })
}

/// A whole number, also as a float without a fraction or in a string.
fn whole(raw: Span<'_>) -> Option<i64> {
    let text = raw.get().trim_matches('"');
    text.parse().ok().or_else(|| float_as_whole(number(text)?))
}

#[expect(clippy::cast_possible_truncation, reason = "whole and well inside the range")]
fn float_as_whole(number: f64) -> Option<i64> {
    (number.fract() == 0.0 && number.abs() < 1e15).then_some(number as i64)
}

/// A string's value; for anything else, and for a string that cannot be decoded, its JSON text.
fn text(raw: Span<'_>) -> Cow<'_, str> {
    string(raw.get()).unwrap_or(Cow::Borrowed(raw.get()))
}
