//! An attempt under way, of which the book knows. When it is dropped nobody will tell its end: it was
//! given up, and what it held is handed back.

use std::rc::Rc;

use super::clock;
use super::isolate::Isolate;
use crate::state::isolate::Grant;
use crate::time::Millis;

/// It.
pub(super) struct Asked(Option<Open>);

struct Open {
    isolate: Rc<Isolate>,
    index: usize,
    endpoint: usize,
    grant: Grant,
    since: Millis,
}

impl Asked {
    /// An attempt at an endpoint of route `index` begins. Without a grant the book knows nothing of it.
    pub(super) fn new(
        isolate: &Rc<Isolate>,
        index: usize,
        endpoint: usize,
        grant: Option<Grant>,
    ) -> Self {
        let isolate = Rc::clone(isolate);
        Self(grant.map(|grant| Open { isolate, index, endpoint, grant, since: clock::now() }))
    }

    /// Its end is told by others.
    pub(super) fn returned(&mut self) {
        self.0 = None;
    }
}

impl Drop for Asked {
    fn drop(&mut self) {
        let Some(Open { isolate, index, endpoint, grant, since }) = self.0.take() else {
            return;
        };
        let Some(route) = isolate.config.routes.get(index) else {
            return;
        };
        let now = clock::now();
        isolate.book(index, |book| {
            book.given_up(endpoint, grant, now.since(since), &route.breaker, now);
        });
    }
}
