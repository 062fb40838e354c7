//! An outcome, digested once for all the rows.

use super::asked::Asked;
use super::{Failure, Reply, revert};
use crate::json::scan::Span;
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
    fn of(data: Span<'_>) -> Self {
        match data.get().bytes().next() {
            _ if revert::holds_revert(data) => Self::Revert,
            Some(b'"') => Self::Text,
            _ => Self::Other,
        }
    }
}

/// Bytes of an error's text that are read; what matters stands in front.
const TEXT_MAX: usize = 2048;

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
    pub(crate) asked: Asked<'a>,
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
            asked: Asked::new(operation),
        }
    }

    pub(crate) fn for_batch(self, batch: bool) -> Self {
        Self { batch, ..self }
    }

    pub(crate) fn with_reply(self, reply: &Reply<'_>) -> Self {
        Self { status: reply.status, edge: reply.edge_error.is_some(), ..self }
    }

    pub(crate) fn with_error(self, error: &ErrorObject<'_>) -> Self {
        let message = error.message.as_deref().unwrap_or_default();
        let message = message.get(..message.floor_char_boundary(TEXT_MAX)).unwrap_or_default();
        let text = match &error.word {
            Some(word) => format!("{word} {message}"),
            None => message.to_owned(),
        }
        .to_ascii_lowercase();
        // Codes that blame the request come with the request's own words, in quotes.
        let blames_caller = matches!(error.code, Some(-32700 | -32602..=-32600));
        Self {
            code: error.code,
            text: if blames_caller { without_quotes(&text) } else { text },
            data: error.data.map_or(Data::None, Data::of),
            ..self
        }
    }

    pub(crate) fn with_words(self, body: &[u8]) -> Self {
        let head = body.get(..TEXT_MAX).unwrap_or(body);
        Self { text: String::from_utf8_lossy(head).to_ascii_lowercase(), ..self }
    }
}

/// The text outside of double quotes.
fn without_quotes(text: &str) -> String {
    text.split('"').step_by(2).collect()
}
