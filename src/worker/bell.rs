//! What JavaScript rings once and a future hears: a callback that goes when nobody listens any more. A
//! promise would not: one that is dropped before it settles is never freed.

use std::cell::Cell;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use js_sys::Function;
use wasm_bindgen::prelude::*;

/// A future that ends when its rope has been pulled.
pub(super) struct Bell {
    state: Rc<State>,
    rope: Closure<dyn FnMut()>,
}

#[derive(Default)]
struct State {
    rung: Cell<bool>,
    waiter: Cell<Option<Waker>>,
}

impl Bell {
    pub(super) fn new() -> Self {
        let state = Rc::new(State::default());
        let rung = Rc::clone(&state);
        let rope = Closure::new(move || {
            rung.rung.set(true);
            if let Some(waiter) = rung.waiter.take() {
                waiter.wake();
            }
        });
        Self { state, rope }
    }

    /// What rings it; not to be called after it is dropped.
    pub(super) fn rope(&self) -> &Function {
        self.rope.as_ref().unchecked_ref()
    }
}

impl Future for Bell {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if self.state.rung.get() {
            return Poll::Ready(());
        }
        self.state.waiter.set(Some(context.waker().clone()));
        Poll::Pending
    }
}
