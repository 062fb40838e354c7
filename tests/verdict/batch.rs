//! Items of a batch, and answers that speak for a whole one.

use breakwater::rpc::reply::{Body, Item};
use breakwater::verdict::{Context, Gap, Next, Part, Signal};

use crate::case::{Case, action, message};

#[test]
fn one_error_speaks_for_every_item() {
    for (status, body, expected) in [
        (200, message(-32600, "batch too large"), "advance+gap_batch"),
        (200, message(-32600, "Batch requests are not supported"), "advance+gap_batch"),
        (413, b"<html></html>".to_vec(), "advance+gap_batch"),
        (200, message(-32005, "rate limit exceeded"), "advance+throttled"),
        (500, message(-32001, "internal server error"), "advance+failure"),
        (502, b"<html></html>".to_vec(), "advance+failure"),
        (200, Vec::new(), "advance+failure"),
        (200, b"[]".to_vec(), "advance+failure"),
    ] {
        let context = Context { id: Some("\"a\""), ..Context::default() };
        let case = Case::new("eth_call", &body).knowing(context).at(status);
        assert_eq!(action(&case.judge_for_batch()), expected, "{}", String::from_utf8_lossy(&body));
    }
}

#[test]
fn a_lone_result_is_its_own_items_only() {
    let body = br#"{"jsonrpc":"2.0","id":2,"result":"0x1"}"#;
    let judge = |id| {
        Case::new("eth_call", body)
            .knowing(Context { id: Some(id), ..Context::default() })
            .judge_for_batch()
            .next
    };
    assert_eq!(judge("2"), Next::Return);
    assert_eq!(judge("1"), Next::Advance);
    let unnamed = Case::new("eth_call", body).knowing(Context::default());
    assert_eq!(unnamed.judge_for_batch().next, Next::Advance);
}

#[test]
fn items_are_judged_by_their_own_methods() {
    let body = br#"[{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"already known"}},
                    {"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"nope"}},null,7]"#;
    let Body::Many(items) = Body::read(body) else { panic!("an array") };
    let judge = |method, at: usize| {
        let item: &Item<'_> = &items[at];
        Case::new(method, body).judge_part(Part::Item(item))
    };
    assert_eq!(judge("eth_sendRawTransaction", 0).next, Next::Accepted);
    assert_eq!(judge("trace_block", 1).signal, Signal::Gap(Gap::Method));
    assert_eq!(judge("eth_call", 2).next, Next::Advance);
    assert_eq!(judge("eth_sendRawTransaction", 2).next, Next::Resend);
    assert_eq!(judge("eth_call", 3).next, Next::Advance);
    let missing = Case::new("eth_sendTransaction", body).judge_part(Part::Missing);
    assert_eq!(missing.next, Next::Unknown);
}

#[test]
fn an_array_is_no_answer_to_a_single_request() {
    let body = br#"[{"jsonrpc":"2.0","id":1,"result":"0x1"}]"#;
    assert_eq!(action(&Case::new("eth_call", body).judge()), "advance+failure");
}
