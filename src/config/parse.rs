//! Variables and secrets to the configuration. Never fails: what is wrong becomes a fault.

use super::remark::{Reading, Remark, Under, shown};
use super::template::Secrets;
use super::{Config, Fault, Notice, Service, json, names, raw, route, service};

/// One `ROUTE_` variable.
struct Table<'a> {
    variable: &'a str,
    name: String,
    text: &'a str,
}

/// Reads the configuration.
///
/// `vars` are the names and the JSON text of `SERVICE` and of every `ROUTE_*` variable; the text may
/// also be a JSON string that holds JSON. Other variables are passed over. `secret` gives a
/// Worker secret by name.
///
/// A table that is wrong becomes one [`Fault`] that says the first thing wrong with it; the other
/// routes are not affected. While `SERVICE` is refused, `service` holds its defaults: ask
/// [`Config::service_fault`] before serving anything.
pub fn parse(vars: &[(String, String)], secret: &dyn Fn(&str) -> Option<String>) -> Config {
    let tables = tables(vars);
    let mut config = Config {
        service: Service::default(),
        routes: Vec::new(),
        faults: Vec::new(),
        notices: Vec::new(),
    };
    match read_service(vars, &tables, secret) {
        Ok(service) => config.service = service,
        Err(remark) => config.faults.push(Fault { route: None, message: remark.to_string() }),
    }
    for table in &tables {
        match read_route(table, &tables, secret).under(shown(table.variable)) {
            Ok(built) => config.take(table, built),
            Err(remark) => config
                .faults
                .push(Fault { route: Some(table.name.clone()), message: remark.to_string() }),
        }
    }
    config
}

impl Config {
    fn take(&mut self, table: &Table<'_>, built: route::Built) {
        self.notices.extend(built.notices.into_iter().map(|notice| Notice {
            route: table.name.clone(),
            endpoint: Some(notice.endpoint),
            message: notice.remark.under(shown(table.variable)).to_string(),
        }));
        self.routes.push(built.route);
    }
}

/// Every route's table, sorted by public name.
fn tables(vars: &[(String, String)]) -> Vec<Table<'_>> {
    let mut tables: Vec<Table<'_>> = vars.iter().filter_map(table).collect();
    tables.sort_by(|a, b| (&a.name, a.variable).cmp(&(&b.name, b.variable)));
    tables
}

fn table((variable, text): &(String, String)) -> Option<Table<'_>> {
    Some(Table { variable, name: names::public_name(variable)?, text })
}

fn read_service(
    vars: &[(String, String)],
    tables: &[Table<'_>],
    secret: Secrets<'_>,
) -> Reading<Service> {
    if tables.is_empty() {
        return Err(Remark::at("ROUTE_<NAME>", "is missing: at least one route is needed"));
    }
    let declared: Vec<String> = tables.iter().map(|table| table.name.clone()).collect();
    let text = vars.iter().find(|(variable, _)| variable == "SERVICE").map(|(_, text)| text);
    let raw = text.map_or(Ok(raw::Service::default()), |text| json::read(text));
    raw.and_then(|raw| service::build(&raw, &declared, secret)).under("SERVICE")
}

fn read_route(
    table: &Table<'_>,
    tables: &[Table<'_>],
    secret: Secrets<'_>,
) -> Reading<route::Built> {
    if tables.iter().filter(|other| other.name == table.name).count() > 1 {
        let text = "has the same public name as another route: case does not count, and _ is -";
        return Err(Remark::at("", text));
    }
    route::build(&table.name, json::read(table.text)?, secret)
}
