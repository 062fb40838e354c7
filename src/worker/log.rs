//! Events for the operator: single JSON lines with the kind in `event`. Names only, never a URL.

use serde::Serialize;
use worker::console_log;

use super::visit::Visit;
use crate::config::Route;
use crate::exchange::Attempt;
use crate::method::Operation;
use crate::rpc::fault::Fault;
use crate::state::hops::Hop;
use crate::state::region::Event;
use crate::time::Millis;

/// One line.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub(super) enum Line<'a> {
    /// An answer was left for another endpoint's.
    Failover {
        #[serde(flatten)]
        hop: &'a Hop,
        count: u64,
    },
    /// A breaker moved.
    Breaker { route: &'a str, endpoint: &'a str, from: &'a str, to: &'a str, reason: &'a str, region: &'a str },
    /// Another endpoint is the first choice now.
    ServingChanged { route: &'a str, from: Option<&'a str>, to: Option<&'a str>, region: &'a str },
    /// A client got an own error because nobody answered.
    Exhausted { route: &'a str, operation: &'a str, code: i32, attempts: &'a str },
    /// Configuration that does not work.
    ConfigError { route: Option<&'a str>, endpoint: Option<&'a str>, message: &'a str },
    /// An operator must look.
    Alert { route: &'a str, endpoint: Option<&'a str>, message: &'a str },
}

impl Line<'_> {
    /// Prints it.
    pub(super) fn print(&self) {
        if let Ok(line) = serde_json::to_string(self) {
            console_log!("{line}");
        }
    }
}

/// Prints what a region's view reports.
pub(super) fn print_event(route: &str, region: &str, event: &Event) {
    match event {
        Event::Breaker(moved) => Line::Breaker {
            route,
            endpoint: &moved.endpoint,
            from: moved.from.label(),
            to: moved.to.label(),
            reason: &moved.reason,
            region,
        },
        Event::Serving { from, to } => {
            Line::ServingChanged { route, from: from.as_deref(), to: to.as_deref(), region }
        }
    }
    .print();
}

/// An operator must look at an endpoint.
pub(super) fn alert(route: &str, endpoint: &str, message: &str) {
    Line::Alert { route, endpoint: Some(endpoint), message }.print();
}

/// A client got an own error because nobody answered.
pub(super) fn exhausted(
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
    let (route, operation, code) = (&*route.name, operation.method, fault.code());
    Line::Exhausted { route, operation, code, attempts: &attempts.join(",") }.print();
}

/// Takes a step from one endpoint to the next; prints what is due.
pub(super) fn hop(visit: &Visit, hop: Hop, now: Millis) {
    if let Ok(mut hops) = visit.isolate.hops.try_borrow_mut() {
        for (hop, count) in hops.add(hop, now) {
            Line::Failover { hop: &hop, count }.print();
        }
    }
}

/// Prints steps that were summed and are due.
pub(super) fn due_hops(visit: &Visit, now: Millis) {
    if let Ok(mut hops) = visit.isolate.hops.try_borrow_mut() {
        for (hop, count) in hops.due(now) {
            Line::Failover { hop: &hop, count }.print();
        }
    }
}
