//! What only the target itself can show: dates without a system clock, 32-bit sizes, and text that is
//! read sixteen bytes at a time. Everything else is tested natively.
#![cfg(target_family = "wasm")]
#![allow(clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use breakwater::config;
use breakwater::json::scan::{self, Span, Unreadable};
use breakwater::json::utf8;
use breakwater::method::{Effect, Operation, raw_transaction};
use breakwater::rpc::call::Body;
use breakwater::time::Millis;
use breakwater::verdict::retry_after;
use serde::de::IgnoredAny;
use wasm_bindgen_test::wasm_bindgen_test;

/// Thu, 01 Jan 2026 00:00:00 GMT.
const NOW: Millis = Millis(1_767_225_600_000);

#[wasm_bindgen_test]
fn a_date_in_retry_after_needs_no_system_clock() {
    let date = |value| retry_after::parse(value, NOW);
    assert_eq!(date("Thu, 01 Jan 2026 00:01:40 GMT"), Some(100_000));
    assert_eq!(date("Thursday, 01-Jan-26 00:00:07 GMT"), Some(7_000));
    assert_eq!(date("Thu Jan  1 00:00:01 2026"), Some(1_000));
    assert_eq!(date("Wed, 31 Dec 2025 23:59:59 GMT"), None);
    assert_eq!(date("Fri, 31 Dec 9999 23:59:59 GMT"), Some(251_635_075_199_000));
}

#[wasm_bindgen_test]
fn numbers_beyond_32_bits_stay_whole() {
    assert_eq!(retry_after::parse("4294968", NOW), Some(4_294_968_000));
    assert_eq!(retry_after::parse("18446744073709551615", NOW), Some(u64::MAX));
    assert_eq!(NOW.plus(u64::MAX).since(NOW), u64::MAX - NOW.0);
    assert_eq!(NOW.plus(5_000_000_000).seconds_from(NOW), 5_000_000);
}

fn parsed(route: &str) -> config::Config {
    let route = route.replace("RPC", "https://rpc.example.org/${KEY}");
    let vars = [("ROUTE_MAIN".to_owned(), route)];
    config::parse(&vars, &|name| (name == "KEY").then(|| "k3y".to_owned()))
}

#[wasm_bindgen_test]
fn the_configuration_is_read_as_natively() {
    let config = parsed(
        r#"{"protocol":"evm","chain_id":9007199254740991,"batch_max":10000,
            "response_max_bytes":67108864,"cooldown_max_ms":86400000,
            "endpoints":[{"name":"a","url":"RPC"}]}"#,
    );
    let route = config.default_route().expect("a route");
    assert_eq!(route.chain_id, Some(9_007_199_254_740_991));
    assert_eq!(route.limits.response_max_bytes, 67_108_864);
    assert_eq!(route.breaker.cooldown_max_ms, 86_400_000);
    assert_eq!(route.endpoints[0].url, "https://rpc.example.org/k3y");
}

#[wasm_bindgen_test]
fn sizes_that_no_isolate_could_hold_are_refused() {
    for (key, value) in [
        ("chain_id", "9007199254740992"),
        ("chain_id", "18446744073709551617"),
        ("body_max_bytes", "4294967297"),
        ("batch_max", "4294967297"),
        ("max_subrequests", "1e12"),
    ] {
        let config = parsed(&format!(
            r#"{{"protocol":"evm","chain_id":1,"endpoints":[{{"name":"a","url":"RPC"}}],"{key}":{value}}}"#
        ));
        assert!(config.routes.is_empty(), "{key} = {value}");
    }
}

#[wasm_bindgen_test]
fn deep_nesting_does_not_overflow_the_small_stack() {
    let deep = |n| format!("{}{}", "[".repeat(n), "]".repeat(n));
    let body =
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"eth_call","params":{}}}"#, deep(100_000));
    let Body::Single(Ok(call)) = Body::read(body.as_bytes(), 100) else { panic!("not read") };
    assert_eq!(call.method, "eth_call");
}

#[wasm_bindgen_test]
fn a_transactions_hash_is_the_same_everywhere() {
    let operation = Operation {
        protocol: config::Protocol::Evm,
        method: "eth_sendRawTransaction",
        params: Some(r#"["0x00"]"#),
        effect: Effect::Send,
    };
    assert_eq!(
        raw_transaction::hash(&operation).as_deref(),
        Some("0xbc36789e7a1e281436464229828f817d6612f7b477d66591ff96a9e064bcc98a")
    );
}

/// That a text is JSON, or why not, as `serde_json` sees it.
fn read(text: &str) -> Result<&str, Unreadable> {
    match serde_json::from_str::<IgnoredAny>(text) {
        Ok(_) => Ok(text.trim_ascii()),
        Err(why) if why.is_eof() => Err(Unreadable::Cut),
        Err(_) => Err(Unreadable::Bad),
    }
}

#[wasm_bindgen_test]
fn text_in_wide_registers_is_read_alike() {
    let rest = r#"","b\\\"c":[1,-2e3,{"é":[true,false,null]}]} "#;
    for length in 0..140 {
        let text = [r#" {"a":""#, &"x".repeat(length), rest].concat();
        assert!(scan::value(&text).is_ok());
        for at in 0..text.len() {
            let mut bytes = text.clone().into_bytes();
            for byte in *b"\"\\\x1f \x7f\xff" {
                bytes[at] = byte;
                assert_eq!(utf8(&bytes), std::str::from_utf8(&bytes).ok());
                for part in [&bytes, &bytes[..=at]].map(|part| utf8(part).unwrap_or_default()) {
                    assert_eq!(scan::value(part).map(Span::get), read(part), "{part:?}");
                }
            }
        }
    }
}
