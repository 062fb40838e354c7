//! The region's view of one endpoint.

use super::super::minutes::Minutes;
use super::super::orders::Orders;
use super::super::recent::Recent;
use super::super::replies::{KEPT_MAX, Replies};
use super::super::stats::{FailureOf, Sample, Tally};
use super::super::wire::{Chain, Report, Rest};
use super::memory::Kept;
use super::probing::{Answered, Probed};
use super::question::{Question, Takes};
use crate::breaker::machine::{Breaker, Heard};
use crate::breaker::throttle::{ACCOUNT_MS, FIRST_MS, Why};
use crate::config::{BreakerPolicy, Endpoint, Route};
use crate::time::Millis;
use crate::verdict::{Class, Signal};

#[derive(Debug, Clone)]
pub(super) struct Member {
    pub(super) name: String,
    pub(super) fingerprint: i64,
    pub(super) bound: bool,
    pub(super) breaker: Breaker,
    /// An isolate keeps away from it: probe at once.
    pub(super) suspected: bool,
    pub(super) rest: Option<Rest>,
    pub(super) tally: Tally,
    /// The same since this object has known it, whatever the operator resets, and its trips.
    pub(super) counted: Tally,
    pub(super) trips: u64,
    pub(super) recent: Recent,
    /// In memory only.
    pub(super) minutes: Minutes,
    pub(super) replies: Replies,
    pub(super) orders: Orders,
    /// What it may be asked.
    pub(super) takes: Takes,
    /// Since when this object has known it.
    pub(super) made: Millis,
    /// When it was last probed.
    pub(super) probed: Millis,
    /// A probe is under way until then, unless it is lost.
    pub(super) busy_until: Millis,
    /// Its last probe said nothing about its health.
    pub(super) mute: bool,
    /// Whether it serves the route's chain; `None`: it has not told.
    pub(super) chain: Option<Chain>,
    pub(super) chain_asked: Option<Millis>,
    pub(super) poll_asked: Millis,
    /// When an answer to a client last showed its head; 0: never.
    pub(super) head_passed: Millis,
    /// Its newest finalized block.
    pub(super) finalized: Option<u64>,
    pub(super) finalized_asked: Option<Millis>,
}

impl Member {
    /// An endpoint by what was kept of it; one that served another chain than the route's is judged
    /// anew once the route's is another.
    pub(super) fn new(route: &Route, endpoint: &Endpoint, kept: &[Kept], now: Millis) -> Self {
        let fingerprint = endpoint.fingerprint().cast_signed();
        let same = |kept: &&Kept| {
            let chain = kept.wrong_for.is_none() || kept.wrong_for == route.chain_id;
            kept.name == endpoint.name && kept.fingerprint == fingerprint && chain
        };
        let disabled = kept.iter().any(|kept| kept.name == endpoint.name && kept.orders.disabled);
        let kept = kept.iter().find(same);
        let orders = kept.map(|kept| kept.orders).unwrap_or_default();
        let takes = Takes::of(route, endpoint);
        Self {
            name: endpoint.name.clone(),
            fingerprint,
            bound: endpoint.bound,
            breaker: kept.map_or_else(|| Breaker::new(now), |kept| kept.breaker.clone()),
            suspected: false,
            rest: kept.and_then(|kept| kept.rest),
            tally: kept.map(|kept| kept.tally.clone()).unwrap_or_default(),
            counted: Tally::default(),
            trips: 0,
            recent: Recent::default(),
            minutes: Minutes::new(now),
            replies: Replies::default(),
            orders: Orders { disabled, ..orders },
            takes,
            made: now,
            probed: now,
            busy_until: Millis(0),
            mute: false,
            chain: kept
                .and_then(|kept| kept.wrong_for.filter(|_| takes.chain_id))
                .map(|_| Chain::Wrong),
            chain_asked: None,
            poll_asked: now,
            head_passed: Millis(0),
            finalized: None,
            finalized_asked: None,
        }
    }

    /// Takes a report; whether its word against the endpoint counts. What an isolate saw before it
    /// heard of the operator's reset is of the past.
    pub(super) fn hear(&mut self, report: &Report, now: Millis) -> bool {
        if report.seen.is_some_and(|seen| seen < self.orders.reset) {
            return false;
        }
        for reply in &report.replies {
            self.replies.add(reply.clone(), KEPT_MAX);
        }
        self.tally.merge(&report.tally);
        self.counted.merge(&report.tally);
        self.recent.merge(&report.tally, now);
        self.minutes.add(report.tally.requests, report.tally.failures, now);
        if let Some(rest) = report.rest {
            self.extend(rest);
        }
        report.open && report.seen.is_none_or(|seen| seen == self.breaker.generation())
    }

