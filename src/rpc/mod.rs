//! JSON-RPC as it is on the wire: strict about what clients ask, lenient to what upstreams answer,
//! exact about what we say. Nothing here knows of endpoints or verdicts.

pub mod begin;
pub mod call;
pub mod fault;
pub mod redact;
pub mod reply;
pub mod request;
mod spelling;
pub mod splice;
