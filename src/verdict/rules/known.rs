//! The transaction is there already: success, whoever brought it.

use crate::verdict::Class;
use crate::verdict::meaning::{ACCEPTED, Meaning, RETURN};
use crate::verdict::rule::{ERROR, On, Rule, When};
use crate::verdict::sample::error;

/// The pool or the chain has it already.
const KNOWN: When = When {
    text: &[
        "already known",
        "alreadyknown",
        "already imported",
        "alreadyimported",
        "already_exists",
        "already_known",
        "hash already",
        "known transaction",
        "same hash",
        "transaction already",
        "tx already",
        "already have transaction",
        "already in the mempool",
        "already in mempool",
        "already in the pool",
        "already in the system",
        "alreadyintxpool",
        "already exists in mempool",
        "already been mined",
        "already been imported",
        "duplicate transaction",
        "duplicate tx",
    ],
    unless: &["unknown transaction", "nonce", "already reserved"],
    on: On::Sends,
    ..ERROR
};

pub(super) static RULES: &[Rule] = &[
    // Accepted, not mined yet: `data` has its hash.
    Rule::new(
        "known.sync_pending",
        When { codes: &[4], text: &["added to the transaction pool"], ..ERROR },
        Meaning::answer(Class::AlreadyKnown),
    )
    .seen(
        "EIP-7966",
        error(
            "eth_sendRawTransactionSync",
            r#"{"code":4,"message":"The transaction was added to the transaction pool but wasn't processed in 2s"}"#,
        ),
    ),
    Rule::new(
        "known.already",
        KNOWN,
        Meaning::new(Class::AlreadyKnown, RETURN, ACCEPTED),
    )
    .seen(
        "gh:ledgerwatch/erigon",
        error(
            "eth_sendRawTransaction",
            r#"{"code":-32000,"message":"INTERNAL_ERROR: existing tx with same hash"}"#,
        ),
    ),
];
