//! An outcome, digested once for all the rows.

use std::cell::OnceCell;

use serde_json::value::RawValue;

use super::{Failure, Reply, pattern, revert};
use crate::method::{Effect, Operation};
use crate::rpc::reply::ErrorObject;

/// What kind of thing came back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Failed(Failure),
    Empty,
    Html,
    Cut,
    Text,
    Foreign,
    /// JSON-RPC that contradicts itself, or an array for a single request.
    Broken,
    WrongId,
    /// `null` or the like in place of a batch's item.
    NullItem,
    /// The array lacks the item.
    Missing,
    /// A single answer came for a batch, and it is another item's.
    Lone,
    Error,
    Result,
}

/// What an error's `data` is; its text is never read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Data {
    None,
    /// A string.
    Text,
    /// Revert bytes, in whatever wrapping.
    Revert,
    Other,
}

impl Data {
    fn of(data: &RawValue) -> Self {
        match data.get().bytes().next() {
            _ if revert::holds_revert(data) => Self::Revert,
            Some(b'"') => Self::Text,
            _ => Self::Other,
        }
    }
}

/// Characters of an error's text that are read; what matters stands in front.
const TEXT_MAX: usize = 2048;

/// Deepest nesting of `params` that every JSON reader takes.
const PLAIN_DEPTH: u32 = 32;

/// The digest.
pub(crate) struct Facts<'a> {
    pub(crate) form: Form,
    /// HTTP status; 0 when no answer came.
    pub(crate) status: u16,
    pub(crate) edge: bool,
    pub(crate) batch: bool,
    pub(crate) code: Option<i64>,
    /// Lower case: the error's message, or the beginning of a body that is no JSON-RPC.
    pub(crate) text: String,
    pub(crate) data: Data,
    pub(crate) effect: Effect,
    pub(crate) method: &'a str,
    params: &'a str,
    /// What the caller wrote, lower case: built when a row first needs it.
    caller: OnceCell<String>,
}

impl<'a> Facts<'a> {
    pub(crate) fn new(operation: &Operation<'a>, form: Form) -> Self {
        Self {
            form,
            status: 0,
            edge: false,
            batch: false,
            code: None,
            text: String::new(),
            data: Data::None,
            effect: operation.effect,
            method: operation.method,
            params: operation.params.unwrap_or_default(),
            caller: OnceCell::new(),
        }
    }

    pub(crate) fn for_batch(self, batch: bool) -> Self {
        Self { batch, ..self }
    }

    pub(crate) fn with_reply(self, reply: &Reply<'_>) -> Self {
        Self { status: reply.status, edge: reply.edge_error.is_some(), ..self }
    }

    pub(crate) fn with_error(self, error: &ErrorObject<'_>) -> Self {
        let word = error.word.as_deref().unwrap_or_default();
        let message = error.message.as_deref().unwrap_or_default();
        // Codes that blame the request come with the request's own words, in quotes.
        let blames_caller = matches!(error.code, Some(-32700 | -32602..=-32600));
        let text = lower(
            word.chars()
                .chain(word.chars().next().map(|_| ' '))
                .chain(message.chars().take(TEXT_MAX)),
        );
        Self {
            code: error.code,
            text: if blames_caller { without_quotes(&text) } else { text },
            data: error.data.map_or(Data::None, Data::of),
            ..self
        }
    }

    pub(crate) fn with_words(self, body: &[u8]) -> Self {
        let head = body.get(..TEXT_MAX).unwrap_or(body);
        Self { text: lower(String::from_utf8_lossy(head).chars()), ..self }
    }

    /// Whether the caller wrote these words, so that finding them in an answer shows nothing.
    pub(crate) fn echoes(&self, pattern: &str) -> bool {
        let caller = self.caller.get_or_init(|| {
            let params = unescaped(self.params);
            lower(self.method.chars().chain([' ']).chain(params.chars()))
        });
        pattern::found(pattern.trim_start_matches('^'), caller)
    }

    pub(crate) fn asks_logs(&self) -> bool {
        self.method.ends_with("getLogs")
            || matches!(self.method, "eth_newFilter" | "eth_getFilterLogs" | "trace_filter")
    }

    pub(crate) fn asks_trace(&self) -> bool {
        self.method.starts_with("debug_") || self.method.contains("trace")
    }

    pub(crate) fn asks_pending(&self) -> bool {
        self.params.contains("\"pending\"")
    }

    /// Plain ASCII without escapes, not deeply nested: a reader that cannot parse this is broken.
    pub(crate) fn is_plain_request(&self) -> bool {
        let plain = |byte: u8| (b' '..0x7f).contains(&byte) && byte != b'\\';
        self.params.bytes().all(plain) && depth(self.params) <= PLAIN_DEPTH
    }
}

fn lower(chars: impl Iterator<Item = char>) -> String {
    chars.flat_map(char::to_lowercase).collect()
}

/// The text outside of double quotes.
fn without_quotes(text: &str) -> String {
    text.split('"').step_by(2).collect()
}

/// Deepest nesting of JSON text, brackets inside strings included.
fn depth(json: &str) -> u32 {
    let mut depth = 0_u32;
    json.bytes().fold(0, |deepest, byte| {
        match byte {
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest.max(depth)
    })
}

/// JSON text with `\uXXXX` and one-letter escapes decoded as far as words are concerned.
fn unescaped(json: &str) -> String {
    let mut parts = json.split('\\');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let code = part.strip_prefix('u').and_then(|rest| rest.split_at_checked(4));
        let decoded = code.and_then(|(hex, rest)| {
            Some((char::from_u32(u32::from_str_radix(hex, 16).ok()?)?, rest))
        });
        if let Some((letter, rest)) = decoded {
            text.push(letter);
            text.push_str(rest);
        } else {
            text.push_str(part.strip_prefix(['n', 't', 'r']).unwrap_or(part));
        }
    }
    text
}
