//! What callers and contracts can write must never count against an endpoint.

use breakwater::method::Effect;
use breakwater::verdict::{Class, Context, Next, Signal, Verdict};

use crate::case::{Case, answer, message};

/// Words that mean trouble when an endpoint says them itself.
pub(crate) const WORDS: &[&str] = &[
    "rate limit exceeded",
    "429 Too Many Requests",
    "100/second request limit reached",
    "monthly quota exceeded",
    "unauthorized: invalid api key",
    "payment required, see billing",
    "internal server error",
    "502 Bad Gateway",
    "no backend is currently healthy to serve traffic",
    "connection refused",
    "request timed out",
    "method not found",
    "block range too large",
    "query returned more than 10000 results",
    "missing trie node",
    "header not found",
    "nonce too low",
    "already known",
    "insufficient funds",
    "txpool is full",
    "batch too large",
    "error code: 1015",
];

pub(crate) fn counts_against(verdict: &Verdict) -> bool {
    match verdict.signal {
        Signal::Success | Signal::Neutral => false,
        Signal::Failure
        | Signal::Throttled { .. }
        | Signal::Account { .. }
        | Signal::Gap(_)
        | Signal::WrongChain => true,
    }
}

#[track_caller]
fn is_left_alone(case: &Case<'_>, what: &str) {
    let verdict = case.judge();
    assert!(!counts_against(&verdict), "{what}: {verdict:?}");
}

#[test]
fn a_revert_is_the_answer_whatever_its_reason_says() {
    for words in WORDS {
        for status in [200, 400, 403, 429, 500, 503] {
            for text in [
                format!("execution reverted: {words}"),
                format!("VM Exception while processing transaction: revert {words}"),
                format!(
                    "Error: VM Exception while processing transaction: reverted with reason string '{words}'"
                ),
            ] {
                let body = message(-32000, &text);
                let verdict = Case::new("eth_call", &body).at(status).judge();
                assert_eq!(verdict.next, Next::Return, "{status} {text}");
                assert_eq!(verdict.class, Class::Revert, "{status} {text}");
                assert!(!counts_against(&verdict), "{status} {text}");
            }
        }
    }
}

