//! One attempt at one endpoint: send, wait, read. Facts only; the verdict is made elsewhere.

use std::rc::Rc;

use js_sys::{Object, Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};

use super::bells::Bells;
use super::body::{self, Unread};
use super::bytes::Reader;
use super::clock;
use super::deadline::Deadline;
use super::drill;
use super::glue::{self, Arrived};
use super::promised::Promised;
use super::relay::Rest;
use crate::config::Endpoint;
use crate::rpc::begin;
use crate::rpc::reply::ids_match;
use crate::state::orders::Drill;
use crate::verdict::Failure;

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
    pub(super) content_type: Option<Rc<str>>,
    /// Whether that is JSON's.
    is_json: bool,
    /// `EXTENSION-RESPONSES`: what a facilitator says about a payment's extensions.
    pub(super) extension: Option<String>,
    /// The body, or its beginning where there is a rest.
    pub(super) body: Rc<Vec<u8>>,
    /// The body as the runtime gave it, where it did so in one piece.
    pub(super) original: Option<Uint8Array>,
    /// What of a large result is still in its stream.
    pub(super) rest: Option<Rest>,
}

impl Answer {
    /// `Content-Type`, where it is JSON's.
    pub(super) fn json_type(&self) -> Option<Rc<str>> {
        self.content_type.clone().filter(|_| self.is_json)
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
    /// Whether an end before its time is the end at the endpoint, too, at the price of a signal: a
    /// twentieth of a small call's CPU. Otherwise the runtime closes the connection with the client's
    /// request, of whose six it is one until then.
    pub(super) aborts: bool,
    /// The client request's, where it is for one.
    pub(super) bells: Option<&'a Bells>,
    /// What the operator has the endpoint rehearse.
    pub(super) drill: Option<Drill>,
}

impl<'a> Sent<'a> {
    /// `body` posted to an endpoint's URL, for nobody in particular.
    pub(super) fn post(endpoint: &'a Endpoint, body: &'a JsValue, drill: Option<Drill>) -> Self {
        Self {
            http_method: "POST",
            url: &endpoint.url,
            body,
            forwarded: &[],
            ends_when_dropped: true,
            aborts: true,
            bells: None,
            drill,
        }
    }
}

/// How much of an answer is read.
#[derive(Clone, Copy)]
pub(super) struct Extent<'a> {
    /// Bytes held in memory at most.
    pub(super) max_bytes: u64,
    /// The id under which a large result may be passed on unread; `None`: everything is read.
    pub(super) large: Option<&'a str>,
}

impl Extent<'_> {
    /// An answer of so many bytes is read in one go.
    #[expect(clippy::cast_precision_loss)]
    fn small_bytes(self) -> f64 {
        self.max_bytes.min(LARGE_BYTES) as f64
    }
}

impl Arrival {
    /// Nothing was sent.
    pub(super) fn not_sent() -> Self {
        Self { outcome: Err(Failure::NotSent), status: None, ms: 0 }
    }
}

