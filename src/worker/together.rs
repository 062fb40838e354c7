//! Futures side by side, without an executor of their own: all are polled by the request that owns
//! them, as the runtime demands.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::{Context, Poll};

/// A future on the heap: one copy of the code below serves all kinds.
pub(super) type Boxed<'f, T> = Pin<Box<dyn Future<Output = T> + 'f>>;

/// Runs them, at most `at_once` at a time. The results are in the order of the futures.
pub(super) async fn together<T>(futures: Vec<Boxed<'_, T>>, at_once: usize) -> Vec<T> {
    let mut slots: Vec<_> = futures.into_iter().map(Slot::Waiting).collect();
    poll_fn(|context| poll_slots(&mut slots, at_once, context)).await;
    slots.into_iter().filter_map(Slot::done).collect()
}

/// Runs it with a companion that has no end of its own.
pub(super) async fn beside<T>(mut work: Boxed<'_, T>, mut companion: Boxed<'_, ()>) -> T {
    poll_fn(|context| {
        let done = work.as_mut().poll(context);
        if done.is_pending() {
            let _ = companion.as_mut().poll(context);
        }
        done
    })
    .await
}

/// Runs it, but waits for no longer than the other takes.
pub(super) async fn unless<T>(mut work: Boxed<'_, T>, mut over: Boxed<'_, ()>) -> Option<T> {
    poll_fn(|context| match work.as_mut().poll(context) {
        Poll::Ready(done) => Poll::Ready(Some(done)),
        Poll::Pending => over.as_mut().poll(context).map(|()| None),
    })
    .await
}

/// What came back first.
pub(super) enum Landed<T> {
    /// One of a flight.
    One(T),
    /// One of the others, by its place among them.
    Other(usize),
    /// Nothing: none is under way.
    Nothing,
}

/// A future that is gone once it has ended.
pub(super) type Other = Option<Boxed<'static, ()>>;

/// Futures that are taken as they end, in whatever order that is.
pub(super) struct Flight<T> {
    under_way: Vec<Boxed<'static, T>>,
    at_once: usize,
}

impl<T> Flight<T> {
    /// Runs at most `at_once` at a time, in the order in which they were added.
    pub(super) fn new(at_once: usize) -> Self {
        Self { under_way: Vec::new(), at_once }
    }

    /// From now on so many at a time.
    pub(super) fn limit(&mut self, at_once: usize) {
        self.at_once = at_once;
    }

    pub(super) fn add(&mut self, future: Boxed<'static, T>) {
        self.under_way.push(future);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.under_way.is_empty()
    }

    /// Gives up those that are not kept; `kept` is in the order in which they were added.
    pub(super) fn keep(&mut self, kept: &[bool]) {
        let mut kept = kept.iter();
        self.under_way.retain(|_| kept.next() != Some(&false));
    }

    /// Gives up all that are under way.
    pub(super) fn clear(&mut self) {
        self.under_way.clear();
    }

    /// The next one that ends, or one of the others.
    pub(super) async fn next_or(&mut self, others: &mut [&mut Other]) -> Landed<T> {
        poll_fn(|context| {
            if let Poll::Ready(landed) = self.poll_next(context) {
                return Poll::Ready(landed.map_or(Landed::Nothing, Landed::One));
            }
            for (nth, other) in others.iter_mut().enumerate() {
                let polled = other.as_mut().map(|other| other.as_mut().poll(context));
                if polled == Some(Poll::Ready(())) {
                    **other = None;
                    return Poll::Ready(Landed::Other(nth));
                }
            }
            Poll::Pending
        })
        .await
    }

    /// The next one that ends; `None` when none is under way.
    pub(super) async fn next(&mut self) -> Option<T> {
        poll_fn(|context| self.poll_next(context)).await
    }

    fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<Option<T>> {
        let mut polled = self.under_way.iter_mut().take(self.at_once).enumerate();
        let ended = polled.find_map(|(nth, future)| match future.as_mut().poll(context) {
            Poll::Ready(result) => Some((nth, result)),
            Poll::Pending => None,
        });
        match ended {
            Some((nth, result)) => {
                drop(self.under_way.remove(nth));
                Poll::Ready(Some(result))
            }
            None if self.under_way.is_empty() => Poll::Ready(None),
            None => Poll::Pending,
        }
    }
}

enum Slot<'f, T> {
    Waiting(Boxed<'f, T>),
    Done(T),
}

impl<T> Slot<'_, T> {
    fn done(self) -> Option<T> {
        match self {
            Self::Done(result) => Some(result),
            Self::Waiting(_) => None,
        }
    }
}

/// Polls the first `at_once` that are not done; each that ends makes room for one more.
fn poll_slots<T>(slots: &mut [Slot<'_, T>], at_once: usize, context: &mut Context<'_>) -> Poll<()> {
    let mut pending = 0;
    for slot in slots {
        let Slot::Waiting(future) = slot else {
            continue;
        };
        if pending >= at_once {
            return Poll::Pending;
        }
        match future.as_mut().poll(context) {
            Poll::Ready(result) => *slot = Slot::Done(result),
            Poll::Pending => pending += 1,
        }
    }
    if pending == 0 { Poll::Ready(()) } else { Poll::Pending }
}
