//! Configured order; endpoints known not to do this, or to be behind where the head matters, come
//! last instead of never.

/// The first of `ready` that is able, else the first.
pub(super) fn first(ready: &[usize], able: impl Fn(&usize) -> bool) -> Option<usize> {
    ready.iter().find(|endpoint| able(endpoint)).or(ready.first()).copied()
}
