//! Reads an upstream's body without judging it.
//!
//! One pass over the bytes, everything borrowed. The reader refuses nothing that a verdict could
//! still be made of: unknown members, a missing `jsonrpc`, a numeric string as code, an `error`
//! that is a bare string. What it found is a [`Body`]; what that means is `verdict`'s to say.

mod error;
pub mod excerpt;
mod id;
mod item;
mod pick;

pub use error::ErrorObject;
pub use id::ids_match;
pub use pick::Picker;

pub(crate) use super::call::string;
use crate::json::scan::{Span, Unreadable};
use crate::json::{utf8, valid};

/// An upstream's body.
#[derive(Debug, Clone)]
pub enum Body<'a> {
    /// Nothing, or white space only.
    Empty,
    /// Begins like a web page.
    Html,
    /// JSON that stops before its end.
    Cut,
    /// Not JSON: words, garbage, bytes that are not UTF-8, or JSON with something behind it.
    Text,
    /// JSON, but nothing of JSON-RPC.
    Foreign,
    /// One answer.
    One(Answer<'a>),
    /// An array, in the order sent.
    Many(Vec<Item<'a>>),
}

/// One element of an array.
#[derive(Debug, Clone)]
pub enum Item<'a> {
    /// An answer.
    Answer(Answer<'a>),
    /// `null` in place of an answer.
    Null,
    /// JSON, but nothing of JSON-RPC.
    Foreign,
}

/// One JSON-RPC answer.
#[derive(Debug, Clone)]
pub struct Answer<'a> {
    /// `id` as sent; `None` when the member is missing or `null`.
    pub id: Option<Span<'a>>,
    /// What it says.
    pub said: Said<'a>,
}

/// What an answer says.
#[derive(Debug, Clone)]
pub enum Said<'a> {
    /// A result, `null` included: the bytes as sent.
    Result(Span<'a>),
    /// An error.
    Error(ErrorObject<'a>),
    /// Neither, both, one of them twice, or an error with nothing in it.
    Malformed,
}

impl<'a> Body<'a> {
    /// Reads a decoded body. A byte-order mark and white space around the JSON are skipped.
    pub fn read(bytes: &'a [u8]) -> Self {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let Some(text) = utf8(bytes) else { return Self::Text };
        let text = text.trim_ascii();
        match text.bytes().next() {
            None => Self::Empty,
            Some(b'<') => Self::Html,
            Some(b'{') => item::object(text).map_or_else(unreadable, Self::lone),
            Some(b'[') => item::array(text).map_or_else(unreadable, Self::several),
            Some(_) if valid(text) => Self::Foreign,
            Some(_) => Self::Text,
        }
    }

    fn several(items: Option<Vec<Item<'a>>>) -> Self {
        items.map_or(Self::Foreign, Self::Many)
    }

    fn lone(item: Item<'a>) -> Self {
        match item {
            Item::Answer(answer) => Self::One(answer),
            Item::Null | Item::Foreign => Self::Foreign,
        }
    }
}

fn unreadable<'a>(why: Unreadable) -> Body<'a> {
    match why {
        Unreadable::Cut => Body::Cut,
        Unreadable::Bad => Body::Text,
    }
}

/// The value of a JSON number.
pub(crate) fn number(json: &str) -> Option<f64> {
    serde_json::from_str(json).ok()
}
