//! Forms of ours as JSON: what isolates and objects tell each other, what is stored, what the status
//! shows. Each form lists its members once ([`form`]), each set of words its spellings ([`words`]).
//!
//! Derived code reads quicker and weighs ten times as much in the wasm. Nothing here is on a request's
//! way: what clients and upstreams send is read in place, by `rpc` and `x402`.
//!
//! Deploys mix versions for minutes, and storage outlives them: unknown members are ignored, missing
//! ones keep their defaults.

mod form;
mod read;
mod value;
mod write;

pub(crate) use form::{form, words, written};
pub use read::{FromJson, read};
pub use value::Value;
pub(crate) use value::tree;
pub(crate) use write::members;
pub use write::{Maybe, Raw, ToJson, object, text};
