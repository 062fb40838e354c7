//! How much one caller may ask of a route: which binding of the platform's counts. The figure itself
//! is the binding's, in wrangler.toml.

use super::table::Table;
use super::{Config, Fault, Route};

/// A route's limit per caller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RateLimit {
    /// Name of the `[[ratelimits]]` binding that counts.
    pub binding: String,
    /// Its period in seconds, which callers over the limit are told to wait: the binding does not tell
    /// it. Default 60.
    pub period_s: u64,
}

/// Reads the table, if it was given.
pub(super) fn build(mut table: Table, given: bool) -> Result<Option<RateLimit>, String> {
    if !given {
        return table.finish().map(|()| None);
    }
    let binding = table.required("binding").unwrap_or_default();
    table.judge("binding", check_name(&binding));
    let period_s = table.size("period_s", 10..=60).unwrap_or(60);
    if !matches!(period_s, 10 | 60) {
        table.fail("period_s", "must be 10 or 60, as in the binding's simple.period");
    }
    table.finish()?;
    Ok(Some(RateLimit { binding, period_s }))
}

fn check_name(name: &str) -> Result<(), &'static str> {
    let letters = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if !letters || name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
        return Err("is not a binding's name: letters, digits and _, as in wrangler.toml");
    }
    Ok(())
}

impl Config {
    /// Takes out the routes whose limit nobody would count; `bound` says which bindings there are.
    pub fn check_bindings(&mut self, bound: impl Fn(&str) -> bool) {
        let lacks = |route: &Route| route.rate_limit.as_ref().is_some_and(|l| !bound(&l.binding));
        let (bad, good) = std::mem::take(&mut self.routes).into_iter().partition(lacks);
        self.routes = good;
        self.faults.extend(bad.iter().map(unbound));
    }
}

fn unbound(route: &Route) -> Fault {
    let variable = route.name.to_ascii_uppercase().replace('-', "_");
    let why = "is not bound: wrangler.toml needs a [[ratelimits]] entry with this name";
    let message = format!("ROUTE_{variable}.rate_limit.binding: {why}");
    Fault { route: Some(route.name.clone()), message }
}
