//! The check itself: text in, report out.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use breakwater::config::{Config, Route, parse};

use crate::limits::{self, Binding};
use crate::{doubts, literals, names};

/// Most bytes of one Worker variable.
const MAX_VARIABLE: usize = 5 * 1024;
/// Secrets of the Worker itself.
const OWN_SECRETS: [&str; 3] = ["ADMIN_TOKEN", "ALERT_WEBHOOK", "CLIENT_KEYS"];
/// Those that need not be there.
const OPTIONAL: [&str; 2] = ["ADMIN_TOKEN", "ALERT_WEBHOOK"];

/// What the operator is told.
pub(crate) struct Report {
    /// For the terminal: no URL and no secret in it.
    pub(crate) text: String,
    /// Nothing is refused.
    pub(crate) good: bool,
}

/// Checks `[vars]`, or `[env.NAME.vars]`, with these secrets bound.
pub(crate) fn check(toml: &str, env: Option<&str>, secrets: &BTreeMap<String, String>) -> Report {
    let (vars, bindings) = match read(toml, env) {
        Ok(read) => read,
        Err(error) => return Report { text: format!("\nerror: {error}\n"), good: false },
    };
    let assumed = RefCell::new(BTreeSet::new());
    let secret = |name: &str| {
        let bound = secrets.get(name).filter(|value| !value.trim().is_empty());
        if OPTIONAL.contains(&name) {
            return bound.cloned();
        }
        Some(bound.cloned().unwrap_or_else(|| {
            assumed.borrow_mut().insert(name.to_owned());
            assume(name, &vars)
        }))
    };
    let mut config = parse(&vars, &secret);
    config.check_bindings(|name| bindings.iter().any(|binding| binding.name == name));
    let assumed = assumed.into_inner();

    let mut lines = vec![summary(&config)];
    lines.extend(table(&config));
    lines.extend(needs(&config, &assumed, env));
    lines.extend(warnings(&config, &vars, &bindings).map(|text| format!("warning: {text}")));
    lines.extend(config.faults.iter().map(|fault| format!("error: {}", fault.message)));
    Report { text: lines.join("\n") + "\n", good: config.faults.is_empty() }
}

/// Name and JSON text of every variable.
type Vars = Vec<(String, String)>;

/// The variables, and the bindings that count callers.
fn read(toml: &str, env: Option<&str>) -> Result<(Vars, Vec<Binding>), String> {
    let file: toml::Table = toml.parse().map_err(|error: toml::de::Error| error.to_string())?;
    let owner = match env {
        None => Some(&file),
        Some(env) => file.get("env").and_then(|all| all.get(env)).and_then(|one| one.as_table()),
    };
    let Some((owner, vars)) = owner.and_then(|owner| Some((owner, owner.get("vars")?.as_table()?)))
    else {
        return Err(env.map_or("there is no [vars] table".into(), |env| {
            format!("there is no [env.{env}.vars] table, and Wrangler does not fall back to [vars]")
        }));
    };
    let json = |value| serde_json::to_string(value).map_err(|error| error.to_string());
    let vars = vars.iter().map(|(name, value)| Ok((name.clone(), json(value)?)));
    Ok((vars.collect::<Result<_, String>>()?, limits::bindings(owner)))
}

/// A stand-in that passes where a real value would: a URL where the secret begins the text.
fn assume(name: &str, vars: &[(String, String)]) -> String {
    let leads = format!("\"${{{name}}}");
    let leads = vars.iter().any(|(_, json)| json.contains(&leads));
    (if leads { "https://assumed.example" } else { "assumed" }).into()
}

fn summary(config: &Config) -> String {
    let endpoints: usize = config.routes.iter().map(|route| route.endpoints.len()).sum();
    format!("routes: {}, endpoints: {endpoints}", config.routes.len())
}

/// The good routes, in columns.
fn table(config: &Config) -> Vec<String> {
    let default = config.default_route().map(|route| route.name.as_str());
    let rows: Vec<[String; 4]> = config.routes.iter().map(|route| row(route, default)).collect();
    let width = |column: fn(&[String; 4]) -> &String| {
        rows.iter().map(|row| column(row).len()).max().unwrap_or_default()
    };
    let (routes, protocols, chains) = (width(|r| &r[0]), width(|r| &r[1]), width(|r| &r[2]));
    let line = |[route, protocol, chain, endpoints]: &[String; 4]| {
        format!("  {route:routes$}  {protocol:protocols$}  {chain:>chains$}  {endpoints}")
    };
    rows.iter().map(line).collect()
}

fn row(route: &Route, default: Option<&str>) -> [String; 4] {
    let also = if default == Some(route.name.as_str()) { " and /" } else { "" };
    let names: Vec<&str> = route.endpoints.iter().map(|endpoint| endpoint.name.as_str()).collect();
    let chain = route.chain_id.map(|id| id.to_string()).unwrap_or_default();
    let path = format!("/{}{also}", route.name);
    [path, route.protocol.as_str().into(), chain, names.join(", ")]
}

/// Secrets that are yet to be put.
fn needs<'a>(
    config: &'a Config,
    assumed: &'a BTreeSet<String>,
    env: Option<&str>,
) -> impl Iterator<Item = String> + 'a {
    let env = env.map(|env| format!(" --env {env}")).unwrap_or_default();
    let needed = |name: &&String| *name != "CLIENT_KEYS" || config.service.require_key;
    let line = move |name| format!("needs secret {name}: wrangler secret put {name}{env}");
    assumed.iter().filter(needed).map(line)
}

/// What works, but hardly as meant.
fn warnings<'a>(
    config: &'a Config,
    vars: &'a [(String, String)],
    bindings: &'a [Binding],
) -> impl Iterator<Item = String> + 'a {
    let of_config = config.notices.iter().map(|notice| notice.message.clone());
    let of_routes = config.routes.iter().flat_map(move |route| {
        let names = vars.iter().map(|(name, _)| name.as_str());
        let variable = names.clone().find(|name| is_of(name, route)).unwrap_or_default();
        let limit = limits::doubt(route, variable, bindings);
        doubts::of_route(config, route, variable).into_iter().chain(limit)
    });
    of_config.chain(of_routes).chain(vars.iter().flat_map(move |(name, json)| {
        let keys = literals::keys(name, json).into_iter().map(|path| {
            format!("{path}: holds what looks like a key: make it a secret and write ${{NAME}}")
        });
        of_variable(name, json, vars).into_iter().chain(keys)
    }))
}

/// Whether the variable is this route's: `ROUTE_ETHEREUM_MAIN` is `ethereum-main`.
fn is_of(variable: &str, route: &Route) -> bool {
    let name = variable.strip_prefix("ROUTE_").map(str::to_ascii_lowercase);
    name.is_some_and(|name| name.replace('_', "-") == route.name)
}

fn of_variable(name: &str, json: &str, vars: &[(String, String)]) -> Option<String> {
    if names::is_passed_over(name, json) {
        return Some(format!("{name}: is passed over; tables are SERVICE and ROUTE_<NAME>"));
    }
    if json.len() > MAX_VARIABLE {
        let size = json.len();
        return Some(format!("{name}: {size} bytes; a Worker variable holds 5 KB at most"));
    }
    let reference = format!("${{{name}}}");
    let secret = OWN_SECRETS.contains(&name) || vars.iter().any(|(_, j)| j.contains(&reference));
    secret.then(|| format!("{name}: is a secret and must not stand in [vars]"))
}
