//! JSON in one form: what means the same reads the same. Members are sorted, white space is gone,
//! hex is in lower case; numbers stay the digits they are.

use std::collections::BTreeMap;

use crate::json::members::all;
use crate::json::scan::{self, Span};
use crate::rpc::call::string;

/// Deeper values are taken as they are written.
const DEPTH: u32 = 32;

/// The members of an object; `None` for anything else, and for names that are written with escapes.
pub(super) fn members(json: &str) -> Option<BTreeMap<&str, Span<'_>>> {
    all(json).ok()
}

/// The elements of an array; `None` for anything else.
pub(super) fn elements(json: &str) -> Option<Vec<Span<'_>>> {
    scan::elements(json).ok()
}

/// The value in its one form.
pub(super) fn canonical(json: &str) -> String {
    let mut out = String::new();
    write(json, DEPTH, &mut out);
    out
}

fn write(json: &str, depth: u32, out: &mut String) {
    let json = json.trim_ascii();
    match json.bytes().next() {
        Some(b'{') if depth > 0 => match members(json) {
            Some(members) => object(&members, depth - 1, out),
            None => out.push_str(json),
        },
        Some(b'[') if depth > 0 => match elements(json) {
            Some(elements) => array(&elements, depth - 1, out),
            None => out.push_str(json),
        },
        Some(b'"') => text(json, out),
        _ => out.push_str(json),
    }
}

fn object(members: &BTreeMap<&str, Span<'_>>, depth: u32, out: &mut String) {
    out.push('{');
    for (name, value) in members {
        quote(name, out);
        out.push(':');
        write(value.get(), depth, out);
        out.push(',');
    }
    out.push('}');
}

fn array(elements: &[Span<'_>], depth: u32, out: &mut String) {
    out.push('[');
    for value in elements {
        write(value.get(), depth, out);
        out.push(',');
    }
    out.push(']');
}

fn text(json: &str, out: &mut String) {
    match string(json) {
        Some(value) if is_hex(&value) => quote(&value.to_ascii_lowercase(), out),
        Some(value) => quote(&value, out),
        None => out.push_str(json),
    }
}

/// Told apart from whatever else may follow: its length stands before it.
fn quote(value: &str, out: &mut String) {
    out.push_str(&value.len().to_string());
    out.push('"');
    out.push_str(value);
}

fn is_hex(value: &str) -> bool {
    let digits = value.strip_prefix("0x").or_else(|| value.strip_prefix("0X"));
    digits.is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_means_the_same_reads_the_same() {
        for (one, other) in [
            (r#"{"a":1,"b":[2, {"c":"x"}]}"#, r#"{ "b" : [2,{"c":"x"}] , "a":1}"#),
            (r#""0xABcd""#, r#""0xabCD""#),
            (r#""\u0041""#, r#""A""#),
            ("[]", "[ ]"),
            ("{}", "{ }"),
            (" null", "null"),
        ] {
            assert_eq!(canonical(one), canonical(other), "{one}");
        }
    }

    #[test]
    fn what_differs_reads_differently() {
        for (one, other) in [
            ("1", "1.0"),
            ("12345678901234567890123", "12345678901234567890124"),
            ("[1,2]", "[2,1]"),
            ("[[1],2]", "[[1,2]]"),
            (r#"["a","b"]"#, r#"["a,b"]"#),
            (r#"["","",1]"#, r#"["",1,""]"#),
            (r#"{"a":"b"}"#, r#"{"ab":""}"#),
            (r#"[{"a":1},{"b":2}]"#, r#"[{"a":1,"b":2}]"#),
            (r#"{"a":{"b":1}}"#, r#"{"a":{},"b":1}"#),
            ("null", r#""null""#),
            ("[]", "{}"),
            (r#""Abc""#, r#""abc""#),
        ] {
            assert_ne!(canonical(one), canonical(other), "{one}");
        }
    }

    #[test]
    fn depth_is_bounded() {
        let deep = format!("{}{}", "[".repeat(100), "]".repeat(100));
        assert!(canonical(&deep).len() < 400);
    }
}
