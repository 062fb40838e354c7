//! What one isolate knows about one endpoint.

use super::super::heads::Head;
use super::super::orders::OPERATOR;
use super::super::recent::Recent;
use super::super::replies::{HANDED_MAX, Replies};
use super::super::stats::{FailureOf, Sample, Tally};
use super::super::wire::{Chain, Lease, Regional, Report, Rest, Trialed};
use super::pace::Pace;
use super::{Finished, News};
use crate::breaker::gaps::Gaps;
use crate::breaker::machine::{Breaker, Heard, State};
use crate::breaker::throttle::Throttle;
use crate::config::BreakerPolicy;
use crate::time::Millis;
use crate::verdict::{Class, Signal};

/// One isolate's knowledge of one endpoint.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) bound: bool,
    pub(super) breaker: Breaker,
    pub(super) opened_for: Option<String>,
    pub(super) throttle: Throttle,
    pub(super) gaps: Gaps,
    pub(super) pace: Pace,
    pub(super) recent: Recent,
    pub(super) regional: Option<Regional>,
    /// The region found it serving another chain. Holds however old the snapshot is.
    pub(super) wrong_chain: bool,
    pub(super) tally: Tally,
    pub(super) replies: Replies,
    /// The region lets this isolate try it once.
    pub(super) lease: Option<Lease>,
    /// What came of a trial, until it is handed in.
    pub(super) trialed: Option<Trialed>,
}

impl Entry {
    pub(super) fn rest(&self, now: Millis, regional: Option<&Regional>) -> Option<Rest> {
        let own = self.throttle.resting(now).map(|(until, why)| Rest { until, why });
        let shared = regional.and_then(|regional| regional.rest).filter(|rest| rest.until > now);
        match (own, shared) {
            (Some(own), Some(shared)) => Some(if own.until < shared.until { shared } else { own }),
            (own, shared) => own.or(shared),
        }
    }

    /// The lease under which a read may try it now.
    pub(super) fn leased(&self, now: Millis) -> Option<Lease> {
        let regional = self.regional.as_ref().filter(|r| r.state != State::Closed)?;
        self.lease.filter(|lease| lease.generation == regional.generation && lease.until > now)
    }

    pub(super) fn count(&mut self, finished: Finished<'_>, now: Millis) {
        for (index, item) in finished.items.iter().enumerate() {
            let ms = (index == 0).then_some(finished.ms);
            let failure = item
                .failed()
                .then(|| FailureOf { class: item.verdict.class.label(), status: finished.status });
            self.recent.add(failure.is_some(), ms, now);
            let unclassified = item.verdict.class == Class::Unknown;
            self.tally.add(Sample { at: now, method: item.method, ms, failure, unclassified });
            if let Signal::Gap(gap) = item.verdict.signal {
                self.gaps.remember(item.method, gap, now);
            }
        }
    }

    /// What a signal says to the breaker, after the throttle took its part.
    pub(super) fn hear(&mut self, signal: Signal, policy: &BreakerPolicy, now: Millis) -> Heard {
        match signal {
            Signal::Success => {
                self.throttle.answered(now);
                Heard::Success
            }
            Signal::Neutral | Signal::Gap(_) => Heard::Nothing,
            Signal::Failure => Heard::Failure,
            Signal::Throttled { retry_after_ms } => {
                self.throttle.rate(now, retry_after_ms, policy.retry_after_cap_ms);
                Heard::Throttled
            }
            Signal::Account { .. } => Heard::Throttled,
            Signal::WrongChain => Heard::Unfit,
        }
    }

    pub(super) fn outcry(&mut self, signal: Signal, now: Millis) -> Option<News> {
        match signal {
            Signal::Account { .. } => self.throttle.account(now).then_some(News::Account),
            Signal::WrongChain => {
                (self.breaker.state() == State::Closed).then_some(News::WrongChain)
            }
            Signal::Success
            | Signal::Neutral
            | Signal::Failure
            | Signal::Throttled { .. }
            | Signal::Gap(_) => None,
        }
    }

    pub(super) fn apply(&mut self, regional: &Regional, now: Millis) {
        let moved = self.regional.as_ref().is_some_and(|old| old.generation != regional.generation);
        if moved && regional.state == State::Closed {
            self.breaker.close(now, "region");
            self.opened_for = None;
        }
        let reset = |old: &Regional| old.orders.reset != regional.orders.reset;
        if self.regional.as_ref().is_some_and(reset) {
            self.reset(now);
        }
        if let Some(chain) = regional.chain {
            self.wrong_chain = chain == Chain::Wrong;
        }
        if regional.lease.is_some() {
            self.lease = regional.lease;
        }
        self.regional = Some(regional.clone());
    }

    /// Begins anew, as the operator ordered.
    fn reset(&mut self, now: Millis) {
        self.breaker.reset(now, OPERATOR);
        self.opened_for = None;
        self.throttle.clear();
        self.gaps = Gaps::default();
        self.tally = Tally::default();
        self.replies.clear();
    }

    /// Puts back what a hand-in took that did not arrive.
    pub(super) fn restore(&mut self, report: Report) {
        let newer = std::mem::replace(&mut self.tally, report.tally);
        self.tally.merge(&newer);
        self.trialed = self.trialed.take().or(report.trial);
        let newer = self.replies.take();
        for reply in report.replies.into_iter().chain(newer) {
            self.replies.add(reply, HANDED_MAX);
        }
    }

    pub(super) fn report(&mut self, head: Option<Head>, now: Millis) -> Option<Report> {
        let open = self.breaker.state() != State::Closed;
        let rest = self.rest(now, None);
        let nothing = self.tally.is_empty() && self.replies.is_empty() && self.trialed.is_none();
        let silent = !open && rest.is_none() && nothing;
        (!silent).then(|| Report {
            name: self.name.clone(),
            open,
            reason: self.opened_for.clone(),
            seen: self.regional.as_ref().map(|regional| regional.generation),
            rest,
            head,
            trial: self.trialed.take(),
            tally: std::mem::take(&mut self.tally),
            replies: self.replies.take(),
        })
    }
}
