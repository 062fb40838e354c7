//! How long an attempt may take.

use std::collections::BTreeMap;

use super::check::millis;
use super::methods::check_name;
use super::remark::{Reading, Remark, shown};
use super::{Endpoint, Protocol, Route, Timeouts, raw};
use crate::method::Effect;

/// One attempt of a read, unless configured.
const READ_MS: u64 = 3_500;
/// One attempt of a send, unless configured: cutting it short leaves its outcome unknown.
const SEND_MS: u64 = 6_000;
/// One attempt of an x402 call, unless configured: a facilitator waits for a chain.
const X402_MS: u64 = 15_000;
/// Until the first byte of the answer, unless configured; below viem's 10 s.
const TOTAL_MS: u64 = 9_000;
/// The same for x402.
const X402_TOTAL_MS: u64 = 60_000;

impl Route {
    /// Milliseconds one attempt may take at an endpoint without a say of its own: the method's
    /// (`method_timeouts_ms`, exact name), else the route's, else the default of the operation.
    pub fn attempt_timeout_ms(&self, method: &str, effect: Effect) -> u64 {
        let route = self.timeouts.of_method(method).or(self.timeouts.attempt_ms);
        route.unwrap_or_else(|| default_ms(self.protocol, effect))
    }

    /// The same at `endpoint`, whose own `attempt_timeout_ms` goes before the route's and behind
    /// the method's.
    pub fn attempt_timeout_at_ms(&self, endpoint: &Endpoint, method: &str, effect: Effect) -> u64 {
        let own = self.timeouts.of_method(method).or(endpoint.attempt_timeout_ms);
        own.unwrap_or_else(|| self.attempt_timeout_ms(method, effect))
    }
}

impl Timeouts {
    fn of_method(&self, method: &str) -> Option<u64> {
        self.per_method_ms.iter().find(|(name, _)| name == method).map(|(_, ms)| *ms)
    }
}

fn default_ms(protocol: Protocol, effect: Effect) -> u64 {
    match (protocol, effect) {
        (Protocol::X402, _) => X402_MS,
        (Protocol::Evm, Effect::Read) => READ_MS,
        (Protocol::Evm, Effect::Send | Effect::Once) => SEND_MS,
    }
}

pub(super) fn build(raw: &raw::Route, protocol: Protocol) -> Reading<Timeouts> {
    let total_ms = raw.total_timeout_ms.0.unwrap_or(match protocol {
        Protocol::Evm => TOTAL_MS,
        Protocol::X402 => X402_TOTAL_MS,
    });
    let attempt_ms = raw.attempt_timeout_ms.0.map(|ms| millis("attempt_timeout_ms", ms));
    Ok(Timeouts {
        attempt_ms: attempt_ms.transpose()?,
        total_ms: millis("total_timeout_ms", total_ms)?,
        per_method_ms: per_method(&raw.method_timeouts_ms)?,
    })
}

fn per_method(raw: &BTreeMap<String, u64>) -> Reading<Vec<(String, u64)>> {
    let one = |(method, ms): (&String, &u64)| {
        let path = format!("method_timeouts_ms.{}", shown(method));
        check_name(method).map_err(|why| Remark::at(path.as_str(), why))?;
        Ok((method.clone(), millis(&path, *ms)?))
    };
    raw.iter().map(one).collect()
}
