//! What JavaScript settles later, as a future. wasm-bindgen's own future makes two functions for each
//! promise, which the garbage collector then has to watch; here a single one is told which has settled.

use std::cell::{Cell, RefCell};
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use js_sys::Promise;
use wasm_bindgen::prelude::*;

use super::glue;

/// Takes a key, whether the promise was kept, and its value or the reason why not.
type Settle = dyn Fn(u32, bool, JsValue);

thread_local! {
    static OPEN: RefCell<Vec<(u32, State)>> = const { RefCell::new(Vec::new()) };
    static NEXT: Cell<u32> = const { Cell::new(0) };
    static SETTLE: Closure<Settle> = Closure::new(settle);
}

enum State {
    Waiting(Option<Waker>),
    Settled(Result<JsValue, JsValue>),
}

/// The future.
pub(super) struct Promised(u32);

impl Promised {
    /// Of a promise.
    pub(super) fn of(promise: &Promise) -> Self {
        Self::new(|key, settle| glue::watch(promise, key, settle)).0
    }

    /// Of something that tells when it is over.
    pub(super) fn new<T>(start: impl FnOnce(u32, &Closure<Settle>) -> T) -> (Self, T) {
        let key = NEXT.get();
        NEXT.set(key.wrapping_add(1));
        OPEN.with_borrow_mut(|open| open.push((key, State::Waiting(None))));
        let started = SETTLE.with(|settle| start(key, settle));
        (Self(key), started)
    }
}

impl Future for Promised {
    type Output = Result<JsValue, JsValue>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        match take(self.0) {
            Some(State::Settled(result)) => Poll::Ready(result),
            Some(State::Waiting(_)) | None => {
                let waiting = State::Waiting(Some(context.waker().clone()));
                OPEN.with_borrow_mut(|open| open.push((self.0, waiting)));
                Poll::Pending
            }
        }
    }
}

impl Drop for Promised {
    fn drop(&mut self) {
        take(self.0);
    }
}

/// Not to be dropped within the borrow: what goes with it may be another of these.
fn take(key: u32) -> Option<State> {
    OPEN.with_borrow_mut(|open| {
        let at = open.iter().position(|(open, _)| *open == key)?;
        Some(open.swap_remove(at).1)
    })
}

/// What settles after its future was dropped is not there any more.
fn settle(key: u32, kept: bool, value: JsValue) {
    let Some(waiting) = take(key) else {
        return;
    };
    let result = if kept { Ok(value) } else { Err(value) };
    OPEN.with_borrow_mut(|open| open.push((key, State::Settled(result))));
    if let State::Waiting(Some(waker)) = waiting {
        waker.wake();
    }
}
