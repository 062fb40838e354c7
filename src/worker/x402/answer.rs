//! Makes the answers of x402 routes.

use worker::web_sys::Response;

use super::super::respond::{self, Headers, JSON};
use super::super::visit::Visit;
use super::asking::Held;
use crate::config::{Route, SettleUnknown};
use crate::json::utf8;
use crate::rpc::fault::{Fault, Tried};
use crate::rpc::redact::redact;
use crate::verdict::Class;
use crate::x402::answer::{self, Trouble};
use crate::x402::wire::Told;

/// An own error as the whole answer.
pub(super) fn trouble(
    visit: &Visit,
    trouble: &Trouble,
    mut headers: Headers,
) -> worker::Result<Response> {
    if matches!(trouble, Trouble::Fault(Fault::HttpMethod)) {
        headers.push(("allow", "GET, POST, OPTIONS".to_owned()));
    }
    told(visit, &own(trouble), headers)
}

/// An own error, as others may be told it.
pub(super) fn own(trouble: &Trouble) -> Told {
    Told {
        content_type: Some(JSON.to_owned()),
        retry_after_s: trouble.retry_after_s(),
        ..Told::new(trouble.status(), &trouble.body())
    }
}

/// The answer to a settle of which nobody knows the outcome.
pub(super) fn unknown(
    route: &Route,
    class: Option<Class>,
    attempts: &[Tried],
    transaction: Option<&str>,
) -> Told {
    let status = match route.settle.unknown {
        SettleUnknown::Opaque => 200,
        SettleUnknown::Status => 504,
    };
    let class = class.unwrap_or(Class::Unknown).label();
    let body = answer::unknown(class, attempts, transaction);
    Told { content_type: Some(JSON.to_owned()), ..Told::new(status, &body) }
}

/// A facilitator's answer: its bytes, but for secrets that an error may show.
pub(super) fn tell(route: &Route, held: &Held) -> Told {
    let clean = match utf8(&held.body) {
        Some(text) if held.status >= 400 => Some(redact(text, &route.hidden())),
        _ => None,
    };
    let body = clean.as_ref().map_or(held.body.as_slice(), |text| text.as_bytes());
    Told {
        content_type: held.content_type.clone(),
        extension: held.extension.clone(),
        ..Told::new(held.status, body)
    }
}

/// The answer itself.
pub(super) fn told(visit: &Visit, told: &Told, mut headers: Headers) -> worker::Result<Response> {
    if let Some(extension) = &told.extension {
        headers.push(("extension-responses", extension.clone()));
    }
    if let Some(endpoint) = &told.endpoint {
        headers.push(("x-breakwater-endpoint", endpoint.clone()));
    }
    if let Some(seconds) = told.retry_after_s {
        headers.push(("retry-after", seconds.to_string()));
    }
    let kind = told.content_type.as_deref().unwrap_or_default();
    respond::answer(visit, showable(told.status), &told.body(), kind, &headers)
}

/// A status that an answer with a body can have; upstreams may send others.
fn showable(status: u16) -> u16 {
    match status {
        204 | 205 | 304 => 502,
        200..=599 => status,
        _ => 502,
    }
}
