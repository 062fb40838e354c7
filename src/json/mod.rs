//! Forms of ours as JSON: what isolates and objects tell each other, what is stored, what the status
//! shows. Each form lists its members once ([`form`]), each set of words its spellings ([`words`]).
//!
//! Derived code weighs ten times as much in the wasm. What clients and upstreams send is no form of
//! ours: its [`members`] are found where they stand, in one walk over the text ([`scan`]).
//!
//! Deploys mix versions for minutes, and storage outlives them: unknown members are ignored, missing
//! ones keep their defaults.

mod form;
mod marks;
pub mod members;
mod nest;
mod read;
pub mod scan;
mod token;
mod utf8;
mod value;
mod walk;
mod write;

pub(crate) use form::{form, words, written};
pub use read::{FromJson, read, valid};
pub(crate) use token::{is_space, trim, trim_start};
pub use utf8::utf8;
pub use value::Value;
pub(crate) use value::tree;
pub(crate) use write::members;
pub use write::{Maybe, Raw, ToJson, object, text};
