//! What an attempt's outcome means. Three answers, never one boolean: whose answer it is, whether
//! another endpoint may be asked, and what it says about the endpoint's health.
//!
//! [`judge`] is pure. Errors are judged by rows of tables ([`rules`]), the first match wins; good
//! results by what the method allows; the operator's say comes on top. The hard rules: an operation
//! that must not be repeated never goes to another endpoint once it may have been carried out, and
//! nothing a caller can write (parameters, revert reasons, error `data`) counts against an endpoint.

mod asked;
mod class;
mod facts;
mod judge;
mod meaning;
mod pattern;
mod policy;
mod result;
pub mod retry_after;
mod revert;
mod rule;
pub mod rules;
mod sample;
mod standing;
mod x402;

pub use asked::looks_odd;
pub use class::Class;
pub use judge::{judge, judge_part};
pub use result::large;
pub use standing::HISTORY_BLOCKS;
pub use x402::{agrees, unverified};

use crate::config::{OperatorRule, RpcErrors};
use crate::rpc::reply::{Body, Item};
use crate::time::Millis;

/// What an attempt showed. Facts only.
#[derive(Debug, Clone, Copy)]
pub enum Outcome<'a> {
    /// An HTTP answer arrived whole.
    Replied(Reply<'a>),
    /// No whole HTTP answer arrived.
    Failed(Failure),
}

/// A whole HTTP answer.
#[derive(Debug, Clone, Copy)]
pub struct Reply<'a> {
    /// HTTP status.
    pub status: u16,
    /// `Retry-After` as sent.
    pub retry_after: Option<&'a str>,
    /// `cf-error-type`: set when Cloudflare's edge made the answer, not the origin.
    pub edge_error: Option<&'a str>,
    /// The body, decoded.
    pub body: &'a [u8],
}

/// Why no whole answer arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// `fetch` rejected: refused, reset, DNS, TLS; workerd does not say which.
    Network,
    /// Headers did not arrive within the attempt timeout.
    Timeout,
    /// Headers arrived; the body broke off.
    BodyBroken,
    /// Headers arrived; the body did not end within the attempt timeout.
    BodyTimeout,
    /// The body is larger than `response_max_bytes`.
    TooLarge,
    /// Provably never reached it: its connect check was refused.
    Unreached,
    /// A drill holds it down: nothing was sent.
    Drill,
    /// Never left this isolate: a limit of the platform or a request that could not be built.
    NotSent,
    /// The client went away.
    ClientGone,
}

impl Failure {
    /// Whether it is certain that the endpoint has not got the request, and its fault.
    pub fn never_arrived(self) -> bool {
        match self {
            Self::Unreached | Self::Drill => true,
            Self::Network
            | Self::Timeout
            | Self::BodyBroken
            | Self::BodyTimeout
            | Self::TooLarge
            | Self::NotSent
            | Self::ClientGone => false,
        }
    }
}

/// Which part of a whole HTTP answer concerns the operation.
#[derive(Debug, Clone, Copy)]
pub enum Part<'b, 'a> {
    /// All of it: the request was a single one.
    Whole(&'b Body<'a>),
    /// The request was a batch and the answer is no array: it speaks for each of the items.
    Batch(&'b Body<'a>),
    /// One element of the array that answers a batch, paired by id.
    Item(&'b Item<'a>),
    /// The array that answers a batch lacks this item, or has it twice.
    Missing,
}

