//! The operator's requests: carried to the object of every region, or told why not.

use worker::web_sys::Response;

use super::together::{Boxed, together};
use super::visit::Visit;
use super::{clock, pages, respond, rpc, sync};
use crate::config::{Route, rehearsal};
use crate::http::admin::{self, Refusal, Wanted};
use crate::json;
use crate::state::orders::{Action, Command, Drill};
use crate::state::places;
use crate::state::wire::{Answer, Observation, VERSION};

/// Objects told at once: Workers let six connections wait for headers.
const AT_ONCE: usize = 6;
/// How long an object may take: it may have to be made first, on another continent.
const TIMEOUT_MS: u64 = 5_000;
/// A drill's body is no longer.
const BODY_MAX_BYTES: u64 = 4_096;

/// Serves a request whose path, `segments`, is one under `/admin`.
pub(super) async fn serve(visit: &Visit, segments: &[&str]) -> worker::Result<Response> {
    let config = &visit.isolate.config;
    if !admin::authorized(&config.service, visit.heading().authorization()) {
        return refuse(visit, &Refusal::Token);
    }
    match admin::find(config, visit.heading().method(), segments) {
        Err(refusal) => refuse(visit, &refusal),
        Ok(Wanted::Show(route)) => {
            let status = pages::status_of(visit, route, true).await;
            respond::json(visit, 200, status.as_bytes(), &Vec::new())
        }
        Ok(Wanted::Change { route, endpoint, action }) => {
            let endpoint = endpoint.map(|endpoint| &*endpoint.name);
            match change(visit, route, endpoint, action).await {
                Ok(done) => respond::json(visit, 200, done.as_bytes(), &Vec::new()),
                Err(refusal) => refuse(visit, &refusal),
            }
        }
    }
}

fn refuse(visit: &Visit, refusal: &Refusal) -> worker::Result<Response> {
    let mut headers = Vec::new();
    if let Refusal::Method(allowed) = refusal {
        headers.push(("allow", (*allowed).to_owned()));
    }
    if *refusal == Refusal::Token {
        headers.push(("www-authenticate", "Bearer".to_owned()));
    }
    respond::json(visit, refusal.status(), refusal.body().as_bytes(), &headers)
}

async fn change(
    visit: &Visit,
    route: &Route,
    endpoint: Option<&str>,
    action: Action,
) -> Result<String, Refusal> {
    let drill = if action == Action::Fault { Some(drill(visit).await?) } else { None };
    let regions = places::all(visit.isolate.config.service.state);
    if regions.is_empty() {
        return Err(Refusal::Alone);
    }
    let command = Command { endpoint: endpoint.map(str::to_owned), action, drill };
    let told = regions
        .iter()
        .map(|region| Box::pin(tell(visit, route, region, &command)) as Boxed<'_, bool>);
    let told = together(told.collect(), AT_ONCE).await;
    let missing = regions.iter().zip(told).filter(|(_, obeyed)| !obeyed);
    let missing: Vec<_> = missing.map(|(region, _)| *region).collect();
    if !missing.is_empty() {
        return Err(Refusal::Missing(missing));
    }
    Ok(json::object(&[
        ("route", &route.name),
        ("endpoint", &endpoint),
        ("action", &action),
        ("fault", &drill),
        ("regions", &regions),
    ]))
}

async fn drill(visit: &Visit) -> Result<Drill, Refusal> {
    let unread =
        |_| Refusal::Order(format!("fault: must be JSON of at most {BODY_MAX_BYTES} bytes"));
    let body = rpc::read(visit, BODY_MAX_BYTES).await.map_err(unread)?;
    let ordered = rehearsal(&String::from_utf8_lossy(&body)).map_err(Refusal::Order)?;
    Ok(Drill::new(ordered, clock::now()))
}

/// Tells one region's object; whether it obeyed. This isolate follows its own region at once.
async fn tell(visit: &Visit, route: &Route, region: &'static str, command: &Command) -> bool {
    let order = Observation {
        v: VERSION,
        route: route.name.clone(),
        region: region.to_owned(),
        command: Some(command.clone()),
        ..Observation::default()
    };
    let answer = sync::post(&visit.env, &order, TIMEOUT_MS).await;
    let Some(Answer { snapshot, obeyed: true, .. }) = answer else {
        return false;
    };
    if let Some(line) = visit.line(route).filter(|line| line.region == region) {
        line.take(&snapshot);
    }
    true
}
