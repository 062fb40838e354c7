//! What must hold whatever bytes come in: one function per side they come from. `cargo fuzz` looks
//! for bytes under which one of them panics, `cargo test` plays those that were found before.

pub mod answer;
pub mod client;
pub mod config;
mod door;
mod exchange;
mod leak;
pub mod scan;
mod scene;
pub mod wire;

use std::ops::Range;

use serde_json::Value;
use serde_json::value::RawValue;

/// Fields of an input, zero bytes between them; the last holds whatever is left.
fn fields<const N: usize>(data: &[u8]) -> [&[u8]; N] {
    let mut parts = data.splitn(N, |byte| *byte == 0);
    std::array::from_fn(|_| parts.next().unwrap_or_default())
}

/// A field as text; empty when it is none.
fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap_or_default()
}

/// The nth byte, 0 behind the end.
fn pick(bytes: &[u8], at: usize) -> usize {
    usize::from(bytes.get(at).copied().unwrap_or_default())
}

/// One of a list, by a byte of the input.
fn one_of<'a, T>(list: &'a [T], bytes: &[u8], at: usize) -> &'a T {
    &list[pick(bytes, at) % list.len()]
}

/// That `part` is no copy: a piece of `whole`, byte for byte.
#[track_caller]
fn is_within(whole: &[u8], part: &str) {
    let Range { start, end } = whole.as_ptr_range();
    let own = part.as_bytes().as_ptr_range();
    assert!(start <= own.start && own.end <= end, "copied: {part}");
}

/// That a text is JSON.
#[track_caller]
fn is_json(text: &str) {
    if let Err(why) = serde_json::from_str::<&RawValue>(text) {
        panic!("no JSON ({why}): {text}");
    }
}

/// A tree, for what is not nested too deeply to be one.
fn tree(text: &str) -> Option<Value> {
    serde_json::from_str(text).ok()
}

/// The id of an answer, as it stands there.
#[track_caller]
fn id_of(answer: &str) -> String {
    #[derive(serde::Deserialize)]
    struct Answer<'a> {
        #[serde(borrow)]
        id: &'a RawValue,
    }
    let answer: Answer<'_> =
        serde_json::from_str(answer).unwrap_or_else(|why| panic!("{why}: {answer}"));
    answer.id.get().to_owned()
}
