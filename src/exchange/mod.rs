//! One operation from its first attempt to its conclusion: a state machine without I/O.
//!
//! `step` says what to do next, `heard` and `looked_up` take what came of it. A batch is several
//! exchanges whose attempts travel together. Each endpoint is asked at most once, so an exchange
//! ends; a *once* operation goes on only while every earlier attempt provably did not arrive.

mod best;
pub mod conclusion;

use self::best::Best;
pub use self::conclusion::{Conclusion, Passed};
use crate::config::{Route, SendMode};
use crate::method::{Effect, Operation};
use crate::select::{self, Asked, Bond, Wanted};
use crate::state::isolate::Book;
use crate::time::Millis;
use crate::verdict::{Class, LastWord, Next, Verdict};

/// Endpoints asked beyond one whose error no rule knows, or that may be behind.
const DOUBTS_MAX: u32 = 1;

/// What to do next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Ask this endpoint; the attempt may take so long.
    Ask {
        /// Index of the endpoint.
        endpoint: usize,
        /// Milliseconds, body included.
        timeout_ms: u64,
    },
    /// Ask this endpoint whether it knows the transaction's hash.
    LookUp {
        /// Index of the endpoint.
        endpoint: usize,
        /// Milliseconds, body included.
        timeout_ms: u64,
    },
    /// [`Exchange::conclude`] has the answer.
    Done,
}

/// One attempt, for headers, logs and errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attempt {
    /// Index of the endpoint.
    pub endpoint: usize,
    /// What came of it.
    pub class: Class,
    /// HTTP status, when there was one.
    pub status: Option<u16>,
    /// Whether its answer was left for another endpoint's.
    pub left: bool,
}

/// What an attempt showed.
#[derive(Debug)]
pub struct Word<A> {
    /// Index of the endpoint.
    pub endpoint: usize,
    /// What it means.
    pub verdict: Verdict,
    /// HTTP status, when there was one.
    pub status: Option<u16>,
    /// The upstream's answer, when it is one that could be passed on.
    pub answer: Option<A>,
}

/// The state machine; `A` is how the caller holds an upstream's answer.
#[derive(Debug)]
pub struct Exchange<A> {
    deadline: Millis,
    bond: Bond,
    asked: Asked,
    attempts: Vec<Attempt>,
    doubts: u32,
    ambiguous: bool,
    unanswered: bool,
    best: Best<A>,
    phase: Phase<A>,
}

#[derive(Debug)]
enum Phase<A> {
    Asking,
    LookingUp { endpoint: usize, answer: Option<A> },
    Over(Conclusion<A>),
    Exhausted,
}

impl<A> Exchange<A> {
    /// An exchange that must have its first byte by `deadline`.
    pub fn new(deadline: Millis) -> Self {
        Self {
            deadline,
            bond: Bond::Free,
            asked: Asked::default(),
            attempts: Vec::new(),
            doubts: 0,
            ambiguous: false,
            unanswered: false,
            best: Best::default(),
            phase: Phase::Asking,
        }
    }

    /// Ties it to an endpoint.
    #[must_use]
    pub fn bonded(self, bond: Bond) -> Self {
        Self { bond, ..self }
    }

    /// What to do next.
    pub fn step(
        &mut self,
        route: &Route,
        book: &Book,
        operation: &Operation<'_>,
        now: Millis,
    ) -> Step {
        match &self.phase {
            Phase::Over(_) | Phase::Exhausted => Step::Done,
            Phase::LookingUp { endpoint, .. } => {
                let timeout_ms = self.timeout_ms(route, *endpoint, operation, now).max(1);
                Step::LookUp { endpoint: *endpoint, timeout_ms }
            }
            Phase::Asking => self.ask(route, book, operation, now),
        }
    }

    fn ask(&mut self, route: &Route, book: &Book, operation: &Operation<'_>, now: Millis) -> Step {
        if let Some(endpoint) = self.choose(route, book, operation, now) {
            let timeout_ms = self.timeout_ms(route, endpoint, operation, now);
            if timeout_ms > 0 {
                return Step::Ask { endpoint, timeout_ms };
            }
        }
        self.phase = Phase::Exhausted;
        Step::Done
    }

    /// What an attempt may take: its own limit, or what is left of the whole.
    fn timeout_ms(
        &self,
        route: &Route,
        endpoint: usize,
        operation: &Operation<'_>,
        now: Millis,
    ) -> u64 {
        let Operation { method, effect, .. } = *operation;
        let limit_ms = route
            .endpoints
            .get(endpoint)
            .map_or(0, |endpoint| route.attempt_timeout_at_ms(endpoint, method, effect));
        limit_ms.min(self.deadline.since(now))
    }

