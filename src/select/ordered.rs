//! Configured order; endpoints known not to do this, to be behind where the head matters, or to have
//! gone silent, come last instead of never.

/// The first of `ready` that is able, else the first.
pub(super) fn first(ready: &[usize], able: impl Fn(&usize) -> bool) -> Option<usize> {
    ready.iter().find(|endpoint| able(endpoint)).or(ready.first()).copied()
}
