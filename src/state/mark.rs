//! The greatest head that clients were given: what they are told later does not go back behind it,
//! as long as it is the chain's and not one endpoint's word against the others'.

use super::heads::{Head, Heads};
use crate::time::Millis;

/// How long a mark stands after it was last given while no endpoint has it any more: endpoints
/// behind a balancer go back and forth, a chain that was reset never comes back.
const MISSED_MS: u64 = 60_000;

/// A route's mark.
#[derive(Debug, Clone, Copy, Default)]
pub struct Mark(Option<Head>);

impl Mark {
    /// Takes a head that a client was given. One that only its endpoint vouches for is no mark.
    pub fn raise(&mut self, given: Head, heads: &Heads) {
        let before = self.stands(heads, given.at);
        let goes_back =
            before.is_some_and(|mark| (mark.number, mark.at) > (given.number, given.at));
        if !goes_back && heads.supports(given) {
            self.0 = Some(given);
        }
    }

    /// The mark, while it holds.
    pub fn stands(&self, heads: &Heads, now: Millis) -> Option<Head> {
        self.0.filter(|mark| {
            let had = heads.anybody_has(mark.number) || now.since(mark.at) <= MISSED_MS;
            had && heads.supports(Head { at: now, ..*mark })
        })
    }
}
