//! Operator rules: what to do about answers that the operator knows better.

use super::Endpoint;
use super::methods::check_pattern;
use super::table::Table;
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

/// Reads one entry of `rules`; `endpoints` are those of the route.
pub(super) fn build(mut table: Table, endpoints: &[Endpoint]) -> Result<OperatorRule, String> {
    let rule = OperatorRule {
        code: table.whole("code", i32::MIN.into()..=i32::MAX.into()),
        status: table.count("status", 100..=599).and_then(|status| status.try_into().ok()),
        message: message(&mut table),
        method: method(&mut table),
        endpoint: endpoint(&mut table, endpoints),
        action: action(&mut table),
    };
    if rule.matches_everything() {
        table.fail("", "needs one of code, status, message, method or endpoint");
    }
    table.finish()?;
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

fn message(table: &mut Table) -> Option<String> {
    let text = table.text("message")?;
    table.judge("message", no_secrets(&text));
    if text.trim().is_empty() {
        table.fail("message", "is blank, which every message would match");
    }
    Some(text.to_ascii_lowercase())
}

fn method(table: &mut Table) -> Option<String> {
    let pattern = table.text("method")?;
    table.judge("method", check_pattern(&pattern));
    Some(pattern)
}

fn endpoint(table: &mut Table, endpoints: &[Endpoint]) -> Option<String> {
    let text = table.text("endpoint")?;
    let name = text.trim();
    table.judge("endpoint", no_secrets(name));
    if !endpoints.iter().any(|endpoint| endpoint.name == name) {
        table.fail("endpoint", "is not the name of an endpoint of this route");
    }
    Some(name.into())
}

/// An action that is missing or wrong is taken down, so what stands in for it is never used.
fn action(table: &mut Table) -> RuleAction {
    let action = table.word("action", RuleAction::WORDS);
    action.unwrap_or_else(|| {
        table.fail("action", "is missing");
        RuleAction::Return
    })
}
