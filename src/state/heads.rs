//! How far each endpoint's chain is, and how far it should be.
//!
//! Heads come from polls and from answers that pass by. The reference is a head that two endpoints
//! hold, or that follows from the last one at the chain's own pace: one endpoint thousands of blocks
//! ahead moves nothing, and one that stands still is found out. Unknown is never lag 0.

use std::collections::VecDeque;

use super::orders::Drill;
use crate::config::Freshness;
use crate::json::form;
use crate::time::Millis;

/// Blocks that any two endpoints may differ by.
const SLACK_BLOCKS: u64 = 2;
/// The pace taken for granted until the chain has shown its own: five blocks a second.
const DEFAULT_BLOCK_MS: u64 = 200;
/// The chain's own pace is known after this long.
const PACE_AFTER_MS: u64 = 60_000;
/// How far back the way to a head may begin.
const CATCH_UP_MS: u64 = 60_000;
/// Moments remembered at which the reference moved, so far apart: a minute of the fastest chain.
const STEP_MS: u64 = 1_000;
/// How many.
const PASSED_MAX: usize = 64;

/// A head and when it was seen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Head {
    /// Block number.
    pub number: u64,
    /// When an answer showed it.
    pub at: Millis,
}

form!(Head { number, at });

/// How far an endpoint is behind the reference.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Lag {
    /// Blocks.
    pub blocks: u64,
    /// How long before that sight the reference had first passed its head; 0 when it had not.
    pub ms: u64,
}

impl Lag {
    /// Whether it is too much for what depends on the head.
    pub fn exceeds(self, policy: Freshness) -> bool {
        let on = policy.max_lag_blocks > 0 && policy.max_lag_ms > 0;
        on && self.blocks > policy.max_lag_blocks && self.ms > policy.max_lag_ms
    }
}

form!(Lag { blocks, ms });

/// Heads of a route's endpoints, by index.
#[derive(Debug, Clone, Default)]
pub struct Heads {
    own: Vec<Option<Head>>,
    /// Drills in which an endpoint's head is taken for lower than it is.
    drills: Vec<Option<Drill>>,
    /// What somebody who saw more made of a sight.
    told: Vec<Option<(Head, Lag)>>,
    reference: Option<Head>,
    /// The reference is one endpoint's word, and no other has been heard.
    alone: bool,
    first: Option<Head>,
    passed: VecDeque<Head>,
}

impl Heads {
    /// Nothing known of so many endpoints.
    pub fn new(endpoints: usize) -> Self {
        let (drills, told) = (vec![None; endpoints], vec![None; endpoints]);
        Self { own: vec![None; endpoints], drills, told, ..Self::default() }
    }

    /// Takes a head; an older sight than the one known changes nothing.
    pub fn note(&mut self, endpoint: usize, head: Head) {
        let Some(own) = self.own.get_mut(endpoint) else {
            return;
        };
        if own.is_some_and(|known| known.at > head.at) {
            return;
        }
        *own = Some(head);
        self.refer(head);
    }

    /// Takes a height that an endpoint has reached, and may have passed.
    pub fn reach(&mut self, endpoint: usize, head: Head) {
        if self.of(endpoint).is_some_and(|own| own.number < head.number) {
            self.note(endpoint, head);
        }
    }

    /// Sets an endpoint's drill.
    pub fn rehearse(&mut self, endpoint: usize, drill: Option<Drill>) {
        if let Some(place) = self.drills.get_mut(endpoint) {
            *place = drill;
        }
    }

    /// Takes a head from somebody who knows how far behind that was.
    pub fn note_told(&mut self, endpoint: usize, head: Head, lag: Option<Lag>) {
        self.note(endpoint, head);
        if let Some(told) = self.told.get_mut(endpoint) {
            *told = lag.map(|lag| (head, lag));
        }
    }

    /// An endpoint's head.
    pub fn of(&self, endpoint: usize) -> Option<Head> {
        self.own.get(endpoint).copied().flatten()
    }

    /// An endpoint's head as freshness sees it: lower than it is in a drill. What travels is the true
    /// one, so that nobody lowers it twice.
    pub fn seen(&self, endpoint: usize, now: Millis) -> Option<Head> {
        let drill = self.drills.get(endpoint).copied().flatten();
        let behind = drill.map_or(0, |drill| drill.blocks_behind(now));
        let head = self.of(endpoint)?;
        Some(Head { number: head.number.saturating_sub(behind), ..head })
    }

    /// The head that is known to be the chain's.
    pub fn reference(&self) -> Option<Head> {
        self.reference
    }

    /// How far an endpoint was behind when its head was last seen: what was seen of others later is
    /// not held against it. `None` while its head or the reference is unknown.
    pub fn lag(&self, endpoint: usize, now: Millis) -> Option<Lag> {
        self.lag_of(endpoint, self.seen(endpoint, now)?)
    }

    /// The same without its drill: what travels.
    pub fn true_lag(&self, endpoint: usize) -> Option<Lag> {
        self.lag_of(endpoint, self.of(endpoint)?)
    }

