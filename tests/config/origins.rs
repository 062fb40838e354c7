//! Which origins a rule of `allowed_origins` covers.

use breakwater::config::OriginRule;

use crate::accepted::SMALL;
use crate::{config, fault};

fn toml(origin: &str) -> String {
    format!("[SERVICE]\nallowed_origins = [\"{origin}\"]\n{SMALL}")
}

fn rule(origin: &str) -> OriginRule {
    config(&toml(origin)).service.allowed_origins.remove(0)
}

#[test]
fn rules_cover_what_they_say_and_no_more() {
    let cases: [(&str, &[&str], &[&str]); 7] = [
        ("*", &["https://a.example", "null", "chrome-extension://abc"], &[]),
        (
            "extensions",
            &["chrome-extension://abc", "moz-extension://1-2", "safari-web-extension://A-B"],
            &["https://a.example", "chrome-extension://", "chrome-extension://a/b", "null"],
        ),
        (
            "https://App.example.org",
            &["https://app.example.org", "https://APP.example.org"],
            &[
                "http://app.example.org",
                "https://app.example.org:8443",
                "https://x.app.example.org",
                "https://app.example.org.evil.example",
                "https://app.example.or",
            ],
        ),
        ("https://a.example:443", &["https://a.example"], &["https://a.example:443"]),
        ("http://localhost:5173", &["http://localhost:5173"], &["http://localhost"]),
        (
            "https://*.example.org",
            &["https://a.example.org", "https://a.b.example.org", "https://A.Example.org"],
            &[
                "https://example.org",
                "https://.example.org",
                "https://a..example.org",
                "https://evilexample.org",
                "http://a.example.org",
                "https://a.example.org:8443",
                "https://evil.example:1.example.org",
                "https://evil.example/.example.org",
                "https://user@a.example.org",
                "https://a.example.org.evil.example",
            ],
        ),
        (
            "https://*.example.org:8443",
            &["https://a.example.org:8443"],
            &["https://a.example.org", "https://a.example.org:84430"],
        ),
    ];
    for (text, covered, others) in cases {
        let rule = rule(text);
        for origin in covered {
            assert!(rule.allows(origin), "{text} must cover {origin}");
        }
        for origin in others {
            assert!(!rule.allows(origin), "{text} must not cover {origin}");
        }
    }
}

#[test]
fn one_extension_may_be_listed() {
    let rule = rule("chrome-extension://nkbihfbeogaeaoehlefnkodbefgpgknn");
    assert!(rule.allows("chrome-extension://nkbihfbeogaeaoehlefnkodbefgpgknn"));
    assert!(!rule.allows("chrome-extension://other"));
}

#[test]
fn an_empty_list_covers_nobody() {
    let config = config(&format!("[SERVICE]\nallowed_origins = []\n{SMALL}"));
    assert_eq!((config.faults.len(), config.service.allowed_origins.len()), (0, 0));
}

#[test]
fn malformed_rules_are_refused() {
    let malformed = [
        "",
        "app.example.org",
        "*.example.org",
        "https://",
        "https://*",
        "https://*.",
        "https://*foo.example.org",
        "https://a.*.example.org",
        "https://*.*.example.org",
        "https://app.example.org/",
        "https://app.example.org/path",
        "https://app.example.org:0",
        "https://app.example.org:x",
        "https://user@app.example.org",
        "https://a b.example",
        "ftp://app.example.org",
        "chrome-extension://",
        "null",
    ];
    for origin in malformed {
        let (route, message) = fault(&toml(origin));
        assert_eq!(route, None, "{origin}");
        let start = "SERVICE.allowed_origins[0]: must be \"*\", \"extensions\", an origin";
        assert!(message.starts_with(start), "{origin}: {message}");
    }
    let message = fault(&toml("https://${RPC_TOKEN}.example.org")).1;
    assert!(message.starts_with("SERVICE.allowed_origins[0]: cannot hold ${NAME}"), "{message}");
}
