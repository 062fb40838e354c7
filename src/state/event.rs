//! Events for the operator: what each is called and what it carries. One JSON object on one line for
//! the log, and a sentence for a chat. Names only, never a URL.

use super::hops::Hop;
use super::region::{Event, Logged};
use crate::json::{self, ToJson, form};
use crate::time::Millis;

/// What an operator is told of an endpoint of another chain.
pub const WRONG_CHAIN: &str = "serves another chain: out until it serves the route's";

/// An event in words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Told {
    /// Its kind.
    pub event: String,
    /// The endpoint it is about.
    pub endpoint: Option<String>,
    /// JSON object with the kind in `event`.
    pub line: String,
    /// The same for people.
    pub text: String,
    /// When.
    pub at_ms: Millis,
    /// How many it stands for.
    pub times: u64,
}

form!(Told { event, endpoint, line, text, at_ms, times });

impl Told {
    /// Whether its line is one of ours: it comes from an isolate, which may be of another version.
    pub(super) fn is_whole(&self) -> bool {
        self.line.starts_with("{\"event\":") && json::valid(&self.line)
    }

    /// Whether both can be told as one: the same line, or clients that got no answer.
    pub fn is_like(&self, other: &Self) -> bool {
        let about = self.event == other.event && self.endpoint == other.endpoint;
        about && (self.line == other.line || self.is_exhausted())
    }

    /// Whether it is about clients that got no answer.
    pub fn is_exhausted(&self) -> bool {
        self.event == EXHAUSTED
    }
}

const EXHAUSTED: &str = "exhausted";

fn line(event: &str, fields: &[(&str, &dyn ToJson)]) -> String {
    let mut line = format!("{{\"event\":\"{event}\",");
    json::members(&mut line, fields);
    line.push('}');
    line
}

fn told(
    event: &str,
    endpoint: Option<&str>,
    fields: &[(&str, &dyn ToJson)],
    text: String,
    at_ms: Millis,
) -> Told {
    let line = line(event, fields);
    let (event, endpoint) = (event.to_owned(), endpoint.map(str::to_owned));
    Told { event, endpoint, line, text, at_ms, times: 1 }
}

/// A breaker moved.
pub fn breaker(route: &str, moved: &Logged) -> Told {
    let fields: [(&str, &dyn ToJson); _] = [
        ("route", &route),
        ("endpoint", &moved.endpoint),
        ("from", &moved.from.label()),
        ("to", &moved.to.label()),
        ("reason", &moved.reason),
        ("region", &moved.region),
    ];
    let Logged { endpoint, from, to, reason, region, .. } = moved;
    let (from, to) = (from.label(), to.label());
    let text = format!("{route} ({region}): breaker of {endpoint} {from} → {to}, {reason}");
    told("breaker", Some(endpoint), &fields, text, moved.at_ms)
}

/// What a region's view reports.
pub fn of_region(route: &str, region: &str, event: &Event, now: Millis) -> Told {
    let (from, to) = match event {
        Event::Breaker(moved) => return breaker(route, moved),
        Event::Serving { from, to } => (from.as_deref(), to.as_deref()),
        Event::WrongChain { endpoint } => return alert(route, Some(endpoint), WRONG_CHAIN, now),
    };
    let fields: [(&str, &dyn ToJson); _] =
        [("route", &route), ("from", &from), ("to", &to), ("region", &region)];
    let name = |endpoint: Option<&str>| endpoint.unwrap_or("nobody").to_owned();
    let text = format!("{route} ({region}): first choice {} → {}", name(from), name(to));
    told("serving_changed", None, &fields, text, now)
}

/// An operator must look.
pub fn alert(route: &str, endpoint: Option<&str>, message: &str, now: Millis) -> Told {
    let fields: [(&str, &dyn ToJson); _] =
        [("route", &route), ("endpoint", &endpoint), ("message", &message)];
    let about = endpoint.map(|endpoint| format!("/{endpoint}")).unwrap_or_default();
    told("alert", endpoint, &fields, format!("{route}{about}: {message}"), now)
}

/// Configuration that does not work.
pub fn config_error(
    route: Option<&str>,
    endpoint: Option<&str>,
    message: &str,
    now: Millis,
) -> Told {
    let fields: [(&str, &dyn ToJson); _] =
        [("route", &route), ("endpoint", &endpoint), ("message", &message)];
    told("config_error", endpoint, &fields, format!("configuration: {message}"), now)
}

/// A client got an own error because nobody answered. `attempts`: `alchemy=timeout,public=network`.
pub fn exhausted(route: &str, operation: &str, code: i32, attempts: &str, now: Millis) -> Told {
    let fields: [(&str, &dyn ToJson); _] =
        [("route", &route), ("operation", &operation), ("code", &code), ("attempts", &attempts)];
    // Without the operation: its name is the caller's, and a chat may read names.
    let text = format!("{route}: no endpoint gave an answer ({code}): {attempts}");
    told(EXHAUSTED, None, &fields, text, now)
}

/// So many steps from one endpoint to the next.
pub fn failover(hop: &Hop, count: u64, now: Millis) -> Told {
    let fields: [(&str, &dyn ToJson); _] = [
        ("route", &hop.route),
        ("operation", &hop.operation),
        ("from", &hop.from),
        ("to", &hop.to),
        ("reason", &hop.reason),
        ("status", &hop.status),
        ("count", &count),
    ];
    let text = format!("{}: {} → {}, {}, {count}", hop.route, hop.from, hop.to, hop.reason);
    told("failover", Some(&hop.from), &fields, text, now)
}
