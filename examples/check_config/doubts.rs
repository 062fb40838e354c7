//! What a good route has that was hardly meant.

use breakwater::config::{Config, Protocol, Route};
use breakwater::method::Effect;

use crate::modes;

/// One sentence each, with the key's full path; `variable` is the route's.
pub(crate) fn of_route(config: &Config, route: &Route, variable: &str) -> Vec<String> {
    let mut doubts: Vec<String> = chain(config, route, variable).into_iter().collect();
    if route.protocol == Protocol::Evm {
        doubts.extend(total(route, variable));
        doubts.extend(cut_short(route, variable));
        doubts.extend(modes::doubts(route, variable));
    }
    doubts
}

/// `/{chain_id}` is another route's.
fn chain(config: &Config, route: &Route, variable: &str) -> Option<String> {
    let chain = route.chain_id?;
    let serves = &config.by_chain(chain)?.name;
    (*serves != route.name)
        .then(|| format!("{variable}.chain_id: /{chain} serves the route {serves}, not this one"))
}

/// The whole is too short for what it is made of.
fn total(route: &Route, variable: &str) -> Option<String> {
    let total = route.timeouts.total_ms;
    let attempt = route.attempt_timeout_ms("eth_call", Effect::Read);
    let path = format!("{variable}.total_timeout_ms");
    if total < attempt {
        return Some(format!(
            "{path}: {total} ends every attempt before attempt_timeout_ms, {attempt}"
        ));
    }
    let others = route.endpoints.len() > 1 && route.max_attempts > 1;
    (others && total < 2 * attempt).then(|| {
        format!(
            "{path}: {total} leaves a second endpoint less than its attempt_timeout_ms, {attempt}, \
             when the first is silent"
        )
    })
}

/// Attempts that may take longer than the whole.
fn cut_short(route: &Route, variable: &str) -> Vec<String> {
    let total = route.timeouts.total_ms;
    let endpoints = route.endpoints.iter().enumerate().filter_map(|(index, endpoint)| {
        let path = format!("{variable}.endpoints[{index}].attempt_timeout_ms");
        Some((path, endpoint.attempt_timeout_ms?))
    });
    let methods = route.timeouts.per_method_ms.iter();
    let methods = methods.map(|(name, ms)| (format!("{variable}.method_timeouts_ms.{name}"), *ms));
    endpoints
        .chain(methods)
        .filter(|(_, ms)| *ms > total)
        .map(|(path, ms)| format!("{path}: {ms} is longer than total_timeout_ms, {total}"))
        .collect()
}