    /// Takes a probe: of its answers the one that speaks for the endpoint, and its class.
    pub(super) fn hear_probe(
        &mut self,
        probed: &Probed,
        policy: &BreakerPolicy,
        now: Millis,
    ) -> (Heard, &'static str) {
        let health = self.health_question();
        let heard = probed.answers.iter().map(|answered| {
            (self.hear_answer(answered, policy, now), answered.verdict.class.label())
        });
        let heaviest = heard.max_by_key(|(heard, _)| weight(*heard));
        let (heard, class) = heaviest.unwrap_or((Heard::Nothing, ""));
        self.busy_until = now;
        if probed.probe.questions.iter().any(|question| Some(*question) == health) {
            self.mute = heard == Heard::Nothing;
        }
        (heard, class)
    }

    /// Takes the answer to one question of a probe.
    fn hear_answer(&mut self, answered: &Answered, policy: &BreakerPolicy, now: Millis) -> Heard {
        let heard = self.heard(answered, policy, now);
        let failed = matches!(heard, Heard::Failure | Heard::Throttled | Heard::Unfit);
        let class = answered.verdict.class.label();
        self.recent.add(failed, Some(answered.ms), now);
        self.minutes.add(1, failed.into(), now);
        let sample = Sample {
            at: now,
            method: answered.question.method(),
            ms: Some(answered.ms),
            failure: failed.then_some(FailureOf { class, status: answered.status }),
            unclassified: answered.verdict.class == Class::Unknown,
        };
        self.tally.add(sample);
        self.counted.add(sample);
        heard
    }

    fn heard(&mut self, answered: &Answered, policy: &BreakerPolicy, now: Millis) -> Heard {
        match answered.verdict.signal {
            Signal::Throttled { retry_after_ms } => {
                let ms = retry_after_ms.unwrap_or(FIRST_MS).min(policy.retry_after_cap_ms);
                self.extend(Rest { until: now.plus(ms), why: Why::Rate });
                return Heard::Throttled;
            }
            Signal::Account { .. } if answered.question != Question::Finalized => {
                self.extend(Rest { until: now.plus(ACCOUNT_MS), why: Why::Account });
                return Heard::Throttled;
            }
            Signal::WrongChain => {
                self.chain = Some(Chain::Wrong);
                return Heard::Unfit;
            }
            Signal::Success
            | Signal::Neutral
            | Signal::Failure
            | Signal::Gap(_)
            | Signal::Account { .. } => {}
        }
        self.heard_plainly(answered)
    }

    /// A question that is not about health counts only where it shows that nobody is there.
    fn heard_plainly(&mut self, answered: &Answered) -> Heard {
        let Answered { question, verdict, number, .. } = *answered;
        let answers = answered.status.is_some();
        let asked_for_health = self.health_question() == Some(question);
        match question {
            Question::Finalized => {
                if answers {
                    self.finalized = number;
                }
                return Heard::Nothing;
            }
            Question::ChainId if number.is_some() => self.chain = Some(Chain::Ok),
            Question::ChainId | Question::Head | Question::Supported => {}
        }
        match verdict.signal {
            Signal::Success => Heard::Success,
            Signal::Failure if asked_for_health || !answers => Heard::Failure,
            Signal::Failure
            | Signal::Neutral
            | Signal::Gap(_)
            | Signal::Throttled { .. }
            | Signal::Account { .. }
            | Signal::WrongChain => Heard::Nothing,
        }
    }

    /// One that serves another chain has only one way to show that it is well.
    fn health_question(&self) -> Option<Question> {
        if self.chain == Some(Chain::Wrong) { Some(Question::ChainId) } else { self.takes.health() }
    }

    fn extend(&mut self, rest: Rest) {
        if self.rest.is_none_or(|current| current.until < rest.until) {
            self.rest = Some(rest);
        }
    }

    pub(super) fn resting(&self, now: Millis) -> Option<Rest> {
        self.rest.filter(|rest| rest.until > now)
    }

    /// Whether it may be asked at all.
    pub(super) fn enabled(&self) -> bool {
        self.bound && !self.orders.disabled
    }
}

fn weight(heard: Heard) -> u8 {
    match heard {
        Heard::Unfit => 4,
        Heard::Throttled => 3,
        Heard::Failure => 2,
        Heard::Success => 1,
        Heard::Nothing => 0,
    }
}
