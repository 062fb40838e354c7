//! The hash of a raw transaction: keccak-256 of its bytes, whatever its type.

use alloy_primitives::{hex, keccak256};

use super::{Effect, Operation};
use crate::json::scan;

/// The hash (`0x…`, lower case) of what a send carries as its first parameter; `None` for anything
/// else and for bytes that are not hex.
pub fn hash(operation: &Operation<'_>) -> Option<String> {
    if operation.effect != Effect::Send {
        return None;
    }
    let first = scan::element(operation.params.unwrap_or_default(), 0)?;
    let raw: &str = serde_json::from_str(first.get()).ok()?;
    let bytes = hex::decode(raw.strip_prefix("0x")?).ok()?;
    (!bytes.is_empty()).then(|| format!("{:#x}", keccak256(bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Protocol;

    fn of(params: &str) -> Option<String> {
        hash(&Operation {
            protocol: Protocol::Evm,
            method: "eth_sendRawTransaction",
            params: Some(params),
            effect: Effect::Send,
        })
    }

    #[test]
    fn is_the_keccak_of_the_bytes() {
        assert_eq!(
            of(r#"["0x00"]"#).as_deref(),
            Some("0xbc36789e7a1e281436464229828f817d6612f7b477d66591ff96a9e064bcc98a")
        );
        assert_eq!(of(r#"["0x00", {"x":1}]"#), of(r#"["0x00"]"#));
        for params in ["[]", "[1]", r#"["0x"]"#, r#"["0xzz"]"#, r#"["0x0"]"#, "{}"] {
            assert_eq!(of(params), None, "{params}");
        }
    }
}
