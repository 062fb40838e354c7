//! What an answer says, in a form that can be compared with others', by the method's own measure.

use alloy_primitives::keccak256;

use super::canonical::{canonical, members};
use super::essence::essence;
use super::quantity::Quantity;
use crate::verdict::{Class, LastWord, Next, Signal, Verdict};

/// How answers of a method are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// So many must be equal.
    Equal,
    /// The largest number that so many have reached.
    Height,
    /// The middle one of at least so many.
    Median,
}

/// What one endpoint said.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Vote(Said);

/// What an answer counts for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Paper {
    /// A vote.
    Vote(Vote),
    /// Nothing: it is a result, of an endpoint known to be behind.
    Behind,
    /// Nothing: it is a result that cannot be one. Alone, no result is anybody's answer.
    Void,
    /// Nothing: a refusal, to be passed on if nobody votes.
    Refusal,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Said {
    Number(Quantity),
    /// Keccak-256 of the canonical form.
    Same([u8; 32]),
}

impl Vote {
    /// For what is compared whole.
    pub fn same(canonical: &str) -> Self {
        Self(Said::Same(keccak256(canonical).0))
    }

    /// For a hex quantity, JSON text.
    pub fn number(json: &str) -> Option<Self> {
        Quantity::read(json).map(|quantity| Self(Said::Number(quantity)))
    }

    /// Whether two heads are further apart than `slack`.
    pub(super) fn differs(&self, other: &Self, slack: u64) -> bool {
        match (&self.0, &other.0) {
            (Said::Number(own), Said::Number(other)) => own.distance(other) > slack,
            (Said::Same(_) | Said::Number(_), _) => self != other,
        }
    }
}

/// How answers of this method are compared.
pub fn rule(method: &str) -> Rule {
    match method {
        "eth_blockNumber" => Rule::Height,
        "eth_gasPrice" | "eth_maxPriorityFeePerGas" | "eth_blobBaseFee" => Rule::Median,
        _ => Rule::Equal,
    }
}

/// What an answer counts for, `payload` being the JSON text of its `result` or `error`.
pub fn paper(method: &str, payload: &str, is_error: bool, verdict: &Verdict) -> Paper {
    let void = match (is_error, verdict.next) {
        (true, _) => Paper::Refusal,
        (false, Next::AdvanceIfBehind) => Paper::Behind,
        (false, _) => Paper::Void,
    };
    vote(method, payload, is_error, verdict).map_or(void, Paper::Vote)
}

/// The vote of an answer. `None`: it is no answer of the chain's but a refusal or a fault, it is not
/// the operation's (nobody is given it, whoever says the same), or the endpoint is known to be behind.
fn vote(method: &str, payload: &str, is_error: bool, verdict: &Verdict) -> Option<Vote> {
    let sound = match verdict.signal {
        Signal::Success | Signal::Neutral | Signal::Gap(_) => true,
        Signal::Failure
        | Signal::Throttled { .. }
        | Signal::Account { .. }
        | Signal::WrongChain => false,
    };
    let own = matches!(verdict.last_word, LastWord::PassOn | LastWord::NotYet);
    if !sound || !own || verdict.next == Next::AdvanceIfBehind {
        return None;
    }
    if is_error {
        return (verdict.class == Class::Revert).then(|| Vote::same(&revert(payload)));
    }
    match rule(method) {
        Rule::Height | Rule::Median => Vote::number(payload),
        Rule::Equal => Some(Vote::same(&format!("result {}", essence(method, payload)))),
    }
}

