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

/// A body to read.
pub(super) struct Source<'a> {
    pub(super) stream: Option<ReadableStream>,
    /// Its length, where it is known.
    pub(super) announced: Option<u64>,
    /// Reads all of it as one promise.
    pub(super) whole: &'a dyn Fn() -> Result<Promise, JsValue>,
}

/// The beginning of a body, and the rest still in its stream.
pub(super) struct Begun {
    pub(super) prefix: Vec<u8>,
    /// `None` when the prefix is all there is.
    pub(super) rest: Option<ReadableStream>,
}

/// Reads a body whole.
pub(super) async fn read(source: Source<'_>, max_bytes: u64) -> Result<Vec<u8>, Unread> {
    let begun = begin(source, max_bytes, u64::MAX, |_| false).await?;
    Ok(begun.prefix)
}

/// Reads a body whole, or its beginning: past `large_bytes` whoever `lets_go` of the rest leaves it
/// in the stream. A body of known, small length takes a single promise; any other is read chunk by
/// chunk and cancelled where it passes `max_bytes`.
pub(super) async fn begin(
    source: Source<'_>,
    max_bytes: u64,
    large_bytes: u64,
    lets_go: impl Fn(&[u8]) -> bool,
) -> Result<Begun, Unread> {
    let Some(stream) = source.stream else {
        return Ok(Begun { prefix: Vec::new(), rest: None });
    };
    if source.announced.is_some_and(|length| length <= large_bytes.min(max_bytes)) {
        let buffer = JsFuture::from((source.whole)()?).await?;
        return Ok(Begun { prefix: Uint8Array::new(&buffer).to_vec(), rest: None });
    }
    let reader: ReadableStreamDefaultReader = stream.get_reader().unchecked_into();
    let mut prefix = Vec::new();
    let mut kept = false;
    while let Some(chunk) = next_chunk(&reader).await? {
        prefix.extend(chunk);
        if !kept && prefix.len() as u64 > large_bytes {
            if lets_go(&prefix) {
                reader.release_lock();
                return Ok(Begun { prefix, rest: Some(stream) });
            }
            kept = true;
        }
        if prefix.len() as u64 > max_bytes {
            drop(reader.cancel());
            return Err(Unread::TooLarge);
        }
    }
    Ok(Begun { prefix, rest: None })
}

async fn next_chunk(reader: &ReadableStreamDefaultReader) -> Result<Option<Vec<u8>>, JsValue> {
    let chunk = JsFuture::from(reader.read()).await?;
    let value = Reflect::get(&chunk, &"value".into())?;
    Ok((!value.is_undefined()).then(|| Uint8Array::new(&value).to_vec()))
}
