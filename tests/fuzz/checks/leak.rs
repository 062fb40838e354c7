//! No spelling brings a secret through: words of an upstream's are hidden and stay JSON.

use breakwater::rpc::redact::redact;
use breakwater::rpc::reply::excerpt;
use serde_json::Value;

use super::scene::{SECRETS, route};
use super::{is_json, pick, text, tree};

/// Hosts of the route whose words these are, and what it was told to keep.
const OWN: [&str; 8] = [
    "example.org",
    "beta.example.org",
    "gamma.example.org",
    "a-long-path-segment",
    "0123456789abcdef",
    "hunter2hunter2",
    "k3y-With+odd=chars/and%2Fmore",
    "20260119",
];

/// `how` spells one secret, `around` is what stands before it.
pub(super) fn check(how: &[u8], around: &[u8]) {
    let quoted = SECRETS.iter().find(|(name, _)| *name == "QUOTED").unwrap().1;
    let secret = *[&OWN[..], &[quoted]].concat().get(pick(how, 0) % 9).unwrap();
    let spelled = spell(secret, how.get(1..).unwrap_or_default());
    let around = serde_json::to_string(text(around)).unwrap();
    let around = around.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap();
    for error in [
        format!(r#"{{"code":-32000,"message":"{around}{spelled}"}}"#),
        format!(r#"{{"code":-32005,"message":"x","data":{{"{spelled} {around}":["{spelled}"]}}}}"#),
        format!(r#"{{"code":-32005,"message":"{around}","data":[{}]}}"#, number(secret)),
    ] {
        is_json(&error);
        passes(&error);
    }
    told_the_operator(&format!("<p>{around} {secret} {around}"));
}

/// As a number where it is one.
fn number(secret: &str) -> &str {
    if secret.bytes().all(|byte| byte.is_ascii_digit()) { secret } else { "0" }
}

/// Each character as it is, or as an escape of JSON's or of a URL's.
fn spell(secret: &str, how: &[u8]) -> String {
    let letters = secret.chars().enumerate().map(|(at, letter)| {
        let code = u32::from(letter);
        match pick(how, at % how.len().max(1)) % 8 {
            1 => format!("\\u{code:04x}"),
            2 => format!("\\u{code:04X}"),
            3 => format!("%{code:02x}"),
            4 => format!("%{code:02X}"),
            5 => plain(letter.to_ascii_uppercase()),
            6 => plain(letter.to_ascii_lowercase()),
            7 if letter == '/' => "\\/".to_owned(),
            _ => plain(letter),
        }
    });
    letters.collect()
}

/// As JSON must write it.
fn plain(letter: char) -> String {
    match letter {
        '"' | '\\' => format!("\\{letter}"),
        _ => letter.to_string(),
    }
}

fn passes(error: &str) {
    let told = redact(error, &route("eth").hidden());
    is_json(&told);
    let told = tree(&told).unwrap();
    assert!(told["code"].is_i64() && told["message"].is_string(), "{told}");
    holds_nothing(&told);
}

fn holds_nothing(value: &Value) {
    match value {
        Value::String(text) => shows_nothing(text),
        Value::Number(number) => shows_nothing(&number.to_string()),
        Value::Array(items) => items.iter().for_each(holds_nothing),
        Value::Object(members) => members.iter().for_each(|(name, value)| {
            shows_nothing(name);
            holds_nothing(value);
        }),
        Value::Null | Value::Bool(_) => {}
    }
}

#[track_caller]
fn shows_nothing(text: &str) {
    let text = decoded(text).to_ascii_lowercase();
    let quoted = SECRETS.iter().find(|(name, _)| *name == "QUOTED").unwrap().1;
    for secret in OWN.iter().chain([&quoted]) {
        assert!(!text.contains(&decoded(secret).to_ascii_lowercase()), "{secret} in {text}");
    }
}

fn decoded(text: &str) -> String {
    let (mut out, mut rest) = (Vec::new(), text.as_bytes());
    while let [first, behind @ ..] = rest {
        let hex = behind.get(..2).and_then(|hex| std::str::from_utf8(hex).ok());
        let byte = hex.filter(|_| *first == b'%').and_then(|hex| u8::from_str_radix(hex, 16).ok());
        out.push(byte.unwrap_or(*first));
        rest = if byte.is_some() { &behind[2..] } else { behind };
    }
    String::from_utf8_lossy(&out).into_owned()
}

fn told_the_operator(page: &str) {
    if let Some(words) = excerpt::of_body(page.as_bytes(), &route("eth").hidden()) {
        shows_nothing(&words);
        assert!(words.len() <= 512);
    }
}
