//! Which payment a body is about: the bytes of its `paymentPayload`, as they were sent.

use crate::json::{members, utf8};

/// The members of a verify or settle body, protocol versions 1 and 2 alike. One that is there twice
/// makes the body unreadable: two readers could take it for two payments.
const MEMBERS: [&str; 3] = ["paymentPayload", "paymentRequirements", "x402Version"];

/// The payload as it stands in the body; `None` when the body is not strict JSON with one.
pub fn payload(body: &[u8]) -> Option<&str> {
    let [payload, ..] = members::strict(utf8(body)?, MEMBERS)?;
    let payload = payload?.get();
    payload.starts_with('{').then_some(payload)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_bytes_are_those_of_the_body() {
        let v2 = br#"{"x402Version":2,"paymentPayload":{ "a" : 1.0, "b":"\u0041" },"paymentRequirements":{}}"#;
        assert_eq!(payload(v2), Some(r#"{ "a" : 1.0, "b":"\u0041" }"#));
        let v1 = br#" {"paymentRequirements":{"paymentPayload":{"no":1}},"paymentPayload":{"yes":1},"x402Version":1} "#;
        assert_eq!(payload(v1), Some(r#"{"yes":1}"#));
        assert_eq!(payload(br#"{"payment\u0050ayload":{}}"#), Some("{}"));
    }

    #[test]
    fn what_two_could_read_differently_is_not_read() {
        for body in [
            "",
            "null",
            "[]",
            "{}",
            r#"{"paymentPayload":null}"#,
            r#"{"paymentPayload":"{}"}"#,
            r#"[{"paymentPayload":{}}]"#,
            r#"{"paymentPayload":{}} {}"#,
            r#"{"paymentPayload":{},}"#,
            r#"{"paymentPayload":{a:1}}"#,
            r#"{"paymentPayload":{},"paymentPayload":{"b":1}}"#,
            r#"{"paymentPayload":{},"payment\u0050ayload":{"b":1}}"#,
            r#"{"paymentPayload":{},"paymentRequirements":{},"paymentRequirements":{}}"#,
            "{\"paymentPayload\":{\"a\":\"\n\"}}",
            "\u{feff}{\"paymentPayload\":{}}",
        ] {
            assert_eq!(payload(body.as_bytes()), None, "{body}");
        }
        assert_eq!(payload(b"{\"paymentPayload\":{\"a\":\"\xff\"}}"), None);
    }

    proptest! {
        #[test]
        fn any_payload_is_found_as_it_is(text in "\\PC{0,40}", number: f64, spaces in "[ \\n]{0,3}") {
            let inner = serde_json::json!({ "paymentPayload": text, "n": number }).to_string();
            let raw = format!("{{{spaces}\"x\":{inner}}}");
            let body = format!(
                r#"{{"x402Version":2,{spaces}"paymentPayload":{spaces}{raw}{spaces},"z":{inner}}}"#
            );
            prop_assert_eq!(payload(body.as_bytes()), Some(raw.as_str()));
        }
    }
}
