//! The counter of the platform's that a route's callers are held to. It is approximate, and each of
//! Cloudflare's locations has its own; where it fails, nobody is refused.

use std::cell::Cell;

use js_sys::{Function, Object, Promise, Reflect};
use wasm_bindgen::{JsCast, JsValue};

use super::promised::Promised;
use super::visit::Visit;
use super::{bindings, log};
use crate::config::Route;
use crate::http::access::Caller;
use crate::http::rate;
use crate::rpc::fault::Fault;

thread_local! {
    /// Whether the operator has been told that a counter fails.
    static TOLD: Cell<bool> = const { Cell::new(false) };
}

/// A caller and the counter of the route he asks.
pub(super) struct Gate {
    counter: JsValue,
    caller: String,
    period_s: u64,
}

impl Gate {
    /// `None` where callers are not counted.
    pub(super) fn of(visit: &Visit, route: &Route, caller: Caller<'_>) -> Option<Self> {
        let limit = route.rate_limit.as_ref()?;
        let address = visit.header("cf-connecting-ip");
        let caller = rate::caller(&visit.isolate.config.service, caller, address.as_deref());
        let counter = bindings::get(&visit.env, &limit.binding)?;
        Some(Self { counter, caller, period_s: limit.period_s })
    }

    /// Counts so many calls, up to the first that is one too many.
    async fn count(&self, visit: &Visit, route: &Route, calls: usize) -> Result<(), Fault> {
        for _ in 0..calls {
            match self.lets_in().await {
                Ok(true) => {}
                Ok(false) => return Err(Fault::ClientRateLimited { retry_after_s: self.period_s }),
                Err(_) => {
                    tell(visit, route);
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Whether one call more is within the limit.
    async fn lets_in(&self) -> Result<bool, JsValue> {
        let options = Object::new();
        Reflect::set(&options, &"key".into(), &JsValue::from_str(&self.caller))?;
        let limit: Function = Reflect::get(&self.counter, &"limit".into())?.dyn_into()?;
        let promise: Promise = limit.call1(&self.counter, &options)?.dyn_into()?;
        let said = Promised::of(&promise).await?;
        Reflect::get(&said, &"success".into())?.as_bool().ok_or(JsValue::UNDEFINED)
    }
}

/// Counts so many calls where callers are counted.
pub(super) async fn pass(
    gate: Option<&Gate>,
    visit: &Visit,
    route: &Route,
    calls: usize,
) -> Result<(), Fault> {
    match gate {
        Some(gate) => gate.count(visit, route, calls).await,
        None => Ok(()),
    }
}

/// Once in an isolate's life.
fn tell(visit: &Visit, route: &Route) {
    if !TOLD.replace(true) {
        log::alert(visit, route, None, "the rate limit's binding fails: callers are not counted");
    }
}
