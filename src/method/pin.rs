//! Reads of `latest`, asked of one named block: endpoints at different heads could not agree else.

use super::Operation;
use super::block::place;
use crate::json::members;
use crate::json::scan::{self, Span};

const LATEST: &str = "\"latest\"";

/// The parameters with `head` in place of `latest`, written or understood. `None`: it reads no such
/// block.
pub fn pinned(operation: &Operation<'_>, head: u64) -> Option<String> {
    let number = format!("\"{head:#x}\"");
    let mut params: Vec<&str> = Vec::new();
    let given = scan::elements(operation.params.unwrap_or("[]")).ok()?;
    params.extend(given.iter().map(|value| value.get()));
    if operation.method == "eth_getLogs" {
        let filter = filter(params.first()?, &number)?;
        return Some(format!("[{filter}]"));
    }
    let at = place(operation.method)?;
    let understood = at > 0 && params.len() == at;
    match params.get_mut(at) {
        Some(block) if *block == LATEST => *block = &number,
        None if understood => params.push(&number),
        Some(_) | None => return None,
    }
    Some(format!("[{}]", params.join(",")))
}

/// A filter of logs whose ends are named; `None` when they are already.
fn filter(object: &str, number: &str) -> Option<String> {
    let mut members = members::all(object).ok()?;
    if members.contains_key("blockHash") {
        return None;
    }
    let pin = scan::value(number).ok()?;
    let mut moved = false;
    for end in ["fromBlock", "toBlock"] {
        if members.get(end).is_none_or(|block| matches!(block.get(), LATEST | "null")) {
            members.insert(end, pin);
            moved = true;
        }
    }
    let member = |(name, value): (&&str, &Span<'_>)| format!("\"{name}\":{}", value.get());
    moved.then(|| format!("{{{}}}", members.iter().map(member).collect::<Vec<_>>().join(",")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Protocol;
    use crate::method::Effect;

    fn of(method: &str, params: Option<&str>) -> Option<String> {
        let effect = Effect::Read;
        pinned(&Operation { protocol: Protocol::Evm, method, params, effect }, 100)
    }

    #[test]
    fn latest_is_named_wherever_it_is_meant() {
        for (method, params, pinned) in [
            ("eth_call", r#"[{"to":"0x1"},"latest"]"#, Some(r#"[{"to":"0x1"},"0x64"]"#)),
            ("eth_call", r#"[{"to":"0x1"}]"#, Some(r#"[{"to":"0x1"},"0x64"]"#)),
            ("eth_call", r#"[{},"latest",{"0x2":{}}]"#, Some(r#"[{},"0x64",{"0x2":{}}]"#)),
            ("eth_getBalance", r#"["0x1", "latest"]"#, Some(r#"["0x1","0x64"]"#)),
            ("eth_getStorageAt", r#"["0x1","0x0"]"#, Some(r#"["0x1","0x0","0x64"]"#)),
            ("eth_getBlockByNumber", r#"["latest",false]"#, Some(r#"["0x64",false]"#)),
            ("eth_feeHistory", r#"["0x5","latest",[50]]"#, Some(r#"["0x5","0x64",[50]]"#)),
            (
                "eth_getLogs",
                r#"[{"address":"0x1"}]"#,
                Some(r#"[{"address":"0x1","fromBlock":"0x64","toBlock":"0x64"}]"#),
            ),
            (
                "eth_getLogs",
                r#"[{"fromBlock":"0x1","toBlock":"latest"}]"#,
                Some(r#"[{"fromBlock":"0x1","toBlock":"0x64"}]"#),
            ),
            ("eth_getLogs", r#"[{"fromBlock":"0x1","toBlock":"0x2"}]"#, None),
            ("eth_getLogs", r#"[{"blockHash":"0xaa"}]"#, None),
            ("eth_call", r#"[{},"pending"]"#, None),
            ("eth_call", r#"[{},"finalized"]"#, None),
            ("eth_call", r#"[{},"0x10"]"#, None),
            ("eth_call", r#"[{},{"blockHash":"0xaa"}]"#, None),
            ("eth_call", "[]", None),
            ("eth_getBlockByNumber", "[]", None),
            ("eth_gasPrice", "[]", None),
            ("eth_getTransactionReceipt", r#"["0xabc"]"#, None),
            ("eth_call", "{}", None),
        ] {
            assert_eq!(of(method, Some(params)).as_deref(), pinned, "{method} {params}");
        }
        assert_eq!(of("eth_call", None), None);
    }
}