#[test]
fn revert_bytes_make_any_wording_an_answer() {
    // Error("rate limit"), as a string, behind a word, wrapped, and inside a string of JSON.
    let bytes = "0x08c379a0000000000000000000000000000000000000000000000000000000000000002\
                 0000000000000000000000000000000000000000000000000000000000000000a72617465206c696d\
                 697400000000000000000000000000000000000000000000";
    let custom = "0xe450d38c00000000000000000000000029c80b0afde60df4d3b545a7c443ce7c406bbb45";
    for words in WORDS {
        for data in [
            format!(r#""{bytes}""#),
            format!(r#""{custom}""#),
            format!(r#""Reverted {bytes}""#),
            format!(r#"{{"data":"{custom}"}}"#),
            format!(r#"{{"originalError":{{"code":3,"data":"{custom}"}}}}"#),
            format!(r#"{{"0xab":{{"error":"revert","return":"{bytes}"}}}}"#),
            format!(r#""{{\"code\":3,\"message\":\"{words}\"}}""#),
        ] {
            let body = answer(&format!(r#"{{"code":-32603,"message":"{words}","data":{data}}}"#));
            let verdict = Case::new("eth_call", &body).judge();
            assert_eq!((verdict.next, verdict.class), (Next::Return, Class::Revert), "{data}");
        }
    }
}

#[test]
fn calldata_in_error_data_is_no_revert() {
    let data = r#"{"request":{"params":[{"data":"0x70a0823100000000000000000000000029c80b0afde60df4d3b545a7c443ce7c406bbb45"}]}}"#;
    let body = answer(&format!(r#"{{"code":-32005,"message":"slow down","data":{data}}}"#));
    assert_eq!(Case::new("eth_call", &body).judge().class, Class::RateLimited);
}

#[test]
fn quoted_arguments_are_the_callers_words() {
    for words in WORDS {
        for text in [
            format!(r#"invalid argument 0: hex string "{words}""#),
            format!("invalid argument 0: json: cannot unmarshal {words}"),
            format!(r#"Invalid params: invalid type: string "{words}", expected H160"#),
            format!(r#"Invalid value "{words}" supplied to : ADDRESS"#),
            format!("missing value for required argument 1: {words}"),
            format!(r#"bad request: "{words}" is no address"#),
        ] {
            for status in [200, 400, 500] {
                let body = message(-32602, &text);
                is_left_alone(&Case::new("eth_getBalance", &body).at(status), &text);
            }
        }
    }
}

#[test]
fn an_echo_of_the_parameters_shows_nothing() {
    for words in WORDS {
        let plain = format!(r#"["{words}"]"#);
        let escaped = plain.replace(' ', "\\u0020").replace('a', "\\u0061");
        for params in [&plain, &escaped] {
            for (status, body) in [
                (200, message(-32000, &format!("cannot use {words} here"))),
                (400, message(-32000, &format!("cannot use {words} here"))),
                (400, format!("Bad request: {words}").into_bytes()),
                (400, format!(r#"{{"error":"no such thing: {words}"}}"#).into_bytes()),
            ] {
                let case = Case::new("eth_call", &body).at(status).params(params);
                is_left_alone(&case, &format!("{status} {params}"));
            }
        }
    }
}

#[test]
fn an_echo_of_the_methods_name_shows_nothing_worse() {
    let body =
        message(-32601, "the method eth_rate limit exceeded does not exist/is not available");
    let verdict = Case::new("eth_rate limit exceeded", &body).judge();
    assert_eq!(verdict.class, Class::MethodUnsupported);
}

#[test]
fn the_endpoints_own_words_still_count_when_the_caller_wrote_others() {
    let body = message(-32000, "rate limit exceeded");
    let verdict = Case::new("eth_call", &body).params(r#"["timeout","limit"]"#).judge();
    assert_eq!(verdict.class, Class::RateLimited);
}

#[test]
fn a_client_error_the_callers_body_can_cause_is_left_alone() {
    for status in [400, 413, 414, 422, 431] {
        for body in ["", "<html>no</html>", "no", r#"{"error":"no"}"#, r#"{"jsonrpc":"2.0","id":1"#]
        {
            for effect in [Effect::Read, Effect::Send, Effect::Once] {
                let case = Case::new("eth_call", body.as_bytes()).effect(effect);
                is_left_alone(&case.at(status), &format!("{status} {body}"));
            }
        }
    }
}

#[test]
fn requests_some_readers_cannot_parse_are_the_callers_doing() {
    let deep = "[".repeat(64) + &"]".repeat(64);
    let body = message(-32700, "parse error");
    for params in [deep.as_str(), r#"["\ud800"]"#, "[\"\u{7f}\"]", "[\"é\"]"] {
        is_left_alone(&Case::new("eth_call", &body).params(params), params);
    }
    let plain = Case::new("eth_call", &body).params(r#"[{"to":"0x00"},"latest"]"#).judge();
    assert_eq!(plain.signal, Signal::Failure);
}

#[test]
fn what_a_caller_can_bring_about_counts_against_nobody() {
    for (method, code, text) in [
        ("eth_sendRawTransaction", -32603, "blobs failed kzg validation"),
        ("eth_sendRawTransaction", -32005, "Transaction gas limit cap exceeded"),
        (
            "eth_sendRawTransaction",
            -32005,
            "Transaction gas limit '30000000' exceeds max gas per sec limit '15000000'",
        ),
        (
            "eth_sendRawTransaction",
            -32606,
            "The HBAR rate limit was preemptively exceeded due to an excessively large callData size.",
        ),
        ("eth_sendRawTransaction", -32601, "unsupported chain: 5"),
        ("eth_sendRawTransaction", -32800, "Access denied"),
        ("debug_traceTransaction", -32613, "custom trace not found in allowed custom traces"),
        ("eth_getLogs", 0, "Internal error: height 9 must be less than or equal to the current 8"),
        ("eth_getLogs", 1, "invalid epoch range"),
        ("eth_getBlockByNumber", 1, "requested epoch was a null round"),
    ] {
        for status in [200, 400] {
            is_left_alone(&Case::new(method, &message(code, text)).at(status), text);
        }
    }
}

#[test]
fn a_pending_block_that_breaks_a_node_is_left_alone() {
    let body = message(-32603, "Unexpected");
    let case = Case::new("eth_getTransactionCount", &body).params(r#"["0x00","pending"]"#);
    is_left_alone(&case, "pending");
    assert_eq!(case.judge().next, Next::Advance);
}

#[test]
fn a_firewall_that_a_caller_provokes_is_no_trouble_of_the_account() {
    let odd = Context { id: Some("1"), odd: true, ..Context::default() };
    let error = message(-32602, "Request blocked");
    for status in [403, 406] {
        for body in [
            &b"<html><title>403 Forbidden</title></html>"[..],
            b"error code: 1020",
            br#"{"message":"Forbidden"}"#,
            b"Access denied",
            b"",
            &error,
        ] {
            for effect in [Effect::Read, Effect::Send, Effect::Once] {
                let case = Case::new("eth_call", body).effect(effect).at(status);
                assert!(counts_against(&case.judge()) || effect != Effect::Read, "{body:?}");
                let what = format!("{status} {}", String::from_utf8_lossy(body));
                is_left_alone(&case.knowing(odd), &what);
            }
        }
    }
    assert!(counts_against(&Case::new("eth_call", b"{}").at(401).knowing(odd).judge()));
}
