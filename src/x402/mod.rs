//! Facilitators, without I/O: what is asked, which payment it is about, who may settle it, and what
//! we say ourselves.
//!
//! The hard rule: a settle is sent once, unless it provably did not arrive. Who holds a payment's
//! claim may send; [`claim`] gives it to one at a time and remembers who got the payment.

pub mod address;
pub mod answer;
pub mod call;
pub mod claim;
pub mod payload;
pub mod wire;
