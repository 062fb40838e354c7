//! How things are now.

use breakwater::breaker::throttle::Why;
use breakwater::config::DrillKind;
use breakwater::state::orders::{Action, Drill};
use breakwater::state::region::Question;
use breakwater::state::wire::{Report, Rest};

use crate::common::{T0, good, other_chain, throttled, timeout};
use crate::scene::{A, Scene, a};

#[test]
fn an_unused_route_has_what_is_known_of_it_and_no_more() {
    let page = Scene::new("").page(0);
    assert_eq!(
        page.of("breakwater_build_info"),
        [env!("CARGO_PKG_VERSION")].map(|version| { (format!(r#"{{version="{version}"}}"#), 1.0) })
    );
    let valid = [("r", 1.0), ("bad", 0.0), ("twice-over", 0.0)];
    let valid = valid.map(|(route, valid)| (format!(r#"{{route="{route}"}}"#), valid));
    assert_eq!(page.of("breakwater_route_valid"), valid);
    let of_route = r#"{route="r",region="weur"}"#;
    for (name, value) in [
        ("breakwater_region_up", 1.0),
        ("breakwater_route_usable_endpoints", 3.0),
        ("breakwater_route_exhausted_total", 0.0),
        ("breakwater_region_start_time_seconds", 1_800_000_000.0),
    ] {
        assert_eq!(page.of(name), [(of_route.to_owned(), value)], "{name}");
    }
    for (name, value) in [
        ("breakwater_endpoint_order", 1.0),
        ("breakwater_endpoint_serving", 1.0),
        ("breakwater_endpoint_requests_total", 0.0),
        ("breakwater_endpoint_failures_total", 0.0),
        ("breakwater_endpoint_trips_total", 0.0),
        ("breakwater_endpoint_throttled", 0.0),
        ("breakwater_endpoint_drill", 0.0),
        ("breakwater_endpoint_request_duration_seconds_count", 0.0),
    ] {
        assert_eq!(page.value(name, A), Some(value), "{name}");
    }
    for unknown in ["head_block", "lag_blocks", "behind", "finalized_block", "chain_id_ok"] {
        assert_eq!(page.of(&format!("breakwater_endpoint_{unknown}")), [], "{unknown}");
    }
    for none in ["weight", "score", "last_failure_timestamp_seconds", "failure_classes_total"] {
        assert_eq!(page.of(&format!("breakwater_endpoint_{none}")), [], "{none}");
    }
}

#[test]
fn an_outage_shows() {
    let mut scene = Scene::new(r#""trip_after":1"#);
    scene.report(Report::default(), 0);
    for at in [0, 15_000] {
        scene.probe(at, |question| match question {
            Question::ChainId => (good(), Some(1)),
            Question::Head | Question::Finalized | Question::Supported => (good(), Some(90 + at)),
        });
    }
    let page = scene.page(16_500);
    let of = |name: &str| page.value(&format!("breakwater_endpoint_{name}"), A);
    assert_eq!((of("head_block"), of("head_age_seconds")), (Some(15_090.0), Some(1.5)));
    assert_eq!((of("lag_blocks"), of("behind")), (Some(0.0), Some(0.0)));
    assert_eq!((of("chain_id_ok"), of("finalized_block")), (Some(1.0), Some(15_090.0)));

    scene.probe(30_000, |_| (timeout(), None));
    let page = scene.page(30_000);
    let state = |state| page.value("breakwater_endpoint_state", &a("state", state));
    let states = ["closed", "open", "half_open", "disabled"].map(state);
    assert_eq!(states, [Some(0.0), Some(1.0), Some(0.0), Some(0.0)]);
    let of = |name: &str| page.value(&format!("breakwater_endpoint_{name}"), A);
    assert_eq!((of("trips_total"), of("serving")), (Some(1.0), Some(0.0)));
    assert_eq!(of("state_since_timestamp_seconds"), Some(1_800_000_030.0));
    let usable = page.of("breakwater_route_usable_endpoints");
    assert_eq!(usable[0].1, 0.0, "all were asked, none answered");
}

#[test]
fn rests_drills_orders_and_other_chains_show() {
    let mut scene = Scene::new("");
    let until = T0.plus(60_000);
    for (why, throttle, account) in [(Why::Rate, 1.0, 0.0), (Why::Account, 0.0, 1.0)] {
        let rest = Some(Rest { until: until.plus(u64::from(why == Why::Account)), why });
        scene.report(Report { name: "a".into(), rest, ..Report::default() }, 0);
        let page = scene.page(1);
        assert_eq!(page.value("breakwater_endpoint_throttled", A), Some(throttle));
        assert_eq!(page.value("breakwater_endpoint_account_trouble", A), Some(account));
        assert_eq!(page.of("breakwater_route_usable_endpoints")[0].1, 2.0);
    }
    let drill = Drill { kind: DrillKind::Slow, value: 5, until_ms: until };
    scene.order(Action::Fault, Some(drill), 2);
    assert_eq!(scene.page(3).value("breakwater_endpoint_drill", A), Some(1.0));
    assert_eq!(scene.page(60_001).value("breakwater_endpoint_drill", A), Some(0.0));
    scene.order(Action::Disable, None, 4);
    let page = scene.page(5);
    assert_eq!(page.value("breakwater_endpoint_enabled", A), Some(0.0));
    assert_eq!(page.value("breakwater_endpoint_state", &a("state", "disabled")), Some(1.0));

    let mut scene = Scene::new("");
    scene.report(Report::default(), 0);
    scene.probe(0, |_| (other_chain(), None));
    assert_eq!(scene.page(1).value("breakwater_endpoint_chain_id_ok", A), Some(0.0));
}

#[test]
fn weighted_endpoints_have_weight_and_score() {
    let mut scene = Scene::new(r#""mode":"weighted""#);
    scene.report(Report::default(), 0);
    scene.probe(0, |_| (throttled(None), None));
    let page = scene.page(1);
    assert_eq!(page.value("breakwater_endpoint_weight", A), Some(1.0));
    assert_eq!(page.of("breakwater_endpoint_order"), [], "nobody is asked first by all");
    let score = page.value("breakwater_endpoint_score", A).unwrap();
    assert!(score > 0.0 && score <= 1.0, "{score}");
}
