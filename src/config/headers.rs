//! Headers that an endpoint is sent.

use super::table::Table;
use super::template::{Filled, Secrets, fill, no_secrets};

/// Headers that the runtime or Breakwater sets: configured ones would be ignored, or break requests.
const TAKEN: [&str; 6] =
    ["connection", "content-length", "content-type", "host", "transfer-encoding", "upgrade"];

/// Headers of a caller that no endpoint may get: they are about one connection, or about this place.
const KEPT: [&str; 10] = [
    "accept-encoding",
    "cookie",
    "expect",
    "keep-alive",
    "origin",
    "proxy-authenticate",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
];

/// A header with its secrets put in.
pub(super) struct Header {
    pub(super) path: String,
    pub(super) name: String,
    pub(super) value: Filled,
}

/// Reads a `headers` table.
pub(super) fn build(mut table: Table, secrets: Secrets<'_>) -> Result<Vec<Header>, String> {
    let mut headers: Vec<Header> = Vec::new();
    for name in table.keys() {
        let text = table.text(&name).unwrap_or_default();
        table.judge(&name, check_name(&name));
        if headers.iter().any(|header| header.name.eq_ignore_ascii_case(&name)) {
            table.fail(&name, "is given twice: the case of a header's name does not count");
        }
        let value = table.judge(&name, fill(&text, secrets));
        table.judge(&name, check_value(&value));
        headers.push(Header { path: table.path_of(&name), name, value });
    }
    table.finish()?;
    Ok(headers)
}

/// Takes down the first name that cannot be passed on from callers, or that is configured as well.
pub(super) fn check_forwarded(table: &mut Table, names: &[String], headers: &[Header]) {
    for (at, name) in names.iter().enumerate() {
        let key = format!("forward_headers[{at}]");
        table.judge(&key, check_name(name));
        if name.bytes().any(|byte| byte.is_ascii_uppercase()) {
            table.fail(&key, "must be in lower case");
        }
        if KEPT.contains(&name.as_str()) || name.starts_with("cf-") {
            table.fail(&key, "is never passed on");
        }
        if names.iter().take(at).any(|earlier| earlier == name) {
            table.fail(&key, "is given twice");
        }
        if headers.iter().any(|header| header.name.eq_ignore_ascii_case(name)) {
            table.fail(&key, "is configured in headers already");
        }
    }
}

fn check_name(name: &str) -> Result<(), &'static str> {
    no_secrets(name)?;
    let token = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
    if name.is_empty() || !name.chars().all(token) {
        return Err("is not a valid header name");
    }
    if TAKEN.iter().any(|taken| taken.eq_ignore_ascii_case(name)) {
        return Err("cannot be configured: it is set for every request");
    }
    Ok(())
}

fn check_value(value: &Filled) -> Result<(), &'static str> {
    if !value.text.chars().all(|c| c == '\t' || c == ' ' || c.is_ascii_graphic()) {
        return Err("is not a valid header value: printable ASCII on one line");
    }
    if value.missing.is_empty() && value.text.trim().is_empty() {
        return Err("is blank");
    }
    Ok(())
}
