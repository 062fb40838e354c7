//! The routes that inputs are played on.

use std::sync::LazyLock;

use breakwater::config::{Config, Route, parse};
use breakwater::time::Millis;

pub(super) const NOW: Millis = Millis(1_800_000_000_000);

/// Values that `${NAME}` stands for, by name.
pub(super) const SECRETS: [(&str, &str); 7] = [
    ("WORD", "hunter2hunter2"),
    ("MIXED", "k3y-With+odd=chars/and%2Fmore"),
    ("DIGITS", "20260119"),
    ("QUOTED", r#"Digest user="Mufasa the 1st", pass="a\b""#),
    ("ADMIN_TOKEN", "t0ken-of-the-operator"),
    ("CLIENT_KEYS", "client-key-1, client-key-2"),
    ("ALERT_WEBHOOK", "https://hooks.example.net/services/T000/B000"),
];

pub(super) fn secret(name: &str) -> Option<String> {
    SECRETS.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
}

const SERVICE: &str = r#"{"default_route":"eth","require_key":true,
    "allowed_origins":["https://app.example","https://*.wide.example:8443","extensions"]}"#;

const ETH: &str = r#"{"chain_id":1,"max_attempts":3,"endpoints":[
    {"name":"alpha","url":"https://example.org/v2/${WORD}"},
    {"name":"beta","url":"https://beta.example.org:8443/?key=${DIGITS}&project=0123456789abcdef",
     "headers":{"authorization":"Bearer ${MIXED}"}},
    {"name":"gamma","url":"https://gamma.example.org/a-long-path-segment/rpc","headers":{"x-login":"${QUOTED}"}},
    {"name":"delta","url":"https://delta.example.org"}]}"#;

const GUARDED: &str = r#"{"chain_id":5,"max_attempts":2,"send":"once","endpoints":[
    {"name":"alpha","url":"https://alpha.example.org"},
    {"name":"vault","url":"https://vault.example.org","private":true},
    {"name":"safe","url":"https://safe.example.org","private":true}],
    "rules":[{"code":-32000,"action":"failover"},{"status":418,"action":"breaker"},{"message":"operator","action":"return"}]}"#;

const PAY: &str = r#"{"protocol":"x402","endpoints":[
    {"name":"one","url":"https://one.example.org","forward_headers":["authorization"]},
    {"name":"two","url":"https://two.example.org"}]}"#;

/// A service with keys and origins, two routes of endpoints and one of facilitators.
pub(super) fn config() -> &'static Config {
    static CONFIG: LazyLock<Config> = LazyLock::new(|| {
        let vars = [
            ("SERVICE", SERVICE),
            ("ROUTE_ETH", ETH),
            ("ROUTE_GUARDED", GUARDED),
            ("ROUTE_PAY", PAY),
        ];
        let config = parse(&vars.map(|(name, json)| (name.to_owned(), json.to_owned())), &secret);
        assert!(config.faults.is_empty(), "{:?}", config.faults);
        config
    });
    &CONFIG
}

pub(super) fn route(name: &str) -> &'static Route {
    config().route(name).unwrap()
}
