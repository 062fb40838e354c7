//! Whether a result is good. Results are the common case, so this looks at a few bytes only.
//!
//! A result is refused when it cannot be one of its method, when it is not the hash of what was
//! sent, or when known heads show that the endpoint cannot know better. An empty answer as such is
//! never an error.

use super::meaning::{
    ADVANCE, ADVANCE_FAILURE, IF_BEHIND, LET_BE, RESEND, RETURN, WRONG_CHAIN, gap,
};
use super::standing::{Standing, lags, standing};
use super::{Class, Context, Gap, LastWord, Next, Verdict};
use crate::method::{Effect, Operation, filter};

/// Blocks by which an `eth_blockNumber` may trail the best known head.
const STALE_BLOCKS: u64 = 2;

fn good() -> Verdict {
    RETURN.verdict("result.ok", Class::Ok, LastWord::PassOn)
}

/// A result that is too large to be read before it is passed on.
pub fn large() -> Verdict {
    RETURN.verdict("result.large", Class::Ok, LastWord::PassOn)
}

/// Passed on if all say the same: sloppy nodes exist.
fn wrong_type() -> Verdict {
    ADVANCE_FAILURE.verdict("result.wrong_type", Class::WrongResult, LastWord::PassOn)
}

/// Words where hex is due.
fn words() -> Verdict {
    ADVANCE.verdict("result.words", Class::Malformed, LastWord::Unavailable)
}

fn other_chain() -> Verdict {
    WRONG_CHAIN.verdict("result.wrong_chain", Class::WrongChain, LastWord::Unavailable)
}

/// Judges the JSON text of a result under an HTTP status.
pub(crate) fn weigh(
    operation: &Operation<'_>,
    result: &str,
    status: u16,
    context: &Context<'_>,
) -> Verdict {
    let verdict = match operation.effect {
        Effect::Read => read(operation.method, result, context),
        Effect::Send | Effect::Once => sent(operation.method, result, context),
    };
    if verdict.next == Next::Return && !(200..=299).contains(&status) {
        return LET_BE.verdict("result.odd_status", Class::OddStatus, LastWord::PassOn);
    }
    verdict
}

fn sent(method: &str, result: &str, context: &Context<'_>) -> Verdict {
    let gives_hash =
        matches!(method, "eth_sendRawTransaction" | "eth_sendRawTransactionConditional");
    match context.tx_hash {
        // Neither accepted nor refused.
        _ if result == "null" && method.contains("_send") => {
            RESEND.verdict("result.no_hash", Class::NullResult, LastWord::Unknown)
        }
        Some(hash) if gives_hash && !result.trim_matches('"').eq_ignore_ascii_case(hash) => {
            RESEND.verdict("result.wrong_hash", Class::WrongResult, LastWord::Unknown)
        }
        _ => good(),
    }
}

fn read(method: &str, result: &str, context: &Context<'_>) -> Verdict {
    match method {
        "eth_blockNumber" => hex_or(result, |text| head(text, context)),
        "eth_chainId" => hex_or(result, |text| match (number(text), context.chain_id) {
            (None, _) => words(),
            (Some(own), Some(id)) if own != id => other_chain(),
            _ => good(),
        }),
        "net_version" => network(result, context),
        "eth_gasPrice"
        | "eth_maxPriorityFeePerGas"
        | "eth_blobBaseFee"
        | "eth_getBalance"
        | "eth_getTransactionCount"
        | "eth_estimateGas"
        | "eth_getStorageAt" => hex_or(result, |_| good()),
        "eth_call" | "eth_getCode" => hex_or(result, |text| no_bytes(text, context)),
        "eth_getLogs" => logs(result, context),
        "eth_getBlockByNumber"
        | "eth_getBlockReceipts"
        | "eth_getBlockTransactionCountByNumber"
        | "eth_getUncleCountByBlockNumber"
            if result == "null" =>
        {
            block(context)
        }
        "eth_getBlockByHash" if result == "null" => {
            ADVANCE.verdict("result.null_hash", Class::NullResult, LastWord::PassOn)
        }
        "eth_getTransactionReceipt" | "eth_getTransactionByHash" if result == "null" => {
            transaction(method, context)
        }
        "eth_getFilterChanges" | "eth_getFilterLogs" if result == "null" => {
            RETURN.verdict("result.no_filter", Class::FilterLost, LastWord::PassOn)
        }
        _ if filter::makes(method) && !filter::is_id(result) => wrong_type(),
        _ => good(),
    }
}

/// Tests a result that must be a `0x…` string.
fn hex_or(result: &str, then: impl FnOnce(&str) -> Verdict) -> Verdict {
    let Some(text) = result.strip_prefix('"') else { return wrong_type() };
    match text.strip_prefix("0x") {
        Some(digits) => then(digits.trim_end_matches('"')),
        None => words(),
    }
}

fn number(digits: &str) -> Option<u64> {
    u64::from_str_radix(digits, 16).ok()
}

fn head(digits: &str, context: &Context<'_>) -> Verdict {
    match (number(digits), context.known_head) {
        (None, _) => words(),
        (Some(own), Some(known)) if known.saturating_sub(own) > STALE_BLOCKS => {
            IF_BEHIND.verdict("result.stale_head", Class::StaleHead, LastWord::PassOn)
        }
        _ => good(),
    }
}

fn network(result: &str, context: &Context<'_>) -> Verdict {
    let own = result.trim_matches('"').parse::<u64>();
    match (own, context.network_id) {
        (Err(_), _) => words(),
        (Ok(own), Some(id)) if own != id => other_chain(),
        _ => good(),
    }
}

/// No code there, or a node that lacks it still.
fn no_bytes(digits: &str, context: &Context<'_>) -> Verdict {
    if digits.is_empty() && lags(context) {
        return IF_BEHIND.verdict("result.no_bytes", Class::EmptyResult, LastWord::PassOn);
    }
    good()
}

fn logs(result: &str, context: &Context<'_>) -> Verdict {
    let Some(rest) = result.strip_prefix('[') else { return wrong_type() };
    if rest.trim_ascii_start().starts_with(']') && lags(context) {
        return IF_BEHIND.verdict("result.no_logs", Class::EmptyResult, LastWord::PassOn);
    }
    good()
}

fn block(context: &Context<'_>) -> Verdict {
    match standing(context) {
        Standing::Future | Standing::Reached => good(),
        Standing::Denies { old: true } => {
            gap(Gap::History).verdict("result.pruned_block", Class::Pruned, LastWord::PassOn)
        }
        Standing::Denies { old: false } => {
            ADVANCE.verdict("result.null_block", Class::NullResult, LastWord::PassOn)
        }
        Standing::Behind | Standing::Unknown => {
            IF_BEHIND.verdict("result.null_block", Class::NullResult, LastWord::PassOn)
        }
    }
}

/// Most such calls are polls for something pending, and pools differ: for a bare transaction only
/// proof of lag is a reason to look elsewhere.
fn transaction(method: &str, context: &Context<'_>) -> Verdict {
    let receipt = method == "eth_getTransactionReceipt";
    if context.accepted_elsewhere {
        return ADVANCE.verdict("result.sent_elsewhere", Class::NullResult, LastWord::NotYet);
    }
    match standing(context) {
        Standing::Behind => {
            IF_BEHIND.verdict("result.null_tx", Class::NullResult, LastWord::NotYet)
        }
        Standing::Unknown if receipt => {
            IF_BEHIND.verdict("result.null_tx", Class::NullResult, LastWord::NotYet)
        }
        Standing::Unknown | Standing::Reached | Standing::Future | Standing::Denies { .. } => {
            good()
        }
    }
}
