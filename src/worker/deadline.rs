//! A time limit.

use wasm_bindgen::prelude::*;

use super::bells::Bells;

#[wasm_bindgen(module = "/src/worker/glue.mjs")]
extern "C" {
    /// Ends an attempt.
    #[wasm_bindgen(js_name = Deadline)]
    pub(super) type Timer;

    #[wasm_bindgen(constructor, js_class = "Deadline")]
    fn new(bells: Option<&Bells>, ms: Option<i32>, aborts: bool) -> Timer;

    #[wasm_bindgen(method)]
    fn stop(this: &Timer);

    #[wasm_bindgen(method)]
    fn abort(this: &Timer);

    #[wasm_bindgen(method, getter)]
    fn passed(this: &Timer) -> bool;
}

/// Ends an attempt when the time is over, unless it is stopped or dropped before.
pub(super) struct Deadline(Timer);

impl Deadline {
    /// Starts the clock. What no timer can hold (25 days) is no limit. `aborts`: the request ends at its
    /// endpoint, too.
    pub(super) fn start(bells: Option<&Bells>, ms: u64, aborts: bool) -> Self {
        Self(Timer::new(bells, i32::try_from(ms).ok(), aborts))
    }

    /// What a request is sent with, and a stream passed on: it may start the clock again.
    pub(super) fn timer(&self) -> &Timer {
        &self.0
    }

    /// Whether the time was over.
    pub(super) fn passed(&self) -> bool {
        self.0.passed()
    }

    /// Stops the clock.
    pub(super) fn stop(&self) {
        self.0.stop();
    }

    /// Ends the attempt.
    pub(super) fn abort(&self) {
        self.0.abort();
    }
}

impl Drop for Deadline {
    fn drop(&mut self) {
        self.stop();
    }
}
