//! Verdicts on a transaction, by text: every client has its own code for them.

use super::invalid;
use crate::verdict::Class;
use crate::verdict::meaning::{ADVANCE, Meaning};
use crate::verdict::rule::{ERROR, On, Rule, When};
use crate::verdict::sample::error;

/// Words of a billing desk, not of a chain.
const BILLING: &[&str] = &["top up", "recharge", "credit", "plan", "subscription", "billing"];

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "transaction.nonce",
        When {
            text: &[
                "nonce too low",
                "nonce too high",
                "nonce is too",
                "nonce too far",
                "nonce too small",
                "nonce*lower",
                "nonce expired",
                "expected nonce",
                "sender nonce",
                "nonce gap",
                "noncegap",
                "oldnonce",
                "invalid nonce",
                "incorrect nonce",
                "nonce mismatch",
                "stale nonce",
                "nonce has already",
                "nonce already",
                "noncealreadyused",
                "invalid transaction nonce",
                "invalid sequence",
                "pool(stale)",
                "::stale",
                "gapped-nonce",
            ],
            ..ERROR
        },
        Meaning::answer(Class::Nonce),
    )
    .seen(
        "gh:NethermindEth/nethermind AcceptTxResult.cs",
        error(
            "eth_sendRawTransaction",
            r#"{"code":-32010,"message":"OldNonce, Current nonce: 6, nonce of rejected tx: 5"}"#,
        ),
    ),
    Rule::new(
        "transaction.pool_full",
        When {
            text: &[
                "txpool is full",
                "tx pool is full",
                "pool full",
                "pool is full",
                "txpool overflow",
                "mempool is full",
                "pool limit",
                "pool overloaded",
                "queue full",
                "too many transactions in the queue",
                "immediatelydropped",
                "feetoolowtocompete",
            ],
            on: On::Sends,
            ..ERROR
        },
        Meaning::both(Class::PoolFull, ADVANCE),
    )
    .seen(
        "gh:paradigmxyz/reth rpc-eth-types",
        error("eth_sendRawTransaction", r#"{"code":-32003,"message":"txpool is full"}"#),
    ),
    // That endpoint's own settings; the caller signed it, others may take it.
    Rule::new(
        "transaction.node_policy",
        When {
            text: &[
                "exceeds the configured cap",
                "fee cap exceeded",
                "only replay-protected",
                "private transactions only",
                "transaction pool not enabled",
                "pool disabled",
                "unprotected transactions",
                "sanction",
                "censor",
                "blocked by policy",
                "read only",
                "read-only",
                // What a relay may spend on its callers' behalf, large calldata most of all.
                "hbar rate limit",
            ],
            on: On::Sends,
            ..ERROR
        },
        Meaning::both(Class::NodePolicy, ADVANCE),
    )
    .seen(
        "gh:ethereum/go-ethereum internal/ethapi",
        error(
            "eth_sendRawTransaction",
            r#"{"code":-32000,"message":"tx fee (1.10 ether) exceeds the configured cap (1.00 ether)"}"#,
        ),
    ),
    Rule::new(
        "transaction.funds",
        When {
            text: &[
                "insufficient funds",
                "insufficientfunds",
                "insufficient balance",
                "not enough funds",
                "enough funds",
                "upfront cost exceeds",
                "gas required exceeds allowance",
                "lack of funds",
                "balance too low",
                "balance is too low",
                "exceeds balance",
                "balance insufficient",
                "insufficient eth",
                "enough balance",
            ],
            unless: BILLING,
            ..ERROR
        },
        Meaning::answer(Class::InsufficientFunds),
    )
    .seen(
        "gh:hyperledger/besu RpcErrorType.java",
        error(
            "eth_sendRawTransaction",
            r#"{"code":-32004,"message":"Upfront cost exceeds account balance"}"#,
        ),
    ),
    Rule::new(
        "transaction.price",
        When {
            text: &[
                "underpriced",
                "less than block base fee",
                "below current base fee",
                "lower than the minimum",
                "below configured minimum",
                "feetoolow",
                "fee too low",
                "fee too high",
                "price too low",
                "price is too low",
                "price below",
                "price*below minimum",
                "fee*below minimum",
                "tip*below minimum",
                "minimum gas price",
                "tip too low",
                "per gas less than",
                "feecap less than",
                "could not replace",
                "lower than base fee",
                "below base fee",
                "cap too low",
                "price bump",
                "replacement not",
                "price*too low",
                "had higher priority",
                "toolowpriority",
                "too low priority",
                "max fee per gas too low",
                "another tx which has the same nonce",
            ],
            ..ERROR
        },
        Meaning::answer(Class::Underpriced),
    )
    .seen(
        "gh:smartcontractkit/chainlink",
        error(
            "eth_sendRawTransaction",
            r#"{"code":-32603,"message":"An existing transaction had higher priority"}"#,
        ),
    ),
    Rule::new(
        "transaction.invalid",
        When { text: invalid::ANYWHERE, ..ERROR },
        Meaning::answer(Class::TxInvalid),
    )
    .seen(
        "gh:hyperledger/besu RpcErrorType.java",
        error(
            "eth_sendRawTransaction",
            r#"{"code":-32005,"message":"Transaction gas limit exceeds block gas limit"}"#,
        ),
    ),
    Rule::new(
        "transaction.refused",
        When { text: invalid::SENT, on: On::Sends, ..ERROR },
        Meaning::answer(Class::TxInvalid),
    )
    .seen(
        "gh:0xPolygon/cdk-erigon zk/txpool",
        error("eth_sendRawTransaction", r#"{"code":-32000,"message":"overflow zk-counters"}"#),
    ),
];
