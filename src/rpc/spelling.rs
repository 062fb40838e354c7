//! How a text may spell the same letters: as they are, with JSON's escapes, percent-encoded.

use std::borrow::Cow;

/// Without percent-encoding and without the escapes that a JSON string does not need.
pub(super) fn normal(text: &str) -> String {
    decoded(&unescaped(text))
}

/// `text` with the escapes undone that stand for plain ASCII; a quote and a backslash keep the
/// shortest of theirs.
fn unescaped(text: &str) -> Cow<'_, str> {
    if !text.contains("\\/") && !text.contains("\\u00") {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\\') {
        out.push_str(before);
        let code = after.strip_prefix("u00").and_then(byte);
        let width = match (code, after.chars().next()) {
            (Some(byte), _) if is_plain(byte) => {
                add(&mut out, byte);
                5
            }
            (_, Some('/')) => {
                out.push('/');
                1
            }
            (_, next) => {
                // The escaped character stays with its backslash, whatever it is.
                out.push('\\');
                out.extend(next);
                next.map_or(0, char::len_utf8)
            }
        };
        rest = after.get(width..).unwrap_or_default();
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// `text` with percent-encoded plain ASCII decoded.
fn decoded(text: &str) -> String {
    let mut parts = text.split('%');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match byte(part).filter(|byte| is_plain(*byte)) {
            Some(byte) => {
                add(&mut out, byte);
                out.push_str(part.get(2..).unwrap_or_default());
            }
            None => out.extend(["%", part]),
        }
    }
    out
}

/// The byte that two hexadecimal digits stand for.
fn byte(text: &str) -> Option<u8> {
    u8::from_str_radix(text.get(..2)?, 16).ok()
}

/// Needs no escape of its own kind in a JSON string: itself, or one backslash before it.
fn is_plain(byte: u8) -> bool {
    (b' '..0x7f).contains(&byte)
}

fn add(out: &mut String, byte: u8) {
    if matches!(byte, b'"' | b'\\') {
        out.push('\\');
    }
    out.push(char::from(byte));
}

#[cfg(test)]
mod tests {
    use super::normal;

    #[test]
    fn letters_are_themselves_however_they_are_spelled() {
        for (text, same) in [
            (r"a\/b\u0041\u00e9\n", r"a/bA\u00e9\n"),
            (r"\u0022\u005c\u0020", r#"\"\\ "#),
            (r#"\"\\u0041"#, r#"\"\\u0041"#),
            ("%41%2f%22%5C%20%e9%0a", r#"A/\"\\ %e9%0a"#),
            (r"\u002541 100% %4 %", "A 100% %4 %"),
            (r"\u00", r"\u00"),
        ] {
            assert_eq!(normal(text), same, "{text}");
        }
    }
}
