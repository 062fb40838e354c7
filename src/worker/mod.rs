//! The Workers shell, the only room that may name `worker::`. It gathers facts, asks the core, and
//! carries out what the core says: fetch, wait, answer, store.

mod admin;
mod agree;
mod bindings;
mod body;
mod bytes;
mod clock;
mod deadline;
mod drill;
mod drive;
mod entry;
mod glue;
mod hand_in;
mod heading;
mod heads;
mod isolate;
mod judge;
mod log;
mod look_up;
mod notify;
mod object;
mod outlive;
mod page;
mod pages;
mod parcel;
mod plan;
mod probe;
mod promised;
mod record;
mod relay;
mod render;
mod replies;
mod respond;
mod rpc;
mod store;
mod strays;
mod sync;
mod together;
mod upstream;
mod visit;
mod waiting;
#[cfg(feature = "cheap_wakes")]
mod wakes;
mod webhook;
mod x402;
