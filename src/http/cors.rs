//! CORS: exactly one `Access-Control-Allow-Origin` on each answer to an allowed origin, errors
//! included, or the browser hides the reason from the page.

use super::access::allows;
use crate::config::{OriginRule, Service};

/// Headers that pages may read.
const EXPOSED: &str = "x-breakwater-endpoint, x-breakwater-attempts, x-breakwater-reason, \
     x-breakwater-quorum, server-timing";

/// How long a browser may remember a preflight, in seconds: Chromium's own cap.
const MAX_AGE_S: &str = "7200";

/// Whether [`answer`] depends on the origin.
pub fn varies(service: &Service) -> bool {
    !service.allowed_origins.contains(&OriginRule::Any)
}

/// Headers for an answer to a request from this origin.
pub fn answer(service: &Service, origin: Option<&str>) -> Vec<(&'static str, String)> {
    if !varies(service) {
        return vec![
            ("access-control-allow-origin", "*".to_owned()),
            ("access-control-expose-headers", EXPOSED.to_owned()),
        ];
    }
    let mut headers = vec![("vary", "Origin".to_owned())];
    if let Some(origin) = origin.filter(|origin| allows(service, origin)) {
        headers.push(("access-control-allow-origin", origin.to_owned()));
        headers.push(("access-control-expose-headers", EXPOSED.to_owned()));
    }
    headers
}

/// Headers for a preflight on top of [`answer`]; `asked` is `Access-Control-Request-Headers`.
pub fn preflight(asked: Option<&str>) -> Vec<(&'static str, String)> {
    let asked = asked.filter(|asked| !asked.trim().is_empty());
    let allowed = asked.unwrap_or("content-type, authorization, x-api-key");
    vec![
        ("access-control-allow-methods", "GET, POST, OPTIONS".to_owned()),
        ("access-control-allow-headers", allowed.to_owned()),
        ("access-control-max-age", MAX_AGE_S.to_owned()),
    ]
}
