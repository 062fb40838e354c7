//! Scenarios of one operation: what each endpoint shows, who is asked, what the client hears.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod common;

use std::collections::VecDeque;

use breakwater::config::{Protocol, Route, SendMode};
use breakwater::exchange::{Conclusion, Exchange, Finding, Step, Word, conclusion};
use breakwater::method::{Effect, Operation};
use breakwater::rpc::fault::Fault;
use breakwater::select::Bond;
use breakwater::state::isolate::{Book, Finished, Item};
use breakwater::time::Millis;
use breakwater::verdict::{Class, Gap, LastWord, Next, Signal, Verdict};
use common::{T0, good, route, route_of, throttled, timeout, verdict};
use proptest::prelude::*;

struct Scene {
    route: Route,
    book: Book,
    now: Millis,
    draw: f64,
    bond: Bond,
    /// What look-ups show where it is not the same everywhere.
    findings: Vec<(&'static str, Finding)>,
    receipt: bool,
}

/// What a run showed: endpoints asked (`a`, `b`, … `a?` for a look-up, `a!` for a receipt) and the
/// end.
#[derive(Debug, PartialEq)]
struct Run {
    asked: String,
    end: String,
}

impl Scene {
    fn new(route: Route) -> Self {
        let book = Book::new(&route, T0);
        Self {
            route,
            book,
            now: T0,
            draw: 0.5,
            bond: Bond::Free,
            findings: Vec::new(),
            receipt: false,
        }
    }

    fn read(&mut self, script: &[(&str, Verdict)]) -> Run {
        self.run("eth_call", Effect::Read, script, false)
    }

    fn send(&mut self, script: &[(&str, Verdict)], known: bool) -> Run {
        self.run("eth_sendRawTransaction", Effect::Send, script, known)
    }

    fn run(
        &mut self,
        method: &str,
        effect: Effect,
        script: &[(&str, Verdict)],
        known: bool,
    ) -> Run {
        let operation = Operation { protocol: Protocol::Evm, method, params: None, effect };
        let deadline = self.now.plus(self.route.timeouts.total_ms);
        let mut exchange = Exchange::<String>::new(deadline).bonded(self.bond);
        let mut asked = String::new();
        let mut under_way = VecDeque::new();
        loop {
            match exchange.step(&self.route, &self.book, &operation, self.now) {
                Step::Done => break,
                Step::Wait => {
                    self.land(
                        &mut exchange,
                        under_way.pop_front().unwrap(),
                        &operation,
                        script,
                        known,
                    );
                    if exchange.is_over() && !exchange.waits() && !operation.gives_receipt() {
                        break;
                    }
                }
                step @ (Step::Ask { .. } | Step::LookUp { .. } | Step::Receipt { .. }) => {
                    asked.push_str(&self.spell(step));
                    under_way.push_back(step);
                }
            }
        }
        let (ended, attempts) = exchange.conclude();
        let fault =
            conclusion::fault(&ended, &attempts, &self.route, &self.book, &operation, self.now);
        let end = match (ended, fault) {
            (Conclusion::Answer(passed), None) => format!("answer {}", passed.answer),
            (Conclusion::Accepted { endpoint }, _) => format!("accepted {}", self.name(endpoint)),
            (_, fault) => spell(&fault.unwrap()),
        };
        Run { asked: asked.trim_end().to_owned(), end }
    }

    fn spell(&self, step: Step) -> String {
        match step {
            Step::Ask { endpoint, .. } => format!("{} ", self.name(endpoint)),
            Step::LookUp { endpoint, .. } => format!("{}? ", self.name(endpoint)),
            Step::Receipt { endpoint, .. } => format!("{}! ", self.name(endpoint)),
            Step::Wait | Step::Done => String::new(),
        }
    }

