//! What an outcome says about the endpoint, whole ranges at a time.

use breakwater::method::Effect;
use breakwater::verdict::{Failure, Next, Reply, Signal};

use crate::case::{Case, answer};

#[test]
fn no_status_but_200_is_an_answer_by_itself() {
    for status in (201..=599).filter(|status| *status != 204) {
        for body in ["", "<html><body>Oops</body></html>", "Oops", "{}"] {
            let verdict = Case::new("eth_call", body.as_bytes()).at(status).judge();
            assert_eq!(verdict.next, Next::Advance, "{status} {body}");
        }
    }
}

#[test]
fn a_client_error_is_no_failure_where_the_callers_body_may_be_the_cause() {
    let signal = |status| Case::new("eth_call", b"Oops").at(status).judge().signal;
    for status in [400, 413, 414, 422, 431] {
        assert_eq!(signal(status), Signal::Neutral, "{status}");
    }
    for status in (500..=599).filter(|status| *status != 529) {
        assert_eq!(signal(status), Signal::Failure, "{status}");
    }
    let overloaded = Signal::Throttled { retry_after_ms: None };
    assert_eq!([signal(429), signal(529)], [overloaded; 2]);
}

#[test]
fn an_answer_of_the_chain_speaks_for_the_endpoint_and_a_refusal_does_not() {
    let signal = |error: &str| Case::new("eth_call", &answer(error)).judge().signal;
    for of_the_chain in [
        r#"{"code":3,"message":"execution reverted","data":"0x"}"#,
        r#"{"code":-32000,"message":"insufficient funds for transfer"}"#,
        r#"{"code":-32602,"message":"invalid argument 0"}"#,
    ] {
        assert_eq!(signal(of_the_chain), Signal::Success, "{of_the_chain}");
    }
    for refused in [
        r#"{"code":-32601,"message":"the method does not exist"}"#,
        r#"{"code":-32005,"message":"rate limit exceeded"}"#,
        r#"{"code":-32603,"message":"Internal error"}"#,
        r#"{"code":1234,"message":"strange"}"#,
    ] {
        assert_ne!(signal(refused), Signal::Success, "{refused}");
    }
}

#[test]
fn timeouts_count_and_what_is_our_own_doing_does_not() {
    use Failure::{
        BodyBroken, BodyTimeout, ClientGone, Drill, Network, NotSent, Timeout, TooLarge, Unreached,
    };
    for effect in [Effect::Read, Effect::Send, Effect::Once] {
        let signal = |failure| Case::new("eth_call", b"").effect(effect).fail(failure).signal;
        for counts in [Network, Timeout, BodyBroken, BodyTimeout, Unreached, Drill] {
            assert_eq!(signal(counts), Signal::Failure, "{effect:?} {counts:?}");
        }
        for ours in [ClientGone, NotSent, TooLarge] {
            assert_eq!(signal(ours), Signal::Neutral, "{effect:?} {ours:?}");
        }
    }
}

#[test]
fn throttles_are_told_from_failures_in_every_dress() {
    let is_throttle = |signal| matches!(signal, Signal::Throttled { .. });
    for status in [429, 529] {
        assert!(is_throttle(Case::new("eth_call", b"").at(status).judge().signal), "{status}");
    }
    for (code, message) in [
        (429, "no"),
        (-32005, "no"),
        (-32090, "no"),
        (42903, "no"),
        (-32007, "50/second request limit reached"),
        (-32000, "rate limit exceeded"),
    ] {
        let error = answer(&format!(r#"{{"code":{code},"message":"{message}"}}"#));
        assert!(is_throttle(Case::new("eth_call", &error).judge().signal), "{code} {message}");
    }
    let busy = Case::new("eth_call", b"").at(503);
    let reply = Reply { retry_after: Some("7"), ..busy.reply };
    let signal = Case { reply, ..busy }.judge().signal;
    assert_eq!(signal, Signal::Failure, "who cannot serve is out, whenever it hopes to be back");
}
