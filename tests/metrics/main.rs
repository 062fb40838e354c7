//! `GET /metrics`: a page that any reader of the format takes, in numbers that agree with each other.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]
#![allow(clippy::float_cmp, reason = "counts are whole")]

#[path = "../common/mod.rs"]
mod common;
mod counts;
mod documents;
mod exposition;
mod gauges;
mod page;
mod scene;
