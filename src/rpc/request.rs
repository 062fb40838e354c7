//! The request bytes that go upstream: the caller's own, unless ids within a batch could not be told
//! apart in the answer.

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
    let distinct =
        ids.iter().all(|id| is_plain(id)) && ids.iter().collect::<BTreeSet<_>>().len() == ids.len();
    let mut body = String::from("[");
    let mut sent = Vec::with_capacity(ids.len());
    for (index, (call, id)) in calls.iter().zip(ids).enumerate() {
        separate(&mut body);
        if distinct {
            body.push_str(call.raw);
            sent.push(id.to_owned());
        } else {
            renumbered(&mut body, call, index + 1);
            sent.push((index + 1).to_string());
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

fn renumbered(body: &mut String, call: &Call<'_>, id: usize) {
    let method = serde_json::to_string(&*call.method).unwrap_or_default();
    // Writing to a String cannot fail.
    let _ = write!(body, r#"{{"jsonrpc":"2.0","id":{id},"method":{method}"#);
    if let Some(params) = call.params {
        let _ = write!(body, r#","params":{params}"#);
    }
    body.push('}');
}

/// An id that every implementation hands back in the same form: a short integer or a string
/// without escapes.
fn is_plain(id: &str) -> bool {
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
        for (first, second) in
            [("1", "1"), ("1.5", "2"), ("null", "2"), ("1234567890123456789", "2")]
        {
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
