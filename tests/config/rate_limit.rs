//! A route's limit per caller, and the binding that counts.

use breakwater::config::RateLimit;

use crate::accepted::{FACILITATORS, SMALL, only_route};
use crate::config;

fn limit(keys: &str) -> RateLimit {
    only_route(&format!("{SMALL}rate_limit = {{ {keys} }}\n")).rate_limit.unwrap()
}

#[test]
fn there_is_none_unless_one_is_given() {
    assert_eq!(only_route(SMALL).rate_limit, None);
    let binding = "RATE_A".to_owned();
    let minute = RateLimit { binding: binding.clone(), period_s: 60 };
    assert_eq!(limit("binding = \"RATE_A\""), minute);
    let short = RateLimit { binding, period_s: 10 };
    assert_eq!(limit("binding = \"RATE_A\", period_s = 10"), short);
    let pay = format!("{FACILITATORS}rate_limit = {{ binding = \"RATE_PAY\" }}\n");
    assert_eq!(only_route(&pay).rate_limit.unwrap().binding, "RATE_PAY");
}

#[test]
fn a_route_that_nobody_would_count_for_is_bad_and_no_other() {
    let toml = format!(
        "[SERVICE]\ndefault_route = \"base\"\n{SMALL}rate_limit = {{ binding = \"RATE_A\" }}\n\
         [ROUTE_ONE_MORE]\nchain_id = 5\nendpoints = [{{ name = \"a\", url = \"https://a.example\" }}]\n\
         rate_limit = {{ binding = \"RATE_B\" }}\n"
    );
    let mut config = config(&toml);
    config.check_bindings(|name| name == "RATE_A");
    let names: Vec<_> = config.routes.iter().map(|route| &*route.name).collect();
    assert_eq!(names, ["base"]);
    let fault = config.fault_of("one-more").unwrap();
    assert_eq!(
        fault.message,
        "ROUTE_ONE_MORE.rate_limit.binding: is not bound: wrangler.toml needs a [[ratelimits]] entry \
         with this name"
    );
    config.check_bindings(|name| name == "RATE_A");
    assert_eq!((config.routes.len(), config.faults.len()), (1, 1));
}
