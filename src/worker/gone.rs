//! A client that goes away. What only it waited for ends then: unless it is dropped, a future that is
//! never polled again stays in the isolate's memory for good, and the endpoints asked count as silent.

use std::pin::Pin;
use std::task::{Context, Poll};

use worker::web_sys::{AbortSignal, Request};

use super::bell::Bell;

/// Is over when the client has gone; with the flag `enable_request_signal` only.
pub(super) struct Gone {
    signal: Option<AbortSignal>,
    bell: Bell,
}

impl Gone {
    pub(super) fn of(request: &Request) -> Self {
        let (signal, bell) = (Some(request.signal()), Bell::new());
        let signal = signal.filter(|signal| !signal.is_undefined() && !signal.is_null());
        if let Some(signal) = &signal {
            signal.set_onabort(Some(bell.rope()));
        }
        Self { signal, bell }
    }
}

impl Future for Gone {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        Pin::new(&mut self.bell).poll(context)
    }
}

impl Drop for Gone {
    fn drop(&mut self) {
        if let Some(signal) = &self.signal {
            signal.set_onabort(None);
        }
    }
}
