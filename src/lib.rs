//! Breakwater: one public RPC URL that stays up.
//!
//! Facts go in, decisions come out. Everything but `worker` is pure: no clock, no network, no
//! randomness, and no Workers types (the native build cannot even name them).
//!
//! ```text
//! client bytes ─► rpc::call ─► Call ─► method ─► Operation ─┐
//! vars, secrets ─► config ──────────────────────► Route ────┤
//! region's snapshot ─► breaker::Book ─► select ─────────────► exchange ─ Step ─► worker: fetch, wait, answer
//!                                                              ▲               │
//!                                                     verdict ─┴── Outcome ◄───┘
//!                                                        └─► breaker ─► region (Durable Object)
//! ```
//!
//! ARCHITECTURE.md tells the life of a request; `tests/architecture.rs` holds the import order.

pub mod config;
pub mod method;
pub mod rpc;
pub mod time;
pub mod verdict;
