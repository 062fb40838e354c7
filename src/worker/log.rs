//! Events for the operator: single JSON lines with the kind in `event`. Names only, never a URL.

use serde::Serialize;
use worker::console_log;

use crate::state::hops::Hop;
use crate::state::region::Event;

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
