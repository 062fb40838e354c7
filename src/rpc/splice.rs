//! Puts the caller's id around an upstream's `result` or `error`, whose bytes stay as they came.

use std::ops::Range;

use crate::json;

/// What an answer carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Payload<'a> {
    /// JSON text of `result`.
    Result(&'a str),
    /// JSON text of `error`.
    Error(&'a str),
}

/// A whole answer under the caller's id, both JSON text.
pub fn answer(id: &str, payload: Payload<'_>) -> String {
    let (member, text) = match payload {
        Payload::Result(text) => ("result", text),
        Payload::Error(text) => ("error", text),
    };
    let mut out = String::with_capacity(id.len() + text.len() + 40);
    for part in [r#"{"jsonrpc":"2.0","id":"#, id, ",\"", member, "\":", text, "}"] {
        out.push_str(part);
    }
    out
}

/// Whether an upstream's array is just what the results at these places make under these ids: then it
/// can go out as it came.
pub fn is_batch(array: &[u8], results: &[(&str, Range<usize>)]) -> bool {
    let mut left = json::trim_start(array);
    for (nth, (id, result)) in results.iter().enumerate() {
        let before = if nth == 0 { "[{" } else { "},{" };
        let Some(rest) = behind(left, [before, VERSION, ",", ID, id, ",\"result\":"]) else {
            return false;
        };
        if array.len() - rest.len() != result.start {
            return false;
        }
        left = array.get(result.end..).unwrap_or_default();
    }
    behind(left, ["}]"]).is_some_and(|rest| json::trim(rest).is_empty())
}

/// Whether an upstream's body is just the answer that the payload at this place makes under this id,
/// its members in whatever order: then it can go out as it came.
pub fn is_answer(body: &[u8], id: &str, is_error: bool, payload: &Range<usize>) -> bool {
    let Some((ahead, after)) = body.get(..payload.start).zip(body.get(payload.end..)) else {
        return false;
    };
    let name = if is_error { "\"error\":" } else { "\"result\":" };
    let orders: [(&[&str], &[&str]); 6] = [
        (&[VERSION, ",", ID, id, ","], &[]),
        (&[VERSION, ","], &[",", ID, id]),
        (&[ID, id, ",", VERSION, ","], &[]),
        (&[ID, id, ","], &[",", VERSION]),
        (&[], &[",", ID, id, ",", VERSION]),
        (&[], &[",", VERSION, ",", ID, id]),
    ];
    let ahead = json::trim_start(ahead);
    orders.iter().any(|(first, last)| {
        behind(ahead, ["{"].iter().chain(*first).chain(&[name]).copied()) == Some(b"")
            && behind(after, last.iter().chain(&["}"]).copied())
                .is_some_and(|rest| json::trim(rest).is_empty())
    })
}

const VERSION: &str = r#""jsonrpc":"2.0""#;
const ID: &str = r#""id":"#;

/// What stands behind these parts, if a text begins with them.
fn behind<'t, 'p>(text: &'t [u8], parts: impl IntoIterator<Item = &'p str>) -> Option<&'t [u8]> {
    parts.into_iter().try_fold(text, |text, part| text.strip_prefix(part.as_bytes()))
}

