//! Takes configured secrets and upstream hosts out of a relayed `error`. Results are never touched.
//!
//! JSON stays JSON: its strings are looked through one by one, and its numbers; and bytes stay as
//! they came wherever there is nothing to hide.

use std::borrow::Cow;

use super::spelling::normal;
use crate::json;

const MARK: &str = "[redacted]";

/// Shorter secrets would blank out ordinary words; configuration warns about them.
const SECRET_LEN_MIN: usize = 4;
/// Shorter numbers are codes.
const NUMBER_LEN_MIN: usize = 6;

/// `text` without any of `secrets`, whatever their case and whether written as they are, with JSON
/// escapes or percent-encoded. One that is a part of another has to come after it.
pub fn redact<'a>(text: &'a str, secrets: &[&str]) -> Cow<'a, str> {
    let long = || secrets.iter().filter(|secret| secret.len() >= SECRET_LEN_MIN);
    let mut spelled: Vec<_> = long().flat_map(|secret| spellings(&quoted(secret))).collect();
    let valid = json::valid(text);
    if !valid {
        // In words a quote or a backslash of a secret may stand as it is, too.
        spelled.extend(long().flat_map(|secret| spellings(secret)));
    }
    // Most errors hold none, and some are large.
    let whole = normal(text).to_ascii_lowercase();
    spelled.retain(|secret| whole.contains(secret));
    if spelled.is_empty() {
        return Cow::Borrowed(text);
    }
    let clean = if valid { in_json(text, &spelled) } else { hide(text, &spelled, |_| true) };
    clean.map_or(Cow::Borrowed(text), Cow::Owned)
}

/// JSON text without secrets; `None` when there are none.
fn in_json(text: &str, secrets: &[String]) -> Option<String> {
    let (mut out, mut rest, mut found) = (String::with_capacity(text.len()), text, false);
    while let Some((between, after)) = rest.split_once('"') {
        found |= add_numbers(&mut out, between, secrets);
        let (string, behind) = after.split_at_checked(string_end(after))?;
        let clean = hide(string, secrets, is_whole);
        found |= clean.is_some();
        for part in ["\"", clean.as_deref().unwrap_or(string), "\""] {
            out.push_str(part);
        }
        rest = behind.strip_prefix('"')?;
    }
    found |= add_numbers(&mut out, rest, secrets);
    found.then_some(out)
}

/// Where the quote is that ends the string.
fn string_end(text: &str) -> usize {
    let mut escaped = false;
    let end = text.bytes().position(|byte| {
        let ends = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    });
    end.unwrap_or(text.len())
}

/// Adds what stands between strings. A number that is a secret becomes a string.
fn add_numbers(out: &mut String, between: &str, secrets: &[String]) -> bool {
    let mark = |c: char| c.is_ascii_whitespace() || ",:[]{}".contains(c);
    let mut found = false;
    for part in between.split_inclusive(mark) {
        let number = part.trim_end_matches(mark).trim_start_matches('-');
        let hidden =
            number.len() >= NUMBER_LEN_MIN && secrets.iter().any(|secret| secret == number);
        found |= hidden;
        if hidden {
            out.extend(["\"", MARK, "\""]);
            out.extend(part.chars().filter(|c| mark(*c)));
        } else {
            out.push_str(part);
        }
    }
    found
}

/// As a JSON string writes it.
fn quoted(secret: &str) -> String {
    secret.replace('\\', r"\\").replace('"', "\\\"")
}

/// Whether what follows is no part of an escape.
fn is_whole(before: &str) -> bool {
    let mut back = before.bytes().rev();
    // An escape that begins further back has ended.
    let near = back.by_ref().take("\\uXXX".len());
    let (mut behind, mut first) = (0, b' ');
    let mut begun = false;
    for byte in near {
        if byte == b'\\' {
            begun = true;
            break;
        }
        (behind, first) = (behind + 1, byte);
    }
    let pairs = back.take_while(|byte| *byte == b'\\').count();
    let escape = if first == b'u' { "uXXXX".len() } else { 1 };
    !begun || pairs % 2 == 1 || behind >= escape
}