    /// What was under way comes back.
    fn land(
        &mut self,
        exchange: &mut Exchange<String>,
        step: Step,
        operation: &Operation<'_>,
        script: &[(&str, Verdict)],
        known: bool,
    ) {
        match step {
            Step::LookUp { endpoint, .. } => {
                let name = self.name(endpoint);
                let own =
                    self.findings.iter().find(|(of, _)| *of == name).map(|(_, finding)| *finding);
                let all = if known { Finding::Found } else { Finding::Absent };
                exchange.looked_up(endpoint, own.unwrap_or(all));
            }
            Step::Receipt { endpoint, .. } => {
                let receipt = self.receipt.then(|| format!("receipt {}", self.name(endpoint)));
                exchange.received(endpoint, receipt);
            }
            Step::Ask { endpoint, timeout_ms } => {
                let name = self.name(endpoint);
                let line = script.iter().find(|(of, _)| *of == name);
                let verdict = line.map_or_else(timeout, |(_, verdict)| *verdict);
                self.attempt(endpoint, timeout_ms, operation.method, verdict);
                let word = Word { endpoint, verdict, status: None, answer: Some(name) };
                exchange.heard(word, operation.effect, self.route.send);
            }
            Step::Wait | Step::Done => {}
        }
    }

    fn attempt(&mut self, endpoint: usize, timeout_ms: u64, method: &str, verdict: Verdict) {
        let (grant, _) = self.book.permit(endpoint, Effect::Read, self.now, timeout_ms).unwrap();
        if verdict.class == Class::Timeout {
            self.now = self.now.plus(timeout_ms);
        }
        let items = [Item { method, verdict }];
        let finished = Finished { endpoint, grant, status: None, ms: 1, items: &items };
        self.book.record(finished, &self.route.breaker, self.now, self.draw);
    }

    fn name(&self, endpoint: usize) -> String {
        self.route.endpoints[endpoint].name.clone()
    }
}

fn spell(fault: &Fault) -> String {
    format!("{} {}", fault.status(), fault.code())
}

fn run(asked: &str, end: &str) -> Run {
    Run { asked: asked.into(), end: end.into() }
}

fn refused(class: Class) -> Verdict {
    verdict(Next::Advance, Signal::Gap(Gap::Method), LastWord::PassOn, class)
}

fn unknown() -> Verdict {
    verdict(Next::Advance, Signal::Neutral, LastWord::PassOn, Class::Unknown)
}

fn refusal(class: Class) -> Verdict {
    verdict(Next::CheckHash, Signal::Neutral, LastWord::PassOn, class)
}

fn already_known() -> Verdict {
    verdict(Next::Accepted, Signal::Success, LastWord::PassOn, Class::AlreadyKnown)
}

fn raw(method: &str) -> Operation<'_> {
    Operation { protocol: Protocol::Evm, method, params: None, effect: Effect::Send }
}

fn ambiguous() -> Verdict {
    verdict(Next::Resend, Signal::Failure, LastWord::Unknown, Class::Timeout)
}

#[test]
fn the_first_good_answer_wins() {
    let mut scene = Scene::new(route(3, ""));
    assert_eq!(scene.read(&[("a", good())]), run("a", "answer a"));
    let script = [("a", throttled(None)), ("b", good())];
    assert_eq!(scene.read(&script), run("a b", "answer b"));
}

