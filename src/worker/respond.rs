//! Makes the answer: status, headers, body. Every answer passes here, so every one carries CORS.

use std::rc::Rc;

use js_sys::Uint8Array;
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
    json(visit, fault.status(), fault.body(id).as_bytes(), headers)
}

/// `Content-Type` of what we say ourselves.
pub(super) const JSON: &str = "application/json";

/// JSON of our own.
pub(super) fn json(
    visit: &Visit,
    status: u16,
    body: &[u8],
    headers: Headers,
) -> worker::Result<Response> {
    answer(visit, status, body, JSON, headers)
}

/// An upstream's answer, or ours in place of one.
pub(super) fn relay(
    visit: &Visit,
    body: &Body<'_>,
    content_type: &str,
    mut headers: Headers,
) -> worker::Result<Response> {
    label(&mut headers, content_type);
    make(visit, 200, body, &headers)
}

/// Any answer.
pub(super) fn answer(
    visit: &Visit,
    status: u16,
    body: &[u8],
    content_type: &str,
    mut headers: Headers,
) -> worker::Result<Response> {
    label(&mut headers, content_type);
    bytes(visit, status, body, &headers)
}

/// Bytes with these headers, and those of CORS.
pub(super) fn bytes(
    visit: &Visit,
    status: u16,
    body: &[u8],
    headers: &Headers,
) -> worker::Result<Response> {
    make(visit, status, &Body::Bytes(body), headers)
}

/// A large answer: its beginning, and the rest as it arrives.
pub(super) fn large(
    visit: &Visit,
    index: usize,
    begin: &[u8],
    tail: Tail,
    content_type: &str,
    mut headers: Headers,
) -> worker::Result<Response> {
    let (readable, fill) = relay::open(begin, tail, Rc::clone(&visit.isolate), index)?;
    outlive::behind(visit, Box::pin(fill));
    label(&mut headers, content_type);
    make(visit, 200, &Body::Stream(&readable), &headers)
}

fn label(headers: &mut Headers, content_type: &str) {
    if !content_type.is_empty() {
        headers.push(("content-type", content_type.to_owned()));
    }
    headers.push(("cache-control", "no-store".to_owned()));
    headers.push(("x-content-type-options", "nosniff".to_owned()));
}

/// No body.
pub(super) fn empty(visit: &Visit, status: u16, headers: &Headers) -> worker::Result<Response> {
    make(visit, status, &Body::Empty, headers)
}

fn make(
    visit: &Visit,
    status: u16,
    body: &Body<'_>,
    headers: &Headers,
) -> worker::Result<Response> {
    let cors = cors::answer(&visit.isolate.config.service, visit.heading().origin());
    let lines = cors.iter().chain(headers).map(|(name, value)| format!("{name}:{value}"));
    let lines = lines.collect::<Vec<_>>().join("\n");
    let response = match body {
        Body::Bytes(bytes) => glue::answer_bytes(status, &lines, bytes),
        Body::Original(bytes) => glue::answer(status, &lines, bytes),
        Body::Stream(stream) => glue::answer(status, &lines, stream),
        Body::Empty => glue::answer(status, &lines, &JsValue::NULL),
    };
    Ok(response?)
}
