//! One answer, asked about: what every test here starts from.

use breakwater::config::{OperatorRule, Protocol, RpcErrors};
use breakwater::method::{Effect, Operation, effect};
use breakwater::rpc::reply::Body;
use breakwater::verdict::{
    Context, Failure, Gap, LastWord, Next, Outcome, Part, Policy, Reply, Signal, Verdict, judge,
    judge_part,
};

/// An answer and who asked.
#[derive(Clone)]
pub(crate) struct Case<'a> {
    pub(crate) operation: Operation<'a>,
    pub(crate) reply: Reply<'a>,
    pub(crate) context: Context<'a>,
    pub(crate) rpc_errors: RpcErrors,
    pub(crate) rules: &'a [OperatorRule],
}

impl<'a> Case<'a> {
    /// An answer under HTTP 200 to a request with id 1.
    pub(crate) fn new(method: &'a str, body: &'a [u8]) -> Self {
        Self {
            operation: Operation {
                protocol: Protocol::Evm,
                method,
                params: None,
                effect: effect(method),
            },
            reply: Reply { status: 200, retry_after: None, edge_error: None, body },
            context: Context { id: Some("1"), ..Context::default() },
            rpc_errors: RpcErrors::Declined,
            rules: &[],
        }
    }

    pub(crate) fn x402(method: &'a str, body: &'a [u8]) -> Self {
        let case = Self::new(method, body);
        let operation = Operation { protocol: Protocol::X402, ..case.operation };
        Self { operation, context: Context::default(), ..case }
    }

    pub(crate) fn at(self, status: u16) -> Self {
        Self { reply: Reply { status, ..self.reply }, ..self }
    }

    pub(crate) fn effect(self, effect: Effect) -> Self {
        Self { operation: Operation { effect, ..self.operation }, ..self }
    }

    pub(crate) fn params(self, params: &'a str) -> Self {
        Self { operation: Operation { params: Some(params), ..self.operation }, ..self }
    }

    pub(crate) fn knowing(self, context: Context<'a>) -> Self {
        Self { context, ..self }
    }

    pub(crate) fn rules(self, rules: &'a [OperatorRule]) -> Self {
        Self { rules, ..self }
    }

    pub(crate) fn rpc_errors(self, rpc_errors: RpcErrors) -> Self {
        Self { rpc_errors, ..self }
    }

    fn policy(&self) -> Policy<'a> {
        Policy { rpc_errors: self.rpc_errors, rules: self.rules, endpoint: "alchemy" }
    }

    pub(crate) fn judge(&self) -> Verdict {
        let outcome = Outcome::Replied(self.reply);
        judge(&self.operation, &outcome, &self.context, &self.policy())
    }

    pub(crate) fn fail(&self, failure: Failure) -> Verdict {
        judge(&self.operation, &Outcome::Failed(failure), &self.context, &self.policy())
    }

    /// The answer speaks for a whole batch, in which this operation is one item.
    pub(crate) fn judge_for_batch(&self) -> Verdict {
        let body = Body::read(self.reply.body);
        self.judge_part(Part::Batch(&body))
    }

    pub(crate) fn judge_part(&self, part: Part<'_, 'a>) -> Verdict {
        judge_part(&self.operation, &self.reply, part, &self.context, &self.policy())
    }
}

/// A JSON-RPC answer around an error object.
pub(crate) fn answer(error: &str) -> Vec<u8> {
    format!(r#"{{"jsonrpc":"2.0","id":1,"error":{error}}}"#).into_bytes()
}

/// A JSON-RPC answer around a message, with geth's catch-all code.
pub(crate) fn message(code: i64, message: &str) -> Vec<u8> {
    answer(&serde_json::json!({ "code": code, "message": message }).to_string())
}

/// A verdict's action in one word, as the corpus writes it.
pub(crate) fn action(verdict: &Verdict) -> String {
    let next = match verdict.next {
        Next::Return => "return",
        Next::Advance => "advance",
        Next::AdvanceIfBehind => "advance_if_behind",
        Next::Resend => "resend",
        Next::Accepted => "accepted",
        Next::CheckHash => "check_hash",
        Next::Unknown => "unknown",
        Next::Stop => "stop",
    };
    let goes_on = matches!(verdict.next, Next::Advance | Next::AdvanceIfBehind | Next::Resend);
    let signal = match verdict.signal {
        Signal::Success | Signal::Neutral => "",
        // What an unknown outcome or an answer handed out says about health is not in the corpus,
        // but a handed-out answer must never be a failure.
        _ if verdict.next == Next::Unknown => "",
        Signal::Failure => "+failure",
        _ if !goes_on => "",
        Signal::Throttled { .. } => "+throttled",
        Signal::Account { .. } => "+account",
        Signal::Gap(Gap::Method) => "+gap_method",
        Signal::Gap(Gap::History) => "+gap_history",
        Signal::Gap(Gap::Range) => "+gap_range",
        Signal::Gap(Gap::Batch) => "+gap_batch",
        Signal::WrongChain => "+wrong_chain",
    };
    format!("{next}{signal}")
}

/// The last word, as the corpus writes it.
pub(crate) fn last_word(verdict: &Verdict) -> &'static str {
    match verdict.last_word {
        LastWord::PassOn | LastWord::NotYet => "pass_on",
        LastWord::RateLimited => "rate_limited",
        LastWord::Unavailable => "unavailable",
        LastWord::Unknown => "unknown",
    }
}
