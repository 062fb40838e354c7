//! Work that goes on to its end when its client has gone.

use js_sys::futures::{JsFuture, future_to_promise};
use wasm_bindgen::{JsCast, JsValue};
use worker::web_sys::Response;

use super::promised::Promised;
use super::together::Boxed;
use super::visit::Visit;

/// Runs it behind the answer. On the heap whatever it is: one copy of the runtime's code serves all.
pub(super) fn behind(visit: &Visit, work: Boxed<'static, ()>) {
    visit.context.wait_until(work);
}

/// Runs it inside `waitUntil`; who has the future may wait for it, or leave it.
pub(super) fn beside(visit: &Visit, work: Boxed<'static, ()>) -> Option<Boxed<'static, ()>> {
    let promise = future_to_promise(std::panic::AssertUnwindSafe(async move {
        work.await;
        Ok(JsValue::UNDEFINED)
    }));
    visit.context.as_ref().wait_until(&promise).ok()?;
    Some(Box::pin(async move { drop(Promised::of(&promise).await) }))
}

/// Runs it inside `waitUntil` and gives its answer.
pub(super) async fn client(
    visit: &Visit,
    work: Boxed<'static, worker::Result<Response>>,
) -> worker::Result<Response> {
    let promise = future_to_promise(std::panic::AssertUnwindSafe(async move {
        work.await.map(JsValue::from).map_err(JsValue::from)
    }));
    visit.context.as_ref().wait_until(&promise)?;
    Ok(JsFuture::from(promise).await?.unchecked_into())
}
