//! What this endpoint does not keep, or does not have yet.

use crate::verdict::meaning::{ADVANCE, IF_BEHIND, Meaning, RESEND, gap};
use crate::verdict::rule::{ERROR, On, Rule, When};
use crate::verdict::sample::{error, error_at};
use crate::verdict::{Class, Gap};

const PRUNED: Meaning = Meaning::new(Class::Pruned, gap(Gap::History), RESEND);
/// Missing here for a reason that heads do not tell.
const NOT_HERE: Meaning = Meaning::new(Class::Behind, ADVANCE, RESEND);
const BEHIND: Meaning = Meaning::new(Class::Behind, IF_BEHIND, RESEND);

pub(super) static RULES: &[Rule] = &[
    // Nobody else knows it either: the client makes a new one.
    Rule::new(
        "history.filter",
        When { text: &["filter*not found", "filter*does not exist"], ..ERROR },
        Meaning::answer(Class::FilterLost),
    )
    .seen(
        "gh:ethereum/go-ethereum eth/filters",
        error("eth_getFilterChanges", r#"{"code":-32000,"message":"filter not found"}"#),
    ),
    Rule::new(
        "history.trace_plan",
        When { text: &["archiv*not included", "archiv*trace*plan"], on: On::Traces, ..ERROR },
        Meaning::gap(Class::MethodUnsupported, Gap::Method),
    )
    .seen(
        "Chainstack docs",
        error_at(
            403,
            "debug_traceBlockByNumber",
            r#"{"code":-32002,"message":"Access to archival, debug, or trace data is not included in your current plan. Kindly upgrade."}"#,
        ),
    ),
    Rule::new(
        "history.tag",
        When {
            text: &[
                "pending block*not",
                "finalized*not",
                "safe block*not",
                "pending is not a supported",
                "safe is not a supported",
                "not a supported commitment",
            ],
            ..ERROR
        },
        NOT_HERE,
    )
    .seen(
        "gh:ethereum/go-ethereum internal/ethapi",
        error("eth_getBlockByNumber", r#"{"code":-32000,"message":"pending block is not available"}"#),
    ),
    Rule::new(
        "history.indexing",
        When {
            text: &[
                "indexing is in progress",
                "fully indexed",
                "not indexed yet",
                "immature records",
                "available only after",
            ],
            ..ERROR
        },
        NOT_HERE,
    )
    .seen(
        "gh:ethereum/go-ethereum internal/ethapi",
        error(
            "eth_getTransactionReceipt",
            r#"{"code":-32000,"message":"transaction indexing is in progress"}"#,
        ),
    ),
    Rule::new("history.pruned", When { text: GONE, ..ERROR }, PRUNED).seen(
        "Allnodes publicnode",
        error(
            "eth_call",
            r#"{"code":-32602,"message":"Archive requests require a personal token. Get one at: https://www.allnodes.com/publicnode"}"#,
        ),
    ),
    Rule::new("history.code", When { codes: &[4444, -32043], ..ERROR }, PRUNED).seen(
        "EIP-4444 / execution-apis",
        error("eth_getBlockByNumber", r#"{"code":4444,"message":"unavailable"}"#),
    ),
    Rule::new("history.missing", When { text: &["^missing data"], ..ERROR }, NOT_HERE).seen(
        "gh:erpc/erpc common/errors.go",
        error("eth_getTransactionReceipt", r#"{"code":-32014,"message":"missing data"}"#),
    ),
    // An aggregator's nodes have not got that far; it passed nothing on.
    Rule::new(
        "history.cluster_behind",
        When { text: &["upstream height*less than"], ..ERROR },
        BEHIND.send(ADVANCE),
    )
    .seen(
        "dRPC",
        error(
            "eth_getBlockByNumber",
            r#"{"code":1,"message":"no available upstreams to process a request. Cause - node-1 - Upstream height 75651020 is less than 75651022"}"#,
        ),
    ),
    Rule::new(
        "history.behind",
        When { text: NOT_YET, unless: &["method", "api key"], ..ERROR },
        BEHIND,
    )
    .seen(
        "gh:erpc/erpc#999",
        error("eth_getLogs", r#"{"code":3,"message":"Unknown block"}"#),
    ),
    // Filecoin: that height has no block, and no endpoint will have one.
    Rule::new(
        "history.null_round",
        When { text: &["was a null round"], ..ERROR },
        Meaning::answer(Class::InvalidParams),
    )
    .seen(
        "gh:filecoin-project/lotus",
        error("eth_getBlockByNumber", r#"{"code":1,"message":"requested epoch was a null round"}"#),
    ),
    Rule::new(
        "history.syncing",
        When {
            // An aggregator's word about its own endpoints is no word about history.
            unless: &["all upstream"],
            text: &[
                "syncing",
                "not synced",
                "initial sync",
                "sync in progress",
                "sync is still in progress",
                "catching up",
                "lagging",
                "out of sync",
                "not in sync",
                "node is behind",
                "block is stale",
            ],
            ..ERROR
        },
        NOT_HERE.send(ADVANCE),
    )
    .seen(
        "gh:hyperledger/besu RpcErrorType.java",
        error(
            "eth_call",
            r#"{"code":-32008,"message":"Initial sync is still in progress"}"#,
        ),
    ),
];

/// Not kept: old state, old blocks.
const GONE: &[&str] = &[
    "missing trie node",
    "trie does not",
    "pruned",
    "pruning",
    "purged for block",
    "archiv",
    "no state available",
    "no state found",
    "no state data",
    "state not found",
    "state not available",
    "state is not available",
    "state unavailable",
    "state*is not available",
    "state already discarded",
    "historical state",
    "historical backend",
    "no historical",
    "history*unavailable",
    "history*not available",
    "requested data is not available",
    "first available",
    "earliest available",
    "lowest height is",
    "too old",
    "proof window",
    "proofs are available only",
    "does not exist on height",
    "empty reader set",
    "iavl store",
    "tipset state",
    "failed to load state",
    "body not found for block",
    "no transactions snapshot",
    "metadata is not found",
    "cannot decode empty bytes",
    "unsupported historical",
    "historical data",
    "data unavailable",
    "not retained",
    "data before*not",
    "no data for block",
    "far in the past",
    "minimum available",
    "been deleted",
    "no state at",
    "state root not found",
    "^receipts not available",
    "^logs not available",
    "pre-bedrock",
    "history before",
    "state is unavailable",
];

/// Not there yet: blocks above the head, or not heard of.
const NOT_YET: &[&str] = &[
    "header not found",
    "unknown header",
    "unknown block",
    "unknown ancestor",
    "block*not found",
    "block is out of range",
    "block out of range",
    "block*beyond",
    "beyond*head",
    "unsupported block number",
    "unfinalized",
    "invalid block height",
    "invalid blockhash",
    "exist yet",
    "available yet",
    "yet available",
    "yet produced",
    "requested block yet",
    "future block",
    "is in the future",
    "greater than latest",
    "higher than latest",
    "after last accepted block",
    "header for hash not found",
    "could not find block",
    "cannot find block",
    "could not find finalizeblock",
    "blocks specified*cannot be found",
    "expect block number from id",
    "block height passed is invalid",
    "height is not available",
    "height*must be less than",
    "transaction not found",
    "cannot find transaction",
    "not currently canonical",
    "genesis is not traceable",
    "block does not exist",
    "bad tipset height",
    "resource not found",
];