/// The beginning of an answer whose result goes on after `bytes`, to the end of the upstream's body:
/// they may end within a letter.
pub fn begin_of_result(id: &str, bytes: &[u8]) -> Vec<u8> {
    [br#"{"jsonrpc":"2.0","id":"#, id.as_bytes(), br#","result":"#, bytes].concat()
}

/// A successful answer of our own whose result is a string that needs no escaping.
pub fn string_result(id: &str, plain: &str) -> String {
    answer(id, Payload::Result(&format!("\"{plain}\"")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_stay_as_they_came() {
        let result = r#"{ "b":1.0,  "a" : [ ] }"#;
        assert_eq!(
            answer("\"x\"", Payload::Result(result)),
            format!(r#"{{"jsonrpc":"2.0","id":"x","result":{result}}}"#)
        );
        assert_eq!(
            answer("null", Payload::Error("{}")),
            r#"{"jsonrpc":"2.0","id":null,"error":{}}"#
        );
    }

    #[test]
    fn a_beginning_may_end_within_a_letter() {
        let begin = begin_of_result("7", b"\"\xe7\x95");
        assert_eq!(begin, b"{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":\"\xe7\x95");
    }

    #[test]
    fn an_array_of_just_these_goes_out_as_it_came() {
        let places = |array: &str| {
            let starts = array.match_indices("\"result\":").map(|(at, text)| at + text.len());
            starts.map(|at| at..at + 3).collect::<Vec<_>>()
        };
        let is = |array: &str, ids: [&'static str; 2]| {
            let results: Vec<_> = ids.into_iter().zip(places(array)).collect();
            is_batch(array.as_bytes(), &results)
        };
        let array = |first, between, second| {
            let one = |id| format!(r#"{{"jsonrpc":"2.0","id":{id},"result":"0""#);
            format!("{}{between}{}}}]", one(first), one(second))
        };
        let plain = format!("[{}", array("1", "},", "\"b\""));
        assert!(is(&plain, ["1", "\"b\""]) && is(&format!(" \n{plain}\r\n"), ["1", "\"b\""]));
        assert!(!is(&plain, ["\"b\"", "1"]) && !is(&plain, ["1", "\"c\""]), "other ids");
        for (first, between, second) in
            [("1", "} ,", "2"), ("1", ",\"x\":1},", "2"), ("1.0", "},", "2")]
        {
            assert!(!is(&format!("[{}", array(first, between, second)), ["1", "2"]), "{between}");
        }
        for white in ["\u{c}", "\u{b}", "\u{feff}", "\u{a0}"] {
            for body in [format!("{white}{plain}"), format!("{plain}{white}")] {
                assert!(!is(&body, ["1", "\"b\""]), "JSON has no such white space");
            }
        }
        let longer = plain.replace("}]", "},{}]");
        assert!(!is(&longer, ["1", "\"b\""]) && !is(&plain.replace("[{", "[ {"), ["1", "\"b\""]));
        let [first, _] = places(&plain).try_into().unwrap();
        assert!(!is_batch(plain.as_bytes(), &[("1", first.clone())]), "one is missing");
        assert!(!is_batch(plain.as_bytes(), &[("1", first.clone()), ("\"b\"", first)]));
        assert!(!is_batch(b"", &[]) && !is_batch(b"[]", &[]));
    }

    #[test]
    fn a_body_that_is_just_the_answer_goes_out_as_it_came() {
        let is = |body: &str, name: &str| {
            let at = body.find(&format!("\"{name}\":")).unwrap() + name.len() + 3;
            is_answer(body.as_bytes(), "7", name == "error", &(at..at + 2))
        };
        let members = [r#""jsonrpc":"2.0""#, r#""id":7"#, r#""result":[]"#];
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let body = format!("{{{}}}", order.map(|nth| members[nth]).join(","));
            assert!(is(&body, "result") && is(&format!("\n {body}\r\t"), "result"), "{body}");
            assert!(is(&body.replace("result", "error").replace("[]", "{}"), "error"));
            for white in ["\u{c}", "\u{b}", "\u{feff}", "x"] {
                let bodies = [format!("{white}{body}"), format!("{body}{white}")];
                assert!(!bodies.iter().any(|body| is(body, "result")), "{white:?}");
            }
        }
        for body in [
            r#"{"jsonrpc":"1.0","id":7,"result":[]}"#,
            r#"{"jsonrpc":"2.0","id":8,"result":[]}"#,
            r#"{"error"  : null,"id":7,"result":[]}"#,
            r#"{"jsonrpc": "2.0","id":7,"result":[]}"#,
            r#"{"id":7,"id":7,"result":[]}"#,
            r#"{"jsonrpc":"2.0","id":7,"result":[],"x":1}"#,
            r#"{"jsonrpc":"2.0","result":[]}"#,
            r#"{"jsonrpc":"2.0","id":7,"result":[] }"#,
        ] {
            assert!(!is(body, "result"), "{body}");
        }
        assert!(!is_answer(b"{}", "7", false, &(1..9)) && !is_answer(b"", "7", false, &(0..0)));
    }
}
