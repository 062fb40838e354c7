//! Makes the answer: status, headers, body. Every answer passes here, so every one carries CORS.

use std::rc::Rc;

use js_sys::{Object, Reflect, Uint8Array};
use wasm_bindgen::JsValue;
use worker::web_sys::{ReadableStream, Response, ResponseInit};

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
    body: &[u8],
    content_type: &str,
    headers: Headers,
) -> worker::Result<Response> {
    answer(visit, 200, body, content_type, headers)
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
    let object = Object::new();
    let cors = cors::answer(&visit.isolate.config.service, visit.origin.as_deref());
    for (name, value) in cors.iter().chain(headers) {
        Reflect::set(&object, &JsValue::from_str(name), &JsValue::from_str(value))?;
    }
    let init = ResponseInit::new();
    init.set_status(status);
    init.set_headers(&object);
    let response = match body {
        Body::Bytes(bytes) => {
            let bytes = Uint8Array::from(*bytes);
            Response::new_with_opt_js_u8_array_and_init(Some(&bytes), &init)
        }
        Body::Stream(stream) => {
            Response::new_with_opt_readable_stream_and_init(Some(stream), &init)
        }
        Body::Empty => Response::new_with_opt_str_and_init(None, &init),
    };
    Ok(response?)
}
