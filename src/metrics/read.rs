//! What metrics read of an endpoint.

use super::Reading;
use super::text::{Lines, Number};
use crate::breaker::machine::State;
use crate::method::known::is_known;
use crate::state::counted::Counts;
use crate::state::stats::{BOUNDS_MS, MethodTally, Tally};
use crate::state::status::{EndpointStatus, RouteStatus};
use crate::verdict::Class;

/// What stands for every name that is not one of a closed set.
const OTHER: &str = "other";
/// The state of an endpoint that is never asked.
const DISABLED: &str = "disabled";

/// An endpoint.
pub(super) struct Seen<'a> {
    pub(super) route: &'a RouteStatus,
    pub(super) status: &'a EndpointStatus,
    /// Its place in the configured order, from 0.
    pub(super) index: usize,
    /// `None`: not to be had now.
    pub(super) counts: Option<Counts<'a>>,
}

impl<'a> Seen<'a> {
    /// Adds the samples of each endpoint, with its name.
    pub(super) fn each(
        reading: &Reading<'a>,
        lines: &mut Lines<'_>,
        add: impl Fn(&Self, &mut Lines<'_>),
    ) {
        let counted = reading.counted.map(|counted| &*counted.endpoints).unwrap_or_default();
        for (index, status) in reading.status.endpoints.iter().enumerate() {
            let counts = counted.get(index).copied();
            let seen = Self { route: reading.status, status, index, counts };
            lines.with("endpoint", &status.name, |lines| add(&seen, lines));
        }
    }

    /// Something that was counted.
    pub(super) fn count(&self, read: impl FnOnce(Counts<'a>) -> u64) -> Option<Number> {
        self.counts.map(|counts| Number::Whole(read(counts)))
    }
}

/// Takes one of several samples: what tells it apart, and its value.
pub(super) type Add<'f> = dyn FnMut(&str, Number) + 'f;

/// Each state, and whether it is the endpoint's.
pub(super) fn states(seen: &Seen<'_>, add: &mut Add<'_>) {
    for state in State::WORDS.iter().map(|(word, _)| *word).chain([DISABLED]) {
        add(state, Number::flag(seen.status.state == state));
    }
}

/// Failures by class.
pub(super) fn classes(seen: &Seen<'_>, add: &mut Add<'_>) {
    if let Some(Counts { tally, .. }) = seen.counts {
        let mut entries = tally.classes.iter().map(|(class, count)| (&**class, *count));
        split(&mut entries, is_class, tally.failures, add);
    }
}

/// A count by method, and the whole of it.
pub(super) fn methods(
    seen: &Seen<'_>,
    add: &mut Add<'_>,
    read: fn(MethodTally) -> u64,
    whole: fn(&Tally) -> u64,
) {
    if let Some(Counts { tally, .. }) = seen.counts {
        let mut entries = tally.methods.iter().map(|(method, own)| (&**method, read(*own)));
        split(&mut entries, is_known, whole(tally), add);
    }
}

/// The newest failure: its class and when it was.
pub(super) fn last_failure(seen: &Seen<'_>, add: &mut Add<'_>) {
    if let Some(last) = &seen.status.last_failure {
        let class = if is_class(&last.class) { &last.class } else { OTHER };
        add(class, Number::Millis(last.at_ms.0));
    }
}

fn is_class(label: &str) -> bool {
    Class::ALL.iter().any(|class| class.label() == label)
}

/// Counts by name; what of the whole has no name of the set is `other`. Each goes up only, since the
/// whole and every part do so together.
fn split(
    entries: &mut dyn Iterator<Item = (&str, u64)>,
    known: fn(&str) -> bool,
    whole: u64,
    add: &mut Add<'_>,
) {
    let mut other = whole;
    for (name, count) in entries.filter(|(name, _)| known(name)) {
        other = other.saturating_sub(count);
        add(name, Number::Whole(count));
    }
    if other > 0 {
        add(OTHER, Number::Whole(other));
    }
}

/// A histogram: how many answers took at most as long as each bound, how long all took, and how
/// many there were.
pub(super) fn latency(seen: &Seen<'_>, lines: &mut Lines<'_>) {
    let Some(Counts { tally, .. }) = seen.counts else {
        return;
    };
    let mut sum = 0;
    let mut bounds = BOUNDS_MS.iter();
    let buckets = tally.latency.iter().copied().chain(std::iter::repeat(0));
    for count in buckets.take(BOUNDS_MS.len() + 1) {
        sum += count;
        let mut bound = String::new();
        match bounds.next() {
            Some(ms) => Number::Millis(*ms).write(&mut bound),
            None => bound.push_str("+Inf"),
        }
        lines.add("_bucket", &[("le", &bound)], Number::Whole(sum));
    }
    lines.add("_sum", &[], Number::Millis(tally.latency_ms));
    lines.add("_count", &[], Number::Whole(sum));
}