/// Makes a request of an endpoint and reads the answer, all within `timeout_ms`, as far as a drill lets
/// it.
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
    let deadline = Deadline::start(sent.bells, timeout_ms, sent.aborts);
    let mut cut = Cut(sent.ends_when_dropped.then_some(&deadline));
    let headers = headers(endpoint, sent).map_err(|_| Failure::NotSent)?;
    let (timer, small) = (deadline.timer(), extent.small_bytes());
    let (arrived, asked) = Promised::new(|key, settle| {
        let Sent { http_method, url, body, .. } = sent;
        glue::send(timer, key, settle, http_method, url, headers.as_ref(), body, small)
    });
    asked.map_err(|_| Failure::NotSent)?;
    let arrived = arrived.await.map_err(|error| {
        if deadline.passed() { Failure::Timeout } else { before_headers(&error) }
    })?;
    let arrived: Arrived = arrived.unchecked_into();
    *status = Some(arrived.status());
    let (body, reader) = read(&arrived, extent, &deadline).await?;
    deadline.stop();
    cut.0 = None;
    drop(cut);
    let rest = reader.map(|reader| Rest {
        reader: Rc::new(reader),
        length: length(&arrived),
        read: body.len() as u64,
        idle: Rc::new(deadline),
    });
    let content_type = arrived.content_type().map(Rc::from);
    Ok(Answer {
        status: arrived.status(),
        retry_after: arrived.retry_after(),
        edge_error: arrived.edge_error(),
        is_json: content_type.as_deref().is_some_and(is_json),
        content_type,
        extension: arrived.extension(),
        body: Rc::new(body),
        original: arrived.bytes(),
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

/// Headers beside JSON's type, if there are any.
fn headers(endpoint: &Endpoint, sent: Sent<'_>) -> Result<Option<Object>, JsValue> {
    if endpoint.headers.is_empty() && sent.forwarded.is_empty() {
        return Ok(None);
    }
    let headers = Object::new();
    for (name, value) in endpoint.headers.iter().chain(sent.forwarded) {
        Reflect::set(&headers, &name.into(), &value.into())?;
    }
    Ok(Some(headers))
}

/// Past this size a result is passed on while it arrives.
const LARGE_BYTES: u64 = 262_144;

async fn read(
    arrived: &Arrived,
    extent: Extent<'_>,
    deadline: &Deadline,
) -> Result<(Vec<u8>, Option<Reader>), Failure> {
    let broken = || if deadline.passed() { Failure::BodyTimeout } else { Failure::BodyBroken };
    if let Some(bytes) = arrived.bytes() {
        return Ok((bytes.to_vec(), None));
    }
    if arrived.broken() {
        return Err(broken());
    }
    let Some(stream) = arrived.response().body() else {
        return Ok((Vec::new(), None));
    };
    let good = (200..=299).contains(&arrived.status());
    // What has come to its end is judged whole.
    let ended = |prefix: &[u8]| length(arrived) == Some(prefix.len() as u64);
    let is_large = |prefix: &[u8]| extent.large.is_some_and(|id| is_result(prefix, id));
    let lets_go = |prefix: &[u8]| good && !ended(prefix) && is_large(prefix);
    let reader = Reader::open(&stream, Some(deadline.timer())).map_err(|_| broken())?;
    let begun = body::begin(reader, extent.max_bytes, LARGE_BYTES, lets_go).await;
    let begun = begun.map_err(|unread| match unread {
        Unread::TooLarge => Failure::TooLarge,
        Unread::Broken(_) => broken(),
    })?;
    Ok((begun.prefix, begun.rest))
}

/// Whether the beginning of an answer shows a result, and no other id than the one asked.
fn is_result(prefix: &[u8], id: &str) -> bool {
    begin::read(prefix).is_some_and(|begin| begin.id.is_none_or(|own| ids_match(id, own)))
}

/// Length of the whole body, where it is known.
fn length(arrived: &Arrived) -> Option<u64> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    arrived.length().map(|length| length as u64)
}

/// Anything else an upstream calls its JSON would be a way to have a browser read it as a page.
fn is_json(content_type: &str) -> bool {
    // Some clients take no others in a header's value.
    let printable = content_type.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    let kind = content_type.split(';').next().unwrap_or_default().trim();
    let plus = kind.len().checked_sub("+json".len()).and_then(|at| kind.get(at..));
    let json = kind.eq_ignore_ascii_case("application/json")
        || plus.is_some_and(|suffix| suffix.eq_ignore_ascii_case("+json"));
    printable && json
}

fn before_headers(error: &JsValue) -> Failure {
    let message = Reflect::get(error, &"message".into()).ok();
    let message = message.and_then(|message| message.as_string()).unwrap_or_default();
    // The platform's own limit: the request never left, and no endpoint is to blame.
    if message.contains("subrequests") { Failure::NotSent } else { Failure::Network }
}
