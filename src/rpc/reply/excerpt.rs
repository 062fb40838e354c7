//! The words of an error reply that an operator may see: never a result, never an error's `data`,
//! which may be what a contract said on reverting; without secrets, and cut.

use std::borrow::Cow;

use super::{Answer, Body, ErrorObject, Said};
use crate::json::scan;
use crate::rpc::redact::redact;

/// Bytes of words that are kept.
const KEPT_BYTES: usize = 512;
/// Bytes that are looked through for secrets.
const READ_BYTES: usize = 4096;

/// The words of a whole body that is no good answer.
pub fn of_body(body: &[u8], hidden: &[&str]) -> Option<String> {
    let text = beginning(body);
    // What begins like a result may be one, with garbage behind it.
    let like_result = match Body::read(body) {
        Body::One(Answer { said: Said::Error(error), .. }) => {
            return Some(of_error(&error, hidden));
        }
        Body::Html => false,
        Body::Text => text.trim_start().starts_with(['{', '[', '"']),
        Body::Foreign => !text.trim_start().starts_with('{'),
        Body::Empty | Body::Cut | Body::Many(_) | Body::One(_) => true,
    };
    (!like_result).then(|| cut(&text, body.len(), hidden))
}

/// The words of an `error` member, as JSON text.
pub fn of_member(json: &str, hidden: &[&str]) -> Option<String> {
    let raw = scan::value(json).ok()?;
    Some(of_error(&ErrorObject::from_member(raw)?, hidden))
}

fn of_error(error: &ErrorObject<'_>, hidden: &[&str]) -> String {
    let code = error.code.map(|code| code.to_string());
    let code = code.as_deref().or(error.word.as_deref());
    let message = error.message.as_deref().unwrap_or_default();
    let text = code.map_or(Cow::Borrowed(message), |code| Cow::Owned(format!("{code} {message}")));
    let read = text.get(..floor(&text, READ_BYTES)).unwrap_or_default();
    cut(read, text.len(), hidden)
}

fn beginning(body: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(body.get(..READ_BYTES).unwrap_or(body))
}

/// What is kept of the beginning of a text of so many bytes. Where more follows than was read, what
/// may be the first half of a secret goes too.
fn cut(read: &str, whole: usize, hidden: &[&str]) -> String {
    let clean = redact(read, hidden);
    let longest = hidden.iter().map(|hidden| hidden.len()).max().unwrap_or_default();
    let doubtful = if whole > READ_BYTES { longest } else { 0 };
    let end = clean.len().saturating_sub(doubtful).min(KEPT_BYTES);
    clean.get(..floor(&clean, end)).unwrap_or_default().to_owned()
}

/// The last boundary between characters that is not behind `at`.
fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(text: &str) -> Option<String> {
        of_body(text.as_bytes(), &["s3cr3t-key", "rpc.example.org"])
    }

    #[test]
    fn words_are_kept_without_secrets() {
        let page = "<html>502 at https://rpc.example.org/v2/s3cr3t-key</html>";
        let clean = "<html>502 at https://[redacted]/v2/[redacted]</html>";
        assert_eq!(body(page).as_deref(), Some(clean));
        assert_eq!(body("error code: 1015").as_deref(), Some("error code: 1015"));
        assert_eq!(
            body(r#"{"message":"no S3CR3T-KEY"}"#).as_deref(),
            Some(r#"{"message":"no [redacted]"}"#)
        );
        let error = r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32005,"message":"slow s3cr3t-key","data":"0x08c379a0"}}"#;
        assert_eq!(body(error).as_deref(), Some("-32005 slow [redacted]"));
        let member = r#"{"code":"CAPACITY","message":"no room","data":{"all":"0xdead"}}"#;
        assert_eq!(of_member(member, &[]).as_deref(), Some("CAPACITY no room"));
    }

    #[test]
    fn what_may_be_a_result_is_not() {
        for text in [
            "",
            r#"{"jsonrpc":"2.0","id":1,"result":"0x1"}"#,
            r#"{"jsonrpc":"2.0","id":2,"result":"0x1"} garbage"#,
            r#"{"jsonrpc":"2.0","id":1,"result":"0x12345"#,
            r#"[{"jsonrpc":"2.0","id":1,"result":"0x1"}]"#,
            r#""0x1234""#,
            r#""0x1234" and more"#,
            "[1,2]x",
        ] {
            assert_eq!(body(text), None, "{text}");
        }
    }

    #[test]
    fn it_is_cut_and_no_half_secret_is_left() {
        let secret = "k".repeat(300);
        let long = format!("<p>{}{}", format!("{secret} ").repeat(13), "x".repeat(5_000));
        let kept = of_body(long.as_bytes(), &[&secret]).unwrap();
        assert!(kept.len() <= KEPT_BYTES && !kept.contains("kk"), "{kept}");
        let accents = format!("<p>{}", "é".repeat(5_000));
        assert!(of_body(accents.as_bytes(), &[]).unwrap().len() <= KEPT_BYTES);
        assert_eq!(of_body(&[0xff; 9_000], &["secret"]).unwrap().chars().next(), Some('\u{fffd}'));
    }
}
