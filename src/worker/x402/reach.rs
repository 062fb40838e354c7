//! The only proof that a settle did not arrive: its facilitator's port does not even take a
//! connection. Cloudflare refuses connections to its own addresses in the words of a closed port, so
//! the proof counts for an endpoint only once a connection to it has succeeded in this isolate.

use std::cell::RefCell;

use js_sys::Promise;
use js_sys::futures::JsFuture;
use wasm_bindgen::prelude::*;

use super::super::visit::Visit;
use super::super::{bells, clock, outlive, together};
use crate::config::Endpoint;
use crate::time::Millis;
use crate::x402::address::address;

// Loaded when it is needed: the module exists in the Workers runtime only.
#[wasm_bindgen(inline_js = r#"
export const connected = async (address) => (await import("cloudflare:sockets")).connect(address);
"#)]
extern "C" {
    fn connected(address: &str) -> Promise;
}

#[wasm_bindgen]
extern "C" {
    type Socket;

    #[wasm_bindgen(method, getter)]
    fn opened(this: &Socket) -> Promise;

    #[wasm_bindgen(method, catch)]
    fn close(this: &Socket) -> Result<Promise, JsValue>;
}

/// How long a connection may take.
const CONNECT_MS: u64 = 3_000;
/// How long until an endpoint that never took one is tried again.
const AGAIN_MS: u64 = 300_000;

/// What is known of an address.
#[derive(Clone, Copy)]
enum Known {
    /// It has taken a connection.
    Takes,
    /// It has, but not the last time.
    Refuses,
    /// It was tried then.
    Tried(Millis),
}

thread_local! {
    static KNOWN: RefCell<Vec<(String, Known)>> = const { RefCell::new(Vec::new()) };
}

fn known(address: &str) -> Option<Known> {
    let find = |all: &Vec<(String, Known)>| {
        all.iter().find(|(of, _)| of == address).map(|(_, known)| *known)
    };
    KNOWN.with(|known| find(&*known.try_borrow().ok()?))
}

fn note(address: &str, what: Known) {
    KNOWN.with(|known| {
        if let Ok(mut known) = known.try_borrow_mut() {
            known.retain(|(of, _)| of != address);
            known.push((address.to_owned(), what));
        }
    });
}

/// Whether it is proven that nothing sent to this endpoint now would arrive.
pub(super) async fn is_out(endpoint: &Endpoint) -> bool {
    let Some(address) = address(&endpoint.url) else {
        return false;
    };
    match known(&address) {
        Some(Known::Takes | Known::Refuses) => {}
        Some(Known::Tried(_)) | None => return false,
    }
    let takes = takes(&address).await;
    note(&address, if takes { Known::Takes } else { Known::Refuses });
    !takes
}

/// Finds out in the background whether connections to an endpoint that has just answered prove
/// anything.
pub(super) fn learn(visit: &Visit, endpoint: Option<&Endpoint>) {
    let now = clock::now();
    let Some(address) = endpoint.and_then(|endpoint| address(&endpoint.url)) else {
        return;
    };
    match known(&address) {
        Some(Known::Takes) => return,
        Some(Known::Tried(at)) if now.since(at) < AGAIN_MS => return,
        Some(Known::Tried(_) | Known::Refuses) | None => {}
    }
    note(&address, Known::Tried(now));
    let connect = async move {
        if takes(&address).await {
            note(&address, Known::Takes);
        }
    };
    outlive::behind(visit, Box::pin(connect));
}

async fn takes(address: &str) -> bool {
    let Ok(socket) = JsFuture::from(connected(address)).await else {
        return false;
    };
    let socket: Socket = socket.unchecked_into();
    let opened = Box::pin(JsFuture::from(socket.opened()));
    let over = bells::sleep(CONNECT_MS);
    let opened = matches!(together::unless(opened, over).await, Some(Ok(_)));
    drop(socket.close());
    opened
}
