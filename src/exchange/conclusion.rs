//! How an exchange ends, and the own error that goes with it.

use super::Attempt;
use crate::config::Route;
use crate::method::{Effect, Operation, filter};
use crate::quorum::Tally;
use crate::rpc::fault::{Agreed, Fault, Tried};
use crate::select;
use crate::state::isolate::{Book, Standing, is_account};
use crate::time::Millis;
use crate::verdict::Class;

/// How an exchange ended.
#[derive(Debug, PartialEq, Eq)]
pub enum Conclusion<A> {
    /// An upstream's answer is the client's.
    Answer(Passed<A>),
    /// The raw transaction is accepted: success with its local hash.
    Accepted {
        /// Index of the endpoint that said so.
        endpoint: usize,
    },
    /// The answer that most endpoints gave, although too few did.
    BestEffort(Passed<A>),
    /// Too few endpoints gave the same answer.
    Disagreed(Tally),
    /// It may or may not have been carried out.
    Unknown,
    /// Everybody asked is rate limited.
    Throttled,
    /// Nobody answered, or nobody could be asked.
    NoAnswer,
}

impl<A> Conclusion<A> {
    /// The endpoint whose word the client gets.
    pub(super) fn endpoint(&self) -> Option<usize> {
        match self {
            Self::Answer(passed) | Self::BestEffort(passed) => Some(passed.endpoint),
            Self::Accepted { endpoint } => Some(*endpoint),
            Self::Disagreed(_) | Self::Unknown | Self::Throttled | Self::NoAnswer => None,
        }
    }
}

/// An upstream's answer to pass on.
#[derive(Debug, PartialEq, Eq)]
pub struct Passed<A> {
    /// Index of the endpoint whose answer it is.
    pub endpoint: usize,
    /// The answer as the caller holds it.
    pub answer: A,
}

/// The own error in place of an upstream's answer; `None` when that is the client's.
pub fn fault<A>(
    conclusion: &Conclusion<A>,
    attempts: &[Attempt],
    route: &Route,
    book: &Book,
    operation: &Operation<'_>,
    now: Millis,
) -> Option<Fault> {
    if filter::uses(operation.method) && is_lost(conclusion, attempts) {
        return Some(Fault::FilterNotFound);
    }
    match conclusion {
        Conclusion::Answer(_) | Conclusion::BestEffort(_) | Conclusion::Accepted { .. } => None,
        Conclusion::Disagreed(tally) => Some(disagreed(tally, attempts, route)),
        Conclusion::Unknown if operation.effect == Effect::Once => {
            Some(Fault::OnceUnknown { attempts: tried(attempts, route) })
        }
        Conclusion::Unknown => Some(Fault::SendUnknown { attempts: tried(attempts, route) }),
        Conclusion::Throttled => {
            Some(Fault::AllRateLimited { retry_after_s: retry_after(route, book, operation, now) })
        }
        Conclusion::NoAnswer => Some(no_answer(attempts, route, book, operation, now)),
    }
}

/// Answers after which a filter is of no more use. Of the parameters it is our part that an endpoint can
/// object to. One that breaks inside may know the filter the next time.
const LOST: [Class; 2] = [Class::FilterLost, Class::InvalidParams];

/// Whether a filter is of no more use: its endpoint does not know it, in whatever words, or cannot be
/// asked.
fn is_lost<A>(conclusion: &Conclusion<A>, attempts: &[Attempt]) -> bool {
    match conclusion {
        Conclusion::Answer(_) => attempts.last().is_some_and(|last| LOST.contains(&last.class)),
        Conclusion::Accepted { .. } | Conclusion::BestEffort(_) | Conclusion::Disagreed(_) => false,
        Conclusion::Unknown | Conclusion::Throttled | Conclusion::NoAnswer => true,
    }
}

/// Who said the same, and who gave no vote.
fn disagreed(tally: &Tally, attempts: &[Attempt], route: &Route) -> Fault {
    let voted = |attempt: &&Attempt| tally.groups.iter().flatten().any(|e| *e == attempt.endpoint);
    let silent: Vec<_> = attempts.iter().filter(|attempt| !voted(attempt)).copied().collect();
    let names = |group: &Vec<usize>| {
        let names = group.iter().filter_map(|endpoint| route.endpoints.get(*endpoint));
        Agreed { count: group.len(), endpoints: names.map(|e| e.name.clone()).collect() }
    };
    Fault::QuorumNotMet {
        threshold: route.quorum.as_ref().map_or(0, |quorum| quorum.threshold),
        votes: tally.groups.iter().map(names).collect(),
        attempts: tried(&silent, route),
    }
}

fn no_answer(
    attempts: &[Attempt],
    route: &Route,
    book: &Book,
    operation: &Operation<'_>,
    now: Millis,
) -> Fault {
    let mut able = standings(route, book, operation, now).peekable();
    if able.peek().is_none() {
        return Fault::MethodRefused;
    }
    let retry_after_s = retry_after(route, book, operation, now);
    let all_throttled = able.all(|standing| match standing {
        Standing::Resting { rest } => !is_account(rest),
        Standing::Ready
        | Standing::Trial
        | Standing::Open { .. }
        | Standing::WrongChain { .. }
        | Standing::Disabled => false,
    });
    if attempts.is_empty() && all_throttled {
        return Fault::AllRateLimited { retry_after_s };
    }
    Fault::NoAnswer { attempts: tried(attempts, route), retry_after_s }
}

/// Seconds until the first endpoint may be asked again; 1 when one may be asked now.
fn retry_after(route: &Route, book: &Book, operation: &Operation<'_>, now: Millis) -> u64 {
    let next = standings(route, book, operation, now).filter_map(|standing| match standing {
        Standing::Resting { rest } => Some(rest.until),
        Standing::Open { retry_at } | Standing::WrongChain { retry_at } => Some(retry_at),
        Standing::Ready | Standing::Trial => Some(now),
        Standing::Disabled => None,
    });
    next.min().unwrap_or(now).seconds_from(now)
}

fn standings<'a>(
    route: &'a Route,
    book: &'a Book,
    operation: &'a Operation<'a>,
    now: Millis,
) -> impl Iterator<Item = Standing> + 'a {
    let endpoints = route.endpoints.iter().enumerate();
    endpoints
        .filter(|(_, endpoint)| endpoint.bound && select::eligible(route, endpoint, operation))
        .map(move |(index, _)| book.standing(index, now))
}

/// Attempts as a client may see them.
pub fn tried(attempts: &[Attempt], route: &Route) -> Vec<Tried> {
    let name = |endpoint: usize| route.endpoints.get(endpoint).map(|e| e.name.clone());
    let attempts = attempts.iter().filter_map(|attempt| {
        Some(Tried { endpoint: name(attempt.endpoint)?, class: attempt.class.label() })
    });
    attempts.collect()
}
