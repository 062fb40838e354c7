//! What nearly every request is asked for, fetched at once.

use worker::web_sys::Request;

use super::glue;
use crate::http::access::Caller;

/// Method, URL and some headers of a request: the lines of [`glue::heading`].
pub(super) struct Heading(String);

impl Heading {
    pub(super) fn of(request: &Request) -> Self {
        Self(glue::heading(request))
    }

    pub(super) fn method(&self) -> &str {
        self.line(0)
    }

    pub(super) fn url(&self) -> &str {
        self.line(1)
    }

    pub(super) fn origin(&self) -> Option<&str> {
        self.header(2)
    }

    pub(super) fn authorization(&self) -> Option<&str> {
        self.header(3)
    }

    /// `Content-Length`.
    pub(super) fn length(&self) -> Option<u64> {
        self.header(5)?.parse().ok()
    }

    /// Who asks, by a path that may have ended with a key.
    pub(super) fn caller<'a>(&'a self, path_key: Option<&'a str>) -> Caller<'a> {
        let (authorization, api_key) = (self.authorization(), self.header(4));
        Caller { origin: self.origin(), authorization, api_key, path_key }
    }

    fn header(&self, nth: usize) -> Option<&str> {
        Some(self.line(nth)).filter(|value| !value.is_empty())
    }

    fn line(&self, nth: usize) -> &str {
        self.0.split('\n').nth(nth).unwrap_or_default()
    }
}
