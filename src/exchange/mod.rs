//! One operation from its first attempt to its conclusion: a state machine without I/O.
//!
//! `step` says what to do next, `heard` and `looked_up` take what came of it. A batch is several
//! exchanges whose attempts travel together. Each endpoint is asked at most once, so an exchange
//! ends; a *once* operation goes on only while every earlier attempt provably did not arrive. A
//! broadcast send has several attempts under way: `step` is asked until it says [`Step::Wait`].

mod ask;
mod best;
pub mod conclusion;
mod look_up;
pub mod reconcile;
mod several;
mod step;

use self::best::Best;
pub use self::conclusion::{Conclusion, Passed};
pub use self::look_up::Finding;
use self::look_up::{LookUp, Refusal};
use self::several::{Several, Split};
pub use self::step::{Attempt, Step, Word};
use crate::config::{Route, SendMode};
use crate::method::{Effect, Operation};
use crate::select::{Asked, Bond};
use crate::state::isolate::Book;
use crate::time::Millis;
use crate::verdict::{Class, LastWord, Next, Verdict};

/// Endpoints asked beyond one whose error no rule knows, or that may be behind.
const DOUBTS_MAX: u32 = 1;

/// The state machine; `A` is how the caller holds an upstream's answer.
#[derive(Debug)]
pub struct Exchange<A> {
    deadline: Millis,
    bond: Bond,
    asked: Asked,
    under_way: Asked,
    /// When the last one was asked.
    asked_at: Millis,
    wake: Option<Millis>,
    /// Endpoints that kept it waiting, so that another was asked meanwhile: how many had returned by
    /// then, and why.
    kept: Vec<(usize, usize, Class)>,
    /// Who asks, for modes that spread callers over endpoints.
    key: u64,
    /// Where answers are compared.
    several: Option<Box<Several<A>>>,
    /// Who was of the answer given where answers are compared, and who was not.
    split: Split,
    attempts: Vec<Attempt>,
    doubts: u32,
    /// Endpoints that may have carried it out.
    open: Asked,
    unanswered: bool,
    taken_by: Option<usize>,
    receipt: Receipt,
    best: Best<A>,
    phase: Phase<A>,
}

#[derive(Debug)]
enum Phase<A> {
    Asking,
    /// Refused by one; what others say may be better.
    Refused(Refusal<A>),
    LookingUp(LookUp<A>),
    Over(Conclusion<A>),
    Exhausted,
}

/// Of a send whose result is a receipt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Receipt {
    NotAsked,
    UnderWay,
    Asked,
}

impl<A> Exchange<A> {
    /// An exchange that must have its first byte by `deadline`.
    pub fn new(deadline: Millis) -> Self {
        Self {
            deadline,
            bond: Bond::Free,
            asked: Asked::default(),
            under_way: Asked::default(),
            asked_at: Millis(0),
            wake: None,
            kept: Vec::new(),
            key: 0,
            several: None,
            split: Split::default(),
            attempts: Vec::new(),
            doubts: 0,
            open: Asked::default(),
            unanswered: false,
            taken_by: None,
            receipt: Receipt::NotAsked,
            best: Best::default(),
            phase: Phase::Asking,
        }
    }

    /// Ties it to an endpoint.
    #[must_use]
    pub fn bonded(self, bond: Bond) -> Self {
        Self { bond, ..self }
    }

    /// Asks for whoever has this key.
    pub fn ask_for(&mut self, key: u64) {
        self.key = key;
    }

    /// What to do next.
    pub fn step(
        &mut self,
        route: &Route,
        book: &Book,
        operation: &Operation<'_>,
        now: Millis,
    ) -> Step {
        self.settle();
        match &self.phase {
            Phase::Over(Conclusion::Accepted { endpoint }) if operation.gives_receipt() => {
                self.receipt(*endpoint, route, now)
            }
            Phase::Over(_) => Step::Done,
            Phase::Exhausted if self.under_way.is_empty() => Step::Done,
            Phase::Refused(_) | Phase::Exhausted => Step::Wait,
            Phase::LookingUp(_) => self.look_up(route, book, operation, now),
            Phase::Asking => self.ask(route, book, operation, now),
        }
    }

    /// Whether an earlier attempt may have been carried out.
    pub fn ambiguous(&self) -> bool {
        !self.open.is_empty()
    }

    /// Whether it has its conclusion.
    pub fn is_over(&self) -> bool {
        matches!(self.phase, Phase::Over(_))
    }

