//! Real answers beside the rows that claim them. The Worker leaves them out: `Rule::seen` drops
//! them there at compile time.

use super::Failure;

/// A real answer.
#[derive(Debug, Clone, Copy)]
pub struct Sample {
    /// The method asked.
    pub method: &'static str,
    /// `params` as JSON text; empty when they do not matter.
    pub params: &'static str,
    /// HTTP status.
    pub status: u16,
    /// What it says.
    pub says: Says,
    /// `cf-error-type`, if Cloudflare's edge made the answer.
    pub edge_error: Option<&'static str>,
    /// The answer came for a whole batch.
    pub batch: bool,
}

/// What a sample says.
#[derive(Debug, Clone, Copy)]
pub enum Says {
    /// The error object of an answer that is otherwise in order.
    Error(&'static str),
    /// The body.
    Body(&'static str),
    /// No answer came.
    Failure(Failure),
    /// The array that answers a batch lacks the item.
    Missing,
}

impl Sample {
    const fn new(status: u16, method: &'static str, says: Says) -> Self {
        Self { method, params: "", status, says, edge_error: None, batch: false }
    }

    pub(crate) const fn asked(self, params: &'static str) -> Self {
        Self { params, ..self }
    }

    pub(crate) const fn by_edge(self, error: &'static str) -> Self {
        Self { edge_error: Some(error), ..self }
    }

    pub(crate) const fn for_batch(self) -> Self {
        Self { batch: true, ..self }
    }
}

/// An error object under HTTP 200.
pub(crate) const fn error(method: &'static str, object: &'static str) -> Sample {
    Sample::new(200, method, Says::Error(object))
}

/// An error object under another status.
pub(crate) const fn error_at(status: u16, method: &'static str, object: &'static str) -> Sample {
    Sample::new(status, method, Says::Error(object))
}

/// A whole body.
pub(crate) const fn body(status: u16, method: &'static str, body: &'static str) -> Sample {
    Sample::new(status, method, Says::Body(body))
}

/// No answer.
pub(crate) const fn fails(failure: Failure) -> Sample {
    Sample::new(0, "eth_call", Says::Failure(failure))
}

/// A batch answer without the item.
pub(crate) const fn missing(method: &'static str) -> Sample {
    Sample::new(200, method, Says::Missing)
}
