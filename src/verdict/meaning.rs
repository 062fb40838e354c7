//! What a rule says: a class, and a course for reads and one for sends.

use super::{Class, Gap, LastWord, Next, Signal, Verdict};

/// What happens next, and what it says about the endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Course {
    pub(crate) next: Next,
    pub(crate) signal: Signal,
}

const fn course(next: Next, signal: Signal) -> Course {
    Course { next, signal }
}

impl Course {
    pub(crate) fn verdict(self, rule: &'static str, class: Class, last_word: LastWord) -> Verdict {
        Verdict { next: self.next, signal: self.signal, last_word, class, rule }
    }
}

/// The chain's answer, or the client's fault: the endpoint works.
pub(crate) const RETURN: Course = course(Next::Return, Signal::Success);
/// The client's answer, which says nothing about the endpoint.
pub(crate) const LET_BE: Course = course(Next::Return, Signal::Neutral);
pub(crate) const ADVANCE: Course = course(Next::Advance, Signal::Neutral);
pub(crate) const ADVANCE_FAILURE: Course = course(Next::Advance, Signal::Failure);
pub(crate) const IF_BEHIND: Course = course(Next::AdvanceIfBehind, Signal::Neutral);
pub(crate) const RESEND: Course = course(Next::Resend, Signal::Neutral);
pub(crate) const RESEND_FAILURE: Course = course(Next::Resend, Signal::Failure);
pub(crate) const ACCEPTED: Course = course(Next::Accepted, Signal::Success);
pub(crate) const STOP: Course = course(Next::Stop, Signal::Neutral);
pub(crate) const REST: Course = course(Next::Advance, Signal::Throttled { retry_after_ms: None });
pub(crate) const LONG_REST: Course =
    course(Next::Advance, Signal::Account { retry_after_ms: None });
pub(crate) const WRONG_CHAIN: Course = course(Next::Advance, Signal::WrongChain);

/// The endpoint cannot do this; another may.
pub(crate) const fn gap(gap: Gap) -> Course {
    course(Next::Advance, Signal::Gap(gap))
}

/// What a rule says.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Meaning {
    pub(crate) class: Class,
    pub(crate) read: Course,
    /// For sends; judge narrows it further for what must not be repeated.
    pub(crate) send: Course,
    pub(crate) last_word: LastWord,
}

impl Meaning {
    pub(crate) const fn new(class: Class, read: Course, send: Course) -> Self {
        Self { class, read, send, last_word: LastWord::PassOn }
    }

    pub(crate) const fn both(class: Class, course: Course) -> Self {
        Self::new(class, course, course)
    }

    /// A verdict of the chain, or a fault of the client's: final.
    pub(crate) const fn answer(class: Class) -> Self {
        Self::both(class, RETURN)
    }

    /// A fault of the endpoint's, which may have come after the send was carried out.
    pub(crate) const fn broken(class: Class) -> Self {
        Self::new(class, ADVANCE_FAILURE, RESEND_FAILURE)
    }

    pub(crate) const fn gap(class: Class, kind: Gap) -> Self {
        Self::both(class, gap(kind))
    }

    /// Whether the row only hands the error back, which harms nobody.
    pub(crate) fn is_answer(&self) -> bool {
        matches!(self.read.next, Next::Return) && matches!(self.send.next, Next::Return)
    }

    pub(crate) const fn send(self, send: Course) -> Self {
        Self { send, ..self }
    }

    pub(crate) const fn last(self, last_word: LastWord) -> Self {
        Self { last_word, ..self }
    }

    /// Nobody's answer: own error when nobody does better.
    pub(crate) const fn unavailable(self) -> Self {
        self.last(LastWord::Unavailable)
    }
}

pub(crate) const RATE_LIMITED: Meaning =
    Meaning::both(Class::RateLimited, REST).last(LastWord::RateLimited);
pub(crate) const QUOTA: Meaning = Meaning::both(Class::Quota, LONG_REST).unavailable();
pub(crate) const UNAUTHORIZED: Meaning =
    Meaning::both(Class::Unauthorized, LONG_REST).unavailable();
/// Its own clock ran out: no fault of the endpoint's by itself.
pub(crate) const TIMED_OUT: Meaning =
    Meaning::new(Class::UpstreamTimeout, ADVANCE, RESEND).unavailable();
