//! Keys that are reserved for what this version does not do. They are refused rather than ignored:
//! no key is without effect. When a feature lands, its row goes.

use super::raw;
use super::remark::{Reading, Remark, Under};

/// A key, the values that are refused, and whether the given one is of them.
type Row<T> = (&'static str, &'static str, fn(&T) -> bool);

const ROUTE: &[Row<raw::Route>] = &[
    ("protocol", "\"x402\"", |r| r.protocol == "x402"),
    ("settle_failover", "this key", |r| r.settle_failover.0.is_some()),
    ("settle_unknown", "this key", |r| r.settle_unknown.0.is_some()),
    ("mode", "a mode other than \"ordered\"", |r| r.mode != "ordered"),
    ("quorum", "this key", |r| r.quorum.0.is_some()),
    ("hedge_after_ms", "a value other than 0", |r| r.hedge_after_ms != 0),
    ("send", "\"broadcast\"", |r| r.send == "broadcast"),
    ("max_lag_blocks", "a value other than 0", |r| r.max_lag_blocks != 0),
    ("max_lag_ms", "a value other than 0", |r| r.max_lag_ms != 0),
    ("empty_result", "a value other than \"answer\"", |r| r.empty_result != "answer"),
    ("monotonic_head", "true", |r| r.monotonic_head),
    ("rate_limit", "this key", |r| r.rate_limit.0.is_some()),
];

const ENDPOINT: &[Row<raw::Endpoint>] = &[
    ("weight", "a value other than 1", |e| e.weight != 1),
    ("archive", "true", |e| e.archive),
    ("forward_headers", "a list that is not empty", |e| !e.forward_headers.is_empty()),
];

/// Refuses the first key that asks for what is not there.
pub(super) fn check(route: &raw::Route) -> Reading<()> {
    check_rows(ROUTE, route)?;
    route.endpoints.iter().enumerate().try_for_each(|(at, endpoint)| {
        check_rows(ENDPOINT, &endpoint.0).under(&format!("endpoints[{at}]"))
    })
}

fn check_rows<T>(rows: &[Row<T>], table: &T) -> Reading<()> {
    match rows.iter().find(|(_, _, asked)| asked(table)) {
        Some((key, what, _)) => {
            Err(Remark::at(*key, format!("{what} is not supported by this version yet")))
        }
        None => Ok(()),
    }
}
