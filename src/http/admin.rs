//! The operator's door: who may enter, and what a path under `/admin` asks for. Without the secret
//! `ADMIN_TOKEN` there is no such door.

use alloy_primitives::keccak256;

use super::access::bearer;
use crate::config::{Config, Endpoint, Route, Service};
use crate::json::{self, Maybe};
use crate::state::orders::Action;

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Wanted<'a> {
    /// The status with what only the operator may see.
    Show(&'a Route),
    /// A change.
    Change {
        /// Whose.
        route: &'a Route,
        /// Of which endpoint; `None`: of all.
        endpoint: Option<&'a Endpoint>,
        /// Which.
        action: Action,
    },
}

/// Why nothing was done, or not everywhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// No token, or a wrong one.
    Token,
    /// No such thing.
    Unknown(&'static str),
    /// The path exists, this HTTP method does not.
    Method(&'static str),
    /// The order itself is wrong.
    Order(String),
    /// Nothing is shared that could be changed.
    Alone,
    /// These regions did not take it.
    Missing(Vec<&'static str>),
}

/// Whether the request shows the token. Digests are compared, so that the time taken tells nothing
/// about it, not even its length.
pub fn authorized(service: &Service, authorization: Option<&str>) -> bool {
    let Some(token) = &service.admin_token else {
        return false;
    };
    let shown = authorization.and_then(bearer).unwrap_or_default();
    let (token, shown) = (keccak256(token), keccak256(shown));
    token.iter().zip(shown.iter()).fold(0, |diff, (a, b)| diff | (a ^ b)) == 0
}

/// Reads method and path, the part behind `/admin`.
pub fn find<'a>(
    config: &'a Config,
    method: &str,
    segments: &[&'a str],
) -> Result<Wanted<'a>, Refusal> {
    let ["routes", name, rest @ ..] = segments else {
        return Err(Refusal::Unknown("path"));
    };
    let route = config.route(name).ok_or(Refusal::Unknown("route"))?;
    match rest {
        [] if method == "GET" || method == "HEAD" => Ok(Wanted::Show(route)),
        [] => Err(Refusal::Method("GET, HEAD")),
        ["reset"] => post(method, Wanted::Change { route, endpoint: None, action: Action::Reset }),
        ["endpoints", name, action] => {
            let endpoint = route.endpoints.iter().find(|endpoint| endpoint.name == **name);
            let endpoint = Some(endpoint.ok_or(Refusal::Unknown("endpoint"))?);
            let action = Action::named(action).ok_or(Refusal::Unknown("action"))?;
            post(method, Wanted::Change { route, endpoint, action })
        }
        _ => Err(Refusal::Unknown("path")),
    }
}

fn post<'a>(method: &str, wanted: Wanted<'a>) -> Result<Wanted<'a>, Refusal> {
    if method == "POST" { Ok(wanted) } else { Err(Refusal::Method("POST")) }
}

impl Refusal {
    /// HTTP status.
    pub fn status(&self) -> u16 {
        match self {
            Self::Order(_) => 400,
            Self::Token => 401,
            Self::Unknown(_) => 404,
            Self::Method(_) => 405,
            Self::Alone => 409,
            Self::Missing(_) => 503,
        }
    }

    /// JSON: a sentence, and the regions it is about.
    pub fn body(&self) -> String {
        let (error, regions): (_, &[_]) = match self {
            Self::Token => ("needs Authorization: Bearer <ADMIN_TOKEN>".to_owned(), &[]),
            Self::Unknown(what) => (format!("no such {what}: nothing was changed"), &[]),
            Self::Method(allowed) => (format!("this path takes {allowed}"), &[]),
            Self::Order(sentence) => (sentence.clone(), &[]),
            Self::Alone => (
                "SERVICE.state is \"isolate\": no object keeps what could be changed".to_owned(),
                &[],
            ),
            Self::Missing(regions) => {
                ("these regions did not take it: repeat the request".to_owned(), regions)
            }
        };
        let regions = Maybe((!regions.is_empty()).then_some(regions));
        json::object(&[("error", &error), ("regions", &regions)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::parse;

    fn config() -> Config {
        let json = r#"{"protocol":"evm","chain_id":1,"endpoints":[{"name":"alpha","url":"https://a.example.org"}]}"#;
        parse(&[("ROUTE_MAIN".to_owned(), json.to_owned())], &|_| None)
    }

    fn found(config: &Config, method: &str, path: &str) -> String {
        let segments: Vec<_> = path.split('/').collect();
        match find(config, method, &segments) {
            Ok(Wanted::Show(route)) => format!("show {}", route.name),
            Ok(Wanted::Change { endpoint, action, .. }) => {
                format!("{} {}", action.label(), endpoint.map_or("all", |endpoint| &endpoint.name))
            }
            Err(refusal) => format!("{} {}", refusal.status(), refusal.body()),
        }
    }

    #[test]
    fn paths_lead_to_orders() {
        let config = config();
        assert_eq!(found(&config, "GET", "routes/main"), "show main");
        assert_eq!(found(&config, "POST", "routes/main/reset"), "reset all");
        for (_, action) in Action::WORDS {
            let path = format!("routes/main/endpoints/alpha/{}", action.label());
            assert_eq!(found(&config, "POST", &path), format!("{} alpha", action.label()));
            assert!(found(&config, "GET", &path).starts_with("405 "));
            assert!(found(&config, "DELETE", &path).starts_with("405 "));
        }
        assert!(found(&config, "POST", "routes/main").starts_with("405 "));
        for (path, what) in [
            ("", "path"),
            ("routes", "path"),
            ("routes/other", "route"),
            ("routes/1", "route"),
            ("routes/main/open", "path"),
            ("routes/main/endpoints/alpha", "path"),
            ("routes/main/endpoints/beta/open", "endpoint"),
            ("routes/main/endpoints/alpha/explode", "action"),
            ("routes/main/endpoints/alpha/open/x", "path"),
        ] {
            let body = format!(r#"404 {{"error":"no such {what}: nothing was changed"}}"#);
            assert_eq!(found(&config, "POST", path), body, "{path}");
        }
    }

    #[test]
    fn only_the_token_opens() {
        let with = |token: Option<&str>| Service {
            admin_token: token.map(str::to_owned),
            ..Service::default()
        };
        let service = with(Some("t0ken"));
        assert!(authorized(&service, Some("Bearer t0ken")));
        assert!(authorized(&service, Some("bearer  t0ken ")));
        for wrong in ["Bearer t0keN", "Bearer t0ke", "Bearer ", "t0ken", "Basic t0ken", ""] {
            assert!(!authorized(&service, Some(wrong)), "{wrong}");
        }
        assert!(!authorized(&service, None));
        assert!(!authorized(&with(None), Some("Bearer ")) && !authorized(&with(None), None));
    }

    #[test]
    fn missing_regions_are_named() {
        let refusal = Refusal::Missing(vec!["sam", "oc"]);
        assert_eq!(
            refusal.body(),
            r#"{"error":"these regions did not take it: repeat the request","regions":["sam","oc"]}"#
        );
    }
}
