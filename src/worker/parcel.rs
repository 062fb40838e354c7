//! One upstream request and what it carries: a single call, several items of a batch, or the
//! look-up of a transaction's hash.

use std::borrow::Cow;
use std::ops::Range;
use std::rc::Rc;

use js_sys::Uint8Array;
use wasm_bindgen::JsValue;

use super::asked::Asked;
use super::bells::Bells;
use super::isolate::Isolate;
use super::relay::Tail;
use super::together::Boxed;
use super::upstream::{self, Arrival, Extent, Sent};
use crate::config::Route;
use crate::exchange::Exchange;
use crate::exchange::reconcile::{LOOK_UP, RECEIPT};
use crate::json::utf8;
use crate::method::{Operation, effect, raw_transaction};
use crate::quorum::{self, Paper};
use crate::rpc::call::Call;
use crate::rpc::fault::Fault;
use crate::rpc::request::{self, Rewritten};
use crate::state::isolate::Grant;
use crate::time::Millis;
use crate::verdict::{Verdict, looks_odd};

/// One operation on its way through.
pub(super) struct Item<'a> {
    pub(super) call: &'a Call<'a>,
    /// What goes upstream in place of the call.
    pub(super) rewritten: Option<Rewritten>,
    pub(super) operation: Operation<'a>,
    pub(super) exchange: Exchange<Held>,
    /// It is all that the client asked: a large answer may be passed on while it arrives.
    pub(super) alone: bool,
    /// Hash of the raw transaction, for sends.
    pub(super) tx_hash: Option<String>,
    /// The endpoint that lately accepted the transaction it asks about.
    pub(super) accepted_at: Option<usize>,
    /// The client's request has used up its upstream requests before this item had one.
    pub(super) over_budget: bool,
    /// Why it is not asked at all.
    pub(super) refused: Option<Fault>,
}

impl<'a> Item<'a> {
    /// A call that arrived then.
    pub(super) fn new(route: &Route, call: &'a Call<'a>, arrived: Millis) -> Self {
        let operation = Operation {
            protocol: route.protocol,
            method: &call.method,
            params: call.params,
            effect: effect(&call.method),
        };
        let quorum = route.compares(&operation);
        let exchange = Exchange::new(arrived.plus(route.timeouts.total_ms));
        Self {
            call,
            rewritten: None,
            refused: None,
            tx_hash: raw_transaction::hash(&operation),
            operation,
            exchange: exchange.comparing(route, quorum, operation.method),
            alone: false,
            accepted_at: None,
            over_budget: false,
        }
    }

    /// Whether it may be asked.
    pub(super) fn is_open(&self) -> bool {
        !self.over_budget && self.refused.is_none()
    }

    /// What an answer counts for where answers are compared.
    pub(super) fn paper(&self, held: Option<&Held>, verdict: &Verdict) -> Paper {
        let method = self.operation.method;
        let paper = |held: &Held| quorum::paper(method, held.payload(), held.is_error, verdict);
        held.map_or(Paper::Refusal, paper)
    }

    /// The call as it goes upstream.
    fn sent(&self) -> Cow<'_, Call<'_>> {
        let rewritten = self.rewritten.as_ref().map(|other| Cow::Owned(other.call(self.call)));
        rewritten.unwrap_or(Cow::Borrowed(self.call))
    }
}

/// An upstream's answer, held without copying it out of its body.
pub(super) struct Held {
    pub(super) body: Rc<Vec<u8>>,
    pub(super) payload: Range<usize>,
    pub(super) is_error: bool,
    /// The upstream's `Content-Type`, where it is JSON's.
    pub(super) content_type: Option<Rc<str>>,
    /// The body is this answer under the caller's id and nothing else: it can go out as it is.
    pub(super) whole: bool,
    /// The body as the runtime gave it, where it is there.
    pub(super) original: Option<Uint8Array>,
    /// The payload goes on to the end of this stream, and so does the answer.
    pub(super) tail: Option<Tail>,
}

