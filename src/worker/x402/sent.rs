//! Payments that this isolate has sent to a facilitator. Where a repeat cannot be claimed, they are why
//! "not sent" would be untrue.

use std::cell::RefCell;
use std::collections::VecDeque;

/// Remembered at most, the newest.
const KEPT_MAX: usize = 256;

thread_local! {
    static SENT: RefCell<VecDeque<String>> = const { RefCell::new(VecDeque::new()) };
}

/// A payment is about to leave; `name` is its object's.
pub(super) fn note(name: &str) {
    SENT.with_borrow_mut(|sent| {
        sent.retain(|known| known != name);
        if sent.len() == KEPT_MAX {
            sent.pop_front();
        }
        sent.push_back(name.to_owned());
    });
}

/// Whether it left, or may have.
pub(super) fn has(name: &str) -> bool {
    SENT.with_borrow(|sent| sent.iter().any(|known| known == name))
}
