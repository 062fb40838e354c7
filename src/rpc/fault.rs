//! The errors we speak ourselves: one table from situation to HTTP status, code and text.
//!
//! The codes decide how hard clients hammer: viem repeats on HTTP 403, 408, 413, 429 and 5xx and on
//! −32603 and −32005 in a 200; ethers repeats on 429. Nothing here names an upstream's URL or key.

use crate::json::{self, Maybe, Raw, written};

/// A situation in which the answer is our own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// The body is not JSON.
    Parse,
    /// The body is JSON but not a JSON-RPC request.
    InvalidRequest,
    /// Configuration refuses the method.
    MethodRefused,
    /// More items than `batch_max`.
    BatchTooLarge {
        /// The limit.
        max: u32,
    },
    /// More bytes than `body_max_bytes`.
    BodyTooLarge {
        /// The limit.
        max: u64,
    },
    /// The browser's origin is not listed.
    OriginRefused,
    /// A client key is needed and was not given or is not known.
    KeyRefused,
    /// This item would need more upstream requests than `max_subrequests`.
    TooManySubrequests,
    /// No endpoint that could be asked has this filter. viem makes a new one on −32000, and on that
    /// only.
    FilterNotFound,
    /// The caller asks more than the route's `rate_limit` lets one caller ask.
    ClientRateLimited {
        /// Seconds until its counter begins anew, at most.
        retry_after_s: u64,
    },
    /// Every endpoint is rate limited.
    AllRateLimited {
        /// Seconds until the first may be asked again.
        retry_after_s: u64,
    },
    /// No endpoint gave an answer.
    NoAnswer {
        /// What was tried, in order.
        attempts: Vec<Tried>,
        /// Seconds until asking again makes sense.
        retry_after_s: u64,
    },
    /// Too few endpoints gave the same answer.
    QuorumNotMet {
        /// Equal answers needed.
        threshold: u32,
        /// Who gave the same answer, most first.
        votes: Vec<Agreed>,
        /// Who gave none that counts, and why.
        attempts: Vec<Tried>,
    },
    /// A raw transaction was sent and nobody said what became of it.
    SendUnknown {
        /// What was tried, in order.
        attempts: Vec<Tried>,
    },
    /// A node-signed send may or may not have been carried out.
    OnceUnknown {
        /// What was tried, in order.
        attempts: Vec<Tried>,
    },
    /// A send that waits for its block: accepted, in no block yet (EIP-7966).
    NotMined {
        /// The transaction's hash.
        hash: String,
    },
    /// The route's configuration is bad; the message is the configuration's own.
    BadRoute {
        /// One sentence with the key's full path.
        message: String,
    },
    /// No such path.
    NotFound,
    /// The path exists, this HTTP method does not.
    HttpMethod,
    /// WebSocket is not served.
    NoWebSocket,
    /// Something of ours failed that never should.
    Internal,
}

/// One attempt as clients may see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tried {
    /// The endpoint's name.
    pub endpoint: String,
    /// Why it was left.
    pub class: &'static str,
}

/// Endpoints that gave the same answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Agreed {
    /// How many.
    pub count: usize,
    /// Their names.
    pub endpoints: Vec<String>,
}

written!(Agreed { count, endpoints });
written!(Tried { endpoint, class });

impl Fault {
    /// HTTP status when this fault is the whole answer.
    pub fn status(&self) -> u16 {
        match self {
            Self::Parse
            | Self::InvalidRequest
            | Self::MethodRefused
            | Self::BatchTooLarge { .. }
            | Self::TooManySubrequests
            | Self::NotMined { .. }
            | Self::FilterNotFound
            | Self::QuorumNotMet { .. }
            | Self::OnceUnknown { .. } => 200,
            Self::KeyRefused => 401,
            Self::OriginRefused => 403,
            Self::NotFound => 404,
            Self::HttpMethod => 405,
            Self::BodyTooLarge { .. } => 413,
            Self::NoWebSocket => 426,
            Self::AllRateLimited { .. } | Self::ClientRateLimited { .. } => 429,
            Self::BadRoute { .. } | Self::Internal => 500,
            Self::NoAnswer { .. } => 503,
            Self::SendUnknown { .. } => 504,
        }
    }

    /// JSON-RPC error code.
    pub fn code(&self) -> i32 {
        match self {
            Self::Parse => -32700,
            Self::InvalidRequest
            | Self::BatchTooLarge { .. }
            | Self::BodyTooLarge { .. }
            | Self::NotFound
            | Self::HttpMethod
            | Self::NoWebSocket => -32600,
            Self::MethodRefused => -32601,
            Self::FilterNotFound => -32000,
            Self::OriginRefused | Self::KeyRefused => -32001,
            Self::AllRateLimited { .. }
            | Self::ClientRateLimited { .. }
            | Self::TooManySubrequests => -32005,
            Self::NoAnswer { .. }
            | Self::SendUnknown { .. }
            | Self::OnceUnknown { .. }
            | Self::BadRoute { .. } => -32002,
            Self::QuorumNotMet { .. } => -32098,
            Self::NotMined { .. } => 4,
            Self::Internal => -32603,
        }
    }

