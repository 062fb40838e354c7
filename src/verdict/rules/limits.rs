//! Too many blocks, results, items or bytes for this endpoint. Its limits are its own: numbers in
//! the messages are not trusted, and nothing here counts against its health.

use crate::verdict::meaning::{ADVANCE, Meaning, RESEND, gap};
use crate::verdict::rule::{ANY, ERROR, On, Rule, WORDS, When};
use crate::verdict::sample::{body, error, error_at};
use crate::verdict::{Class, Gap};

const BATCH: Meaning = Meaning::gap(Class::BatchTooLarge, Gap::Batch);

/// The request's own bytes.
const BODY_SIZE: When = When {
    text: &[
        "request is too large",
        "request too large",
        "request size",
        "request entity too large",
        "body too large",
        "body is too large",
        "payload too large",
        "content length too large",
    ],
    ..ERROR
};

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "limits.batch",
        When {
            text: &[
                "batch*limit",
                "batch*too",
                "batch*exceed",
                "batch*not supported",
                "batch*not allowed",
                "batch*disabled",
                "batch*maximum",
                "batch of more than",
                "part of batch",
                "batch size",
                "too many*batch",
                "too many rpc calls",
                "maximum*batch",
            ],
            ..ERROR
        },
        BATCH,
    )
    .seen(
        "gh:blockscout/blockscout#14211",
        error(
            "eth_call",
            r#"{"code":31,"message":"Batch of more than 3 requests are not allowed on free tier, to use this feature register paid account"}"#,
        ),
    ),
    Rule::new("limits.batch_bytes", When { on: On::Batches, ..BODY_SIZE }, BATCH).seen(
        "1RPC",
        error("eth_call", r#"{"code":-32600,"message":"JSON RPC Request is too large"}"#)
            .for_batch(),
    ),
    Rule::new(
        "limits.batch_status",
        When { statuses: &[(413, 413)], on: On::Batches, ..ANY },
        BATCH,
    )
    .seen(
        "nginx client_max_body_size",
        body(413, "eth_call", "<html>413 Request Entity Too Large</html>").for_batch(),
    ),
    // One caller's large call must not steer anybody else's calls.
    Rule::new("limits.bytes", BODY_SIZE, Meaning::both(Class::RangeTooLarge, ADVANCE)).seen(
        "gh:ethereum-optimism/infra proxyd",
        error_at(413, "eth_call", r#"{"code":-32021,"message":"request body too large"}"#),
    ),
    Rule::new(
        "limits.response",
        When {
            text: &[
                "response size",
                "response*too large",
                "response*too big",
                "result*too large",
                "result*too big",
                "is too big",
                "more than*results",
                "returned more than",
                "exceeds max results",
                "too many results",
                "too many logs",
                "logs over more",
                "logs matched by query exceeds",
                "returned result of length",
                "query exceeds limit",
                "message larger than max",
                "try paginating",
                "pagination count",
                "that can be returned",
                "result*over limit",
                "too many matching",
                "too many entries",
                "max results",
                "logs limit exceeded",
                "log limit exceeded",
                "too much data",
            ],
            on: On::Reads,
            ..ERROR
        },
        Meaning::gap(Class::ResponseTooLarge, Gap::Range),
    )
    .seen(
        "gh:paritytech/jsonrpsee",
        error("eth_getLogs", r#"{"code":-32008,"message":"Response is too big"}"#),
    ),
    // fromBlock after toBlock, in words close to a limit's.
    Rule::new(
        "limits.backwards",
        When { text: &["invalid block range params", "begin block*end block", "must be after from"],
            ..ERROR },
        Meaning::answer(Class::InvalidParams),
    )
    .seen(
        "gh:ethereum/go-ethereum eth/filters",
        error("eth_getLogs", r#"{"code":-32602,"message":"invalid block range params"}"#),
    ),
    Rule::new(
        "limits.range",
        When {
            text: RANGE,
            unless: &["beyond", "rate limit", "out of range"],
            on: On::Reads,
            ..ERROR
        },
        Meaning::gap(Class::RangeTooLarge, Gap::Range),
    )
    .seen(
        "gh:ponder-sh/ponder getLogsRetryHelper.ts",
        error(
            "eth_getLogs",
            r#"{"code":-32602,"message":"block range (5000) exceeds the range allowed for your plan (5000 > 3000)"}"#,
        ),
    ),
    // Too wide or backwards: the words do not tell, so nothing is remembered.
    Rule::new(
        "limits.range_doubt",
        When {
            text: &["^invalid block range$", "^invalid epoch range$"],
            on: On::Reads,
            ..ERROR
        },
        Meaning::both(Class::RangeTooLarge, ADVANCE),
    )
    .seen(
        "Monad docs",
        error("eth_getLogs", r#"{"code":-32602,"message":"Invalid block range"}"#),
    ),
    // Room for filters is its own matter: all else goes on.
    Rule::new(
        "limits.filters",
        When {
            text: &["active filters exceeded", "active subscriptions exceeded"],
            on: On::Reads,
            ..ERROR
        },
        Meaning::gap(Class::Capacity, Gap::Method),
    )
    .seen(
        "gh:hyperledger/besu RpcErrorType.java",
        error(
            "eth_newFilter",
            r#"{"code":-32005,"message":"Maximum number of active filters exceeded"}"#,
        ),
    ),
    // The caller's own tracer: the endpoint traces with others all the same.
    Rule::new(
        "limits.tracer",
        When { text: &["custom trace"], on: On::Traces, ..WORDS },
        Meaning::both(Class::MethodUnsupported, ADVANCE),
    )
    .seen(
        "QuickNode docs",
        error_at(
            403,
            "debug_traceTransaction",
            r#"{"code":-32613,"message":"custom trace not found in allowed custom traces"}"#,
        ),
    ),
    // Too heavy for what was paid: the account itself is in order.
    Rule::new(
        "limits.plan_time",
        When { text: &["timeout on*tier", "timeout on*plan"], ..ERROR },
        Meaning::new(Class::UpstreamTimeout, ADVANCE, RESEND),
    )
    .seen(
        "gh:enviodev/hyperindex#715",
        error_at(
            408,
            "eth_getLogs",
            r#"{"code":30,"message":"Request timeout on the free tier, please upgrade your tier to the paid one"}"#,
        ),
    ),
    // Switched off there, in the words of a throttle.
    Rule::new(
        "limits.logs_off",
        When { text: &["^limit exceeded$"], on: On::Logs, ..ERROR },
        Meaning::new(Class::MethodUnsupported, gap(Gap::Method), RESEND),
    )
    .seen(
        "gh:bnb-chain/bsc#1215",
        error("eth_getLogs", r#"{"code":-32005,"message":"limit exceeded"}"#),
    ),
];

/// How the field says "too many blocks" or "too many addresses".
const RANGE: &[&str] = &[
    "range*too",
    "ranges over",
    "range*exceed",
    "exceed*range",
    "range*limit",
    "range greater than",
    "range larger than",
    "range should",
    "range*not supported",
    "range*allowed",
    "limited to*range",
    "limited to*block",
    "max range",
    "max block range",
    "maximum block range",
    "up to a*range",
    "too many blocks",
    "more than*blocks",
    "max*blocks",
    "maximum*blocks",
    "wide block range",
    "block span",
    "block difference",
    "block interval",
    "number of blocks",
    "toblock*exceed",
    "range must be less",
    "range must be smaller",
    "eth_getlogs limit",
    "topics limit",
    "maximum allowed is",
    "large of a range",
    "interval must",
    "maximum range",
    "block count too",
    "exceeded block limit",
    "too expensive",
    "too broad",
    "provide an address",
    "must include address",
    "distance exceeds",
    "can be queried",
    "list too long",
    "number of requested blocks",
    "at most*blocks",
    "smaller than size",
    "exceeded max allowed",
    "exceeds server limit",
    "maximum allowed duration",
    "query set is too large",
    "invalid block range given",
    "block range should work",
    "try with this block range",
    "specify an address",
    "specify address",
    "number of address",
    "addresses or topics per",
    "filters*current limit is",
];
