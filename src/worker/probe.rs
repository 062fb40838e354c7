//! Makes a probe of the region's object: its questions one after the other. Facts and verdicts; what
//! they mean for the endpoint is the region's to say.

use std::rc::Rc;

use wasm_bindgen::JsValue;

use super::upstream::{self, Arrival, Extent, Sent};
use super::{clock, judge, replies, x402};
use crate::config::{Endpoint, Route};
use crate::method::{Effect, Operation};
use crate::rpc::reply::{Body, Said};
use crate::state::orders::Drill;
use crate::state::region::{Answered, PROBE_TIMEOUT_MS, Probe, Probed, Question};
use crate::verdict::{self, Context, Outcome, Verdict};

/// What came of a probe.
pub(super) struct Made {
    pub(super) probed: Probed,
    /// Error replies, for the operator.
    pub(super) replies: Vec<String>,
}

/// Asks until an answer ends it. A drill is for the object's questions as for anybody's.
pub(super) async fn make(route: Rc<Route>, probe: Probe, drill: Option<Drill>) -> Made {
    let (mut answers, mut replies) = (Vec::new(), Vec::new());
    if let Some(endpoint) = route.endpoints.get(probe.endpoint) {
        for question in &probe.questions {
            let (answered, reply) = ask(&route, endpoint, *question, drill).await;
            answers.push(answered);
            replies.extend(reply);
            if answered.ends() {
                break;
            }
        }
    }
    Made { probed: Probed { probe, answers }, replies }
}

async fn ask(
    route: &Route,
    endpoint: &Endpoint,
    question: Question,
    drill: Option<Drill>,
) -> (Answered, Option<String>) {
    if question == Question::Supported {
        let (arrival, verdict) = x402::probe::ask(route, endpoint, PROBE_TIMEOUT_MS, drill).await;
        let (status, ms) = (arrival.status, arrival.ms);
        let reply = replies::reply(route, &arrival, question.method(), &verdict, None);
        return (Answered { question, verdict, status, ms, number: None }, reply);
    }
    let body = JsValue::from_str(&question.body());
    let extent = Extent { max_bytes: route.limits.response_max_bytes, large: None };
    let arrival =
        upstream::send(endpoint, Sent::post(endpoint, &body, drill), PROBE_TIMEOUT_MS, extent)
            .await;
    let operation = Operation {
        protocol: route.protocol,
        method: question.method(),
        params: None,
        effect: Effect::Read,
    };
    let verdict = judge(route, endpoint, &operation, &arrival);
    let number = number(question, &arrival);
    let reply = replies::reply(route, &arrival, question.method(), &verdict, None);
    (Answered { question, verdict, status: arrival.status, ms: arrival.ms, number }, reply)
}

/// A probe's verdict: a single read under the id 1.
pub(super) fn judge(
    route: &Route,
    endpoint: &Endpoint,
    operation: &Operation<'_>,
    arrival: &Arrival,
) -> Verdict {
    let context = Context {
        now: clock::now(),
        id: Some("1"),
        chain_id: route.chain_id,
        ..Context::default()
    };
    let outcome = match &arrival.outcome {
        Err(failure) => Outcome::Failed(*failure),
        Ok(answer) => Outcome::Replied(answer.reply()),
    };
    verdict::judge(operation, &outcome, &context, &judge::policy(route, endpoint))
}

fn number(question: Question, arrival: &Arrival) -> Option<u64> {
    let answer = arrival.outcome.as_ref().ok()?;
    let Body::One(one) = Body::read(&answer.body) else {
        return None;
    };
    match one.said {
        Said::Result(result) => question.number(result.get()),
        Said::Error(_) | Said::Malformed => None,
    }
}
