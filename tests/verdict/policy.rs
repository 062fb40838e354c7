//! The operator's say: `rpc_errors` and `rules`.

use breakwater::config::{OperatorRule, RpcErrors, RuleAction};
use breakwater::verdict::{LastWord, Next, Signal};

use crate::case::{Case, action, message};

const READ: &str = "eth_call";
const SEND: &str = "eth_sendRawTransaction";

fn rule(action: RuleAction) -> OperatorRule {
    OperatorRule { code: None, status: None, message: None, method: None, endpoint: None, action }
}

const ALL: [RuleAction; 6] = [
    RuleAction::Return,
    RuleAction::Failover,
    RuleAction::FailoverNoPenalty,
    RuleAction::Cooldown,
    RuleAction::LongCooldown,
    RuleAction::Breaker,
];

#[test]
fn never_hands_every_json_rpc_error_back() {
    let judge = |status, body: &[u8]| {
        Case::new(READ, body).at(status).rpc_errors(RpcErrors::Never).judge().next
    };
    for text in ["rate limit exceeded", "method not found", "header not found", "new words"] {
        assert_eq!(judge(200, &message(-32000, text)), Next::Return, "{text}");
    }
    assert_eq!(judge(429, &message(-32005, "rate limit exceeded")), Next::Advance);
    assert_eq!(judge(503, &message(-32000, "new words")), Next::Advance);
    assert_eq!(judge(200, b"<html>"), Next::Advance);
}

#[test]
fn never_still_rests_a_throttled_endpoint() {
    let body = message(-32005, "rate limit exceeded");
    let verdict = Case::new(READ, &body).rpc_errors(RpcErrors::Never).judge();
    assert_eq!(verdict.signal, Signal::Throttled { retry_after_ms: None });
}

#[test]
fn neither_setting_hides_that_an_outcome_is_unknown() {
    let body = message(-32603, "Internal error");
    for setting in [RpcErrors::Never, RpcErrors::Declined, RpcErrors::Lenient] {
        let verdict = Case::new("eth_sendTransaction", &body).rpc_errors(setting).judge();
        assert_eq!(verdict.next, Next::Unknown, "{setting:?}");
    }
}

#[test]
fn lenient_hands_back_reverts_and_verdicts_only() {
    let judge = |method, code, text| {
        let body = message(code, text);
        action(&Case::new(method, &body).rpc_errors(RpcErrors::Lenient).judge())
    };
    assert_eq!(judge(READ, -32602, "invalid argument 0"), "advance");
    assert_eq!(judge(READ, -32000, "filter not found"), "advance");
    assert_eq!(judge(SEND, -32000, "new words"), "resend");
    assert_eq!(judge(READ, 3, "execution reverted"), "return");
    for text in ["nonce too low", "insufficient funds", "transaction underpriced", "invalid sender"]
    {
        assert_eq!(judge(SEND, -32000, text), "return", "{text}");
    }
    assert_eq!(judge("eth_sendTransaction", -32000, "new words"), "return");
}

#[test]
fn rules_say_what_happens() {
    let body = message(-32000, "oracle paused");
    let judge = |method, action| {
        let rules = [rule(action)];
        Case::new(method, &body).rules(&rules).judge()
    };
    let read = |action| super::case::action(&judge(READ, action));
    assert_eq!(read(RuleAction::Return), "return");
    assert_eq!(read(RuleAction::Failover), "advance");
    assert_eq!(read(RuleAction::FailoverNoPenalty), "advance+gap_method");
    assert_eq!(read(RuleAction::Cooldown), "advance+throttled");
    assert_eq!(read(RuleAction::LongCooldown), "advance+account");
    assert_eq!(read(RuleAction::Breaker), "advance+failure");
    assert_eq!(judge(READ, RuleAction::Cooldown).last_word, LastWord::RateLimited);
    assert_eq!(judge(READ, RuleAction::Cooldown).rule, "operator");
    assert_eq!(super::case::action(&judge(SEND, RuleAction::Breaker)), "resend+failure");
}

