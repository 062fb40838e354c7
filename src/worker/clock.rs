//! The isolate's clock and dice: the only places where time and randomness enter.

use wasm_bindgen::prelude::*;

use crate::time::Millis;

#[wasm_bindgen(module = "/src/worker/clock.mjs")]
extern "C" {
    #[wasm_bindgen(js_name = now)]
    fn millis_now() -> f64;
}

/// Now. On Workers the clock moves only on I/O.
pub(super) fn now() -> Millis {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    Millis(millis_now() as u64)
}

/// A number in 0..1.
pub(super) fn draw() -> f64 {
    js_sys::Math::random()
}
