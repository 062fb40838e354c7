//! JSON-RPC as it is on the wire: lenient to what upstreams send, strict to what we send.

pub mod reply;
