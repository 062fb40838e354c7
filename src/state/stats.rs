//! Counts and latencies of one endpoint: added up in the isolate, handed to the region, shown in the
//! status. Everything is bounded; nothing is written per request.

use crate::json::form;
use crate::method::known::is_known;
use crate::time::Millis;

/// Methods counted apart; further ones count in the totals only.
const METHODS_MAX: usize = 48;
/// Names that no standard has get no more room: who invents them crowds out no others.
const INVENTED_MAX: usize = METHODS_MAX / 2;

/// Upper bounds of the latency buckets, in milliseconds; slower ones fall into one more.
pub const BOUNDS_MS: [u64; 24] = [
    1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1_000, 1_500, 2_000,
    3_000, 5_000, 7_000, 10_000,
];

/// What one attempt adds.
#[derive(Debug, Clone, Copy)]
pub struct Sample<'a> {
    /// When it ended.
    pub at: Millis,
    /// JSON-RPC method or x402 call.
    pub method: &'a str,
    /// How long it took; `None` for the further items of a batch.
    pub ms: Option<u64>,
    /// The failure, when it was one.
    pub failure: Option<FailureOf>,
    /// It was an error that no rule knows.
    pub unclassified: bool,
}

/// Why an attempt counts as failed.
#[derive(Debug, Clone, Copy)]
pub struct FailureOf {
    /// The verdict's class.
    pub class: &'static str,
    /// HTTP status, when there was one.
    pub status: Option<u16>,
}

/// Counts of one endpoint.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tally {
    /// Attempts.
    pub requests: u64,
    /// Attempts that failed: faults, throttles and account trouble.
    pub failures: u64,
    /// Failures by class.
    pub classes: Vec<(String, u64)>,
    /// By method.
    pub methods: Vec<(String, MethodTally)>,
    /// Latency buckets, one more than [`BOUNDS_MS`]; shorter when the upper ones are empty.
    pub latency: Vec<u64>,
    /// The newest failure.
    pub last_failure: Option<LastFailure>,
    /// Answers for which another endpoint was asked meanwhile.
    pub slow: u64,
    /// Answers that were others than a quorum's.
    pub disagreements: u64,
    /// Errors that no rule knows.
    pub unclassified: u64,
    /// Time that the answers in `latency` took together, in milliseconds.
    pub latency_ms: u64,
}

form!(Tally {
    requests,
    failures,
    classes,
    methods,
    latency,
    last_failure,
    slow,
    disagreements,
    unclassified,
    latency_ms
});

/// Counts of one method.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MethodTally {
    /// Attempts.
    pub requests: u64,
    /// Failed attempts.
    pub failures: u64,
}

form!(MethodTally { requests, failures });

/// The newest failure of an endpoint.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LastFailure {
    /// When.
    pub at_ms: Millis,
    /// The verdict's class.
    pub class: String,
    /// HTTP status, when there was one.
    pub status: Option<u16>,
    /// JSON-RPC method or x402 call.
    pub method: String,
}

form!(LastFailure { at_ms, class, status, method });

impl Tally {
    /// Whether there is nothing to hand in.
    pub fn is_empty(&self) -> bool {
        self.requests == 0 && self.slow == 0 && self.disagreements == 0
    }

    /// Counts one attempt.
    pub fn add(&mut self, sample: Sample<'_>) {
        self.requests += 1;
        if let Some(ms) = sample.ms {
            self.add_bucket(bucket(ms), 1);
            self.latency_ms += ms;
        }
        self.unclassified += u64::from(sample.unclassified);
        let failed = sample.failure.is_some();
        if let Some(failure) = sample.failure {
            self.failures += 1;
            bump(&mut self.classes, failure.class, |_| METHODS_MAX, |count| *count += 1);
            self.last_failure = Some(LastFailure {
                at_ms: sample.at,
                class: failure.class.to_owned(),
                status: failure.status,
                method: sample.method.to_owned(),
            });
        }
        bump(&mut self.methods, sample.method, room, |tally| {
            tally.requests += 1;
            tally.failures += u64::from(failed);
        });
    }

