//! Timers: a time limit, from its start or from the last sign of life, and a pause.

use std::cell::RefCell;

use js_sys::futures::JsFuture;
use js_sys::{Function, Promise, Reflect};
use wasm_bindgen::prelude::*;
use worker::web_sys::{AbortController, AbortSignal};

use super::together::Boxed;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = setTimeout)]
    fn set_timeout(call: &Function, ms: u32) -> JsValue;

    #[wasm_bindgen(js_name = clearTimeout)]
    fn clear_timeout(timer: &JsValue);
}

/// Aborts what carries its signal when the time is over, unless it is stopped or dropped before.
pub(super) struct Deadline {
    controller: AbortController,
    abort: Function,
    ms: u32,
    timer: RefCell<JsValue>,
}

impl Deadline {
    /// Starts the clock.
    pub(super) fn start(ms: u64) -> Result<Self, JsValue> {
        let controller = AbortController::new()?;
        let abort: Function = Reflect::get(&controller, &"abort".into())?.unchecked_into();
        let abort = abort.bind0(&controller);
        let ms = u32::try_from(ms).unwrap_or(u32::MAX);
        let timer = RefCell::new(set_timeout(&abort, ms));
        Ok(Self { controller, abort, ms, timer })
    }

    /// What a fetch carries.
    pub(super) fn signal(&self) -> AbortSignal {
        self.controller.signal()
    }

    /// Whether the time was over.
    pub(super) fn passed(&self) -> bool {
        self.controller.signal().aborted()
    }

    /// Starts the clock again.
    pub(super) fn again(&self) {
        clear_timeout(&self.timer.replace(set_timeout(&self.abort, self.ms)));
    }

    /// Stops the clock.
    pub(super) fn stop(&self) {
        clear_timeout(&self.timer.borrow());
    }

    /// Ends what carries its signal.
    pub(super) fn abort(&self) {
        self.controller.abort();
    }
}

impl Drop for Deadline {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Is over after so many milliseconds; costs nothing more once it is dropped.
pub(super) fn pause(ms: u64) -> Boxed<'static, ()> {
    let mut timer = Timer(JsValue::UNDEFINED);
    let promise = Promise::new(&mut |resolve, _| {
        timer.0 = set_timeout(&resolve, u32::try_from(ms).unwrap_or(u32::MAX));
    });
    Box::pin(async move {
        let _timer = timer;
        drop(JsFuture::from(promise).await);
    })
}

struct Timer(JsValue);

impl Drop for Timer {
    fn drop(&mut self) {
        clear_timeout(&self.0);
    }
}
