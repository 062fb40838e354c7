//! Headers that an endpoint is sent.

use std::collections::BTreeMap;

use super::remark::{Reading, Remark, shown};
use super::template::{Filled, Secrets, fill, no_secrets};

/// Headers that the runtime or Breakwater sets: configured ones would be ignored, or break requests.
const TAKEN: [&str; 6] =
    ["connection", "content-length", "content-type", "host", "transfer-encoding", "upgrade"];

/// A header with its secrets put in.
pub(super) struct Header {
    pub(super) name: String,
    pub(super) value: Filled,
}

pub(super) fn build(raw: BTreeMap<String, String>, secrets: Secrets<'_>) -> Reading<Vec<Header>> {
    let mut headers: Vec<Header> = Vec::new();
    for (name, text) in raw {
        let at = |why| Remark::at(path(&name), why);
        check_name(&name).map_err(at)?;
        if headers.iter().any(|header| header.name.eq_ignore_ascii_case(&name)) {
            return Err(at("is given twice: the case of a header's name does not count"));
        }
        let value = fill(&text, secrets).map_err(at)?;
        check_value(&value).map_err(at)?;
        headers.push(Header { name, value });
    }
    Ok(headers)
}

/// Path of a header's key, relative to its endpoint.
pub(super) fn path(name: &str) -> String {
    format!("headers.{}", shown(name))
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