/// `text` without secrets, which are in comparable form and `fits` after what stands before them;
/// `None` when there are none.
fn hide(text: &str, secrets: &[String], fits: fn(&str) -> bool) -> Option<String> {
    let mut out = normal(text);
    let mut found = false;
    for secret in secrets.iter().filter(|secret| !MARK.contains(secret.as_str())) {
        if let Some(clean) = without(&out, secret, fits) {
            out = clean;
            found = true;
        }
    }
    found.then_some(out)
}

/// `text` with every occurrence of `secret` replaced; `None` when there is none.
fn without(text: &str, secret: &str, fits: fn(&str) -> bool) -> Option<String> {
    let lower = text.to_ascii_lowercase();
    let fit = |at: &usize| lower.get(..*at).is_some_and(fits);
    let mut places = lower.match_indices(secret).map(|(at, _)| at).filter(fit).peekable();
    places.peek()?;
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for at in places {
        out.push_str(text.get(from..at)?);
        out.push_str(MARK);
        from = at + secret.len();
    }
    out.push_str(text.get(from..)?);
    Some(out)
}

/// How a secret is looked for, in lower case: as it is, and where it is percent-encoded itself,
/// decoded as well.
fn spellings(secret: &str) -> impl Iterator<Item = String> + use<> {
    let (bare, secret) = (normal(secret).to_ascii_lowercase(), secret.to_ascii_lowercase());
    let encoded = (bare != secret).then_some(secret);
    encoded.into_iter().chain([bare])
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
            r#"{"message":"at https://[redacted] \"q\" \\ \n é\u00e9 \""}"#
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
            let clean = r#"{"message":"at [redacted] \" 100% \n"}"#;
            assert_eq!(redact(&text, &secrets), clean, "{shown}");
        }
        assert_eq!(redact("x k=/v/w", &secrets), "x [redacted]", "one that is encoded itself");
        assert_eq!(redact("x k%3D%252Fv%252Fw", &secrets), "x [redacted]", "and once more");
        let other = r#"{"message":"50%25 of %2Fa %é %"}"#;
        assert_eq!(redact(other, &secrets), other, "nothing to hide: the bytes as they came");
    }

    #[test]
    fn quotes_spaces_and_backslashes_hide_nothing() {
        let secret = r#"user="a b\c""#;
        for shown in [
            r#"user=\"a b\\c\""#,
            r"user=\u0022a\u0020b\u005cc\u0022",
            "user=%22a%20b%5Cc%22",
            r#"USER\u003d%22A b\\C\""#,
        ] {
            let text = format!(r#"{{"message":"{shown}","more":"%41"}}"#);
            assert_eq!(redact(&text, &[secret]), r#"{"message":"[redacted]","more":"%41"}"#);
        }
        assert_eq!(redact(r#"as is: user="a b\c"!"#, &[secret]), "as is: [redacted]!");
    }

    #[test]
    fn json_stays_json() {
        for (text, secret, clean) in [
            (
                r#"{"code":-32005,"data":[20260119 ]}"#,
                "20260119",
                r#"{"code":-32005,"data":["[redacted]" ]}"#,
            ),
            (
                r#"{"code":-320055,"x":-20260119}"#,
                "20260119",
                r#"{"code":-320055,"x":"[redacted]"}"#,
            ),
            (
                r#"{"code":-32005,"a":true,"b":"true"}"#,
                "true",
                r#"{"code":-32005,"a":true,"b":"[redacted]"}"#,
            ),
            (r#"{"a":"b","c":1}"#, r#"b","c"#, r#"{"a":"b","c":1}"#),
            (
                r#"{"a":"\network-key network-key"}"#,
                "network-key",
                r#"{"a":"\network-key [redacted]"}"#,
            ),
            (r#"{"a":"\\network-key"}"#, "network-key", r#"{"a":"\\[redacted]"}"#),
            (r#"{"a":"\u00001234567"}"#, "01234567", r#"{"a":"\u00001234567"}"#),
            (r#"{"a":"\u000001234567"}"#, "01234567", r#"{"a":"\u0000[redacted]"}"#),
            (r#""a""#, "none", r#""a""#),
        ] {
            assert_eq!(redact(text, &[secret]), clean);
        }
    }

    #[test]
    fn clean_text_is_not_copied_and_the_mark_is_never_replaced() {
        assert!(matches!(redact("{}", &["secret"]), Cow::Borrowed(_)));
        assert_eq!(redact("a redacted b", &["redacted"]), "a redacted b");
    }
}
