//! Where a facilitator listens.

/// `host:port` of an endpoint's URL, as a socket takes it.
pub fn address(url: &str) -> Option<String> {
    let (scheme, rest) = url.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    let port = if scheme.eq_ignore_ascii_case("http") { 80 } else { 443 };
    let named = authority.rsplit_once(':').is_some_and(|(_, port)| !port.ends_with(']'));
    Some(if named { authority.to_owned() } else { format!("{authority}:{port}") })
}

#[cfg(test)]
mod tests {
    use super::address;

    #[test]
    fn ports_are_those_of_the_url() {
        for (url, found) in [
            ("https://f.example", "f.example:443"),
            ("https://f.example/a:1", "f.example:443"),
            ("https://f.example?k=a:1", "f.example:443"),
            ("https://f.example:8443/v2", "f.example:8443"),
            ("http://localhost", "localhost:80"),
            ("https://[::1]", "[::1]:443"),
            ("http://[::1]:8080/", "[::1]:8080"),
        ] {
            assert_eq!(address(url).as_deref(), Some(found));
        }
        assert_eq!(address("f.example"), None);
    }
}
