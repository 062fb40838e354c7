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
    if caller.origin.is_some_and(|origin| !allows(service, origin)) {
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
    /// The client key that was shown, if it is one of ours.
    pub(super) fn known_key(self, service: &Service) -> Option<&'a str> {
        self.keys().find(|key| known(service, key))
    }

    fn keys(self) -> impl Iterator<Item = &'a str> {
        [self.authorization.and_then(bearer), self.api_key, self.path_key].into_iter().flatten()
    }
}

/// The token of `Authorization: Bearer <token>`.
pub(super) fn bearer(authorization: &str) -> Option<&str> {
    let (scheme, token) = authorization.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

fn known(service: &Service, key: &str) -> bool {
    // Every key is compared whole, so that the time taken tells nothing about how much matched.
    service.client_keys.iter().fold(false, |found, known| same(known, key) | found)
}

fn same(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |diff, (a, b)| diff | (a ^ b)) == 0
}

/// Whether a header's value is a client key, bare or as a bearer token: it goes no further than us.
pub fn is_key(service: &Service, value: &str) -> bool {
    let caller = Caller { authorization: Some(value), api_key: Some(value), ..Caller::default() };
    caller.keys().any(|key| known(service, key))
}

/// Whether the origin list lets this origin in.
pub fn allows(service: &Service, origin: &str) -> bool {
    service.allowed_origins.iter().any(|rule| rule.allows(origin))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::OriginRule;

    fn service(require_key: bool, origins: Vec<OriginRule>) -> Service {
        Service {
            require_key,
            allowed_origins: origins,
            client_keys: vec!["k1".into(), "k2".into()],
            ..Service::default()
        }
    }

    #[test]
    fn a_key_is_taken_from_three_places() {
        let service = service(true, vec![OriginRule::Any]);
        let nobody = Caller::default();
        for caller in [
            Caller { authorization: Some("Bearer k2"), ..nobody },
            Caller { authorization: Some("bearer  k2"), ..nobody },
            Caller { api_key: Some("k1"), ..nobody },
            Caller { path_key: Some("k1"), ..nobody },
        ] {
            assert_eq!(check(&service, caller, true), Ok(()), "{caller:?}");
        }
        for caller in [
            nobody,
            Caller { authorization: Some("k1"), ..nobody },
            Caller { authorization: Some("Basic k1"), ..nobody },
            Caller { api_key: Some(""), ..nobody },
            Caller { path_key: Some("k"), ..nobody },
            Caller { path_key: Some("k11"), ..nobody },
        ] {
            assert_eq!(check(&service, caller, true), Err(Fault::KeyRefused), "{caller:?}");
            assert_eq!(check(&service, Caller { path_key: None, ..caller }, false), Ok(()));
        }
    }

    #[test]
    fn a_key_is_known_in_whatever_header_it_comes() {
        let service = service(false, vec![]);
        for (value, is) in
            [("k1", true), ("Bearer k2", true), ("bearer k3", false), ("Basic k1", false)]
        {
            assert_eq!(is_key(&service, value), is, "{value}");
        }
    }

    #[test]
    fn a_path_segment_that_is_no_key_leads_nowhere() {
        let service = service(false, vec![OriginRule::Any]);
        let with = |key| Caller { path_key: Some(key), ..Caller::default() };
        assert_eq!(check(&service, with("k1"), true), Ok(()));
        assert_eq!(check(&service, with("nonsense"), true), Err(Fault::NotFound));
    }

    #[test]
    fn only_a_browser_is_asked_for_its_origin() {
        let service = service(false, vec![OriginRule::Exact("https://a.example".into())]);
        let from = |origin| Caller { origin, ..Caller::default() };
        assert_eq!(check(&service, from(None), true), Ok(()));
        assert_eq!(check(&service, from(Some("https://a.example")), true), Ok(()));
        assert_eq!(
            check(&service, from(Some("https://b.example")), true),
            Err(Fault::OriginRefused)
        );
        assert_eq!(check(&service, from(Some("null")), true), Err(Fault::OriginRefused));
    }
}
