//! An exchange that compares: so many endpoints are asked at once, and more when the threshold can no
//! longer be reached with those under way, or when they stall. What is under way at the end is of no
//! more use.

use super::{Attempt, Conclusion, Exchange, Passed, Phase, Step, Word};
use crate::config::{OnDisagreement, Quorum, Route};
use crate::method::{Effect, Operation};
use crate::quorum::{self, Ballot, Chosen, Paper};
use crate::state::isolate::Book;
use crate::time::Millis;
use crate::verdict::Class;

/// Those under way have stalled after this long, unless `hedge_after_ms` says otherwise.
const STALL_MS: u64 = 1_000;
/// Blocks by which heads differ at any moment.
const SLACK_BLOCKS: u64 = 2;

/// What an exchange compares.
#[derive(Debug)]
pub(super) struct Several<A> {
    ballot: Ballot<A>,
    pub(super) of: usize,
    stall_ms: u64,
    slack: u64,
    best_effort: bool,
    /// When last looked, there was nobody left to ask.
    nobody_left: bool,
}

impl<A> Several<A> {
    fn new(route: &Route, quorum: &Quorum, method: &str) -> Self {
        let stall_ms = if route.hedge_after_ms > 0 { route.hedge_after_ms } else { STALL_MS };
        Self {
            ballot: Ballot::new(quorum::rule(method), quorum.threshold as usize),
            of: quorum.of as usize,
            stall_ms,
            slack: route.freshness.max_lag_blocks.max(SLACK_BLOCKS),
            best_effort: quorum.on_disagreement == OnDisagreement::BestEffort,
            nobody_left: false,
        }
    }

    /// Whether there is nothing to do before one of those under way comes back.
    pub(super) fn waits(&self, outstanding: usize) -> bool {
        let enough = self.nobody_left || self.ballot.reachable(outstanding);
        outstanding > 0 && enough && !self.ballot.decided(outstanding)
    }
}

impl Route {
    /// The quorum that an operation needs: reads whose method is listed.
    pub fn compares(&self, operation: &Operation<'_>) -> Option<&Quorum> {
        let read = operation.effect == Effect::Read;
        self.quorum.as_ref().filter(|quorum| read && quorum.compares(operation.method))
    }
}

impl<A> Exchange<A> {
    /// Compares the answers of this method, if there is a quorum for it.
    #[must_use]
    pub fn comparing(self, route: &Route, quorum: Option<&Quorum>, method: &str) -> Self {
        let several = quorum.map(|quorum| Several::new(route, quorum, method));
        Self { several: several.map(Box::new), ..self }
    }

    /// Whether it compares.
    pub fn compares(&self) -> bool {
        self.several.is_some()
    }

    pub(super) fn ask_several(
        &mut self,
        route: &Route,
        book: &Book,
        operation: &Operation<'_>,
        now: Millis,
    ) -> Step {
        let outstanding = self.under_way.len();
        let Some(several) = &self.several else {
            return Step::Done;
        };
        if several.ballot.decided(outstanding) {
            return self.decide();
        }
        let few = self.asked.len() < several.of;
        let stalls_at = self.asked_at.plus(several.stall_ms);
        let stalled = outstanding > 0 && now >= stalls_at;
        let hopeless = outstanding == 0 || !several.ballot.reachable(outstanding);
        if few || stalled || hopeless {
            let speak = several.ballot.decided(0);
            if let Some((endpoint, timeout_ms)) = self.choose(route, book, operation, now) {
                return self.begin(endpoint, timeout_ms, now);
            }
            if let Some(several) = &mut self.several {
                several.nobody_left = true;
            }
            // Silence is no vote: with nobody left to ask, those who spoke decide.
            if outstanding == 0 || (stalled && speak) {
                return self.decide();
            }
        }
        self.wake = (!stalled).then_some(stalls_at);
        Step::Wait
    }

    /// Takes an answer that was compared, or what came in place of one: whatever that was, those under
    /// way may still agree.
    pub fn heard_paper(&mut self, word: Word<A>, paper: Paper) {
        let Word { endpoint, verdict, status, answer } = word;
        self.returned(endpoint, verdict.class, status);
        let (false, Some(several)) = (self.is_over(), &mut self.several) else {
            return;
        };
        match (paper, answer) {
            (Paper::Vote(vote), Some(answer)) => several.ballot.cast(endpoint, vote, answer),
            (Paper::Refusal, answer) => self.best.note(endpoint, &verdict, answer),
            (paper, _) => {
                if paper == Paper::Behind {
                    several.ballot.note_behind(endpoint);
                }
                self.best.note_fault();
            }
        }
    }

    /// Ends it with what was said. Where nobody voted, what was heard in place of votes counts as it
    /// does for one that asks in order.
    pub(super) fn decide(&mut self) -> Step {
        let Some(several) = &mut self.several else {
            return Step::Done;
        };
        let (slack, best_effort) = (several.slack, several.best_effort);
        let ballot = several.ballot.take();
        if ballot.is_empty() {
            self.phase = Phase::Exhausted;
            return Step::Done;
        }
        let tally = ballot.tally();
        self.phase = Phase::Over(match ballot.choose(slack) {
            Ok(chosen) => Conclusion::Answer(self.pass(chosen)),
            Err(ballot) if best_effort => match ballot.best(slack) {
                Ok(chosen) => Conclusion::BestEffort(self.pass(chosen)),
                Err(_) => Conclusion::Disagreed(tally),
            },
            Err(_) => Conclusion::Disagreed(tally),
        });
        Step::Done
    }

    fn pass(&mut self, chosen: Chosen<A>) -> Passed<A> {
        let Chosen { endpoint, answer, agreed, outvoted } = chosen;
        self.split = Split { agreed, outvoted };
        Passed { endpoint, answer }
    }
}

/// Who was of the answer given, and who was not.
#[derive(Debug, Default)]
pub(super) struct Split {
    agreed: Vec<usize>,
    outvoted: Vec<usize>,
}

impl Split {
    /// Says of an attempt whether it was left, `endpoint` being the one whose answer was given.
    pub(super) fn mark(&self, attempt: &mut Attempt, endpoint: usize) {
        attempt.left = attempt.endpoint != endpoint && !self.agreed.contains(&attempt.endpoint);
        if self.outvoted.contains(&attempt.endpoint) {
            attempt.class = Class::Outvoted;
        }
    }
}
