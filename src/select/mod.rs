//! Which endpoint is asked next: a pure choice from configuration and knowledge, made anew before
//! every attempt, so that what was learned meanwhile counts.

mod history;
mod ordered;
pub mod weighted;

use std::cell::OnceCell;

use crate::config::{Endpoint, Mode, Route, WhenAllOpen};
use crate::method::{Effect, Operation, block};
use crate::state::isolate::{Book, Standing};
use crate::time::Millis;

/// What is to be asked.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'a> {
    /// The operation.
    pub operation: &'a Operation<'a>,
    /// Who it should or must be.
    pub bond: Bond,
    /// Endpoints asked already: each is asked at most once.
    pub asked: Asked,
    /// Whether somebody's refusal can be passed on: then the last resort is not worth its price.
    pub answered: bool,
    /// Who asks, as a keyed hash of caller and time: in weighted mode the same key is served by the
    /// same endpoint.
    pub key: u64,
}

/// What ties an operation to an endpoint.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Bond {
    /// Nothing.
    #[default]
    Free,
    /// This one goes first while it is fit and not behind: it has seen what the operation is about.
    Prefers(usize),
    /// Nobody else can answer: it lives there.
    Only(usize),
    /// This one goes first, whatever its breaker says: it may hold what the operation is about.
    Begins(usize),
    /// The same, and nobody after it.
    Stays(usize),
}

/// A set of endpoint indices; a route has at most 16.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Asked(u32);

impl Asked {
    /// Adds an index.
    pub fn add(&mut self, endpoint: usize) {
        self.0 |= 1 << (endpoint % 32);
    }

    /// Takes an index out.
    pub fn remove(&mut self, endpoint: usize) {
        self.0 &= !(1 << (endpoint % 32));
    }

    /// Whether the index is in it.
    pub fn has(self, endpoint: usize) -> bool {
        self.0 & (1 << (endpoint % 32)) != 0
    }

    /// How many are in it.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether nothing is in it.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The indices in it, in order.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        (0..32).filter(move |endpoint| self.has(*endpoint))
    }
}

/// The endpoint to ask next, by its index; `None` when nobody is left.
pub fn next(route: &Route, book: &Book, wanted: Wanted<'_>, now: Millis) -> Option<usize> {
    let candidates: Vec<_> = candidates(route, wanted).collect();
    let fit = |endpoint: &usize| fit(book, wanted.operation, *endpoint, now);
    if let Bond::Begins(endpoint) | Bond::Stays(endpoint) = wanted.bond
        && candidates.contains(&endpoint)
        && book.standing(endpoint, now) != Standing::Disabled
    {
        return Some(endpoint);
    }
    let ready: Vec<_> = candidates.iter().copied().filter(fit).collect();
    preferred(route, book, wanted, &ready, now).or_else(|| {
        let last_resort = route.breaker.when_all_open == WhenAllOpen::Try
            && !wanted.answered
            && !others_fit(route, wanted, fit);
        last_resort.then(|| earliest(book, &candidates, now)).flatten()
    })
}

/// The best of those that are fit: who has seen what it is about, one that is leased a trial (else
/// nobody would ever try it), an archive for history, then by the mode.
fn preferred(
    route: &Route,
    book: &Book,
    wanted: Wanted<'_>,
    ready: &[usize],
    now: Millis,
) -> Option<usize> {
    let able = able(route, book, wanted.operation, now);
    if let Bond::Prefers(endpoint) = wanted.bond
        && ready.contains(&endpoint)
        && able(&endpoint)
    {
        return Some(endpoint);
    }
    let able = |endpoint: &usize| able(endpoint) && !book.on_trial(*endpoint, now);
    let leased = ready.iter().copied().find(|index| book.leased(*index, now) && able(index));
    leased.or_else(|| history::first(route, book, wanted.operation, ready, able)).or_else(|| {
        match route.mode {
            Mode::Ordered | Mode::Quorum => ordered::first(ready, able),
            Mode::Weighted => weighted::first(route, book, wanted.key, ready, able),
        }
    })
}

