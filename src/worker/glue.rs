//! The JavaScript that does several steps at a time: see `glue.mjs`.

use js_sys::{Object, Promise, Uint8Array};
use wasm_bindgen::prelude::*;
use worker::web_sys::{Request, Response};

use super::bells::Bells;
use super::deadline::Timer;

#[wasm_bindgen(module = "/src/worker/glue.mjs")]
extern "C" {
    /// Method, URL, `Origin`, `Authorization`, `x-api-key` and `Content-Length`, one a line; empty where
    /// it is not there.
    pub(super) fn heading(request: &Request) -> String;

    /// Makes a request and reads its answer, if it is known to have `most` bytes at most. Tells `settle`
    /// this key, whether headers came, and an [`Arrived`] or the reason why not.
    #[wasm_bindgen(catch)]
    pub(super) fn send(
        deadline: &Timer,
        key: u32,
        settle: &Closure<dyn Fn(u32, bool, JsValue)>,
        method: &str,
        url: &str,
        headers: Option<&Object>,
        body: &JsValue,
        most: f64,
    ) -> Result<(), JsValue>;

    /// Headers of answers: `name:value`, one a line.
    pub(super) fn headers(lines: &str) -> Object;

    /// An answer with the headers of `common` and these lines more.
    #[wasm_bindgen(catch)]
    pub(super) fn answer(
        status: u16,
        common: &Object,
        lines: &str,
        body: &JsValue,
    ) -> Result<Response, JsValue>;

    /// The same with a copy of these bytes.
    #[wasm_bindgen(catch, js_name = answerBytes)]
    pub(super) fn answer_bytes(
        status: u16,
        common: &Object,
        lines: &str,
        body: &[u8],
    ) -> Result<Response, JsValue>;

    /// What came of [`send`].
    pub(super) type Arrived;

    #[wasm_bindgen(method, getter)]
    pub(super) fn response(this: &Arrived) -> Response;

    #[wasm_bindgen(method, getter)]
    pub(super) fn status(this: &Arrived) -> u16;

    /// Length of the body, where it is known.
    #[wasm_bindgen(method, getter)]
    pub(super) fn length(this: &Arrived) -> Option<f64>;

    /// The whole body, if it was read.
    #[wasm_bindgen(method, getter)]
    pub(super) fn bytes(this: &Arrived) -> Option<Uint8Array>;

    /// Whether the body broke off.
    #[wasm_bindgen(method, getter)]
    pub(super) fn broken(this: &Arrived) -> bool;

    #[wasm_bindgen(method, getter, js_name = contentType)]
    pub(super) fn content_type(this: &Arrived) -> Option<String>;

    #[wasm_bindgen(method, getter, js_name = retryAfter)]
    pub(super) fn retry_after(this: &Arrived) -> Option<String>;

    #[wasm_bindgen(method, getter, js_name = edgeError)]
    pub(super) fn edge_error(this: &Arrived) -> Option<String>;

    #[wasm_bindgen(method, getter)]
    pub(super) fn extension(this: &Arrived) -> Option<String>;

    /// Tells `settle` the key of this promise, whether it was kept, and its value or reason.
    pub(super) fn watch(promise: &Promise, key: u32, settle: &Closure<dyn Fn(u32, bool, JsValue)>);

    /// Tells `settle` this key after so many milliseconds, unless the bell is silenced.
    pub(super) fn ring(
        bells: &Bells,
        key: u32,
        settle: &Closure<dyn Fn(u32, bool, JsValue)>,
        ms: i32,
    ) -> JsValue;

    /// The same when the client of this request has gone.
    pub(super) fn hear(request: &Request, key: u32, settle: &Closure<dyn Fn(u32, bool, JsValue)>);
}
