//! Which block an operation is about, and whether it depends on the head.

use super::Operation;
use crate::json::members;
use crate::json::scan::{self, Span};

/// Methods about the present, whatever their parameters.
const AT_HEAD: [&str; 10] = [
    "eth_blockNumber",
    "eth_gasPrice",
    "eth_maxPriorityFeePerGas",
    "eth_blobBaseFee",
    "eth_feeHistory",
    "eth_getTransactionByHash",
    "eth_getTransactionReceipt",
    "eth_call",
    "eth_estimateGas",
    "eth_getTransactionCount",
];

/// Place of the block among the parameters.
const AT: [(&str, usize); 16] = [
    ("eth_getBlockByNumber", 0),
    ("eth_getBlockReceipts", 0),
    ("eth_getBlockTransactionCountByNumber", 0),
    ("eth_getTransactionByBlockNumberAndIndex", 0),
    ("eth_getUncleByBlockNumberAndIndex", 0),
    ("eth_getUncleCountByBlockNumber", 0),
    ("trace_block", 0),
    ("debug_traceBlockByNumber", 0),
    ("eth_call", 1),
    ("eth_estimateGas", 1),
    ("eth_getBalance", 1),
    ("eth_getCode", 1),
    ("eth_getTransactionCount", 1),
    ("eth_getStorageAt", 2),
    ("eth_getProof", 2),
    ("eth_feeHistory", 1),
];

/// The highest block number that the parameters name: `toBlock` of a range. `None` for tags, hashes
/// and methods without a block.
pub fn highest(operation: &Operation<'_>) -> Option<u64> {
    number(named(operation, "toBlock")?)
}

/// The lowest one: `fromBlock` of a range; `"earliest"` is 0.
pub fn lowest(operation: &Operation<'_>) -> Option<u64> {
    let block = named(operation, "fromBlock")?;
    if block == "\"earliest\"" { Some(0) } else { number(block) }
}

/// Whether an answer to this may show a block: no other has to be looked at.
pub fn shows_blocks(operation: &Operation<'_>) -> bool {
    matches!(operation.method, "eth_blockNumber" | "eth_getBlockByNumber")
}

/// The head that an answer to this shows, `result` being its JSON text.
pub fn shown_head(operation: &Operation<'_>, result: &str) -> Option<u64> {
    let latest = || names(operation, &["latest"]);
    match operation.method {
        "eth_blockNumber" => number(result),
        "eth_getBlockByNumber" if latest() => number_of(result),
        _ => None,
    }
}

/// A height that whoever gave this answer must have reached, `result` being its JSON text: the block of
/// a transaction or receipt.
pub fn shown_height(operation: &Operation<'_>, result: &str) -> Option<u64> {
    let about_one =
        matches!(operation.method, "eth_getTransactionByHash" | "eth_getTransactionReceipt");
    about_one.then(|| quantity(result, "\"blockNumber\"")).flatten()
}

/// The finalized block that an answer to this shows, `result` being its JSON text.
pub fn shown_finalized(operation: &Operation<'_>, result: &str) -> Option<u64> {
    let asked = operation.method == "eth_getBlockByNumber" && names(operation, &["finalized"]);
    asked.then(|| number_of(result)).flatten()
}

/// Whether an endpoint whose finalized block is old answers it wrongly.
pub fn depends_on_finalized(operation: &Operation<'_>) -> bool {
    names(operation, &["finalized", "safe"])
}

/// Whether the parameters have one of these words in quotes.
fn names(operation: &Operation<'_>, tags: &[&str]) -> bool {
    operation.params.is_some_and(|params| params.split('"').any(|word| tags.contains(&word)))
}

/// The block that the parameters name, JSON text; of a range the end that is called `end`.
fn named<'a>(operation: &Operation<'a>, end: &str) -> Option<&'a str> {
    let params = operation.params?;
    if operation.method == "eth_getLogs" {
        return field(scan::element(params, 0)?.get(), end);
    }
    Some(scan::element(params, place(operation.method)?)?.get())
}

/// Place of the block among a method's parameters.
pub(super) fn place(method: &str) -> Option<usize> {
    AT.iter().find(|(name, _)| *name == method).map(|(_, at)| *at)
}

/// Whether an endpoint that is behind answers it wrongly: reads of the present, by tag or by nature.
pub fn depends_on_head(operation: &Operation<'_>) -> bool {
    let tagged = names(operation, &["latest", "pending"]);
    tagged || (AT_HEAD.contains(&operation.method) && highest(operation).is_none())
}

/// A hex quantity in JSON text.
pub fn number(json: &str) -> Option<u64> {
    let digits = json.strip_prefix("\"0x")?.strip_suffix('"')?;
    u64::from_str_radix(digits, 16).ok()
}

/// The number of a block, JSON text. Looks for it instead of reading the whole block: what is in it
/// has no other member of that name.
pub fn number_of(block: &str) -> Option<u64> {
    quantity(block, "\"number\"")
}

