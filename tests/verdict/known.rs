//! What was known before decides: heads, chain ids, hashes, earlier attempts.

use breakwater::time::Millis;
use breakwater::verdict::{Class, Context, Failure, Gap, LastWord, Next, Signal, Verdict};

use crate::case::{Case, action, message};

const NULL: &[u8] = br#"{"jsonrpc":"2.0","id":1,"result":null}"#;
const NO_LOGS: &[u8] = br#"{"jsonrpc":"2.0","id":1,"result":[ ]}"#;
const HASH: &str = "0xadf410a055277cfc14b688a32b18c04267c2a8a117f0897fff8bdad7fbf72e82";

fn heads(block: Option<u64>, endpoint: Option<u64>, known: Option<u64>) -> Context<'static> {
    Context { block, endpoint_head: endpoint, known_head: known, ..Context::default() }
}

fn null(method: &str, context: Context<'_>) -> String {
    action(&Case::new(method, NULL).knowing(context).judge())
}

#[test]
fn a_missing_block_is_lag_history_or_future() {
    let block =
        |block, endpoint, known| null("eth_getBlockByNumber", heads(block, endpoint, known));
    assert_eq!(block(Some(100), None, None), "advance_if_behind");
    assert_eq!(block(Some(100), Some(99), Some(100)), "advance_if_behind");
    assert_eq!(block(Some(101), Some(99), Some(100)), "return");
    assert_eq!(block(Some(100), Some(100), Some(100)), "advance");
    assert_eq!(block(Some(16), None, Some(1000)), "advance+gap_history");
    assert_eq!(block(Some(16), Some(1000), None), "advance+gap_history");
    assert_eq!(block(None, Some(100), Some(100)), "return");
}

#[test]
fn an_error_about_a_missing_block_is_lag_or_history() {
    let body = message(-32000, "header not found");
    let judge = |context| Case::new("eth_call", &body).knowing(context).judge();
    let read = |block, endpoint, known| action(&judge(heads(block, endpoint, known)));
    assert_eq!(read(None, None, None), "advance_if_behind");
    assert_eq!(read(None, Some(99), Some(100)), "advance_if_behind");
    assert_eq!(read(None, Some(100), Some(100)), "advance_if_behind");
    assert_eq!(read(Some(100), Some(100), Some(100)), "advance");
    let old = judge(heads(Some(16), Some(1000), Some(1000)));
    assert_eq!((old.next, old.class), (Next::Advance, Class::Pruned));
    assert_eq!(old.signal, Signal::Gap(Gap::History));
    // Clients poll for blocks to come by their numbers, and hear null. Who reads what is in a block
    // knows it from somewhere, and known heads are some seconds old.
    assert_eq!(read(Some(101), Some(100), Some(100)), "advance_if_behind");
}

#[test]
fn a_receipt_is_looked_for_elsewhere_unless_the_endpoint_is_up_to_date() {
    let receipt = |context| null("eth_getTransactionReceipt", context);
    assert_eq!(receipt(heads(None, None, None)), "advance_if_behind");
    assert_eq!(receipt(heads(None, Some(99), Some(100))), "advance_if_behind");
    assert_eq!(receipt(heads(None, Some(100), Some(100))), "return");
    let elsewhere = Context { accepted_elsewhere: true, ..heads(None, Some(100), Some(100)) };
    assert_eq!(receipt(elsewhere), "advance");
    assert_eq!(null("eth_getTransactionByHash", elsewhere), "advance");
    assert_eq!(null("eth_getTransactionByHash", Context::default()), "return");
}

#[test]
fn empty_is_no_error_unless_the_endpoint_lags() {
    let logs = |context| action(&Case::new("eth_getLogs", NO_LOGS).knowing(context).judge());
    assert_eq!(logs(Context::default()), "return");
    assert_eq!(logs(heads(Some(103), Some(100), Some(103))), "advance_if_behind");
    assert_eq!(logs(heads(Some(99), Some(100), Some(103))), "return");
    assert_eq!(logs(heads(Some(u64::MAX), Some(103), Some(103))), "return");
    assert_eq!(logs(heads(Some(u64::MAX), Some(100), Some(103))), "advance_if_behind");
    let nothing = br#"{"jsonrpc":"2.0","id":1,"result":"0x"}"#;
    let call = |context| action(&Case::new("eth_call", nothing).knowing(context).judge());
    assert_eq!(call(Context::default()), "return");
    assert_eq!(call(heads(None, Some(100), Some(103))), "advance_if_behind");
}

#[test]
fn a_head_may_trail_by_two_blocks() {
    let body = br#"{"jsonrpc":"2.0","id":1,"result":"0x64"}"#;
    let head = |known| {
        action(&Case::new("eth_blockNumber", body).knowing(heads(None, None, known)).judge())
    };
    assert_eq!(head(None), "return");
    assert_eq!(head(Some(102)), "return");
    assert_eq!(head(Some(103)), "advance_if_behind");
    assert_eq!(head(Some(50)), "return");
}

