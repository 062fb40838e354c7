//! Makes a probe of the region's object: its questions one after the other. Facts and verdicts; what
//! they mean for the endpoint is the region's to say.

use std::rc::Rc;

use wasm_bindgen::JsValue;

use super::upstream::{self, Arrival, Extent};
use super::{clock, judge};
use crate::config::{Endpoint, Route};
use crate::method::{Effect, Operation};
use crate::rpc::reply::{Body, Said};
use crate::state::region::{Answered, PROBE_TIMEOUT_MS, Probe, Probed, Question};
use crate::verdict::{self, Context, Outcome};

/// Asks until an answer ends it.
pub(super) async fn make(route: Rc<Route>, probe: Probe) -> Probed {
    let mut answers = Vec::new();
    if let Some(endpoint) = route.endpoints.get(probe.endpoint) {
        for question in &probe.questions {
            let answered = ask(&route, endpoint, *question).await;
            answers.push(answered);
            if answered.ends() {
                break;
            }
        }
    }
    Probed { probe, answers }
}

async fn ask(route: &Route, endpoint: &Endpoint, question: Question) -> Answered {
    let body = JsValue::from_str(&question.body());
    let extent = Extent { max_bytes: route.limits.response_max_bytes, large: None };
    let arrival = upstream::ask(endpoint, &body, PROBE_TIMEOUT_MS, extent).await;
    let operation = Operation {
        protocol: route.protocol,
        method: question.method(),
        params: None,
        effect: Effect::Read,
    };
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
    let policy = judge::policy(route, endpoint);
    let verdict = verdict::judge(&operation, &outcome, &context, &policy);
    let number = number(question, &arrival);
    Answered { question, verdict, status: arrival.status, ms: arrival.ms, number }
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
