//! What of a result is compared: nodes add members of their own to blocks, transactions and receipts.

use std::collections::BTreeSet;

use super::canonical::{canonical, elements, members};
use super::quantity::Quantity;

/// What of a result is the chain's word.
pub(super) fn essence(method: &str, result: &str) -> String {
    match method {
        "eth_getBalance" | "eth_getTransactionCount" | "eth_estimateGas" | "eth_getStorageAt" => {
            quantity(result)
        }
        "eth_getBlockByNumber"
        | "eth_getBlockByHash"
        | "eth_getUncleByBlockNumberAndIndex"
        | "eth_getUncleByBlockHashAndIndex" => block(result),
        "eth_getTransactionByHash"
        | "eth_getTransactionByBlockHashAndIndex"
        | "eth_getTransactionByBlockNumberAndIndex" => {
            picked(result, &["hash", "blockHash", "transactionIndex"])
        }
        "eth_getTransactionReceipt" => receipt(result),
        "eth_getBlockReceipts" => set(result, receipt),
        "eth_getLogs" => set(result, log),
        _ => canonical(result),
    }
}

fn quantity(result: &str) -> String {
    Quantity::read(result).map_or_else(|| canonical(result), |number| number.digits().to_owned())
}

/// A block is its hash; one that has none yet, its place.
fn block(result: &str) -> String {
    let sealed =
        members(result).and_then(|block| block.get("hash").map(|hash| hash.get() != "null"));
    match sealed {
        Some(true) => picked(result, &["hash"]),
        Some(false) => picked(result, &["number", "parentHash"]),
        None => canonical(result),
    }
}

fn receipt(result: &str) -> String {
    let of = picked(result, &["transactionHash", "blockHash", "status", "contractAddress"]);
    let logs = members(result).and_then(|receipt| Some(set(receipt.get("logs")?.get(), log)));
    format!("{of} {}", logs.unwrap_or_default())
}

/// A log is its place and what it says.
fn log(result: &str) -> String {
    picked(result, &["blockHash", "logIndex", "address", "topics", "data"])
}

/// These members of an object; all of what is none, `null` too.
fn picked(result: &str, names: &[&str]) -> String {
    let Some(members) = members(result) else {
        return canonical(result);
    };
    let value = |name: &&str| members.get(*name).map(|raw| canonical(raw.get()));
    names.iter().map(|name| value(name).unwrap_or_default()).collect::<Vec<_>>().join(" ")
}

/// The elements in whatever order they came, and how many: one that came twice is no other's answer.
fn set(result: &str, each: impl Fn(&str) -> String) -> String {
    let Some(elements) = elements(result) else {
        return canonical(result);
    };
    let all: BTreeSet<_> = elements.iter().map(|element| each(element.get())).collect();
    let mut out = format!("{}\n", elements.len());
    for one in &all {
        out.push_str(one);
        out.push('\n');
    }
    out
}
