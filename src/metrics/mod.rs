//! What the status knows as metrics, in Prometheus' text format 0.0.4. [`samples`] writes a
//! route's, where its status is made; [`page`] puts those of all routes together, since a metric's
//! samples must stand in one place.
//!
//! The hard rule: no label has a value that a client can choose. Routes, endpoints and regions are
//! the configuration's, classes and methods those of the code; everything else is `other`. What is
//! not known has no sample, never 0.

mod families;
mod read;
mod text;

use families::Of;
pub use families::{FAMILIES, Family, Kind};
use read::Seen;
use text::Lines;

use crate::config::Config;
use crate::state::counted::Counted;
use crate::state::status::RouteStatus;

/// `Content-Type` of a page.
pub const TEXT: &str = "text/plain; version=0.0.4; charset=utf-8";

/// Before the name of the metric whose samples follow. No value has a line's end in it.
const MARK: &str = "\n# ";

/// What is known of a route.
#[derive(Debug)]
pub struct Reading<'a> {
    /// Its status.
    pub status: &'a RouteStatus,
    /// What was counted; `None`: it is not to be had now.
    pub counted: Option<&'a Counted<'a>>,
    /// Whether the region's object answers; `None`: there is none.
    pub up: Option<bool>,
}

/// A route's samples, by metric, for [`page`].
pub fn samples(reading: &Reading<'_>) -> String {
    let mut out = String::new();
    for family in FAMILIES {
        section(&mut out, &[MARK, family.name, "\n"], |out| family.of_route(reading, out));
    }
    out
}

/// The page: the service's own samples and those of its routes. What another version's object calls
/// by a name that is not known here is left out.
pub fn page(config: &Config, routes: &[String]) -> String {
    let parts = routes.iter().flat_map(|route| route.split(MARK));
    let parts: Vec<_> = parts.filter_map(|part| part.split_once('\n')).collect();
    let mut page = String::new();
    for family in FAMILIES {
        let Family { name, kind, help, .. } = family;
        let head = ["# HELP ", name, " ", help, "\n# TYPE ", name, " ", kind.label(), "\n"];
        section(&mut page, &head, |out| {
            if let Of::Service(write) = family.of {
                write(config, &mut Lines::new(name, out));
            }
            let own = parts.iter().filter(|(known, _)| known == name);
            own.for_each(|(_, lines)| out.push_str(lines));
        });
    }
    page
}

/// Adds a head and what belongs below it, or nothing where nothing does.
fn section(out: &mut String, head: &[&str], write: impl FnOnce(&mut String)) {
    let before = out.len();
    for part in head {
        out.push_str(part);
    }
    let bare = out.len();
    write(out);
    if out.len() == bare {
        out.truncate(before);
    }
}

impl Family {
    fn of_route(&self, reading: &Reading<'_>, out: &mut String) {
        let status = reading.status;
        let mut lines = Lines::new(self.name, out);
        lines.label("route", &status.route);
        lines.label("region", &status.region);
        match self.of {
            Of::Service(_) => {}
            Of::Route(read) => lines.add_known(read(reading)),
            Of::Endpoint(read) => {
                Seen::each(reading, &mut lines, |seen, lines| lines.add_known(read(seen)));
            }
            Of::Split(label, read) => Seen::each(reading, &mut lines, |seen, lines| {
                read(seen, &mut |value, number| lines.add("", &[(label, value)], number));
            }),
            Of::Latency => Seen::each(reading, &mut lines, read::latency),
        }
    }
}
