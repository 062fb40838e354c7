//! Ids of filters: what the client gets, and whom it names when it comes back.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "tests"
)]

mod common;

use std::collections::HashMap;

use breakwater::config::Route;
use breakwater::method::filter::{encode, is_id, locate};
use common::{route, route_of};
use proptest::prelude::*;

const GETH: &str = "0x9ca2e3f0a1b2c3d4e5f60718293a4b5c";

/// The id that a client gets, without its quotes.
fn given(route: &Route, endpoint: usize, id: &str) -> String {
    let json = encode(route, endpoint, &format!("\"{id}\"")).unwrap();
    json.strip_prefix('"').unwrap().strip_suffix('"').unwrap().to_owned()
}

/// Who is asked, and with which id, when a client comes with this one.
fn found(route: &Route, id: &str) -> Option<(usize, String)> {
    let (endpoint, params) = locate(route, Some(&format!("[\"{id}\"]")))?;
    Some((endpoint, params.strip_prefix("[\"")?.strip_suffix("\"]")?.to_owned()))
}

#[test]
fn an_id_leads_back_to_its_endpoint_in_its_own_form() {
    let route = route(3, "");
    let long = format!("0x{}", "f".repeat(200));
    for id in [GETH, "0x1", "0x0", "0x0001", "0X1F", "0xABCdef", "1f", "12345", "DEADBEEF", &long] {
        for endpoint in 0..3 {
            assert_eq!(found(&route, &given(&route, endpoint, id)), Some((endpoint, id.into())));
        }
    }
}

#[test]
fn clients_can_take_it_for_a_quantity() {
    let route = route(2, "");
    for id in [GETH, "0x0", "0x0001", "0XFF", "1f"] {
        let given = given(&route, 1, id);
        let digits = given.strip_prefix("0x").unwrap();
        assert!(!digits.starts_with('0') && *digits == digits.to_lowercase(), "{given}");
    }
    let longest = format!("0x{}", "f".repeat(56));
    assert_eq!(given(&route, 0, &longest).len(), "0x".len() + 64, "256 bits");
    assert_eq!(
        found(&route, &given(&route, 1, GETH).to_uppercase().replacen('X', "x", 1)),
        Some((1, GETH.into()))
    );
}

#[test]
fn it_says_nothing_of_the_endpoint_but_which() {
    let route = route(2, "");
    let (a, b) = (given(&route, 0, GETH), given(&route, 1, GETH));
    assert_ne!(a, b);
    let fingerprint = format!("{:016x}", route.endpoints[0].fingerprint());
    assert!(!a.contains(&fingerprint[..6]) && !a.contains(&fingerprint[10..]), "{a}");
}

