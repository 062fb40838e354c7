//! `GET /` and `GET /{route}`: the page for a browser, the status JSON for everybody else.

use worker::web_sys::Response;

use super::visit::Visit;
use super::{pages, respond};
use crate::config::Route;
use crate::http::cors;
use crate::http::page::{DOCUMENT, HTML, POLICY, TAG, wants_html};

/// Which of the two, for one route or all.
pub(super) async fn serve(visit: &Visit, route: Option<&Route>) -> worker::Result<Response> {
    if !wants_html(visit.header("accept").as_deref()) {
        return pages::status(visit, route).await;
    }
    let varies = cors::varies(&visit.isolate.config.service);
    let headers = [
        ("content-type", HTML),
        ("content-security-policy", POLICY),
        ("cache-control", "no-cache"),
        ("etag", TAG),
        // JSON is at this path too. Takes the place of what CORS says.
        ("vary", if varies { "Accept, Origin" } else { "Accept" }),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
    ];
    let headers = headers.map(|(name, value)| (name, value.to_owned())).to_vec();
    if visit.header("if-none-match").is_some_and(|tags| tags.contains(TAG)) {
        return respond::empty(visit, 304, &headers);
    }
    respond::bytes(visit, 200, DOCUMENT.as_bytes(), &headers)
}