#[test]
fn another_chain_takes_the_endpoint_out() {
    let judge = |method, result: &str| {
        let body = format!(r#"{{"jsonrpc":"2.0","id":1,"result":{result}}}"#).into_bytes();
        let context = Context { chain_id: Some(1), network_id: Some(1), ..Context::default() };
        Case::new(method, &body).knowing(context).judge()
    };
    assert_eq!(judge("eth_chainId", r#""0x1""#).next, Next::Return);
    assert_eq!(judge("eth_chainId", r#""0x38""#).signal, Signal::WrongChain);
    assert_eq!(judge("net_version", r#""1""#).next, Next::Return);
    assert_eq!(judge("net_version", r#""56""#).signal, Signal::WrongChain);
    assert_eq!(judge("eth_chainId", "1").signal, Signal::Failure);
}

#[test]
fn a_send_is_done_when_its_own_hash_comes_back() {
    let send = |result: &str, context| {
        let body = format!(r#"{{"jsonrpc":"2.0","id":1,"result":{result}}}"#).into_bytes();
        Case::new("eth_sendRawTransaction", &body).knowing(context).judge()
    };
    let known = Context { tx_hash: Some(HASH), ..Context::default() };
    let own = format!("\"{HASH}\"");
    assert_eq!(send(&own, known).next, Next::Return);
    assert_eq!(send(&own.to_uppercase().replace("0X", "0x"), known).next, Next::Return);
    for other in ["null", "true", r#""0x00""#, r#"{"hash":"0x00"}"#] {
        let verdict = send(other, known);
        assert_eq!((verdict.next, verdict.last_word), (Next::Resend, LastWord::Unknown), "{other}");
    }
}

#[test]
fn after_a_lost_answer_no_refusal_is_believed_before_the_hash_was_looked_up() {
    let lost = Context { earlier_ambiguous: true, ..Context::default() };
    for text in [
        "nonce too low",
        "insufficient funds for gas * price + value",
        "replacement transaction underpriced",
        "something new",
    ] {
        let body = message(-32000, text);
        let case = Case::new("eth_sendRawTransaction", &body);
        assert_eq!(case.judge().next, Next::Return, "{text}");
        assert_eq!(case.knowing(lost).judge().next, Next::CheckHash, "{text}");
    }
    let known = message(-32000, "already known");
    let case = Case::new("eth_sendRawTransaction", &known).knowing(lost);
    assert_eq!(case.judge().next, Next::Accepted);
    let result = format!(r#"{{"jsonrpc":"2.0","id":1,"result":"{HASH}"}}"#).into_bytes();
    let case = Case::new("eth_sendRawTransaction", &result).knowing(lost);
    assert_eq!(case.judge().next, Next::Return);
}

#[test]
fn a_send_nobody_answered_is_unknown_not_unavailable() {
    let case = Case::new("eth_sendRawTransaction", b"");
    assert_eq!(case.fail(Failure::Timeout).last_word, LastWord::Unknown);
    assert_eq!(case.clone().at(502).judge().last_word, LastWord::Unknown);
    assert_eq!(case.at(429).judge().last_word, LastWord::RateLimited);
}

#[test]
fn a_sync_send_that_waits_for_its_block_is_accepted_and_not_sent_again() {
    let known = message(-32000, "already known");
    let waits =
        message(4, "The transaction was added to the transaction pool but wasn't processed");
    for (body, next) in [(known, Next::Accepted), (waits, Next::Return)] {
        let mut case = Case::new("eth_sendRawTransactionSync", &body);
        assert_eq!((case.judge().next, case.judge().accepts()), (next, true));
        case.context.earlier_ambiguous = true;
        assert_eq!((case.judge().next, case.judge().accepts()), (next, true));
    }
}

#[test]
fn rests_last_as_long_as_asked() {
    let rest = |status, value| {
        let mut case = Case::new("eth_call", b"").at(status);
        case.reply.retry_after = Some(value);
        case.context.now = Millis(1_767_225_600_000);
        case.judge().signal
    };
    let throttled = |retry_after_ms| Signal::Throttled { retry_after_ms };
    assert_eq!(rest(429, "7"), throttled(Some(7_000)));
    assert_eq!(rest(429, "Thu, 01 Jan 2026 00:00:09 GMT"), throttled(Some(9_000)));
    assert_eq!(rest(429, "-5"), throttled(None));
    assert_eq!(rest(401, "60"), Signal::Account { retry_after_ms: Some(60_000) });
    assert_eq!(rest(503, "60"), Signal::Failure);
}

fn once(body: &[u8], status: u16) -> Verdict {
    Case::new("eth_sendTransaction", body).at(status).judge()
}

#[test]
fn what_must_not_be_repeated_stays_where_it_went() {
    let next = |body: &[u8], status| once(body, status).next;
    assert_eq!(next(br#"{"jsonrpc":"2.0","id":1,"result":"0xab"}"#, 200), Next::Return);
    assert_eq!(next(NULL, 200), Next::Unknown);
    assert_eq!(next(&message(-32000, "nonce too low"), 200), Next::Return);
    assert_eq!(next(&message(-32000, "already known"), 200), Next::Return);
    assert_eq!(next(&message(-32601, "method not found"), 200), Next::Return);
    assert_eq!(next(&message(-32603, "Internal error"), 200), Next::Unknown);
    assert_eq!(next(&message(-32000, "request timed out"), 200), Next::Unknown);
    assert_eq!(next(b"<html></html>", 200), Next::Unknown);
    assert_eq!(next(b"<html></html>", 521), Next::Unknown);
    assert_eq!(next(b"", 502), Next::Unknown);
    let throttled = once(b"", 429);
    assert_eq!((throttled.next, throttled.last_word), (Next::Stop, LastWord::RateLimited));
    let refused = once(b"no", 401);
    assert_eq!((refused.next, refused.last_word), (Next::Stop, LastWord::Unavailable));
}

#[test]
fn only_proof_moves_what_must_not_be_repeated() {
    let fail = |failure| Case::new("eth_sendTransaction", b"").fail(failure).next;
    for failure in [
        Failure::Network,
        Failure::Timeout,
        Failure::BodyBroken,
        Failure::BodyTimeout,
        Failure::TooLarge,
        Failure::ClientGone,
    ] {
        assert_eq!(fail(failure), Next::Unknown, "{failure:?}");
    }
    assert_eq!(fail(Failure::Unreached), Next::Advance);
    assert_eq!(fail(Failure::NotSent), Next::Stop);
}
