//! From an outcome to a verdict: read the form, find the row, then narrow it by what is known.

use super::facts::{Facts, Form};
use super::standing::{Standing, standing};
use super::{
    Class, Context, Failure, Gap, LastWord, Next, Outcome, Part, Policy, Reply, Signal, Verdict,
    policy, result, retry_after, rules, x402,
};
use crate::config::Protocol;
use crate::method::{Effect, Operation};
use crate::rpc::reply::{Answer, Body, ErrorObject, Item, Said, ids_match};

/// What the outcome of one attempt at a single request means.
///
/// Reads the body itself. A caller that needs the parsed answer too reads it first and calls
/// [`judge_part`] with [`Part::Whole`].
pub fn judge(
    operation: &Operation<'_>,
    outcome: &Outcome<'_>,
    context: &Context<'_>,
    policy: &Policy<'_>,
) -> Verdict {
    match (outcome, operation.protocol) {
        (Outcome::Failed(failure), _) => failed(operation, *failure),
        (Outcome::Replied(reply), Protocol::X402) => x402::judge(operation, reply, context, policy),
        (Outcome::Replied(reply), Protocol::Evm) => {
            let body = Body::read(reply.body);
            judge_part(operation, reply, Part::Whole(&body), context, policy)
        }
    }
}

/// What one part of a JSON-RPC answer means for the operation it concerns. Each item of a batch is
/// judged so, by its own method and with its own context; status and headers are the whole answer's.
pub fn judge_part(
    operation: &Operation<'_>,
    reply: &Reply<'_>,
    part: Part<'_, '_>,
    context: &Context<'_>,
    policy: &Policy<'_>,
) -> Verdict {
    let found = Found::read(part, context);
    let facts = found.facts(operation, reply, matches!(part, Part::Batch(_)));
    let verdict = match found {
        Found::Result(result) if !(300..=399).contains(&reply.status) => {
            result::weigh(operation, result, reply.status, context)
        }
        Found::Error { wrong_id: true, .. } => mixed_up(operation, by_row(&facts)),
        Found::Result(_) | Found::Error { .. } | Found::Nothing(_) => by_row(&facts),
    };
    let verdict = by_filter(by_status(verdict, reply.status), reply.status, context);
    let verdict = by_heads(verdict, context);
    let verdict = policy::apply(verdict, found.error(), &facts, policy);
    narrow(verdict, &facts, context).resting(reply, context)
}

/// What a part turned out to be.
enum Found<'b, 'a> {
    Result(&'a str),
    Error { error: &'b ErrorObject<'a>, wrong_id: bool },
    Nothing(Form),
}

impl<'b, 'a> Found<'b, 'a> {
    fn read(part: Part<'b, 'a>, context: &Context<'_>) -> Self {
        match part {
            Part::Whole(Body::One(answer)) => Self::answer(answer, context.id),
            Part::Batch(Body::One(answer)) => Self::for_batch(answer, context.id),
            Part::Item(Item::Answer(answer)) => Self::answer(answer, None),
            Part::Item(Item::Null | Item::Foreign) => Self::Nothing(Form::NullItem),
            Part::Whole(Body::Many(_)) => Self::Nothing(Form::Broken),
            Part::Batch(Body::Many(_)) | Part::Missing => Self::Nothing(Form::Missing),
            Part::Whole(body) | Part::Batch(body) => Self::Nothing(bare(body)),
        }
    }

    fn answer(answer: &'b Answer<'a>, asked: Option<&str>) -> Self {
        let wrong_id = is_wrong(answer, asked);
        match &answer.said {
            Said::Error(error) => Self::Error { error, wrong_id },
            Said::Result(_) if wrong_id => Self::Nothing(Form::WrongId),
            Said::Result(result) => Self::Result(result.get()),
            Said::Malformed => Self::Nothing(Form::Broken),
        }
    }

    /// One error speaks for all items; one result only for the item whose id it carries.
    fn for_batch(answer: &'b Answer<'a>, asked: Option<&str>) -> Self {
        match &answer.said {
            Said::Error(error) => Self::Error { error, wrong_id: false },
            Said::Result(_) | Said::Malformed
                if asked.is_none() || answer.id.is_none() || is_wrong(answer, asked) =>
            {
                Self::Nothing(Form::Lone)
            }
            Said::Result(_) | Said::Malformed => Self::answer(answer, None),
        }
    }

