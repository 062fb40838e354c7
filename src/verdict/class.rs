//! Why an attempt ended as it did: a closed list, so that it can be a metric label.

macro_rules! classes {
    ($($(#[$doc:meta])* $name:ident = $label:literal,)*) => {
        /// Why. The label is what `x-breakwater-reason`, logs and metrics show.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Class { $($(#[$doc])* $name,)* }

        impl Class {
            /// Every class, in order of declaration.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The label: lower case, at most 24 characters, unique.
            pub fn label(self) -> &'static str {
                match self { $(Self::$name => $label,)* }
            }
        }
    };
}

classes! {
    /// A good answer.
    Ok = "ok",

    /// `fetch` rejected.
    Network = "network",
    /// No whole answer within the attempt timeout.
    Timeout = "timeout",
    /// The connect check was refused.
    Unreached = "unreached",
    /// The operator's drill holds it down: nothing was sent.
    Drill = "drill",
    /// It never left this isolate.
    NotSent = "not_sent",
    /// The region's view, just arrived, calls its breaker open.
    BreakerOpen = "breaker_open",
    /// Silent for longer than usual while several waited: another was asked meanwhile.
    Silent = "silent",
    /// It took longer than `hedge_after_ms`: another was asked meanwhile.
    Slow = "slow",
    /// Its answer was another than that of as many as count.
    Outvoted = "outvoted",
    /// The client went away.
    ClientGone = "client_gone",
    /// The body broke off or could not be decoded.
    Truncated = "truncated",

    /// Another facilitator does not vouch for a payment, so the settle was not sent there.
    NotVerified = "not_verified",

    /// A redirect: the endpoint's URL is not where the service is.
    Redirect = "redirect",
    /// Cloudflare could not reach or understand the origin (52x, 530).
    Edge = "cf_52x",
    /// Cloudflare's own refusal (`error code: 1xxx`).
    EdgeRefusal = "cf_1xxx",
    /// No body.
    EmptyBody = "empty_body",
    /// A web page.
    Html = "html_error_page",
    /// Neither a JSON-RPC answer nor a page.
    NotJsonRpc = "not_jsonrpc",
    /// Not JSON, or JSON-RPC that contradicts itself.
    Malformed = "malformed_json",
    /// An answer to another question.
    WrongId = "wrong_id",
    /// A batch answer lacks this item.
    BatchPartial = "batch_partial",

    /// The EVM's answer: a revert or a halt.
    Revert = "execution_revert",
    /// The transaction's nonce is used or ahead.
    Nonce = "nonce",
    /// The transaction is there already.
    AlreadyKnown = "already_known",
    /// The sender cannot pay.
    InsufficientFunds = "insufficient_funds",
    /// The transaction pays too little.
    Underpriced = "underpriced",
    /// The transaction itself is not valid.
    TxInvalid = "tx_invalid",
    /// That endpoint's pool has no room.
    PoolFull = "txpool_full",
    /// That endpoint's own rule about transactions.
    NodePolicy = "node_policy",

    /// The client's parameters.
    InvalidParams = "invalid_params",
    /// A filter lives at one endpoint only.
    FilterLost = "stateful_filter",
    /// Too many blocks, addresses or bytes asked.
    RangeTooLarge = "range_too_large",
    /// The answer would be too large.
    ResponseTooLarge = "response_too_large",
    /// Too many items in a batch, or no batches at all.
    BatchTooLarge = "batch_too_large",
    /// History is not kept there.
    Pruned = "missing_data_pruned",
    /// The endpoint has not reached that block.
    Behind = "behind",

    /// Too many requests per second or so.
    RateLimited = "rate_limited",
    /// An allowance of days or a plan is used up.
    Quota = "quota",
    /// Credentials, allow lists, regions.
    Unauthorized = "unauthorized",
    /// The service was switched off.
    EndpointGone = "endpoint_gone",
    /// It has nobody to serve it just now.
    Capacity = "capacity",
    /// The method is not there.
    MethodUnsupported = "method_unsupported",
    /// It broke inside.
    Internal = "internal",
    /// Its own clock ran out.
    UpstreamTimeout = "timeout_upstream",
    /// A bare 5xx.
    ServerError = "server_error",
    /// A request that the endpoint could not read.
    InvalidRequest = "invalid_request",
    /// A bare 4xx.
    ClientError = "client_error",

    /// `null` where another endpoint may know more.
    NullResult = "null_result",
    /// An empty list where another endpoint may know more.
    EmptyResult = "empty_result",
    /// A head below what is known.
    StaleHead = "stale_head",
    /// A result that cannot be one of this method.
    WrongResult = "wrong_result",
    /// A sound result under an error status.
    OddStatus = "result_with_error_status",
    /// The endpoint serves another chain.
    WrongChain = "wrong_chain",

    /// A JSON-RPC error that no rule knows.
    Unknown = "unknown",
}
