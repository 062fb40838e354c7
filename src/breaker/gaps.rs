//! What an endpoint cannot do, remembered per method and kind for five minutes. Never a failure.

use crate::time::Millis;
use crate::verdict::Gap;

const REMEMBERED_MS: u64 = 300_000;
/// More would be a client making methods up; the oldest goes.
const ENTRIES_MAX: usize = 64;

/// One endpoint's gaps.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Gaps {
    entries: Vec<Entry>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Entry {
    method: String,
    gap: Gap,
    until: Millis,
}

impl Gaps {
    /// Remembers that the endpoint declined the method for this reason.
    pub fn remember(&mut self, method: &str, gap: Gap, now: Millis) {
        self.entries.retain(|entry| entry.until > now && !entry.is(method, gap));
        if self.entries.len() >= ENTRIES_MAX {
            self.entries.remove(0);
        }
        let until = now.plus(REMEMBERED_MS);
        self.entries.push(Entry { method: method.to_owned(), gap, until });
    }

    /// Whether the endpoint is known not to do this. A history gap concerns only reads below the
    /// head, a batch gap only batches.
    pub fn hold(&self, method: &str, below_head: impl Fn() -> bool, now: Millis) -> bool {
        self.entries.iter().any(|entry| {
            entry.method == method
                && entry.until > now
                && match entry.gap {
                    Gap::Method | Gap::Range => true,
                    Gap::History => below_head(),
                    Gap::Batch => false,
                }
        })
    }

    /// Methods with a gap, for the status.
    pub fn methods(&self, now: Millis) -> impl Iterator<Item = &str> {
        self.entries.iter().filter(move |entry| entry.until > now).map(|entry| &*entry.method)
    }
}

impl Entry {
    fn is(&self, method: &str, gap: Gap) -> bool {
        self.gap == gap && self.method == method
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const T0: Millis = Millis(1_000_000);

    #[test]
    fn a_gap_is_of_one_method_and_ends() {
        let mut gaps = Gaps::default();
        gaps.remember("trace_block", Gap::Method, T0);
        assert!(gaps.hold("trace_block", || false, T0.plus(299_999)));
        assert!(!gaps.hold("eth_call", || false, T0));
        assert!(!gaps.hold("trace_block", || false, T0.plus(300_000)));
    }

    #[test]
    fn pruned_history_leaves_reads_at_the_head_alone() {
        let mut gaps = Gaps::default();
        gaps.remember("eth_call", Gap::History, T0);
        assert!(gaps.hold("eth_call", || true, T0));
        assert!(!gaps.hold("eth_call", || false, T0));
    }

    #[test]
    fn invented_methods_do_not_grow_it() {
        let mut gaps = Gaps::default();
        for n in 0..1_000 {
            gaps.remember(&format!("eth_{n}"), Gap::Method, T0);
        }
        assert_eq!(gaps.entries.len(), ENTRIES_MAX);
        assert!(gaps.hold("eth_999", || false, T0));
    }
}
