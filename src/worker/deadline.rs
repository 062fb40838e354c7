//! A time limit that can be lifted: an answer that is passed on while it arrives has no end in sight.

use js_sys::{Function, Reflect};
use wasm_bindgen::prelude::*;
use worker::web_sys::{AbortController, AbortSignal};

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = setTimeout)]
    fn set_timeout(call: &Function, ms: u32) -> JsValue;

    #[wasm_bindgen(js_name = clearTimeout)]
    fn clear_timeout(timer: &JsValue);
}

/// Aborts what carries its signal when the time is over, unless it is lifted or dropped before.
pub(super) struct Deadline {
    controller: AbortController,
    timer: JsValue,
}

impl Deadline {
    /// Starts the clock.
    pub(super) fn start(ms: u64) -> Result<Self, JsValue> {
        let controller = AbortController::new()?;
        let abort: Function = Reflect::get(&controller, &"abort".into())?.unchecked_into();
        let timer = set_timeout(&abort.bind0(&controller), u32::try_from(ms).unwrap_or(u32::MAX));
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
        clear_timeout(&self.timer);
    }
}
