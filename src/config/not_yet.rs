//! Keys that are reserved for what this version does not do. They are refused rather than ignored:
//! no key is without effect. When a feature lands, its row goes and its key is read.

use super::table::Table;
use crate::json;

/// A key and the values that are accepted, as JSON: those that ask for what happens anyway.
type Row = (&'static str, &'static [&'static str]);

/// Of a route.
pub(super) const ROUTE: &[Row] = &[("rate_limit", &[])];

/// Takes down the first key that asks for what is not there.
pub(super) fn check(table: &mut Table, rows: &[Row]) {
    for (key, accepted) in rows {
        let Some(value) = table.value(key) else { continue };
        if accepted.iter().any(|json| json::tree(json).as_ref() == Ok(value)) {
            continue;
        }
        let others = match accepted {
            [] => "this key".to_owned(),
            _ => format!("a value other than {}", accepted.join(" or ")),
        };
        table.fail(key, &format!("{others} is not supported by this version yet"));
    }
}
