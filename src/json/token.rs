//! Lengths of the smallest parts of JSON, at the beginning of a text.

use super::scan::Unreadable::{self, Bad, Cut};

/// Whether JSON may have it around its values: fewer than what is white in ASCII.
pub(crate) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\t' | b'\r')
}

/// White space, if any.
pub(super) fn space(text: &[u8]) -> usize {
    text.iter().take_while(|byte| is_space(**byte)).count()
}

/// A text without JSON's white space before it.
pub(crate) fn trim_start(text: &[u8]) -> &[u8] {
    text.get(space(text)..).unwrap_or_default()
}

/// A text without JSON's white space around it.
pub(crate) fn trim(text: &[u8]) -> &[u8] {
    let text = trim_start(text);
    let end = text.iter().rposition(|byte| !is_space(*byte)).map_or(0, |last| last + 1);
    text.get(..end).unwrap_or_default()
}

/// A number or a word.
pub(super) fn scalar(text: &[u8]) -> Result<usize, Unreadable> {
    match text.first() {
        Some(b'-' | b'0'..=b'9') => number(text).ok_or(Bad),
        Some(b't') => word(text, b"true"),
        Some(b'f') => word(text, b"false"),
        Some(b'n') => word(text, b"null"),
        Some(_) => Err(Bad),
        None => Err(Cut),
    }
}

fn word(text: &[u8], word: &[u8]) -> Result<usize, Unreadable> {
    match text.get(..word.len()) {
        Some(begin) if begin == word => Ok(word.len()),
        None if word.starts_with(text) => Err(Cut),
        Some(_) | None => Err(Bad),
    }
}

/// `None` also when the text ends within the number.
fn number(text: &[u8]) -> Option<usize> {
    let digits_at = text.strip_prefix(b"-").unwrap_or(text);
    let mut rest = match digits_at {
        [b'0', b'0'..=b'9', ..] => return None,
        _ => digits(digits_at)?,
    };
    if let Some(fraction) = rest.strip_prefix(b".") {
        rest = digits(fraction)?;
    }
    if let [b'e' | b'E', exponent @ ..] = rest {
        let sign = usize::from(matches!(exponent, [b'+' | b'-', ..]));
        rest = digits(exponent.get(sign..)?)?;
    }
    Some(text.len() - rest.len())
}

/// What stands behind the digits; there must be some.
fn digits(text: &[u8]) -> Option<&[u8]> {
    let count = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    text.get(count..).filter(|_| count > 0)
}

/// A backslash and what belongs to it. Halves of surrogate pairs are let be.
pub(super) fn escape(text: &[u8]) -> Result<usize, Unreadable> {
    match text {
        [b'\\', b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't', ..] => Ok(2),
        [b'\\', b'u', digits @ ..] => {
            let digits = digits.get(..4).ok_or(Cut)?;
            if digits.iter().all(u8::is_ascii_hexdigit) { Ok(2 + digits.len()) } else { Err(Bad) }
        }
        [_, _, ..] => Err(Bad),
        [] | [_] => Err(Cut),
    }
}
