//! The Workers shell, the only room that may name `worker::`. It gathers facts, asks the core, and
//! carries out what the core says: fetch, wait, answer, store.

mod bindings;
mod body;
mod clock;
mod deadline;
mod drive;
mod entry;
mod hand_in;
mod isolate;
mod judge;
mod log;
mod look_up;
mod notify;
mod object;
mod outlive;
mod pages;
mod parcel;
mod plan;
mod record;
mod relay;
mod render;
mod respond;
mod rpc;
mod store;
mod strays;
mod sync;
mod together;
mod upstream;
mod visit;
mod x402;
