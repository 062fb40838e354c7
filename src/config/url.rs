//! Which endpoint URLs are accepted. Far less than the WHATWG parser takes, so that both always
//! agree on scheme and host, and none is taken that the runtime could not ask.

use std::net::{Ipv4Addr, Ipv6Addr};

/// What has to be known of a good URL.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Url {
    /// In lower case, without port; IPv6 in brackets.
    pub(super) host: String,
    /// The host is an address outside loopback, which only local workerd reaches.
    pub(super) ip_literal: bool,
    /// What follows host and port.
    pub(super) path_and_query: String,
}

/// The error says what is wrong, never with what.
pub(super) fn check(url: &str) -> Result<Url, &'static str> {
    if !url.chars().all(|c| c.is_ascii_alphanumeric() || "-._~:/?#[]@!$&'()*+,;=%".contains(c)) {
        return Err("holds a character that a URL cannot have (a secret is written ${NAME})");
    }
    let (scheme, rest) = url.split_once("://").ok_or("must be a whole URL, https://…")?;
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, path_and_query) = rest.split_at_checked(end).unwrap_or((rest, ""));
    if path_and_query.contains('#') {
        return Err("must not have a #fragment, which is never sent");
    }
    let host = host(authority)?;
    if host.split('.').any(|label| label.starts_with("xn--")) {
        return Err("must not have an international host (xn--), which is not checked here");
    }
    check_scheme(&scheme.to_ascii_lowercase(), is_loopback(&host))?;
    let ip_literal = is_address(&host) && !is_loopback(&host);
    Ok(Url { host, ip_literal, path_and_query: path_and_query.into() })
}

/// The leading part that is a URL of its own when no secret stands before the end of the host:
/// it can be checked while the secrets are not bound.
pub(super) fn literal_base(template: &str) -> Option<&str> {
    let literal = template.split("${").next()?;
    let (_, rest) = literal.split_once("://")?;
    rest.contains(['/', '?']).then_some(literal)
}

fn check_scheme(scheme: &str, loopback: bool) -> Result<(), &'static str> {
    match scheme {
        "https" => Ok(()),
        "http" if loopback => Ok(()),
        "ws" | "wss" => Err("must be https: WebSocket upstreams are not asked"),
        _ => Err("must be https (http is accepted for loopback only)"),
    }
}

/// The host of `host` or `host:port`, in lower case.
pub(super) fn host(authority: &str) -> Result<String, &'static str> {
    if authority.contains('@') {
        return Err("must not hold a user name or password: use headers");
    }
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => (host, Some(port)),
        Some(_) | None => (authority, None),
    };
    if port.is_some_and(|port| !is_port(port)) {
        return Err("must have a port from 1 to 65535, or none");
    }
    if host.is_empty() {
        return Err("must have a host");
    }
    let host = host.to_ascii_lowercase();
    let fits = if is_numeric(&host) { ipv4(&host).is_some() } else { is_name(&host) };
    if fits || ipv6(&host).is_some() { Ok(host) } else { Err("must have a valid host") }
}

fn is_port(port: &str) -> bool {
    port.bytes().all(|b| b.is_ascii_digit()) && port.parse::<u16>().is_ok_and(|port| port > 0)
}

/// A DNS name or an IPv4 address.
pub(super) fn is_name(host: &str) -> bool {
    let label = |label: &str| {
        !label.is_empty()
            && label.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_')
    };
    host.len() <= 253 && host.strip_suffix('.').unwrap_or(host).split('.').all(label)
}

/// Ends in a number, and so is read as an IPv4 address or not at all. Spellings of one other than four
/// numbers (`0x7f.1`, `2130706433`) are not taken.
fn is_numeric(host: &str) -> bool {
    let last = host.strip_suffix('.').unwrap_or(host).rsplit('.').next().unwrap_or_default();
    let hex = |text: &str| text.bytes().all(|b| b.is_ascii_hexdigit());
    last.bytes().all(|b| b.is_ascii_digit()) || last.strip_prefix("0x").is_some_and(hex)
}

fn ipv4(host: &str) -> Option<Ipv4Addr> {
    host.parse().ok()
}

/// In brackets.
fn ipv6(host: &str) -> Option<Ipv6Addr> {
    host.strip_prefix('[')?.strip_suffix(']')?.parse().ok()
}

fn is_address(host: &str) -> bool {
    ipv4(host).is_some() || ipv6(host).is_some()
}

fn is_loopback(host: &str) -> bool {
    host == "localhost"
        || host.ends_with(".localhost")
        || ipv4(host).is_some_and(|address| address.is_loopback())
        || ipv6(host).is_some_and(|address| address.is_loopback())
}
