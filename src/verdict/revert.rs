//! Revert bytes, wherever clients and gateways put them.
//!
//! The only thing ever read in an error's `data`. Finding them makes the error the chain's answer;
//! nothing found here can make it anything worse.

use crate::json::members;
use crate::json::scan::Span;
use crate::rpc::reply::string;

/// `Error(string)` and `Panic(uint256)`: unmistakable anywhere.
const KNOWN: &[&str] = &["0x08c379a0", "0x4e487b71"];

/// How deep wrappers may wrap.
const DEPTH: u32 = 4;

/// The code, and the members in which wrappers keep the inner error or its bytes.
const MEMBERS: [&str; 4] = ["code", "data", "result", "originalError"];

/// Whether an error's `data` holds revert bytes: as a string (`0x…`, `Reverted 0x…`), under
/// `data` or `originalError`, in JSON inside a string, or a known selector anywhere.
pub(crate) fn holds_revert(data: Span<'_>) -> bool {
    let json = data.get();
    KNOWN.iter().any(|selector| json.contains(selector)) || inside(json, DEPTH)
}

fn inside(json: &str, depth: u32) -> bool {
    if depth == 0 {
        return false;
    }
    match json.bytes().next() {
        Some(b'"') => string(json).is_some_and(|text| {
            is_revert_text(&text) || (text.starts_with('{') && inside(&text, depth - 1))
        }),
        Some(b'{') => {
            let members = members::strict(json, MEMBERS);
            let [code, inner @ ..] = members.unwrap_or_default();
            code.is_some_and(|code| code.get() == "3")
                || inner.into_iter().flatten().any(|inner| inside(inner.get(), depth - 1))
        }
        _ => false,
    }
}

/// `0x` and a selector with whole words behind it, or any bytes behind the word `Reverted`.
fn is_revert_text(text: &str) -> bool {
    let Some((before, hex)) = text.split_once("0x") else { return false };
    let before = before.trim().to_ascii_lowercase();
    let all_hex = hex.bytes().all(|byte| byte.is_ascii_hexdigit());
    match before.as_str() {
        "" => all_hex && hex.len() > 8 && hex.len() % 64 == 8,
        _ => all_hex && before.starts_with("revert"),
    }
}
