//! The Durable Object: one per route and region. It keeps [`Region`] over restarts and lets its
//! alarm probe; every decision is the region's own.
//!
//! Stored in `SQLite` (see [`store`]): one row per endpoint, the newest transitions, and until when
//! the object is to probe.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use worker::{DurableObject, Env, Method, Request, Response, State, durable_object};

use super::probe::{self, Made};
use super::together::{Flight, Landed};
use super::webhook::Webhook;
use super::{bells, bindings, clock, log, store};
use crate::config::Route;
use crate::json::{self, form};
use crate::metrics::{self, Reading};
use crate::state::event;
use crate::state::orders::Command;
use crate::state::region::{Event, Region};
use crate::state::wire::{Answer, Local, Observation};
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
    webhook: Webhook,
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
        let Some(observation) = json::read::<Observation>(&body) else {
            return Response::error("not an observation", 400);
        };
        self.load(Some(Place::of(&observation)))?;
        let obeyed = observation.command.as_ref().is_some_and(|command| self.obey(command));
        let Some(answer) = self.hand_in(&observation, obeyed) else {
            return Response::error("no such route", 404);
        };
        self.arm().await?;
        Response::ok(json::text(&answer))
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
        let config = bindings::config(&self.env);
        let Some(route) = config.route(&place.route).cloned() else {
            return Ok(());
        };
        let webhook = config.service.alert_webhook;
        let now = clock::now();
        let (store, memory) = store::Store::open(&self.state, &route)?;
        let loaded = Loaded {
            webhook: Webhook::new(webhook.as_deref(), &route.name, store.alerts()),
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

    /// Obeys the operator; whether that is done and stored.
    fn obey(&self, command: &Command) -> bool {
        let now = clock::now();
        let done = self.with(|loaded| {
            let policy = &loaded.route.breaker;
            let events = loaded.region.obey(command, policy, now, clock::draw());
            events.is_some_and(|events| {
                loaded.tell(&events);
                loaded.save(&self.state, now)
            })
        });
        done.unwrap_or_default()
    }

    fn hand_in(&self, observation: &Observation, obeyed: bool) -> Option<Answer> {
        let now = clock::now();
        self.with(|loaded| {
            let policy = &loaded.route.breaker;
            let mut events = loaded.region.hand_in(observation, policy, now, clock::draw());
            let (snapshot, leased) = loaded.region.answer(observation, now);
            events.extend(leased);
            loaded.tell(&events);
            for told in &observation.events {
                loaded.webhook.take(told.clone(), now);
            }
            loaded.save_when_due(&self.state, now);
            let locals = observation.locals.clone();
            let status = locals.map(|locals| loaded.show(observation, locals, now));
            Answer { snapshot, status, obeyed }
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
            match flight.next_or(&mut [&mut Some(bells::sleep(LOOK_AGAIN_MS))]).await {
                Landed::One(made) => self.take(made),
                Landed::Other(_) => {}
                Landed::Nothing => break,
            }
        }
    }

    fn start_due(&self, flight: &mut Flight<Made>) {
        let now = clock::now();
        self.with(|loaded| {
            let (probes, events) = loaded.region.probes(&loaded.route.breaker, now);
            loaded.tell(&events);
            for made in probes {
                let drill = loaded.region.drill(made.endpoint, now);
                flight.add(Box::pin(probe::make(Rc::clone(&loaded.route), made, drill)));
            }
        });
    }

    fn take(&self, made: Made) {
        let Made { probed, replies } = made;
        self.with(|loaded| {
            let policy = &loaded.route.breaker;
            for reply in replies {
                loaded.region.note_reply(probed.probe.endpoint, reply);
            }
            let events = loaded.region.probed(&probed, policy, clock::now(), clock::draw());
            loaded.tell(&events);
        });
    }

    /// Sends the alerts that are due, and sets the alarm for what comes next, if it moved.
    async fn arm(&self) -> worker::Result<()> {
        let now = clock::now();
        let next = self.with(|loaded| {
            loaded.send_alerts(&self.state, now);
            let probes = loaded.region.next_alarm(&loaded.route.breaker);
            let next = probes.into_iter().chain(loaded.webhook.alerts.next()).min();
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
    /// The status as it is wanted.
    fn show(&self, wanted: &Observation, locals: Vec<Local>, now: Millis) -> String {
        let mut status = if wanted.for_operator {
            self.region.status_for_operator(&self.route, now)
        } else {
            self.region.status(&self.route, now)
        };
        if wanted.metrics {
            let counted = self.region.counted();
            let (status, counted) = (&status, Some(&counted));
            return metrics::samples(&Reading { status, counted, up: Some(true) });
        }
        status.add_locals(locals);
        json::text(&status)
    }

    fn tell(&mut self, events: &[Event]) {
        for event in events {
            let now = clock::now();
            let told = event::of_region(&self.route.name, &self.name, event, now);
            log::print(&told);
            self.webhook.take(told, now);
            if let Event::Breaker(moved) = event {
                self.store.note(moved.clone());
            }
        }
    }

    fn send_alerts(&mut self, state: &State, now: Millis) {
        if let Some(posts) = self.webhook.due(now) {
            state.wait_until(posts);
        }
        if std::mem::take(&mut self.webhook.changed) {
            // What was not written may be told twice after a restart, and no more than that.
            let _ = store::keep_alerts(state, &self.webhook.alerts);
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
    fn save(&mut self, state: &State, now: Millis) -> bool {
        self.flushed = now;
        let written = self.store.write(state, &self.region);
        if let Err(error) = &written {
            let told = event::alert(&self.route.name, None, &format!("storage: {error}"), now);
            log::print(&told);
            self.webhook.take(told, now);
        }
        written.is_ok()
    }
}

/// Which object this is.
#[derive(Default)]
pub(super) struct Place {
    route: String,
    region: String,
}

form!(Place { route, region });

impl Place {
    fn of(observation: &Observation) -> Self {
        Self { route: observation.route.clone(), region: observation.region.clone() }
    }
}
