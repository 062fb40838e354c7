//! Reads bodies into wasm memory, never more than a limit: one large body must not fill the isolate.

use wasm_bindgen::JsValue;
use worker::web_sys::ReadableStream;

use super::bytes::{PIECE_BYTES, Reader};

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

/// The beginning of a body, and what reads the rest.
pub(super) struct Begun {
    pub(super) prefix: Vec<u8>,
    /// `None` when the prefix is all there is.
    pub(super) rest: Option<Reader>,
}

/// Reads a body whole.
pub(super) async fn read(stream: &ReadableStream, max_bytes: u64) -> Result<Vec<u8>, Unread> {
    let reader = Reader::open(stream, None)?;
    let begun = begin(reader, max_bytes, u64::MAX, |_| false).await?;
    Ok(begun.prefix)
}

/// Reads a body whole, or its beginning: past `large_bytes` whoever `lets_go` of the rest leaves it
/// to be read. A small body takes a single promise; where a body passes `max_bytes`, reading ends.
pub(super) async fn begin(
    reader: Reader,
    max_bytes: u64,
    large_bytes: u64,
    lets_go: impl Fn(&[u8]) -> bool,
) -> Result<Begun, Unread> {
    let mut prefix = Vec::new();
    let mut held = false;
    loop {
        let piece = piece_bytes(prefix.len() as u64, large_bytes);
        let bytes = reader.fill(piece).await?;
        prefix.extend(bytes.to_vec());
        if !held && prefix.len() as u64 > large_bytes {
            if lets_go(&prefix) {
                return Ok(Begun { prefix, rest: Some(reader) });
            }
            held = true;
        }
        if prefix.len() as u64 > max_bytes {
            return Err(Unread::TooLarge);
        }
        if bytes.length() < piece {
            return Ok(Begun { prefix, rest: None });
        }
    }
}

/// Most answers end within this.
const FIRST_BYTES: u32 = 16_384;

/// How much to read next: a little, then to just past where a body is large, then as it comes.
fn piece_bytes(read: u64, large_bytes: u64) -> u32 {
    if read == 0 {
        return FIRST_BYTES;
    }
    let to_large = large_bytes.saturating_add(1).saturating_sub(read);
    u32::try_from(to_large).map_or(PIECE_BYTES, |bytes| match bytes {
        0 => PIECE_BYTES,
        _ => bytes.min(PIECE_BYTES),
    })
}
