//! Notifications that no request with an answer carries along: forwarded once, not judged.

use wasm_bindgen::JsValue;

use super::upstream::{self, Extent, Sent};
use super::visit::Visit;
use super::{clock, outlive};
use crate::config::Route;
use crate::method::{Operation, effect};
use crate::rpc::call::Call;
use crate::select::{self, Asked, Bond, Wanted};

/// Sends them to the first choice, in the background.
pub(super) fn forward(visit: &Visit, route: &Route, calls: &[&Call<'_>]) {
    let Some(first) = calls.first() else {
        return;
    };
    let Some(endpoint) = choose(visit, route, first) else {
        return;
    };
    let raws: Vec<_> = calls.iter().map(|call| call.raw).collect();
    let body = match raws.as_slice() {
        [only] => (*only).to_owned(),
        many => format!("[{}]", many.join(",")),
    };
    let (isolate, index) = (visit.isolate.clone(), visit.isolate.index(route));
    let timeout_ms = route.attempt_timeout_ms(&first.method, effect(&first.method));
    let forward = async move {
        let extent = Extent { max_bytes: MAX_BYTES, large: None };
        let route = isolate.config.routes.get(index);
        let drill = isolate.drill(index, endpoint);
        if let Some(endpoint) = route.and_then(|route| route.endpoints.get(endpoint)) {
            let body = JsValue::from_str(&body);
            let sent = Sent { aborts: false, ..Sent::post(endpoint, &body, drill) };
            upstream::send(endpoint, sent, timeout_ms, extent).await;
        }
    };
    outlive::behind(visit, Box::pin(forward));
}

/// Nobody reads what comes back.
const MAX_BYTES: u64 = 65_536;

fn choose(visit: &Visit, route: &Route, call: &Call<'_>) -> Option<usize> {
    let operation = Operation {
        protocol: route.protocol,
        method: &call.method,
        params: call.params,
        effect: effect(&call.method),
    };
    let now = clock::now();
    let wanted = Wanted {
        operation: &operation,
        bond: Bond::Free,
        asked: Asked::default(),
        answered: false,
        key: 0,
    };
    let choose = |book: &mut _| select::next(route, book, wanted, now);
    visit.isolate.book(visit.isolate.index(route), choose).flatten()
}
