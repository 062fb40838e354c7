//! One entry of `endpoints`.

use super::headers::{self, Header};
use super::table::Table;
use super::template::{Filled, Secrets, fill};
use super::url::{self, Url};
use super::{Endpoint, Protocol, methods, names, protocol};

/// Parts of URLs and header values that are shorter are words, not keys, and are not redacted.
const MIN_REDACTED: usize = 12;

/// Reads the table of an endpoint of such a route. `earlier` are the endpoints before it; `notices` takes what the operator should
/// hear of.
pub(super) fn build(
    mut table: Table,
    speaks: Protocol,
    earlier: &[Endpoint],
    secrets: Secrets<'_>,
    notices: &mut Vec<String>,
) -> Result<Endpoint, String> {
    protocol::check_endpoint(&mut table, speaks);
    let name = name(&mut table, earlier);
    let methods = methods::build(table.table("methods"));
    let mut endpoint = Endpoint {
        name,
        url: String::new(),
        host: String::new(),
        headers: Vec::new(),
        forward_headers: forward_headers(&mut table, speaks),
        secrets: Vec::new(),
        bound: false,
        attempt_timeout_ms: table.millis("attempt_timeout_ms"),
        weight: table.count("weight", 1..=100).unwrap_or(1),
        batch_max: table.count("batch_max", 1..=10_000),
        private: table.flag("private").unwrap_or(false),
        archive: table.flag("archive").unwrap_or(false),
        methods: table.adopt(methods).unwrap_or_default(),
    };
    let template = table.required("url").unwrap_or_default();
    let target = table.judge("url", fill(&template, secrets));
    let headers = headers::build(table.table("headers"), secrets);
    let headers = table.adopt(headers).unwrap_or_default();
    headers::check_forwarded(&mut table, &endpoint.forward_headers, &headers);
    *notices = unbound(&table.path_of("url"), &target, &headers);
    if notices.is_empty() {
        let url = table.judge("url", url::check(&target.text));
        if url.ip_literal {
            notices.push(format!("{}: IP-literal URLs work only locally", table.path_of("url")));
        }
        endpoint.bind(target, url, headers);
    } else if let Some(base) = url::literal_base(&template) {
        table.judge("url", url::check(base));
    }
    table.finish()?;
    Ok(endpoint)
}

fn name(table: &mut Table, earlier: &[Endpoint]) -> String {
    let text = table.required("name").unwrap_or_default();
    let name = table.judge("name", names::endpoint(&text));
    if let Some(index) = earlier.iter().position(|endpoint| endpoint.name == name) {
        table.fail("name", &format!("is the name of endpoints[{index}] already"));
    }
    name.to_owned()
}

fn forward_headers(table: &mut Table, speaks: Protocol) -> Vec<String> {
    let names = table.texts("forward_headers");
    if speaks == Protocol::Evm && !names.is_empty() {
        table.fail("forward_headers", "belongs to x402 routes only");
    }
    names
}

/// One sentence for each secret that is missing.
fn unbound(url_path: &str, target: &Filled, headers: &[Header]) -> Vec<String> {
    let of_headers = headers.iter().map(|header| (header.path.as_str(), &header.value));
    let mut notices = Vec::new();
    for (path, filled) in std::iter::once((url_path, target)).chain(of_headers) {
        notices.extend(filled.missing.iter().map(|secret| {
            format!("{path}: the secret {secret} is not bound, so this endpoint is left out")
        }));
    }
    notices
}

impl Endpoint {
    fn bind(&mut self, target: Filled, url: Url, headers: Vec<Header>) {
        self.url = target.text;
        self.host = url.host;
        self.bound = true;
        for value in target.values {
            self.redact(&value);
        }
        for part in url.path_and_query.split(['/', '?', '&', '=', ';']) {
            self.redact_long(part);
        }
        for header in headers {
            for value in &header.value.values {
                self.redact(value);
            }
            for part in header.value.text.split_ascii_whitespace() {
                self.redact_long(part);
            }
            self.headers.push((header.name, header.value.text));
        }
    }

    /// What may be a key although no secret was named for it.
    fn redact_long(&mut self, part: &str) {
        if part.len() >= MIN_REDACTED {
            self.redact(part);
        }
    }

    /// Adds to `secrets`, longest first.
    fn redact(&mut self, part: &str) {
        if !self.secrets.iter().any(|known| known == part) {
            let at = self.secrets.partition_point(|known| known.len() >= part.len());
            self.secrets.insert(at, part.to_owned());
        }
    }
}
