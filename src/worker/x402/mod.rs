//! Facilitators behind a route: how calls come in, go out and are answered.

mod answer;
mod asking;
mod claim;
mod desk;
mod flight;
pub(super) mod object;
pub(super) mod probe;
mod reach;
mod read;
mod sent;
mod settle;

use std::rc::Rc;

use js_sys::Uint8Array;
use wasm_bindgen::JsValue;
use worker::web_sys::Response;

use self::asking::Asking;
use super::body::Unread;
use super::rate::{self, Gate};
use super::visit::Visit;
use super::{outlive, rpc};
use crate::config::Route;
use crate::rpc::fault::Fault;
use crate::x402::answer::Trouble;
use crate::x402::call::Call;

/// Serves a call on a route.
pub(super) async fn serve(
    visit: &Rc<Visit>,
    route: &Route,
    call: Call,
    gate: Option<Gate>,
) -> worker::Result<Response> {
    // A settle may be a repeat: whoever hears "not sent" of it would have the buyer pay again.
    let gate = gate.filter(|_| call != Call::Settle);
    if let Err(fault) = rate::pass(gate.as_ref(), visit, route, 1).await {
        return refuse(visit, fault);
    }
    let max = route.limits.body_max_bytes;
    let body = match call {
        Call::Verify | Call::Settle => rpc::read(visit, max).await,
        Call::Supported | Call::Resources | Call::Search => Ok(Vec::new()),
    };
    let body = match body {
        Ok(body) => body,
        Err(Unread::TooLarge) => return refuse(visit, Fault::BodyTooLarge { max }),
        Err(Unread::Broken(reason)) => return Err(reason.into()),
    };
    if call == Call::Settle {
        return to_the_end(visit, route, body).await;
    }
    let asking = Asking::new(visit, route, call, &sent(call, &body));
    read::serve(&asking, &body).await
}

/// An own error for the whole request.
pub(super) fn refuse(visit: &Visit, fault: Fault) -> worker::Result<Response> {
    answer::trouble(visit, &Trouble::Fault(fault), Vec::new())
}

/// A settle goes on to its end even when the client has gone.
async fn to_the_end(visit: &Rc<Visit>, route: &Route, body: Vec<u8>) -> worker::Result<Response> {
    let (shared, index) = (Rc::clone(visit), visit.isolate.index(route));
    let work = async move {
        let isolate = Rc::clone(&shared.isolate);
        let Some(route) = isolate.config.routes.get(index) else {
            return Err(worker::Error::from("no such route"));
        };
        let asking = Asking::new(&shared, route, Call::Settle, &sent(Call::Settle, &body));
        settle::serve(&asking, &body).await
    };
    outlive::client(visit, Box::pin(work)).await
}

/// What goes upstream: the bytes that came.
fn sent(call: Call, body: &[u8]) -> JsValue {
    match call {
        Call::Verify | Call::Settle => Uint8Array::from(body).into(),
        Call::Supported | Call::Resources | Call::Search => JsValue::UNDEFINED,
    }
}