    fn choose(
        &self,
        route: &Route,
        book: &Book,
        operation: &Operation<'_>,
        now: Millis,
    ) -> Option<usize> {
        if self.attempts.len() >= usize::try_from(route.max_attempts).unwrap_or(usize::MAX) {
            return None;
        }
        let answered = self.best.has_refusal();
        let wanted = Wanted { operation, bond: self.bond, asked: self.asked, answered };
        select::next(route, book, wanted, now)
    }

    /// Whether an earlier attempt may have been carried out.
    pub fn ambiguous(&self) -> bool {
        self.ambiguous
    }

    /// Attempts so far, in order.
    pub fn attempts(&self) -> &[Attempt] {
        &self.attempts
    }

    /// Takes what an attempt showed.
    pub fn heard(&mut self, word: Word<A>, effect: Effect, send: SendMode) {
        let Word { endpoint, verdict, status, answer } = word;
        self.asked.add(endpoint);
        self.attempts.push(Attempt { endpoint, class: verdict.class, status, left: true });
        let stays = effect == Effect::Send && send == SendMode::Once;
        match verdict.next {
            Next::Return => self.give(endpoint, answer),
            Next::Accepted => self.phase = Phase::Over(Conclusion::Accepted { endpoint }),
            Next::CheckHash => self.phase = Phase::LookingUp { endpoint, answer },
            Next::Unknown => self.stop(Conclusion::Unknown),
            Next::Stop => self.stop_with(endpoint, &verdict),
            Next::Resend => {
                self.ambiguous = true;
                self.unanswered |= verdict.last_word != LastWord::PassOn;
                self.best.note(endpoint, &verdict, answer);
                self.leave(stays);
            }
            Next::Advance | Next::AdvanceIfBehind => {
                let doubtful =
                    verdict.next == Next::AdvanceIfBehind || verdict.class == Class::Unknown;
                self.best.note(endpoint, &verdict, answer);
                self.doubts += u32::from(doubtful);
                self.leave(stays || self.doubts > DOUBTS_MAX);
            }
        }
    }

    /// An attempt that was given up before it said anything: the endpoint turned out to be open.
    pub fn withdrawn(&mut self, endpoint: usize, class: Class) {
        self.asked.add(endpoint);
        self.attempts.push(Attempt { endpoint, class, status: None, left: true });
        self.best.note_fault();
    }

    /// Takes what the look-up of the transaction's hash showed.
    pub fn looked_up(&mut self, found: bool) {
        let Phase::LookingUp { endpoint, answer } =
            std::mem::replace(&mut self.phase, Phase::Exhausted)
        else {
            return;
        };
        if found {
            self.phase = Phase::Over(Conclusion::Accepted { endpoint });
        } else {
            self.give(endpoint, answer);
        }
    }

    fn give(&mut self, endpoint: usize, answer: Option<A>) {
        if let Some(last) = self.attempts.last_mut() {
            last.left = false;
        }
        self.phase = match answer {
            Some(answer) => Phase::Over(Conclusion::Answer(Passed { endpoint, answer })),
            None => Phase::Exhausted,
        };
    }

    fn leave(&mut self, for_good: bool) {
        self.phase = if for_good { Phase::Exhausted } else { Phase::Asking };
    }

    fn stop(&mut self, conclusion: Conclusion<A>) {
        self.phase = Phase::Over(conclusion);
    }

    fn stop_with(&mut self, endpoint: usize, verdict: &Verdict) {
        self.best.note(endpoint, verdict, None);
        self.phase = match verdict.last_word {
            LastWord::Unknown => Phase::Over(Conclusion::Unknown),
            LastWord::PassOn | LastWord::RateLimited | LastWord::Unavailable => Phase::Exhausted,
        };
    }

    /// The conclusion; call it once, after [`Step::Done`].
    pub fn conclude(self) -> (Conclusion<A>, Vec<Attempt>) {
        let Self { phase, best, mut attempts, unanswered, .. } = self;
        let conclusion = match phase {
            Phase::Over(conclusion) => conclusion,
            Phase::Asking | Phase::LookingUp { .. } | Phase::Exhausted => best.word(unanswered),
        };
        if let Some(endpoint) = conclusion.endpoint() {
            for attempt in &mut attempts {
                attempt.left = attempt.endpoint != endpoint;
            }
        }
        (conclusion, attempts)
    }
}
