//! Facilitators.

use breakwater::config::{OperatorRule, RuleAction};
use breakwater::verdict::{Class, Context, Failure, LastWord, Next, Signal, agrees, unverified};

use crate::case::{Case, action};

#[test]
fn a_yes_or_a_no_is_the_answer_under_any_status() {
    for body in
        [r#"{"isValid":true}"#, r#"{"isValid":false,"invalidReason":"x"}"#, r#"{"success":false}"#]
    {
        for status in [200, 400, 401, 403, 429, 500] {
            let verdict = Case::x402("verify", body.as_bytes()).at(status).judge();
            assert_eq!(verdict.next, Next::Return, "{status} {body}");
        }
    }
}

#[test]
fn reads_go_on_when_the_facilitator_declined_or_broke() {
    let verify =
        |status, body: &str| action(&Case::x402("verify", body.as_bytes()).at(status).judge());
    assert_eq!(verify(429, r#"{"error":"slow"}"#), "advance+throttled");
    assert_eq!(verify(401, ""), "advance+account");
    assert_eq!(verify(403, "<html>"), "advance+account");
    assert_eq!(verify(308, "Redirecting..."), "advance+account");
    assert_eq!(verify(500, "{}"), "advance+failure");
    assert_eq!(verify(200, ""), "advance+failure");
    assert_eq!(verify(200, r#"{"isValid":"true"}"#), "advance+failure");
    assert_eq!(verify(200, "<html>"), "advance+failure");
    for status in [400, 402, 404, 409, 422] {
        assert_eq!(verify(status, r#"{"error":"no"}"#), "return", "{status}");
        assert_eq!(verify(status, "<html>"), "return", "{status}");
    }
    let supported = |body: &str| action(&Case::x402("supported", body.as_bytes()).judge());
    assert_eq!(supported(r#"{"kinds":[]}"#), "return");
    assert_eq!(supported("[]"), "return");
    assert_eq!(supported("<html>"), "advance+failure");
    assert_eq!(action(&Case::x402("verify", b"").fail(Failure::Timeout)), "advance+failure");
}

#[test]
fn the_callers_own_credentials_are_no_trouble_of_the_account() {
    let context = Context { caller_credentials: true, ..Context::default() };
    for method in ["verify", "settle"] {
        let verdict = Case::x402(method, b"").at(401).knowing(context).judge();
        assert_eq!(verdict.signal, Signal::Neutral, "{method}");
    }
}

#[test]
fn a_settle_is_answered_or_unknown() {
    let settle = |status, body: &str| Case::x402("settle", body.as_bytes()).at(status).judge().next;
    assert_eq!(settle(200, r#"{"success":true,"transaction":"0x1"}"#), Next::Return);
    assert_eq!(settle(200, r#"{"success":false,"errorReason":"x"}"#), Next::Return);
    assert_eq!(settle(500, r#"{"success":false}"#), Next::Return);
    for status in [400, 401, 403, 404, 429] {
        assert_eq!(settle(status, ""), Next::Return, "{status}");
    }
    assert_eq!(settle(200, ""), Next::Unknown);
    assert_eq!(settle(200, "<html>"), Next::Unknown);
    assert_eq!(settle(200, r#"{"isValid":true}"#), Next::Unknown);
    assert_eq!(settle(200, r#"{"success":"true"}"#), Next::Unknown);
    assert_eq!(settle(200, r#"{"transaction":"0x1"}"#), Next::Unknown);
    assert_eq!(settle(308, ""), Next::Unknown);
    assert_eq!(settle(502, "{}"), Next::Unknown);
}

#[test]
fn only_proof_moves_a_settle() {
    let settle = |failure| Case::x402("settle", b"").fail(failure);
    for failure in [Failure::Network, Failure::Timeout, Failure::BodyBroken, Failure::ClientGone] {
        let verdict = settle(failure);
        assert_eq!((verdict.next, verdict.last_word), (Next::Unknown, LastWord::Unknown));
    }
    assert_eq!(settle(Failure::Unreached).next, Next::Advance);
    assert_eq!(settle(Failure::NotSent).next, Next::Stop);
}

#[test]
fn who_is_turned_away_learns_nothing_of_an_earlier_try() {
    let lost = Context { earlier_ambiguous: true, ..Context::default() };
    for (status, body) in [(429, "{}"), (401, ""), (404, "<html>"), (400, r#"{"error":"no"}"#)] {
        let verdict = Case::x402("settle", body.as_bytes()).at(status).knowing(lost).judge();
        assert_eq!((verdict.next, verdict.last_word), (Next::Unknown, LastWord::Unknown));
    }
    let answer = Case::x402("settle", br#"{"success":false,"errorReason":"x"}"#).at(400);
    assert_eq!(answer.knowing(lost).judge().next, Next::Return);
}

#[test]
fn used_before_may_mean_by_our_own_first_try() {
    let lost = Context { earlier_ambiguous: true, ..Context::default() };
    for (status, body) in [
        (200, r#"{"success":false,"errorReason":"invalid_exact_evm_nonce_already_used"}"#),
        (400, r#"{"error":"FiatTokenV2: authorization is used or canceled"}"#),
    ] {
        let case = Case::x402("settle", body.as_bytes()).at(status);
        assert_eq!(case.judge().next, Next::Return);
        assert_eq!(case.knowing(lost).judge().next, Next::Unknown);
    }
    let done = br#"{"success":true,"transaction":"0x1","note":"already settled"}"#;
    assert_eq!(Case::x402("settle", done).knowing(lost).judge().next, Next::Return);
    let other = br#"{"success":false,"errorReason":"insufficient_funds"}"#;
    assert_eq!(Case::x402("settle", other).knowing(lost).judge().next, Next::Return);
}

#[test]
fn who_says_yes() {
    let verify = Case::x402("verify", b"").operation;
    let settle = Case::x402("settle", b"").operation;
    assert!(agrees(&verify, br#"{"isValid":true,"payer":"0x1"}"#));
    assert!(agrees(&settle, br#"{"success":true,"transaction":"0x1"}"#));
    for body in [r#"{"isValid":false}"#, r#"{"isValid":"true"}"#, r#"{"success":false}"#, "", "{}"]
    {
        assert!(!agrees(&verify, body.as_bytes()) && !agrees(&settle, body.as_bytes()), "{body}");
    }
    assert!(!agrees(&settle, br#"{"isValid":true}"#), "valid is not settled");
}

#[test]
fn a_settle_that_is_not_vouched_for_is_not_sent() {
    let verify =
        |status, body: &str| unverified(&Case::x402("verify", body.as_bytes()).at(status).judge());
    let no = verify(200, r#"{"isValid":false}"#);
    assert_eq!(
        (no.next, no.last_word, no.class),
        (Next::Stop, LastWord::Unavailable, Class::NotVerified)
    );
    assert_eq!(verify(400, "{}").next, Next::Stop);
    assert_eq!(verify(502, "").next, Next::Advance);
    assert_eq!(unverified(&Case::x402("verify", b"").fail(Failure::Timeout)).next, Next::Advance);
}

#[test]
fn an_operators_rule_takes_no_answer_away_and_moves_no_settle() {
    for action in [RuleAction::Return, RuleAction::Failover, RuleAction::Breaker] {
        let rules = [OperatorRule {
            code: None,
            status: Some(402),
            message: None,
            method: None,
            endpoint: None,
            action,
        }];
        let case = Case::x402("settle", br#"{"error":"no"}"#).at(402).rules(&rules);
        assert_eq!(case.judge().next, Next::Return, "{action:?}");
        let lost = Context { earlier_ambiguous: true, ..Context::default() };
        assert_eq!(case.knowing(lost).judge().next, Next::Unknown, "{action:?}");
    }
}
