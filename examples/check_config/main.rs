//! Checks a configuration before it is deployed, with the very code that the Worker runs:
//!
//! ```text
//! cargo run -q --example check_config -- [wrangler.toml] [--env NAME]
//! ```
//!
//! Secrets are taken from `.dev.vars` beside the file (`.dev.vars.NAME` first, with `--env`); any
//! other that is referred to is assumed to be there and listed. Exit status 0: good, 1: not.

#[cfg(not(target_family = "wasm"))]
mod check;
#[cfg(not(target_family = "wasm"))]
mod dev_vars;
#[cfg(not(target_family = "wasm"))]
mod doubts;
#[cfg(not(target_family = "wasm"))]
mod limits;
#[cfg(not(target_family = "wasm"))]
mod literals;
#[cfg(not(target_family = "wasm"))]
mod modes;
#[cfg(not(target_family = "wasm"))]
mod names;
#[cfg(not(target_family = "wasm"))]
mod program;

#[cfg(not(target_family = "wasm"))]
fn main() -> std::process::ExitCode {
    program::run()
}

/// There are no files to check; the example is built here only because all examples are.
#[cfg(target_family = "wasm")]
fn main() {}
