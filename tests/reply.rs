//! Reading an upstream's body.

#![cfg(not(target_family = "wasm"))]
#![allow(clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test may")]

use breakwater::rpc::reply::{Answer, Body, ErrorObject, Item, Said, ids_match};
use proptest::prelude::*;

fn one(body: &str) -> Answer<'_> {
    let Body::One(answer) = Body::read(body.as_bytes()) else { panic!("{body}") };
    answer
}

fn error(body: &str) -> ErrorObject<'_> {
    let Said::Error(error) = one(body).said else { panic!("{body}") };
    error
}

#[test]
fn a_result_is_kept_byte_for_byte() {
    let body = "\u{feff}\n {\"jsonrpc\":\"2.0\" , \"id\" : 9007199254740993, \"x\":[{}],\"result\" : { \"b\":1.0, \"a\":\"\\u00e9\" } } \r\n";
    let answer = one(body);
    assert_eq!(answer.id.expect("an id").get(), "9007199254740993");
    let Said::Result(result) = answer.said else { panic!("a result") };
    assert_eq!(result.get(), "{ \"b\":1.0, \"a\":\"\\u00e9\" }");
}

#[test]
fn what_is_no_answer_says_what_it_is() {
    let form = |body: &[u8]| match Body::read(body) {
        Body::Empty => "empty",
        Body::Html => "html",
        Body::Cut => "cut",
        Body::Text => "text",
        Body::Foreign => "foreign",
        Body::One(_) => "one",
        Body::Many(_) => "many",
    };
    assert_eq!(form(b""), "empty");
    assert_eq!(form(b" \n\t"), "empty");
    assert_eq!(form(b"\xef\xbb\xbf"), "empty");
    assert_eq!(form(b"\n<!DOCTYPE html>"), "html");
    assert_eq!(form(br#"{"jsonrpc":"2.0","id":1,"resu"#), "cut");
    assert_eq!(form(br#"[{"jsonrpc":"2.0"},"#), "cut");
    assert_eq!(form(b"too many requests"), "text");
    assert_eq!(form(b"{'jsonrpc':'2.0'}"), "text");
    assert_eq!(form(br#"{"id":1,"result":1} x"#), "text");
    assert_eq!(form(b"{\"id\":1,\"result\":\"\xff\"}"), "text");
    assert_eq!(form(b"null"), "foreign");
    assert_eq!(form(b"\"words\""), "foreign");
    assert_eq!(form(br#"{"status":"1","result":"0x1"}"#), "foreign");
    assert_eq!(form(br#"{"error":"words"}"#), "foreign");
    assert_eq!(form(br#"{"message":"words"}"#), "foreign");
    assert_eq!(form(b"[]"), "many");
}

#[test]
fn an_array_longer_than_any_batch_answers_nothing_and_is_not_kept() {
    let array = |length: usize| format!("[{}1]", "1,".repeat(length - 1));
    assert!(
        matches!(Body::read(array(10_000).as_bytes()), Body::Many(items) if items.len() == 10_000)
    );
    assert!(matches!(Body::read(array(10_001).as_bytes()), Body::Foreign));
    let cut = array(10_001).replace("1]", "1,");
    assert!(matches!(Body::read(cut.as_bytes()), Body::Cut));
}

#[test]
fn answers_that_contradict_themselves_are_malformed() {
    for body in [
        r#"{"jsonrpc":"2.0","id":1}"#,
        r#"{"jsonrpc":"2.0","id":1,"error":null}"#,
        r#"{"jsonrpc":"2.0","id":1,"error":{}}"#,
        r#"{"jsonrpc":"2.0","id":1,"error":[]}"#,
        r#"{"jsonrpc":"2.0","id":1,"error":7}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":1,"error":{"code":1,"message":"x"}}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":1,"result":1}"#,
        r#"{"jsonrpc":"2.0","id":1,"id":1,"result":1}"#,
    ] {
        assert!(matches!(one(body).said, Said::Malformed), "{body}");
    }
}

#[test]
fn loose_but_clear_answers_are_read() {
    for body in [
        r#"{"jsonrpc":"2.0","id":1,"result":null}"#,
        r#"{"jsonrpc":"2.0","id":1,"error":null,"result":1}"#,
        r#"{"jsonrpc":"2.0","id":1,"error":false,"result":1}"#,
        r#"{"jsonrpc":"2.0","jsonrpc":"1.0","id":1,"result":1}"#,
        r#"{"id":1,"result":1}"#,
        r#"{"jsonrpc":"2.0","result":1}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{"error":{"code":-32005}}}"#,
        r#"{"jsonrpc":"2.0","id":1,"\u0072esult":1}"#,
    ] {
        assert!(matches!(one(body).said, Said::Result(_)), "{body}");
    }
    assert!(one(r#"{"jsonrpc":"2.0","id":null,"result":1}"#).id.is_none());
}

#[test]
fn errors_are_read_in_every_form() {
    let parts = |body: &str| {
        let error = error(body);
        (error.code, error.message.map(std::borrow::Cow::into_owned))
    };
    let text = |text: &str| Some(text.to_owned());
    let wrapped = |error: &str| format!(r#"{{"id":1,"error":{error}}}"#);
    for (object, code, message) in [
        (r#"{"code":-32005,"message":"a \"b\"","x":1}"#, Some(-32005), text("a \"b\"")),
        (r#"{"code":-32005.0,"message":"a"}"#, Some(-32005), text("a")),
        (r#"{"code":"-32005","message":"a"}"#, Some(-32005), text("a")),
        (r#"{"code":"SLOW","message":"a"}"#, None, text("a")),
        (r#"{"code":1.5,"message":"a"}"#, None, text("a")),
        (r#"{"code":1e300,"message":"a"}"#, None, text("a")),
        (r#"{"message":"a"}"#, None, text("a")),
        (r#"{"code":-32601}"#, Some(-32601), None),
        (r#"{"code":1,"message":null}"#, Some(1), None),
        (r#"{"code":1,"message":{"a":1}}"#, Some(1), text(r#"{"a":1}"#)),
        (r#"{"code":1,"message":"\ud800"}"#, Some(1), text(r#""\ud800""#)),
        (r#""execution reverted""#, None, text("execution reverted")),
    ] {
        assert_eq!(parts(&wrapped(object)), (code, message), "{object}");
    }
    assert_eq!(parts(r#"{"code":35,"message":"a"}"#), (Some(35), text("a")));
    assert_eq!(parts(r#"{"error":{"code":429,"message":"a"}}"#), (Some(429), text("a")));
}

#[test]
fn errors_are_handed_on_as_sent_or_made_legal() {
    let legal = |object: &str| {
        let body = format!(r#"{{"jsonrpc":"2.0","id":1,"error":{object}}}"#);
        error(&body).legal().into_owned()
    };
    let sent = r#"{ "message":"a", "code":3,"data":"0x", "extra":[1] }"#;
    assert_eq!(legal(sent), sent);
    assert_eq!(legal(r#""reverted""#), r#"{"code":-32000,"message":"reverted"}"#);
    assert_eq!(legal(r#"{"code":"3","message":"a"}"#), r#"{"code":3,"message":"a"}"#);
    assert_eq!(legal(r#"{"code":3}"#), r#"{"code":3,"message":""}"#);
    for name in ["msg", "details"] {
        let object = format!(r#"{{"code":3,"{name}":"a","data":"0x"}}"#);
        assert_eq!(legal(&object), r#"{"code":3,"message":"a","data":"0x"}"#, "{name}");
    }
    assert_eq!(legal(r#"{"code":"SLOW"}"#), r#"{"code":-32000,"message":"SLOW"}"#);
    assert_eq!(
        legal(r#"{"message":"a","data":{"b": 1}}"#),
        r#"{"code":-32000,"message":"a","data":{"b": 1}}"#
    );
    let bare = error(r#"{"code":3,"message":"reverted"}"#);
    assert_eq!(bare.legal(), r#"{"code":3,"message":"reverted"}"#);
}

#[test]
fn an_array_is_read_item_by_item() {
    let body = br#"[{"id":1,"result":1},null,7,"x",true,-1,1.5,[[]],{"a":1},{"id":2,"error":"x"}]"#;
    let Body::Many(items) = Body::read(body) else { panic!("an array") };
    let kinds: String = items
        .iter()
        .map(|item| match item {
            Item::Answer(_) => 'a',
            Item::Null => 'n',
            Item::Foreign => 'f',
        })
        .collect();
    assert_eq!(kinds, "anfffffffa");
}

#[test]
fn ids_match_by_value() {
    for (asked, answered) in [
        ("1", "1"),
        ("1", "1.0"),
        ("1", "\"1\""),
        ("\"1\"", "1"),
        ("-0", "0"),
        ("12345678901234567890123", "1.2345678901234568e22"),
        ("9007199254740993", "9007199254740992"),
        (r#""\u00e9\n""#, "\"é\\n\""),
        ("null", "null"),
        ("1.5", "15e-1"),
    ] {
        assert!(ids_match(asked, answered), "{asked} {answered}");
    }
    for (asked, answered) in [
        ("1", "2"),
        ("1", "null"),
        ("null", "0"),
        ("\"007\"", "7"),
        ("\"a\"", "\"A\""),
        ("1e999", "2e999"),
        ("true", "false"),
        ("\"\"", "0"),
        ("", "1"),
    ] {
        assert!(!ids_match(asked, answered), "{asked} {answered}");
    }
}

#[test]
fn deep_nesting_is_no_danger() {
    let deep = "[".repeat(200_000) + &"]".repeat(200_000);
    let body = format!(r#"{{"jsonrpc":"2.0","id":1,"result":{deep}}}"#);
    assert!(matches!(one(&body).said, Said::Result(_)));
    assert!(matches!(Body::read(deep.as_bytes()), Body::Many(_)));
    assert!(matches!(Body::read("[".repeat(200_000).as_bytes()), Body::Cut));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn reading_never_panics(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = Body::read(&bytes);
    }

    #[test]
    fn every_error_can_be_made_legal(text in "[ -~]{0,40}", code in any::<f64>()) {
        for object in [
            serde_json::json!({ "code": code, "message": text }),
            serde_json::json!({ "code": text }),
            serde_json::json!(text),
        ] {
            let body = serde_json::json!({ "id": 1, "error": object }).to_string();
            if let Body::One(Answer { said: Said::Error(error), .. }) = Body::read(body.as_bytes()) {
                let legal: serde_json::Value = serde_json::from_str(&error.legal()).expect("JSON");
                prop_assert!(legal["code"].is_i64() && legal["message"].is_string());
            }
        }
    }
}
