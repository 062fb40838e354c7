//! The page as a whole, whatever is in it.

use breakwater::metrics::{self, FAMILIES, Kind, Reading};
use breakwater::state::isolate::Book;

use crate::common::T0;
use crate::exposition::read;
use crate::scene::{A, Scene, config, tally};

#[test]
fn several_routes_are_one_page_and_what_is_no_sample_is_left_out() {
    let scene = Scene::new("");
    let of = |name: &str| {
        let mut status = scene.region.status(&scene.route, T0);
        name.clone_into(&mut status.route);
        let counted = scene.region.counted();
        metrics::samples(&Reading { status: &status, counted: Some(&counted), up: Some(true) })
    };
    let other =
        [r#"{"route":"old"}"#, "", "\n# breakwater_of_tomorrow\nbreakwater_of_tomorrow 1\n"];
    let other = other.map(str::to_owned);
    let texts: Vec<_> = ["one", "two", "three"].map(of).into_iter().chain(other).collect();
    let page = read(&metrics::page(&config(), &texts));
    assert_eq!(page.of("breakwater_region_up").len(), 3);
    assert_eq!(page.of("breakwater_endpoint_enabled").len(), 9);
    assert!(!page.text.contains("tomorrow") && !page.text.contains("old"));
}

#[test]
fn of_an_isolate_alone_what_it_saw_and_of_a_silent_object_no_counts() {
    let scene = Scene::new("");
    let status = scene.region.status(&scene.route, T0);
    let book = Book::new(&scene.route, T0);
    let counted = book.counted();
    let alone = Reading { status: &status, counted: Some(&counted), up: None };
    let alone = read(&metrics::page(&config(), &[metrics::samples(&alone)]));
    assert_eq!(alone.value("breakwater_endpoint_requests_total", A), Some(0.0));
    for unknown in [
        "breakwater_region_up",
        "breakwater_region_start_time_seconds",
        "breakwater_route_exhausted_total",
    ] {
        assert_eq!(alone.of(unknown), [], "{unknown}");
    }
    let silent = Reading { status: &status, counted: None, up: Some(false) };
    let silent = read(&metrics::page(&config(), &[metrics::samples(&silent)]));
    assert_eq!(silent.of("breakwater_region_up")[0].1, 0.0);
    assert!(!silent.of("breakwater_endpoint_state").is_empty());
    assert_eq!(silent.counters().count(), 0);
}

#[test]
fn every_metric_is_well_named() {
    for family in FAMILIES {
        let name = family.name;
        assert!(name.starts_with("breakwater_"), "{name}");
        assert_eq!(name.ends_with("_total"), family.kind == Kind::Counter, "{name}");
        assert!(family.help.ends_with('.') && !family.help.contains(['\\', '\n']), "{name}");
        assert!(!name.contains("_ms"), "{name}");
        let same = FAMILIES.iter().filter(|other| other.name == name).count();
        assert_eq!(same, 1, "{name}");
    }
}

mod any_text {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Whatever is in a name: the page reads, and the name comes out of it as it went in.
        #[test]
        fn is_a_label(
            route in any::<String>(),
            endpoint in any::<String>(),
            method in any::<String>(),
            counts in any::<[u16; 3]>(),
        ) {
            let endpoint = format!("not another's: {endpoint}");
            let mut scene = Scene::new("");
            for ms in counts {
                scene.hand_in(tally(&method, &[ms.into()], (ms % 2 == 0).then_some("timeout")), 0);
            }
            let mut status = scene.region.status(&scene.route, T0);
            status.route.clone_from(&route);
            status.endpoints[0].name.clone_from(&endpoint);
            let counted = scene.region.counted();
            let reading = Reading { status: &status, counted: Some(&counted), up: Some(true) };
            let page = read(&metrics::page(&config(), &[metrics::samples(&reading)]));
            let (labels, requests) = &page.labelled("breakwater_endpoint_requests_total")[0];
            prop_assert_eq!(&labels["route"], &route);
            prop_assert_eq!(&labels["endpoint"], &endpoint);
            prop_assert_eq!(*requests, 3.0);
        }
    }
}
