//! Breakwater: one public RPC URL that stays up.
//!
//! Facts go in, decisions come out. Everything but `worker` is pure: no clock, no network, no
//! randomness, and no Workers types (the native build cannot even name them).
//!
//! ```text
//! client bytes ─► rpc::call ─► Call ─► method ─► Operation ─┐
//! vars, secrets ─► config ──────────────────────► Route ────┤
//! region's snapshot ─► state::isolate ─► select ────────────► exchange ─ Step ─► worker: fetch, answer
//!                                                              ▲                │
//!                                                     verdict ─┴── Outcome ◄────┘
//!                                                        └─► state ─► region's Durable Object
//! ```
//!
//! ARCHITECTURE.md tells the life of a request; `tests/architecture.rs` holds the import order.

pub mod breaker;
pub mod config;
pub mod exchange;
pub mod http;
pub mod json;
pub mod method;
pub mod metrics;
pub mod quorum;
pub mod rpc;
pub mod select;
pub mod state;
pub mod time;
pub mod verdict;
pub mod x402;

#[cfg(target_family = "wasm")]
mod worker;
