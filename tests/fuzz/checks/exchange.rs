//! One operation from its first attempt to its end, with whatever comes back.

use breakwater::config::{Protocol, SendMode};
use breakwater::exchange::{Exchange, Finding, Step, Word, conclusion};
use breakwater::method::{Effect, Operation, effect};
use breakwater::state::isolate::{Book, Finished, Item};
use breakwater::time::Millis;
use breakwater::verdict::{Context, Failure, Outcome, Policy, Reply, Verdict, judge};

use super::scene::{NOW, route};
use super::{is_json, one_of, pick};

const METHODS: [&str; 6] = [
    "eth_call",
    "eth_blockNumber",
    "eth_sendRawTransaction",
    "eth_sendRawTransactionSync",
    "eth_sendTransaction",
    "eth_sendBundle",
];

const FAILURES: [Failure; 9] = [
    Failure::Network,
    Failure::Timeout,
    Failure::BodyBroken,
    Failure::BodyTimeout,
    Failure::TooLarge,
    Failure::Unreached,
    Failure::Drill,
    Failure::NotSent,
    Failure::ClientGone,
];

const ANSWERS: [(u16, &str); 14] = [
    (200, r#"{"jsonrpc":"2.0","id":1,"result":"0x1"}"#),
    (200, r#"{"jsonrpc":"2.0","id":1,"result":null}"#),
    (200, r#"{"jsonrpc":"2.0","id":2,"result":"0x1"}"#),
    (200, r#"{"jsonrpc":"2.0","id":1,"error":{"code":3,"message":"execution reverted"}}"#),
    (200, r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"header not found"}}"#),
    (200, r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"already known"}}"#),
    (200, r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"nonce too low"}}"#),
    (200, r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"method not found"}}"#),
    (200, r#"{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"nobody knows"}}"#),
    (429, ""),
    (401, r#"{"error":"no such key"}"#),
    (502, "<html>"),
    (200, "{"),
    (413, "too large"),
];

/// Whether nobody can have carried it out after this.
#[derive(Clone, Copy, PartialEq)]
enum Arrival {
    Perhaps,
    Never,
}

pub(super) fn check(facts: &[u8], script: &[u8], body: &[u8]) {
    let route = route(["eth", "guarded"][pick(facts, 1) % 2]);
    let method = *one_of(&METHODS, facts, 2);
    let operation =
        Operation { protocol: Protocol::Evm, method, params: None, effect: effect(method) };
    let mut play = Play { script, body, at: 0, asked: Vec::new(), now: NOW };
    let mut book = Book::new(route, NOW);
    let mut exchange = Exchange::<usize>::new(NOW.plus(route.timeouts.total_ms));
    let mut under_way = Vec::new();
    let mut steps = 0;
    loop {
        steps += 1;
        assert!(steps < 100, "it does not end");
        match exchange.step(route, &book, &operation, play.now) {
            Step::Done => break,
            Step::Wait => {
                if under_way.is_empty() {
                    break;
                }
                let step = under_way.remove(pick(facts, 3) % under_way.len());
                play.land(&mut exchange, &mut book, step, &operation);
                if exchange.is_over() && !exchange.waits() && under_way.is_empty() {
                    break;
                }
            }
            step @ Step::Ask { endpoint, .. } => {
                play.may_ask(endpoint, &operation, route.send);
                let private = route.endpoints.iter().any(|endpoint| endpoint.private);
                let kept = private && operation.effect == Effect::Send;
                assert!(!kept || route.endpoints[endpoint].private, "shown to the public");
                play.asked.push((endpoint, Arrival::Perhaps));
                assert!(play.asked.len() <= route.max_attempts as usize);
                under_way.push(step);
            }
            step @ (Step::LookUp { .. } | Step::Receipt { .. }) => under_way.push(step),
        }
    }
    let (ended, attempts) = exchange.conclude();
    let fault = conclusion::fault(&ended, &attempts, route, &book, &operation, play.now);
    if let Some(fault) = fault {
        is_json(&fault.body("1"));
    }
}

struct Play<'a> {
    script: &'a [u8],
    body: &'a [u8],
    at: usize,
    asked: Vec<(usize, Arrival)>,
    now: Millis,
}

impl Play<'_> {
    /// Nobody is asked twice, and what must not be repeated is not while it may have been done.
    fn may_ask(&self, endpoint: usize, operation: &Operation<'_>, send: SendMode) {
        assert!(self.asked.iter().all(|(asked, _)| *asked != endpoint), "asked twice");
        let alone = operation.effect == Effect::Once;
        let done = self.asked.iter().any(|(_, arrival)| *arrival == Arrival::Perhaps);
        assert!(!(alone && done), "{} may be done twice", operation.method);
        let _ = send;
    }

    /// What was under way comes back, as the script says.
    fn land(
        &mut self,
        exchange: &mut Exchange<usize>,
        book: &mut Book,
        step: Step,
        operation: &Operation<'_>,
    ) {
        let next = pick(self.script, self.at);
        self.at += 1;
        match step {
            Step::Ask { endpoint, timeout_ms } => {
                let (verdict, status) = self.verdict(next, operation, exchange.ambiguous());
                if let Some((_, arrival)) =
                    self.asked.iter_mut().find(|(asked, _)| *asked == endpoint)
                    && status.is_none()
                    && FAILURES[next % 9].never_arrived()
                {
                    *arrival = Arrival::Never;
                }
                self.record(book, endpoint, timeout_ms, verdict, operation);
                let word = Word { endpoint, verdict, status, answer: Some(endpoint) };
                exchange.heard(word, operation.effect, SendMode::Resend);
            }
            Step::LookUp { endpoint, .. } => {
                let findings = [Finding::Found, Finding::Absent];
                exchange.looked_up(endpoint, findings[next % 2]);
            }
            Step::Receipt { endpoint, .. } => {
                exchange.received(endpoint, next.is_multiple_of(2).then_some(endpoint));
            }
            Step::Wait | Step::Done => {}
        }
    }

    fn verdict(
        &mut self,
        next: usize,
        operation: &Operation<'_>,
        earlier_ambiguous: bool,
    ) -> (Verdict, Option<u16>) {
        let policy = Policy {
            rpc_errors: breakwater::config::RpcErrors::Declined,
            rules: &[],
            endpoint: "x",
        };
        let context =
            Context { now: self.now, id: Some("1"), earlier_ambiguous, ..Context::default() };
        if next < 128 {
            let failed = Outcome::Failed(FAILURES[next % 9]);
            return (judge(operation, &failed, &context, &policy), None);
        }
        let (status, body) = match next % 15 {
            14 => (200, self.body),
            at => (ANSWERS[at].0, ANSWERS[at].1.as_bytes()),
        };
        let reply = Reply { status, retry_after: None, edge_error: None, body };
        (judge(operation, &Outcome::Replied(reply), &context, &policy), Some(status))
    }

    fn record(
        &mut self,
        book: &mut Book,
        endpoint: usize,
        timeout_ms: u64,
        verdict: Verdict,
        operation: &Operation<'_>,
    ) {
        let Some((grant, _)) = book.permit(endpoint, operation.effect, self.now, timeout_ms) else {
            return;
        };
        let items = [Item { method: operation.method, verdict }];
        let finished = Finished { endpoint, grant, status: None, ms: 1, items: &items };
        book.record(finished, &route("eth").breaker, self.now, 0.5);
    }
}
