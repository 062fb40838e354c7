//! The operator's say, on top of the built-in verdict: `rules`, then `rpc_errors`.
//!
//! Neither can make an operation that must not be repeated go anywhere else, nor make a revert
//! count against an endpoint: a rule never sees a revert's text.

use super::facts::{Facts, Form};
use super::{Class, LastWord, Next, Policy, Signal, Verdict};
use crate::config::{OperatorRule, RpcErrors, RuleAction};
use crate::method::Effect;
use crate::rpc::reply::ErrorObject;

/// Applies the first operator rule that matches, else `rpc_errors`.
pub(super) fn apply(
    verdict: Verdict,
    error: Option<&ErrorObject<'_>>,
    facts: &Facts<'_>,
    policy: &Policy<'_>,
) -> Verdict {
    match first(policy, error, facts, &verdict) {
        Some(rule) => obey(rule.action, verdict, facts),
        None => by_rpc_errors(policy.rpc_errors, verdict, facts),
    }
}

/// The first rule that speaks for this answer. A good answer is nobody's to refuse.
fn first<'p>(
    policy: &Policy<'p>,
    error: Option<&ErrorObject<'_>>,
    facts: &Facts<'_>,
    verdict: &Verdict,
) -> Option<&'p OperatorRule> {
    if policy.rules.is_empty() || verdict.class == Class::Ok {
        return None;
    }
    let message = error.and_then(|error| error.message.as_deref()).map(str::to_ascii_lowercase);
    let message = message.as_deref().unwrap_or(&facts.text);
    let blind = verdict.class == Class::Revert;
    policy.rules.iter().find(|rule| {
        rule.code.is_none_or(|code| facts.code == Some(code))
            && rule.status.is_none_or(|status| facts.status == status)
            && rule.message.as_deref().is_none_or(|part| !blind && message.contains(part))
            && rule.method.as_deref().is_none_or(|pattern| covers(pattern, facts.asked.method))
            && rule.endpoint.as_deref().is_none_or(|name| name == policy.endpoint)
    })
}

fn covers(pattern: &str, method: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(prefix) => method.starts_with(prefix),
        None => pattern == method,
    }
}

/// Carries a rule's action out.
fn obey(action: RuleAction, verdict: Verdict, facts: &Facts<'_>) -> Verdict {
    let signal = match (action, verdict.signal) {
        _ if verdict.class == Class::Revert => Signal::Neutral,
        (RuleAction::Return | RuleAction::Failover, _) => Signal::Neutral,
        (RuleAction::FailoverNoPenalty, Signal::Gap(gap)) => Signal::Gap(gap),
        (RuleAction::FailoverNoPenalty, _) => Signal::Gap(super::Gap::Method),
        (RuleAction::Cooldown, _) => Signal::Throttled { retry_after_ms: None },
        (RuleAction::LongCooldown, _) => Signal::Account { retry_after_ms: None },
        (RuleAction::Breaker, _) => Signal::Failure,
    };
    let last_word = match action {
        RuleAction::Cooldown => LastWord::RateLimited,
        RuleAction::LongCooldown => LastWord::Unavailable,
        RuleAction::Return
        | RuleAction::Failover
        | RuleAction::FailoverNoPenalty
        | RuleAction::Breaker => verdict.last_word,
    };
    let next = match action {
        RuleAction::Return => hand_back(&verdict, facts),
        RuleAction::Failover
        | RuleAction::FailoverNoPenalty
        | RuleAction::Cooldown
        | RuleAction::LongCooldown
        | RuleAction::Breaker => go_on(&verdict, facts.effect),
    };
    Verdict { next, signal, last_word, rule: "operator", ..verdict }
}

/// The answer as it is, if there is one to hand back.
fn hand_back(verdict: &Verdict, facts: &Facts<'_>) -> Next {
    match (facts.form, facts.effect, verdict.next) {
        (_, _, Next::Return) | (_, Effect::Once, Next::Resend | Next::Unknown) => verdict.next,
        (Form::Error | Form::Result, ..) => Next::Return,
        _ => Next::Stop,
    }
}

fn go_on(verdict: &Verdict, effect: Effect) -> Next {
    match (effect, verdict.next) {
        (Effect::Read, _) | (Effect::Send, Next::Advance) => Next::Advance,
        (Effect::Send, _) => Next::Resend,
        (Effect::Once, next) => next,
    }
}

fn by_rpc_errors(setting: RpcErrors, verdict: Verdict, facts: &Facts<'_>) -> Verdict {
    if facts.form != Form::Error || facts.effect == Effect::Once {
        return verdict;
    }
    match (setting, verdict.next) {
        (RpcErrors::Never, Next::Advance | Next::AdvanceIfBehind | Next::Resend)
            if !is_fault(facts.status) =>
        {
            Verdict { next: Next::Return, ..verdict }
        }
        (RpcErrors::Lenient, Next::Return) if !is_final(verdict.class) => {
            Verdict { next: go_on(&verdict, facts.effect), signal: Signal::Neutral, ..verdict }
        }
        (RpcErrors::Never | RpcErrors::Declined | RpcErrors::Lenient, _) => verdict,
    }
}

/// A status that is a refusal by itself, whatever the body says.
fn is_fault(status: u16) -> bool {
    matches!(status, 300..=399 | 401..=404 | 407 | 408 | 410 | 421 | 425 | 429 | 451 | 500..)
}

/// Reverts and verdicts on transactions.
fn is_final(class: Class) -> bool {
    matches!(
        class,
        Class::Revert
            | Class::Nonce
            | Class::AlreadyKnown
            | Class::InsufficientFunds
            | Class::Underpriced
            | Class::TxInvalid
    )
}
