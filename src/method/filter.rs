//! Filters live at the endpoint that made them. The id that a client gets names that endpoint, so
//! any isolate of any region finds it with nothing kept:
//!
//! ```text
//! 0x 6 0 3fa9c1 9ca2…
//!    │ │ │      └ the endpoint's own id
//!    │ │ └ tag of the endpoint
//!    │ └ form of the endpoint's id: 0 as it should be, 1 odd
//!    └ digits of the tag
//! ```
//!
//! It reads as a quantity: hex digits in lower case, no zero in front. Ids of up to 56 digits stay
//! within 256 bits, where some clients' numbers end; geth's have 32.

use alloy_primitives::{hex, keccak256};

use crate::config::{Endpoint, Route};
use crate::json::scan;
use crate::rpc::call::string;

/// Fewest digits of a tag: a made-up one fits one of 16 endpoints once in a million times.
const TAG_MIN: usize = 6;
/// Most digits, so that their number is one digit.
const TAG_MAX: usize = 15;

const PLAIN: &str = "0";
const ODD: &str = "1";

/// Whether the method's result is the id of a new filter.
pub fn makes(method: &str) -> bool {
    matches!(method, "eth_newFilter" | "eth_newBlockFilter" | "eth_newPendingTransactionFilter")
}

/// Whether the method's first parameter is the id of a filter.
pub fn uses(method: &str) -> bool {
    matches!(method, "eth_getFilterChanges" | "eth_getFilterLogs" | "eth_uninstallFilter")
}

/// What nodes answer, as JSON text, where a filter is not there and that is no error: taking it down
/// gives `false`. An error there would end Node.js programs: ethers leaves it unhandled.
pub fn result_without(method: &str) -> Option<&'static str> {
    (method == "eth_uninstallFilter").then_some("false")
}

/// Whether the JSON text of a result is a filter's id: a string of hex digits, in whatever case, with
/// `0x` or without.
pub fn is_id(result: &str) -> bool {
    string(result).is_some_and(|id| is_hex(&id))
}

/// The id for the client, as JSON text, of a filter whose id at `endpoint` is this result; `None`
/// when that is no id.
pub fn encode(route: &Route, endpoint: usize, result: &str) -> Option<String> {
    let id = string(result).filter(|id| is_hex(id))?;
    let tag = tag(route, endpoint)?;
    let (form, digits) = match id.strip_prefix("0x") {
        Some(digits) if !digits.bytes().any(|byte| byte.is_ascii_uppercase()) => {
            (PLAIN, digits.to_owned())
        }
        _ => (ODD, hex::encode(id.as_bytes())),
    };
    Some(format!("\"0x{:x}{form}{tag}{digits}\"", tag.len()))
}

/// The endpoint of the filter that `params` are about, by its index, and the `params` to send there.
/// `None` for an id that names none of the route's endpoints.
pub fn locate(route: &Route, params: Option<&str>) -> Option<(usize, String)> {
    let params = scan::elements(params?).ok()?;
    let (first, rest) = params.split_first()?;
    let (endpoint, id) = decode(route, &string(first.get())?)?;
    let rest: String = rest.iter().flat_map(|param| [",", param.get()]).collect();
    Some((endpoint, format!("[\"{id}\"{rest}]")))
}

fn decode(route: &Route, id: &str) -> Option<(usize, String)> {
    let digits = id.strip_prefix("0x").filter(|_| is_hex(id))?.to_ascii_lowercase();
    let (length, rest) = digits.split_at_checked(1)?;
    let length = usize::from_str_radix(length, 16).ok().filter(|length| *length >= TAG_MIN)?;
    let (form, rest) = rest.split_at_checked(1)?;
    let (tag, digits) = rest.split_at_checked(length)?;
    let id = match form {
        PLAIN => format!("0x{digits}"),
        ODD => String::from_utf8(hex::decode(digits).ok()?).ok()?,
        _ => return None,
    };
    let endpoint = tagged(route, tag).filter(|_| is_hex(&id))?;
    Some((endpoint, id))
}

/// The only endpoint with this tag.
fn tagged(route: &Route, tag: &str) -> Option<usize> {
    let mut found = route.endpoints.iter().enumerate().filter(|(_, e)| mark(e).starts_with(tag));
    let (endpoint, _) = found.next()?;
    found.next().is_none().then_some(endpoint)
}

/// The beginning of an endpoint's mark, as long as it takes to tell it from the route's others.
fn tag(route: &Route, endpoint: usize) -> Option<String> {
    let own = mark(route.endpoints.get(endpoint)?);
    let mut lengths = TAG_MIN..=TAG_MAX;
    let tag = lengths
        .find_map(|length| own.get(..length).filter(|tag| tagged(route, tag) == Some(endpoint)));
    tag.map(str::to_owned)
}

/// A hash of the fingerprint, which is not to be shown itself.
fn mark(endpoint: &Endpoint) -> String {
    hex::encode(keccak256(endpoint.fingerprint().to_be_bytes()))
}

fn is_hex(id: &str) -> bool {
    let digits = id.strip_prefix("0x").or_else(|| id.strip_prefix("0X")).unwrap_or(id);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
}
