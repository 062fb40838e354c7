//! What isolates and a payment's object tell each other, and how it is written down.

mod text;

use alloy_primitives::hex;

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
