//! How the region's object asks a facilitator whether it is well: by the cheapest read there is. A
//! settle is never a probe.

use wasm_bindgen::JsValue;

use super::super::upstream::{self, Arrival, Extent, Sent};
use crate::config::{Endpoint, Route};
use crate::state::orders::Drill;
use crate::verdict::{Class, Signal, Verdict};
use crate::x402::call::Call;

/// Asks.
pub(in super::super) async fn ask(
    route: &Route,
    endpoint: &Endpoint,
    timeout_ms: u64,
    drill: Option<Drill>,
) -> (Arrival, Verdict) {
    let call = Call::Supported;
    let url = call.url(&endpoint.url, "");
    let http_method = call.http_method();
    let sent = Sent {
        http_method,
        url: &url,
        body: &JsValue::UNDEFINED,
        forwarded: &[],
        ends_when_dropped: true,
        aborts: true,
        bells: None,
        drill,
    };
    let extent = Extent { max_bytes: route.limits.response_max_bytes, large: None };
    let arrival = upstream::send(endpoint, sent, timeout_ms, extent).await;
    let operation = call.operation();
    let verdict = super::super::probe::judge(route, endpoint, &operation, &arrival);
    // One that wants its callers' credentials is well when it asks for them.
    let guarded = !endpoint.forward_headers.is_empty() && verdict.class == Class::Unauthorized;
    let signal = if guarded { Signal::Success } else { verdict.signal };
    (arrival, Verdict { signal, ..verdict })
}
