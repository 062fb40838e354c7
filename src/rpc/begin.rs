//! The beginning of an answer too large to be read whole: enough to know that it is a result.

use crate::json;

/// What the beginning shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Begin<'a> {
    /// The id as JSON text, when it stands before the result.
    pub id: Option<&'a str>,
    /// Where the value of `result` begins.
    pub result_at: usize,
}

/// Reads the members of an object up to the value of `result`. `None` when another kind of value
/// comes first: an error, an array, nested members, or nothing that is JSON.
pub fn read(prefix: &[u8]) -> Option<Begin<'_>> {
    let at = if prefix.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
    let mut scan = Scan { bytes: prefix, at };
    let mut id = None;
    scan.expect(b'{')?;
    loop {
        let name = scan.scalar()?;
        scan.expect(b':')?;
        match name {
            r#""result""# => {
                scan.skip_space();
                let starts = !matches!(scan.peek()?, b'n' | b',' | b'}');
                return starts.then_some(Begin { id, result_at: scan.at });
            }
            r#""error""# => return None,
            r#""id""# => id = Some(scan.scalar()?),
            _ => drop(scan.scalar()?),
        }
        scan.expect(b',')?;
    }
}

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

struct Scan<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Scan<'a> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while self.peek().is_some_and(json::is_space) {
            self.at += 1;
        }
    }

    fn expect(&mut self, wanted: u8) -> Option<()> {
        self.skip_space();
        (self.peek()? == wanted).then(|| self.at += 1)
    }

    /// A string, a number or a word, as JSON text.
    fn scalar(&mut self) -> Option<&'a str> {
        self.skip_space();
        let start = self.at;
        if self.peek()? == b'"' {
            self.at += 1;
            while self.peek()? != b'"' {
                self.at += if self.peek()? == b'\\' { 2 } else { 1 };
            }
            self.at += 1;
        } else {
            while matches!(self.peek()?, b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'+' | b'-' | b'.')
            {
                self.at += 1;
            }
        }
        let text = std::str::from_utf8(self.bytes.get(start..self.at)?).ok()?;
        (!text.is_empty()).then_some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Option<(Option<&str>, &str)> {
        let begin = read(text.as_bytes())?;
        Some((begin.id, text.get(begin.result_at..)?))
    }

    #[test]
    fn a_result_is_seen_wherever_it_stands_among_plain_members() {
        assert_eq!(at(r#"{"jsonrpc":"2.0","id":1,"result":[{"a"#), Some((Some("1"), r#"[{"a"#)));
        assert_eq!(at(r#" { "result" : ["#), Some((None, "[")));
        assert_eq!(at(r#"{"id":"a\"b\\","result":["#), Some((Some(r#""a\"b\\""#), "[")));
        assert_eq!(at("\u{feff}{\"result\":["), Some((None, "[")));
        assert_eq!(at(r#"{"id":"x y","time":-1.5e3,"result":{"#), Some((Some("\"x y\""), "{")));
    }

    #[test]
    fn anything_else_is_read_whole() {
        for text in [
            "",
            "{",
            "[",
            "<html>",
            r#"{"jsonrpc":"2.0","id":1,"error":{"#,
            r#"{"jsonrpc":"2.0","id":1,"result":null"#,
            r#"{"jsonrpc":"2.0","id":1,"result":"#,
            r#"{"meta":{"result":[]},"result":["#,
            r#"{"id":,"result":["#,
        ] {
            assert_eq!(at(text), None, "{text}");
        }
    }
}
