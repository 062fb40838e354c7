//! What the EVM said. Before any word match: a revert's reason is the contract's text.

use crate::verdict::Class;
use crate::verdict::meaning::Meaning;
use crate::verdict::rule::{ERROR, On, Rule, When};
use crate::verdict::sample::error;

const REVERT: Meaning = Meaning::answer(Class::Revert);

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "revert.text",
        When {
            text: &[
                "reverted",
                "vm exception while processing transaction",
                "vm execution error",
                "revert opcode",
                "contract_revert",
                "evm revert",
                "evm error: revert",
                "^revert:",
                "revert reason",
                "would revert",
                "will revert",
            ],
            ..ERROR
        },
        REVERT,
    )
    .seen(
        "gh:ethereum/go-ethereum internal/ethapi/errors.go",
        error("eth_call", r#"{"code":-32000,"message":"execution reverted: rate limit exceeded"}"#),
    ),
    // A selector with whole words behind it, or the standard selectors anywhere in `data`.
    Rule::new("revert.data", When { on: On::RevertData, ..ERROR }, REVERT).seen(
        "MetaMask wraps errors so",
        error(
            "eth_call",
            r#"{"code":-32603,"message":"Internal JSON-RPC error.","data":{"code":3,"data":"0x08c379a0"}}"#,
        ),
    ),
    // Elsewhere −32015 is a gateway's timeout; there `data` is missing.
    Rule::new("revert.parity", When { codes: &[-32015], on: On::TextData, ..ERROR }, REVERT).seen(
        "gh:NethermindEth/nethermind EthRpcModule",
        error("eth_call", r#"{"code":-32015,"message":"VM error","data":"Bad instruction fe"}"#),
    ),
    Rule::new(
        "revert.halt",
        When {
            text: &[
                "evm error: ",
                "out of gas",
                "outofgas",
                "invalid opcode",
                "opcode not defined",
                "undefined opcode",
                "bad instruction",
                "invalid instruction",
                "invalid jump",
                "invalidjump",
                "stack underflow",
                "stack overflow",
                "arithmetic overflow",
                "stack limit reached",
                "write protection",
                "return data out of bounds",
                "contract address collision",
                "max code size exceeded",
                "always failing transaction",
                "could not be completed due to an exception",
                "execution failed due to an exception",
                "wasm execution failed",
            ],
            ..ERROR
        },
        REVERT,
    )
    .seen(
        "gh:erpc/erpc architecture/evm/error_normalizer.go",
        error("eth_call", r#"{"code":-32000,"message":"EVM error: OutOfGas(Basic)"}"#),
    ),
    // Some gateways use code 3 for blocks they lack as well.
    Rule::new(
        "revert.code",
        When {
            codes: &[3],
            unless: &[
                "unknown block",
                "block*not found",
                "header*not found",
                "trie node",
                "no state",
                "state is not available",
            ],
            ..ERROR
        },
        REVERT,
    )
    .seen(
        "EIP-1474 / execution-apis",
        error("eth_estimateGas", r#"{"code":3,"message":"Insufficient output amount"}"#),
    ),
];
