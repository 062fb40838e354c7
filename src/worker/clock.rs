//! The isolate's clock and dice: the only places where time and randomness enter.

use js_sys::Function;
use wasm_bindgen::prelude::*;

use super::bell::Bell;
use super::together::Boxed;
use crate::time::Millis;

/// Now. On Workers the clock moves only on I/O.
pub(super) fn now() -> Millis {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    Millis(js_sys::Date::now() as u64)
}

/// A number in 0..1.
pub(super) fn draw() -> f64 {
    js_sys::Math::random()
}

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = setTimeout)]
    pub(super) fn set_timeout(call: &Function, ms: i32) -> JsValue;

    #[wasm_bindgen(js_name = clearTimeout)]
    pub(super) fn clear_timeout(timer: &JsValue);
}

/// Is over after so many milliseconds; its timer goes when it is dropped.
pub(super) fn sleep(ms: u64) -> Boxed<'static, ()> {
    let bell = Bell::new();
    let timer = Timer(set_timeout(bell.rope(), i32::try_from(ms).unwrap_or(i32::MAX)));
    Box::pin(async move {
        let _timer = timer;
        bell.await;
    })
}

struct Timer(JsValue);

impl Drop for Timer {
    fn drop(&mut self) {
        clear_timeout(&self.0);
    }
}
