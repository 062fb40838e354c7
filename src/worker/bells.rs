//! Waiting for a time.

use wasm_bindgen::prelude::*;

use super::glue;
use super::promised::Promised;
use super::together::Boxed;

#[wasm_bindgen(module = "/src/worker/bells.mjs")]
extern "C" {
    /// One timer of the runtime's for all that one request waits for.
    #[derive(Clone)]
    pub(super) type Bells;

    #[wasm_bindgen(constructor)]
    pub(super) fn new() -> Bells;

    #[wasm_bindgen(method)]
    fn silence(this: &Bells, bell: &JsValue);
}

impl Bells {
    /// Is over after so many milliseconds; silent once it is dropped.
    pub(super) fn sleep(&self, ms: u64) -> Boxed<'static, ()> {
        let ms = i32::try_from(ms).unwrap_or(i32::MAX);
        let (over, bell) = Promised::new(|key, settle| glue::ring(self, key, settle, ms));
        let bell = Bell { bells: self.clone(), bell };
        Box::pin(async move {
            let _bell = bell;
            drop(over.await);
        })
    }
}

struct Bell {
    bells: Bells,
    bell: JsValue,
}

impl Drop for Bell {
    fn drop(&mut self) {
        self.bells.silence(&self.bell);
    }
}

/// The same with a timer of its own.
pub(super) fn sleep(ms: u64) -> Boxed<'static, ()> {
    Bells::new().sleep(ms)
}
