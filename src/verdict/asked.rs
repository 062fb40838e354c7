//! What was asked, as far as an answer may have to do with it.

use std::cell::OnceCell;

use super::pattern;
use crate::method::Operation;

/// Deepest nesting of `params` that every JSON reader takes.
const PLAIN_DEPTH: u32 = 32;

/// The caller's method and parameters.
pub(crate) struct Asked<'a> {
    pub(crate) method: &'a str,
    params: &'a str,
    /// Both in lower case, escapes decoded: built when a row first needs it.
    words: OnceCell<String>,
}

impl<'a> Asked<'a> {
    pub(crate) fn new(operation: &Operation<'a>) -> Self {
        let params = operation.params.unwrap_or_default();
        Self { method: operation.method, params, words: OnceCell::new() }
    }

    /// Whether the caller wrote these words, so that finding them in an answer shows nothing.
    pub(crate) fn says(&self, pattern: &str) -> bool {
        let words = self.words.get_or_init(|| {
            format!("{} {}", self.method, unescaped(self.params)).to_ascii_lowercase()
        });
        pattern::found(pattern.trim_matches(['^', '$']), words)
    }

    pub(crate) fn is_for_logs(&self) -> bool {
        self.method.ends_with("getLogs")
            || matches!(self.method, "eth_newFilter" | "eth_getFilterLogs" | "trace_filter")
    }

    pub(crate) fn is_for_traces(&self) -> bool {
        self.method.starts_with("debug_") || self.method.contains("trace")
    }

    pub(crate) fn is_for_pending(&self) -> bool {
        self.params.contains("\"pending\"")
    }

    /// Plain ASCII without escapes, not deeply nested: a reader that cannot parse this is broken.
    pub(crate) fn is_plain(&self) -> bool {
        let plain = |byte: u8| (b' '..0x7f).contains(&byte) && byte != b'\\';
        self.params.bytes().all(plain) && depth(self.params) <= PLAIN_DEPTH
    }
}

/// Whether a request, JSON text, is one that a filter in front of an endpoint may take for an attack:
/// strings of nodes' requests are names, tags and hex.
pub fn looks_odd(request: &str) -> bool {
    let tame = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte);
    let mut strings = request.split('"').skip(1).step_by(2);
    request.contains('\\') || strings.any(|text| text.contains("..") || !text.bytes().all(tame))
}

/// Deepest nesting of JSON text, brackets inside strings included.
fn depth(json: &str) -> u32 {
    let mut depth = 0_u32;
    json.bytes().fold(0, |deepest, byte| {
        match byte {
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest.max(depth)
    })
}

/// JSON text with `\uXXXX` and one-letter escapes decoded as far as words are concerned.
fn unescaped(json: &str) -> String {
    let mut parts = json.split('\\');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let code = part.strip_prefix('u').and_then(|rest| rest.split_at_checked(4));
        let decoded = code.and_then(|(hex, rest)| {
            Some((char::from_u32(u32::from_str_radix(hex, 16).ok()?)?, rest))
        });
        if let Some((letter, rest)) = decoded {
            text.push(letter);
            text.push_str(rest);
        } else {
            text.push_str(part.strip_prefix(['n', 't', 'r']).unwrap_or(part));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::looks_odd;

    #[test]
    fn what_nodes_are_asked_is_not_odd() {
        for (request, odd) in [
            (
                r#"{"jsonrpc":"2.0", "id": "a-1" ,"method":"eth_call","params":[{"to":"0x1"},"latest"]}"#,
                false,
            ),
            (
                r#"[{"id":1.5e3,"method":"eth_getLogs","params":[{"topics":[null,["0x2"]]}]}]"#,
                false,
            ),
            (r#"{"params":["<script>"]}"#, true),
            (r#"{"params":["../etc"]}"#, true),
            (r#"{"params":["union select"]}"#, true),
            (r#"{"params":["\u003cscript"]}"#, true),
            (r#"{"id":"' or 1=1 --"}"#, true),
        ] {
            assert_eq!(looks_odd(request), odd, "{request}");
        }
    }
}
