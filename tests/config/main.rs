//! The configuration, from the operator's tables to the model.
#![cfg(not(target_family = "wasm"))]
// Helpers are not `#[test]` functions, in which these are allowed anyway.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod accepted;
mod chain;
mod lookup;
mod modes;
mod origins;
mod properties;
mod rate_limit;
mod refused;
mod secrets;

use breakwater::config::{Config, parse};

/// Values of the secrets that every test has.
pub(crate) const SECRETS: [(&str, &str); 4] = [
    ("ALCHEMY_KEY", "al-S3cret-key-0123456789"),
    ("RPC_TOKEN", "tok-S3cret-9876543210"),
    ("RPC_URL", "https://hidden.example.net/v3/url-S3cret-abcdef"),
    ("CLIENT_KEYS", "client-one, client-two,,"),
];

/// The secret as bound in these tests.
pub(crate) fn secret(name: &str) -> Option<String> {
    let bound = SECRETS.iter().find(|(known, _)| *known == name);
    bound.map(|(_, value)| (*value).to_owned())
}

/// The variables of `[vars]`, as Wrangler hands them over.
pub(crate) fn vars(toml: &str) -> Vec<(String, String)> {
    let table: toml::Table = toml.parse().unwrap_or_else(|error| panic!("{error}\n{toml}"));
    let json = |value| serde_json::to_string(&value).unwrap();
    table.into_iter().map(|(name, value)| (name, json(value))).collect()
}

/// The configuration of these tables, with every test secret bound.
pub(crate) fn config(toml: &str) -> Config {
    parse(&vars(toml), &secret)
}

/// The only fault of these tables, as (route, message).
pub(crate) fn fault(toml: &str) -> (Option<String>, String) {
    let faults = config(toml).faults;
    assert_eq!(faults.len(), 1, "{faults:#?}\n{toml}");
    (faults[0].route.clone(), faults[0].message.clone())
}