    fn error(&self) -> Option<&'b ErrorObject<'a>> {
        match self {
            Self::Error { error, .. } => Some(error),
            Self::Result(_) | Self::Nothing(_) => None,
        }
    }

    fn facts<'f>(&self, operation: &Operation<'f>, reply: &Reply<'_>, batch: bool) -> Facts<'f> {
        let form = match self {
            Self::Result(_) => Form::Result,
            Self::Error { .. } => Form::Error,
            Self::Nothing(form) => *form,
        };
        let facts = Facts::new(operation, form).for_batch(batch).with_reply(reply);
        match self {
            Self::Error { error, .. } => facts.with_error(error),
            Self::Nothing(Form::Text | Form::Foreign | Form::Html) => facts.with_words(reply.body),
            Self::Nothing(_) | Self::Result(_) => facts,
        }
    }
}

fn bare(body: &Body<'_>) -> Form {
    match body {
        Body::Empty => Form::Empty,
        Body::Html => Form::Html,
        Body::Cut => Form::Cut,
        Body::Text => Form::Text,
        Body::Foreign | Body::One(_) | Body::Many(_) => Form::Foreign,
    }
}

/// A missing or `null` id is taken for the one asked: on its own HTTP exchange the match is implied.
fn is_wrong(answer: &Answer<'_>, asked: Option<&str>) -> bool {
    asked.zip(answer.id).is_some_and(|(asked, id)| !ids_match(asked, id.get()))
}

fn failed(operation: &Operation<'_>, failure: Failure) -> Verdict {
    let facts = Facts::new(operation, Form::Failed(failure));
    narrow(by_row(&facts), &facts, &Context::default())
}

fn by_row(facts: &Facts<'_>) -> Verdict {
    let rule = rules::find(facts);
    let course = match facts.effect {
        Effect::Read => rule.means.read,
        Effect::Send | Effect::Once => rule.means.send,
    };
    course.verdict(rule.id, rule.means.class, rule.means.last_word)
}

/// An error with another request's id: gateways that refuse before they parse do that, so a
/// refusal stands; an answer does not.
fn mixed_up(operation: &Operation<'_>, verdict: Verdict) -> Verdict {
    match verdict.next {
        Next::Return | Next::Accepted | Next::CheckHash => {
            by_row(&Facts::new(operation, Form::WrongId))
        }
        Next::Advance | Next::AdvanceIfBehind | Next::Resend | Next::Unknown | Next::Stop => {
            verdict
        }
    }
}

/// Statuses that the caller's own body can bring about never make a failure.
fn by_status(verdict: Verdict, status: u16) -> Verdict {
    let own_body = matches!(status, 400 | 413 | 414 | 422 | 431);
    match verdict.signal {
        Signal::Failure if own_body => Verdict { signal: Signal::Neutral, ..verdict },
        Signal::Success
        | Signal::Neutral
        | Signal::Failure
        | Signal::Throttled { .. }
        | Signal::Account { .. }
        | Signal::Gap(_)
        | Signal::WrongChain => verdict,
    }
}

/// Whoever writes what a firewall takes for an attack is refused at the door of any endpoint: that is
/// no word about the account. A plain request will be refused as well where it is.
fn by_filter(verdict: Verdict, status: u16, context: &Context<'_>) -> Verdict {
    let refused = context.odd && matches!(status, 403 | 406);
    match verdict.signal {
        Signal::Account { .. } | Signal::Failure if refused => {
            Verdict { signal: Signal::Neutral, ..verdict }
        }
        Signal::Success
        | Signal::Neutral
        | Signal::Failure
        | Signal::Throttled { .. }
        | Signal::Account { .. }
        | Signal::Gap(_)
        | Signal::WrongChain => verdict,
    }
}

/// What heads say about a block that is said to be missing.
fn by_heads(verdict: Verdict, context: &Context<'_>) -> Verdict {
    if verdict.next != Next::AdvanceIfBehind || verdict.class != Class::Behind {
        return verdict;
    }
    match standing(context) {
        // Known heads are some seconds old: whoever asks for a later block may know of it. And who has
        // all blocks that are known and lacks the latest is not to be believed alone.
        Standing::Behind | Standing::Unknown | Standing::Future | Standing::Reached => verdict,
        Standing::Denies { old: false } => Verdict { next: Next::Advance, ..verdict },
        Standing::Denies { old: true } => Verdict {
            next: Next::Advance,
            signal: Signal::Gap(Gap::History),
            class: Class::Pruned,
            ..verdict
        },
    }
}

/// Holds a verdict within what the body allows and what the operation tolerates.
fn narrow(verdict: Verdict, facts: &Facts<'_>, context: &Context<'_>) -> Verdict {
    let has_body = matches!(facts.form, Form::Error | Form::Result);
    let verdict = match verdict.last_word {
        LastWord::PassOn if !has_body => Verdict { last_word: LastWord::Unavailable, ..verdict },
        LastWord::PassOn
        | LastWord::NotYet
        | LastWord::RateLimited
        | LastWord::Unavailable
        | LastWord::Unknown => verdict,
    };
    match facts.effect {
        Effect::Read => verdict,
        Effect::Send => send(verdict, facts, context),
        Effect::Once => once(verdict, facts),
    }
}

/// After an attempt that may have been carried out, no refusal is reported before the hash was
/// looked up: the first attempt may be the reason for it. That it is there is no refusal.
fn send(verdict: Verdict, facts: &Facts<'_>, context: &Context<'_>) -> Verdict {
    let refused = facts.form == Form::Error && verdict.class != Class::AlreadyKnown;
    match verdict.next {
        Next::Return if context.earlier_ambiguous && refused => {
            Verdict { next: Next::CheckHash, ..verdict }
        }
        Next::Resend if verdict.last_word != LastWord::PassOn => {
            Verdict { last_word: LastWord::Unknown, ..verdict }
        }
        Next::Return
        | Next::Advance
        | Next::AdvanceIfBehind
        | Next::Resend
        | Next::Accepted
        | Next::CheckHash
        | Next::Unknown
        | Next::Stop => verdict,
    }
}

/// What must not be repeated goes nowhere else, unless it provably never reached the endpoint.
fn once(verdict: Verdict, facts: &Facts<'_>) -> Verdict {
    let unknown = Verdict { next: Next::Unknown, last_word: LastWord::Unknown, ..verdict };
    let refused = facts.form == Form::Error || (400..=499).contains(&facts.status);
    match verdict.next {
        Next::Stop if verdict.class == Class::ClientGone => unknown,
        Next::Return | Next::Stop | Next::Unknown => verdict,
        Next::Accepted | Next::CheckHash => Verdict { next: Next::Return, ..verdict },
        Next::Resend => unknown,
        Next::Advance if never_arrived(facts) => verdict,
        Next::Advance | Next::AdvanceIfBehind => match verdict.last_word {
            _ if !refused => unknown,
            LastWord::PassOn | LastWord::NotYet => Verdict { next: Next::Return, ..verdict },
            LastWord::RateLimited | LastWord::Unavailable | LastWord::Unknown => {
                Verdict { next: Next::Stop, ..verdict }
            }
        },
    }
}

fn never_arrived(facts: &Facts<'_>) -> bool {
    matches!(facts.form, Form::Failed(failure) if failure.never_arrived())
}

impl Verdict {
    /// With the rest that the answer asked for.
    pub(super) fn resting(self, reply: &Reply<'_>, context: &Context<'_>) -> Self {
        let asked = || reply.retry_after.and_then(|value| retry_after::parse(value, context.now));
        let signal = match self.signal {
            Signal::Throttled { .. } => Signal::Throttled { retry_after_ms: asked() },
            Signal::Account { .. } => Signal::Account { retry_after_ms: asked() },
            Signal::Success
            | Signal::Neutral
            | Signal::Failure
            | Signal::Gap(_)
            | Signal::WrongChain => self.signal,
        };
        Self { signal, ..self }
    }
}
