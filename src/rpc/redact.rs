//! Takes configured secrets and upstream hosts out of a relayed `error`. Results are never touched.

use std::borrow::Cow;

const MARK: &str = "[redacted]";

/// Shorter secrets would blank out ordinary words; configuration warns about them.
const SECRET_LEN_MIN: usize = 4;

/// `text` without any of `secrets`, whatever their case and whether written as they are, with JSON
/// escapes or percent-encoded. `text` is JSON; the mark needs no escaping.
pub fn redact<'a>(text: &'a str, secrets: &[&str]) -> Cow<'a, str> {
    // Bytes stay as they came unless there is something to hide.
    let unescaped = plain(text);
    let plain = decoded(&unescaped);
    let clean = hide(&plain, secrets);
    if clean == plain { Cow::Borrowed(text) } else { Cow::Owned(clean.into_owned()) }
}

/// `text` with the escapes undone that a JSON string does not need: `\/` and those of plain ASCII.
fn plain(text: &str) -> Cow<'_, str> {
    if !text.contains("\\/") && !text.contains("\\u00") {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\\') {
        out.push_str(before);
        let (shown, width) = unescaped(after);
        out.push_str(&shown);
        rest = after.get(width..).unwrap_or_default();
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// What stands for an escape, and how many bytes follow its backslash.
fn unescaped(after: &str) -> (String, usize) {
    if after.starts_with('/') {
        return ("/".to_owned(), 1);
    }
    let code = after.strip_prefix("u00").and_then(|hex| u8::from_str_radix(hex.get(..2)?, 16).ok());
    match code {
        Some(byte) if is_plain(byte) => (char::from(byte).to_string(), 5),
        _ => {
            // The escaped character stays with its backslash, whatever it is.
            let next = after.chars().next();
            (
                format!("\\{}", next.map_or(String::new(), String::from)),
                next.map_or(0, char::len_utf8),
            )
        }
    }
}

/// `text` with percent-encoded plain ASCII decoded, quotes and backslashes excepted.
fn decoded(text: &str) -> Cow<'_, str> {
    let mut parts = text.split('%');
    let first = parts.next().unwrap_or_default();
    if first.len() == text.len() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    out.push_str(first);
    for part in parts {
        let byte = part.get(..2).and_then(|hex| u8::from_str_radix(hex, 16).ok());
        if let Some(byte) = byte.filter(|&byte| is_plain(byte)) {
            out.push(char::from(byte));
            out.push_str(part.get(2..).unwrap_or_default());
        } else {
            out.push('%');
            out.push_str(part);
        }
    }
    Cow::Owned(out)
}

/// Stands for itself in a JSON string.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii_graphic() && byte != b'"' && byte != b'\\'
}

fn hide<'a>(text: &'a str, secrets: &[&str]) -> Cow<'a, str> {
    let mut out = Cow::Borrowed(text);
    for secret in secrets.iter().filter(|secret| secret.len() >= SECRET_LEN_MIN) {
        if let Some(cleaned) = without(&out, &decoded(secret)) {
            out = Cow::Owned(cleaned);
        }
    }
    out
}

/// `text` with every occurrence of `secret` replaced; `None` when there is none.
fn without(text: &str, secret: &str) -> Option<String> {
    let (hay, needle) = (text.to_ascii_lowercase(), secret.to_ascii_lowercase());
    if !hay.contains(&needle) || MARK.contains(&needle) {
        return None;
    }
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for (at, found) in hay.match_indices(&needle) {
        out.push_str(text.get(from..at)?);
        out.push_str(MARK);
        from = at + found.len();
    }
    out.push_str(text.get(from..)?);
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_and_hosts_go_whatever_their_case() {
        let text = r#"{"message":"https://Eth.Example.org/v2/K3Y-K3Y failed at k3y-k3y"}"#;
        assert_eq!(
            redact(text, &["eth.example.org", "K3y-k3Y"]),
            r#"{"message":"https://[redacted]/v2/[redacted] failed at [redacted]"}"#
        );
    }

    #[test]
    fn escapes_hide_nothing() {
        let text = r#"{"message":"at https:\/\/x\/K\u0033y\/z \"q\" \\ \n é\u00e9 \u0022"}"#;
        assert_eq!(
            redact(text, &["x/k3y/z"]),
            r#"{"message":"at https://[redacted] \"q\" \\ \n é\u00e9 \u0022"}"#
        );
        assert_eq!(redact(text, &["other"]), text, "nothing to hide: the bytes as they came");
        assert_eq!(redact(r"\u00", &["abcd"]), r"\u00");
    }

    #[test]
    fn percent_encoding_hides_nothing() {
        let secrets = ["a+b/c", "k=%2Fv%2Fw"];
        for shown in
            ["a+b/c", "a%2Bb%2Fc", "a%2bb%2fc", "A%2BB/c", r"a+b\/c", r"a\u002bb%2fc", "%61+b/%63"]
        {
            let text = format!(r#"{{"message":"at {shown} %22 100% \n"}}"#);
            let clean = r#"{"message":"at [redacted] %22 100% \n"}"#;
            assert_eq!(redact(&text, &secrets), clean, "{shown}");
        }
        assert_eq!(redact("x k=/v/w", &secrets), "x [redacted]", "one that is encoded itself");
        let other = r#"{"message":"50%25 of %2Fa %é %"}"#;
        assert_eq!(redact(other, &secrets), other, "nothing to hide: the bytes as they came");
    }

    #[test]
    fn clean_text_is_not_copied_and_the_mark_is_never_replaced() {
        assert!(matches!(redact("{}", &["secret"]), Cow::Borrowed(_)));
        assert_eq!(redact("a redacted b", &["redacted"]), "a redacted b");
    }
}
