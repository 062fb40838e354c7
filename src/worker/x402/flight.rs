//! A settle on its way: who holds the claim carries the exchange out.
//!
//! Nothing is sent to a facilitator before the payment is bound to it. Once something was sent, the
//! only ends are that facilitator's answer and "unknown".

use super::super::{bells, clock, log, outlive, render, together};
use super::answer;
use super::asking::{Asking, Held};
use super::desk::Desk;
use super::reach;
use super::read::fault;
use super::sent;
use crate::config::{DrillKind, SettleFailover};
use crate::exchange::{Conclusion, Exchange, Step, Word as Heard, conclusion};
use crate::http::headers::Trace;
use crate::method::{Effect, NO_LIMIT_MS};
use crate::select::Bond;
use crate::state::isolate::Book;
use crate::time::Millis;
use crate::verdict::{Failure, Next, unverified};
use crate::x402::answer::{Trouble, transaction};
use crate::x402::call::Call;
use crate::x402::claim::RENEW_MS;
use crate::x402::wire::{Asked, End, Said, Told, Want, Word};

/// The holder's part.
pub(super) struct Flight<'a> {
    asking: &'a Asking<'a>,
    desk: Desk,
    granted: Said,
    /// Whom the payment is bound to.
    bound: Option<usize>,
    /// There is somebody to send to.
    has_start: bool,
    exchange: Exchange<Held>,
    /// It may have left.
    sent: bool,
    /// The claim is not ours any more.
    lost: bool,
    /// From an answer that says nothing else.
    transaction: Option<String>,
}

impl<'a> Flight<'a> {
    /// With what the object granted; `choice` where the granted facilitator is not configured here.
    pub(super) fn new(
        asking: &'a Asking<'a>,
        desk: Desk,
        granted: Said,
        choice: Option<usize>,
    ) -> Self {
        let mut endpoints = asking.route.endpoints.iter();
        let bound = granted
            .endpoint
            .as_ref()
            .and_then(|name| endpoints.position(|endpoint| endpoint.name == *name));
        let start = bound.or(choice.filter(|_| granted.first));
        let may_leave = granted.first && asking.route.settle.failover == SettleFailover::Proof;
        let tie = match start {
            Some(start) if may_leave => Bond::Begins(start),
            Some(start) => Bond::Stays(start),
            None => Bond::Free,
        };
        Self {
            asking,
            desk,
            granted,
            bound,
            has_start: start.is_some(),
            exchange: Exchange::new(Millis(u64::MAX)).bonded(tie),
            sent: false,
            lost: false,
            transaction: None,
        }
    }

    /// Carries it out; the object is told before the client is.
    pub(super) async fn run(mut self, trace: &mut Trace) -> Told {
        if self.has_start {
            let renewal = renew(self.desk.clone(), self.granted.flight);
            together::beside(Box::pin(self.fly(trace)), Box::pin(renewal)).await;
        }
        let (flight, desk, visit) = (self.granted.flight, self.desk.clone(), self.asking.visit);
        let (end, told) = self.conclude(trace);
        let kept = told.kept();
        let asked = Asked { want: Want::End, flight, end, told: kept, ..Asked::default() };
        if desk.ask(&asked).await.is_none() {
            outlive::behind(visit, Box::pin(async move { drop(desk.ask(&asked).await) }));
        }
        told
    }

    async fn fly(&mut self, trace: &mut Trace) {
        while let Some(endpoint) = self.next() {
            let word = self.attempt(endpoint, trace).await;
            self.exchange.heard(word, Effect::Once, self.asking.route.send);
        }
    }

    fn next(&mut self) -> Option<usize> {
        let (asking, exchange) = (self.asking, &mut self.exchange);
        let operation = asking.call.operation();
        let step = |book: &mut Book| exchange.step(asking.route, book, &operation, clock::now());
        match asking.visit.isolate.book(asking.index, step)? {
            Step::Ask { endpoint, .. } => Some(endpoint),
            Step::LookUp { .. } | Step::Receipt { .. } | Step::Wait | Step::Done => None,
        }
    }

