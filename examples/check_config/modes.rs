//! Keys of the modes that are without effect, or mean less than they seem to.

use breakwater::config::{Mode, Route};
use breakwater::method::Effect;

pub(crate) fn doubts(route: &Route, variable: &str) -> Vec<String> {
    let found = [hedge(route, variable), weight(route, variable), rivals(route, variable)];
    found.into_iter().flatten().collect()
}

/// Nobody is asked meanwhile.
fn hedge(route: &Route, variable: &str) -> Option<String> {
    let after = route.hedge_after_ms;
    let path = format!("{variable}.hedge_after_ms");
    if after == 0 {
        return None;
    }
    if route.endpoints.len() < 2 || (route.max_attempts < 2 && route.mode != Mode::Quorum) {
        return Some(format!("{path}: is without effect: there is no other endpoint to ask"));
    }
    let attempt = route.attempt_timeout_ms("eth_call", Effect::Read);
    (after >= attempt).then(|| {
        format!("{path}: {after} is without effect: attempt_timeout_ms, {attempt}, is over first")
    })
}

/// Weights count in one mode only.
fn weight(route: &Route, variable: &str) -> Option<String> {
    let unlike = route.endpoints.iter().position(|endpoint| endpoint.weight != 1)?;
    (route.mode != Mode::Weighted).then(|| {
        format!(
            "{variable}.endpoints[{unlike}].weight: is without effect unless mode = \"weighted\""
        )
    })
}

/// Two groups may reach the threshold.
fn rivals(route: &Route, variable: &str) -> Option<String> {
    let quorum = route.quorum.as_ref()?;
    let (threshold, of) = (quorum.threshold, quorum.of);
    (2 * threshold <= of).then(|| {
        format!(
            "{variable}.quorum.threshold: {threshold} of {of} may be reached by two different answers: \
             then there is none"
        )
    })
}
