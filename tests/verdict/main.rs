//! The verdict room from outside: the corpus, the rules' own samples, hostile text, properties.

#![cfg(not(target_family = "wasm"))]
#![allow(clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test may")]

mod batch;
mod case;
mod corpus;
mod field;
mod found;
mod hostile;
mod known;
mod line;
mod policy;
mod properties;
mod rows;
mod signals;
mod x402;
