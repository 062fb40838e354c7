//! The Durable Object: one per route and region. It keeps [`Region`] over restarts and lets its
//! alarm probe; every decision is the region's own.
//!
//! Stored in `SQLite` (see [`store`]): one row per endpoint, the newest transitions, and until when
//! the object is to probe.

use std::cell::RefCell;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use wasm_bindgen::JsValue;
use worker::{DurableObject, Env, Method, Request, Response, State, durable_object};

use super::together::{Boxed, together};
use super::upstream::{self, Extent};
use super::{bindings, clock, judge, log, store, x402};
use crate::config::{Protocol, Route};
use crate::method::{Effect, Operation};
use crate::state::region::{Event, PROBE_TIMEOUT_MS, Probe, Probed, Region};
use crate::state::wire::{Answer, Observation};
use crate::time::Millis;
use crate::verdict::Verdict;

/// Counts are written at most this often; transitions at once.
const FLUSH_MS: u64 = 60_000;
/// An alarm that is due runs in a moment, and is left alone; one this late is lost.
const OVERDUE_MS: u64 = 10_000;
/// Rounds of probes that one alarm may make: enough for any `close_after` worth configuring.
const ROUNDS_MAX: u32 = 10;

/// Endpoints probed at once: Workers let six connections wait for headers.
const PROBES_AT_ONCE: usize = 6;

/// The object.
#[durable_object(alarm)]
pub struct RegionObject {
    state: State,
    env: Env,
    loaded: RefCell<Option<Loaded>>,
}

struct Loaded {
    route: Route,
    region: Region,
    name: String,
    store: store::Store,
    flushed: Millis,
    alarm: Option<Millis>,
}

impl DurableObject for RegionObject {
    fn new(state: State, env: Env) -> Self {
        Self { state, env, loaded: RefCell::new(None) }
    }

    async fn fetch(&self, mut request: Request) -> worker::Result<Response> {
        if request.method() != Method::Post {
            return Response::error("method not allowed", 405);
        }
        let body = request.text().await?;
        let Ok(observation) = serde_json::from_str::<Observation>(&body) else {
            return Response::error("not an observation", 400);
        };
        self.load(Some(Place::of(&observation)))?;
        let Some(answer) = self.hand_in(&observation) else {
            return Response::error("no such route", 404);
        };
        self.arm().await?;
        Response::from_json(&answer)
    }

    async fn alarm(&self) -> worker::Result<Response> {
        self.load(None)?;
        self.with(|loaded| loaded.alarm = None);
        for _ in 0..ROUNDS_MAX {
            if !self.probe_round().await {
                break;
            }
        }
        self.with(|loaded| loaded.save_when_due(&self.state, clock::now()));
        self.arm().await?;
        Response::empty()
    }
}

impl RegionObject {
    /// Reads what was kept, once in the object's life in memory. Woken by its alarm, the object is not
    /// told its name: it has kept its place since its first hand-in.
    fn load(&self, told: Option<Place>) -> worker::Result<()> {
        if self.loaded.try_borrow().is_ok_and(|loaded| loaded.is_some()) {
            return Ok(());
        }
        let Some(place) = store::place(&self.state, told)? else {
            return Ok(());
        };
        let Some(route) = bindings::config(&self.env).route(&place.route).cloned() else {
            return Ok(());
        };
        let now = clock::now();
        let (store, memory) = store::Store::open(&self.state, &route)?;
        let loaded = Loaded {
            region: Region::new(&place.region, &route, memory, now),
            name: place.region,
            route,
            store,
            flushed: now,
            alarm: None,
        };
        if let Ok(mut place) = self.loaded.try_borrow_mut() {
            *place = Some(loaded);
        }
        Ok(())
    }

    /// Uses what is loaded. `use_it` must neither await nor come back here.
    fn with<T>(&self, use_it: impl FnOnce(&mut Loaded) -> T) -> Option<T> {
        let mut place = self.loaded.try_borrow_mut().ok()?;
        place.as_mut().map(use_it)
    }

    fn hand_in(&self, observation: &Observation) -> Option<Answer> {
        let now = clock::now();
        self.with(|loaded| {
            let policy = &loaded.route.breaker;
            let events = loaded.region.hand_in(observation, policy, now, clock::draw());
            loaded.tell(&events);
            loaded.save_when_due(&self.state, now);
            let status = observation.locals.clone().and_then(|locals| {
                let mut status = loaded.region.status(&loaded.route, now);
                status.add_locals(locals);
                serde_json::value::to_raw_value(&status).ok()
            });
            Answer { snapshot: loaded.region.snapshot(now), status }
        })
    }

