//! The region's view of one endpoint.

use super::super::orders::Orders;
use super::super::replies::{KEPT_MAX, Replies};
use super::super::stats::{FailureOf, Sample, Tally};
use super::super::wire::{Report, Rest};
use super::Probed;
use crate::breaker::machine::{Breaker, Heard};
use crate::breaker::throttle::{ACCOUNT_MS, FIRST_MS, Why};
use crate::config::BreakerPolicy;
use crate::time::Millis;
use crate::verdict::Signal;

#[derive(Debug, Clone)]
pub(super) struct Member {
    pub(super) name: String,
    pub(super) fingerprint: u64,
    pub(super) bound: bool,
    pub(super) breaker: Breaker,
    /// An isolate keeps away from it: probe at once.
    pub(super) suspected: bool,
    /// When it was last probed.
    pub(super) probed: Millis,
    pub(super) rest: Option<Rest>,
    pub(super) tally: Tally,
    pub(super) replies: Replies,
    pub(super) orders: Orders,
}

impl Member {
    /// Takes a report; whether its word against the endpoint counts. What an isolate saw before it
    /// heard of the operator's reset is of the past.
    pub(super) fn hear(&mut self, report: &Report) -> bool {
        if report.seen.is_some_and(|seen| seen < self.orders.reset) {
            return false;
        }
        for reply in &report.replies {
            self.replies.add(reply.clone(), KEPT_MAX);
        }
        self.tally.merge(&report.tally);
        if let Some(rest) = report.rest {
            self.extend(rest);
        }
        report.open && report.seen.is_none_or(|seen| seen == self.breaker.generation())
    }

    pub(super) fn hear_probe(
        &mut self,
        probed: &Probed<'_>,
        policy: &BreakerPolicy,
        now: Millis,
    ) -> Heard {
        let failure =
            Some(FailureOf { class: probed.verdict.class.label(), status: probed.status });
        let (heard, failure) = match probed.verdict.signal {
            Signal::Success => (Heard::Success, None),
            Signal::Neutral | Signal::Gap(_) => (Heard::Nothing, None),
            Signal::Failure => (Heard::Failure, failure),
            Signal::Throttled { retry_after_ms } => {
                let ms = retry_after_ms.unwrap_or(FIRST_MS).min(policy.retry_after_cap_ms);
                self.rest_for(now, ms, Why::Rate);
                (Heard::Throttled, failure)
            }
            Signal::Account { .. } | Signal::WrongChain => {
                self.rest_for(now, ACCOUNT_MS, Why::Account);
                (Heard::Throttled, failure)
            }
        };
        let (method, ms) = (probed.method, Some(probed.ms));
        self.tally.add(Sample { at: now, method, ms, failure });
        heard
    }

    fn rest_for(&mut self, now: Millis, ms: u64, why: Why) {
        self.extend(Rest { until: now.plus(ms), why });
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

    /// When to probe it: at once under suspicion, after the cooldown when it is not closed, else at
    /// every poll; never before the end of a rest it asked for.
    pub(super) fn due_at(&self, policy: &BreakerPolicy) -> Option<Millis> {
        let poll = self.probed.plus(policy.poll_ms);
        let due =
            if self.suspected { self.probed } else { self.breaker.retry_at().unwrap_or(poll) };
        self.enabled().then(|| self.rest.map_or(due, |rest| rest.until.max(due)))
    }
}
