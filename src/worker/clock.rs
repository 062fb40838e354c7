//! The isolate's clock and dice: the only places where time and randomness enter.

use wasm_bindgen::prelude::*;

use super::glue;
use super::promised::Promised;
use super::together::Boxed;
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

/// Is over after so many milliseconds; its timer goes when it is dropped.
pub(super) fn sleep(ms: u64) -> Boxed<'static, ()> {
    let ms = i32::try_from(ms).unwrap_or(i32::MAX);
    let (over, timer) = Promised::new(|key, settle| glue::ring(key, settle, ms));
    let timer = Timer(timer);
    Box::pin(async move {
        let _timer = timer;
        drop(over.await);
    })
}

struct Timer(JsValue);

impl Drop for Timer {
    fn drop(&mut self) {
        glue::silence(&self.0);
    }
}
