//! JSON that others wrote (RFC 8259), gone over and not read into anything: where values stand, and
//! whether they are JSON. Takes and refuses what `serde_json` does where it skips a value, down to what
//! counts as cut; `tests/scan.rs` compares them.

use super::walk::Walk;

/// Why a text could not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unreadable {
    /// It ends before its value does.
    Cut,
    /// It is no JSON, or another kind of value than was looked for. So is a text that ends within a
    /// number.
    Bad,
}

/// A value as it stands in a text, without the white space around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span<'a>(pub(super) &'a str);

impl<'a> Span<'a> {
    /// The JSON text.
    pub fn get(self) -> &'a str {
        self.0
    }
}

/// The only value of a text.
pub fn value(text: &str) -> Result<Span<'_>, Unreadable> {
    let mut walk = Walk::new(text);
    let value = walk.value()?;
    walk.end()?;
    Ok(value)
}

/// One element of an array that is the only value of a text; the others are not kept, however many.
pub fn element(text: &str, nth: usize) -> Option<Span<'_>> {
    let (mut found, mut at) = (None, 0);
    let mut walk = Walk::new(text);
    let array = walk.array(&mut |walk| {
        let element = walk.value()?;
        if at == nth {
            found = Some(element);
        }
        at += 1;
        Ok(())
    });
    array.and_then(|()| walk.end()).ok()?;
    found
}

/// The elements of an array that is the only value of a text.
pub fn elements(text: &str) -> Result<Vec<Span<'_>>, Unreadable> {
    let mut elements = Vec::new();
    let mut walk = Walk::new(text);
    walk.array(&mut |walk| walk.value().map(|element| elements.push(element)))?;
    walk.end()?;
    Ok(elements)
}
