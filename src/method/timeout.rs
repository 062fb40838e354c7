//! How long one attempt may take.

use super::Effect;
use crate::config::{Endpoint, Protocol, Route, Timeouts};

/// One attempt of a read, unless configured.
const READ_MS: u64 = 3_500;
/// One attempt of a send, unless configured: cutting it short leaves its outcome unknown.
const SEND_MS: u64 = 6_000;
/// One attempt of an x402 call, unless configured: a facilitator waits for a chain.
const X402_MS: u64 = 15_000;
/// What takes as long as it takes: cut short, nobody would know whether money moved.
pub const NO_LIMIT_MS: u64 = u64::MAX;

impl Route {
    /// Milliseconds one attempt may take at an endpoint without a say of its own: the method's
    /// (`method_timeouts_ms`, exact name), else the route's, else the default of the operation.
    pub fn attempt_timeout_ms(&self, method: &str, effect: Effect) -> u64 {
        if is_settle(self.protocol, effect) {
            return NO_LIMIT_MS;
        }
        let route = of_method(&self.timeouts, method).or(self.timeouts.attempt_ms);
        route.unwrap_or_else(|| default_ms(self.protocol, effect))
    }

    /// The same at `endpoint`, whose own `attempt_timeout_ms` goes before the route's and behind
    /// the method's.
    pub fn attempt_timeout_at_ms(&self, endpoint: &Endpoint, method: &str, effect: Effect) -> u64 {
        if is_settle(self.protocol, effect) {
            return NO_LIMIT_MS;
        }
        let own = of_method(&self.timeouts, method).or(endpoint.attempt_timeout_ms);
        own.unwrap_or_else(|| self.attempt_timeout_ms(method, effect))
    }
}

fn is_settle(protocol: Protocol, effect: Effect) -> bool {
    protocol == Protocol::X402 && effect == Effect::Once
}

fn of_method(timeouts: &Timeouts, method: &str) -> Option<u64> {
    timeouts.per_method_ms.iter().find(|(name, _)| name == method).map(|(_, ms)| *ms)
}

fn default_ms(protocol: Protocol, effect: Effect) -> u64 {
    match (protocol, effect) {
        (Protocol::X402, _) => X402_MS,
        (Protocol::Evm, Effect::Read) => READ_MS,
        (Protocol::Evm, Effect::Send | Effect::Once) => SEND_MS,
    }
}