    /// Whether something that is under way may still matter.
    pub fn waits(&self) -> bool {
        match (&self.phase, &self.several) {
            (Phase::Asking, Some(several)) => several.waits(self.under_way.len()),
            (_, Some(_) | None) => self.waits_alone(),
        }
    }

    fn waits_alone(&self) -> bool {
        match &self.phase {
            Phase::Over(_) => self.receipt == Receipt::UnderWay,
            Phase::LookingUp(look_up) => look_up.waits(),
            Phase::Asking | Phase::Refused(_) | Phase::Exhausted => !self.under_way.is_empty(),
        }
    }

    /// The endpoint that took the transaction of a send.
    pub fn taken_by(&self) -> Option<usize> {
        self.taken_by
    }

    /// Attempts so far, in order.
    pub fn attempts(&self) -> &[Attempt] {
        &self.attempts
    }

    /// Takes what an attempt showed.
    pub fn heard(&mut self, word: Word<A>, effect: Effect, send: SendMode) {
        let Word { endpoint, verdict, status, answer } = word;
        self.returned(endpoint, verdict.class, status);
        if self.is_over() {
            return;
        }
        if effect == Effect::Send && verdict.accepts() {
            self.taken_by = Some(endpoint);
        }
        let stays = effect == Effect::Send && send == SendMode::Once;
        match verdict.next {
            Next::Return if effect != Effect::Send || verdict.accepts() => {
                self.give(endpoint, answer);
            }
            Next::Return | Next::CheckHash => self.refuse(endpoint, verdict.class, answer),
            Next::Accepted => self.phase = Phase::Over(Conclusion::Accepted { endpoint }),
            Next::Unknown => self.phase = Phase::Over(Conclusion::Unknown),
            Next::Stop => self.stop_with(endpoint, &verdict),
            Next::Resend => {
                self.open.add(endpoint);
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
        self.returned(endpoint, class, None);
        self.best.note_fault();
    }

    /// An attempt that was not made after all.
    pub fn not_made(&mut self, endpoint: usize) {
        self.under_way.remove(endpoint);
    }

    fn returned(&mut self, endpoint: usize, class: Class, status: Option<u16>) {
        self.asked.add(endpoint);
        self.under_way.remove(endpoint);
        self.attempts.push(Attempt { endpoint, class, status, left: true });
    }

    fn refuse(&mut self, endpoint: usize, class: Class, answer: Option<A>) {
        if !matches!(self.phase, Phase::Refused(_)) {
            self.phase = Phase::Refused(Refusal { endpoint, class, answer });
        }
    }

    fn give(&mut self, endpoint: usize, answer: Option<A>) {
        self.phase = match answer {
            Some(answer) => Phase::Over(Conclusion::Answer(Passed { endpoint, answer })),
            None => Phase::Exhausted,
        };
    }

    fn leave(&mut self, for_good: bool) {
        if for_good && matches!(self.phase, Phase::Asking) {
            self.phase = Phase::Exhausted;
        }
    }

    fn stop_with(&mut self, endpoint: usize, verdict: &Verdict) {
        self.best.note(endpoint, verdict, None);
        match verdict.last_word {
            LastWord::Unknown => self.phase = Phase::Over(Conclusion::Unknown),
            LastWord::PassOn | LastWord::NotYet | LastWord::RateLimited | LastWord::Unavailable => {
                self.leave(true);
            }
        }
    }

    /// The conclusion; call it once, after [`Step::Done`] or when nothing more can be done.
    pub fn conclude(mut self) -> (Conclusion<A>, Vec<Attempt>) {
        self.settle();
        if self.several.is_some() && matches!(self.phase, Phase::Asking) {
            self.decide();
        }
        let Self { phase, best, mut attempts, unanswered, under_way, kept, split, .. } = self;
        for (endpoint, returned, class) in kept.into_iter().rev() {
            if under_way.has(endpoint) {
                attempts.insert(returned.min(attempts.len()), Attempt::kept(endpoint, class));
            }
        }
        let conclusion = match phase {
            Phase::Over(conclusion) => conclusion,
            Phase::LookingUp(_) | Phase::Refused(_) => Conclusion::Unknown,
            Phase::Asking | Phase::Exhausted => best.word(unanswered),
        };
        if let Some(endpoint) = conclusion.endpoint() {
            for attempt in &mut attempts {
                split.mark(attempt, endpoint);
            }
        }
        (conclusion, attempts)
    }
}
