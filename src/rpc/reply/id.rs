//! Whether an answer's id is the request's.

use std::borrow::Cow;

use super::{number, string};

enum Id<'a> {
    Null,
    Number(&'a str),
    Text(Cow<'a, str>),
}

impl<'a> Id<'a> {
    fn read(json: &'a str) -> Option<Self> {
        match json.bytes().next()? {
            b'n' => Some(Self::Null),
            b'"' => string(json).map(Self::Text),
            _ => Some(Self::Number(json)),
        }
    }
}

/// Whether two ids, as JSON text, have the same value: `1` and `1.0`, a huge integer and its
/// rounded exponent form, `"\u00e9"` and `"é"`. Gateways that turn `1` into `"1"` or back are
/// forgiven, so a batch must look for an exact match first.
pub fn ids_match(request_id: &str, answer_id: &str) -> bool {
    let (request_id, answer_id) = (request_id.trim_ascii(), answer_id.trim_ascii());
    if request_id == answer_id {
        return true;
    }
    match (Id::read(request_id), Id::read(answer_id)) {
        (Some(Id::Null), Some(Id::Null)) => true,
        (Some(Id::Number(a)), Some(Id::Number(b))) => same_number(a, b),
        (Some(Id::Text(a)), Some(Id::Text(b))) => a == b,
        (Some(Id::Text(text)), Some(Id::Number(number)))
        | (Some(Id::Number(number)), Some(Id::Text(text))) => text == number,
        _ => false,
    }
}

/// Equal as doubles, which is how most JSON readers hold numbers.
#[expect(clippy::float_cmp, reason = "the same value, not nearly the same")]
fn same_number(a: &str, b: &str) -> bool {
    number(a).zip(number(b)).is_some_and(|(a, b)| a == b)
}
