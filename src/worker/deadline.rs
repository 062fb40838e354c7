//! A time limit that can be lifted: an answer that is passed on while it arrives has no end in sight.

use js_sys::{Function, Reflect};
use wasm_bindgen::prelude::*;
use worker::web_sys::{AbortController, AbortSignal};

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = setTimeout)]
    fn set_timeout(call: &Function, ms: i32) -> JsValue;

    #[wasm_bindgen(js_name = clearTimeout)]
    fn clear_timeout(timer: &JsValue);
}

/// Aborts what carries its signal when the time is over, unless it is lifted or dropped before.
pub(super) struct Deadline {
    controller: AbortController,
    timer: Option<JsValue>,
}

impl Deadline {
    /// Starts the clock. What no timer can hold (25 days) is no limit.
    pub(super) fn start(ms: u64) -> Result<Self, JsValue> {
        let controller = AbortController::new()?;
        let abort: Function = Reflect::get(&controller, &"abort".into())?.unchecked_into();
        let timer = i32::try_from(ms).ok().map(|ms| set_timeout(&abort.bind0(&controller), ms));
        Ok(Self { controller, timer })
    }

    /// What a fetch carries.
    pub(super) fn signal(&self) -> AbortSignal {
        self.controller.signal()
    }

    /// Whether the time was over.
    pub(super) fn passed(&self) -> bool {
        self.controller.signal().aborted()
    }

    /// No limit any more; the controller still aborts.
    pub(super) fn lift(self) -> AbortController {
        self.controller.clone()
    }
}

impl Drop for Deadline {
    fn drop(&mut self) {
        if let Some(timer) = &self.timer {
            clear_timeout(timer);
        }
    }
}
