//! When an endpoint is left alone and when it is taken back. Three memories with three reasons:
//! the [`machine`] counts what the endpoint did wrong, [`throttle`] honours what it asked for,
//! [`gaps`] remembers what it cannot do. Isolates and the Durable Object use the same machine.

mod cooldown;
pub mod gaps;
pub mod machine;
mod permit;
pub mod throttle;
mod window;
