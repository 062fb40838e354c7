//! Who sends a transaction, as far as we remember it: enough to know the same caller again for two
//! minutes, and nothing that leads back to an address.

use std::net::IpAddr;

use alloy_primitives::Keccak256;

use crate::config::Route;

/// Bytes of the hash that are kept.
const KEPT: usize = 4;

/// A caller's address (`cf-connecting-ip`; of IPv6 the /64) as a short keyed hash; `None` for what
/// is no address. The key is what only this deployment's isolates share: the URLs of the route's
/// endpoints, secrets included.
pub fn client(address: &str, route: &Route) -> Option<String> {
    let mut hash = Keccak256::new();
    for endpoint in &route.endpoints {
        hash.update(endpoint.fingerprint().to_be_bytes());
    }
    match address.parse().ok()? {
        IpAddr::V4(v4) => hash.update(v4.octets()),
        IpAddr::V6(v6) => hash.update(v6.octets().get(..8)?),
    }
    let kept = hash.finalize();
    Some(alloy_primitives::hex::encode(kept.get(..KEPT)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::parse;

    fn of(address: &str, key: &str) -> Option<String> {
        let json = format!(
            r#"{{"protocol":"evm","chain_id":1,"endpoints":[{{"name":"a","url":"https://a.example.org/{key}"}}]}}"#
        );
        let config = parse(&[("ROUTE_R".to_owned(), json)], &|_| None);
        client(address, &config.routes[0])
    }

    #[test]
    fn the_same_caller_is_known_again_and_nobody_else() {
        let own = of("203.0.113.7", "k").unwrap();
        assert_eq!(own.len(), 8);
        assert_eq!(of("203.0.113.7", "k").as_ref(), Some(&own));
        assert_ne!(of("203.0.113.8", "k").as_ref(), Some(&own));
        assert_ne!(of("203.0.113.7", "other").as_ref(), Some(&own));
        assert_eq!(of("not an address", "k"), None);
    }

    #[test]
    fn a_household_is_one_caller_by_ipv6() {
        assert_eq!(of("2001:db8:1:2::7", "k"), of("2001:db8:1:2:ffff::1", "k"));
        assert_ne!(of("2001:db8:1:2::7", "k"), of("2001:db8:1:3::7", "k"));
    }
}
