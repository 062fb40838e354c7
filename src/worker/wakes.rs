//! Wake-ups of futures at the engine's own price: a tenth of a request's CPU. And a clock that is read
//! once a wake-up.

use wasm_bindgen::prelude::*;
use worker::event;

#[wasm_bindgen(module = "/src/worker/wakes.mjs")]
extern "C" {
    fn cheapen();

    /// Milliseconds since 1970.
    pub(super) fn now() -> f64;
}

#[event(start)]
fn start() {
    cheapen();
}