impl Held {
    /// JSON text of `result` or `error`; not where there is a tail.
    pub(super) fn payload(&self) -> &str {
        utf8(self.bytes()).unwrap_or("null")
    }

    /// The same as bytes, which may end within a letter where there is a tail.
    pub(super) fn bytes(&self) -> &[u8] {
        self.body.get(self.payload.clone()).unwrap_or_default()
    }
}

/// What a parcel is sent for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Errand {
    /// To ask what its items ask.
    Ask,
    /// To look the hash of its only item up.
    LookUp,
    /// To fetch the receipt of its only item.
    Receipt,
}

/// One upstream request to make.
pub(super) struct Parcel {
    pub(super) endpoint: usize,
    pub(super) timeout_ms: u64,
    /// Indices of the items it carries.
    pub(super) items: Vec<usize>,
    pub(super) errand: Errand,
    pub(super) grant: Option<Grant>,
    /// Whether it ends at the endpoint where it is given up: see [`upstream::Sent`].
    pub(super) aborts: bool,
}

/// A parcel that came back.
pub(super) struct Delivered {
    pub(super) parcel: Parcel,
    /// Ids under which the items of a batch were asked, as JSON text; empty for a single request.
    pub(super) ids: Vec<String>,
    /// Looked at where it was refused: whether the request is one that filters take offence at.
    pub(super) odd: bool,
    pub(super) arrival: Arrival,
}

/// Sends a parcel. The request owns all it needs: it may outlive the answer to the client.
pub(super) fn send(
    isolate: &Rc<Isolate>,
    bells: &Bells,
    index: usize,
    parcel: Parcel,
    items: &[Item<'_>],
    riders: &[&Call<'_>],
) -> Boxed<'static, Delivered> {
    let (isolate, bells) = (Rc::clone(isolate), bells.clone());
    let calls: Vec<_> = parcel.items.iter().filter_map(|index| items.get(*index)).collect();
    let (body, ids) = body(&calls, parcel.errand, riders);
    let single = match calls.as_slice() {
        [only] if only.alone && parcel.errand == Errand::Ask => only.call.id.map(str::to_owned),
        _ => None,
    };
    let mut asked = Asked::new(&isolate, index, parcel.endpoint, parcel.grant);
    Box::pin(async move {
        let route = isolate.config.routes.get(index);
        let endpoint = route.and_then(|route| route.endpoints.get(parcel.endpoint));
        let arrival = match route.zip(endpoint) {
            Some((route, endpoint)) => {
                let max_bytes = route.limits.response_max_bytes;
                let extent = Extent { max_bytes, large: single.as_deref() };
                let body = JsValue::from_str(&body);
                let drill = isolate.drill(index, parcel.endpoint);
                let sent = Sent {
                    aborts: parcel.aborts,
                    bells: Some(&bells),
                    ..Sent::post(endpoint, &body, drill)
                };
                upstream::send(endpoint, sent, parcel.timeout_ms, extent).await
            }
            None => Arrival::not_sent(),
        };
        asked.returned();
        let odd = arrival.status.is_some_and(|status| status >= 400) && looks_odd(&body);
        Delivered { parcel, ids, odd, arrival }
    })
}

fn body(calls: &[&Item<'_>], errand: Errand, riders: &[&Call<'_>]) -> (String, Vec<String>) {
    match (errand, calls) {
        (Errand::LookUp, [only]) => (look_up(only, LOOK_UP), Vec::new()),
        (Errand::Receipt, [only]) => (look_up(only, RECEIPT), Vec::new()),
        (_, [only]) if riders.is_empty() => (only.sent().raw.to_owned(), Vec::new()),
        (_, many) => {
            let sent: Vec<_> = many.iter().map(|item| item.sent()).collect();
            let calls: Vec<_> = sent.iter().map(|call| &**call).collect();
            let outgoing = request::batch(&calls, riders);
            (outgoing.body, outgoing.ids)
        }
    }
}

fn look_up(item: &Item<'_>, method: &str) -> String {
    let hash = item.tx_hash.as_deref().unwrap_or_default();
    format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":["{hash}"]}}"#)
}
