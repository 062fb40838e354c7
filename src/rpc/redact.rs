//! Takes configured secrets and upstream hosts out of a relayed `error`. Results are never touched.

use std::borrow::Cow;

const MARK: &str = "[redacted]";

/// Shorter secrets would blank out ordinary words; configuration warns about them.
const SECRET_LEN_MIN: usize = 4;

/// `text` without any of `secrets`, whatever their case. `text` is JSON; the mark needs no escaping.
pub fn redact<'a>(text: &'a str, secrets: &[&str]) -> Cow<'a, str> {
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
    fn clean_text_is_not_copied_and_the_mark_is_never_replaced() {
        assert!(matches!(redact("{}", &["secret"]), Cow::Borrowed(_)));
        assert_eq!(redact("a redacted b", &["redacted"]), "a redacted b");
    }
}
