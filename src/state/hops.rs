//! Failover events, summed: the first of a kind is told at once, what follows within ten seconds is
//! told as one line with a count, so that an outage does not flood the log.

use crate::time::Millis;

const SUMMED_MS: u64 = 10_000;
/// Kinds remembered; more would be a client making methods up.
const KINDS_MAX: usize = 64;

/// One step from an endpoint to the next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hop {
    /// Public name of the route.
    pub route: String,
    /// Method asked.
    pub operation: String,
    /// Endpoint left.
    pub from: String,
    /// Endpoint asked next.
    pub to: String,
    /// Why: the verdict's class.
    pub reason: &'static str,
    /// HTTP status, when there was one.
    pub status: Option<u16>,
}

impl Hop {
    /// Whether both are told as one line.
    fn is_like(&self, other: &Self) -> bool {
        self.route == other.route && self.from == other.from && self.reason == other.reason
    }
}

/// Hops of an isolate that wait to be told.
#[derive(Debug, Clone, Default)]
pub struct Hops {
    kinds: Vec<Kind>,
}

#[derive(Debug, Clone)]
struct Kind {
    hop: Hop,
    since: Millis,
    waiting: u64,
}

impl Hops {
    /// Takes a hop; returns what to log now, with counts.
    pub fn add(&mut self, hop: Hop, now: Millis) -> Vec<(Hop, u64)> {
        let mut told = self.due(now);
        let same = |kind: &&mut Kind| kind.hop.is_like(&hop);
        if let Some(kind) = self.kinds.iter_mut().find(same) {
            kind.waiting += 1;
        } else {
            if self.kinds.len() < KINDS_MAX {
                self.kinds.push(Kind { hop: hop.clone(), since: now, waiting: 0 });
            }
            told.push((hop, 1));
        }
        told
    }

    /// What is due without a new hop.
    pub fn due(&mut self, now: Millis) -> Vec<(Hop, u64)> {
        let over = |kind: &Kind| now.since(kind.since) >= SUMMED_MS;
        let told = self.kinds.iter().filter(|kind| over(kind) && kind.waiting > 0);
        let told = told.map(|kind| (kind.hop.clone(), kind.waiting)).collect();
        self.kinds.retain(|kind| !over(kind));
        told
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_is_told_at_once_and_the_rest_as_one() {
        let hop = Hop {
            route: "r".into(),
            operation: "eth_call".into(),
            from: "a".into(),
            to: "b".into(),
            reason: "timeout",
            status: None,
        };
        let t0 = Millis(1_000_000);
        let mut hops = Hops::default();
        assert_eq!(hops.add(hop.clone(), t0), [(hop.clone(), 1)]);
        for n in 1..50 {
            assert_eq!(hops.add(hop.clone(), t0.plus(n)), []);
        }
        assert_eq!(hops.due(t0.plus(9_999)), []);
        assert_eq!(hops.due(t0.plus(10_000)), [(hop, 49)]);
        assert_eq!(hops.due(t0.plus(30_000)), []);
    }
}
