//! What native scenarios share: a route from a few words, verdicts from fewer.

#![allow(dead_code, reason = "each test file uses its part")]

use breakwater::config::{Config, Route, parse};
use breakwater::state::region::{Answered, Probe, Probed, Question};
use breakwater::time::Millis;
use breakwater::verdict::{Class, Gap, LastWord, Next, Signal, Verdict};

pub(crate) const T0: Millis = Millis(1_800_000_000_000);

/// A route named `r` with endpoints a, b, c… and more keys as JSON members (`"trip_after":2`).
pub(crate) fn route(endpoints: usize, more: &str) -> Route {
    let names = ["a", "b", "c", "d", "e"];
    let list: Vec<_> = names
        .iter()
        .take(endpoints)
        .map(|name| format!(r#"{{"name":"{name}","url":"https://{name}.example.org/v1"}}"#))
        .collect();
    route_of(&list.join(","), more)
}

/// The same with the endpoints' JSON given.
pub(crate) fn route_of(endpoints: &str, more: &str) -> Route {
    let comma = if more.is_empty() { "" } else { "," };
    let json =
        format!(r#"{{"protocol":"evm","chain_id":1,"endpoints":[{endpoints}]{comma}{more}}}"#);
    let config: Config = parse(&[("ROUTE_R".to_owned(), json)], &|_| None);
    assert!(config.faults.is_empty(), "{:?}", config.faults);
    config.routes.into_iter().next().unwrap()
}

pub(crate) fn verdict(next: Next, signal: Signal, last_word: LastWord, class: Class) -> Verdict {
    Verdict { next, signal, last_word, class, rule: "test" }
}

pub(crate) fn good() -> Verdict {
    verdict(Next::Return, Signal::Success, LastWord::PassOn, Class::Ok)
}

pub(crate) fn timeout() -> Verdict {
    verdict(Next::Advance, Signal::Failure, LastWord::Unavailable, Class::Timeout)
}

pub(crate) fn throttled(retry_after_ms: Option<u64>) -> Verdict {
    let signal = Signal::Throttled { retry_after_ms };
    verdict(Next::Advance, signal, LastWord::RateLimited, Class::RateLimited)
}

pub(crate) fn other_chain() -> Verdict {
    verdict(Next::Advance, Signal::WrongChain, LastWord::Unavailable, Class::WrongChain)
}

/// Nothing about the endpoint: it does not do that.
pub(crate) fn declined() -> Verdict {
    let gap = Signal::Gap(Gap::Method);
    verdict(Next::Advance, gap, LastWord::PassOn, Class::MethodUnsupported)
}

/// A probe whose questions are answered so: by a verdict and a number.
pub(crate) fn answer(probe: Probe, by: impl Fn(Question) -> (Verdict, Option<u64>)) -> Probed {
    let mut answers = Vec::new();
    for question in &probe.questions {
        let (verdict, number) = by(*question);
        let heard = verdict.signal != Signal::Failure;
        let status = heard.then_some(200);
        let answered = Answered { question: *question, verdict, status, ms: 5, number };
        answers.push(answered);
        if answered.ends() {
            break;
        }
    }
    Probed { probe, answers }
}
