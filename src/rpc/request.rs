//! The request bytes that go upstream: the caller's own, unless ids within a batch could not be told
//! apart in the answer or parameters mean something else there.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt::Write;

use super::call::Call;

/// A batch to send and the id under which each item's answer is expected, as JSON text.
#[derive(Debug, PartialEq, Eq)]
pub struct Outgoing {
    /// The array.
    pub body: String,
    /// One id per call, in order.
    pub ids: Vec<String>,
}

/// A batch of calls that have ids, plus notifications that ride along.
pub fn batch(calls: &[&Call<'_>], notifications: &[&Call<'_>]) -> Outgoing {
    let ids: Vec<&str> = calls.iter().map(|call| call.id.unwrap_or("null")).collect();
    let mut seen = BTreeSet::new();
    // Some gateways answer "1" for 1.
    let distinct = ids.iter().all(|id| is_plain(id) && seen.insert(id.trim_matches('"')));
    let mut body = String::from("[");
    let mut sent = Vec::with_capacity(ids.len());
    for (index, (call, id)) in calls.iter().zip(ids).enumerate() {
        separate(&mut body);
        if distinct {
            body.push_str(call.raw);
            sent.push(id.to_owned());
        } else {
            let id = (index + 1).to_string();
            write(&mut body, &id, &call.method, call.params);
            sent.push(id);
        }
    }
    for call in notifications {
        separate(&mut body);
        body.push_str(call.raw);
    }
    body.push(']');
    Outgoing { body, ids: sent }
}

fn separate(body: &mut String) {
    if body.len() > 1 {
        body.push(',');
    }
}

fn write(body: &mut String, id: &str, method: &str, params: Option<&str>) {
    let method = serde_json::to_string(method).unwrap_or_default();
    // Writing to a String cannot fail.
    let _ = write!(body, r#"{{"jsonrpc":"2.0","id":{id},"method":{method}"#);
    if let Some(params) = params {
        let _ = write!(body, r#","params":{params}"#);
    }
    body.push('}');
}

/// What goes upstream in place of a call: the same with other parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rewritten {
    raw: String,
    params: String,
}

impl Rewritten {
    /// Under the caller's id, with `params` as JSON text.
    pub fn new(call: &Call<'_>, params: String) -> Self {
        let mut raw = String::new();
        write(&mut raw, call.id.unwrap_or("null"), &call.method, Some(&params));
        Self { raw, params }
    }

    /// The call as it goes.
    pub fn call<'a>(&'a self, original: &'a Call<'_>) -> Call<'a> {
        Call {
            raw: &self.raw,
            id: original.id,
            method: Cow::Borrowed(&original.method),
            params: Some(&self.params),
        }
    }
}

/// An id that every implementation hands back in the same form: a short integer or a string
/// without escapes. To many, -0 is 0.
fn is_plain(id: &str) -> bool {
    if id == "-0" {
        return false;
    }
    let digits = id.strip_prefix('-').unwrap_or(id);
    let integer = digits.len() <= 15 && digits.bytes().all(|byte| byte.is_ascii_digit());
    integer || (id.starts_with('"') && id.is_ascii() && !id.contains('\\'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rpc::call::Body;

    fn sent(body: &str) -> Outgoing {
        let Body::Batch(calls) = Body::read(body.as_bytes(), 100) else { panic!("no batch") };
        let calls: Vec<_> = calls.into_iter().map(|call| call.unwrap()).collect();
        let (noted, asked): (Vec<_>, Vec<_>) = calls.iter().partition(|call| call.id.is_none());
        batch(&asked, &noted)
    }

    #[test]
    fn plain_distinct_ids_and_bytes_go_as_they_are() {
        let body = r#"[{"jsonrpc":"2.0", "id":1,"method":"a"},{"jsonrpc":"2.0","id":"x","method":"b","params":[1.0]}]"#;
        let outgoing = sent(body);
        assert_eq!(outgoing.body, body);
        assert_eq!(outgoing.ids, ["1", "\"x\""]);
    }

    #[test]
    fn ids_that_could_be_mixed_up_are_numbered() {
        for (first, second) in [
            ("1", "1"),
            ("1.5", "2"),
            ("null", "2"),
            ("1234567890123456789", "2"),
            ("-0", "0"),
            ("\"7\"", "7"),
        ] {
            let body = format!(
                r#"[{{"jsonrpc":"2.0","id":{first},"method":"a","params":[]}},{{"jsonrpc":"2.0","id":{second},"method":"b"}}]"#
            );
            let outgoing = sent(&body);
            assert_eq!(
                outgoing.body,
                r#"[{"jsonrpc":"2.0","id":1,"method":"a","params":[]},{"jsonrpc":"2.0","id":2,"method":"b"}]"#
            );
            assert_eq!(outgoing.ids, ["1", "2"]);
        }
    }

    #[test]
    fn a_rewritten_call_keeps_its_id_alone_and_in_a_batch() {
        let text = r#"{"params":["0x1"],"id":"\u0061","jsonrpc":"2.0","method":"a"}"#;
        let Body::Single(Ok(call)) = Body::read(text.as_bytes(), 1) else { panic!("no call") };
        let rewritten = Rewritten::new(&call, r#"["0x2"]"#.into());
        let sent = rewritten.call(&call);
        assert_eq!(sent.raw, r#"{"jsonrpc":"2.0","id":"\u0061","method":"a","params":["0x2"]}"#);
        assert_eq!(
            batch(&[&sent], &[]).body,
            r#"[{"jsonrpc":"2.0","id":1,"method":"a","params":["0x2"]}]"#
        );
    }

    #[test]
    fn notifications_ride_along_without_an_expected_answer() {
        let body = r#"[{"jsonrpc":"2.0","method":"n"},{"jsonrpc":"2.0","id":1,"method":"a"}]"#;
        let outgoing = sent(body);
        assert_eq!(
            outgoing.body,
            r#"[{"jsonrpc":"2.0","id":1,"method":"a"},{"jsonrpc":"2.0","method":"n"}]"#
        );
        assert_eq!(outgoing.ids, ["1"]);
    }
}
