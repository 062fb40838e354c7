//! Whose requests are counted together where a route has a limit per caller.

use std::net::IpAddr;

use alloy_primitives::{Keccak256, hex};

use super::access::Caller;
use crate::config::Service;

/// Bytes of the hash that are kept: nobody meets another's count by chance.
const KEPT: usize = 12;

/// A caller's name for the counter: of his client key, else of his address (`cf-connecting-ip`; of
/// IPv6 the /64). A key that is none of ours says nothing, or everybody could count anew with each
/// request. Whoever shows neither shares one name with all who do so.
///
/// A hash, so that neither key nor address is handed to anything.
pub fn caller(service: &Service, caller: Caller<'_>, address: Option<&str>) -> String {
    let mut hash = Keccak256::new();
    match (caller.known_key(service), address.and_then(|address| address.parse().ok())) {
        (Some(key), _) => {
            hash.update(b"key ");
            hash.update(key);
        }
        (None, Some(IpAddr::V4(v4))) => hash.update(v4.octets()),
        (None, Some(IpAddr::V6(v6))) => {
            let [first, second, third, fourth, ..] = v6.segments();
            for part in [first, second, third, fourth] {
                hash.update(part.to_be_bytes());
            }
        }
        (None, None) => hash.update(b"nobody"),
    }
    hex::encode(hash.finalize().get(..KEPT).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(key: Option<&str>, address: Option<&str>) -> String {
        let service = Service { client_keys: vec!["k1".into(), "k2".into()], ..Service::default() };
        caller(&service, Caller { api_key: key, ..Caller::default() }, address)
    }

    #[test]
    fn a_key_goes_before_an_address() {
        assert_eq!(of(Some("k1"), Some("203.0.113.7")), of(Some("k1"), Some("203.0.113.8")));
        assert_ne!(of(Some("k1"), None), of(Some("k2"), None));
        assert_eq!(of(Some("k1"), None).len(), 2 * KEPT);
        let service = Service { client_keys: vec!["k1".into()], ..Service::default() };
        let bearer = Caller { authorization: Some("Bearer k1"), ..Caller::default() };
        let path = Caller { path_key: Some("k1"), api_key: Some("other"), ..Caller::default() };
        for shown in [bearer, path] {
            assert_eq!(caller(&service, shown, Some("203.0.113.7")), of(Some("k1"), None));
        }
    }

    #[test]
    fn made_up_keys_count_for_the_address() {
        let own = of(None, Some("203.0.113.7"));
        assert_eq!(of(Some("made up"), Some("203.0.113.7")), own);
        assert_ne!(of(None, Some("203.0.113.8")), own);
    }

    #[test]
    fn a_household_is_one_caller_by_ipv6() {
        let own = of(None, Some("2001:db8:1:2::7"));
        assert_eq!(of(None, Some("2001:db8:1:2:ffff::1")), own);
        assert_ne!(of(None, Some("2001:db8:1:3::7")), own);
    }

    #[test]
    fn nobody_is_one_caller() {
        assert_eq!(of(None, None), of(Some("made up"), Some("no address")));
    }
}
