//! Takes the words of error replies for the operator.

use super::clock;
use super::upstream::Arrival;
use crate::config::Route;
use crate::rpc::reply::excerpt;
use crate::state::replies::{ErrorReply, is_worth_keeping};
use crate::verdict::Verdict;

/// The reply to one operation as JSON, if it is one to look at. `member`: the operation's own `error`, where
/// the answer has one.
pub(super) fn reply(
    route: &Route,
    arrival: &Arrival,
    method: &str,
    verdict: &Verdict,
    member: Option<&str>,
) -> Option<String> {
    let answer = arrival.outcome.as_ref().ok().filter(|_| is_worth_keeping(verdict))?;
    let hidden = route.hidden();
    let text = match member {
        Some(member) => excerpt::of_member(member, &hidden),
        None => excerpt::of_body(&answer.body, &hidden),
    };
    let (class, text) = (verdict.class.label(), text.as_deref());
    let reply = ErrorReply { at_ms: clock::now(), method, class, status: arrival.status, text };
    Some(reply.json())
}
