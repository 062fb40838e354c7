//! The HTTP surface without HTTP: which room a path leads to, who may enter, which headers go back.

pub mod access;
pub mod admin;
pub mod client;
pub mod cors;
pub mod headers;
pub mod page;
pub mod rate;
pub mod route;
