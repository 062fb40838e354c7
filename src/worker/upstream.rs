//! One attempt at one endpoint: send, wait, read. Facts only; the verdict is made elsewhere.

use std::rc::Rc;

use js_sys::futures::JsFuture;
use js_sys::{Object, Promise, Reflect};
use wasm_bindgen::prelude::*;
use worker::web_sys::{AbortSignal, RequestInit, RequestRedirect, Response};

use super::body::{self, Source, Unread};
use super::bytes::Reader;
use super::clock;
use super::deadline::Deadline;
use super::drill;
use super::relay::Rest;
use crate::config::Endpoint;
use crate::rpc::begin;
use crate::rpc::reply::ids_match;
use crate::state::orders::Drill;
use crate::verdict::Failure;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = fetch, catch)]
    pub(super) fn global_fetch(url: &str, init: &RequestInit) -> Result<Promise, JsValue>;
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
    /// `EXTENSION-RESPONSES`: what a facilitator says about a payment's extensions.
    pub(super) extension: Option<String>,
    /// The body, or its beginning where there is a rest.
    pub(super) body: Rc<Vec<u8>>,
    /// What of a large result is still in its stream.
    pub(super) rest: Option<Rest>,
}

impl Answer {
    /// `Content-Type`, where it is JSON's.
    pub(super) fn json_type(&self) -> Option<String> {
        self.content_type.clone().filter(|kind| is_json(kind))
    }
}

/// What is sent.
#[derive(Clone, Copy)]
pub(super) struct Sent<'a> {
    pub(super) http_method: &'static str,
    pub(super) url: &'a str,
    /// `undefined`: none.
    pub(super) body: &'a JsValue,
    /// Headers of the caller's, on top of the endpoint's own.
    pub(super) forwarded: &'a [(String, String)],
    /// Whether it is ended at the endpoint when nobody waits for its answer any more: for what changes
    /// nothing.
    pub(super) ends_when_dropped: bool,
    /// What the operator has the endpoint rehearse.
    pub(super) drill: Option<Drill>,
}

/// How much of an answer is read.
#[derive(Clone, Copy)]
pub(super) struct Extent<'a> {
    /// Bytes held in memory at most.
    pub(super) max_bytes: u64,
    /// The id under which a large result may be passed on unread; `None`: everything is read.
    pub(super) large: Option<&'a str>,
}

impl Arrival {
    /// Nothing was sent.
    pub(super) fn not_sent() -> Self {
        Self { outcome: Err(Failure::NotSent), status: None, ms: 0 }
    }
}

/// Posts `body` to an endpoint's URL and reads the answer, all within `timeout_ms`, as far as a drill
/// lets it.
pub(super) async fn ask(
    endpoint: &Endpoint,
    body: &JsValue,
    timeout_ms: u64,
    extent: Extent<'_>,
    drill: Option<Drill>,
) -> Arrival {
    let sent = Sent {
        http_method: "POST",
        url: &endpoint.url,
        body,
        forwarded: &[],
        ends_when_dropped: true,
        drill,
    };
    send(endpoint, sent, timeout_ms, extent).await
}

/// The same for any request.
pub(super) async fn send(
    endpoint: &Endpoint,
    sent: Sent<'_>,
    timeout_ms: u64,
    extent: Extent<'_>,
) -> Arrival {
    let started = clock::now();
    let mut status = None;
    let outcome = match drill::rehearse(sent.drill, timeout_ms).await {
        Ok(left_ms) => attempt(endpoint, sent, left_ms, extent, &mut status).await,
        Err(failure) => Err(failure),
    };
    Arrival { outcome, status, ms: clock::now().since(started) }
}

