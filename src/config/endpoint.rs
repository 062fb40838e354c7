//! One entry of `endpoints`.

use std::cmp::Reverse;

use super::check::{millis, required, within};
use super::headers::{self, Header};
use super::remark::{Reading, Remark, Under};
use super::template::{Filled, Secrets, fill};
use super::url::{self, Url};
use super::{Endpoint, methods, names, raw};

/// Parts of URLs and header values that are shorter are words, not keys, and are not redacted.
const MIN_REDACTED: usize = 12;

/// An endpoint, and what to tell the operator about it.
pub(super) struct Built {
    pub(super) endpoint: Endpoint,
    pub(super) notices: Vec<Remark>,
}

/// Reads `raw`; `earlier` are the endpoints before it.
pub(super) fn build(
    raw: raw::Endpoint,
    earlier: &[Endpoint],
    secrets: Secrets<'_>,
) -> Reading<Built> {
    let mut endpoint = Endpoint {
        name: name(&required("name", raw.name.0)?, earlier)?,
        url: String::new(),
        host: String::new(),
        headers: Vec::new(),
        secrets: Vec::new(),
        bound: false,
        attempt_timeout_ms: raw
            .attempt_timeout_ms
            .0
            .map(|ms| millis("attempt_timeout_ms", ms))
            .transpose()?,
        batch_max: raw.batch_max.0.map(|n| within("batch_max", n, 1..=10_000)).transpose()?,
        private: raw.private,
        methods: methods::build(raw.methods.0).under("methods")?,
    };
    let template = required("url", raw.url.0)?;
    let target = fill(&template, secrets).map_err(at_url)?;
    let headers = headers::build(raw.headers, secrets)?;
    let mut notices = unbound(&target, &headers);
    if notices.is_empty() {
        let url = url::check(&target.text).map_err(at_url)?;
        notices.extend(url.ip_literal.then(|| at_url("IP-literal URLs work only locally")));
        endpoint.bind(target, url, headers);
    } else if let Some(base) = url::literal_base(&template) {
        url::check(base).map_err(at_url)?;
    }
    Ok(Built { endpoint, notices })
}

fn at_url(text: &'static str) -> Remark {
    Remark::at("url", text)
}

fn name(text: &str, earlier: &[Endpoint]) -> Reading<String> {
    let at = |why: String| Remark::at("name", why);
    let name = names::endpoint(text).map_err(|why| at(why.into()))?;
    match earlier.iter().position(|endpoint| endpoint.name == name) {
        Some(index) => Err(at(format!("is the name of endpoints[{index}] already"))),
        None => Ok(name.into()),
    }
}

/// One remark for each secret that is missing.
fn unbound(target: &Filled, headers: &[Header]) -> Vec<Remark> {
    let of_url = target.missing.iter().map(|secret| ("url".to_owned(), secret));
    let of_headers = headers.iter().flat_map(|header| {
        header.value.missing.iter().map(|secret| (headers::path(&header.name), secret))
    });
    let remark = |(path, secret): (String, &String)| {
        Remark::at(path, format!("the secret {secret} is not bound, so this endpoint is left out"))
    };
    of_url.chain(of_headers).map(remark).collect()
}

impl Endpoint {
    fn bind(&mut self, target: Filled, url: Url, headers: Vec<Header>) {
        self.secrets = target.values;
        self.url = target.text;
        self.host = url.host;
        for Header { name, value } in headers {
            self.secrets.extend(value.values);
            self.headers.push((name, value.text));
        }
        self.secrets.extend(telling_parts(&url.path_and_query, &self.headers));
        self.secrets.sort_by(|a, b| (Reverse(a.len()), a).cmp(&(Reverse(b.len()), b)));
        self.secrets.dedup();
        self.bound = true;
    }
}

/// What may be a key although no secret was named for it: long parts of path, query and headers.
fn telling_parts(path_and_query: &str, headers: &[(String, String)]) -> Vec<String> {
    let of_url = path_and_query.split(['/', '?', '&', '=', ';']);
    let of_headers = headers.iter().flat_map(|(_, value)| value.split_ascii_whitespace());
    let long = |part: &&str| part.len() >= MIN_REDACTED;
    of_url.chain(of_headers).filter(long).map(str::to_owned).collect()
}
