//! What lives as long as the isolate: the configuration and one [`Book`] per route. Plain data only;
//! I/O objects belong to the request that made them.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use worker::Env;

use super::{bindings, clock, log};
use crate::config::{Config, Route, StateScope};
use crate::state::hops::Hops;
use crate::state::isolate::Book;
use crate::state::orders::Drill;
use crate::state::places;

thread_local! {
    static ISOLATE: OnceCell<Rc<Isolate>> = const { OnceCell::new() };
}

/// The isolate's memory.
pub(super) struct Isolate {
    pub(super) config: Config,
    /// Random, the same for the isolate's whole life.
    pub(super) name: String,
    pub(super) hops: RefCell<Hops>,
    books: Vec<RefCell<Book>>,
    region: OnceCell<&'static str>,
}

/// The isolate's memory, made by its first request.
pub(super) fn current(env: &Env) -> Rc<Isolate> {
    ISOLATE.with(|cell| Rc::clone(cell.get_or_init(|| Rc::new(Isolate::new(env)))))
}

impl Isolate {
    fn new(env: &Env) -> Self {
        let config = bindings::config(env);
        let now = clock::now();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let name = format!("{:013x}", (clock::draw() * 2f64.powi(52)) as u64);
        let isolate = Self {
            books: config.routes.iter().map(|route| RefCell::new(Book::new(route, now))).collect(),
            config,
            name,
            hops: RefCell::default(),
            region: OnceCell::new(),
        };
        log::config_errors(&isolate);
        isolate
    }

    /// Index of a route of this configuration.
    pub(super) fn index(&self, route: &Route) -> usize {
        self.config.routes.iter().position(|known| known.name == route.name).unwrap_or_default()
    }

    /// Reads or changes a route's book. `use_it` must neither await nor come back here.
    pub(super) fn book<T>(&self, index: usize, use_it: impl FnOnce(&mut Book) -> T) -> Option<T> {
        let mut book = self.books.get(index)?.try_borrow_mut().ok()?;
        Some(use_it(&mut book))
    }

    /// The drill that an attempt at an endpoint takes part in now.
    pub(super) fn drill(&self, index: usize, endpoint: usize) -> Option<Drill> {
        self.book(index, |book| book.drill(endpoint, clock::now())).flatten()
    }

    /// Whose view this isolate shares, settled by its first caller; `None` when it shares none.
    pub(super) fn region(
        &self,
        continent: impl FnOnce() -> Option<String>,
    ) -> Option<&'static str> {
        match self.config.service.state {
            StateScope::Isolate => None,
            StateScope::Global => Some(places::GLOBAL),
            StateScope::Region => {
                Some(self.region.get_or_init(|| places::of_continent(continent().as_deref())))
            }
        }
    }
}