    /// Makes the probes that are due, all at once; whether there were any.
    async fn probe_round(&self) -> bool {
        let Some((route, probes)) = self.with(|loaded| {
            let (probes, events) = loaded.region.probes(&loaded.route.breaker, clock::now());
            loaded.tell(&events);
            (loaded.route.clone(), probes)
        }) else {
            return false;
        };
        let sent = probes
            .iter()
            .map(|probe| Box::pin(probe_one(&route, *probe)) as Boxed<'_, Option<ProbeOutcome>>);
        let outcomes = together(sent.collect(), PROBES_AT_ONCE).await;
        for outcome in outcomes.iter().flatten() {
            let now = clock::now();
            self.with(|loaded| {
                let policy = &loaded.route.breaker;
                let outcome = outcome.as_probed();
                let events = loaded.region.probed(outcome, policy, now, clock::draw());
                loaded.tell(&events);
            });
        }
        !probes.is_empty()
    }

    /// Sets the alarm for what comes next, if it moved.
    async fn arm(&self) -> worker::Result<()> {
        let now = clock::now();
        let next = self.with(|loaded| {
            let next = loaded.region.next_alarm(&loaded.route.breaker);
            let lost = |set: Millis| now.since(set) > OVERDUE_MS;
            let sooner =
                next.filter(|next| loaded.alarm.is_none_or(|set| lost(set) || *next < set));
            if sooner.is_some() {
                loaded.alarm = sooner;
            }
            sooner
        });
        match next.flatten() {
            Some(at) => self.state.storage().set_alarm(Duration::from_millis(at.since(now))).await,
            None => Ok(()),
        }
    }
}

impl Loaded {
    fn tell(&mut self, events: &[Event]) {
        for event in events {
            log::region_event(&self.route.name, &self.name, event);
            if let Event::Breaker(moved) = event {
                self.store.note(moved.clone());
            }
        }
    }

    /// Transitions are written at once, counts once in a while.
    fn save_when_due(&mut self, state: &State, now: Millis) {
        let due = now.since(self.flushed) >= FLUSH_MS;
        if due || self.store.is_behind(&self.region) {
            self.save(state, now);
        }
    }

    /// Writes what changed. A failed write is told and tried again with the next one: the view in
    /// memory is the truth while the object lives.
    fn save(&mut self, state: &State, now: Millis) {
        self.flushed = now;
        if let Err(error) = self.store.write(state, &self.region) {
            let message = format!("storage: {error}");
            log::alert(&self.route.name, None, &message);
        }
    }
}

/// Which object this is.
#[derive(Serialize, Deserialize)]
pub(super) struct Place {
    route: String,
    region: String,
}

impl Place {
    fn of(observation: &Observation) -> Self {
        Self { route: observation.route.clone(), region: observation.region.clone() }
    }
}

struct ProbeOutcome {
    probe: Probe,
    verdict: Verdict,
    status: Option<u16>,
    method: &'static str,
    ms: u64,
    head: Option<u64>,
}

impl ProbeOutcome {
    fn as_probed(&self) -> Probed<'_> {
        Probed {
            probe: self.probe,
            verdict: &self.verdict,
            status: self.status,
            method: self.method,
            ms: self.ms,
            head: self.head,
        }
    }
}

const PROBE_METHOD: &str = "eth_blockNumber";
const PROBE_BODY: &str = r#"{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}"#;

/// The cheapest read that no cache in front of an endpoint answers for long.
async fn probe_one(route: &Route, probe: Probe) -> Option<ProbeOutcome> {
    let endpoint = route.endpoints.get(probe.endpoint)?;
    if route.protocol == Protocol::X402 {
        let (arrival, operation, verdict) =
            x402::probe::ask(route, endpoint, PROBE_TIMEOUT_MS).await;
        let (status, ms, method) = (arrival.status, arrival.ms, operation.method);
        return Some(ProbeOutcome { probe, verdict, status, method, ms, head: None });
    }
    let body = JsValue::from_str(PROBE_BODY);
    let extent = Extent { max_bytes: route.limits.response_max_bytes, large: None };
    let arrival = upstream::ask(endpoint, &body, PROBE_TIMEOUT_MS, extent).await;
    let operation = Operation {
        protocol: Protocol::Evm,
        method: PROBE_METHOD,
        params: None,
        effect: Effect::Read,
    };
    let verdict = judge::probe(route, endpoint, &operation, &arrival);
    let head = judge::probed_head(&arrival);
    let (status, ms, method) = (arrival.status, arrival.ms, PROBE_METHOD);
    Some(ProbeOutcome { probe, verdict, status, method, ms, head })
}