#[test]
fn it_outlives_other_order_and_other_company() {
    let before = route(3, "");
    let entry =
        |name: &str| format!(r#"{{"name":"{name}","url":"https://{name}.example.org/v1"}}"#);
    let after = route_of(&["x", "c", "a"].map(entry).join(","), "");
    let id = |endpoint| given(&before, endpoint, GETH);
    assert_eq!(found(&after, &id(0)), Some((2, GETH.into())));
    assert_eq!(found(&after, &id(2)), Some((1, GETH.into())));
    assert_eq!(found(&after, &id(1)), None, "b is gone");
    let moved = route_of(r#"{"name":"a","url":"https://elsewhere.example.org"}"#, "");
    assert_eq!(found(&moved, &id(0)), None, "another service under the same name");
}

#[test]
fn results_that_are_no_ids_stay_as_they_are() {
    let route = route(1, "");
    for result in [
        "null",
        "1",
        "true",
        "[]",
        "{}",
        r#""""#,
        r#""0x""#,
        r#""0X""#,
        r#""xyz""#,
        r#""0x1 ""#,
        r#""-1""#,
        r#""0x0x1""#,
        r#""0x1\"]""#,
        r#""é""#,
    ] {
        assert_eq!((is_id(result), encode(&route, 0, result)), (false, None), "{result}");
    }
    assert_eq!(encode(&route, 1, r#""0x1""#), None, "no such endpoint");
    assert!(is_id(r#""\u0030x1""#), "the value counts, not its spelling");
}

#[test]
fn made_up_ids_and_odd_params_name_nobody() {
    let route = route(2, "");
    let good = given(&route, 0, GETH);
    let digits = good.strip_prefix("0x").unwrap();
    let tag = &digits[2..8];
    for id in [
        "",
        "0x",
        "0x1",
        GETH,
        "latest",
        "é",
        digits,
        &good[..6],
        &good[..10],
        &format!("0X{digits}"),
        &format!("0x5{}", &digits[1..]),
        &format!("0x0{}", &digits[1..]),
        &format!("0x62{tag}ff"),
        // An odd form that is not hex digits: a quote, a space, half a byte.
        &format!("0x61{tag}22"),
        &format!("0x61{tag}3020"),
        &format!("0x61{tag}3"),
        &format!("0x61{tag}ff"),
    ] {
        assert_eq!(found(&route, id), None, "{id}");
    }
    for params in ["[]", "{}", "[1]", "[null]", "[[]]", &format!("[[\"{good}\"]]"), "[", ""] {
        assert_eq!(locate(&route, Some(params)), None, "{params}");
    }
    assert_eq!(locate(&route, None), None);
}

#[test]
fn further_params_stay() {
    let route = route(1, "");
    let params = format!("[ \"{}\" , {{\"a\":1}},2]", given(&route, 0, "0x1"));
    assert_eq!(locate(&route, Some(&params)), Some((0, r#"["0x1",{"a":1},2]"#.into())));
}

/// Two endpoints whose tags begin alike, found by trying names.
fn alike() -> [String; 2] {
    let mut seen = HashMap::new();
    for nth in 0..1_000_000 {
        let entry = format!(r#"{{"name":"n{nth}","url":"https://example.org"}}"#);
        let tag = given(&route_of(&entry, ""), 0, "0x1")[4..10].to_owned();
        if let Some(other) = seen.insert(tag, entry.clone()) {
            return [other, entry];
        }
    }
    panic!("no two of a million alike");
}

#[test]
fn tags_grow_until_they_differ() {
    let [first, second] = alike();
    let both = route_of(&format!("{first},{second}"), "");
    let ids = [given(&both, 0, "0x1"), given(&both, 1, "0x1")];
    assert!(ids[0].len() > given(&route_of(&first, ""), 0, "0x1").len());
    for (endpoint, id) in ids.iter().enumerate() {
        assert_eq!(found(&both, id), Some((endpoint, "0x1".into())));
    }
    let short = given(&route_of(&first, ""), 0, "0x1");
    assert_eq!(found(&both, &short), None, "it could be either's");
}

proptest! {
    #[test]
    fn decoding_undoes_encoding(id in "(0x|0X)?[0-9a-fA-F]{1,80}", endpoint in 0..5_usize) {
        let route = route(5, "");
        prop_assert_eq!(found(&route, &given(&route, endpoint, &id)), Some((endpoint, id)));
    }

    #[test]
    fn what_is_sent_is_hex_digits_in_a_string(id in ".{0,60}|0x[0-9a-f]{0,60}|0x6[01][0-9a-f]{6,40}") {
        let route = route(5, "");
        let params = serde_json::to_string(&[&id]).unwrap();
        if let Some((endpoint, params)) = locate(&route, Some(&params)) {
            let sent: Vec<String> = serde_json::from_str(&params).unwrap();
            let hex_digits = is_id(&serde_json::to_string(&sent[0]).unwrap());
            prop_assert!(endpoint < 5 && hex_digits);
            prop_assert_eq!(params.len(), sent[0].len() + 4);
        }
    }

    #[test]
    fn anything_may_come(params in ".*", result in ".*") {
        let route = route(2, "");
        let _ = locate(&route, Some(&params));
        prop_assert!(encode(&route, 0, &result).is_none() || is_id(&result));
    }
}

/// Of all tags of the least length exactly the endpoints' own name somebody.
#[test]
fn no_more_strings_than_tags_hit() {
    let route = route(5, "");
    let own: Vec<_> =
        (0..5).map(|endpoint| given(&route, endpoint, "0x1")[4..10].to_owned()).collect();
    let step = 4_099;
    let hits = (0..0x0100_0000).step_by(step).map(|tag| format!("{tag:06x}"));
    for tag in hits.chain(own.iter().cloned()) {
        let named = found(&route, &format!("0x60{tag}1")).map(|(endpoint, _)| endpoint);
        assert_eq!(named, own.iter().position(|own| *own == tag), "{tag}");
    }
}
