//! One attempt at one endpoint: send, wait, read. Facts only; the verdict is made elsewhere.

use std::rc::Rc;

use js_sys::futures::JsFuture;
use js_sys::{Object, Promise, Reflect};
use wasm_bindgen::prelude::*;
use worker::web_sys::{AbortSignal, RequestInit, RequestRedirect, Response};

use super::body::{self, Unread};
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
    pub(super) content_type: Option<String>,
    pub(super) body: Rc<Vec<u8>>,
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
        content_type: header("content-type").filter(|kind| is_json(kind)),
        body: Rc::new(read(&response, max_bytes).await?),
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

async fn read(response: &Response, max_bytes: u64) -> Result<Vec<u8>, Failure> {
    let announced = plain_length(response);
    let read = body::read(response.body(), announced, max_bytes, || response.array_buffer()).await;
    read.map_err(|unread| match unread {
        Unread::TooLarge => Failure::TooLarge,
        Unread::Broken(reason) => in_body(&reason),
    })
}

/// `Content-Length` where it is the length of what is read: the runtime decodes encoded bodies.
fn plain_length(response: &Response) -> Option<u64> {
    let headers = response.headers();
    if headers.get("content-encoding").ok()?.is_some() {
        return None;
    }
    headers.get("content-length").ok()??.parse().ok()
}

/// Anything else an upstream calls its JSON would be a way to have a browser read it as a page.
fn is_json(content_type: &str) -> bool {
    let kind = content_type.split(';').next().unwrap_or_default().trim();
    kind.eq_ignore_ascii_case("application/json") || kind.to_ascii_lowercase().ends_with("+json")
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
