//! Finding a route, or the reason why there is none.

use super::{Config, Fault, Route};

impl Config {
    /// The valid route with this public name.
    pub fn route(&self, name: &str) -> Option<&Route> {
        self.routes.iter().find(|route| route.name == name)
    }

    /// The route that `/` serves. `None` when there is none or it was refused: then
    /// `service.default_route` names it and [`Config::fault_of`] says why.
    pub fn default_route(&self) -> Option<&Route> {
        self.route(self.service.default_route.as_deref()?)
    }

    /// The route that `/{chain_id}` serves: the default route if it has that chain, else the first
    /// by name.
    pub fn by_chain(&self, chain_id: u64) -> Option<&Route> {
        let on_chain = |route: &&Route| route.chain_id == Some(chain_id);
        self.default_route().filter(on_chain).or_else(|| self.routes.iter().find(on_chain))
    }

    /// The same for a path segment: a chain id as people write it, without sign or leading zeros.
    pub fn by_chain_segment(&self, segment: &str) -> Option<&Route> {
        let plain = segment.bytes().all(|byte| byte.is_ascii_digit()) && !segment.starts_with('0');
        self.by_chain(segment.parse().ok().filter(|_| plain)?)
    }

    /// Why every route fails: what is wrong with `SERVICE`.
    pub fn service_fault(&self) -> Option<&Fault> {
        self.faults.iter().find(|fault| fault.route.is_none())
    }

    /// Why this route fails: the fault of `SERVICE`, else the route's own.
    pub fn fault_of(&self, route: &str) -> Option<&Fault> {
        let own = || self.faults.iter().find(|fault| fault.route.as_deref() == Some(route));
        self.service_fault().or_else(own)
    }
}
