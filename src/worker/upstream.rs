//! One attempt at one endpoint: send, wait, read. Facts only; the verdict is made elsewhere.

use std::rc::Rc;

use js_sys::futures::JsFuture;
use js_sys::{Object, Promise, Reflect, Uint8Array};
use wasm_bindgen::prelude::*;
use worker::web_sys::{
    AbortSignal, ReadableStreamDefaultReader, RequestInit, RequestRedirect, Response,
};

use super::clock;
use crate::config::Endpoint;
use crate::verdict::Failure;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = fetch, catch)]
    fn global_fetch(url: &str, init: &RequestInit) -> Result<Promise, JsValue>;
}

/// What came of an attempt.
pub(super) struct Arrival {
    /// The whole answer, or why there is none.
    pub(super) outcome: Result<Answer, Failure>,
    /// HTTP status, when headers arrived.
    pub(super) status: Option<u16>,
    /// How long it took.
    pub(super) ms: u64,
}

/// A whole answer.
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) retry_after: Option<String>,
    pub(super) edge_error: Option<String>,
    pub(super) body: Rc<[u8]>,
}

impl Arrival {
    /// Nothing was sent.
    pub(super) fn not_sent() -> Self {
        Self { outcome: Err(Failure::NotSent), status: None, ms: 0 }
    }
}

/// Sends `body` and reads the answer, all within `timeout_ms`.
pub(super) async fn ask(
    endpoint: &Endpoint,
    body: &JsValue,
    timeout_ms: u64,
    max_bytes: u64,
) -> Arrival {
    let started = clock::now();
    let mut status = None;
    let outcome = attempt(endpoint, body, timeout_ms, max_bytes, &mut status).await;
    Arrival { outcome, status, ms: clock::now().since(started) }
}

async fn attempt(
    endpoint: &Endpoint,
    body: &JsValue,
    timeout_ms: u64,
    max_bytes: u64,
    status: &mut Option<u16>,
) -> Result<Answer, Failure> {
    let init = request(endpoint, body, timeout_ms).map_err(|_| Failure::NotSent)?;
    let promise = global_fetch(&endpoint.url, &init).map_err(|_| Failure::NotSent)?;
    let response = JsFuture::from(promise).await.map_err(|error| before_headers(&error))?;
    let response: Response = response.unchecked_into();
    *status = Some(response.status());
    let header = |name: &str| response.headers().get(name).ok().flatten();
    Ok(Answer {
        status: response.status(),
        retry_after: header("retry-after"),
        edge_error: header("cf-error-type"),
        body: read(&response, max_bytes).await?.into(),
    })
}

fn request(endpoint: &Endpoint, body: &JsValue, timeout_ms: u64) -> Result<RequestInit, JsValue> {
    let headers = Object::new();
    Reflect::set(&headers, &"content-type".into(), &"application/json".into())?;
    for (name, value) in &endpoint.headers {
        Reflect::set(&headers, &name.into(), &value.into())?;
    }
    let init = RequestInit::new();
    init.set_method("POST");
    init.set_headers(&headers);
    init.set_body(body);
    init.set_redirect(RequestRedirect::Manual);
    let timeout_ms = u32::try_from(timeout_ms).unwrap_or(u32::MAX);
    init.set_signal(Some(&AbortSignal::timeout_with_u32(timeout_ms)));
    Ok(init)
}

/// Reads the body whole, up to the cap. A body of known size takes one promise; one of unknown size
/// is read chunk by chunk, so that no endpoint can fill the isolate's memory.
async fn read(response: &Response, max_bytes: u64) -> Result<Vec<u8>, Failure> {
    let Some(stream) = response.body() else {
        return Ok(Vec::new());
    };
    if let Some(length) = plain_length(response) {
        if length > max_bytes {
            drop(stream.cancel());
            return Err(Failure::TooLarge);
        }
        let buffer = response.array_buffer().map_err(|_| Failure::BodyBroken)?;
        let buffer = JsFuture::from(buffer).await.map_err(|error| in_body(&error))?;
        return Ok(Uint8Array::new(&buffer).to_vec());
    }
    let reader: ReadableStreamDefaultReader = stream.get_reader().unchecked_into();
    read_chunks(&reader, max_bytes).await
}

/// `Content-Length` where it is the length of what is read: the runtime decodes encoded bodies.
fn plain_length(response: &Response) -> Option<u64> {
    let headers = response.headers();
    if headers.get("content-encoding").ok()?.is_some() {
        return None;
    }
    headers.get("content-length").ok()??.parse().ok()
}

async fn read_chunks(
    reader: &ReadableStreamDefaultReader,
    max_bytes: u64,
) -> Result<Vec<u8>, Failure> {
    let mut body = Vec::new();
    loop {
        let chunk = JsFuture::from(reader.read()).await.map_err(|error| in_body(&error))?;
        let value = Reflect::get(&chunk, &"value".into()).map_err(|_| Failure::BodyBroken)?;
        if value.is_undefined() {
            return Ok(body);
        }
        let chunk = Uint8Array::new(&value);
        let length = u64::try_from(body.len()).unwrap_or(u64::MAX) + u64::from(chunk.length());
        if length > max_bytes {
            drop(reader.cancel());
            return Err(Failure::TooLarge);
        }
        body.extend_from_slice(&chunk.to_vec());
    }
}

fn before_headers(error: &JsValue) -> Failure {
    if is_timeout(error) {
        return Failure::Timeout;
    }
    // The platform's own limit: the request never left, and no endpoint is to blame.
    if text(error, "message").contains("subrequests") { Failure::NotSent } else { Failure::Network }
}

fn in_body(error: &JsValue) -> Failure {
    if is_timeout(error) { Failure::BodyTimeout } else { Failure::BodyBroken }
}

fn is_timeout(error: &JsValue) -> bool {
    text(error, "name") == "TimeoutError"
}

fn text(error: &JsValue, member: &str) -> String {
    let value = Reflect::get(error, &member.into()).ok();
    value.and_then(|value| value.as_string()).unwrap_or_default()
}
