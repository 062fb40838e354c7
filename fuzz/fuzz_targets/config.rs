#![no_main]

use breakwater::config::parse;
use url::Url;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    breakwater_fuzz::checks::config::check(data);
    reads_as_a_browser_does(data);
});

/// A URL that is taken leads where the WHATWG's reading of it leads, which is the platform's.
fn reads_as_a_browser_does(data: &[u8]) {
    let url = String::from_utf8_lossy(data);
    let quoted = serde_json::to_string(&url).unwrap_or_default();
    let json = format!(r#"{{"chain_id":1,"endpoints":[{{"name":"a","url":{quoted}}}]}}"#);
    let config = parse(&[("ROUTE_A".to_owned(), json)], &|_| None);
    let Some(endpoint) = config.routes.first().and_then(|route| route.endpoints.first()) else {
        return;
    };
    let read = Url::parse(&endpoint.url).unwrap_or_else(|why| panic!("{why}: {}", endpoint.url));
    let host = read.host_str().unwrap_or_default();
    let is_name = !host.starts_with('[') && !host.ends_with(|c: char| c.is_ascii_digit());
    assert!(!is_name || host == endpoint.host, "{host} is {}", endpoint.host);
    assert!(read.username().is_empty() && read.password().is_none() && read.fragment().is_none());
    assert!(matches!(read.scheme(), "https" | "http"));
}