/// The hex quantity that is the value of the first member with this name, in its quotes.
fn quantity(object: &str, name: &str) -> Option<u64> {
    let (_, after) = object.split_once(name)?;
    let value = after.trim_start().strip_prefix(':')?.trim_start().strip_prefix('"')?;
    let digits = value.split('"').next()?.strip_prefix("0x")?;
    u64::from_str_radix(digits, 16).ok()
}

fn field<'a>(object: &'a str, name: &str) -> Option<&'a str> {
    let [value] = members::find(object, [name]).ok()?.members;
    value.map(Span::get)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Protocol;
    use crate::method::Effect;

    fn operation<'a>(method: &'a str, params: &'a str) -> Operation<'a> {
        let params = Some(params);
        Operation { protocol: Protocol::Evm, method, params, effect: Effect::Read }
    }

    #[test]
    fn the_block_is_found_by_method() {
        for (method, params, block) in [
            ("eth_getBlockByNumber", r#"["0x10",false]"#, Some(16)),
            ("eth_getBlockByNumber", r#"["latest",false]"#, None),
            ("eth_call", r#"[{"to":"0x1"},"0xff"]"#, Some(255)),
            ("eth_call", r#"[{"to":"0x1"}]"#, None),
            ("eth_getLogs", r#"[{"fromBlock":"0x1","toBlock":"0x20"}]"#, Some(32)),
            ("eth_getLogs", r#"[{"fromBlock":"0x1"}]"#, None),
            ("eth_getLogs", r#"[{"blockHash":"0xaa"}]"#, None),
            ("eth_getStorageAt", r#"["0x1","0x2","0x3"]"#, Some(3)),
            ("eth_getTransactionReceipt", r#"["0xabc"]"#, None),
            ("eth_getBlockByNumber", "{}", None),
        ] {
            assert_eq!(highest(&operation(method, params)), block, "{method} {params}");
        }
    }

    #[test]
    fn a_range_has_two_ends() {
        for (params, block) in [
            (r#"[{"fromBlock":"0x1","toBlock":"0x20"}]"#, Some(1)),
            (r#"[{"fromBlock":"earliest"}]"#, Some(0)),
            (r#"[{"toBlock":"0x20"}]"#, None),
        ] {
            assert_eq!(lowest(&operation("eth_getLogs", params)), block, "{params}");
        }
    }

    #[test]
    fn heads_are_in_numbers_and_in_latest_blocks() {
        let block = r#"{"hash":"0xaa","number" : "0x10","transactions":[{"blockNumber":"0x11"}]}"#;
        for (method, params, result, head) in [
            ("eth_blockNumber", "[]", "\"0x10\"", Some(16)),
            ("eth_blockNumber", "[]", "null", None),
            ("eth_getBlockByNumber", r#"["latest",false]"#, block, Some(16)),
            ("eth_getBlockByNumber", r#"["latest",false]"#, "null", None),
            ("eth_getBlockByNumber", r#"["0x10",false]"#, block, None),
            ("eth_getBlockByHash", r#"["latest",false]"#, block, None),
        ] {
            let operation = operation(method, params);
            assert_eq!(shown_head(&operation, result), head, "{method} {result}");
            assert!(head.is_none() || shows_blocks(&operation), "{method} is looked at");
        }
    }

    #[test]
    fn a_transaction_in_a_block_shows_a_height() {
        let mined = r#"{"hash":"0xaa","blockNumber": "0x10","logs":[{"blockNumber":"0x10"}]}"#;
        for (method, result, height) in [
            ("eth_getTransactionReceipt", mined, Some(16)),
            ("eth_getTransactionByHash", mined, Some(16)),
            ("eth_getTransactionByHash", r#"{"blockNumber":null,"nonce":"0x1"}"#, None),
            ("eth_getTransactionReceipt", "null", None),
            ("eth_getLogs", mined, None),
        ] {
            assert_eq!(shown_height(&operation(method, "[]"), result), height, "{method} {result}");
        }
    }

    #[test]
    fn reads_of_the_present_depend_on_the_head() {
        for (method, params, depends) in [
            ("eth_blockNumber", "[]", true),
            ("eth_call", r#"[{"to":"0x1"}]"#, true),
            ("eth_call", r#"[{"to":"0x1"},"latest"]"#, true),
            ("eth_call", r#"[{"to":"0x1"},"0x10"]"#, false),
            ("eth_getBalance", r#"["0x1","pending"]"#, true),
            ("eth_getTransactionReceipt", r#"["0xabc"]"#, true),
            ("eth_getBlockByHash", r#"["0xabc",true]"#, false),
            ("eth_getLogs", r#"[{"fromBlock":"0x1","toBlock":"latest"}]"#, true),
            ("eth_getLogs", r#"[{"fromBlock":"0x1","toBlock":"0x2"}]"#, false),
        ] {
            assert_eq!(depends_on_head(&operation(method, params)), depends, "{method} {params}");
        }
    }
}
