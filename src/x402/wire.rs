//! What isolates and a payment's object tell each other, as JSON. Deploys mix versions for minutes:
//! unknown members are ignored and missing ones have defaults.

use alloy_primitives::hex;

use crate::json::{form, words};

/// Longest body that is kept for those who wait, in bytes.
pub const TOLD_MAX: usize = 262_144;

/// What an isolate wants.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Want {
    /// To say that `endpoint` called the payment valid.
    #[default]
    Verified,
    /// The claim; `endpoint` would be its own choice.
    Claim,
    /// To hear how `flight` ended.
    Wait,
    /// To go on with `flight`.
    Renew,
    /// To leave for `endpoint`: the one before was provably not reached.
    Move,
    /// To say how `flight` ended.
    End,
}

words!(Want {
    Verified = "verified",
    Claim = "claim",
    Wait = "wait",
    Renew = "renew",
    Move = "move",
    End = "end",
});

/// How a flight ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum End {
    /// Money may have moved.
    #[default]
    Unknown,
    /// Provably nothing was sent.
    NotSent,
    /// The facilitator answered, and not that it settled.
    Answered,
    /// It settled.
    Settled,
}

words!(End {
    Unknown = "unknown",
    NotSent = "not_sent",
    Answered = "answered",
    Settled = "settled",
} else Unknown);

/// From an isolate.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Asked {
    /// What it wants.
    pub want: Want,
    /// Of an endpoint: its name.
    pub endpoint: Option<String>,
    /// The flight it is about.
    pub flight: u64,
    /// How it ended.
    pub end: End,
    /// What the client is answered; `None` when that is too large to keep.
    pub told: Option<Told>,
}

form!(Asked { want, endpoint, flight, end, told });

/// In answer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Word {
    /// Not done: the flight is no longer the asker's.
    #[default]
    Refused,
    /// Done.
    Done,
    /// The claim is the asker's: `flight`, `endpoint`, `first`, `doubted`.
    Granted,
    /// Somebody else holds it: `flight`.
    UnderWay,
    /// The flight has ended: `told`.
    Ended,
    /// No facilitator to send to.
    Nobody,
}

words!(Word {
    Refused = "refused",
    Done = "done",
    Granted = "granted",
    UnderWay = "under_way",
    Ended = "ended",
    Nobody = "nobody",
});

/// From the object.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Said {
    /// In short.
    pub word: Word,
    /// The number of a settle on its way.
    pub flight: u64,
    /// Who gets it.
    pub endpoint: Option<String>,
    /// Nobody can have got this payment before.
    pub first: bool,
    /// The outcome of an earlier flight is unknown.
    pub doubted: bool,
    /// What the other client was answered; `None` when nobody knows.
    pub told: Option<Told>,
}

form!(Said { word, flight, endpoint, first, doubted, told });

/// An answer to a settle, for those who waited for it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Told {
    /// HTTP status.
    pub status: u16,
    /// `Content-Type`.
    pub content_type: Option<String>,
    /// `EXTENSION-RESPONSES`.
    pub extension: Option<String>,
    /// Whose answer it is; `None`: ours.
    pub endpoint: Option<String>,
    /// Seconds for `Retry-After`.
    pub retry_after_s: Option<u64>,
    /// The body in hexadecimal: it need not be text.
    pub hex: String,
}

form!(Told { status, content_type, extension, endpoint, retry_after_s, hex });

impl Told {
    /// An answer without headers.
    pub fn new(status: u16, body: &[u8]) -> Self {
        Self { status, hex: hex::encode(body), ..Self::default() }
    }

    /// The body.
    pub fn body(&self) -> Vec<u8> {
        hex::decode(&self.hex).unwrap_or_default()
    }

    /// This, unless it is too large to be kept.
    pub fn kept(&self) -> Option<Self> {
        (self.hex.len() / 2 <= TOLD_MAX).then(|| self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;
    use proptest::prelude::*;

    fn told() -> Told {
        Told { content_type: Some("text/x".into()), ..Told::new(200, b"{}\xff") }
    }

    #[test]
    fn forms_are_unchanged() {
        assert_eq!(told().body(), b"{}\xff");
        let (endpoint, told) = (Some("a".to_owned()), Some(told()));
        let asked =
            Asked { want: Want::End, endpoint, flight: 2, end: End::Settled, told: told.clone() };
        assert_eq!(
            json::text(&asked),
            r#"{"want":"end","endpoint":"a","flight":2,"end":"settled","told":{"status":200,"content_type":"text/x","extension":null,"endpoint":null,"retry_after_s":null,"hex":"7b7dff"}}"#
        );
        assert_eq!(json::read::<Asked>(&json::text(&asked)), Some(asked));
        let said = Said { word: Word::Granted, flight: 3, first: true, ..Said::default() };
        assert_eq!(
            json::text(&said),
            r#"{"word":"granted","flight":3,"endpoint":null,"first":true,"doubted":false,"told":null}"#
        );
        assert_eq!(json::read::<Said>(&json::text(&said)), Some(said));
    }

    #[test]
    fn other_versions_are_read() {
        let asked = Asked { want: Want::Claim, endpoint: Some("a".into()), ..Asked::default() };
        assert_eq!(json::read(r#"{"want":"claim","endpoint":"a"}"#), Some(asked));
        let asked = Asked { want: Want::End, end: End::Unknown, ..Asked::default() };
        assert_eq!(json::read(r#"{"want":"end","end":"later"}"#), Some(asked));
        let said = Said { word: Word::Done, flight: 1, ..Said::default() };
        assert_eq!(json::read(r#"{"word":"done","flight":1,"later":{}}"#), Some(said));
        for text in ["", "{}", r#"{"want":"later","word":"later"}"#, r#"{"want":1,"word":[]}"#] {
            assert_eq!(
                (json::read::<Asked>(text), json::read::<Said>(text)),
                (None, None),
                "{text}"
            );
        }
    }

    #[test]
    fn what_is_too_large_is_not_kept() {
        assert!(Told::new(200, &vec![0; TOLD_MAX]).kept().is_some());
        assert!(Told::new(200, &vec![0; TOLD_MAX + 1]).kept().is_none());
    }

    proptest! {
        #[test]
        fn bodies_come_back(body: Vec<u8>, status in 200..=599_u16, kind: String) {
            let told = Told { content_type: Some(kind), ..Told::new(status, &body) };
            let said = Said { told: Some(told), ..Said::default() };
            let read = json::read::<Said>(&json::text(&said));
            prop_assert_eq!(read.clone().and_then(|read| read.told).map(|told| told.body()), Some(body));
            prop_assert_eq!(read, Some(said));
        }
    }
}
