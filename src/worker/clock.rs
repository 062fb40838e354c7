//! The isolate's clock and dice: the only places where time and randomness enter.

use std::cell::Cell;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use js_sys::Function;
use wasm_bindgen::prelude::*;

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
    Box::pin(Sleep::start(ms))
}

/// Not a promise: one that is dropped before it settles is never freed, and most of these are.
struct Sleep {
    alarm: Rc<Alarm>,
    timer: JsValue,
    /// What the timer calls: it goes with the timer.
    _ring: Closure<dyn FnMut()>,
}

#[derive(Default)]
struct Alarm {
    rung: Cell<bool>,
    waiter: Cell<Option<Waker>>,
}

impl Sleep {
    fn start(ms: u64) -> Self {
        let alarm = Rc::new(Alarm::default());
        let rings = Rc::clone(&alarm);
        let ring = Closure::<dyn FnMut()>::new(move || {
            rings.rung.set(true);
            if let Some(waiter) = rings.waiter.take() {
                waiter.wake();
            }
        });
        let call = ring.as_ref().unchecked_ref();
        let timer = set_timeout(call, i32::try_from(ms).unwrap_or(i32::MAX));
        Self { alarm, timer, _ring: ring }
    }
}

impl Future for Sleep {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if self.alarm.rung.get() {
            return Poll::Ready(());
        }
        self.alarm.waiter.set(Some(context.waker().clone()));
        Poll::Pending
    }
}

impl Drop for Sleep {
    fn drop(&mut self) {
        clear_timeout(&self.timer);
    }
}
