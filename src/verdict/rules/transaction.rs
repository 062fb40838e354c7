//! Verdicts on a transaction, by text: every client has its own code for them.

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
        When { text: INVALID, ..ERROR },
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
        When { text: REFUSED, on: On::Sends, ..ERROR },
        Meaning::answer(Class::TxInvalid),
    )
    .seen(
        "gh:0xPolygon/cdk-erigon zk/txpool",
        error("eth_sendRawTransaction", r#"{"code":-32000,"message":"overflow zk-counters"}"#),
    ),
];

/// The same in words that mean it only of a transaction that was sent.
const REFUSED: &[&str] = &[
    "type*not supported",
    "unsupported tx",
    "type*not accepted",
    "not activated",
    "only legacy",
    "invalid tx",
    "maximum gas",
    "gas too high",
    "gas limit exceeded",
    "above the cap",
    "initcode too large",
    "invalid v, r",
    "bad signature",
    "signer mismatch",
    "zk-counters",
    "deployment disabled",
    "creation not allowed",
    "transaction expired",
];

/// The transaction is wrong wherever it is sent.
const INVALID: &[&str] = &[
    "intrinsic gas",
    "intrinsicgas",
    "gas too low",
    "gas is too low",
    "gas uint64 overflow",
    "block gas limit",
    "exceeds gas limit",
    "gas limit exceeds",
    "gas limit too high",
    "gas limit is too high",
    "gaslimitexceeded",
    "gas limit reached",
    "gas limit cap",
    "gas limit*exceeds max gas",
    "current gas limit",
    "supplied gas is beyond limit",
    "oversized data",
    "exceeds max transaction size",
    "negative value",
    "invalid sender",
    "failed to recover sender",
    "failedtoresolvesender",
    "senderiscontract",
    "not an eoa",
    "forbidden sender",
    "blocked sender",
    "sender account not authorized",
    "in blacklist",
    "by acl policy",
    "by chain policy",
    "marked the transaction as",
    "banned in local queue",
    "invalid signature",
    "invalid transaction",
    "transaction invalid",
    "transaction too large",
    "invalid raw transaction",
    "invalid message format",
    "invalid chain id",
    "invalid chainid",
    "wrong chain id",
    "wrong chainid",
    "chainid*not supported",
    "chainid is required",
    "chain id mismatch",
    "incorrect chain",
    "chain id for signer",
    "transaction type not supported",
    "unsupported transaction type",
    "transaction too short",
    "rlp:",
    "invalid rlp",
    "decode signed transaction",
    "decode transaction",
    "blob sidecar",
    "blob transaction",
    "blob gas too high",
    "failed kzg",
    "initcode size",
    "higher than max fee per gas",
    "exceeds max fee per gas",
    "unregistered fee-currency",
    "tip above fee cap",
    "int256overflow",
    "transaction cost overflow",
    "in-flight transaction limit",
    "already reserved",
    "authority has pending",
    "transaction type conflict",
    "line count for module",
    "future transaction tries to replace",
    "^rejected$",
];
