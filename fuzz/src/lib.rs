//! The checks of `tests/fuzz`, for `cargo fuzz`.

#[path = "../../tests/fuzz/checks/mod.rs"]
pub mod checks;
