//! Who knows what about the endpoints. An isolate has its own observations ([`isolate`]) and the
//! region's last [`wire::Snapshot`]; the region's Durable Object ([`region`]) has every isolate's
//! reports and its own probes. They talk in the forms of [`wire`]; [`sync`] says how often.

pub mod alerts;
pub mod counted;
pub mod event;
pub mod heads;
pub mod hops;
pub mod isolate;
pub mod mark;
pub mod minutes;
pub mod orders;
pub mod places;
pub mod recent;
pub mod region;
pub mod replies;
pub mod score;
pub mod stats;
pub mod status;
pub mod sync;
pub mod votes;
pub mod wire;
pub mod writes;