/// Whether an endpoint is not known to lack what the operation needs: the method, the head, the
/// height that clients were told of; for a read, a sign of life.
fn able<'a>(
    route: &'a Route,
    book: &'a Book,
    operation: &'a Operation<'_>,
    now: Millis,
) -> impl Fn(&usize) -> bool + 'a {
    // What is known of an endpoint is looked at first: that costs less than reading parameters, which is
    // done once for all of them.
    let (at_head, at_final) = (OnceCell::new(), OnceCell::new());
    let needed_at = OnceCell::new();
    move |endpoint| {
        let silent = is_read(operation) && book.suspected(*endpoint, now);
        let behind = || {
            book.heads.lags(*endpoint, route.freshness, now)
                && *at_head.get_or_init(|| block::depends_on_head(operation))
        };
        let late = || {
            book.finalized.lags(*endpoint, route.freshness, now)
                && *at_final.get_or_init(|| block::depends_on_finalized(operation))
        };
        // Who has the mark has all below it.
        let lacks = || {
            book.lacks_mark(*endpoint, now) && {
                let needed = *needed_at.get_or_init(|| book.needed(operation, now));
                needed.is_some_and(|block| book.heads.lacks(*endpoint, block, now))
            }
        };
        let gap = || book.gap(*endpoint, operation, now);
        !silent && !behind() && !late() && !lacks() && !gap()
    }
}

/// Whether an operation that lives at one endpoint could begin anew at another: then that one, which
/// is not fit, is not worth the wait.
fn others_fit(route: &Route, wanted: Wanted<'_>, fit: impl Fn(&usize) -> bool) -> bool {
    let bound = matches!(wanted.bond, Bond::Only(_));
    bound && candidates(route, Wanted { bond: Bond::Free, ..wanted }).any(|other| fit(&other))
}

/// Whether the operation may ever go to this endpoint of the route.
pub fn eligible(route: &Route, endpoint: &Endpoint, operation: &Operation<'_>) -> bool {
    let private_only =
        operation.effect == Effect::Send && route.endpoints.iter().any(|e| e.private);
    (endpoint.private || !private_only) && endpoint.methods.serves(operation.method)
}

fn candidates<'a>(route: &'a Route, wanted: Wanted<'a>) -> impl Iterator<Item = usize> + 'a {
    route.endpoints.iter().enumerate().filter_map(move |(index, endpoint)| {
        let bound = match wanted.bond {
            Bond::Only(only) | Bond::Stays(only) => only == index,
            Bond::Free | Bond::Prefers(_) | Bond::Begins(_) => true,
        };
        let open = bound && !wanted.asked.has(index);
        (open && eligible(route, endpoint, wanted.operation)).then_some(index)
    })
}

fn is_read(operation: &Operation<'_>) -> bool {
    operation.effect == Effect::Read
}

/// Ready endpoints are fit for anything; one on trial is for reads only.
fn fit(book: &Book, operation: &Operation<'_>, endpoint: usize, now: Millis) -> bool {
    match book.standing(endpoint, now) {
        Standing::Ready => true,
        Standing::Trial => is_read(operation),
        Standing::Open { .. }
        | Standing::WrongChain { .. }
        | Standing::Resting { .. }
        | Standing::Disabled => false,
    }
}

/// The last resort: of the open endpoints the one whose probe is due first. Resting and disabled
/// ones are not in it, nor those of another chain.
fn earliest(book: &Book, candidates: &[usize], now: Millis) -> Option<usize> {
    let due = |endpoint: usize| match book.standing(endpoint, now) {
        Standing::Open { retry_at } => Some(retry_at),
        Standing::Ready | Standing::Trial => Some(now),
        Standing::WrongChain { .. } | Standing::Resting { .. } | Standing::Disabled => None,
    };
    let open = candidates.iter().filter_map(|endpoint| Some((due(*endpoint)?, *endpoint)));
    open.min().map(|(_, endpoint)| endpoint)
}
