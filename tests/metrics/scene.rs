//! An object whose metrics are read.

use breakwater::config::{Config, Route, parse};
use breakwater::metrics::{self, Reading};
use breakwater::state::orders::{Action, Command, Drill};
use breakwater::state::region::{Memory, Probed, Question, Region};
use breakwater::state::stats::{FailureOf, Sample, Tally};
use breakwater::state::wire::{Observation, Report};
use breakwater::verdict::Verdict;

use crate::common::{T0, answer, route};
use crate::exposition::{Page, read};

/// A region's object of a route named `r`, and how its metrics look.
pub(crate) struct Scene {
    pub(crate) route: Route,
    pub(crate) region: Region,
}

impl Scene {
    pub(crate) fn new(more: &str) -> Self {
        let route = route(3, more);
        let region = Region::new("weur", &route, Memory::default(), T0);
        Self { route, region }
    }

    /// What the object tells.
    pub(crate) fn samples(&self, at: u64) -> String {
        let status = self.region.status(&self.route, T0.plus(at));
        let counted = self.region.counted();
        metrics::samples(&Reading { status: &status, counted: Some(&counted), up: Some(true) })
    }

    pub(crate) fn page(&self, at: u64) -> Page {
        read(&metrics::page(&config(), &[self.samples(at)]))
    }

    /// An isolate hands in what it has counted of an endpoint, `a`.
    pub(crate) fn hand_in(&mut self, tally: Tally, at: u64) {
        let report = Report { name: "a".into(), tally, ..Report::default() };
        self.report(report, at);
    }

    pub(crate) fn report(&mut self, report: Report, at: u64) {
        let observation = Observation {
            isolate: "one".into(),
            endpoints: vec![report],
            traffic: true,
            ..Observation::default()
        };
        self.region.hand_in(&observation, &self.route.breaker, T0.plus(at), 0.5);
    }

    pub(crate) fn order(&mut self, action: Action, drill: Option<Drill>, at: u64) {
        let command = Command { endpoint: Some("a".into()), action, drill };
        self.region.obey(&command, &self.route.breaker, T0.plus(at), 0.5).unwrap();
    }

    /// Makes the probes that are due, all answered so.
    pub(crate) fn probe(&mut self, at: u64, by: impl Fn(Question) -> (Verdict, Option<u64>)) {
        let now = T0.plus(at);
        let (due, _) = self.region.probes(&self.route.breaker, now);
        for probe in due {
            let probed: Probed = answer(probe, &by);
            self.region.probed(&probed, &self.route.breaker, now, 0.5);
        }
    }
}

/// One valid route, and two that are not.
pub(crate) fn config() -> Config {
    let good = r#"{"chain_id":1,"endpoints":[{"name":"a","url":"https://a.example.org"}]}"#;
    let vars = [("SERVICE", r#"{"default_route":"r"}"#), ("ROUTE_R", good)];
    let bad = [("ROUTE_BAD", "{}"), ("ROUTE_TWICE_OVER", good), ("ROUTE_TWICE-OVER", good)];
    let vars = vars.iter().chain(&bad);
    let vars: Vec<_> = vars.map(|(name, json)| ((*name).to_owned(), (*json).to_owned())).collect();
    parse(&vars, &|_| None)
}

pub(crate) fn tally(method: &str, ms: &[u64], failure: Option<&'static str>) -> Tally {
    let mut tally = Tally::default();
    for ms in ms {
        let failure = failure.map(|class| FailureOf { class, status: None });
        let unclassified = failure.is_none() && *ms == 7;
        tally.add(Sample { at: T0, method, ms: Some(*ms), failure, unclassified });
    }
    tally
}

pub(crate) const A: &str = r#"{route="r",region="weur",endpoint="a"}"#;

/// `A` with one label more.
pub(crate) fn a(name: &str, value: &str) -> String {
    A.replace('}', &format!(r#",{name}="{value}"}}"#))
}
