//! Talks to the region's Durable Object: hands in what the isolate saw, brings the region's view
//! back. Never in the way of a request, never longer than two seconds, never an error for a client.

use std::rc::Rc;

use js_sys::futures::JsFuture;
use wasm_bindgen::JsValue;
use worker::web_sys::{AbortSignal, Request, RequestInit};
use worker::{Env, Response};

use super::isolate::Isolate;
use super::{bindings, clock};
use crate::json;
use crate::state::isolate::Book;
use crate::state::places::GLOBAL;
use crate::state::sync::TIMEOUT_MS;
use crate::state::wire::{Answer, Observation, Snapshot};

/// One isolate's line to one route's object.
#[derive(Clone)]
pub(super) struct Line {
    pub(super) isolate: Rc<Isolate>,
    pub(super) env: Env,
    pub(super) index: usize,
    pub(super) region: &'static str,
}

impl Line {
    /// Hands in what the isolate saw and takes the region's view; once more if a transaction was
    /// accepted meanwhile.
    pub(super) async fn hand_in(self) {
        self.exchange().await;
        let write_due = |book: &mut Book| book.schedule.write_due(clock::now());
        if self.isolate.book(self.index, write_due) == Some(true) {
            self.exchange().await;
        }
    }

    /// The status as JSON, handing in first what the isolate observed, at most once a second. `None`
    /// when the object did not answer in time.
    pub(super) async fn status(self, for_operator: bool) -> Option<String> {
        self.read(Observation { for_operator, ..Observation::default() }).await
    }

    /// The same as samples of metrics.
    pub(super) async fn metrics(self) -> Option<String> {
        self.read(Observation { metrics: true, ..Observation::default() }).await
    }

    async fn read(self, wanted: Observation) -> Option<String> {
        let now = clock::now();
        let due = self.isolate.book(self.index, |book| book.schedule.read_due(now))?;
        if due && !self.exchange().await {
            return None;
        }
        let locals = self.isolate.book(self.index, |book| book.locals(clock::now()));
        let reading = Observation { locals, ..wanted };
        let answer = self.call(&reading).await?;
        let news = |book: &mut Book| book.is_news(&answer.snapshot);
        if self.isolate.book(self.index, news) == Some(true) {
            self.take(&answer.snapshot);
        }
        answer.status
    }

    /// Follows a snapshot that came without a hand-in.
    pub(super) fn take(&self, snapshot: &Snapshot) {
        let now = clock::now();
        self.isolate.book(self.index, |book| {
            book.schedule.heard(now);
            book.apply(snapshot, now);
        });
    }

    /// Whether the object answered in time.
    async fn exchange(&self) -> bool {
        let now = clock::now();
        let observation = self.isolate.book(self.index, |book| {
            book.schedule.start(now);
            book.observe(&self.isolate.name, now)
        });
        let Some(observation) = observation else {
            return false;
        };
        let answer = self.call(&observation).await;
        let now = clock::now();
        self.isolate.book(self.index, |book| {
            book.schedule.end(now, answer.is_some());
            match &answer {
                Some(answer) => book.apply(&answer.snapshot, now),
                None => book.restore(observation),
            }
        });
        answer.is_some()
    }

    async fn call(&self, observation: &Observation) -> Option<Answer> {
        let route = self.isolate.config.routes.get(self.index)?;
        let placed = Observation {
            route: route.name.clone(),
            region: self.region.to_owned(),
            ..observation.clone()
        };
        post(&self.env, &placed, TIMEOUT_MS).await
    }
}

/// Name of the object of a route and region. Part of the stored layout.
pub(super) fn object_name(route: &str, region: &str) -> String {
    format!("v1/{route}@{region}")
}

/// Posts to the object that the observation names; `None` when it did not answer in time.
pub(super) async fn post(env: &Env, placed: &Observation, timeout_ms: u64) -> Option<Answer> {
    let body = json::text(placed);
    let text = fetch(env, &placed.route, &placed.region, &body, timeout_ms).await.ok()?;
    // Every object tells its version: what has none is no answer of an object.
    json::read(&text).filter(|answer: &Answer| answer.snapshot.v > 0)
}

async fn fetch(
    env: &Env,
    route: &str,
    region: &str,
    body: &str,
    timeout_ms: u64,
) -> worker::Result<String> {
    let hint = (region != GLOBAL).then_some(region);
    let stub = bindings::region_stub(env, &object_name(route, region), hint)?;
    let init = RequestInit::new();
    init.set_method("POST");
    init.set_body(&JsValue::from_str(body));
    let timeout_ms = u32::try_from(timeout_ms).unwrap_or(u32::MAX);
    init.set_signal(Some(&AbortSignal::timeout_with_u32(timeout_ms)));
    let request = Request::new_with_str_and_init("https://region/hand-in", &init)?;
    let response: Response = stub.fetch_with_request(request.into()).await?;
    if response.status_code() != 200 {
        return Err(worker::Error::from("the region's object refused"));
    }
    let response: worker::web_sys::Response = response.into();
    let text = JsFuture::from(response.text()?).await?;
    Ok(text.as_string().unwrap_or_default())
}
