//! Keys that stand in the file where a secret's name should.

use serde_json::Value;

/// Letters and digits in a row that no word has.
const RUN_MIN: usize = 12;
/// Characters of a key in letters of both cases, whatever stands between them.
const MIXED_MIN: usize = 20;
/// Query parameters that hold keys.
const PARAMETERS: [&str; 8] =
    ["key", "apikey", "api_key", "api-key", "token", "auth", "secret", "dkey"];

/// Full path of every `url` and header value of a route with a key in it.
pub(crate) fn keys(variable: &str, json: &str) -> Vec<String> {
    let table: Value = serde_json::from_str(json).unwrap_or_default();
    let endpoints = table.get("endpoints").and_then(Value::as_array).into_iter().flatten();
    endpoints
        .enumerate()
        .flat_map(|(index, endpoint)| {
            of_endpoint(endpoint, &format!("{variable}.endpoints[{index}]"))
        })
        .collect()
}

fn of_endpoint(endpoint: &Value, path: &str) -> Vec<String> {
    let url = endpoint.get("url").and_then(Value::as_str).unwrap_or_default();
    let mut found: Vec<_> = url_has_key(url).then(|| format!("{path}.url")).into_iter().collect();
    let headers = endpoint.get("headers").and_then(Value::as_object).into_iter().flatten();
    found.extend(headers.filter_map(|(name, value)| {
        let mut words = value.as_str()?.split_ascii_whitespace();
        words.any(looks_like_key).then(|| format!("{path}.headers.{name}"))
    }));
    found
}

fn url_has_key(url: &str) -> bool {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let (before, query) = rest.split_once('?').unwrap_or((rest, ""));
    before.split(['/', '.', ':', ';']).any(looks_like_key)
        || query.split('&').filter_map(|pair| pair.split_once('=')).any(|(name, value)| {
            let named = PARAMETERS.contains(&name.to_ascii_lowercase().as_str());
            looks_like_key(value) || named && !value.is_empty() && !value.contains("${")
        })
}

/// A long run of letters and digits, or a long mix of both cases and digits.
fn looks_like_key(part: &str) -> bool {
    if part.contains("${") {
        return false;
    }
    let digits = |text: &str| text.bytes().filter(u8::is_ascii_digit).count();
    let has = |test: fn(&u8) -> bool| part.as_bytes().iter().any(test);
    let run = |run: &str| {
        run.len() >= RUN_MIN && digits(run) >= 2 && run.bytes().any(|b| b.is_ascii_alphabetic())
    };
    part.split(|c: char| !c.is_ascii_alphanumeric()).any(run)
        || part.len() >= MIXED_MIN
            && has(u8::is_ascii_lowercase)
            && has(u8::is_ascii_uppercase)
            && has(u8::is_ascii_digit)
}
