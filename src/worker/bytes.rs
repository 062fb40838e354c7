//! Reads a stream of bytes in large pieces, into buffers that are used again: chunk by chunk costs
//! many times the CPU, and a new buffer for each piece fills the isolate's memory until it is swept.

use std::cell::{Cell, RefCell};

use js_sys::futures::JsFuture;
use js_sys::{ArrayBuffer, Promise, Reflect, Uint8Array};
use wasm_bindgen::prelude::*;
use worker::web_sys::{ReadableStream, WritableStreamDefaultWriter};

use super::deadline::{Deadline, Timer};

#[wasm_bindgen]
extern "C" {
    type ByteReader;

    /// Cloudflare's own: short only where the stream ends.
    #[wasm_bindgen(method, catch, js_name = readAtLeast)]
    fn read_at_least(
        this: &ByteReader,
        min_bytes: u32,
        view: &Uint8Array,
    ) -> Result<Promise, JsValue>;
}

#[wasm_bindgen(module = "/src/worker/pieces.mjs")]
extern "C" {
    #[wasm_bindgen(catch)]
    fn open(stream: &ReadableStream, time: Option<&Timer>) -> Result<ByteReader, JsValue>;

    #[wasm_bindgen(js_name = passOn)]
    fn pass_on(
        reader: &ByteReader,
        buffer: ArrayBuffer,
        writer: &WritableStreamDefaultWriter,
        idle: &Timer,
        left: Option<f64>,
        closed: bool,
    ) -> Promise;

    /// How `pass_on` ended.
    type Passed;

    #[wasm_bindgen(method, getter)]
    fn end(this: &Passed) -> String;

    #[wasm_bindgen(method, getter)]
    fn bytes(this: &Passed) -> f64;

    #[wasm_bindgen(method, getter)]
    fn buffer(this: &Passed) -> Option<ArrayBuffer>;
}

/// Longest piece.
pub(super) const PIECE_BYTES: u32 = 1_048_576;

/// Buffers kept for the next reader.
const SPARE_MAX: usize = 2;

thread_local! {
    static SPARE: RefCell<Vec<ArrayBuffer>> = const { RefCell::new(Vec::new()) };
}

/// Why a stream was not passed on to its end.
pub(super) enum NotPassed {
    /// It broke, or was silent for too long.
    Broken,
    /// Whoever read it went away.
    Gone,
}

/// Reads one stream. It lends its only buffer: a piece is valid until the next is asked for.
pub(super) struct Reader {
    reader: ByteReader,
    buffer: Cell<Option<ArrayBuffer>>,
}

impl Reader {
    /// Locks the stream, which ends when the time does.
    pub(super) fn open(stream: &ReadableStream, time: Option<&Timer>) -> Result<Self, JsValue> {
        Ok(Self { reader: open(stream, time)?, buffer: Cell::new(None) })
    }

    /// Just so many bytes, fewer only at the end.
    pub(super) async fn fill(&self, bytes: u32) -> Result<Uint8Array, JsValue> {
        let view = self.view(bytes);
        let read = self.reader.read_at_least(bytes, &view)?;
        Ok(self.lend(&JsFuture::from(read).await?)?.unwrap_or_default())
    }

    /// Writes what is left to `writer`, as it comes, and tells how many bytes that were. The stream
    /// breaks when it is silent for as long as `idle` allows, and when it ends, of `left` bytes if that
    /// is known, without the brace that ends an answer: `closed` says that the last one seen is it.
    pub(super) async fn pass_on(
        &self,
        writer: &WritableStreamDefaultWriter,
        idle: &Deadline,
        left: Option<u64>,
        closed: bool,
    ) -> Result<u64, NotPassed> {
        let buffer = self.buffer(PIECE_BYTES);
        #[expect(clippy::cast_precision_loss)]
        let left = left.map(|left| left as f64);
        let passed = pass_on(&self.reader, buffer, writer, idle.timer(), left, closed);
        let passed = JsFuture::from(passed).await;
        let passed: Passed = passed.map_err(|_| NotPassed::Broken)?.unchecked_into();
        self.buffer.set(passed.buffer());
        match passed.end().as_str() {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            "whole" => Ok(passed.bytes() as u64),
            "gone" => Err(NotPassed::Gone),
            _ => Err(NotPassed::Broken),
        }
    }

    fn view(&self, bytes: u32) -> Uint8Array {
        Uint8Array::new_with_byte_offset_and_length(&self.buffer(bytes), 0, bytes)
    }

    /// Memory for so many bytes.
    fn buffer(&self, bytes: u32) -> ArrayBuffer {
        let fits = |buffer: &ArrayBuffer| buffer.byte_length() >= bytes;
        let spare = || SPARE.with_borrow_mut(Vec::pop).filter(fits);
        let own = self.buffer.take().filter(fits);
        own.or_else(spare).unwrap_or_else(|| ArrayBuffer::new(bytes))
    }

    /// A read's bytes. The buffer they are in is a new object around the old memory.
    fn lend(&self, read: &JsValue) -> Result<Option<Uint8Array>, JsValue> {
        let value = Reflect::get(read, &"value".into())?;
        let Ok(bytes) = value.dyn_into::<Uint8Array>() else {
            return Ok(None);
        };
        self.buffer.set(Some(bytes.buffer()));
        Ok(Some(bytes))
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        let large = |buffer: &ArrayBuffer| buffer.byte_length() >= PIECE_BYTES;
        if let Some(buffer) = self.buffer.take().filter(large) {
            SPARE.with_borrow_mut(|spare| {
                if spare.len() < SPARE_MAX {
                    spare.push(buffer);
                }
            });
        }
    }
}
