//! Takes configured secrets and upstream hosts out of a relayed `error`. Results are never touched.

use std::borrow::Cow;

const MARK: &str = "[redacted]";

/// Shorter secrets would blank out ordinary words; configuration warns about them.
const SECRET_LEN_MIN: usize = 4;

/// `text` without any of `secrets`, whatever their case. `text` is JSON; the mark needs no escaping.
pub fn redact<'a>(text: &'a str, secrets: &[&str]) -> Cow<'a, str> {
    // Bytes stay as they came unless there is something to hide.
    let plain = plain(text);
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
        Some(byte) if byte.is_ascii_graphic() && byte != b'"' && byte != b'\\' => {
            (char::from(byte).to_string(), 5)
        }
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

fn hide<'a>(text: &'a str, secrets: &[&str]) -> Cow<'a, str> {
    let mut out = Cow::Borrowed(text);
    for secret in secrets.iter().filter(|secret| secret.len() >= SECRET_LEN_MIN) {
        if let Some(cleaned) = without(&out, secret) {
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
    fn clean_text_is_not_copied_and_the_mark_is_never_replaced() {
        assert!(matches!(redact("{}", &["secret"]), Cow::Borrowed(_)));
        assert_eq!(redact("a redacted b", &["redacted"]), "a redacted b");
    }
}
