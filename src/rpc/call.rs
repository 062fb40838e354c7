//! Reads what a client sent. Strict: what one upstream would read differently from another
//! (duplicate members, a missing version) is refused here, so that no two sides disagree.

use std::borrow::Cow;

use super::fault::Fault;
use crate::json::members::{self, Found, Item};
use crate::json::scan::Span;
use crate::json::utf8;

/// One request as the client wrote it.
#[derive(Debug, Clone)]
pub struct Call<'a> {
    /// The whole object, byte for byte.
    pub raw: &'a str,
    /// The id as JSON text; `None` marks a notification, `null` is an id.
    pub id: Option<&'a str>,
    /// The method's name.
    pub method: Cow<'a, str>,
    /// `params` as JSON text.
    pub params: Option<&'a str>,
}

/// A request that cannot be served, with the id to answer it under.
#[derive(Debug, Clone)]
pub struct Refused<'a> {
    /// The id as JSON text, `null` if unreadable.
    pub id: &'a str,
    /// What is wrong.
    pub fault: Fault,
}

/// A body, read.
#[derive(Debug)]
pub enum Body<'a> {
    /// One request.
    Single(Result<Call<'a>, Refused<'a>>),
    /// An array of requests, never empty.
    Batch(Vec<Result<Call<'a>, Refused<'a>>>),
}

/// An array with more items than this is answered by one error: an error for each of a million
/// items would be an amplifier.
const ANSWERED_ITEMS_MAX: usize = 1_000;

impl<'a> Body<'a> {
    /// Reads a body. `batch_max` is the route's limit; a larger batch has every item refused.
    pub fn read(bytes: &'a [u8], batch_max: u32) -> Self {
        let Some(text) = utf8(bytes) else {
            return Self::refused(Fault::Parse);
        };
        if text.trim_start().starts_with('[') { batch(text, batch_max) } else { single(text) }
    }

    fn refused(fault: Fault) -> Self {
        Self::Single(Err(Refused { id: "null", fault }))
    }
}

/// What is read of a request.
const NAMES: [&str; 4] = ["jsonrpc", "id", "method", "params"];

fn single(text: &str) -> Body<'_> {
    match members::lone(text, NAMES) {
        Ok(item) => Body::Single(call(item)),
        Err(_) => Body::refused(Fault::Parse),
    }
}

fn batch(text: &str, batch_max: u32) -> Body<'_> {
    let max = usize::try_from(batch_max).unwrap_or(usize::MAX);
    let kept = max.max(ANSWERED_ITEMS_MAX);
    let (mut calls, mut count) = (Vec::new(), 0);
    let read = members::each(text, NAMES, |item| {
        count += 1;
        if count <= kept {
            calls.push(call(item));
        }
    });
    match count {
        _ if read.is_err() => Body::refused(Fault::Parse),
        0 => Body::refused(Fault::InvalidRequest),
        _ if count > kept => Body::refused(Fault::BatchTooLarge { max: batch_max }),
        _ if count > max => {
            Body::Batch(calls.into_iter().map(|call| too_many(call, batch_max)).collect())
        }
        _ => Body::Batch(calls),
    }
}

fn too_many<'a>(call: Result<Call<'a>, Refused<'a>>, max: u32) -> Result<Call<'a>, Refused<'a>> {
    let id = call?.id.unwrap_or("null");
    Err(Refused { id, fault: Fault::BatchTooLarge { max } })
}

fn call((span, found): Item<'_, 4>) -> Result<Call<'_>, Refused<'_>> {
    let invalid = |id| Refused { id, fault: Fault::InvalidRequest };
    let members = found.and_then(Found::strict);
    let [version, id, method, params] = members.ok_or_else(|| invalid("null"))?;
    let id = id.map(Span::get);
    if id.is_some_and(|id| !is_id(id)) {
        return Err(invalid("null"));
    }
    let answer_id = id.unwrap_or("null");
    let version = version.and_then(|raw| string(raw.get()));
    let method = method.and_then(|raw| string(raw.get()));
    let params = members::given(params).map(Span::get);
    let structured = params.is_none_or(|text| text.starts_with(['[', '{']));
    match (version.as_deref(), method) {
        (Some("2.0"), Some(method)) if structured => {
            Ok(Call { raw: span.get(), id, method, params })
        }
        _ => Err(invalid(answer_id)),
    }
}

