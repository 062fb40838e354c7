//! What an exchange says and hears.

use crate::verdict::{Class, Verdict};

/// What to do next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Ask this endpoint; the attempt may take so long.
    Ask {
        /// Index of the endpoint.
        endpoint: usize,
        /// Milliseconds, body included.
        timeout_ms: u64,
    },
    /// Ask this endpoint whether it knows the transaction's hash.
    LookUp {
        /// Index of the endpoint.
        endpoint: usize,
        /// Milliseconds, body included.
        timeout_ms: u64,
    },
    /// Ask this endpoint for the receipt of the accepted transaction.
    Receipt {
        /// Index of the endpoint.
        endpoint: usize,
        /// Milliseconds, body included.
        timeout_ms: u64,
    },
    /// Nothing before something that is under way comes back.
    Wait,
    /// [`Exchange::conclude`](super::Exchange::conclude) has the answer.
    Done,
}

/// One attempt, for headers, logs and errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attempt {
    /// Index of the endpoint.
    pub endpoint: usize,
    /// What came of it.
    pub class: Class,
    /// HTTP status, when there was one.
    pub status: Option<u16>,
    /// Whether its answer was left for another endpoint's.
    pub left: bool,
}

impl Attempt {
    /// One that is still under way: another was asked meanwhile.
    pub(super) fn silent(endpoint: usize) -> Self {
        Self { endpoint, class: Class::Silent, status: None, left: true }
    }
}

/// What an attempt showed.
#[derive(Debug)]
pub struct Word<A> {
    /// Index of the endpoint.
    pub endpoint: usize,
    /// What it means.
    pub verdict: Verdict,
    /// HTTP status, when there was one.
    pub status: Option<u16>,
    /// The upstream's answer, when it is one that could be passed on.
    pub answer: Option<A>,
}
