//! The `SERVICE` table.

use super::check::word;
use super::remark::{Reading, Remark, shown};
use super::template::{Secrets, bound, no_secrets};
use super::{OriginRule, origin, raw};

/// The `SERVICE` table.
#[derive(Clone, PartialEq)]
pub struct Service {
    /// Public name of the route that `/` serves. Default: the only route, if there is one only.
    pub default_route: Option<String>,
    /// Which browser origins may call. Default `["*"]`.
    pub allowed_origins: Vec<OriginRule>,
    /// Whether a client key is needed. Default false.
    pub require_key: bool,
    /// Accepted client keys (secret `CLIENT_KEYS`, comma separated). Never shown.
    pub client_keys: Vec<String>,
    /// Who owns the breakers. Default `region`.
    pub state: StateScope,
}

impl std::fmt::Debug for Service {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Service")
            .field("default_route", &self.default_route)
            .field("allowed_origins", &self.allowed_origins)
            .field("require_key", &self.require_key)
            .field("state", &self.state)
            .finish_non_exhaustive()
    }
}

/// Who owns the breakers of a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StateScope {
    /// One Durable Object per route and region of the caller.
    Region,
    /// One Durable Object per route for the whole planet.
    Global,
    /// None for evm routes: each isolate knows only what it saw itself.
    Isolate,
}

impl Default for Service {
    fn default() -> Self {
        Self {
            default_route: None,
            allowed_origins: vec![OriginRule::Any],
            require_key: false,
            client_keys: Vec::new(),
            state: StateScope::Region,
        }
    }
}

/// Reads `raw`; `declared` are the public names of all routes, bad ones too.
pub(super) fn build(
    raw: &raw::Service,
    declared: &[String],
    secrets: Secrets<'_>,
) -> Reading<Service> {
    let client_keys = client_keys(secrets);
    if raw.require_key && client_keys.is_empty() {
        return Err(Remark::at("require_key", "is true, but the secret CLIENT_KEYS is not bound"));
    }
    Ok(Service {
        default_route: default_route(raw.default_route.0.as_deref(), declared)?,
        allowed_origins: origin::build(&raw.allowed_origins)?,
        require_key: raw.require_key,
        client_keys,
        state: word("state", &raw.state, StateScope::WORDS)?,
    })
}

fn client_keys(secrets: Secrets<'_>) -> Vec<String> {
    let list = bound("CLIENT_KEYS", secrets).unwrap_or_default();
    list.split(',').map(str::trim).filter(|key| !key.is_empty()).map(str::to_owned).collect()
}

fn default_route(given: Option<&str>, declared: &[String]) -> Reading<Option<String>> {
    let at = |why: String| Remark::at("default_route", why);
    match (given.map(str::trim), declared) {
        (Some(name), _) if declared.iter().any(|route| route == name) => Ok(Some(name.into())),
        (Some(name), _) => {
            no_secrets(name).map_err(|why| at(why.into()))?;
            Err(at(format!("is not the name of a route; there is {}", list(declared))))
        }
        (None, [only]) => Ok(Some(only.clone())),
        (None, []) => Ok(None),
        (None, _) => Err(at(format!("is needed with several routes: {}", list(declared)))),
    }
}

fn list(names: &[String]) -> String {
    let names: Vec<&str> = names.iter().map(|name| shown(name)).collect();
    names.join(", ")
}
