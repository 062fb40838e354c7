//! A client that goes away. What only it waited for ends then: unless it is dropped, a future that is
//! never polled again stays in the isolate's memory for good, and the endpoints asked count as silent.

use worker::web_sys::Request;

use super::glue;
use super::promised::Promised;
use super::together::Boxed;

/// Is over when the client has gone; with the flag `enable_request_signal` only.
pub(super) fn gone(request: &Request) -> Boxed<'static, ()> {
    let (gone, ()) = Promised::new(|key, settle| glue::hear(request, key, settle));
    Box::pin(async { drop(gone.await) })
}
