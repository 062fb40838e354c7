//! The tables as the operator writes them, with every default in one place. Shapes only: what a
//! value must be is checked where the model is built.
//!
//! A key that is left out takes its default. `null` is a wrong type, whatever the key.

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny};
use std::collections::BTreeMap;

use super::json::Table;

/// A key without a default here. Unlike a bare `Option` it refuses `null`.
#[derive(Debug)]
pub(super) struct Given<T>(pub(super) Option<T>);

impl<T> Default for Given<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Given<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::deserialize(deserializer).map(|value| Self(Some(value)))
    }
}

/// `SERVICE`.
#[derive(Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Service {
    pub(super) default_route: Given<String>,
    pub(super) allowed_origins: Vec<String>,
    pub(super) require_key: bool,
    pub(super) state: String,
}

impl Default for Service {
    fn default() -> Self {
        Self {
            default_route: Given(None),
            allowed_origins: vec!["*".into()],
            require_key: false,
            state: "region".into(),
        }
    }
}

/// `ROUTE_<NAME>`.
#[derive(Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Route {
    pub(super) protocol: String,
    pub(super) chain_id: Given<u64>,
    pub(super) network_id: Given<u64>,
    pub(super) mode: String,
    pub(super) endpoints: Vec<Table<Endpoint>>,
    pub(super) attempt_timeout_ms: Given<u64>,
    pub(super) total_timeout_ms: Given<u64>,
    pub(super) method_timeouts_ms: BTreeMap<String, u64>,
    pub(super) max_attempts: u32,
    pub(super) hedge_after_ms: u64,
    pub(super) trip_after: u32,
    pub(super) trip_ratio: f64,
    pub(super) trip_min: u32,
    pub(super) trip_window_ms: u64,
    pub(super) cooldown_ms: u64,
    pub(super) cooldown_max_ms: u64,
    pub(super) close_after: u32,
    pub(super) when_all_open: String,
    pub(super) retry_after_cap_ms: u64,
    pub(super) rpc_errors: String,
    pub(super) rules: Vec<Table<Rule>>,
    pub(super) send: String,
    pub(super) settle_failover: Given<IgnoredAny>,
    pub(super) settle_unknown: Given<IgnoredAny>,
    pub(super) max_lag_blocks: u64,
    pub(super) max_lag_ms: u64,
    pub(super) poll_ms: u64,
    pub(super) empty_result: String,
    pub(super) monotonic_head: bool,
    pub(super) quorum: Given<IgnoredAny>,
    pub(super) methods: Table<Methods>,
    pub(super) batch_max: u32,
    pub(super) body_max_bytes: u64,
    pub(super) response_max_bytes: u64,
    pub(super) max_subrequests: u32,
    pub(super) rate_limit: Given<IgnoredAny>,
}

impl Default for Route {
    fn default() -> Self {
        Self {
            protocol: "evm".into(),
            chain_id: Given(None),
            network_id: Given(None),
            mode: "ordered".into(),
            endpoints: Vec::new(),
            attempt_timeout_ms: Given(None),
            total_timeout_ms: Given(None),
            method_timeouts_ms: BTreeMap::new(),
            max_attempts: 3,
            hedge_after_ms: 0,
            trip_after: 5,
            trip_ratio: 0.5,
            trip_min: 20,
            trip_window_ms: 30_000,
            cooldown_ms: 15_000,
            cooldown_max_ms: 120_000,
            close_after: 2,
            when_all_open: "try".into(),
            retry_after_cap_ms: 300_000,
            rpc_errors: "declined".into(),
            rules: Vec::new(),
            send: "resend".into(),
            settle_failover: Given(None),
            settle_unknown: Given(None),
            max_lag_blocks: 0,
            max_lag_ms: 0,
            poll_ms: 15_000,
            empty_result: "answer".into(),
            monotonic_head: false,
            quorum: Given(None),
            methods: Table::default(),
            batch_max: 100,
            body_max_bytes: 5_242_880,
            response_max_bytes: 2_097_152,
            max_subrequests: 40,
            rate_limit: Given(None),
        }
    }
}

/// One entry of `endpoints`.
#[derive(Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Endpoint {
    pub(super) name: Given<String>,
    pub(super) url: Given<String>,
    pub(super) headers: BTreeMap<String, String>,
    pub(super) forward_headers: Vec<String>,
    pub(super) weight: u32,
    pub(super) private: bool,
    pub(super) archive: bool,
    pub(super) attempt_timeout_ms: Given<u64>,
    pub(super) batch_max: Given<u32>,
    pub(super) methods: Table<Methods>,
}

impl Default for Endpoint {
    fn default() -> Self {
        Self {
            name: Given(None),
            url: Given(None),
            headers: BTreeMap::new(),
            forward_headers: Vec::new(),
            weight: 1,
            private: false,
            archive: false,
            attempt_timeout_ms: Given(None),
            batch_max: Given(None),
            methods: Table::default(),
        }
    }
}

/// `methods`, of a route or an endpoint.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Methods {
    pub(super) allow: Vec<String>,
    pub(super) deny: Vec<String>,
}

/// One entry of `rules`.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Rule {
    pub(super) code: Given<i64>,
    pub(super) status: Given<u16>,
    pub(super) message: Given<String>,
    pub(super) method: Given<String>,
    pub(super) endpoint: Given<String>,
    pub(super) action: Given<String>,
}
