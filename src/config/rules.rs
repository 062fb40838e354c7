//! Operator rules: what to do about answers that the operator knows better.

use super::Endpoint;
use super::check::{required, within, word};
use super::json::Table;
use super::methods::check_pattern;
use super::raw;
use super::remark::{Reading, Remark, Under};
use super::template::no_secrets;

/// A rule of the operator's own; every given part must match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OperatorRule {
    /// JSON-RPC error code.
    pub code: Option<i64>,
    /// HTTP status.
    pub status: Option<u16>,
    /// Substring of the error's message, in ASCII lower case already.
    pub message: Option<String>,
    /// Method, exact or `prefix_*`.
    pub method: Option<String>,
    /// Endpoint name.
    pub endpoint: Option<String>,
    /// What to do.
    pub action: RuleAction,
}

/// What an operator rule does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuleAction {
    /// The upstream's answer is the client's.
    Return,
    /// Next endpoint.
    Failover,
    /// Next endpoint; the gap is remembered.
    FailoverNoPenalty,
    /// Next endpoint; this one rests for seconds.
    Cooldown,
    /// Next endpoint; this one rests for minutes.
    LongCooldown,
    /// Next endpoint; counts as a failure.
    Breaker,
}

pub(super) fn build(list: Vec<Table<raw::Rule>>, of: &[Endpoint]) -> Reading<Vec<OperatorRule>> {
    let one = |(at, Table(raw))| rule(raw, of).under(&format!("rules[{at}]"));
    list.into_iter().enumerate().map(one).collect()
}

fn rule(raw: raw::Rule, endpoints: &[Endpoint]) -> Reading<OperatorRule> {
    let action = required("action", raw.action.0)?;
    let rule = OperatorRule {
        code: raw.code.0,
        status: raw.status.0.map(|status| within("status", status, 100..=599)).transpose()?,
        message: raw.message.0.map(|text| message(&text)).transpose()?,
        method: raw.method.0.map(method).transpose()?,
        endpoint: raw.endpoint.0.map(|name| endpoint(name.trim(), endpoints)).transpose()?,
        action: word("action", &action, RuleAction::WORDS)?,
    };
    if rule.matches_everything() {
        return Err(Remark::at("", "needs one of code, status, message, method or endpoint"));
    }
    Ok(rule)
}

impl OperatorRule {
    fn matches_everything(&self) -> bool {
        self.code.is_none()
            && self.status.is_none()
            && self.message.is_none()
            && self.method.is_none()
            && self.endpoint.is_none()
    }
}

fn message(text: &str) -> Reading<String> {
    let at = |why| Remark::at("message", why);
    no_secrets(text).map_err(at)?;
    if text.trim().is_empty() {
        return Err(at("is blank, which every message would match"));
    }
    Ok(text.to_ascii_lowercase())
}

fn method(pattern: String) -> Reading<String> {
    check_pattern(&pattern).map_err(|why| Remark::at("method", why))?;
    Ok(pattern)
}

fn endpoint(name: &str, endpoints: &[Endpoint]) -> Reading<String> {
    let at = |why| Remark::at("endpoint", why);
    no_secrets(name).map_err(at)?;
    if !endpoints.iter().any(|endpoint| endpoint.name == name) {
        return Err(at("is not the name of an endpoint of this route"));
    }
    Ok(name.into())
}
