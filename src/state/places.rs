//! Where objects are: a closed list, so that an order of the operator's can reach them all.

use crate::config::StateScope;

/// The region of a deployment with one view for the whole planet.
pub const GLOBAL: &str = "global";
/// The regions: each is a location hint of Cloudflare's.
pub const REGIONS: [&str; 6] = ["weur", "enam", "sam", "apac", "oc", "afr"];

/// The region of a caller, by his continent as Cloudflare names it.
pub fn of_continent(continent: Option<&str>) -> &'static str {
    match continent {
        Some("NA") => "enam",
        Some("SA") => "sam",
        Some("AS") => "apac",
        Some("OC") => "oc",
        Some("AF") => "afr",
        _ => "weur",
    }
}

/// Every region that can have an object of a route; none where nothing is shared.
pub fn all(scope: StateScope) -> &'static [&'static str] {
    match scope {
        StateScope::Region => &REGIONS,
        StateScope::Global => &[GLOBAL],
        StateScope::Isolate => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_caller_is_outside_the_list() {
        for continent in ["NA", "SA", "AS", "OC", "AF", "EU", "AN", "T1", ""] {
            assert!(all(StateScope::Region).contains(&of_continent(Some(continent))));
        }
        assert!(REGIONS.contains(&of_continent(None)));
    }
}