    /// Adds another tally, the newer one.
    pub fn merge(&mut self, newer: &Self) {
        self.requests += newer.requests;
        self.failures += newer.failures;
        self.slow += newer.slow;
        self.disagreements += newer.disagreements;
        self.unclassified += newer.unclassified;
        self.latency_ms += newer.latency_ms;
        for (class, count) in &newer.classes {
            bump(&mut self.classes, class, |_| METHODS_MAX, |sum| *sum += count);
        }
        for (method, tally) in &newer.methods {
            bump(&mut self.methods, method, room, |sum| {
                sum.requests += tally.requests;
                sum.failures += tally.failures;
            });
        }
        for (bucket, count) in newer.latency.iter().enumerate() {
            self.add_bucket(bucket, *count);
        }
        if newer.last_failure.is_some() {
            self.last_failure.clone_from(&newer.last_failure);
        }
    }

    /// The latency that this share of the answers stayed under, in milliseconds: the upper bound of
    /// its bucket. `None` without answers.
    pub fn quantile_ms(&self, share: f64) -> Option<u64> {
        quantile_ms(&self.latency, share)
    }

    fn add_bucket(&mut self, bucket: usize, count: u64) {
        let bucket = bucket.min(BOUNDS_MS.len());
        if self.latency.len() <= bucket {
            self.latency.resize(bucket + 1, 0);
        }
        if let Some(sum) = self.latency.get_mut(bucket) {
            *sum += count;
        }
    }
}

/// Index of the bucket that a latency falls into.
pub(super) fn bucket(ms: u64) -> usize {
    BOUNDS_MS.partition_point(|bound| *bound < ms)
}

/// The upper bound of the bucket that this share of the answers stayed under, in milliseconds.
pub(super) fn quantile_ms(latency: &[u64], share: f64) -> Option<u64> {
    let total: u64 = latency.iter().sum();
    #[expect(clippy::cast_precision_loss)]
    let wanted = share * total as f64;
    let mut seen = 0;
    for (bucket, count) in latency.iter().enumerate() {
        seen += count;
        #[expect(clippy::cast_precision_loss)]
        if *count > 0 && seen as f64 >= wanted {
            return Some(BOUNDS_MS.get(bucket).copied().unwrap_or(u64::from(u16::MAX)));
        }
    }
    None
}

/// How many methods there may be before this one, which is new.
fn room(method: &str) -> usize {
    if is_known(method) { METHODS_MAX } else { INVENTED_MAX }
}

/// Changes the entry of that name, making it where there are fewer than it has `room` for.
fn bump<T: Default>(
    entries: &mut Vec<(String, T)>,
    name: &str,
    room: fn(&str) -> usize,
    change: impl FnOnce(&mut T),
) {
    if let Some((_, value)) = entries.iter_mut().find(|(known, _)| known == name) {
        return change(value);
    }
    if entries.len() < room(name) {
        let mut value = T::default();
        change(&mut value);
        entries.push((name.to_owned(), value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(method: &str, ms: u64, failed: bool) -> Sample<'_> {
        let failure = failed.then_some(FailureOf { class: "timeout", status: None });
        Sample { at: Millis(7), method, ms: Some(ms), failure, unclassified: failed }
    }

    #[test]
    fn a_merge_is_as_good_as_adding_in_one_place() {
        let (mut a, mut b, mut both) = (Tally::default(), Tally::default(), Tally::default());
        for (n, ms) in [3, 40, 900, 20_000].into_iter().enumerate() {
            let part = if n % 2 == 0 { &mut a } else { &mut b };
            part.add(sample("eth_call", ms, n == 3));
            both.add(sample("eth_call", ms, n == 3));
        }
        a.merge(&b);
        assert_eq!(a, both);
    }

    #[test]
    fn quantiles_are_bucket_bounds() {
        let mut tally = Tally::default();
        assert_eq!(tally.quantile_ms(0.5), None);
        for _ in 0..98 {
            tally.add(sample("m", 9, false));
        }
        tally.add(sample("m", 2_500, false));
        tally.add(sample("m", 99_000, false));
        assert_eq!(tally.quantile_ms(0.5), Some(10));
        assert_eq!(tally.quantile_ms(0.99), Some(3_000));
    }

    #[test]
    fn invented_methods_do_not_grow_it() {
        let mut tally = Tally::default();
        for n in 0..1_000 {
            tally.add(sample(&format!("eth_{n}"), 1, false));
        }
        assert_eq!(tally.methods.len(), INVENTED_MAX);
        let mut sum = Tally::default();
        sum.merge(&tally);
        for tally in [&mut tally, &mut sum] {
            tally.add(sample("eth_call", 1, false));
            assert_eq!((tally.methods.len(), tally.requests), (INVENTED_MAX + 1, 1_001));
        }
    }
}
