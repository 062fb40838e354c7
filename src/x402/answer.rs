//! What we say ourselves on an x402 route: never JSON-RPC, never with a `success` member.

use crate::json::{self, Maybe, Raw, ToJson, members};
use crate::rpc::fault::{Fault, Tried};

/// A situation in which the answer is our own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trouble {
    /// One that JSON-RPC routes have too.
    Fault(Fault),
    /// A settle without a payload to know it by: nothing was sent.
    NoPayload,
    /// Nobody could say whether this payment is being settled: nothing was sent.
    NoClaim,
}

impl Trouble {
    /// HTTP status.
    pub fn status(&self) -> u16 {
        match self {
            // Without an endpoint that could be asked there is nobody to answer.
            Self::Fault(Fault::MethodRefused) | Self::NoClaim => 503,
            Self::Fault(fault) => fault.status(),
            Self::NoPayload => 400,
        }
    }

    /// Seconds for `Retry-After`, where one is sent.
    pub fn retry_after_s(&self) -> Option<u64> {
        match self {
            Self::Fault(fault) => fault.retry_after_s(),
            Self::NoPayload => None,
            Self::NoClaim => Some(1),
        }
    }

    /// The body. What this tells of was not sent, or is no settle.
    pub fn body(&self) -> Vec<u8> {
        let (attempts, message): (&[Tried], _) = match self {
            Self::Fault(Fault::NoAnswer { attempts, .. }) => (attempts, None),
            Self::Fault(Fault::BadRoute { message }) => (&[], Some(message.as_str())),
            Self::Fault(_) | Self::NoPayload | Self::NoClaim => (&[], None),
        };
        let error = self.error();
        let message = Maybe(message);
        let body = [
            ("error", &error as &dyn ToJson),
            ("outcome", &"not_sent"),
            ("attempts", &attempts),
            ("message", &message),
        ];
        json::object(&body).into_bytes()
    }

    fn error(&self) -> &'static str {
        match self {
            Self::NoPayload => "invalid_request",
            Self::NoClaim => "no_claim",
            Self::Fault(fault) => label(fault),
        }
    }
}

fn label(fault: &Fault) -> &'static str {
    match fault {
        Fault::AllRateLimited { .. }
        | Fault::ClientRateLimited { .. }
        | Fault::TooManySubrequests => "rate_limited",
        Fault::NoAnswer { .. } | Fault::MethodRefused => "unavailable",
        Fault::OriginRefused => "origin_refused",
        Fault::KeyRefused => "key_refused",
        Fault::NotFound => "not_found",
        Fault::HttpMethod => "method_not_allowed",
        Fault::BodyTooLarge { .. } => "body_too_large",
        Fault::BadRoute { .. } => "bad_configuration",
        Fault::Parse | Fault::InvalidRequest | Fault::BatchTooLarge { .. } | Fault::NoWebSocket => {
            "invalid_request"
        }
        Fault::FilterNotFound
        | Fault::SendUnknown { .. }
        | Fault::OnceUnknown { .. }
        | Fault::NotMined { .. }
        | Fault::QuorumNotMet { .. }
        | Fault::Internal => "internal",
    }
}

/// The body that says of a settle that nobody knows its outcome; `transaction` is JSON text.
pub fn unknown(error: &str, attempts: &[Tried], transaction: Option<&str>) -> Vec<u8> {
    let transaction = Maybe(transaction.map(Raw));
    let body = [
        ("error", &error as &dyn ToJson),
        ("outcome", &"unknown"),
        ("attempts", &attempts),
        ("transaction", &transaction),
    ];
    json::object(&body).into_bytes()
}

/// Longest transaction id that is taken from an upstream: room for any chain's.
const TRANSACTION_MAX: usize = 256;

/// The `transaction` in a facilitator's body, as JSON text: a plain word in quotes.
pub fn transaction(body: &[u8]) -> Option<&str> {
    let [transaction] = members::strict(json::utf8(body)?, ["transaction"])?;
    let transaction = transaction?.get();
    let word = transaction.strip_prefix('"')?.strip_suffix('"')?;
    let plain =
        word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.:@/=+".contains(&byte));
    (plain && (1..=TRANSACTION_MAX).contains(&word.len())).then_some(transaction)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tried() -> Vec<Tried> {
        vec![Tried { endpoint: "a".into(), class: "timeout" }]
    }

    #[test]
    fn own_errors_have_one_form() {
        let none = Trouble::Fault(Fault::NoAnswer { attempts: tried(), retry_after_s: 2 });
        let body = r#"{"error":"unavailable","outcome":"not_sent","attempts":[{"endpoint":"a","class":"timeout"}]}"#;
        assert_eq!((none.status(), none.retry_after_s()), (503, Some(2)));
        assert_eq!(none.body(), body.as_bytes());
        let bad = Trouble::Fault(Fault::BadRoute { message: "ROUTE_A.url: x".into() });
        assert!(bad.body().ends_with(br#""attempts":[],"message":"ROUTE_A.url: x"}"#));
        assert_eq!((Trouble::NoPayload.status(), Trouble::NoClaim.status()), (400, 503));
        assert_eq!(Trouble::NoClaim.retry_after_s(), Some(1));
    }

    #[test]
    fn an_unknown_outcome_keeps_the_transaction() {
        let upstream = br#"{"transaction":"0xed49","x":1}"#;
        assert_eq!(
            unknown("malformed_json", &tried(), transaction(upstream)),
            br#"{"error":"malformed_json","outcome":"unknown","attempts":[{"endpoint":"a","class":"timeout"}],"transaction":"0xed49"}"#
        );
        assert!(!unknown("network", &[], None).windows(7).any(|word| word == b"success"));
    }

    #[test]
    fn a_transaction_is_a_plain_word() {
        for body in [
            r#"{"transaction":""}"#,
            r#"{"transaction":1}"#,
            r#"{"transaction":null}"#,
            r#"{"transaction":"<b>"}"#,
            r#"{"transaction":"a\"b"}"#,
            r#"{"transaction":"a","transaction":"b"}"#,
            "<html>",
            "",
        ] {
            assert!(transaction(body.as_bytes()).is_none(), "{body}");
        }
        let long = format!(r#"{{"transaction":"{}"}}"#, "a".repeat(TRANSACTION_MAX + 1));
        assert!(transaction(long.as_bytes()).is_none());
    }
}
