//! Which browser origins may call.

use super::table::Table;
use super::template::no_secrets;
use super::url;

/// Schemes of browser extensions' origins.
const EXTENSIONS: [&str; 3] =
    ["chrome-extension://", "moz-extension://", "safari-web-extension://"];

/// One entry of `allowed_origins`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OriginRule {
    /// `"*"`: everybody.
    Any,
    /// `"extensions"`: every browser extension's origin (`chrome-extension://…` and its kin).
    Extensions,
    /// An exact origin in lower case, without a default port: `https://app.example.org`.
    Exact(String),
    /// `"https://*.example.org"`: scheme (with `://`) and the suffix that follows the star
    /// (`.example.org`, with its port if it has one), both in lower case.
    Wildcard {
        /// The text before the star, `https://`.
        prefix: String,
        /// The text after the star, `.example.org`.
        suffix: String,
    },
}

impl OriginRule {
    /// Whether the rule covers an `Origin` header's value. A star stands for one or more whole
    /// labels of the host, never for none, and never reaches into scheme or port.
    pub fn allows(&self, origin: &str) -> bool {
        match self {
            Self::Any => true,
            Self::Extensions => is_extension(&origin.to_ascii_lowercase()),
            Self::Exact(exact) => exact.eq_ignore_ascii_case(origin),
            Self::Wildcard { prefix, suffix } => {
                let origin = origin.to_ascii_lowercase();
                let labels = origin.strip_prefix(prefix).and_then(|o| o.strip_suffix(suffix));
                labels.is_some_and(|labels| !labels.ends_with('.') && url::is_name(labels))
            }
        }
    }

    fn read(text: &str) -> Result<Self, &'static str> {
        let text = text.trim().to_ascii_lowercase();
        no_secrets(&text)?;
        match text.as_str() {
            "*" => Ok(Self::Any),
            "extensions" => Ok(Self::Extensions),
            _ if is_extension(&text) => Ok(Self::Exact(text)),
            _ => web(&text),
        }
    }
}

/// Reads `allowed_origins`; everybody when left out.
pub(super) fn build(service: &mut Table) -> Vec<OriginRule> {
    const KEY: &str = "allowed_origins";
    if service.value(KEY).is_none() {
        return vec![OriginRule::Any];
    }
    let mut rules = Vec::new();
    for (at, text) in service.texts(KEY).iter().enumerate() {
        match OriginRule::read(text) {
            Ok(rule) => rules.push(rule),
            Err(why) => service.fail(&format!("{KEY}[{at}]"), why),
        }
    }
    rules
}

fn is_extension(origin: &str) -> bool {
    let id = EXTENSIONS.iter().find_map(|scheme| origin.strip_prefix(scheme));
    id.is_some_and(|id| !id.is_empty() && id.chars().all(|c| c.is_ascii_alphanumeric() || c == '-'))
}

/// `https://app.example.org`, `http://localhost:5173`, `https://*.example.org`; in lower case.
fn web(text: &str) -> Result<OriginRule, &'static str> {
    const FORM: &str = "must be \"*\", \"extensions\", an origin (https://app.example.org, no path) \
                        or https://*.example.org";
    let (scheme, rest) = text.split_once("://").ok_or(FORM)?;
    let default_port = match scheme {
        "https" => ":443",
        "http" => ":80",
        _ => return Err(FORM),
    };
    let rest = rest.strip_suffix(default_port).unwrap_or(rest);
    let (star, host) = match rest.strip_prefix("*.") {
        Some(host) => (true, host),
        None => (false, rest),
    };
    if url::host(host).is_err() {
        return Err(FORM);
    }
    if star {
        return Ok(OriginRule::Wildcard {
            prefix: format!("{scheme}://"),
            suffix: format!(".{host}"),
        });
    }
    Ok(OriginRule::Exact(format!("{scheme}://{host}")))
}
