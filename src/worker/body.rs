//! Reads bodies into wasm memory, never more than a limit: one large body must not fill the isolate.

use js_sys::futures::JsFuture;
use js_sys::{Promise, Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use worker::web_sys::{ReadableStream, ReadableStreamDefaultReader};

/// Why a body was not read.
pub(super) enum Unread {
    /// It is longer than the limit.
    TooLarge,
    /// The stream broke; the runtime's reason.
    Broken(JsValue),
}

impl From<JsValue> for Unread {
    fn from(reason: JsValue) -> Self {
        Self::Broken(reason)
    }
}

/// Reads a body whole. One of announced length takes a single promise, `whole`; any other is read
/// chunk by chunk and cancelled where it passes the limit.
pub(super) async fn read(
    stream: Option<ReadableStream>,
    announced: Option<u64>,
    max_bytes: u64,
    whole: impl FnOnce() -> Result<Promise, JsValue>,
) -> Result<Vec<u8>, Unread> {
    let Some(stream) = stream else {
        return Ok(Vec::new());
    };
    match announced {
        Some(length) if length > max_bytes => {
            drop(stream.cancel());
            Err(Unread::TooLarge)
        }
        Some(_) => Ok(Uint8Array::new(&JsFuture::from(whole()?).await?).to_vec()),
        None => read_chunks(&stream.get_reader().unchecked_into(), max_bytes).await,
    }
}

async fn read_chunks(
    reader: &ReadableStreamDefaultReader,
    max_bytes: u64,
) -> Result<Vec<u8>, Unread> {
    let mut body = Vec::new();
    loop {
        let chunk = JsFuture::from(reader.read()).await?;
        let value = Reflect::get(&chunk, &"value".into())?;
        if value.is_undefined() {
            return Ok(body);
        }
        let chunk = Uint8Array::new(&value).to_vec();
        if (body.len() + chunk.len()) as u64 > max_bytes {
            drop(reader.cancel());
            return Err(Unread::TooLarge);
        }
        body.extend(chunk);
    }
}
