//! Puts the caller's id around an upstream's `result` or `error`, whose bytes stay as they came.

/// What an answer carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Payload<'a> {
    /// JSON text of `result`.
    Result(&'a str),
    /// JSON text of `error`.
    Error(&'a str),
}

/// A whole answer under the caller's id, both JSON text.
pub fn answer(id: &str, payload: Payload<'_>) -> String {
    let (member, text) = match payload {
        Payload::Result(text) => ("result", text),
        Payload::Error(text) => ("error", text),
    };
    let mut out = String::with_capacity(id.len() + text.len() + 40);
    for part in [r#"{"jsonrpc":"2.0","id":"#, id, ",\"", member, "\":", text, "}"] {
        out.push_str(part);
    }
    out
}

/// The beginning of an answer whose result goes on after `bytes`, to the end of the upstream's body:
/// they may end within a letter.
pub fn begin_of_result(id: &str, bytes: &[u8]) -> Vec<u8> {
    [br#"{"jsonrpc":"2.0","id":"#, id.as_bytes(), br#","result":"#, bytes].concat()
}

/// A successful answer of our own whose result is a string that needs no escaping.
pub fn string_result(id: &str, plain: &str) -> String {
    answer(id, Payload::Result(&format!("\"{plain}\"")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_stay_as_they_came() {
        let result = r#"{ "b":1.0,  "a" : [ ] }"#;
        assert_eq!(
            answer("\"x\"", Payload::Result(result)),
            format!(r#"{{"jsonrpc":"2.0","id":"x","result":{result}}}"#)
        );
        assert_eq!(
            answer("null", Payload::Error("{}")),
            r#"{"jsonrpc":"2.0","id":null,"error":{}}"#
        );
    }

    #[test]
    fn a_beginning_may_end_within_a_letter() {
        let begin = begin_of_result("7", b"\"\xe7\x95");
        assert_eq!(begin, b"{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":\"\xe7\x95");
    }
}
