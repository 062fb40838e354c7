//! The headers that explain an answer: whose it is, how many attempts, why earlier ones were left.

use std::fmt::Write;

use crate::config::Route;
use crate::verdict::Class;

/// More attempts than this are counted but not spelled out.
const SPELLED_MAX: usize = 16;

/// What an answer went through.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Trace {
    /// Attempts in order, each upstream request once.
    pub attempts: Vec<Traced>,
    /// Endpoints whose answer this is.
    pub endpoints: Vec<usize>,
    /// What came of comparing answers; of a batch, the worst. `None`: nothing was compared.
    pub agreement: Option<Agreement>,
    /// Milliseconds from the request's arrival to its answer.
    pub total_ms: u64,
}

/// What came of comparing answers, the better first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Agreement {
    /// As many as count gave this answer.
    Met,
    /// Too few did: it is what most gave.
    BestEffort,
    /// Too few did.
    NotMet,
}

impl Agreement {
    fn word(self) -> &'static str {
        match self {
            Self::Met => "met",
            Self::BestEffort => "best_effort",
            Self::NotMet => "not_met",
        }
    }
}

/// One upstream request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Traced {
    /// Index of the endpoint.
    pub endpoint: usize,
    /// What came of it; of a batch, of its first item.
    pub class: Class,
    /// Whether an answer of it was left for another endpoint's.
    pub left: bool,
    /// How long it took.
    pub ms: u64,
}

/// The explaining headers.
pub fn explain(route: &Route, trace: &Trace) -> Vec<(&'static str, String)> {
    let name = |endpoint: usize| route.endpoints.get(endpoint).map_or("", |e| e.name.as_str());
    let mut headers = vec![
        ("x-breakwater-attempts", trace.attempts.len().to_string()),
        ("server-timing", server_timing(trace, name)),
    ];
    if !trace.endpoints.is_empty() {
        let names: Vec<_> = trace.endpoints.iter().map(|endpoint| name(*endpoint)).collect();
        headers.push(("x-breakwater-endpoint", names.join(",")));
    }
    if let Some(agreement) = trace.agreement {
        headers.push(("x-breakwater-quorum", agreement.word().to_owned()));
    }
    let left = trace.attempts.iter().filter(|traced| traced.left).take(SPELLED_MAX);
    let reasons: Vec<_> =
        left.map(|traced| format!("{}={}", name(traced.endpoint), traced.class.label())).collect();
    if !reasons.is_empty() {
        headers.push(("x-breakwater-reason", reasons.join(",")));
    }
    headers
}

fn server_timing<'a>(trace: &Trace, name: impl Fn(usize) -> &'a str) -> String {
    let mut out = format!("total;dur={}", trace.total_ms);
    for traced in trace.attempts.iter().take(SPELLED_MAX) {
        let endpoint = name(traced.endpoint);
        // Writing to a String cannot fail.
        let _ = write!(out, ", upstream;dur={};desc=\"{endpoint}\"", traced.ms);
    }
    out
}
