//! What the operator configured: the model, after validation. [`parse`] makes it, nobody else.
//!
//! The way in: `value` (JSON to a tree), `table` and `take` (one key after the other), `service`,
//! `route`, `endpoint` and what they use (the defaults and the rules), this model. What is refused
//! becomes a [`Fault`], never an `Err` or a panic.

mod chain;
mod drill;
mod endpoint;
mod fingerprint;
mod headers;
mod hidden;
mod lookup;
mod methods;
mod names;
mod origin;
mod parse;
mod protocol;
mod quorum;
mod rate_limit;
mod route;
mod rules;
mod service;
mod table;
mod take;
mod template;
mod timeouts;
mod url;
mod words;

pub use chain::{Chain, Currency};
pub use drill::{DRILL_MAX_MS, DrillKind, Rehearsal, rehearsal};
pub use methods::{MethodList, method_matches};
pub use origin::OriginRule;
pub use parse::parse;
pub use quorum::{OnDisagreement, Quorum};
pub use rate_limit::RateLimit;
pub use rules::{OperatorRule, RuleAction};
pub use service::{Service, StateScope};

/// The whole configuration as one isolate sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    /// The `SERVICE` table, or its defaults.
    pub service: Service,
    /// The valid routes, sorted by name.
    pub routes: Vec<Route>,
    /// What is wrong, one entry per bad table; empty for a good configuration.
    pub faults: Vec<Fault>,
    /// Endpoints left out because a secret is not bound, and similar: the Worker runs all the same.
    pub notices: Vec<Notice>,
}

/// A table that was refused. Routes not named here keep working.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The route's public name; `None` when `SERVICE` itself is bad, which fails every route.
    pub route: Option<String>,
    /// One sentence that starts with the key's full path; never a secret's value.
    pub message: String,
}

/// Something the operator should hear about that does not stop a route.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// The route's public name.
    pub route: String,
    /// The endpoint's name, when the notice is about one.
    pub endpoint: Option<String>,
    /// One sentence that starts with the key's full path; never a secret's value.
    pub message: String,
}

/// What a route speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// Ethereum JSON-RPC.
    Evm,
    /// x402 payment facilitator.
    X402,
}

/// How endpoints are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// In configured order.
    Ordered,
    /// By a score of success, latency and head lag.
    Weighted,
    /// Several at once, until enough agree.
    Quorum,
}

/// One public path with its endpoints.
#[derive(Debug, Clone, PartialEq)]
pub struct Route {
    /// Public name: `ROUTE_ETHEREUM_MAIN` is `ethereum-main`.
    pub name: String,
    /// What it speaks.
    pub protocol: Protocol,
    /// EIP-155 chain id; required for evm, `None` for x402.
    pub chain_id: Option<u64>,
    /// The chain's name and currency, for people and wallets; `None` for x402.
    pub chain: Option<Chain>,
    /// What `net_version` answers: `chain_id` unless configured; `None` for x402.
    pub network_id: Option<u64>,
    /// How endpoints are chosen. Default ordered.
    pub mode: Mode,
    /// What is compared; set in quorum mode and in no other.
    pub quorum: Option<Quorum>,
    /// Milliseconds after which a read asks the next endpoint meanwhile. Default 0: off.
    pub hedge_after_ms: u64,
    /// In configured order, at least one with its secrets bound; at most 16.
    pub endpoints: Vec<Endpoint>,
    /// Time limits.
    pub timeouts: Timeouts,
    /// Attempts per operation, each endpoint at most once. Default 3.
    pub max_attempts: u32,
    /// When endpoints are left and taken back.
    pub breaker: BreakerPolicy,
    /// Which JSON-RPC errors fail over. Default declined.
    pub rpc_errors: RpcErrors,
    /// Operator rules, tried before the built-in ones.
    pub rules: Vec<OperatorRule>,
    /// What happens to `eth_sendRawTransaction`. Default resend.
    pub send: SendMode,
    /// What is done about x402 settles.
    pub settle: Settle,
    /// When an endpoint is too far behind.
    pub freshness: Freshness,
    /// Which methods are served.
    pub methods: MethodList,
    /// Sizes and counts.
    pub limits: Limits,
    /// How much one caller may ask. Default: as much as he likes.
    pub rate_limit: Option<RateLimit>,
}

