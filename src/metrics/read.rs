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

/// Each state, and whether it is the endpoint's.
pub(super) fn states<'s>(seen: &'s Seen<'_>) -> Vec<(&'s str, Number)> {
    let states = State::WORDS.iter().map(|(word, _)| *word).chain([DISABLED]);
    states.map(|state| (state, Number::flag(seen.status.state == state))).collect()
}

/// Failures by class.
pub(super) fn classes<'s>(seen: &'s Seen<'_>) -> Vec<(&'s str, Number)> {
    let Some(Counts { tally, .. }) = seen.counts else {
        return Vec::new();
    };
    let entries = tally.classes.iter().map(|(class, count)| (&**class, *count));
    split(entries, is_class, tally.failures)
}

/// A count by method, and the whole of it.
pub(super) fn methods<'s>(
    seen: &'s Seen<'_>,
    read: fn(MethodTally) -> u64,
    whole: fn(&Tally) -> u64,
) -> Vec<(&'s str, Number)> {
    let Some(Counts { tally, .. }) = seen.counts else {
        return Vec::new();
    };
    let entries = tally.methods.iter().map(|(method, tally)| (&**method, read(*tally)));
    split(entries, is_known, whole(tally))
}

/// The newest failure: its class and when it was.
pub(super) fn last_failure<'s>(seen: &'s Seen<'_>) -> Vec<(&'s str, Number)> {
    let last = seen.status.last_failure.iter();
    let class = |class: &'s str| if is_class(class) { class } else { OTHER };
    last.map(|last| (class(&last.class), Number::Millis(last.at_ms.0))).collect()
}

fn is_class(label: &str) -> bool {
    Class::ALL.iter().any(|class| class.label() == label)
}

/// Counts by name; what of the whole has no name of the set is `other`. Each goes up only, since the
/// whole and every part do so together.
fn split<'a>(
    entries: impl Iterator<Item = (&'a str, u64)>,
    known: fn(&str) -> bool,
    whole: u64,
) -> Vec<(&'a str, Number)> {
    let known: Vec<_> = entries.filter(|(name, _)| known(name)).collect();
    let named: u64 = known.iter().map(|(_, count)| count).sum();
    let other = whole.checked_sub(named).filter(|other| *other > 0);
    let all = known.into_iter().chain(other.map(|other| (OTHER, other)));
    all.map(|(name, count)| (name, Number::Whole(count))).collect()
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
