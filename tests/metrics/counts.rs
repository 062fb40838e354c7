//! What only goes up.

use breakwater::state::event;
use breakwater::state::isolate::Book;
use breakwater::state::orders::Action;
use breakwater::state::region::{Memory, Region};
use breakwater::state::wire::Report;
use breakwater::verdict::{Class, LastWord, Next, Signal};
use proptest::prelude::*;

use crate::common::{T0, verdict};
use crate::scene::{A, Scene, a, tally};

proptest! {
    // Each step of a case is a page.
    #![proptest_config(ProptestConfig::with_cases(16))]

    /// Whatever is handed in: no counter goes back, and methods and classes add up to the whole.
    #[test]
    fn only_go_up(
        handed in proptest::collection::vec((0..120_usize, 0..3_usize, any::<u16>()), 1..40),
    ) {
        let known = ["eth_call", "eth_getLogs", "eth_blockNumber"];
        let mut scene = Scene::new("");
        let mut before = scene.page(0);
        for (name, failure, ms) in handed {
            let method = known.get(name).map_or_else(|| format!("eth_{name}"), |m| (*m).to_owned());
            let failure = [None, Some("timeout"), Some("a_class_of_tomorrow")][failure];
            scene.hand_in(tally(&method, &[ms.into()], failure), 0);
            let after = scene.page(0);
            for (name, labels, value) in before.counters() {
                prop_assert!(after.value(name, labels) >= Some(value), "{name}{labels} {value}");
            }
            before = after;
        }
        let sum = |name: &str| {
            let all = before.of(&format!("breakwater_endpoint_{name}"));
            all.iter().map(|(_, count)| count).sum::<f64>()
        };
        for (parts, whole) in [
            ("method_requests_total", "requests_total"),
            ("method_failures_total", "failures_total"),
            ("failure_classes_total", "failures_total"),
        ] {
            prop_assert_eq!(sum(parts), sum(whole), "{}", parts);
        }
    }
}

#[test]
fn counts_add_up() {
    let mut scene = Scene::new("");
    scene.hand_in(tally("eth_call", &[1, 7, 9, 20_000], None), 0);
    scene.hand_in(tally("eth_getLogs", &[3_500, 10], Some("timeout")), 1);
    scene.hand_in(tally("eth_invented", &[2], Some("a_class_of_tomorrow")), 2);
    let page = scene.page(3);
    let of = |name: &str, labels: &str| page.value(&format!("breakwater_endpoint_{name}"), labels);
    assert_eq!(of("requests_total", A), Some(7.0));
    assert_eq!(of("failures_total", A), Some(3.0));
    assert_eq!(of("unclassified_total", A), Some(1.0));
    for (method, requests, failures) in
        [("eth_call", 4.0, 0.0), ("eth_getLogs", 2.0, 2.0), ("other", 1.0, 1.0)]
    {
        let labels = a("method", method);
        assert_eq!(of("method_requests_total", &labels), Some(requests), "{method}");
        assert_eq!(of("method_failures_total", &labels), Some(failures), "{method}");
    }
    assert_eq!(of("failure_classes_total", &a("class", "timeout")), Some(2.0));
    assert_eq!(of("failure_classes_total", &a("class", "other")), Some(1.0));
    assert_eq!(of("last_failure_timestamp_seconds", &a("class", "other")), Some(1_800_000_000.0));
    assert!(!page.text.contains("invented") && !page.text.contains("tomorrow"));
    let bucket = |le| of("request_duration_seconds_bucket", &a("le", le));
    for (le, count) in [("0.001", 1.0), ("0.007", 3.0), ("0.01", 5.0), ("10", 6.0), ("+Inf", 7.0)] {
        assert_eq!(bucket(le), Some(count), "{le}");
    }
    assert_eq!(of("request_duration_seconds_sum", A), Some(23.529));
}

#[test]
fn every_class_is_a_label_of_its_own() {
    let mut scene = Scene::new("");
    for class in Class::ALL.iter().take(40) {
        scene.hand_in(tally("eth_call", &[1], Some(class.label())), 0);
    }
    let page = scene.page(1);
    let classes = page.of("breakwater_endpoint_failure_classes_total");
    assert_eq!(classes.len(), 40);
    assert!(classes.iter().all(|(_, count)| *count == 1.0));
}

#[test]
fn an_error_that_no_rule_knows_is_no_failure() {
    let unknown = verdict(Next::Advance, Signal::Neutral, LastWord::PassOn, Class::Unknown);
    let mut scene = Scene::new("");
    scene.report(Report::default(), 0);
    scene.probe(0, |_| (unknown, None));
    let page = scene.page(1);
    assert!(page.value("breakwater_endpoint_unclassified_total", A) > Some(0.0));
    assert_eq!(page.value("breakwater_endpoint_failures_total", A), Some(0.0));
}

#[test]
fn clients_without_an_answer_are_counted() {
    let mut scene = Scene::new("");
    let mut book = Book::new(&scene.route, T0);
    for _ in 0..3 {
        book.tell(event::exhausted("r", "eth_call", -32002, "a=timeout", T0));
        book.tell(event::alert("r", Some("a"), "look", T0));
    }
    let observation = book.observe("one", T0);
    scene.region.hand_in(&observation, &scene.route.breaker, T0, 0.5);
    assert_eq!(scene.page(1).of("breakwater_route_exhausted_total")[0].1, 3.0);
}

#[test]
fn no_order_of_the_operators_takes_a_counter_back() {
    let mut scene = Scene::new(r#""trip_after":1"#);
    scene.hand_in(tally("eth_call", &[5, 5], Some("timeout")), 0);
    scene.order(Action::Open, None, 1);
    let before = scene.page(2);
    scene.order(Action::Reset, None, 3);
    assert_eq!(scene.region.status(&scene.route, T0.plus(4)).endpoints[0].requests, 0);
    let after = scene.page(4);
    assert_eq!(before.value("breakwater_endpoint_trips_total", A), Some(1.0));
    let counters: Vec<_> = before.counters().collect();
    assert!(counters.len() > 80, "only {}", counters.len());
    for (name, labels, value) in counters {
        assert!(after.value(name, labels) >= Some(value), "{name}{labels} {value}");
    }
}

#[test]
fn an_object_made_anew_counts_from_nothing() {
    let mut scene = Scene::new("");
    scene.hand_in(tally("eth_call", &[5, 5], None), 0);
    let kept = scene.region.keep().collect();
    let memory = Memory { kept, ..Memory::default() };
    scene.region = Region::new("weur", &scene.route, memory, T0.plus(9_500));
    assert_eq!(scene.region.status(&scene.route, T0.plus(9_500)).endpoints[0].requests, 2);
    let page = scene.page(9_500);
    assert_eq!(page.value("breakwater_endpoint_requests_total", A), Some(0.0));
    assert_eq!(page.of("breakwater_region_start_time_seconds")[0].1, 1_800_000_009.5);
}
