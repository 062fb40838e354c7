//! Lists of methods: exact names, or `prefix_*`. Case counts, as it does in JSON-RPC.

use super::table::Table;
use super::template::no_secrets;

/// `allow` and `deny` lists: exact names or `prefix_*`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MethodList {
    /// On a route: added to the default set. On an endpoint: limits what is sent there; empty = all.
    pub allow: Vec<String>,
    /// Refused; wins over `allow`.
    pub deny: Vec<String>,
}

impl MethodList {
    /// `deny` names the method.
    pub fn denies(&self, method: &str) -> bool {
        self.deny.iter().any(|pattern| method_matches(pattern, method))
    }

    /// `allow` names the method, whatever `deny` says.
    pub fn allows(&self, method: &str) -> bool {
        self.allow.iter().any(|pattern| method_matches(pattern, method))
    }

    /// An endpoint's say: not denied, and allowed unless nothing is listed.
    pub fn serves(&self, method: &str) -> bool {
        !self.denies(method) && (self.allow.is_empty() || self.allows(method))
    }
}

/// Whether an exact name or `prefix_*` covers the method.
pub fn method_matches(pattern: &str, method: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(prefix) => method.starts_with(prefix),
        None => pattern == method,
    }
}

/// Reads a `methods` table.
pub(super) fn build(mut table: Table) -> Result<MethodList, String> {
    let list =
        MethodList { allow: patterns(&mut table, "allow"), deny: patterns(&mut table, "deny") };
    table.finish()?;
    Ok(list)
}

fn patterns(table: &mut Table, key: &str) -> Vec<String> {
    let patterns = table.texts(key);
    for (at, pattern) in patterns.iter().enumerate() {
        table.judge(&format!("{key}[{at}]"), check_pattern(pattern));
    }
    patterns
}

/// An exact name or `prefix_*`.
pub(super) fn check_pattern(pattern: &str) -> Result<(), &'static str> {
    match pattern.strip_suffix('*') {
        Some(prefix) if prefix.ends_with('_') => check_name(prefix),
        Some(_) => Err("must be a method's name or prefix_*, with _ before the *"),
        None => check_name(pattern),
    }
}

/// An exact name.
pub(super) fn check_name(name: &str) -> Result<(), &'static str> {
    no_secrets(name)?;
    let fits = name.chars().all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c));
    if fits && !name.is_empty() && name.len() <= 128 {
        return Ok(());
    }
    Err("must be a method's name: letters, digits, _ - and . only")
}
