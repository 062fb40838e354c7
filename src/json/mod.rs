//! Forms of ours as JSON: what isolates and objects tell each other, what is stored, what the status
//! shows. Each form lists its members once ([`form`]), each set of words its spellings ([`words`]).
//!
//! Derived code weighs ten times as much in the wasm. What clients and upstreams send is no form of
//! ours: its [`members`] are read in place.
//!
//! Deploys mix versions for minutes, and storage outlives them: unknown members are ignored, missing
//! ones keep their defaults.

mod form;
pub(crate) mod members;
mod read;
mod value;
mod write;

pub(crate) use form::{form, words, written};
pub use read::{FromJson, read, valid};
pub use value::Value;
pub(crate) use value::tree;
pub(crate) use write::members;
pub use write::{Maybe, Raw, ToJson, object, text};
