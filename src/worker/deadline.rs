//! A time limit.

use js_sys::{Function, Reflect};
use wasm_bindgen::prelude::*;
use worker::web_sys::{AbortController, AbortSignal};

use super::clock::{clear_timeout, set_timeout};

/// Aborts what carries its signal when the time is over, unless it is stopped or dropped before.
pub(super) struct Deadline {
    controller: AbortController,
    abort: Function,
    ms: Option<i32>,
    timer: JsValue,
}

impl Deadline {
    /// Starts the clock. What no timer can hold (25 days) is no limit.
    pub(super) fn start(ms: u64) -> Result<Self, JsValue> {
        let controller = AbortController::new()?;
        let abort: Function = Reflect::get(&controller, &"abort".into())?.unchecked_into();
        let abort = abort.bind0(&controller);
        let ms = i32::try_from(ms).ok();
        let timer = ms.map_or(JsValue::UNDEFINED, |ms| set_timeout(&abort, ms));
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

    /// Milliseconds, and what is called when they are over: for whoever keeps the clock himself.
    pub(super) fn limit(&self) -> (Option<i32>, &Function) {
        (self.ms, &self.abort)
    }

    /// Stops the clock.
    pub(super) fn stop(&self) {
        clear_timeout(&self.timer);
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
