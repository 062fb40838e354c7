//! When the region's breaker opens: one isolate alone may have a bad path of its own, so its word
//! needs a second voice (the object's failed probe, another isolate) or the lack of anybody else.

use crate::time::Millis;

/// Isolates remembered; the longest silent one goes.
const ISOLATES_MAX: usize = 64;
/// An isolate that has not handed in for this long has no voice.
const VOICE_MS: u64 = 60_000;
/// An isolate is alone when no other has handed in for this long.
const ALONE_MS: u64 = 30_000;

/// The isolates of the region and what each says, by index of the endpoint.
#[derive(Debug, Clone, Default)]
pub struct Votes {
    voices: Vec<Voice>,
}

#[derive(Debug, Clone)]
struct Voice {
    isolate: String,
    heard: Millis,
    open: Vec<usize>,
}

impl Votes {
    /// Takes an isolate's hand-in: the endpoints that its own breakers keep away from.
    pub fn hear(&mut self, isolate: &str, open: Vec<usize>, now: Millis) {
        self.voices.retain(|voice| voice.isolate != isolate && now.since(voice.heard) < VOICE_MS);
        if self.voices.len() >= ISOLATES_MAX {
            self.voices.remove(0);
        }
        self.voices.push(Voice { isolate: isolate.to_owned(), heard: now, open });
    }

    /// How many isolates keep away from the endpoint.
    pub fn against(&self, endpoint: usize, now: Millis) -> usize {
        self.voices.iter().filter(|voice| voice.says(endpoint, now)).count()
    }

    /// Whether the isolates' words alone open the region's breaker: two of them, or the only one.
    pub fn carried(&self, endpoint: usize, now: Millis) -> bool {
        let against = self.against(endpoint, now);
        let heard = self.voices.iter().filter(|voice| now.since(voice.heard) < ALONE_MS).count();
        against >= 2 || (against == 1 && heard <= 1)
    }

    /// The endpoint was probed and closed: what isolates said before is of the past.
    pub fn forget(&mut self, endpoint: usize) {
        for voice in &mut self.voices {
            voice.open.retain(|open| *open != endpoint);
        }
    }
}

impl Voice {
    fn says(&self, endpoint: usize, now: Millis) -> bool {
        now.since(self.heard) < VOICE_MS && self.open.contains(&endpoint)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const T0: Millis = Millis(1_000_000);

    #[test]
    fn one_isolate_among_others_is_not_enough() {
        let mut votes = Votes::default();
        votes.hear("a", vec![], T0);
        votes.hear("b", vec![0], T0);
        assert!(!votes.carried(0, T0));
        votes.hear("a", vec![0], T0.plus(1));
        assert!(votes.carried(0, T0.plus(1)));
    }

    #[test]
    fn the_only_isolate_is_believed() {
        let mut votes = Votes::default();
        votes.hear("a", vec![], T0);
        votes.hear("b", vec![1], T0.plus(29_999));
        assert!(!votes.carried(1, T0.plus(29_999)));
        assert!(votes.carried(1, T0.plus(30_000)), "a has been silent for 30 s");
        assert!(!votes.carried(0, T0.plus(30_000)));
    }

    #[test]
    fn old_words_do_not_count() {
        let mut votes = Votes::default();
        votes.hear("a", vec![0], T0);
        assert_eq!(votes.against(0, T0.plus(59_999)), 1);
        assert_eq!(votes.against(0, T0.plus(60_000)), 0);
    }

    #[test]
    fn isolates_are_bounded() {
        let mut votes = Votes::default();
        for n in 0..1_000 {
            votes.hear(&n.to_string(), vec![0], T0);
        }
        assert_eq!(votes.voices.len(), ISOLATES_MAX);
    }
}
