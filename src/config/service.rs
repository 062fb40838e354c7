//! The `SERVICE` table.

use super::table::{Table, shown};
use super::template::{Secrets, bound, no_secrets};
use super::{OriginRule, origin, url};

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
    /// What the operator shows at `/admin` (secret `ADMIN_TOKEN`). `None`: there is no `/admin`.
    /// Never shown.
    pub admin_token: Option<String>,
    /// Where alerts are posted (secret `ALERT_WEBHOOK`). Never shown.
    pub alert_webhook: Option<String>,
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
            admin_token: None,
            alert_webhook: None,
            state: StateScope::Region,
        }
    }
}

/// Reads the table; `declared` are the public names of all routes, bad ones too.
pub(super) fn build(
    mut table: Table,
    declared: &[String],
    secrets: Secrets<'_>,
) -> Result<Service, String> {
    let service = Service {
        default_route: default_route(&mut table, declared),
        allowed_origins: origin::build(&mut table),
        require_key: table.flag("require_key").unwrap_or(false),
        client_keys: client_keys(secrets),
        admin_token: bound("ADMIN_TOKEN", secrets),
        alert_webhook: alert_webhook(secrets).unwrap_or_default(),
        state: table.word("state", StateScope::WORDS).unwrap_or(StateScope::Region),
    };
    if service.require_key && service.client_keys.is_empty() {
        table.fail("require_key", "is true, but the secret CLIENT_KEYS is not bound");
    }
    table.finish()?;
    Ok(service)
}

/// The webhook's URL; the error says what is wrong with it. A bad one stops nothing.
pub(super) fn alert_webhook(secrets: Secrets<'_>) -> Result<Option<String>, &'static str> {
    let Some(webhook) = bound("ALERT_WEBHOOK", secrets) else {
        return Ok(None);
    };
    url::check(&webhook).map(|_| Some(webhook))
}

fn client_keys(secrets: Secrets<'_>) -> Vec<String> {
    let list = bound("CLIENT_KEYS", secrets).unwrap_or_default();
    list.split(',').map(str::trim).filter(|key| !key.is_empty()).map(str::to_owned).collect()
}

/// The route that `/` serves. Only a single route needs no naming.
fn default_route(table: &mut Table, declared: &[String]) -> Option<String> {
    const KEY: &str = "default_route";
    let Some(text) = table.text(KEY) else {
        if declared.len() > 1 {
            table.fail(KEY, &format!("is needed with several routes: {}", list(declared)));
        }
        return declared.first().cloned();
    };
    let name = text.trim();
    table.judge(KEY, no_secrets(name));
    if !declared.iter().any(|route| route == name) {
        table.fail(KEY, &format!("is not the name of a route; there is {}", list(declared)));
    }
    Some(name.into())
}

fn list(names: &[String]) -> String {
    let names: Vec<&str> = names.iter().map(|name| shown(name)).collect();
    names.join(", ")
}
