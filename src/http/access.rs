//! Who may call: client keys and browser origins.

use crate::config::Service;
use crate::rpc::fault::Fault;

/// What a request showed of its sender.
#[derive(Debug, Clone, Copy, Default)]
pub struct Caller<'a> {
    /// `Origin`.
    pub origin: Option<&'a str>,
    /// `Authorization`.
    pub authorization: Option<&'a str>,
    /// `x-api-key`.
    pub api_key: Option<&'a str>,
    /// Last path segment of `/{route}/{key}`.
    pub path_key: Option<&'a str>,
}

/// Whether the caller may enter; `keyed` marks the doors that a key guards. A path segment that is
/// no key leads nowhere.
pub fn check(service: &Service, caller: Caller<'_>, keyed: bool) -> Result<(), Fault> {
    if caller.origin.is_some_and(|origin| !service.allows_origin(origin)) {
        return Err(Fault::OriginRefused);
    }
    if keyed && service.require_key && !caller.keys().any(|key| known(service, key)) {
        return Err(Fault::KeyRefused);
    }
    if !service.require_key && caller.path_key.is_some_and(|key| !known(service, key)) {
        return Err(Fault::NotFound);
    }
    Ok(())
}

impl<'a> Caller<'a> {
    fn keys(self) -> impl Iterator<Item = &'a str> {
        let bearer = self.authorization.and_then(|value| {
            let (scheme, token) = value.split_once(' ')?;
            scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
        });
        [bearer, self.api_key, self.path_key].into_iter().flatten()
    }
}

fn known(service: &Service, key: &str) -> bool {
    // Every key is compared whole, so that the time taken tells nothing about how much matched.
    service.client_keys.iter().fold(false, |found, known| same(known, key) | found)
}

fn same(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |diff, (a, b)| diff | (a ^ b)) == 0
}
