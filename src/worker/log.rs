//! Events for the operator: single JSON lines in the log. What he is to be alerted of goes to the
//! region's object as well, with the next hand-in.

use worker::console_log;

use super::clock;
use super::isolate::Isolate;
use super::visit::Visit;
use crate::config::Route;
use crate::exchange::Attempt;
use crate::method::Operation;
use crate::rpc::fault::Fault;
use crate::state::event::{self, Told};
use crate::state::hops::Hop;
use crate::time::Millis;

/// Prints one event.
pub(super) fn print(told: &Told) {
    console_log!("{}", told.line);
}

/// Prints it and has the region's object hear of it.
fn tell(isolate: &Isolate, route: &Route, told: Told) {
    print(&told);
    isolate.book(isolate.index(route), |book| book.tell(told));
}

/// An operator must look.
pub(super) fn alert(visit: &Visit, route: &Route, endpoint: Option<&str>, message: &str) {
    let told = event::alert(&route.name, endpoint, message, clock::now());
    tell(&visit.isolate, route, told);
}

/// A client got an own error because nobody answered.
pub(super) fn exhausted(
    visit: &Visit,
    route: &Route,
    operation: &Operation<'_>,
    fault: &Fault,
    attempts: &[Attempt],
) {
    let name = |endpoint: usize| route.endpoints.get(endpoint).map_or("", |e| &*e.name);
    let attempts: Vec<_> = attempts
        .iter()
        .map(|attempt| format!("{}={}", name(attempt.endpoint), attempt.class.label()))
        .collect();
    let (code, attempts) = (fault.code(), attempts.join(","));
    let told = event::exhausted(&route.name, operation.method, code, &attempts, clock::now());
    tell(&visit.isolate, route, told);
}

/// What is wrong with the configuration: said once by each isolate, and to the object of the route
/// it is about, else of any route that works.
pub(super) fn config_errors(isolate: &Isolate) {
    let (config, now) = (&isolate.config, clock::now());
    let any = config.routes.first();
    let faults = config.faults.iter().map(|fault| (fault.route.as_deref(), None, &*fault.message));
    let notices = config
        .notices
        .iter()
        .map(|notice| (Some(&*notice.route), notice.endpoint.as_deref(), &*notice.message));
    for (name, endpoint, message) in faults.chain(notices) {
        let told = event::config_error(name, endpoint, message, now);
        match name.and_then(|name| config.route(name)).or(any) {
            Some(route) => tell(isolate, route, told),
            None => print(&told),
        }
    }
}

/// Takes a step from one endpoint to the next; prints what is due.
pub(super) fn hop(visit: &Visit, hop: Hop, now: Millis) {
    if let Ok(mut hops) = visit.isolate.hops.try_borrow_mut() {
        hops.add(hop, now).iter().for_each(|(hop, count)| failover(hop, *count, now));
    }
}

/// Prints steps that were summed and are due.
pub(super) fn due_hops(visit: &Visit, now: Millis) {
    if let Ok(mut hops) = visit.isolate.hops.try_borrow_mut() {
        hops.due(now).iter().for_each(|(hop, count)| failover(hop, *count, now));
    }
}

fn failover(hop: &Hop, count: u64, now: Millis) {
    print(&event::failover(hop, count, now));
}
