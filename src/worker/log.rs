//! Events for the operator: single JSON lines with the kind in `event`. Names only, never a URL.

use std::fmt::Write;

use worker::console_log;

use super::visit::Visit;
use crate::config::Route;
use crate::exchange::Attempt;
use crate::method::Operation;
use crate::rpc::fault::Fault;
use crate::state::hops::Hop;
use crate::state::region::{Event, Logged};
use crate::time::Millis;

/// A value in a line.
enum Value<'a> {
    Text(&'a str),
    Maybe(Option<&'a str>),
    Number(i64),
    Nothing,
}

/// Prints one line.
fn print(event: &str, fields: &[(&str, Value<'_>)]) {
    let mut line = format!("{{\"event\":\"{event}\"");
    for (name, value) in fields {
        let text = match value {
            Value::Text(text) | Value::Maybe(Some(text)) => serde_json::to_string(text).ok(),
            Value::Number(number) => Some(number.to_string()),
            Value::Maybe(None) | Value::Nothing => None,
        };
        // Writing to a String cannot fail.
        let _ = write!(line, ",\"{name}\":{}", text.as_deref().unwrap_or("null"));
    }
    console_log!("{line}}}");
}

/// Configuration that does not work.
pub(super) fn config_error(route: Option<&str>, endpoint: Option<&str>, message: &str) {
    let fields = [
        ("route", Value::Maybe(route)),
        ("endpoint", Value::Maybe(endpoint)),
        ("message", Value::Text(message)),
    ];
    print("config_error", &fields);
}

/// A breaker moved.
pub(super) fn breaker(route: &str, moved: &Logged) {
    let fields = [
        ("route", Value::Text(route)),
        ("endpoint", Value::Text(&moved.endpoint)),
        ("from", Value::Text(moved.from.label())),
        ("to", Value::Text(moved.to.label())),
        ("reason", Value::Text(&moved.reason)),
        ("region", Value::Text(&moved.region)),
    ];
    print("breaker", &fields);
}

/// What a region's view reports.
pub(super) fn region_event(route: &str, region: &str, event: &Event) {
    match event {
        Event::Breaker(moved) => breaker(route, moved),
        Event::Serving { from, to } => {
            let fields = [
                ("route", Value::Text(route)),
                ("from", Value::Maybe(from.as_deref())),
                ("to", Value::Maybe(to.as_deref())),
                ("region", Value::Text(region)),
            ];
            print("serving_changed", &fields);
        }
        Event::WrongChain { endpoint } => wrong_chain(route, endpoint),
    }
}

/// An operator must look.
pub(super) fn alert(route: &str, endpoint: Option<&str>, message: &str) {
    let fields = [
        ("route", Value::Text(route)),
        ("endpoint", Value::Maybe(endpoint)),
        ("message", Value::Text(message)),
    ];
    print("alert", &fields);
}

/// An endpoint serves another chain than the route's.
pub(super) fn wrong_chain(route: &str, endpoint: &str) {
    alert(route, Some(endpoint), "serves another chain: out until it serves the route's");
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
    let fields = [
        ("route", Value::Text(&route.name)),
        ("operation", Value::Text(operation.method)),
        ("code", Value::Number(fault.code().into())),
        ("attempts", Value::Text(&attempts.join(","))),
    ];
    print("exhausted", &fields);
}

/// Takes a step from one endpoint to the next; prints what is due.
pub(super) fn hop(visit: &Visit, hop: Hop, now: Millis) {
    if let Ok(mut hops) = visit.isolate.hops.try_borrow_mut() {
        hops.add(hop, now).iter().for_each(failover);
    }
}

/// Prints steps that were summed and are due.
pub(super) fn due_hops(visit: &Visit, now: Millis) {
    if let Ok(mut hops) = visit.isolate.hops.try_borrow_mut() {
        hops.due(now).iter().for_each(failover);
    }
}

fn failover((hop, count): &(Hop, u64)) {
    let status = hop.status.map_or(Value::Nothing, |status| Value::Number(status.into()));
    let fields = [
        ("route", Value::Text(&hop.route)),
        ("operation", Value::Text(&hop.operation)),
        ("from", Value::Text(&hop.from)),
        ("to", Value::Text(&hop.to)),
        ("reason", Value::Text(hop.reason)),
        ("status", status),
        ("count", Value::Number(i64::try_from(*count).unwrap_or(i64::MAX))),
    ];
    print("failover", &fields);
}