#[test]
fn a_rule_speaks_when_all_its_parts_match() {
    let body = message(-32000, "Oracle PAUSED for today");
    let judge = |rules: &[OperatorRule]| {
        Case::new(READ, &body).at(400).rules(rules).judge().rule == "operator"
    };
    let some = || rule(RuleAction::Cooldown);
    let text = |text: &str| Some(text.to_owned());
    assert!(judge(&[some()]));
    assert!(judge(&[OperatorRule { message: text("oracle paused"), ..some() }]));
    assert!(!judge(&[OperatorRule { message: text("oracle gone"), ..some() }]));
    assert!(judge(&[OperatorRule { code: Some(-32000), status: Some(400), ..some() }]));
    assert!(!judge(&[OperatorRule { code: Some(-32000), status: Some(200), ..some() }]));
    assert!(judge(&[OperatorRule { method: text("eth_*"), ..some() }]));
    assert!(judge(&[OperatorRule { method: text("eth_call"), ..some() }]));
    assert!(!judge(&[OperatorRule { method: text("eth_cal"), ..some() }]));
    assert!(judge(&[OperatorRule { endpoint: text("alchemy"), ..some() }]));
    assert!(!judge(&[OperatorRule { endpoint: text("public"), ..some() }]));
}

#[test]
fn the_first_rule_that_matches_wins_over_the_built_in_ones() {
    let body = message(-32005, "rate limit exceeded");
    let first = OperatorRule { code: Some(-32005), ..rule(RuleAction::Return) };
    let rules = [first, rule(RuleAction::Breaker)];
    assert_eq!(Case::new(READ, &body).rules(&rules).judge().next, Next::Return);
}

#[test]
fn rules_never_see_a_reverts_text_nor_make_it_count() {
    let body = message(3, "execution reverted: oracle paused");
    for action in ALL {
        let by_text = [OperatorRule { message: Some("paused".to_owned()), ..rule(action) }];
        let verdict = Case::new(READ, &body).rules(&by_text).judge();
        assert_eq!((verdict.next, verdict.signal), (Next::Return, Signal::Success));
        let by_code = [OperatorRule { code: Some(3), ..rule(action) }];
        assert_eq!(Case::new(READ, &body).rules(&by_code).judge().signal, Signal::Neutral);
    }
}

#[test]
fn rules_leave_good_answers_alone() {
    let body = br#"{"jsonrpc":"2.0","id":1,"result":"0x1"}"#;
    for action in ALL {
        let rules = [OperatorRule { status: Some(200), ..rule(action) }];
        assert_eq!(Case::new(READ, body).rules(&rules).judge().signal, Signal::Success);
    }
}

#[test]
fn rules_never_move_what_must_not_be_repeated() {
    for action in ALL {
        let rules = [rule(action)];
        for (status, body) in [
            (200, message(-32000, "new words")),
            (200, message(-32603, "internal error")),
            (429, message(-32005, "rate limit")),
            (502, Vec::new()),
        ] {
            let verdict = Case::new("eth_sendTransaction", &body).at(status).rules(&rules).judge();
            let stays = matches!(verdict.next, Next::Return | Next::Unknown | Next::Stop);
            assert!(stays, "{action:?}: {verdict:?}");
        }
        let settle = Case::x402("settle", b"").at(502).rules(&rules).judge();
        assert_eq!(settle.next, Next::Unknown, "{action:?}");
    }
}

#[test]
fn there_is_nothing_to_hand_back_from_a_web_page() {
    let rules = [rule(RuleAction::Return)];
    let verdict = Case::new(READ, b"<html>").at(502).rules(&rules).judge();
    assert_eq!((verdict.next, verdict.last_word), (Next::Stop, LastWord::Unavailable));
}
