//! The walk over foreign JSON beside `serde_json`'s: texts of every kind, cut everywhere, with bytes
//! put in, taken out and turned over.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    unreachable_pub
)]

#[path = "fuzz/checks/scan.rs"]
mod check;

use std::fs;
use std::path::{Path, PathBuf};

use check::{check, same};
use proptest::prelude::*;

/// Texts that have something of everything.
const DENSE: [&str; 6] = [
    r#" { "a" : [ 1 , -0.5e+10 , true , false , null , "x\"\\\/\b\f\n\r\té" , { } , [ ] ] , "id":"\u00e9\ud83d\ude00" } "#,
    r#"[{"a":1,"a":2,"\u0061":3},{"id":-7,"result":{"a":[{"a":{}}]}},null,"\ud800",{"\ud800":1},7]"#,
    r#"{"\ud83d\ude00":0,"i\u0064":1,"\ud800":2}"#,
    r#"{"jsonrpc":"2.0","id":1,"result":"0x000000000000000000000000000000000000000000000000000000000000002a"}"#,
    r#"[[[[[[[[[[{"":[[[{"é":[1e5,0,10,0.1,1E-2]}]]]}]]]]]]]]]]"#,
    "\t\r\n {\"a\"\t:\r\n\"\u{7f}\u{80}\u{ffff}\u{10ffff}\"\n}\n",
];

/// Bytes that mean something somewhere, and some that never do.
const BYTES: &[u8] = b"{}[]:,\"\\/ \n\t\x0c\x00\x1f\x7f-+.eE019tfnulrasd\xc3\xa9\xff";

fn cut_everywhere(bytes: &[u8]) {
    (0..=bytes.len()).for_each(|end| check(&bytes[..end]));
}

#[test]
fn what_is_cut_anywhere_is_read_alike() {
    for text in DENSE {
        cut_everywhere(text.as_bytes());
    }
}

#[test]
fn any_byte_anywhere_is_read_alike() {
    for text in DENSE {
        for at in 0..=text.len() {
            let (before, after) = text.as_bytes().split_at(at);
            let without = after.get(1..).unwrap_or_default();
            check(&[before, without].concat());
            for byte in BYTES {
                check(&[before, &[*byte], after].concat());
                check(&[before, &[*byte], without].concat());
                check(&[before, &[*byte]].concat());
            }
        }
    }
}

#[test]
fn every_short_text_of_these_is_read_alike() {
    let parts = ["{", "}", "[", "]", ":", ",", "\"a\"", "\"", "\\", "0", "-", ".", "e", "nul", " "];
    let mut texts = vec![String::new()];
    for _ in 0..4 {
        texts = texts.iter().flat_map(|text| parts.map(|part| format!("{text}{part}"))).collect();
        for text in &texts {
            same(text);
        }
    }
}

fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect()
}

#[test]
fn the_corpus_is_read_alike_wherever_it_is_cut() {
    let mut bodies = 0;
    for file in files("tests/corpus") {
        for line in fs::read_to_string(file).unwrap().lines() {
            cut_everywhere(line.as_bytes());
            let read: serde_json::Value = serde_json::from_str(line).unwrap();
            if let Some(body) = read["body"].as_str() {
                cut_everywhere(body.as_bytes());
                bodies += 1;
            }
        }
    }
    assert!(bodies > 300, "{bodies}");
}

#[test]
fn inputs_that_fuzzing_found_are_read_alike_wherever_they_are_cut() {
    let kept = files("tests/fuzz/kept").into_iter().flat_map(|folder| {
        files(folder.to_str().unwrap()).into_iter().map(|file| fs::read(file).unwrap())
    });
    let kept: Vec<_> = kept.collect();
    assert!(kept.len() > 10);
    for input in kept {
        for field in input.split(|byte| *byte == 0) {
            cut_everywhere(field);
        }
    }
}

#[test]
fn nesting_of_any_depth_is_walked_over() {
    for (open, close) in [("[", "]"), (r#"{"a":"#, "}"), (r#"[{"a":["#, "]}]")] {
        for depth in [1, 63, 64, 65, 127, 128, 129, 1_000, 100_000] {
            let text = [&open.repeat(depth), "1", &close.repeat(depth)].concat();
            same(&text);
            same(&text[..text.len() - 1]);
            same(&format!("{text}]"));
            same(&text.replace("1]", "1}"));
        }
    }
}

/// JSON, spaced anyhow.
fn json() -> impl Strategy<Value = String> {
    let space = || prop_oneof![4 => Just(String::new()), 1 => "[ \n\t\r]{1,3}"];
    let escape = prop_oneof![
        Just(r#"\""#.to_owned()),
        Just(r"\\".to_owned()),
        Just(r"\ud800".to_owned()),
        Just(r"\udc00".to_owned()),
        "[^\"\\\\\\x00-\\x1f]{0,80}",
        r"\\u[0-9a-fA-F]{4}",
    ];
    let string =
        prop::collection::vec(escape, 0..4).prop_map(|parts| format!("\"{}\"", parts.concat()));
    let name = prop_oneof![
        Just(r#""a""#.to_owned()),
        Just(r#""\u0061""#.to_owned()),
        Just(r#""id""#.to_owned()),
        Just(r#""result""#.to_owned()),
        string.clone(),
    ];
    let leaf = prop_oneof![
        string,
        "-?(0|[1-9][0-9]{0,20})(\\.[0-9]{1,5})?([eE][+-]?[0-9]{1,3})?",
        Just("null".to_owned()),
        Just("true".to_owned()),
        Just("false".to_owned()),
    ];
    leaf.prop_recursive(6, 60, 6, move |inner| {
        let spaced = (space(), inner, space()).prop_map(|(a, value, b)| format!("{a}{value}{b}"));
        let member = (space(), name.clone(), space(), spaced.clone())
            .prop_map(|(a, name, b, value)| format!("{a}{name}{b}:{value}"));
        prop_oneof![
            prop::collection::vec(spaced, 0..6).prop_map(|all| format!("[{}]", all.join(","))),
            prop::collection::vec(member, 0..6).prop_map(|all| format!("{{{}}}", all.join(","))),
        ]
    })
}

proptest! {
    #[test]
    fn any_json_is_read_alike_whole_and_cut(text in json()) {
        cut_everywhere(text.as_bytes());
    }

    #[test]
    fn what_something_happened_to_is_read_alike(
        text in json(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), 0..3, any::<u8>()), 1..4),
    ) {
        let mut bytes = text.into_bytes();
        for (at, kind, byte) in changes {
            let at = at.index(bytes.len() + 1);
            let byte = if byte < 128 { BYTES[usize::from(byte) % BYTES.len()] } else { byte };
            match (kind, bytes.get_mut(at)) {
                (0, Some(place)) => *place = byte,
                (1, Some(_)) => drop(bytes.remove(at)),
                _ => bytes.insert(at, byte),
            }
        }
        check(&bytes);
    }

    #[test]
    fn any_bytes_are_read_alike(bytes: Vec<u8>, text in "\\PC{0,60}") {
        check(&bytes);
        same(&text);
    }
}
