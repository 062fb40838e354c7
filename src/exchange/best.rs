//! What the client hears when nobody did better: that it is not there yet, else the first refusal of the
//! request itself, else that everybody is throttled, else that nobody answered.

use super::conclusion::{Conclusion, Passed};
use crate::verdict::{LastWord, Signal, Verdict};

#[derive(Debug)]
pub(super) struct Best<A> {
    refusal: Option<Passed<A>>,
    not_yet: Option<Passed<A>>,
    /// Somebody who is well declined it.
    declined: bool,
    throttled: bool,
    faulty: bool,
}

impl<A> Default for Best<A> {
    fn default() -> Self {
        Self { refusal: None, not_yet: None, declined: false, throttled: false, faulty: false }
    }
}

impl<A> Best<A> {
    /// Whether there is a word of the request itself, and not of what an endpoint suffers from.
    pub(super) fn has_refusal(&self) -> bool {
        self.declined
    }

    pub(super) fn note(&mut self, endpoint: usize, verdict: &Verdict, answer: Option<A>) {
        let keep = |place: &mut Option<_>| {
            *place = place.take().or(answer.map(|answer| Passed { endpoint, answer }));
        };
        let passes = matches!(verdict.last_word, LastWord::PassOn | LastWord::NotYet);
        self.declined |= passes && verdict.signal != Signal::Failure;
        match verdict.last_word {
            LastWord::PassOn => keep(&mut self.refusal),
            LastWord::NotYet => keep(&mut self.not_yet),
            LastWord::RateLimited => self.throttled = true,
            LastWord::Unavailable | LastWord::Unknown => self.faulty = true,
        }
    }

    pub(super) fn note_fault(&mut self) {
        self.faulty = true;
    }

    pub(super) fn word(self, unanswered: bool) -> Conclusion<A> {
        // A send that got no answer may have arrived: no later endpoint's refusal changes that.
        match self.not_yet.or(self.refusal) {
            _ if unanswered => Conclusion::Unknown,
            Some(passed) => Conclusion::Answer(passed),
            None if self.throttled && !self.faulty => Conclusion::Throttled,
            None => Conclusion::NoAnswer,
        }
    }
}
