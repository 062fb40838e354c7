//! A walk over JSON that others wrote (RFC 8259): where values end, and whether they are JSON, and
//! nothing is made of them. It takes and refuses what `serde_json` does where it skips a value, down
//! to what it says of a text that is cut; `tests/scan.rs` compares them.

#![expect(clippy::inline_always, reason = "optimised for size, the compiler would not")]

use std::borrow::Cow;

use super::marks::Marks;
use super::nest::{Kind, Nest};
use super::token;

/// Why a text could not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unreadable {
    /// It ends before its value does.
    Cut,
    /// It is no JSON, or another kind of value than was looked for. So is a text that ends within a
    /// number.
    Bad,
}

use Unreadable::{Bad, Cut};

/// A value as it stands in a text, without the white space around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span<'a>(&'a str);

impl<'a> Span<'a> {
    /// The JSON text.
    pub fn get(self) -> &'a str {
        self.0
    }
}

/// The only value of a text.
pub fn value(text: &str) -> Result<Span<'_>, Unreadable> {
    let mut scan = Scan::new(text);
    let value = scan.value()?;
    scan.end()?;
    Ok(value)
}

/// The elements of an array that is the only value of a text.
pub fn elements(text: &str) -> Result<Vec<Span<'_>>, Unreadable> {
    let mut elements = Vec::new();
    let mut scan = Scan::new(text);
    scan.array(&mut |scan| scan.value().map(|element| elements.push(element)))?;
    scan.end()?;
    Ok(elements)
}

/// A place in a text. A copy made before stays where it was.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scan<'a> {
    text: &'a str,
    at: usize,
    marks: Marks,
}

impl<'a> Scan<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0, marks: Marks::default() }
    }

    /// Passes a value.
    pub(super) fn value(&mut self) -> Result<Span<'a>, Unreadable> {
        self.pass_space();
        let start = *self;
        self.pass_value()?;
        Ok(self.since(start))
    }

    /// Passes an object and hands over its members; names with escapes are decoded.
    pub(super) fn object(
        &mut self,
        each: &mut dyn FnMut(Cow<'a, str>, Span<'a>),
    ) -> Result<(), Unreadable> {
        self.sequence(Kind::Object, &mut |scan| {
            let name = scan.name()?;
            scan.expect(b':')?;
            each(name, scan.value()?);
            Ok(())
        })
    }

    /// Passes an array; `each` has to pass an element.
    pub(super) fn array(&mut self, each: Each<'_, 'a>) -> Result<(), Unreadable> {
        self.sequence(Kind::Array, each)
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

    /// What was passed since then.
    pub(super) fn since(&self, start: Self) -> Span<'a> {
        Span(self.text.get(start.at..self.at).unwrap_or_default())
    }

    fn sequence(&mut self, kind: Kind, each: Each<'_, 'a>) -> Result<(), Unreadable> {
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

    /// Works on a copy of the place: the compiler can keep that in registers.
    fn pass_value(&mut self) -> Result<(), Unreadable> {
        let mut scan = *self;
        let mut nest = Nest::default();
        loop {
            match scan.begins().ok_or(Cut)? {
                b'"' => scan.pass_string()?,
                b'{' if scan.opens(&mut nest, Kind::Object)? => continue,
                b'[' if scan.opens(&mut nest, Kind::Array)? => continue,
                b'{' | b'[' => {}
                _ => scan.at += token::scalar(scan.rest())?,
            }
            loop {
                let Some(kind) = nest.innermost() else {
                    *self = scan;
                    return Ok(());
                };
                match scan.next()? {
                    b',' => {
                        scan.pass_name(kind)?;
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

    fn name(&mut self) -> Result<Cow<'a, str>, Unreadable> {
        if self.begins().ok_or(Cut)? != b'"' {
            return Err(Bad);
        }
        let quote = *self;
        self.at += 1;
        let start = *self;
        self.pass_letters();
        let name = self.since(start);
        if self.peek() == Some(b'"') {
            self.at += 1;
            return Ok(Cow::Borrowed(name.get()));
        }
        *self = quote;
        self.decoded().map(Cow::Owned)
    }

    /// Passes a string with escapes and decodes it; half of a surrogate pair is refused.
    #[cold]
    fn decoded(&mut self) -> Result<String, Unreadable> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let mut strings = serde_json::Deserializer::from_str(rest).into_iter();
        match strings.next() {
            Some(Ok(string)) => {
                self.at += strings.byte_offset();
                Ok(string)
            }
            Some(Err(error)) if error.is_eof() => Err(Cut),
            Some(Err(_)) | None => Err(Bad),
        }
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

/// Passes one item of a sequence.
type Each<'e, 'a> = &'e mut dyn FnMut(&mut Scan<'a>) -> Result<(), Unreadable>;