    /// Seconds for `Retry-After`, where one is sent.
    pub fn retry_after_s(&self) -> Option<u64> {
        if let Self::AllRateLimited { retry_after_s }
        | Self::ClientRateLimited { retry_after_s }
        | Self::NoAnswer { retry_after_s, .. } = self
        {
            return Some(*retry_after_s);
        }
        None
    }

    /// What the client reads.
    pub fn message(&self) -> String {
        match self {
            Self::Parse => "Parse error: the body is not JSON".into(),
            Self::InvalidRequest => "Invalid request: not a JSON-RPC 2.0 request".into(),
            Self::MethodRefused => "Method not found: not served by this URL".into(),
            Self::BatchTooLarge { max } => format!("Invalid request: more than {max} batch items"),
            Self::BodyTooLarge { max } => format!("Invalid request: body over {max} bytes"),
            Self::OriginRefused => "Unauthorized: this origin is not allowed".into(),
            Self::KeyRefused => "Unauthorized: a valid key is required".into(),
            Self::TooManySubrequests => {
                "Limit exceeded: the batch needs too many upstream requests".into()
            }
            Self::FilterNotFound => "filter not found".into(),
            Self::ClientRateLimited { .. } => {
                "Limit exceeded: too many requests from you, try again later".into()
            }
            Self::AllRateLimited { .. } => {
                "Limit exceeded: every endpoint is rate limited, try again later".into()
            }
            Self::NoAnswer { .. } => "Resource unavailable: no endpoint gave an answer".into(),
            Self::QuorumNotMet { threshold, .. } => {
                format!("Quorum not met: fewer than {threshold} endpoints agree")
            }
            Self::SendUnknown { .. } | Self::OnceUnknown { .. } => {
                "Outcome unknown: the transaction may or may not have been accepted".into()
            }
            Self::NotMined { .. } => {
                "The transaction was added to the transaction pool but is in no block yet".into()
            }
            Self::BadRoute { message } => format!("Configuration error: {message}"),
            Self::NotFound => "Not found".into(),
            Self::HttpMethod => "Method not allowed: send JSON-RPC requests with POST".into(),
            Self::NoWebSocket => "WebSocket is not served here: use HTTP POST".into(),
            Self::Internal => "Internal error".into(),
        }
    }

    fn data(&self) -> Option<Raw<String>> {
        let data = if let Self::SendUnknown { attempts } | Self::OnceUnknown { attempts } = self {
            json::object(&[("outcome", &"unknown"), ("attempts", attempts)])
        } else if let Self::NoAnswer { attempts, .. } = self {
            json::object(&[("attempts", attempts)])
        } else if let Self::QuorumNotMet { threshold, votes, attempts } = self {
            json::object(&[("threshold", threshold), ("votes", votes), ("attempts", attempts)])
        } else if let Self::NotMined { hash } = self {
            json::text(hash)
        } else {
            return None;
        };
        Some(Raw(data))
    }

    /// The JSON-RPC error answer under the caller's id, which is JSON text.
    pub fn body(&self, id: &str) -> String {
        let (code, message, data) = (self.code(), self.message(), Maybe(self.data()));
        let error = json::object(&[("code", &code), ("message", &message), ("data", &data)]);
        format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{error}}}"#)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_id_is_the_callers_byte_for_byte() {
        assert_eq!(
            Fault::MethodRefused.body("12345678901234567890123"),
            r#"{"jsonrpc":"2.0","id":12345678901234567890123,"error":{"code":-32601,"message":"Method not found: not served by this URL"}}"#
        );
    }

    #[test]
    fn attempts_and_outcome_are_told() {
        let attempts = vec![Tried { endpoint: "a".into(), class: "timeout" }];
        let body = Fault::SendUnknown { attempts: attempts.clone() }.body("1");
        assert!(body.contains(
            r#""data":{"outcome":"unknown","attempts":[{"endpoint":"a","class":"timeout"}]}"#
        ));
        let body = Fault::NotMined { hash: "0xab".into() }.body("1");
        assert!(body.contains(r#""code":4,"#) && body.contains(r#""data":"0xab""#));
        let body = Fault::NoAnswer { attempts, retry_after_s: 2 }.body("1");
        assert!(body.contains(r#""data":{"attempts":["#) && !body.contains("outcome"));
    }
}
