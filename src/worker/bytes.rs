//! Reads a stream of bytes in large pieces, into buffers that are used again: chunk by chunk costs
//! many times the CPU, and a new buffer for each piece fills the isolate's memory until it is swept.

use std::cell::{Cell, RefCell};

use js_sys::futures::JsFuture;
use js_sys::{ArrayBuffer, Object, Promise, Reflect, Uint8Array};
use wasm_bindgen::prelude::*;
use worker::web_sys::ReadableStream;

#[wasm_bindgen]
extern "C" {
    type ByteStream;

    #[wasm_bindgen(method, catch, js_name = getReader)]
    fn get_reader(this: &ByteStream, options: &Object) -> Result<ByteReader, JsValue>;

    type ByteReader;

    #[wasm_bindgen(method, catch)]
    fn read(this: &ByteReader, view: &Uint8Array) -> Result<Promise, JsValue>;

    /// Cloudflare's own: short only where the stream ends.
    #[wasm_bindgen(method, catch, js_name = readAtLeast)]
    fn read_at_least(
        this: &ByteReader,
        min_bytes: u32,
        view: &Uint8Array,
    ) -> Result<Promise, JsValue>;
}

/// Longest piece.
pub(super) const PIECE_BYTES: u32 = 524_288;

/// Buffers kept for the next reader.
const SPARE_MAX: usize = 4;

thread_local! {
    static SPARE: RefCell<Vec<ArrayBuffer>> = const { RefCell::new(Vec::new()) };
}

/// Reads one stream. It lends its only buffer: a piece is valid until the next is asked for.
pub(super) struct Reader {
    reader: ByteReader,
    buffer: Cell<Option<ArrayBuffer>>,
}

impl Reader {
    /// Locks the stream.
    pub(super) fn open(stream: &ReadableStream) -> Result<Self, JsValue> {
        let options = Object::new();
        Reflect::set(&options, &"mode".into(), &"byob".into())?;
        let reader = stream.unchecked_ref::<ByteStream>().get_reader(&options)?;
        Ok(Self { reader, buffer: Cell::new(None) })
    }

    /// Just so many bytes, fewer only at the end.
    pub(super) async fn fill(&self, bytes: u32) -> Result<Uint8Array, JsValue> {
        let view = self.view(bytes);
        let read = self.reader.read_at_least(bytes, &view)?;
        Ok(self.lend(&JsFuture::from(read).await?)?.unwrap_or_default())
    }

    /// What there is as soon as there is any; `None` at the end.
    pub(super) async fn some(&self) -> Result<Option<Uint8Array>, JsValue> {
        let read = self.reader.read(&self.view(PIECE_BYTES))?;
        let bytes = self.lend(&JsFuture::from(read).await?)?;
        Ok(bytes.filter(|bytes| bytes.length() > 0))
    }

    fn view(&self, bytes: u32) -> Uint8Array {
        let fits = |buffer: &ArrayBuffer| buffer.byte_length() >= bytes;
        let spare = || SPARE.with_borrow_mut(Vec::pop).filter(fits);
        let own = self.buffer.take().filter(fits);
        let buffer = own.or_else(spare).unwrap_or_else(|| ArrayBuffer::new(bytes));
        Uint8Array::new_with_byte_offset_and_length(&buffer, 0, bytes)
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
