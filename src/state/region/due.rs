//! When an endpoint is asked, and what. Heads that pass by save polls; the rest is asked rarely.

use super::member::Member;
use super::question::Question;
use crate::breaker::machine::State;
use crate::config::BreakerPolicy;
use crate::state::wire::Chain;
use crate::time::Millis;

/// Between questions for the chain id of an endpoint that serves the right chain.
const CHAIN_MS: u64 = 600_000;
/// The same while it has not told.
const CHAIN_UNKNOWN_MS: u64 = 60_000;
/// Isolates hand in what passed by every 15 s at best: a head of theirs is good for a poll's time
/// and this share of it more, or the poll would always come just before it.
const LATE_SHARE: u64 = 4;
/// Between questions for the finalized block.
const FINALIZED_MS: u64 = 60_000;

impl Member {
    /// When to probe it: at once under suspicion, after the cooldown when it is not closed, else
    /// when any question is due; never before the end of a rest it asked for, nor twice at a time.
    pub(super) fn due_at(&self, policy: &BreakerPolicy) -> Option<Millis> {
        if !self.enabled() {
            return None;
        }
        let health = self.takes.health();
        let due = match self.breaker.retry_at() {
            Some(at) if self.mute => health.map(|_| at.max(self.probed.plus(policy.poll_ms))),
            Some(at) => health.map(|_| at),
            None if self.suspected && health.is_some() => Some(self.probed),
            None => self.question_due_at(policy),
        };
        let rested = self.rest.map_or(Millis(0), |rest| rest.until);
        due.map(|due| due.max(rested).max(self.busy_until))
    }

    fn question_due_at(&self, policy: &BreakerPolicy) -> Option<Millis> {
        let dues = [self.chain_due(policy), self.poll_due(policy), self.finalized_due(policy)];
        dues.into_iter().flatten().min()
    }

    fn chain_due(&self, policy: &BreakerPolicy) -> Option<Millis> {
        let pause_ms = match self.chain {
            Some(Chain::Ok) => CHAIN_MS,
            Some(Chain::Wrong) => policy.poll_ms,
            None => CHAIN_UNKNOWN_MS,
        };
        let due = self.chain_asked.map_or(self.made, |at| at.plus(pause_ms));
        self.takes.chain_id.then_some(due)
    }

    fn poll_due(&self, policy: &BreakerPolicy) -> Option<Millis> {
        let poll = self.poll_asked.plus(policy.poll_ms);
        let passed = self.head_passed.plus(policy.poll_ms + policy.poll_ms / LATE_SHARE);
        self.takes.poll.map(|_| poll.max(passed))
    }

    /// First with the first poll.
    fn finalized_due(&self, policy: &BreakerPolicy) -> Option<Millis> {
        let first = self.made.plus(policy.poll_ms);
        let due = self.finalized_asked.map_or(first, |at| at.plus(FINALIZED_MS));
        self.takes.finalized.then_some(due)
    }

    /// What to ask it now, in this order, and marks it asked. One that serves another chain is asked
    /// for nothing else.
    pub(super) fn ask(&mut self, policy: &BreakerPolicy, now: Millis) -> Vec<Question> {
        let questions = self.questions(policy, now);
        for question in &questions {
            match question {
                Question::ChainId => self.chain_asked = Some(now),
                Question::Head | Question::Supported => self.poll_asked = now,
                Question::Finalized => self.finalized_asked = Some(now),
            }
        }
        self.suspected = false;
        self.probed = now;
        questions
    }

    fn questions(&self, policy: &BreakerPolicy, now: Millis) -> Vec<Question> {
        let due = |at: Option<Millis>| at.is_some_and(|at| at <= now);
        let health = self.takes.health();
        if self.chain == Some(Chain::Wrong) {
            return vec![Question::ChainId];
        }
        let closed = self.breaker.state() == State::Closed;
        let unwell = !closed || self.suspected;
        let asked = [
            (Question::ChainId, due(self.chain_due(policy))),
            (self.takes.poll.unwrap_or(Question::Head), due(self.poll_due(policy))),
            (Question::Finalized, closed && due(self.finalized_due(policy))),
        ];
        let wanted =
            |(question, due): &(Question, bool)| *due || unwell && health == Some(*question);
        asked.into_iter().filter(wanted).map(|(question, _)| question).collect()
    }
}
