//! Methods that some standard or many services have. Names that are kept for long, or shown to tools
//! that keep them, are of these: everything else is a client's own invention.

/// Names between blanks: a list of strings would weigh more in the wasm.
const KNOWN: &str = "\
    eth_accounts eth_baseFee eth_blobBaseFee eth_blockNumber eth_call eth_callMany eth_chainId \
    eth_config eth_createAccessList eth_estimateGas eth_estimateUserOperationGas eth_feeHistory \
    eth_fillTransaction eth_gasPrice eth_getAccount eth_getBalance eth_getBlockByHash \
    eth_getBlockByNumber eth_getBlockReceipts eth_getBlockTransactionCountByHash \
    eth_getBlockTransactionCountByNumber eth_getCode eth_getFilterChanges eth_getFilterLogs \
    eth_getHeaderByHash eth_getHeaderByNumber eth_getLogs eth_getProof \
    eth_getRawTransactionByHash eth_getStorageAt eth_getTransactionByBlockHashAndIndex \
    eth_getTransactionByBlockNumberAndIndex eth_getTransactionByHash \
    eth_getTransactionBySenderAndNonce eth_getTransactionCount eth_getTransactionReceipt \
    eth_getUncleByBlockHashAndIndex eth_getUncleByBlockNumberAndIndex \
    eth_getUncleCountByBlockHash eth_getUncleCountByBlockNumber eth_getUserOperationByHash \
    eth_getUserOperationReceipt eth_maxPriorityFeePerGas eth_newBlockFilter eth_newFilter \
    eth_newPendingTransactionFilter eth_protocolVersion eth_sendBundle \
    eth_sendPrivateTransaction eth_sendRawTransaction eth_sendRawTransactionConditional \
    eth_sendRawTransactionSync eth_sendTransaction eth_sendUserOperation eth_sign \
    eth_signTransaction eth_simulateV1 eth_subscribe eth_supportedEntryPoints eth_syncing \
    eth_uninstallFilter eth_unsubscribe \
    net_listening net_peerCount net_version \
    web3_clientVersion web3_sha3 \
    debug_getBadBlocks debug_getRawBlock debug_getRawHeader debug_getRawReceipts \
    debug_getRawTransaction debug_storageRangeAt debug_traceBlockByHash debug_traceBlockByNumber \
    debug_traceCall debug_traceTransaction \
    trace_block trace_call trace_callMany trace_filter trace_get trace_rawTransaction \
    trace_replayBlockTransactions trace_replayTransaction trace_transaction \
    txpool_content txpool_status \
    discovery settle supported verify";

/// Whether it is one: a JSON-RPC method, or an x402 call.
pub fn is_known(method: &str) -> bool {
    KNOWN.split(' ').any(|known| known == method)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_is_split_or_there_twice() {
        let mut names: Vec<_> = KNOWN.split(' ').collect();
        let plain = |name: &&str| name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        assert!(names.iter().all(plain) && names.len() > 80);
        names.sort_unstable();
        assert!(names.is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn whole_names_are_known_and_no_others() {
        for known in ["eth_call", "eth_getLogs", "debug_traceTransaction", "settle", "verify"] {
            assert!(is_known(known), "{known}");
        }
        for other in ["", " ", "eth_", "eth_callx", "eth_Call", "eth_call eth_getLogs", "other"] {
            assert!(!is_known(other), "{other}");
        }
    }
}