/// What the exchange knew before this attempt. Every `None` means "not known" and costs at most
/// one more endpoint, never a wrong answer.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::struct_excessive_bools, reason = "facts that have nothing to do with each other")]
pub struct Context<'a> {
    /// When the answer came; dates in `Retry-After` are measured from it.
    pub now: Millis,
    /// An earlier attempt of this operation may have been carried out.
    pub earlier_ambiguous: bool,
    /// The id the request carried, as JSON text; `None` skips the check.
    pub id: Option<&'a str>,
    /// EIP-155 chain id an `eth_chainId` must show.
    pub chain_id: Option<u64>,
    /// What a `net_version` must show.
    pub network_id: Option<u64>,
    /// Hash (`0x…`, lower case) of the raw transaction sent, for sends.
    pub tx_hash: Option<&'a str>,
    /// Highest head any endpoint of the route is known to have.
    pub known_head: Option<u64>,
    /// This endpoint's own head, if known.
    pub endpoint_head: Option<u64>,
    /// The highest block number the parameters name (`toBlock` of a range); `None` for tags,
    /// hashes and methods without a block.
    pub block: Option<u64>,
    /// Reads about this transaction: another endpoint accepted it within 2 minutes.
    pub accepted_elsewhere: bool,
    /// The request [`looks_odd`]: a refusal in front of the endpoint may be about that alone.
    pub odd: bool,
    /// The caller's own credentials went with the request, so a 401 or 403 is about the caller.
    pub caller_credentials: bool,
}

/// The operator's say.
#[derive(Debug, Clone, Copy)]
pub struct Policy<'a> {
    /// Which JSON-RPC errors fail over.
    pub rpc_errors: RpcErrors,
    /// Operator rules, tried first.
    pub rules: &'a [OperatorRule],
    /// Name of the endpoint asked, for operator rules.
    pub endpoint: &'a str,
}

/// What the outcome means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verdict {
    /// Whose answer it is, and whether another endpoint may be asked.
    pub next: Next,
    /// What it says about the endpoint's health.
    pub signal: Signal,
    /// What the client hears if nobody does better.
    pub last_word: LastWord,
    /// Why: metric label and log field.
    pub class: Class,
    /// Id of the row that decided.
    pub rule: &'static str,
}

impl Verdict {
    /// Of a send: whether the endpoint has taken the transaction.
    pub fn accepts(&self) -> bool {
        let taken = matches!(self.class, Class::Ok | Class::OddStatus | Class::AlreadyKnown);
        self.next == Next::Accepted || (self.next == Next::Return && taken)
    }
}

/// Whose answer it is, and whether another endpoint may be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// The upstream's answer is the client's.
    Return,
    /// The endpoint declined or provably did not process it: ask another.
    Advance,
    /// Ask another only if this endpoint is behind (heads say so, or nothing is known).
    AdvanceIfBehind,
    /// Raw send, outcome unknown: the same bytes may go to another endpoint.
    Resend,
    /// Raw send: the transaction is known already; success with its local hash.
    Accepted,
    /// Raw send: look the own hash up; found is success, else this answer is the client's.
    CheckHash,
    /// *Once*, outcome unknown: nobody else may be asked.
    Unknown,
    /// The request cannot be carried out, whoever is asked: stop with an own error.
    Stop,
}

/// What an outcome says about the endpoint's health.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signal {
    /// It works.
    Success,
    /// Says nothing either way.
    Neutral,
    /// The endpoint did wrong: counts towards the breaker.
    Failure,
    /// Rest for seconds: `Retry-After`, else the doubling default.
    Throttled {
        /// Parsed and positive, uncapped; `None` when absent or unreadable.
        retry_after_ms: Option<u64>,
    },
    /// Account trouble: rest for minutes, tell the operator.
    Account {
        /// Parsed and positive, uncapped; `None` when absent or unreadable.
        retry_after_ms: Option<u64>,
    },
    /// It cannot do this; remembered per endpoint and method, health untouched.
    Gap(Gap),
    /// It serves another chain: out, loudly.
    WrongChain,
}

/// What an endpoint cannot do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Gap {
    /// The method is not there.
    Method,
    /// History is pruned; concerns reads below the head only.
    History,
    /// The range or the answer is too large for it.
    Range,
    /// The batch has too many items for it.
    Batch,
}

/// What the client hears if nobody does better.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LastWord {
    /// The first such body is passed on with HTTP 200.
    PassOn,
    /// The same, before any error: to whoever asked it says "not yet".
    NotYet,
    /// Own error: everybody is rate limited.
    RateLimited,
    /// Own error: nobody answered.
    Unavailable,
    /// Own error: the outcome is not known.
    Unknown,
}
