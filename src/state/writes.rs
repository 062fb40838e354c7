//! Transactions that a route has accepted lately, and where: their sender's next questions go there
//! first, since other endpoints may not have heard of them yet.

use std::collections::VecDeque;

use crate::json::form;
use crate::method::Operation;
use crate::time::Millis;

/// How long a write is remembered.
pub const KEPT_MS: u64 = 120_000;
/// Writes remembered; the oldest go first.
pub const MAX: usize = 64;

/// One accepted transaction.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Write {
    /// Its hash, `0x…` in lower case.
    pub hash: String,
    /// Name of the endpoint that accepted it.
    pub endpoint: String,
    /// When.
    pub at: Millis,
    /// Who sent it, as a short keyed hash: it tells nobody the address.
    pub client: Option<String>,
}

form!(Write { hash, endpoint, at, client });

/// The last writes of a route, oldest first.
#[derive(Debug, Clone, Default)]
pub struct Writes(VecDeque<Write>);

impl Writes {
    /// Takes a write; one of the same hash goes. A clock ahead of ours does not lengthen its time.
    pub fn add(&mut self, write: Write, now: Millis) {
        let at = write.at.min(now);
        self.0.retain(|known| known.hash != write.hash && is_live(known, now));
        let place = self.0.partition_point(|known| known.at <= at);
        self.0.insert(place, Write { at, ..write });
        if self.0.len() > MAX {
            self.0.pop_front();
        }
    }

    /// Those of the last two minutes, oldest first.
    pub fn live(&self, now: Millis) -> impl DoubleEndedIterator<Item = &Write> {
        self.0.iter().filter(move |write| is_live(write, now))
    }

    /// The endpoint that accepted the transaction this read is about.
    pub fn about(&self, operation: &Operation<'_>, now: Millis) -> Option<&str> {
        if self.0.is_empty() {
            return None;
        }
        let hash = operation.transaction()?;
        let write = self.live(now).find(|write| write.hash.eq_ignore_ascii_case(hash))?;
        Some(&write.endpoint)
    }

    /// The endpoint that accepted this client's last transaction.
    pub fn last_of(&self, client: &str, now: Millis) -> Option<&str> {
        let own = |write: &&Write| write.client.as_deref() == Some(client);
        Some(&self.live(now).rev().find(own)?.endpoint)
    }
}

fn is_live(write: &Write, now: Millis) -> bool {
    now.since(write.at) <= KEPT_MS
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Protocol;
    use crate::method::Effect;

    const T0: Millis = Millis(1_000_000);

    fn write(hash: &str, endpoint: &str, at: Millis) -> Write {
        Write { hash: hash.into(), endpoint: endpoint.into(), at, client: Some("me".into()) }
    }

    fn about<'a>(writes: &'a Writes, hash: &str, now: Millis) -> Option<&'a str> {
        let params = format!(r#"[ "{hash}" ]"#);
        let operation = Operation {
            protocol: Protocol::Evm,
            method: "eth_getTransactionReceipt",
            params: Some(&params),
            effect: Effect::Read,
        };
        writes.about(&operation, now)
    }

    fn hash(n: usize) -> String {
        format!("0x{n:064x}")
    }

    #[test]
    fn a_write_is_known_for_two_minutes_by_hash_and_client() {
        let mut writes = Writes::default();
        writes.add(write(&hash(10), "a", T0), T0);
        assert_eq!(about(&writes, &hash(10).to_uppercase().replace('X', "x"), T0), Some("a"));
        assert_eq!(about(&writes, &hash(11), T0), None);
        assert_eq!((writes.last_of("me", T0), writes.last_of("you", T0)), (Some("a"), None));
        let end = T0.plus(KEPT_MS);
        assert_eq!(about(&writes, &hash(10), end), Some("a"));
        assert_eq!(about(&writes, &hash(10), end.plus(1)), None);
    }

    #[test]
    fn the_last_word_on_a_hash_and_the_last_send_of_a_client_count() {
        let mut writes = Writes::default();
        writes.add(write(&hash(2), "b", T0.plus(2)), T0.plus(2));
        writes.add(write(&hash(1), "a", T0.plus(1)), T0.plus(2));
        assert_eq!(writes.last_of("me", T0.plus(2)), Some("b"), "told late, but sent before");
        writes.add(write(&hash(1), "c", T0.plus(3)), T0.plus(3));
        assert_eq!(about(&writes, &hash(1), T0.plus(3)), Some("c"));
        assert_eq!(writes.live(T0.plus(3)).count(), 2);
    }

    #[test]
    fn only_the_last_are_kept_and_no_clock_lengthens_their_time() {
        let mut writes = Writes::default();
        for n in 0..=MAX {
            writes.add(write(&hash(n), "a", T0.plus(1_000_000)), T0);
        }
        assert_eq!(writes.live(T0).count(), MAX);
        assert_eq!((about(&writes, &hash(0), T0), about(&writes, &hash(1), T0)), (None, Some("a")));
        assert_eq!(writes.live(T0.plus(KEPT_MS + 1)).count(), 0);
    }
}
