//! What an endpoint's share of the requests is, in weighted mode: its weight times its score. Scores
//! are looked at every few seconds and move only when they differ for good.

use super::super::score::{Digest, LEAST, Shown, scores};
use super::Book;
use crate::config::{Mode, Route};
use crate::time::Millis;

/// Between two looks.
const LOOK_MS: u64 = 5_000;
/// A score is held while the new one is within this share of it.
const HOLD: f64 = 0.25;
/// Attempts of this isolate that are enough to go by; with fewer the region's word counts.
const ENOUGH: u64 = 20;

/// Shares as they are held.
#[derive(Debug, Clone, Default)]
pub(super) struct Rated {
    looked: Option<Millis>,
    scores: Vec<f64>,
}

impl Rated {
    /// Something new is known.
    pub(super) fn look_again(&mut self) {
        self.looked = None;
    }

    fn hold(&mut self, nth: usize, score: f64) {
        match self.scores.get_mut(nth) {
            Some(held) if (score - *held).abs() <= HOLD * *held => {}
            Some(held) => *held = score,
            None => self.scores.push(score),
        }
    }
}

impl Book {
    /// Looks at the scores, where the route chooses by them and it is time.
    pub fn rate(&mut self, route: &Route, now: Millis) {
        let fresh = self.rated.looked.is_some_and(|at| now.since(at) < LOOK_MS);
        if route.mode != Mode::Weighted || fresh {
            return;
        }
        self.rated.looked = Some(now);
        let shown: Vec<_> = (0..self.endpoints.len()).map(|n| self.shown(route, n, now)).collect();
        for (nth, score) in scores(&shown).into_iter().enumerate() {
            self.rated.hold(nth, score.value);
        }
    }

    fn shown(&self, route: &Route, endpoint: usize, now: Millis) -> Shown {
        let own = self.recent(endpoint, now);
        let regional = self.endpoints.get(endpoint).and_then(|entry| entry.regional.as_ref());
        let told = regional.filter(|_| !self.schedule.cold(now)).and_then(|told| told.recent);
        let digest = told.filter(|_| own.requests < ENOUGH).unwrap_or(own);
        Shown { digest, lags: self.heads.lags(endpoint, route.freshness, now) }
    }

    /// What this isolate has seen of it lately.
    pub fn recent(&self, endpoint: usize, now: Millis) -> Digest {
        self.endpoints.get(endpoint).map(|entry| entry.recent.digest(now)).unwrap_or_default()
    }

    /// The score as it is held, at least [`LEAST`]; 1 before the first look.
    pub fn score(&self, endpoint: usize) -> f64 {
        self.rated.scores.get(endpoint).copied().unwrap_or(1.0).max(LEAST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_moves_only_for_good() {
        let mut rated = Rated::default();
        for (score, held) in [(1.0, 1.0), (0.76, 1.0), (0.7, 0.7), (0.8, 0.7), (1.0, 1.0)] {
            rated.hold(0, score);
            assert_eq!(rated.scores, [held]);
        }
    }
}
