//! Every metric: its name, what it says, and where it is read. `docs/metrics.md` has the same table
//! for people, and a test compares them.

use super::Reading;
use super::read::{Add, Seen, classes, last_failure, methods, states};
use super::text::{Lines, Number};
use crate::breaker::throttle::Why;
use crate::config::Config;
use crate::json::words;
use crate::state::wire::Chain;

use Kind::{Counter, Gauge, Histogram};
use Number::{Millis, Real, Whole};

/// What a metric's value can do.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Kind {
    /// Only goes up, or begins anew with 0.
    Counter,
    /// Goes up and down.
    #[default]
    Gauge,
    /// Counters by upper bound.
    Histogram,
}

words!(Kind { Counter = "counter", Gauge = "gauge", Histogram = "histogram" });

/// A metric.
pub struct Family {
    /// Its name.
    pub name: &'static str,
    /// What its value can do.
    pub kind: Kind,
    /// One sentence.
    pub help: &'static str,
    pub(super) of: Of,
}

/// Whose samples a metric has, and how they are read.
pub(super) enum Of {
    /// The service's.
    Service(fn(&Config, &mut Lines<'_>)),
    /// One a route.
    Route(fn(&Reading<'_>) -> Option<Number>),
    /// One an endpoint.
    Endpoint(fn(&Seen<'_>) -> Option<Number>),
    /// Several an endpoint, told apart by this label.
    Split(&'static str, fn(&Seen<'_>, &mut Add<'_>)),
    /// A histogram an endpoint.
    Latency,
}

const fn family(name: &'static str, kind: Kind, help: &'static str, of: Of) -> Family {
    Family { name, kind, help, of }
}

/// Every metric, in the order of a page.
pub static FAMILIES: &[Family] = &[
    family(
        "breakwater_build_info",
        Gauge,
        "1, with the version that answers.",
        Of::Service(|_, lines| {
            lines.add("", &[("version", env!("CARGO_PKG_VERSION"))], Whole(1));
        }),
    ),
    family(
        "breakwater_route_valid",
        Gauge,
        "1 for a route that is served, 0 for one whose configuration is refused.",
        Of::Service(valid),
    ),
    family(
        "breakwater_region_up",
        Gauge,
        "Whether the region's object answered; while it does not, gauges are the isolate's own view and counters are absent.",
        Of::Route(|reading| reading.up.map(Number::flag)),
    ),
    family(
        "breakwater_region_start_time_seconds",
        Gauge,
        "Since when counters count: they begin with 0 whenever the region's object is made anew.",
        Of::Route(|reading| Some(Millis(reading.counted?.since?.0))),
    ),
    family(
        "breakwater_route_usable_endpoints",
        Gauge,
        "Endpoints that are enabled, closed and not resting.",
        Of::Route(|reading| {
            let usable = reading.status.endpoints.iter().filter(|endpoint| endpoint.serves());
            Some(Whole(usable.count() as u64))
        }),
    ),
    family(
        "breakwater_route_exhausted_total",
        Counter,
        "Calls that got an own error because no endpoint gave an answer.",
        Of::Route(|reading| reading.counted?.exhausted.map(Whole)),
    ),
    family(
        "breakwater_endpoint_order",
        Gauge,
        "Its place in the order of asking, from 1; not in weighted mode.",
        Of::Endpoint(|seen| seen.status.weight.is_none().then_some(Whole(seen.index as u64 + 1))),
    ),
    family(
        "breakwater_endpoint_serving",
        Gauge,
        "1 for the endpoint that is asked first, or has the greatest share.",
        Of::Endpoint(|seen| {
            Some(Number::flag(seen.route.serving.as_ref() == Some(&seen.status.name)))
        }),
    ),
    family(
        "breakwater_endpoint_enabled",
        Gauge,
        "0 when the operator has disabled it or a secret of its is missing.",
        Of::Endpoint(|seen| Some(Number::flag(seen.status.enabled))),
    ),
    family(
        "breakwater_endpoint_state",
        Gauge,
        "1 for the state that its breaker is in.",
        Of::Split("state", states),
    ),
    family(
        "breakwater_endpoint_state_since_timestamp_seconds",
        Gauge,
        "When its breaker entered its state, in seconds since 1970.",
        Of::Endpoint(|seen| Some(Millis(seen.status.since_ms.0))),
    ),
    family(
        "breakwater_endpoint_trips_total",
        Counter,
        "How often its breaker opened from closed.",
        Of::Endpoint(|seen| seen.count(|counts| counts.trips)),
    ),
    family(
        "breakwater_endpoint_throttled",
        Gauge,
        "Whether it rests because it said that it is asked too often.",
        Of::Endpoint(|seen| Some(Number::flag(seen.status.resting == Some(Why::Rate)))),
    ),
    family(
        "breakwater_endpoint_account_trouble",
        Gauge,
        "Whether it rests because key, plan or quota are refused.",
        Of::Endpoint(|seen| Some(Number::flag(seen.status.resting == Some(Why::Account)))),
    ),
    family(
        "breakwater_endpoint_drill",
        Gauge,
        "Whether a drill of the operator's goes on.",
        Of::Endpoint(|seen| Some(Number::flag(seen.status.fault.is_some()))),
    ),
    family(
        "breakwater_endpoint_chain_id_ok",
        Gauge,
        "Whether it serves the route's chain.",
        Of::Endpoint(|seen| seen.status.chain_id.map(|chain| Number::flag(chain == Chain::Ok))),
    ),
    family(
        "breakwater_endpoint_head_block",
        Gauge,
        "Its newest block.",
        Of::Endpoint(|seen| seen.status.head.map(Whole)),
    ),
    family(
        "breakwater_endpoint_head_age_seconds",
        Gauge,
        "How long ago it showed its newest block.",
        Of::Endpoint(|seen| seen.status.head_age_ms.map(Millis)),
    ),
    family(
        "breakwater_endpoint_lag_blocks",
        Gauge,
        "By how many blocks it was behind the chain.",
        Of::Endpoint(|seen| seen.status.lag_blocks.map(Whole)),
    ),
    family(
        "breakwater_endpoint_behind",
        Gauge,
        "Whether it is behind by more than max_lag_blocks and max_lag_ms.",
        Of::Endpoint(|seen| seen.status.behind.map(Number::flag)),
    ),
    family(
        "breakwater_endpoint_finalized_block",
        Gauge,
        "Its newest finalized block.",
        Of::Endpoint(|seen| seen.status.finalized.map(Whole)),
    ),
    family(
        "breakwater_endpoint_finalized_lag_blocks",
        Gauge,
        "By how many blocks its finalized block was behind the others'.",
        Of::Endpoint(|seen| seen.status.finalized_lag_blocks.map(Whole)),
    ),
    family(
        "breakwater_endpoint_weight",
        Gauge,
        "Its weight, in weighted mode.",
        Of::Endpoint(|seen| seen.status.weight.map(|weight| Whole(weight.into()))),
    ),
    family(
        "breakwater_endpoint_score",
        Gauge,
        "Its score from 0 to 1, in weighted mode; its share is this times its weight.",
        Of::Endpoint(|seen| seen.status.score.map(|score| Real(score.value))),
    ),
    family(
        "breakwater_endpoint_requests_total",
        Counter,
        "Attempts, each item of a batch and probes counted.",
        Of::Endpoint(|seen| seen.count(|counts| counts.tally.requests)),
    ),
    family(
        "breakwater_endpoint_failures_total",
        Counter,
        "Attempts that failed, throttles and account trouble counted.",
        Of::Endpoint(|seen| seen.count(|counts| counts.tally.failures)),
    ),
    family(
        "breakwater_endpoint_failure_classes_total",
        Counter,
        "Attempts that failed, by class.",
        Of::Split("class", classes),
    ),
    family(
        "breakwater_endpoint_last_failure_timestamp_seconds",
        Gauge,
        "When it last failed, in seconds since 1970, with the class.",
        Of::Split("class", last_failure),
    ),
    family(
        "breakwater_endpoint_method_requests_total",
        Counter,
        "Attempts by method.",
        Of::Split("method", |seen, add| methods(seen, add, |by| by.requests, |all| all.requests)),
    ),
    family(
        "breakwater_endpoint_method_failures_total",
        Counter,
        "Failed attempts by method.",
        Of::Split("method", |seen, add| methods(seen, add, |by| by.failures, |all| all.failures)),
    ),
    family(
        "breakwater_endpoint_request_duration_seconds",
        Histogram,
        "How long requests took, failed ones counted; a batch is one.",
        Of::Latency,
    ),
    family(
        "breakwater_endpoint_unclassified_total",
        Counter,
        "JSON-RPC errors that no rule knows.",
        Of::Endpoint(|seen| seen.count(|counts| counts.tally.unclassified)),
    ),
    family(
        "breakwater_endpoint_slow_total",
        Counter,
        "Answers so late that another endpoint was asked meanwhile.",
        Of::Endpoint(|seen| seen.count(|counts| counts.tally.slow)),
    ),
    family(
        "breakwater_endpoint_disagreements_total",
        Counter,
        "Answers that were outvoted, in quorum mode.",
        Of::Endpoint(|seen| seen.count(|counts| counts.tally.disagreements)),
    ),
];

/// Refused routes are there by the names that they would have. Two variables of one name are two
/// faults, one after the other.
fn valid(config: &Config, lines: &mut Lines<'_>) {
    for route in &config.routes {
        lines.add("", &[("route", &route.name)], Whole(1));
    }
    let mut last = "";
    for route in config.faults.iter().filter_map(|fault| fault.route.as_deref()) {
        if route != last {
            lines.add("", &[("route", route)], Whole(0));
        }
        last = route;
    }
}
