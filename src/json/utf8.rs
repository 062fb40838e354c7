//! Bytes as text.

/// The text that bytes are; `None` when they are not UTF-8.
pub fn utf8(bytes: &[u8]) -> Option<&str> {
    simdutf8::basic::from_utf8(bytes).ok()
}