#[test]
fn each_endpoint_is_asked_at_most_once_and_no_more_than_the_cap() {
    let dead = |endpoints, more| Scene::new(route(endpoints, more)).read(&[]);
    assert_eq!(dead(1, ""), run("a", "503 -32002"));
    assert_eq!(dead(5, r#""attempt_timeout_ms":10"#), run("a b c", "503 -32002"));
    assert_eq!(
        dead(5, r#""attempt_timeout_ms":10,"max_attempts":5"#),
        run("a b c d e", "503 -32002")
    );
}

#[test]
fn the_whole_ends_with_its_own_time() {
    let more = r#""attempt_timeout_ms":4000,"total_timeout_ms":9000,"max_attempts":5"#;
    let mut scene = Scene::new(route(5, more));
    assert_eq!(scene.read(&[]), run("a b c", "503 -32002"), "4 + 4 + 1 seconds");
    assert_eq!(scene.now, T0.plus(9_000));
}

#[test]
fn what_the_client_hears_when_nobody_answers() {
    let throttle = throttled(Some(7_000));
    let no_method = refused(Class::MethodUnsupported);
    let pruned = refused(Class::Pruned);
    for (script, end) in [
        ([("a", throttle), ("b", throttle)], "429 -32005"),
        ([("a", throttle), ("b", timeout())], "503 -32002"),
        ([("a", timeout()), ("b", no_method)], "answer b"),
        ([("a", no_method), ("b", timeout())], "answer a"),
        ([("a", no_method), ("b", pruned)], "answer a"),
        ([("a", no_method), ("b", throttle)], "answer a"),
    ] {
        assert_eq!(Scene::new(route(2, "")).read(&script).end, end, "{script:?}");
    }
}

#[test]
fn an_error_that_no_rule_knows_costs_one_more_endpoint_only() {
    let script = [("a", unknown()), ("b", unknown()), ("c", good())];
    assert_eq!(Scene::new(route(3, "")).read(&script), run("a b", "answer a"));
}

#[test]
fn an_answer_that_may_be_behind_is_doubted_once_and_stands_if_nobody_does_better() {
    let behind = verdict(Next::AdvanceIfBehind, Signal::Neutral, LastWord::PassOn, Class::Behind);
    let mut scene = Scene::new(route(3, ""));
    assert_eq!(scene.read(&[("a", behind), ("b", good())]), run("a b", "answer b"));
    assert_eq!(scene.read(&[("a", behind), ("b", behind)]), run("a b", "answer a"));
}

#[test]
fn a_throttled_endpoint_rests_and_is_not_asked() {
    let mut scene = Scene::new(route(2, ""));
    scene.read(&[("a", throttled(Some(5_000))), ("b", good())]);
    assert_eq!(scene.read(&[("b", good())]), run("b", "answer b"));
    scene.now = scene.now.plus(5_000);
    assert_eq!(scene.read(&[("a", good())]), run("a", "answer a"));
}

#[test]
fn when_everybody_rests_nobody_is_asked() {
    let mut scene = Scene::new(route(2, ""));
    let throttle = throttled(Some(5_000));
    scene.read(&[("a", throttle), ("b", throttle)]);
    assert_eq!(scene.read(&[]), run("", "429 -32005"));
}

#[test]
fn account_trouble_everywhere_is_no_rate_limit() {
    let account = verdict(
        Next::Advance,
        Signal::Account { retry_after_ms: None },
        LastWord::Unavailable,
        Class::Quota,
    );
    let mut scene = Scene::new(route(2, ""));
    assert_eq!(scene.read(&[("a", account), ("b", account)]).end, "503 -32002");
    assert_eq!(scene.read(&[]), run("", "503 -32002"));
}

#[test]
fn a_gap_moves_that_method_only_and_comes_last_instead_of_never() {
    let mut scene = Scene::new(route(2, ""));
    let script = [("a", refused(Class::MethodUnsupported)), ("b", good())];
    assert_eq!(scene.read(&script), run("a b", "answer b"));
    assert_eq!(scene.read(&script), run("b", "answer b"));
    let script = [("a", good()), ("b", timeout())];
    assert_eq!(scene.read(&script), run("b a", "answer a"));
    let other = scene.run("eth_getBalance", Effect::Read, &[("a", good())], false);
    assert_eq!(other, run("a", "answer a"));
}

#[test]
fn an_open_breaker_is_left_alone_tried_last_and_taken_back_by_time() {
    let more = r#""trip_after":2,"attempt_timeout_ms":10,"close_after":1"#;
    let mut scene = Scene::new(route(2, more));
    let b_serves = [("b", good())];
    assert_eq!(scene.read(&b_serves).asked, "a b");
    assert_eq!(scene.read(&b_serves).asked, "a b");
    assert_eq!(scene.read(&b_serves).asked, "b", "open");
    assert_eq!(scene.read(&[]).asked, "b a", "the last resort");
    scene.now = scene.now.plus(16_000);
    let both = [("a", good()), ("b", good())];
    assert_eq!(scene.send(&both, false).asked, "b", "a send is no guinea pig");
    assert_eq!(scene.read(&both).asked, "a", "the trial, although b is well");
    assert_eq!(scene.send(&both, false).asked, "a", "closed again");
}

#[test]
fn who_is_called_unfit_is_left_only_for_another() {
    for (endpoints, more, has) in [(1, "", false), (2, "", true), (2, r#""max_attempts":1"#, false)]
    {
        let scene = Scene::new(route(endpoints, more));
        let operation = Operation {
            protocol: Protocol::Evm,
            method: "eth_call",
            params: None,
            effect: Effect::Read,
        };
        let mut exchange = Exchange::<String>::new(T0.plus(9_000));
        let step = exchange.step(&scene.route, &scene.book, &operation, T0);
        assert!(matches!(step, Step::Ask { endpoint: 0, .. }));
        let other = exchange.has_other(&scene.route, &scene.book, &operation, T0);
        assert_eq!(other, has, "{endpoints} {more}");
    }
}

#[test]
fn when_all_are_open_the_operator_decides() {
    let more = r#""trip_after":1,"attempt_timeout_ms":10"#;
    let mut scene = Scene::new(route(2, more));
    scene.read(&[]);
    assert_eq!(scene.read(&[]), run("a b", "503 -32002"), "earliest retry first");
    let mut scene = Scene::new(route(2, &format!(r#"{more},"when_all_open":"fail""#)));
    scene.read(&[]);
    assert_eq!(scene.read(&[]), run("", "503 -32002"));
}

#[test]
fn a_send_whose_outcome_is_unknown_is_sent_again_and_reconciled() {
    let mut scene = Scene::new(route(3, ""));
    let send = |scene: &mut Scene, b, known| scene.send(&[("a", ambiguous()), ("b", b)], known);
    assert_eq!(send(&mut scene, already_known(), false), run("a b", "accepted b"));
    assert_eq!(send(&mut scene, refusal(Class::Nonce), true), run("a b b? a?", "accepted b"));
    assert_eq!(send(&mut scene, refusal(Class::Nonce), false), run("a b b? a?", "answer b"));
}

#[test]
fn a_refusal_is_reported_only_when_somebody_could_tell() {
    use Finding::{Absent, Found, Silent};
    let (nonce, funds) = (Class::Nonce, Class::InsufficientFunds);
    for (class, [a, b, c], asked, end) in [
        (nonce, [Silent, Absent, Found], "a b b? a?", "answer b"),
        (nonce, [Absent, Silent, Found], "a b b? a?", "answer b"),
        (nonce, [Found, Absent, Silent], "a b b? a?", "accepted a"),
        (nonce, [Silent, Silent, Found], "a b b? a? c?", "accepted c"),
        (nonce, [Silent, Silent, Absent], "a b b? a? c?", "answer b"),
        (nonce, [Silent, Silent, Silent], "a b b? a? c?", "504 -32002"),
        (funds, [Absent, Silent, Silent], "a b b? a?", "answer b"),
        (funds, [Silent, Absent, Found], "a b b? a? c?", "accepted c"),
        (funds, [Silent, Absent, Absent], "a b b? a? c?", "504 -32002"),
    ] {
        let mut scene = Scene::new(route(3, ""));
        scene.findings = vec![("a", a), ("b", b), ("c", c)];
        let script = [("a", ambiguous()), ("b", refusal(class))];
        assert_eq!(scene.send(&script, false), run(asked, end), "{class:?} {a:?} {b:?} {c:?}");
    }
}

#[test]
fn without_time_for_a_look_up_nobody_can_tell() {
    let more = r#""attempt_timeout_ms":1000,"total_timeout_ms":1001"#;
    let mut scene = Scene::new(route(2, more));
    let mut exchange = Exchange::<String>::new(scene.now.plus(1_001));
    let operation = raw("eth_sendRawTransaction");
    for (endpoint, verdict) in [(0, ambiguous()), (1, refusal(Class::Nonce))] {
        let word = Word { endpoint, verdict, status: None, answer: Some("no".to_owned()) };
        exchange.heard(word, Effect::Send, SendMode::Resend);
    }
    scene.now = scene.now.plus(1_001);
    assert_eq!(exchange.step(&scene.route, &scene.book, &operation, scene.now), Step::Done);
    assert_eq!(exchange.conclude().0, Conclusion::Unknown);
}

#[test]
fn a_hash_is_looked_up_where_the_transaction_may_go_and_nowhere_else() {
    let list = r#"{"name":"a","url":"https://a.example.org"},
        {"name":"p","url":"https://p.example.org","private":true},
        {"name":"q","url":"https://q.example.org","private":true}"#;
    let mut scene = Scene::new(route_of(list, ""));
    scene.findings = vec![("p", Finding::Silent), ("q", Finding::Silent), ("a", Finding::Found)];
    let script = [("p", ambiguous()), ("q", refusal(Class::Nonce))];
    assert_eq!(scene.send(&script, false), run("p q q? p?", "504 -32002"));
}

#[test]
fn a_broadcast_goes_to_all_and_the_first_acceptance_answers() {
    let funds = refusal(Class::InsufficientFunds);
    let full = verdict(Next::Advance, Signal::Neutral, LastWord::PassOn, Class::PoolFull);
    for (script, known, asked, end) in [
        ([good(), good(), good()], false, "a b c", "answer a"),
        ([funds, good(), good()], false, "a b c", "answer b"),
        ([ambiguous(), ambiguous(), already_known()], false, "a b c", "accepted c"),
        ([funds, full, funds], false, "a b c", "answer a"),
        ([full, throttled(None), full], false, "a b c", "answer a"),
        ([throttled(None), throttled(None), throttled(None)], false, "a b c", "429 -32005"),
        ([funds, ambiguous(), full], true, "a b c a? b?", "accepted a"),
        ([funds, ambiguous(), full], false, "a b c a? b?", "answer a"),
        ([ambiguous(), full, ambiguous()], false, "a b c", "504 -32002"),
    ] {
        let mut scene = Scene::new(route(3, r#""send":"broadcast","max_attempts":1"#));
        let script: Vec<_> = ["a", "b", "c"].into_iter().zip(script).collect();
        assert_eq!(scene.send(&script, known), run(asked, end), "{script:?}");
    }
}

#[test]
fn a_broadcast_leaves_out_open_endpoints_unless_nobody_else_is_left() {
    let more = r#""send":"broadcast","trip_after":1,"attempt_timeout_ms":10"#;
    let mut scene = Scene::new(route(3, more));
    scene.read(&[("b", good())]);
    assert_eq!(scene.send(&[("b", good()), ("c", good())], false), run("b c", "answer b"));
    let mut scene = Scene::new(route(2, more));
    scene.read(&[]);
    assert_eq!(scene.send(&[("b", good())], false), run("a b", "answer b"), "the last resort");
}

#[test]
fn a_broadcast_is_for_private_endpoints_only_where_there_are_any() {
    let list = r#"{"name":"a","url":"https://a.example.org"},
        {"name":"p","url":"https://p.example.org","private":true},
        {"name":"q","url":"https://q.example.org","private":true}"#;
    let mut scene = Scene::new(route_of(list, r#""send":"broadcast""#));
    assert_eq!(scene.send(&[("q", good())], false), run("p q", "answer q"));
}

#[test]
fn a_send_that_gives_a_receipt_is_answered_by_one_or_told_to_wait() {
    let mut scene = Scene::new(route(2, ""));
    let sync = |scene: &mut Scene, script: &[(&str, Verdict)], known| {
        scene.run("eth_sendRawTransactionSync", Effect::Send, script, known)
    };
    let known = [("a", ambiguous()), ("b", already_known())];
    let nonce = [("a", ambiguous()), ("b", refusal(Class::Nonce))];
    assert_eq!(sync(&mut scene, &known, false), run("a b b!", "accepted b"), "not mined yet");
    scene.receipt = true;
    assert_eq!(sync(&mut scene, &known, false), run("a b b!", "answer receipt b"));
    assert_eq!(sync(&mut scene, &nonce, true), run("a b b? a? b!", "answer receipt b"));
    let waits = verdict(Next::Return, Signal::Success, LastWord::PassOn, Class::AlreadyKnown);
    assert_eq!(sync(&mut scene, &[("a", waits)], false), run("a", "answer a"), "code 4");
}

#[test]
fn a_send_nobody_answered_is_unknown_not_unavailable() {
    let script = [("a", ambiguous()), ("b", throttled(None)), ("c", timeout())];
    assert_eq!(Scene::new(route(3, "")).send(&script, false).end, "504 -32002");
}

#[test]
fn a_refusal_after_an_unknown_outcome_does_not_hide_it() {
    let full = verdict(Next::Advance, Signal::Neutral, LastWord::PassOn, Class::PoolFull);
    let mut scene = Scene::new(route(2, ""));
    assert_eq!(scene.send(&[("a", ambiguous()), ("b", full)], false), run("a b", "504 -32002"));
    assert_eq!(scene.send(&[("a", full), ("b", full)], false), run("a b", "answer a"));
    let broke = verdict(Next::Resend, Signal::Failure, LastWord::PassOn, Class::Internal);
    let said = scene.send(&[("a", broke), ("b", broke)], false);
    assert_eq!(said, run("a b", "answer a"), "both have answered: their word is passed on");
}

#[test]
fn once_never_moves_a_send() {
    let mut scene = Scene::new(route(2, r#""send":"once""#));
    assert_eq!(scene.route.send, SendMode::Once);
    assert_eq!(scene.send(&[("a", ambiguous()), ("b", good())], false), run("a", "504 -32002"));
    assert_eq!(scene.send(&[("a", throttled(None)), ("b", good())], false), run("a", "429 -32005"));
}

#[test]
fn a_private_transaction_is_never_shown_to_a_public_endpoint() {
    let list = r#"{"name":"a","url":"https://a.example.org"},{"name":"p","url":"https://p.example.org","private":true}"#;
    let mut scene = Scene::new(route_of(list, r#""trip_after":1"#));
    assert_eq!(scene.send(&[("a", good()), ("p", ambiguous())], false), run("p", "504 -32002"));
    assert_eq!(
        scene.send(&[("a", good()), ("p", good())], false).asked,
        "p",
        "even when it is out"
    );
    assert_eq!(scene.read(&[("a", good())]).asked, "a");
}

#[test]
fn a_method_that_no_endpoint_takes_is_refused() {
    let list = r#"{"name":"a","url":"https://a.example.org","methods":{"deny":["eth_call"]}}"#;
    assert_eq!(Scene::new(route_of(list, "")).read(&[]), run("", "200 -32601"));
}

#[test]
fn a_node_signed_send_stops_where_it_may_have_arrived() {
    let lost = verdict(Next::Unknown, Signal::Failure, LastWord::Unknown, Class::Network);
    let mut scene = Scene::new(route(2, ""));
    let script = [("a", lost), ("b", good())];
    let once = scene.run("eth_sendTransaction", Effect::Once, &script, false);
    assert_eq!(once, run("a", "200 -32002"));
    let stop = verdict(Next::Stop, Signal::Neutral, LastWord::RateLimited, Class::RateLimited);
    let once = scene.run("eth_sendTransaction", Effect::Once, &[("a", stop)], false);
    assert_eq!(once, run("a", "429 -32005"));
}

#[test]
fn a_bond_says_who_goes_first_or_who_alone() {
    let mut scene = Scene::new(route(3, r#""attempt_timeout_ms":10"#));
    scene.bond = Bond::Prefers(1);
    assert_eq!(scene.read(&[("b", good())]), run("b", "answer b"));
    assert_eq!(scene.read(&[("a", good())]), run("b a", "answer a"));
    scene.bond = Bond::Only(1);
    assert_eq!(scene.read(&[("a", good())]), run("b", "503 -32002"));
}

#[test]
fn not_yet_is_a_better_last_word_than_an_error() {
    let broken = verdict(Next::Advance, Signal::Failure, LastWord::PassOn, Class::Internal);
    let null = verdict(Next::Advance, Signal::Neutral, LastWord::NotYet, Class::NullResult);
    let list = verdict(Next::Advance, Signal::Neutral, LastWord::PassOn, Class::EmptyResult);
    let mut scene = Scene::new(route(3, ""));
    let script = [("a", broken), ("b", null), ("c", null)];
    assert_eq!(scene.read(&script), run("a b c", "answer b"));
    let script = [("a", broken), ("b", list), ("c", list)];
    assert_eq!(scene.read(&script), run("a b c", "answer a"), "an empty list says more than that");
}

#[test]
fn a_filter_is_lost_when_its_endpoint_does_not_know_it() {
    let unknown = verdict(Next::Return, Signal::Neutral, LastWord::PassOn, Class::FilterLost);
    let broken = verdict(Next::Advance, Signal::Failure, LastWord::PassOn, Class::Internal);
    let limit = verdict(Next::Return, Signal::Neutral, LastWord::PassOn, Class::RangeTooLarge);
    for (said, lost) in [(unknown, true), (broken, false), (limit, false)] {
        let mut scene = Scene::new(route(2, ""));
        scene.bond = Bond::Only(1);
        let run = scene.run("eth_getFilterChanges", Effect::Read, &[("b", said)], false);
        assert_eq!(run.asked, "b");
        assert_eq!(run.end == "answer b", !lost, "{run:?}");
    }
}

fn any_verdict() -> impl Strategy<Value = Verdict> {
    let next = prop_oneof![
        Just(Next::Return),
        Just(Next::Advance),
        Just(Next::AdvanceIfBehind),
        Just(Next::Resend),
        Just(Next::Accepted),
        Just(Next::CheckHash),
        Just(Next::Unknown),
        Just(Next::Stop),
    ];
    let signal = prop_oneof![
        Just(Signal::Success),
        Just(Signal::Neutral),
        Just(Signal::Failure),
        Just(Signal::Throttled { retry_after_ms: None }),
        Just(Signal::Account { retry_after_ms: None }),
        Just(Signal::Gap(Gap::Method)),
    ];
    let last_word = prop_oneof![
        Just(LastWord::PassOn),
        Just(LastWord::NotYet),
        Just(LastWord::RateLimited),
        Just(LastWord::Unavailable),
        Just(LastWord::Unknown),
    ];
    let class = prop_oneof![Just(Class::Timeout), Just(Class::Unknown), Just(Class::Internal)];
    (next, signal, last_word, class).prop_map(|(n, s, l, c)| verdict(n, s, l, c))
}

proptest! {
    #[test]
    fn an_exchange_ends_asks_nobody_twice_and_keeps_to_the_cap(
        verdicts in prop::collection::vec(any_verdict(), 5),
        rounds in 1usize..6,
        cap in 1u32..7,
        send in any::<bool>(),
    ) {
        let mut scene = Scene::new(route(5, &format!(r#""max_attempts":{cap},"attempt_timeout_ms":5"#)));
        let names = ["a", "b", "c", "d", "e"];
        let script: Vec<_> = names.into_iter().zip(verdicts).collect();
        for _ in 0..rounds {
            let run = if send { scene.send(&script, false) } else { scene.read(&script) };
            let mut asked: Vec<_> = run.asked.split(' ').filter(|n| n.len() == 1).collect();
            prop_assert!(asked.len() <= cap as usize);
            let total = asked.len();
            asked.sort_unstable();
            asked.dedup();
            prop_assert_eq!(asked.len(), total);
        }
    }

    #[test]
    fn an_answer_is_only_ever_one_that_somebody_gave(
        verdicts in prop::collection::vec(any_verdict(), 3),
    ) {
        let mut scene = Scene::new(route(3, r#""attempt_timeout_ms":5"#));
        let script: Vec<_> = ["a", "b", "c"].into_iter().zip(verdicts).collect();
        let run = scene.read(&script);
        if let Some(from) = run.end.strip_prefix("answer ") {
            prop_assert!(run.asked.contains(from));
        }
    }
}
