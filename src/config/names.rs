//! Names of routes and endpoints. They stand in paths, headers and metrics, so few characters do.

use super::template::no_secrets;

/// Longest name.
const MAX_LEN: usize = 64;

/// First path segments that are not routes.
const RESERVED: [&str; 5] = ["status", "health", "ready", "metrics", "admin"];

/// `ROUTE_ETHEREUM_MAIN` is `ethereum-main`; `None` for a variable that is no route.
pub(super) fn public_name(variable: &str) -> Option<String> {
    let name = variable.strip_prefix("ROUTE_")?;
    Some(name.to_ascii_lowercase().replace('_', "-"))
}

/// Whether a route may have this public name.
pub(super) fn check_route(name: &str) -> Result<(), &'static str> {
    if name.trim_matches(['-', ' ']).is_empty() {
        return Err("the route's name is blank");
    }
    if RESERVED.contains(&name) {
        return Err("is a reserved name: status, health, ready, metrics and admin are taken");
    }
    if name.bytes().all(|b| b.is_ascii_digit()) {
        return Err("a name of digits only is reserved for chain ids");
    }
    let fits = name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
    if !fits || name.len() > MAX_LEN || name.starts_with('-') || name.ends_with('-') {
        return Err("a route's name takes letters, digits and _ between them, at most 64");
    }
    Ok(())
}

/// The endpoint's name, trimmed.
pub(super) fn endpoint(name: &str) -> Result<&str, &'static str> {
    let name = name.trim();
    if name.is_empty() {
        return Err("is blank");
    }
    no_secrets(name)?;
    let fits = name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c));
    if !fits || name.len() > MAX_LEN || !name.starts_with(|c: char| c.is_ascii_alphanumeric()) {
        return Err("takes letters, digits, - _ and . after a letter or digit, at most 64");
    }
    Ok(name)
}
