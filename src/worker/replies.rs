//! Takes the words of error replies for the operator.

use super::clock;
use super::upstream::Arrival;
use crate::config::Route;
use crate::rpc::reply::excerpt;
use crate::state::replies::{ErrorReply, is_worth_keeping};
use crate::verdict::Verdict;

/// The reply to one operation, if it is one to look at. `member`: the operation's own `error`, where
/// the answer has one.
pub(super) fn reply(
    route: &Route,
    arrival: &Arrival,
    method: &str,
    verdict: &Verdict,
    member: Option<&str>,
) -> Option<ErrorReply> {
    let answer = arrival.outcome.as_ref().ok().filter(|_| is_worth_keeping(verdict))?;
    let hidden = route.hidden();
    let text = match member {
        Some(member) => excerpt::of_member(member, &hidden),
        None => excerpt::of_body(&answer.body, &hidden),
    };
    Some(ErrorReply {
        at_ms: clock::now(),
        method: method.to_owned(),
        class: verdict.class.label().to_owned(),
        status: arrival.status,
        text,
    })
}