async fn attempt(
    endpoint: &Endpoint,
    sent: Sent<'_>,
    timeout_ms: u64,
    extent: Extent<'_>,
    status: &mut Option<u16>,
) -> Result<Answer, Failure> {
    let deadline = Deadline::start(timeout_ms).map_err(|_| Failure::NotSent)?;
    let mut cut = Cut(sent.ends_when_dropped.then_some(&deadline));
    let init = request(endpoint, sent, &deadline.signal()).map_err(|_| Failure::NotSent)?;
    let promise = global_fetch(sent.url, &init).map_err(|_| Failure::NotSent)?;
    let response = JsFuture::from(promise).await.map_err(|error| {
        if deadline.passed() { Failure::Timeout } else { before_headers(&error) }
    })?;
    let response: Response = response.unchecked_into();
    *status = Some(response.status());
    let header = |name: &str| response.headers().get(name).ok().flatten();
    let (body, reader) = read(&response, extent, &deadline).await?;
    deadline.stop();
    cut.0 = None;
    drop(cut);
    let rest = reader.map(|reader| Rest {
        reader: Rc::new(reader),
        length: plain_length(&response),
        read: body.len() as u64,
        idle: Rc::new(deadline),
    });
    Ok(Answer {
        status: response.status(),
        retry_after: header("retry-after"),
        edge_error: header("cf-error-type"),
        content_type: header("content-type"),
        extension: header("extension-responses"),
        body: Rc::new(body),
        rest,
    })
}

/// Ends a request that is given up before it has its answer.
struct Cut<'d>(Option<&'d Deadline>);

impl Drop for Cut<'_> {
    fn drop(&mut self) {
        if let Some(deadline) = self.0 {
            deadline.abort();
        }
    }
}

fn request(
    endpoint: &Endpoint,
    sent: Sent<'_>,
    signal: &AbortSignal,
) -> Result<RequestInit, JsValue> {
    let headers = Object::new();
    Reflect::set(&headers, &"content-type".into(), &"application/json".into())?;
    for (name, value) in endpoint.headers.iter().chain(sent.forwarded) {
        Reflect::set(&headers, &name.into(), &value.into())?;
    }
    let init = RequestInit::new();
    init.set_method(sent.http_method);
    init.set_headers(&headers);
    init.set_body(sent.body);
    init.set_redirect(RequestRedirect::Manual);
    init.set_signal(Some(signal));
    Ok(init)
}

/// Past this size a result is passed on while it arrives.
const LARGE_BYTES: u64 = 262_144;

async fn read(
    response: &Response,
    extent: Extent<'_>,
    deadline: &Deadline,
) -> Result<(Vec<u8>, Option<Reader>), Failure> {
    let whole = || response.array_buffer();
    let announced = plain_length(response);
    let source = Source { stream: response.body(), announced, whole: &whole };
    let good = (200..=299).contains(&response.status());
    let lets_go = |prefix: &[u8]| good && extent.large.is_some_and(|id| is_result(prefix, id));
    let begun = body::begin(source, extent.max_bytes, LARGE_BYTES, lets_go).await;
    let begun = begun.map_err(|unread| match unread {
        Unread::TooLarge => Failure::TooLarge,
        Unread::Broken(_) if deadline.passed() => Failure::BodyTimeout,
        Unread::Broken(_) => Failure::BodyBroken,
    })?;
    Ok((begun.prefix, begun.rest))
}

/// Whether the beginning of an answer shows a result, and no other id than the one asked.
fn is_result(prefix: &[u8], id: &str) -> bool {
    begin::read(prefix).is_some_and(|begin| begin.id.is_none_or(|own| ids_match(id, own)))
}

/// `Content-Length` where it is the length of what is read: the runtime decodes encoded bodies, and
/// in a body that comes in chunks the chunks alone count.
fn plain_length(response: &Response) -> Option<u64> {
    let headers = response.headers();
    for other in ["content-encoding", "transfer-encoding"] {
        if headers.get(other).ok()?.is_some() {
            return None;
        }
    }
    headers.get("content-length").ok()??.parse().ok()
}

/// Anything else an upstream calls its JSON would be a way to have a browser read it as a page.
fn is_json(content_type: &str) -> bool {
    let kind = content_type.split(';').next().unwrap_or_default().trim();
    kind.eq_ignore_ascii_case("application/json") || kind.to_ascii_lowercase().ends_with("+json")
}

fn before_headers(error: &JsValue) -> Failure {
    let message = Reflect::get(error, &"message".into()).ok();
    let message = message.and_then(|message| message.as_string()).unwrap_or_default();
    // The platform's own limit: the request never left, and no endpoint is to blame.
    if message.contains("subrequests") { Failure::NotSent } else { Failure::Network }
}
