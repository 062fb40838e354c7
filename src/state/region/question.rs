//! What a probe asks. One question is one request; an endpoint is asked only what its `methods` let
//! through.

use crate::config::{Endpoint, Protocol, Route};
use crate::method::block;

/// One request of a probe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Question {
    /// Which chain it serves.
    ChainId,
    /// Its newest block: the cheapest read that no cache in front of an endpoint answers for long.
    Head,
    /// Its newest finalized block. Says nothing about its health: many chains have none.
    Finalized,
    /// What a facilitator supports: its cheapest read.
    Supported,
}

impl Question {
    /// JSON-RPC method.
    pub fn method(self) -> &'static str {
        match self {
            Self::ChainId => "eth_chainId",
            Self::Head => "eth_blockNumber",
            Self::Finalized => "eth_getBlockByNumber",
            Self::Supported => "supported",
        }
    }

    /// The whole JSON-RPC request, under the id 1.
    pub fn body(self) -> String {
        let params = match self {
            Self::ChainId | Self::Head | Self::Supported => "",
            Self::Finalized => r#""finalized",false"#,
        };
        let method = self.method();
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":[{params}]}}"#)
    }

    /// The chain id or block number that a result shows, JSON text.
    pub fn number(self, result: &str) -> Option<u64> {
        match self {
            Self::ChainId | Self::Head => block::number(result),
            Self::Finalized => block::number_of(result),
            Self::Supported => None,
        }
    }
}

/// The questions that an endpoint takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Takes {
    pub(super) chain_id: bool,
    /// What tells at every poll that it is there.
    pub(super) poll: Option<Question>,
    pub(super) finalized: bool,
}

impl Takes {
    pub(super) fn of(route: &Route, endpoint: &Endpoint) -> Self {
        let takes = |question: Question| {
            let asked = match question {
                Question::Supported => Protocol::X402,
                Question::ChainId | Question::Head | Question::Finalized => Protocol::Evm,
            };
            let served = endpoint.methods.serves(question.method());
            endpoint.bound && route.protocol == asked && served
        };
        Self {
            chain_id: takes(Question::ChainId),
            poll: [Question::Head, Question::Supported].into_iter().find(|poll| takes(*poll)),
            finalized: takes(Question::Finalized),
        }
    }

    /// What tells whether it is well; `None`: only a request of a client's can.
    pub(super) fn health(self) -> Option<Question> {
        self.poll.or(self.chain_id.then_some(Question::ChainId))
    }
}
