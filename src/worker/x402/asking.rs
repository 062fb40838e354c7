//! One call of a client's, and one attempt at it: what is sent, what it showed, who hears of that.

use std::rc::Rc;

use wasm_bindgen::JsValue;

use super::super::asked::Asked;
use super::super::together::Boxed;
use super::super::upstream::{self, Answer, Arrival, Extent, Sent};
use super::super::visit::Visit;
use super::super::{clock, record};
use super::reach;
use crate::config::Route;
use crate::exchange::Word;
use crate::http::headers::{Trace, Traced};
use crate::state::isolate::{Book, Finished, Grant, Item};
use crate::state::orders::Drill;
use crate::verdict::{self, Context, Failure, Outcome, Policy, Verdict};
use crate::x402::call::Call;

/// A call to make.
pub(super) struct Asking<'v> {
    pub(super) visit: &'v Rc<Visit>,
    pub(super) route: &'v Route,
    pub(super) index: usize,
    pub(super) call: Call,
    query: String,
    body: JsValue,
}

/// A facilitator's answer, as it can be passed on.
pub(super) struct Held {
    pub(super) status: u16,
    pub(super) content_type: Option<String>,
    pub(super) extension: Option<String>,
    pub(super) body: Rc<Vec<u8>>,
    /// It says yes.
    pub(super) agrees: bool,
}

impl<'v> Asking<'v> {
    pub(super) fn new(visit: &'v Rc<Visit>, route: &'v Route, call: Call, body: &JsValue) -> Self {
        let query = if call.http_method() == "GET" { visit.query() } else { String::new() };
        let index = visit.isolate.index(route);
        Self { visit, route, index, call, query, body: body.clone() }
    }

    /// The same body for another call.
    pub(super) fn instead(&self, call: Call) -> Self {
        Self {
            visit: self.visit,
            route: self.route,
            index: self.index,
            call,
            query: self.query.clone(),
            body: self.body.clone(),
        }
    }

    /// Sends it. The request owns all it needs; `grant` is handed back if it is given up.
    pub(super) fn send(
        &self,
        endpoint: usize,
        timeout_ms: u64,
        grant: Option<Grant>,
    ) -> Boxed<'static, Arrival> {
        let (isolate, index) = (Rc::clone(&self.visit.isolate), self.index);
        let (call, query, body) = (self.call, self.query.clone(), self.body.clone());
        let to = self.route.endpoints.get(endpoint);
        let forwarded = to.map_or_else(Vec::new, |to| self.visit.forwarded(to));
        let drill = self.drill(endpoint);
        let mut asked = Asked::new(&isolate, index, endpoint, grant);
        Box::pin(async move {
            let route = isolate.config.routes.get(index);
            let to = route.and_then(|route| route.endpoints.get(endpoint));
            let Some((route, to)) = route.zip(to) else {
                return Arrival::not_sent();
            };
            let url = call.url(&to.url, &query);
            let sent = Sent {
                http_method: call.http_method(),
                url: &url,
                body: &body,
                forwarded: &forwarded,
                ends_when_dropped: call != Call::Settle,
                aborts: call != Call::Settle,
                bells: None,
                drill,
            };
            let extent = Extent { max_bytes: route.limits.response_max_bytes, large: None };
            let arrival = upstream::send(to, sent, timeout_ms, extent).await;
            asked.returned();
            arrival
        })
    }

    /// What the operator has an endpoint rehearse.
    pub(super) fn drill(&self, endpoint: usize) -> Option<Drill> {
        self.visit.isolate.drill(self.index, endpoint)
    }

    /// The right to try an endpoint that was chosen by its standing.
    pub(super) fn permit(&self, endpoint: usize, timeout_ms: u64) -> Option<Grant> {
        let (now, effect) = (clock::now(), self.call.operation().effect);
        let admit = |book: &mut Book| book.permit(endpoint, effect, now, timeout_ms);
        let (grant, moved) = self.visit.isolate.book(self.index, admit).flatten()?;
        if let Some(moved) = moved {
            record::moved(self.visit, self.route, &moved);
        }
        Some(grant)
    }

    /// The right to try it whatever the breaker says: it tests nothing.
    pub(super) fn bypass(&self, endpoint: usize) -> Option<Grant> {
        self.visit.isolate.book(self.index, |book| book.afterwards(endpoint)).flatten()
    }

    /// Takes what an attempt brought: book, trace and log hear of it, the exchange gets its word.
    pub(super) fn take(
        &self,
        endpoint: usize,
        arrival: Arrival,
        grant: Option<Grant>,
        doubted: bool,
        trace: &mut Trace,
    ) -> Word<Held> {
        let verdict = self.judge(endpoint, &arrival, doubted);
        self.record(endpoint, &arrival, grant, verdict);
        let Arrival { outcome, status, ms } = arrival;
        trace.attempts.push(Traced { endpoint, class: verdict.class, left: false, ms });
        if status.is_some() {
            reach::learn(self.visit, self.route.endpoints.get(endpoint));
        }
        Word { endpoint, verdict, status, answer: outcome.ok().map(|answer| self.hold(answer)) }
    }

    /// The word of an attempt that never left.
    pub(super) fn failed(
        &self,
        endpoint: usize,
        failure: Failure,
        trace: &mut Trace,
    ) -> Word<Held> {
        let arrival = Arrival { outcome: Err(failure), status: None, ms: 0 };
        let grant = self.bypass(endpoint).filter(|_| failure.never_arrived());
        self.take(endpoint, arrival, grant, false, trace)
    }

    fn judge(&self, endpoint: usize, arrival: &Arrival, doubted: bool) -> Verdict {
        let outcome = match &arrival.outcome {
            Err(failure) => Outcome::Failed(*failure),
            Ok(answer) => Outcome::Replied(answer.reply()),
        };
        let asked = self.route.endpoints.get(endpoint);
        let context = Context {
            now: clock::now(),
            earlier_ambiguous: doubted,
            caller_credentials: asked.is_some_and(|asked| !asked.forward_headers.is_empty()),
            ..Context::default()
        };
        let policy = Policy {
            rpc_errors: self.route.rpc_errors,
            rules: &self.route.rules,
            endpoint: asked.map_or("", |asked| &asked.name),
        };
        verdict::judge(&self.call.operation(), &outcome, &context, &policy)
    }

    fn record(&self, endpoint: usize, arrival: &Arrival, grant: Option<Grant>, verdict: Verdict) {
        let items = [Item { method: self.call.operation().method, verdict }];
        if let Some(grant) = grant {
            let (status, ms) = (arrival.status, arrival.ms);
            let finished = Finished { endpoint, grant, status, ms, items: &items };
            record::finished(self.visit, self.route, finished);
        }
    }

    fn hold(&self, answer: Answer) -> Held {
        Held {
            status: answer.status,
            agrees: verdict::agrees(&self.call.operation(), &answer.body),
            content_type: answer.content_type.as_deref().map(str::to_owned),
            extension: answer.extension,
            body: answer.body,
        }
    }
}
