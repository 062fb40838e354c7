//! Passes the rest of a large answer on, in large pieces that never enter wasm memory: as cheap as
//! the runtime's own pipe, which cannot tell whether bytes still come. Once the first byte is out
//! there is no other endpoint to ask.

use std::rc::Rc;

use js_sys::Uint8Array;
use js_sys::futures::JsFuture;
use wasm_bindgen::prelude::*;
use worker::web_sys::{ReadableStream, WritableStream, WritableStreamDefaultWriter};

use super::bytes::{NotPassed, Reader};
use super::deadline::Deadline;
use super::isolate::Isolate;
use super::{clock, judge};
use crate::json;
use crate::method::{Effect, Operation};
use crate::state::isolate::{Finished, Item};
use crate::verdict::{self, Context, Failure, Outcome};

#[wasm_bindgen]
extern "C" {
    type IdentityTransformStream;

    #[wasm_bindgen(constructor, catch)]
    fn new() -> Result<IdentityTransformStream, JsValue>;

    #[wasm_bindgen(method, getter)]
    fn readable(this: &IdentityTransformStream) -> ReadableStream;

    #[wasm_bindgen(method, getter)]
    fn writable(this: &IdentityTransformStream) -> WritableStream;

    /// Its end is an error unless just so many bytes came: a client sees that an answer is cut.
    #[wasm_bindgen(extends = IdentityTransformStream)]
    type FixedLengthStream;

    #[wasm_bindgen(constructor, catch)]
    fn new(length: f64) -> Result<FixedLengthStream, JsValue>;
}

/// The rest of an answer.
#[derive(Clone)]
pub(super) struct Rest {
    pub(super) reader: Rc<Reader>,
    /// Bytes of the whole body, where the upstream said so.
    pub(super) length: Option<u64>,
    /// Bytes of it that were read.
    pub(super) read: u64,
    /// Ends the stream when no byte came for as long as an attempt may take.
    pub(super) idle: Rc<Deadline>,
}

/// The rest of an answer, and whose it is: he is to blame when it breaks off.
#[derive(Clone)]
pub(super) struct Tail {
    pub(super) rest: Rest,
    pub(super) endpoint: usize,
    pub(super) method: String,
    pub(super) status: u16,
}

/// A stream of `prefix` and the rest, and the future that fills it.
pub(super) fn open(
    prefix: &[u8],
    tail: Tail,
    isolate: Rc<Isolate>,
    index: usize,
) -> Result<(ReadableStream, impl Future<Output = ()> + 'static), JsValue> {
    let ahead = prefix.len() as u64;
    let rest = &tail.rest;
    let length = rest.length.map(|length| length.saturating_sub(rest.read) + ahead);
    let pipe: IdentityTransformStream = match length {
        #[expect(clippy::cast_precision_loss)]
        Some(length) => FixedLengthStream::new(length as f64)?.into(),
        None => IdentityTransformStream::new()?,
    };
    let (readable, writable) = (pipe.readable(), pipe.writable());
    let closed = closes(prefix);
    let prefix = Uint8Array::from(prefix);
    let fill = async move {
        if let Err(failure) = fill(&prefix, closed, &tail.rest, &writable).await {
            tail.blame(&isolate, index, failure);
        }
    };
    Ok((readable, fill))
}

/// Writes the beginning and what comes after it. An error is the upstream's: a client that went away
/// is none.
async fn fill(
    prefix: &Uint8Array,
    closed: bool,
    rest: &Rest,
    writable: &WritableStream,
) -> Result<(), Failure> {
    let Ok(writer) = writable.get_writer() else {
        return Ok(());
    };
    if !write(&writer, prefix).await {
        rest.idle.abort();
        return Ok(());
    }
    let left = rest.length.map(|length| length.saturating_sub(rest.read));
    let passed = match rest.reader.pass_on(&writer, &rest.idle, left, closed).await {
        Ok(bytes) => bytes,
        Err(NotPassed::Gone) => {
            rest.idle.abort();
            return Ok(());
        }
        Err(NotPassed::Broken) if rest.idle.passed() => return Err(Failure::BodyTimeout),
        Err(NotPassed::Broken) => return Err(Failure::BodyBroken),
    };
    // Cut short, the stream of announced length refuses to close: the client sees that, too.
    drop(JsFuture::from(writer.close()).await);
    if left.is_some_and(|left| passed < left) { Err(Failure::BodyBroken) } else { Ok(()) }
}

/// Whether the object that an answer is ends here: blanks may follow it.
fn closes(bytes: &[u8]) -> bool {
    json::trim(bytes).ends_with(b"}")
}

/// Whether the client still takes bytes.
async fn write(writer: &WritableStreamDefaultWriter, bytes: &Uint8Array) -> bool {
    JsFuture::from(writer.write_with_chunk(bytes)).await.is_ok()
}

impl Tail {
    /// Counts the broken stream as the endpoint's failure.
    fn blame(&self, isolate: &Isolate, index: usize, failure: Failure) {
        let Some(route) = isolate.config.routes.get(index) else {
            return;
        };
        let (now, draw) = (clock::now(), clock::draw());
        let operation = Operation {
            protocol: route.protocol,
            method: &self.method,
            params: None,
            effect: Effect::Read,
        };
        let outcome = Outcome::Failed(failure);
        let Some(endpoint) = route.endpoints.get(self.endpoint) else {
            return;
        };
        let policy = judge::policy(route, endpoint);
        let verdict = verdict::judge(&operation, &outcome, &Context::default(), &policy);
        let items = [Item { method: &self.method, verdict }];
        isolate.book(index, |book| {
            if let Some(grant) = book.afterwards(self.endpoint) {
                let finished = Finished {
                    endpoint: self.endpoint,
                    grant,
                    status: Some(self.status),
                    ms: 0,
                    items: &items,
                };
                book.record(finished, &route.breaker, now, draw);
            }
        });
    }
}
