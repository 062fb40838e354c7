//! A place in a text of JSON and the steps from there: behind a value, through an object or an array.

#![expect(clippy::inline_always, reason = "optimised for size, the compiler would not")]

use std::borrow::Cow;

use super::marks::Marks;
use super::nest::{Kind, Nest};
use super::scan::Span;
use super::scan::Unreadable::{self, Bad, Cut};
use super::token;

/// A place in a text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Walk<'a> {
    text: &'a str,
    at: usize,
    marks: Marks,
}

impl<'a> Walk<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0, marks: Marks::default() }
    }

    /// Passes a value.
    #[inline(always)]
    pub(super) fn value(&mut self) -> Result<Span<'a>, Unreadable> {
        self.pass_space();
        let start = self.at;
        self.pass_value()?;
        Ok(self.since(start))
    }

    /// Passes an object and hands over its members; names with escapes are decoded.
    #[inline(always)]
    pub(super) fn object(
        &mut self,
        mut each: impl FnMut(Cow<'a, str>, Span<'a>),
    ) -> Result<(), Unreadable> {
        self.pass_sequence(Kind::Object, |walk| {
            let name = walk.name()?;
            walk.expect(b':')?;
            each(name, walk.value()?);
            Ok(())
        })
    }

    /// Passes an array; `each` has to pass an element.
    pub(super) fn array(
        &mut self,
        each: &mut dyn FnMut(&mut Self) -> Result<(), Unreadable>,
    ) -> Result<(), Unreadable> {
        self.pass_sequence(Kind::Array, each)
    }

    /// That nothing but white space is left.
    pub(super) fn end(&mut self) -> Result<(), Unreadable> {
        if self.begins().is_none() { Ok(()) } else { Err(Bad) }
    }

    /// What comes next behind white space, which is passed.
    #[inline(always)]
    pub(super) fn begins(&mut self) -> Option<u8> {
        self.pass_space();
        self.peek()
    }

    /// The place, for [`Self::since`] and [`Self::back_to`].
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Goes to a place where it has been.
    pub(super) fn back_to(&mut self, at: usize) {
        *self = Self { at, ..Self::new(self.text) };
    }

    /// What was passed since then.
    #[inline(always)]
    pub(super) fn since(&self, start: usize) -> Span<'a> {
        Span(self.text.get(start..self.at).unwrap_or_default())
    }

    #[inline(always)]
    fn pass_sequence(
        &mut self,
        kind: Kind,
        mut each: impl FnMut(&mut Self) -> Result<(), Unreadable>,
    ) -> Result<(), Unreadable> {
        self.expect(kind.begin())?;
        if self.takes(kind.end()) {
            return Ok(());
        }
        loop {
            each(self)?;
            match self.next()? {
                b',' => {}
                byte if byte == kind.end() => return Ok(()),
                _ => return Err(Bad),
            }
        }
    }

    /// Passes what begins right here, of any depth. It moves a copy, which the compiler can keep in
    /// registers.
    #[inline(never)]
    fn pass_value(&mut self) -> Result<(), Unreadable> {
        let mut walk = *self;
        let mut nest = Nest::default();
        loop {
            match walk.begins().ok_or(Cut)? {
                b'"' => walk.pass_string()?,
                b'{' => {
                    if walk.opens(&mut nest, Kind::Object)? {
                        continue;
                    }
                }
                b'[' => {
                    if walk.opens(&mut nest, Kind::Array)? {
                        continue;
                    }
                }
                _ => walk.at += token::scalar(walk.rest())?,
            }
            loop {
                let Some(kind) = nest.innermost() else {
                    self.at = walk.at;
                    self.marks = walk.marks;
                    return Ok(());
                };
                match walk.next()? {
                    b',' => {
                        walk.pass_name(kind)?;
                        break;
                    }
                    byte if byte == kind.end() => nest.close(),
                    _ => return Err(Bad),
                }
            }
        }
    }

    /// Passes a bracket that opens something, and all of it if it is empty: then it is not open.
    #[inline(always)]
    fn opens(&mut self, nest: &mut Nest, kind: Kind) -> Result<bool, Unreadable> {
        self.at += 1;
        if self.takes(kind.end()) {
            return Ok(false);
        }
        nest.open(kind);
        self.pass_name(kind)?;
        Ok(true)
    }

    /// What stands before a value.
    #[inline(always)]
    fn pass_name(&mut self, within: Kind) -> Result<(), Unreadable> {
        if within == Kind::Object {
            if self.begins().ok_or(Cut)? != b'"' {
                return Err(Bad);
            }
            self.pass_string()?;
            self.expect(b':')?;
        }
        Ok(())
    }

    /// Passes a string whose quote comes next.
    #[inline(always)]
    fn pass_string(&mut self) -> Result<(), Unreadable> {
        self.at += 1;
        loop {
            self.pass_letters();
            match self.peek().ok_or(Cut)? {
                b'"' => break,
                b'\\' => self.at += token::escape(self.rest())?,
                _ => return Err(Bad),
            }
        }
        self.at += 1;
        Ok(())
    }

    #[inline(always)]
    fn pass_letters(&mut self) {
        self.at = self.marks.next(self.text.as_bytes(), self.at);
    }

    #[inline(always)]
    fn name(&mut self) -> Result<Cow<'a, str>, Unreadable> {
        if self.begins().ok_or(Cut)? != b'"' {
            return Err(Bad);
        }
        let quote = self.at;
        self.at += 1;
        let start = self.at;
        self.pass_letters();
        let name = self.since(start);
        if self.peek() == Some(b'"') {
            self.at += 1;
            return Ok(Cow::Borrowed(name.get()));
        }
        let (name, length) = decoded(self.text.get(quote..).unwrap_or_default())?;
        self.at = quote + length;
        Ok(Cow::Owned(name))
    }

    #[inline(always)]
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    #[inline(always)]
    fn rest(&self) -> &'a [u8] {
        self.text.as_bytes().get(self.at..).unwrap_or_default()
    }

    #[inline(always)]
    fn pass_space(&mut self) {
        if self.peek().is_some_and(|byte| byte <= b' ') {
            self.at += token::space(self.rest());
        }
    }

    /// Passes the next byte behind white space, whatever it is.
    #[inline(always)]
    fn next(&mut self) -> Result<u8, Unreadable> {
        let byte = self.begins().ok_or(Cut)?;
        self.at += 1;
        Ok(byte)
    }

    #[inline(always)]
    fn expect(&mut self, wanted: u8) -> Result<(), Unreadable> {
        if self.next()? == wanted { Ok(()) } else { Err(Bad) }
    }

    /// Passes this byte, if it comes next.
    #[inline(always)]
    fn takes(&mut self, wanted: u8) -> bool {
        let comes = self.begins() == Some(wanted);
        self.at += usize::from(comes);
        comes
    }
}

/// A string with escapes, decoded, and its length in the text that begins with it; half of a surrogate
/// pair is refused.
#[cold]
fn decoded(text: &str) -> Result<(String, usize), Unreadable> {
    let mut strings = serde_json::Deserializer::from_str(text).into_iter();
    match strings.next() {
        Some(Ok(string)) => Ok((string, strings.byte_offset())),
        Some(Err(error)) if error.is_eof() => Err(Cut),
        Some(Err(_)) | None => Err(Bad),
    }
}