/// Strings, numbers and null are ids.
fn is_id(raw: &str) -> bool {
    raw == "null" || raw.starts_with(['"', '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9'])
}

/// The text of a JSON string, borrowed when it has no escapes; `None` for anything else.
pub fn string(raw: &str) -> Option<Cow<'_, str>> {
    let inner = raw.strip_prefix('"')?.strip_suffix('"')?;
    if inner.contains('\\') {
        return serde_json::from_str::<String>(raw).ok().map(Cow::Owned);
    }
    Some(Cow::Borrowed(inner))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(body: &str) -> Vec<String> {
        match Body::read(body.as_bytes(), 3) {
            Body::Single(call) => vec![describe(&call)],
            Body::Batch(calls) => calls.iter().map(describe).collect(),
        }
    }

    fn describe(call: &Result<Call<'_>, Refused<'_>>) -> String {
        match call {
            Ok(call) => format!("{} {}", call.method, call.id.unwrap_or("-")),
            Err(refused) => format!("{} {}", refused.fault.code(), refused.id),
        }
    }

    #[test]
    fn ids_are_kept_byte_for_byte() {
        for id in ["1", "-7", "1.50", "12345678901234567890123", "\"a\\u0062\"", "null", "1e3"] {
            let body = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"m"}}"#);
            assert_eq!(ids(&body), [format!("m {id}")]);
        }
    }

    #[test]
    fn what_is_not_a_request_is_refused_with_its_id() {
        for (body, expected) in [
            ("", "-32700 null"),
            ("{", "-32700 null"),
            ("{} {}", "-32700 null"),
            ("[", "-32700 null"),
            ("[]", "-32600 null"),
            ("1", "-32600 null"),
            ("null", "-32600 null"),
            (r#"{"jsonrpc":"2.0","id":5}"#, "-32600 5"),
            (r#"{"jsonrpc":"2.0","id":5,"method":7}"#, "-32600 5"),
            (r#"{"jsonrpc":"1.0","id":5,"method":"m"}"#, "-32600 5"),
            (r#"{"id":5,"method":"m"}"#, "-32600 5"),
            (r#"{"jsonrpc":"2.0","id":{},"method":"m"}"#, "-32600 null"),
            (r#"{"jsonrpc":"2.0","id":true,"method":"m"}"#, "-32600 null"),
            (r#"{"jsonrpc":"2.0","id":5,"method":"m","params":"x"}"#, "-32600 5"),
            (r#"{"jsonrpc":"2.0","id":5,"id":6,"method":"m"}"#, "-32600 null"),
            (r#"{"jsonrpc":"2.0","id":5,"method":"a","method":"b"}"#, "-32600 null"),
        ] {
            assert_eq!(ids(body), [expected], "{body}");
        }
        assert!(matches!(
            Body::read(b"\xff", 3),
            Body::Single(Err(Refused { fault: Fault::Parse, .. }))
        ));
    }

    #[test]
    fn a_batch_is_read_item_by_item() {
        let body = r#" [{"jsonrpc":"2.0","id":1,"method":"a"},1,{"jsonrpc":"2.0","method":"b"}]"#;
        assert_eq!(ids(body), ["a 1", "-32600 null", "b -"]);
    }

    #[test]
    fn a_batch_over_the_limit_has_every_item_refused() {
        let item = r#"{"jsonrpc":"2.0","id":1,"method":"a"}"#;
        assert_eq!(ids(&format!("[{item},{item},{item},{item}]")), ["-32600 1"; 4]);
    }

    #[test]
    fn a_batch_far_over_the_limit_is_answered_by_one_error() {
        let body = format!("[{}1]", "1,".repeat(ANSWERED_ITEMS_MAX));
        assert_eq!(ids(&body), ["-32600 null"]);
    }

    #[test]
    fn deep_nesting_does_not_overflow_the_stack() {
        let deep = "[".repeat(200_000);
        assert_eq!(ids(&deep), ["-32700 null"]);
        let params = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        let body = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"m","params":{params}}}"#);
        assert_eq!(ids(&body), ["m 1"]);
    }

    #[test]
    fn an_escaped_method_is_the_method_it_spells() {
        assert_eq!(ids(r#"{"jsonrpc":"2.0","id":1,"method":"eth\u005fcall"}"#), ["eth_call 1"]);
    }
}
