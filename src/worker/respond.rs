//! Makes the answer: status, headers, body. Every answer passes here, so every one carries CORS.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Object, Uint8Array};
use wasm_bindgen::JsValue;
use worker::web_sys::{ReadableStream, Response};

use super::glue;
use super::outlive;
use super::relay::{self, Tail};
use super::visit::Visit;
use crate::http::cors;
use crate::rpc::fault::Fault;

/// Names and values of headers.
pub(super) type Headers = Vec<(&'static str, String)>;

/// A body, as the maker has it.
pub(super) enum Body<'a> {
    /// All of it.
    Bytes(&'a [u8]),
    /// An upstream's, as the runtime gave it.
    Original(&'a Uint8Array),
    /// JSON that is still arriving.
    Stream(&'a ReadableStream),
    /// Nothing.
    Empty,
}

/// An own error as the whole answer.
pub(super) fn fault(
    visit: &Visit,
    fault: &Fault,
    id: &str,
    mut headers: Headers,
) -> worker::Result<Response> {
    if let Some(seconds) = fault.retry_after_s() {
        headers.push(("retry-after", seconds.to_string()));
    }
    if matches!(fault, Fault::HttpMethod) {
        headers.push(("allow", "GET, POST, OPTIONS".to_owned()));
    }
    if matches!(fault, Fault::NoWebSocket) {
        headers.push(("upgrade", "HTTP/1.1".to_owned()));
    }
    json(visit, fault.status(), fault.body(id).as_bytes(), &headers)
}

/// `Content-Type` of what we say ourselves.
pub(super) const JSON: &str = "application/json";

/// JSON of our own.
pub(super) fn json(
    visit: &Visit,
    status: u16,
    body: &[u8],
    headers: &Headers,
) -> worker::Result<Response> {
    answer(visit, status, body, JSON, headers)
}

/// An upstream's answer, or ours in place of one.
pub(super) fn relay(
    visit: &Visit,
    body: &Body<'_>,
    content_type: &str,
    headers: &Headers,
) -> worker::Result<Response> {
    make(visit, 200, body, Some(content_type), headers)
}

/// Any answer.
pub(super) fn answer(
    visit: &Visit,
    status: u16,
    body: &[u8],
    content_type: &str,
    headers: &Headers,
) -> worker::Result<Response> {
    make(visit, status, &Body::Bytes(body), Some(content_type), headers)
}

/// Bytes with these headers, and those of CORS.
pub(super) fn bytes(
    visit: &Visit,
    status: u16,
    body: &[u8],
    headers: &Headers,
) -> worker::Result<Response> {
    make(visit, status, &Body::Bytes(body), None, headers)
}

/// A large answer: its beginning, and the rest as it arrives.
pub(super) fn large(
    visit: &Visit,
    index: usize,
    begin: &[u8],
    tail: Tail,
    content_type: &str,
    headers: &Headers,
) -> worker::Result<Response> {
    let (readable, fill) = relay::open(begin, tail, Rc::clone(&visit.isolate), index)?;
    outlive::behind(visit, Box::pin(fill));
    make(visit, 200, &Body::Stream(&readable), Some(content_type), headers)
}

/// No body.
pub(super) fn empty(visit: &Visit, status: u16, headers: &Headers) -> worker::Result<Response> {
    make(visit, status, &Body::Empty, None, headers)
}

/// `content_type`: of what is not for caches or guesses; empty where the upstream's is not known.
fn make(
    visit: &Visit,
    status: u16,
    body: &Body<'_>,
    content_type: Option<&str>,
    headers: &Headers,
) -> worker::Result<Response> {
    let common = common(visit, content_type);
    let lines = lines(headers);
    let response = match body {
        Body::Bytes(bytes) => glue::answer_bytes(status, &common, &lines, bytes),
        Body::Original(bytes) => glue::answer(status, &common, &lines, bytes),
        Body::Stream(stream) => glue::answer(status, &common, &lines, stream),
        Body::Empty => glue::answer(status, &common, &lines, &JsValue::NULL),
    };
    Ok(response?)
}

thread_local! {
    /// The last ones, and the lines they were made of: most answers have the same.
    static COMMON: RefCell<(String, Object)> = RefCell::new((String::new(), Object::new()));
}

/// Headers that do not depend on what came of the call.
fn common(visit: &Visit, content_type: Option<&str>) -> Object {
    let mut headers = cors::answer(&visit.isolate.config.service, visit.heading().origin());
    if let Some(content_type) = content_type {
        if !content_type.is_empty() {
            headers.push(("content-type", content_type.to_owned()));
        }
        headers.push(("cache-control", "no-store".to_owned()));
        headers.push(("x-content-type-options", "nosniff".to_owned()));
    }
    let lines = lines(&headers);
    COMMON.with_borrow_mut(|(made_of, made)| {
        if *made_of != lines {
            *made = glue::headers(&lines);
            *made_of = lines;
        }
        made.clone()
    })
}

/// `name:value`, one a line.
fn lines(headers: &Headers) -> String {
    let mut lines = String::new();
    for (name, value) in headers {
        if !lines.is_empty() {
            lines.push('\n');
        }
        lines.push_str(name);
        lines.push(':');
        lines.push_str(value);
    }
    lines
}