    fn lag_of(&self, endpoint: usize, own: Head) -> Option<Lag> {
        let reference = self.reference?;
        let told = self.told.get(endpoint).copied().flatten();
        if let Some((_, lag)) = told.filter(|(head, _)| *head == own) {
            return Some(lag);
        }
        let then = self.passed.iter().rev().find(|head| head.at <= own.at);
        let then = then.or(self.passed.front()).unwrap_or(&reference);
        let passed = self.passed.iter().find(|head| head.number > own.number);
        let ms = passed.map_or(0, |head| own.at.since(head.at));
        Some(Lag { blocks: then.number.saturating_sub(own.number), ms })
    }

    /// Whether an endpoint is too far behind for what depends on the head: by blocks and by time.
    pub fn lags(&self, endpoint: usize, policy: Freshness, now: Millis) -> bool {
        self.lag(endpoint, now).is_some_and(|lag| lag.exceeds(policy))
    }

    /// Takes somebody's word, who knows more, that the chain has this head.
    pub fn believe(&mut self, head: Head) {
        if self.reference.is_none_or(|reference| reference.number < head.number) {
            self.first = self.first.or(Some(head));
            self.alone = false;
            self.move_to(head);
        }
    }

    /// Whether a head can be the chain's now: the reference has it or comes to it at the chain's
    /// pace, and where that is one endpoint's word, so does another that is known.
    pub fn supports(&self, head: Head) -> bool {
        let reaches = |from: &Head| from.number >= head.number || self.follows(*from, head);
        let known = self.own.iter().flatten();
        let backed = known.clone().count() < 2 || known.filter(|own| reaches(own)).count() >= 2;
        let has = self.reference.is_some_and(|reference| reference.number >= head.number);
        (has || self.fits(head)) && (!self.alone || backed)
    }

    /// Whether any endpoint has shown this height when it was last seen.
    pub fn anybody_has(&self, number: u64) -> bool {
        self.holders(number) > 0
    }

    /// Whether an endpoint is known not to have this height yet, even if its chain went on at its
    /// pace since its head was seen.
    pub fn lacks(&self, endpoint: usize, number: u64, now: Millis) -> bool {
        self.seen(endpoint, now).is_some_and(|own| {
            let since = now.since(own.at) / self.block_ms().max(1);
            own.number.saturating_add(since) < number
        })
    }

    fn refer(&mut self, head: Head) {
        let Some(reference) = self.reference else {
            self.alone = true;
            self.first = Some(head);
            return self.move_to(head);
        };
        if self.outvoted(reference) {
            self.passed.clear();
            self.first = Some(head);
            self.move_to(head);
        }
        let higher = head.number > reference.number;
        if higher && (self.holders(head.number) >= 2 || self.fits(head)) {
            self.move_to(head);
        }
        self.alone &= self.holders(reference.number.saturating_sub(SLACK_BLOCKS)) < 2;
    }

    fn move_to(&mut self, head: Head) {
        self.reference = Some(head);
        let mut latest = self.passed.iter().rev();
        let last_two = latest.next().zip(latest.next());
        if last_two.is_some_and(|(last, before)| last.at.since(before.at) < STEP_MS) {
            self.passed.pop_back();
        }
        self.passed.push_back(head);
        if self.passed.len() > PASSED_MAX {
            self.passed.pop_front();
        }
    }

    /// Whether the reference was the first endpoint's word only and two others know better.
    fn outvoted(&self, reference: Head) -> bool {
        let against = self
            .own
            .iter()
            .flatten()
            .filter(|own| !self.follows(**own, reference) && own.number < reference.number);
        self.alone && against.count() >= 2
    }

    fn holders(&self, number: u64) -> usize {
        self.own.iter().flatten().filter(|own| own.number >= number).count()
    }

    /// Whether the chain can have come to a head from where it was within the last minute: an
    /// endpoint that fell behind and catches up makes several blocks at once.
    fn fits(&self, head: Head) -> bool {
        let recent = |from: &&Head| head.at.since(from.at) <= CATCH_UP_MS;
        let from = self.passed.iter().filter(recent).chain(&self.reference);
        from.into_iter().any(|from| self.follows(*from, head))
    }

    /// Whether the chain can have come from one head to the other at twice its pace.
    fn follows(&self, from: Head, to: Head) -> bool {
        let elapsed_ms = to.at.since(from.at);
        let blocks = elapsed_ms.saturating_mul(2) / self.block_ms().max(1);
        to.number <= from.number.saturating_add(SLACK_BLOCKS).saturating_add(blocks)
    }

    /// Milliseconds from block to block.
    fn block_ms(&self) -> u64 {
        let pace = self.first.zip(self.reference).and_then(|(first, reference)| {
            let ms = reference.at.since(first.at);
            let blocks = reference.number.saturating_sub(first.number);
            (ms >= PACE_AFTER_MS && blocks > 0).then(|| ms / blocks)
        });
        pace.unwrap_or(DEFAULT_BLOCK_MS)
    }
}
