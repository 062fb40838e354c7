//! Wake-ups of futures at the engine's own price: a tenth of a request's CPU.

use wasm_bindgen::prelude::*;
use worker::event;

#[wasm_bindgen(module = "/src/worker/wakes.mjs")]
extern "C" {
    fn cheapen();
}

#[event(start)]
fn start() {
    cheapen();
}
