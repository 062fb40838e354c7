//! The Durable Object: one per route and region. It keeps [`Region`] over restarts and lets its
//! alarm probe; every decision is the region's own.
//!
//! Stored in `SQLite` (see [`store`]): one row per endpoint, the newest transitions, and until when
//! the object is to probe.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use worker::{DurableObject, Env, Method, Request, Response, State, durable_object};

use super::deadline::pause;
use super::together::{Flight, Landed};
use super::{bindings, clock, log, probe, store};
use crate::config::Route;
use crate::state::region::{Event, Probed, Region};
use crate::state::wire::{Answer, Observation};
use crate::time::Millis;

/// Counts are written at most this often; transitions at once.
const FLUSH_MS: u64 = 60_000;
/// An alarm that is due runs in a moment, and is left alone; one this late is lost.
const OVERDUE_MS: u64 = 10_000;
/// One alarm starts probes for so long: enough for any `close_after` worth configuring.
const ROUNDS_MS: u64 = 10_000;
/// While probes are under way, what else is due is looked for this often.
const LOOK_AGAIN_MS: u64 = 200;

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
    route: Rc<Route>,
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
        self.probe_all().await;
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
            route: Rc::new(route),
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
            let mut events = loaded.region.hand_in(observation, policy, now, clock::draw());
            let (snapshot, leased) = loaded.region.answer(observation, now);
            events.extend(leased);
            loaded.tell(&events);
            loaded.save_when_due(&self.state, now);
            let status = observation.locals.clone().and_then(|locals| {
                let mut status = loaded.region.status(&loaded.route, now);
                status.add_locals(locals);
                serde_json::value::to_raw_value(&status).ok()
            });
            Answer { snapshot, status }
        })
    }

    /// Makes the probes that are due until none is, each endpoint at its own pace: one that hangs
    /// holds up nobody.
    async fn probe_all(&self) {
        let end = clock::now().plus(ROUNDS_MS);
        let mut flight = Flight::new(PROBES_AT_ONCE);
        loop {
            if clock::now() < end {
                self.start_due(&mut flight);
            }
            match flight.next_or(&mut [&mut Some(pause(LOOK_AGAIN_MS))]).await {
                Landed::One(probed) => self.take(&probed),
                Landed::Other(_) => {}
                Landed::Nothing => break,
            }
        }
    }

    fn start_due(&self, flight: &mut Flight<Probed>) {
        self.with(|loaded| {
            let (probes, events) = loaded.region.probes(&loaded.route.breaker, clock::now());
            loaded.tell(&events);
            for made in probes {
                flight.add(Box::pin(probe::make(Rc::clone(&loaded.route), made)));
            }
        });
    }

    fn take(&self, probed: &Probed) {
        self.with(|loaded| {
            let policy = &loaded.route.breaker;
            let events = loaded.region.probed(probed, policy, clock::now(), clock::draw());
            loaded.tell(&events);
        });
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