/// One configured upstream.
#[derive(Clone, PartialEq)]
pub struct Endpoint {
    /// The only thing about it that is ever shown.
    pub name: String,
    /// Full URL with secrets filled in. Secret: never logged, shown or put in an error.
    pub url: String,
    /// Host of `url` in lower case, without port, for redacting relayed errors. Secret like the URL.
    pub host: String,
    /// Headers to send, secrets filled in. Secret.
    pub headers: Vec<(String, String)>,
    /// Headers of the caller that this endpoint gets, and no other; lower case. Default none.
    pub forward_headers: Vec<String>,
    /// For redacting relayed errors, longest first: the values that `${NAME}` stood for, and long
    /// parts of the URL's path and query and of header values. Secret.
    pub secrets: Vec<String>,
    /// False when a secret it needs is not bound: shown as disabled, never asked. `url`, `host`,
    /// `headers` and `secrets` are empty then.
    pub bound: bool,
    /// In place of the route's `attempt_timeout_ms`, see [`Route::attempt_timeout_at_ms`].
    pub attempt_timeout_ms: Option<u64>,
    /// Its share of the requests beside the others', 1 to 100; for weighted mode. Default 1.
    pub weight: u32,
    /// Items per upstream batch; `None`: no limit known. 1: no batches.
    pub batch_max: Option<u32>,
    /// Raw transactions go to private endpoints only, when the route has one. Default false.
    pub private: bool,
    /// Asked first for reads far below the head. Default false.
    pub archive: bool,
    /// Which methods are sent there; `allow` limits, `deny` wins.
    pub methods: MethodList,
}

impl std::fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Endpoint").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Time limits, in milliseconds.
#[derive(Debug, Clone, PartialEq)]
pub struct Timeouts {
    /// One attempt, body included. `None` where the operation's own default holds
    /// (3500, sends 6000, x402 15000).
    pub attempt_ms: Option<u64>,
    /// Until the first byte of the answer. Default 9000 (x402 60000).
    pub total_ms: u64,
    /// Per method, in place of `attempt_ms`.
    pub per_method_ms: Vec<(String, u64)>,
}

/// When an endpoint is left and taken back.
#[derive(Debug, Clone, PartialEq)]
pub struct BreakerPolicy {
    /// Consecutive failures that open it; 0 and 1 both mean the first one. Default 5.
    pub trip_after: u32,
    /// Or at least this share … Default 0.5.
    pub trip_ratio: f64,
    /// … of at least this many attempts … Default 20.
    pub trip_min: u32,
    /// … within this window. Default 30 000 ms.
    pub trip_window_ms: u64,
    /// How long it stays open; doubles on each failed probe. Default 15 000 ms.
    pub cooldown_ms: u64,
    /// Cap of the doubling. Default 120 000 ms.
    pub cooldown_max_ms: u64,
    /// Consecutive probe successes that close it; 0 and 1 both mean the first one. Default 2.
    pub close_after: u32,
    /// Cap of an upstream's `Retry-After`. Default 300 000 ms.
    pub retry_after_cap_ms: u64,
    /// What happens when every endpoint is open. Default try.
    pub when_all_open: WhenAllOpen,
    /// How often the object polls and probes while there is traffic. Default 15 000 ms.
    pub poll_ms: u64,
}

/// When an endpoint is too far behind, and what is then doubted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Freshness {
    /// Blocks behind the reference head … Default 2; 0: off.
    pub max_lag_blocks: u64,
    /// … for longer than this: both must be exceeded. Default 15 000 ms; 0: off.
    pub max_lag_ms: u64,
    /// Which empty results are doubted. Default `retry_if_behind`.
    pub empty_result: EmptyResult,
    /// `eth_blockNumber` never goes back. Default true.
    pub monotonic: bool,
}

/// Which empty results (`null`, `[]`, `0x`) are doubted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EmptyResult {
    /// None: they are answers.
    Answer,
    /// Those of an endpoint that heads show to be behind.
    RetryIfBehind,
    /// All: one more endpoint is asked.
    Retry,
}

/// What happens when every endpoint is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhenAllOpen {
    /// One pass over the open endpoints, earliest retry first, at most `max_attempts`.
    Try,
    /// Answer at once; no request is sent.
    Fail,
}

/// Which JSON-RPC errors fail over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RpcErrors {
    /// Answers in which the node declined to serve.
    Declined,
    /// None.
    Never,
    /// All but reverts and verdicts on transactions.
    Lenient,
}

/// What happens to `eth_sendRawTransaction`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SendMode {
    /// To one endpoint, never to a second.
    Once,
    /// To the next endpoint after a fault: the same signed bytes.
    Resend,
    /// To all at once.
    Broadcast,
}

/// What is done about x402 settles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settle {
    /// Whether a settle may go to another facilitator. Default proof.
    pub failover: SettleFailover,
    /// How an unknown outcome is answered. Default opaque.
    pub unknown: SettleUnknown,
}

/// Whether a settle may go to another facilitator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SettleFailover {
    /// Never.
    Never,
    /// When it provably did not reach the first.
    Proof,
}

/// How a settle of unknown outcome is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SettleUnknown {
    /// HTTP 200 without `success`: current merchants answer their buyer 502 and ask for no other
    /// payment.
    Opaque,
    /// HTTP 504 with the same body: current merchants ask their buyer to pay.
    Status,
}

/// Sizes and counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Items in a client's batch. Default 100.
    pub batch_max: u32,
    /// Bytes of a client's body. Default 5 242 880.
    pub body_max_bytes: u64,
    /// Bytes of an upstream answer held in memory. Default 2 097 152.
    pub response_max_bytes: u64,
    /// Upstream requests one client request may cause. Default 40.
    pub max_subrequests: u32,
}
