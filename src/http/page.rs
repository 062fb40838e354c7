//! The status page: one document that brings its style and script along, the same for every route.
//! It holds no data: its script asks for the status JSON at the page's own path, so it works
//! wherever that path does, and nothing of a route is ever put into HTML here.
//!
//! `scripts/page.mjs` makes it of what is in `src/page`, as part of the build of the Worker; other
//! builds of this crate serve nobody and go without.

#[cfg(feature = "page")]
macro_rules! made {
    ($name:literal, $otherwise:literal) => {
        include_str!(concat!("../../build/page/", $name))
    };
}
#[cfg(not(feature = "page"))]
macro_rules! made {
    ($name:literal, $otherwise:literal) => {
        $otherwise
    };
}

/// The document.
pub const DOCUMENT: &str = made!("page.html", "<!doctype html><title>Breakwater</title>");
/// Its `Content-Security-Policy`: it may run its own script and style, told by their hashes, ask
/// this Worker, and draw its icon. No text can become markup, not even by its own doing.
pub const POLICY: &str = made!("policy.txt", "default-src 'none'");
/// Its `ETag`.
pub const TAG: &str = made!("etag.txt", "\"none\"");
/// Its `Content-Type`.
pub const HTML: &str = "text/html; charset=utf-8";

/// Whether somebody who sent this `Accept` wants HTML: names it, and prefers no JSON.
pub fn wants_html(accept: Option<&str>) -> bool {
    let accept = accept.unwrap_or_default();
    let html = weight(accept, "text/html");
    html > 0 && html >= weight(accept, "application/json")
}

/// Weight of a media type that is named, in thousandths; 0 when it is not.
fn weight(accept: &str, media_type: &str) -> u32 {
    let range = accept.split(',').find_map(|range| {
        let (name, parameters) = range.split_once(';').unwrap_or((range, ""));
        name.trim().eq_ignore_ascii_case(media_type).then_some(parameters)
    });
    let Some(parameters) = range else { return 0 };
    let q = parameters.split(';').find_map(|parameter| parameter.trim().strip_prefix("q="));
    q.map_or(1000, thousandths)
}

/// `0.25` is 250. The standard library's reader of fractions would cost the upload 20 KB.
fn thousandths(text: &str) -> u32 {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let part = format!("{part:0<3}");
    match whole {
        "1" => 1000,
        "0" => part.get(..3).and_then(|digits| digits.parse().ok()).unwrap_or(0),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_gets_html_and_everybody_else_json() {
        for (accept, html) in [
            (Some("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"), true),
            (Some("Text/HTML"), true),
            (Some("application/json;q=0.9, text/html"), true),
            (Some("text/html;level=1;q=0.5"), true),
            (None, false),
            (Some(""), false),
            (Some("*/*"), false),
            (Some("application/json"), false),
            (Some("application/json, text/html;q=0.9"), false),
            (Some("text/html;q=1.000, application/json;q=1"), true),
            (Some("text/html;q=0.001, application/json;q=0.0"), true),
            (Some("text/html;q=0.25, application/json;q=0.3"), false),
            (Some("text/html;q=0"), false),
            (Some("text/html;q=0.é"), false),
            (Some("text/html;q=2"), false),
            (Some("text/html;q=no"), false),
            (Some("text/htmlx, text/*"), false),
        ] {
            assert_eq!(wants_html(accept), html, "{accept:?}");
        }
    }
}