/// A revert is its bytes, under whatever code and words; without bytes it is its code and words.
fn revert(error: &str) -> String {
    let members = members(error).unwrap_or_default();
    let text = |name: &str| members.get(name).map(|raw| canonical(raw.get())).unwrap_or_default();
    let data = text("data").to_ascii_lowercase();
    match data.split_once("0x").map(|(_, bytes)| bytes).filter(|bytes| !bytes.is_empty()) {
        Some(bytes) => format!("revert 0x{bytes}"),
        None => format!("revert {} {}", text("code"), text("message").to_ascii_lowercase()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(next: Next, signal: Signal, class: Class) -> Verdict {
        Verdict { next, signal, last_word: LastWord::PassOn, class, rule: "test" }
    }

    fn result(method: &str, payload: &str) -> Vote {
        let good = verdict(Next::Return, Signal::Success, Class::Ok);
        vote(method, payload, false, &good).unwrap()
    }

    fn reverted(payload: &str) -> Option<Vote> {
        vote("eth_call", payload, true, &verdict(Next::Return, Signal::Success, Class::Revert))
    }

    #[test]
    fn each_method_has_its_measure() {
        let log = |index: u8, more: &str| {
            format!(
                r#"{{"blockHash":"0xB1","logIndex":"0x{index}","address":"0xa","topics":[],"data":"0x"{more}}}"#
            )
        };
        let (one, two) = (log(1, ""), log(2, ""));
        let receipt = |logs: &str, more: &str| {
            format!(
                r#"{{"transactionHash":"0x1","blockHash":"0x2","status":"0x1","logs":[{logs}]{more}}}"#
            )
        };
        for (method, a, b, same) in [
            ("eth_call", "\"0xAB\"", "\"0xab\"", true),
            ("eth_call", "\"0xab\"", "\"0xabab\"", false),
            ("eth_call", "\"0x\"", "\"0x00\"", false),
            ("eth_getBalance", "\"0x0a\"", "\"0xA\"", true),
            ("eth_getBalance", "\"0x0\"", "\"0x1\"", false),
            ("eth_getStorageAt", "\"0x0\"", &format!("\"0x{}\"", "0".repeat(64)), true),
            (
                "eth_getBlockByNumber",
                r#"{"hash":"0x1","size":"0x2"}"#,
                r#"{"size":"0x3","hash":"0x1"}"#,
                true,
            ),
            ("eth_getBlockByNumber", r#"{"hash":"0x1"}"#, r#"{"hash":"0x2"}"#, false),
            ("eth_getBlockByNumber", "null", r#"{"hash":"0x2"}"#, false),
            ("eth_getBlockByNumber", "null", " null", true),
            ("eth_getLogs", &format!("[{one},{two}]"), &format!("[{two}, {one}]"), true),
            ("eth_getLogs", &format!("[{one},{two}]"), &format!("[{one}]"), false),
            (
                "eth_getLogs",
                &format!("[{one}]"),
                &format!("[{}]", log(1, r#","blockTimestamp":"0x1""#)),
                true,
            ),
            ("eth_getLogs", &format!("[{one},{one}]"), &format!("[{one}]"), false),
            ("eth_getLogs", "[]", "null", false),
            (
                "eth_getTransactionReceipt",
                &receipt(&one, ""),
                &receipt(&one, r#","type":"0x2""#),
                true,
            ),
            ("eth_getTransactionReceipt", &receipt(&one, ""), &receipt("", ""), false),
            ("eth_getTransactionReceipt", &receipt("", ""), "null", false),
            (
                "eth_getTransactionByHash",
                r#"{"hash":"0x1","blockHash":null}"#,
                r#"{"hash":"0x1","blockHash":"0x2"}"#,
                false,
            ),
            ("eth_feeHistory", r#"{"a":[0.5]}"#, r#"{ "a": [0.5] }"#, true),
        ] {
            assert_eq!(result(method, a) == result(method, b), same, "{method} {a} {b}");
        }
    }

    #[test]
    fn the_same_revert_agrees_whatever_the_words_and_two_others_do_not() {
        let data =
            |code: i32, data: &str| format!(r#"{{"code":{code},"message":"x","data":"{data}"}}"#);
        let bare = |message: &str| format!(r#"{{"code":3,"message":"{message}"}}"#);
        assert_eq!(
            reverted(&data(3, "0x08C379A0")),
            reverted(&data(-32015, "Reverted 0x08c379a0"))
        );
        assert_ne!(reverted(&data(3, "0x08c379a0")), reverted(&data(3, "0x4e487b71")));
        assert_eq!(reverted(&bare("execution reverted")), reverted(&bare("Execution reverted")));
        assert_ne!(
            reverted(&bare("execution reverted: a")),
            reverted(&bare("execution reverted: b"))
        );
        assert_ne!(reverted(&bare("execution reverted")), Some(result("eth_call", "\"0x\"")));
    }

    #[test]
    fn what_is_no_answer_of_the_chain_does_not_vote() {
        let error = r#"{"code":-32005,"message":"limit"}"#;
        for (payload, is_error, verdict) in [
            (
                error,
                true,
                verdict(
                    Next::Advance,
                    Signal::Throttled { retry_after_ms: None },
                    Class::RateLimited,
                ),
            ),
            (error, true, verdict(Next::Return, Signal::Success, Class::InvalidParams)),
            (error, true, verdict(Next::Advance, Signal::Neutral, Class::Unknown)),
            ("null", false, verdict(Next::AdvanceIfBehind, Signal::Neutral, Class::NullResult)),
            ("7", false, verdict(Next::Advance, Signal::Failure, Class::WrongResult)),
            ("\"0x1\"", false, verdict(Next::Advance, Signal::WrongChain, Class::WrongChain)),
        ] {
            assert_eq!(
                vote("eth_call", payload, is_error, &verdict),
                None,
                "{payload} {verdict:?}"
            );
        }
        let lone = verdict(Next::Advance, Signal::Neutral, Class::BatchPartial);
        let lone = Verdict { last_word: LastWord::Unavailable, ..lone };
        assert_eq!(vote("eth_getBalance", "\"0x1\"", false, &lone), None, "another item's answer");
        assert_eq!(
            vote(
                "eth_blockNumber",
                "\"x\"",
                false,
                &verdict(Next::Return, Signal::Success, Class::Ok)
            ),
            None
        );
    }
}
