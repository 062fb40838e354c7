//! Variables and secrets to the configuration. Never fails: what is wrong becomes a fault.

use super::table::{Table, shown};
use super::template::Secrets;
use super::{Config, Fault, Notice, Service, names, route, service};
use crate::json::{self, Value};

/// One `ROUTE_` variable.
struct Variable<'a> {
    /// The public name it stands for.
    route: String,
    name: &'a str,
    text: &'a str,
}

/// Reads the configuration.
///
/// `vars` are the names and the JSON text of `SERVICE` and of every `ROUTE_*` variable; the text may
/// also be a JSON string that holds JSON. Other variables are passed over. `secret` gives a
/// Worker secret by name.
///
/// A table that is wrong becomes one [`Fault`], about one thing that is wrong with it; the other
/// routes are not affected. While `SERVICE` is refused, `service` holds its defaults: ask
/// [`Config::service_fault`] before serving anything.
pub fn parse(vars: &[(String, String)], secret: &dyn Fn(&str) -> Option<String>) -> Config {
    let variables = variables(vars);
    let mut config = Config {
        service: Service::default(),
        routes: Vec::new(),
        faults: Vec::new(),
        notices: Vec::new(),
    };
    match read_service(vars, &variables, secret) {
        Ok(service) => config.service = service,
        Err(message) => config.faults.push(Fault { route: None, message }),
    }
    for variable in &variables {
        config.read_route(variable, &variables, secret);
    }
    config.notice_webhook(secret);
    config
}

impl Config {
    /// A webhook that cannot work is told of and stops nothing.
    fn notice_webhook(&mut self, secret: Secrets<'_>) {
        let route = self.routes.first().map(|route| route.name.clone());
        if let (Some(route), Err(why)) = (route, service::alert_webhook(secret)) {
            let message = format!("ALERT_WEBHOOK: {why}");
            self.notices.push(Notice { route, endpoint: None, message });
        }
    }

    fn read_route(&mut self, variable: &Variable<'_>, all: &[Variable<'_>], secret: Secrets<'_>) {
        let mut notices = Vec::new();
        let read = table(variable.name, variable.text).and_then(|mut table| {
            if all.iter().filter(|other| other.route == variable.route).count() > 1 {
                table
                    .fail("", "has the same public name as another route: _ is -, case is ignored");
            }
            route::build(&variable.route, table, secret, &mut notices)
        });
        match read {
            Ok(route) => {
                self.routes.push(route);
                self.notices.extend(notices);
            }
            Err(message) => {
                self.faults.push(Fault { route: Some(variable.route.clone()), message });
            }
        }
    }
}

/// Every route's variable, sorted by public name.
fn variables(vars: &[(String, String)]) -> Vec<Variable<'_>> {
    let mut variables: Vec<Variable<'_>> = Vec::new();
    for (name, text) in vars {
        if let Some(route) = names::public_name(name) {
            let at = variables.partition_point(|other| other.route <= route);
            variables.insert(at, Variable { route, name, text });
        }
    }
    variables
}

fn read_service(
    vars: &[(String, String)],
    variables: &[Variable<'_>],
    secret: Secrets<'_>,
) -> Result<Service, String> {
    if variables.is_empty() {
        return Err("ROUTE_<NAME>: is missing: at least one route is needed".into());
    }
    let declared: Vec<String> = variables.iter().map(|variable| variable.route.clone()).collect();
    let table = match vars.iter().find(|(name, _)| name == "SERVICE") {
        Some((name, text)) => table(name, text)?,
        None => Table::new("SERVICE", Value::Table(Vec::new())),
    };
    service::build(table, &declared, secret)
}

/// The table that a variable holds.
fn table(name: &str, text: &str) -> Result<Table, String> {
    let path = shown(name);
    let value = variable(text).map_err(|why| format!("{path}: {why}"))?;
    Ok(Table::new(path, value))
}

/// Dashboards and some runtimes hand a table over as text, so a JSON string that holds JSON is read
/// as what it holds.
fn variable(text: &str) -> Result<Value, String> {
    let value = json::tree(text)?;
    if let Value::Text(inner) = value { json::tree(&inner) } else { Ok(value) }
}
