//! Attempts that are under way when the client's answer is known, of a broadcast or at an endpoint that
//! has gone silent: they go on to their end, and what they show of their endpoints counts.

use std::rc::Rc;

use super::judge::{self, Sight};
use super::parcel::{Delivered, Errand, Item};
use super::record;
use super::together::Flight;
use super::visit::Visit;
use crate::rpc::call::Body;

/// Attempts without an asker.
pub(super) struct Strays {
    visit: Rc<Visit>,
    index: usize,
    /// JSON text of all calls of the client's request, in the order of its items.
    calls: Vec<String>,
    flight: Flight<Delivered>,
}

impl Strays {
    pub(super) fn new(
        visit: &Rc<Visit>,
        index: usize,
        items: &[Item<'_>],
        flight: Flight<Delivered>,
    ) -> Self {
        let calls = items.iter().map(|item| item.call.raw.to_owned()).collect();
        Self { visit: Rc::clone(visit), index, calls, flight }
    }

    /// Waits for all of them.
    pub(super) async fn run(mut self) {
        while let Some(delivered) = self.flight.next().await {
            if delivered.parcel.errand == Errand::Ask {
                self.record(&delivered);
            }
        }
    }

    fn record(&self, delivered: &Delivered) {
        let Some(route) = self.visit.isolate.config.routes.get(self.index) else {
            return;
        };
        let bodies: Vec<_> = self.calls.iter().map(|raw| Body::read(raw.as_bytes(), 0)).collect();
        let items: Vec<_> = bodies
            .iter()
            .filter_map(|body| match body {
                Body::Single(Ok(call)) => Some(Item::new(route, call, self.visit.arrived)),
                Body::Single(Err(_)) | Body::Batch(_) => None,
            })
            .collect();
        let judged = judge::parcel(route, &items, delivered, Sight::default());
        record::parcel(&self.visit, route, &items, delivered, &judged);
    }
}