    async fn attempt(&mut self, endpoint: usize, trace: &mut Trace) -> Heard<Held> {
        if Some(endpoint) != self.bound
            && let Some(word) = self.disowned(endpoint, trace).await
        {
            return word;
        }
        let Some(to) = self.asking.route.endpoints.get(endpoint) else {
            return self.asking.failed(endpoint, Failure::NotSent, trace);
        };
        if self.asking.drill(endpoint).is_some_and(|drill| drill.kind == DrillKind::Down) {
            return self.asking.failed(endpoint, Failure::Drill, trace);
        }
        if reach::is_out(to).await {
            return self.asking.failed(endpoint, Failure::Unreached, trace);
        }
        if self.bound != Some(endpoint) && !self.bind(endpoint, &to.name).await {
            self.lost = true;
            return self.asking.failed(endpoint, Failure::NotSent, trace);
        }
        self.send(endpoint, trace).await
    }

    async fn send(&mut self, endpoint: usize, trace: &mut Trace) -> Heard<Held> {
        let permit = self.asking.bypass(endpoint);
        self.sent = true;
        sent::note(self.desk.name());
        let arrival = self.asking.send(endpoint, NO_LIMIT_MS, None).await;
        self.sent = !matches!(arrival.outcome, Err(Failure::NotSent | Failure::Drill));
        let word = self.asking.take(endpoint, arrival, permit, self.granted.doubted, trace);
        if let (Next::Unknown, Some(held)) = (word.verdict.next, &word.answer) {
            self.transaction = transaction(&held.body).map(ToOwned::to_owned);
        }
        word
    }

    /// What ends the attempt at a facilitator that does not vouch for the payment.
    async fn disowned(&self, endpoint: usize, trace: &mut Trace) -> Option<Heard<Held>> {
        let verify = self.asking.instead(Call::Verify);
        let operation = verify.call.operation();
        let to = self.asking.route.endpoints.get(endpoint)?;
        let route = self.asking.route;
        let timeout_ms = route.attempt_timeout_at_ms(to, operation.method, operation.effect);
        let permit = verify.bypass(endpoint);
        let arrival = verify.send(endpoint, timeout_ms, None).await;
        let word = verify.take(endpoint, arrival, permit, false, trace);
        let agrees = word.answer.as_ref().is_some_and(|held| held.agrees);
        let vouched = agrees && word.verdict.next == Next::Return;
        (!vouched).then(|| Heard { verdict: unverified(&word.verdict), answer: None, ..word })
    }

    /// Binds the payment to another facilitator: the one before was provably not reached.
    async fn bind(&mut self, endpoint: usize, name: &str) -> bool {
        let asked = Asked {
            want: Want::Move,
            flight: self.granted.flight,
            endpoint: Some(name.to_owned()),
            ..Asked::default()
        };
        let said = self.desk.ask(&asked).await;
        let bound = said.is_some_and(|said| said.word == Word::Done);
        self.bound = Some(endpoint).filter(|_| bound);
        bound
    }

    fn conclude(self, trace: &mut Trace) -> (End, Told) {
        let Self { asking, granted, exchange, sent, lost, transaction, .. } = self;
        let (concluded, attempts) = exchange.conclude();
        let (visit, route) = (asking.visit, asking.route);
        let operation = asking.call.operation();
        render::note_attempts(visit, route, &operation, &attempts, trace, clock::now());
        if let Conclusion::Answer(passed) = concluded {
            let end = end_of(&passed.answer);
            let name = route.endpoints.get(passed.endpoint).map(|endpoint| endpoint.name.clone());
            return (end, Told { endpoint: name, ..answer::tell(route, &passed.answer) });
        }
        let fault = fault(asking, &concluded, &attempts);
        log::exhausted(visit, route, &operation, &fault, &attempts);
        let end = if sent || lost { End::Unknown } else { End::NotSent };
        if end == End::NotSent && granted.first {
            return (end, answer::own(&Trouble::Fault(fault)));
        }
        // What was sent before may have done it, whatever became of this.
        let class = attempts.last().map(|attempt| attempt.class);
        let tried = conclusion::tried(&attempts, route);
        (end, answer::unknown(route, class, &tried, transaction.as_deref()))
    }
}

/// A no that names a transaction (pending, no receipt) may become a yes on the chain.
fn end_of(held: &Held) -> End {
    match transaction(&held.body) {
        _ if held.agrees => End::Settled,
        Some(_) => End::Unknown,
        None => End::Answered,
    }
}

/// Says again and again that the holder is still there.
async fn renew(desk: Desk, flight: u64) {
    let asked = Asked { want: Want::Renew, flight, ..Asked::default() };
    loop {
        bells::sleep(RENEW_MS).await;
        drop(desk.ask(&asked).await);
    }
}
