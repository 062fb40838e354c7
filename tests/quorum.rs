//! Several endpoints are compared: who is asked when, what the client hears, who is held to be wrong.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]
#![cfg(not(target_family = "wasm"))]

mod common;

use breakwater::config::{Protocol, Route};
use breakwater::exchange::{Conclusion, Exchange, Step, Word, conclusion};
use breakwater::method::{Effect, Operation};
use breakwater::quorum::{Paper, paper};
use breakwater::rpc::fault::Fault;
use breakwater::state::isolate::Book;
use breakwater::time::Millis;
use breakwater::verdict::{Class, LastWord, Next, Signal, Verdict};
use common::{T0, good, route, throttled, timeout, verdict};
use proptest::prelude::*;

fn quorum(endpoints: usize, of: usize, more: &str) -> Route {
    let table = format!(
        r#""mode":"quorum","quorum":{{"threshold":2,"of":{of},"methods":["eth_*"]{more}}}"#
    );
    route(endpoints, &table)
}

/// What an endpoint does.
#[derive(Debug, Clone, Copy)]
enum Does {
    Says(&'static str),
    Reverts(&'static str),
    Fails,
    Refuses,
    Throttles,
    /// Answers, but is known to be behind.
    Lags,
    Hangs,
}
use Does::{Fails, Hangs, Lags, Refuses, Reverts, Says, Throttles};

fn does(does: Does) -> Option<(Verdict, Option<(&'static str, bool)>)> {
    let error = |class| verdict(Next::Return, Signal::Success, LastWord::PassOn, class);
    Some(match does {
        Says(text) => (good(), Some((text, false))),
        Reverts(data) => (error(Class::Revert), Some((data, true))),
        Fails => (timeout(), None),
        Refuses => (error(Class::InvalidParams), Some((r#"{"code":-32602,"message":"x"}"#, true))),
        Throttles => (throttled(None), Some((r#"{"code":-32005,"message":"x"}"#, true))),
        Lags => {
            let behind = (Signal::Neutral, LastWord::PassOn, Class::NullResult);
            (verdict(Next::AdvanceIfBehind, behind.0, behind.1, behind.2), Some(("null", false)))
        }
        Hangs => return None,
    })
}

struct Ran {
    /// Endpoints in the order asked; `|` where it waited.
    asked: String,
    ended: Conclusion<String>,
    attempts: Vec<(usize, Class, bool)>,
    fault: Option<Fault>,
    now: Millis,
}

/// Runs it: what is under way comes back in the order asked; who hangs keeps it until it stalls.
fn run(route: &Route, method: &'static str, script: &[Does]) -> Ran {
    let operation =
        Operation { protocol: Protocol::Evm, method, params: None, effect: Effect::Read };
    let book = Book::new(route, T0);
    let exchange = Exchange::<String>::new(T0.plus(9_000));
    let mut exchange = exchange.comparing(route, route.compares(&operation), method);
    let (mut asked, mut under_way, mut now) = (String::new(), Vec::new(), T0);
    loop {
        match exchange.step(route, &book, &operation, now) {
            Step::Ask { endpoint, .. } => {
                asked.push_str(&route.endpoints[endpoint].name);
                under_way.push(endpoint);
            }
            Step::Wait => {
                asked.push('|');
                let back = under_way.iter().position(|e| does(script[*e]).is_some());
                if let Some(nth) = back {
                    let endpoint = under_way.remove(nth);
                    let (verdict, answer) = does(script[endpoint]).unwrap();
                    let cast = answer.map_or(Paper::Refusal, |(text, is_error)| {
                        paper(method, text, is_error, &verdict)
                    });
                    let answer = answer.map(|(text, _)| text.to_owned());
                    let word = Word { endpoint, verdict, status: None, answer };
                    exchange.heard_paper(word, cast);
                } else if let Some(at) = exchange.wake() {
                    now = at;
                } else {
                    break;
                }
            }
            Step::Done | Step::LookUp { .. } | Step::Receipt { .. } => break,
        }
    }
    let (ended, all) = exchange.conclude();
    let fault = conclusion::fault(&ended, &all, route, &book, &operation, now);
    let attempts = all.iter().map(|a| (a.endpoint, a.class, a.left)).collect();
    Ran { asked, ended, attempts, fault, now }
}

fn answer(ran: &Ran) -> &str {
    match &ran.ended {
        Conclusion::Answer(passed) => &passed.answer,
        Conclusion::BestEffort(_)
        | Conclusion::Disagreed(_)
        | Conclusion::Accepted { .. }
        | Conclusion::Unknown
        | Conclusion::Throttled
        | Conclusion::NoAnswer => "none",
    }
}

const ONE: Does = Says("\"0x1\"");
const TWO: Does = Says("\"0x2\"");
const THREE: Does = Says("\"0x3\"");

#[test]
fn so_many_are_asked_at_once_and_the_rest_of_them_is_not_waited_for() {
    let ran = run(&quorum(4, 3, ""), "eth_call", &[ONE, ONE, TWO, TWO]);
    assert_eq!((ran.asked.as_str(), answer(&ran)), ("abc||", "\"0x1\""));
}

#[test]
fn one_that_is_wrong_is_outvoted_wherever_it_stands() {
    for wrong in 0..3 {
        let mut script = [ONE; 3];
        script[wrong] = TWO;
        let ran = run(&quorum(3, 3, ""), "eth_call", &script);
        assert_eq!(answer(&ran), "\"0x1\"");
        let left: Vec<_> = ran.attempts.iter().filter(|(_, _, left)| *left).collect();
        let told: &[_] = if wrong < 2 { &[&(wrong, Class::Outvoted, true)] } else { &[] };
        assert_eq!(left, told, "the last one was not needed");
    }
}

#[test]
fn null_against_a_value_is_disagreement_and_against_null_is_not() {
    let block = Says(r#"{"hash":"0x1"}"#);
    let ran = run(&quorum(3, 3, ""), "eth_getBlockByNumber", &[Says("null"), block, block]);
    assert_eq!(answer(&ran), r#"{"hash":"0x1"}"#);
    let two = quorum(2, 2, "");
    let ran = run(&two, "eth_getBlockByNumber", &[Says("null"), block]);
    assert!(matches!(ran.fault, Some(Fault::QuorumNotMet { .. })));
    assert_eq!(answer(&run(&two, "eth_getBlockByNumber", &[Says("null"); 2])), "null");
}

#[test]
fn the_next_is_asked_as_soon_as_those_under_way_are_too_few() {
    let route = quorum(5, 2, "");
    for (script, asked, given) in [
        (&[Fails, ONE, ONE, ONE, ONE][..], "ab|c||", "\"0x1\""),
        (&[ONE, TWO, ONE, TWO, ONE], "ab||c|", "\"0x1\""),
        (&[Throttles, Fails, ONE, ONE, TWO], "ab|c|d||", "\"0x1\""),
    ] {
        let ran = run(&route, "eth_call", script);
        assert_eq!((ran.asked.as_str(), answer(&ran)), (asked, given), "{script:?}");
    }
}

#[test]
fn max_attempts_counts_what_comes_after_those_asked_at_once() {
    let mut route = quorum(5, 2, "");
    route.max_attempts = 1;
    assert_eq!(run(&route, "eth_call", &[Fails; 5]).asked, "ab||");
    route.max_attempts = 2;
    assert_eq!(run(&route, "eth_call", &[Fails; 5]).asked, "ab|c||");
}

#[test]
fn a_stall_asks_one_more() {
    let ran = run(&quorum(3, 2, ""), "eth_call", &[ONE, Hangs, ONE]);
    assert_eq!((ran.asked.as_str(), answer(&ran)), ("ab||c|", "\"0x1\""));
    assert_eq!(ran.now, T0.plus(1_000));
    let mut quick = quorum(3, 2, "");
    quick.hedge_after_ms = 200;
    assert_eq!(run(&quick, "eth_call", &[ONE, Hangs, ONE]).now, T0.plus(200));
}

#[test]
fn silence_is_no_vote_and_no_reason_to_wait_for_ever() {
    let ran = run(&quorum(3, 3, ""), "eth_blockNumber", &[ONE, TWO, Hangs]);
    assert_eq!((answer(&ran), ran.now), ("\"0x1\"", T0.plus(1_000)));
}

#[test]
fn too_few_that_agree_are_told_by_name_and_count() {
    let ran = run(&quorum(4, 3, ""), "eth_call", &[ONE, TWO, Fails, THREE]);
    let Some(Fault::QuorumNotMet { threshold: 2, votes, attempts }) = &ran.fault else {
        panic!("{:?}", ran.fault);
    };
    assert_eq!(
        votes.iter().map(|v| (v.count, v.endpoints.join(""))).collect::<Vec<_>>(),
        [(1, "a".to_owned()), (1, "b".to_owned()), (1, "d".to_owned()),]
    );
    assert_eq!(
        attempts.iter().map(|a| (&*a.endpoint, a.class)).collect::<Vec<_>>(),
        [("c", "timeout")]
    );
    let fault = ran.fault.unwrap();
    assert_eq!((fault.status(), fault.code()), (200, -32098));
    assert!(
        fault.body("1").contains(r#""data":{"threshold":2,"votes":[{"count":1,"endpoints":["a"]}"#)
    );
}

#[test]
fn a_tie_is_no_answer() {
    let ran = run(&quorum(4, 4, ""), "eth_call", &[ONE, ONE, TWO, TWO]);
    assert!(matches!(ran.ended, Conclusion::Disagreed(_)));
    let ran = run(&quorum(5, 4, ""), "eth_call", &[ONE, ONE, TWO, TWO, TWO]);
    assert_eq!((ran.asked.as_str(), answer(&ran)), ("abcd||||e|", "\"0x2\""), "one more breaks it");
}

#[test]
fn errors_do_not_vote_and_the_same_revert_does() {
    let same = Reverts(r#"{"code":3,"message":"execution reverted","data":"0x08c379a0"}"#);
    let other = Reverts(r#"{"code":3,"message":"execution reverted","data":"0x4e487b71"}"#);
    let three = quorum(3, 3, "");
    assert!(answer(&run(&three, "eth_call", &[same, same, ONE])).contains("08c379a0"));
    assert!(matches!(run(&three, "eth_call", &[same, other, ONE]).ended, Conclusion::Disagreed(_)));
    for script in [[Throttles, Throttles, ONE], [Refuses, Refuses, ONE], [Fails, Fails, ONE]] {
        let ran = run(&three, "eth_call", &script);
        assert!(matches!(ran.ended, Conclusion::Disagreed(_)), "{script:?}");
    }
}

#[test]
fn without_any_vote_the_refusal_is_heard_as_in_ordered_mode() {
    let three = quorum(3, 3, "");
    assert!(answer(&run(&three, "eth_call", &[Refuses; 3])).contains("-32602"));
    assert!(matches!(run(&three, "eth_call", &[Throttles; 3]).ended, Conclusion::Throttled));
    assert!(matches!(run(&three, "eth_call", &[Fails; 3]).ended, Conclusion::NoAnswer));
}

#[test]
fn one_known_to_be_behind_has_no_vote() {
    let receipt = Says(r#"{"transactionHash":"0x1"}"#);
    let three = quorum(3, 3, "");
    let method = "eth_getTransactionReceipt";
    let ran = run(&three, method, &[Lags, Lags, receipt]);
    assert!(matches!(ran.ended, Conclusion::Disagreed(_)), "two nulls of laggards are no null");
    let ran = run(&three, method, &[Lags, receipt, receipt]);
    assert!(answer(&ran).contains("0x1"));
    assert_eq!(ran.attempts[0], (0, Class::Outvoted, true));
}

#[test]
fn best_effort_gives_what_most_said_and_says_so() {
    let route = quorum(3, 3, r#","on_disagreement":"best_effort""#);
    let ran = run(&route, "eth_call", &[ONE, TWO, Fails]);
    assert!(matches!(&ran.ended, Conclusion::BestEffort(passed) if passed.answer == "\"0x1\""));
    assert_eq!(ran.fault, None);
    assert_eq!(answer(&run(&route, "eth_call", &[ONE, ONE, TWO])), "\"0x1\"");
}

#[test]
fn heads_are_those_that_enough_have_reached() {
    let three = quorum(3, 3, "");
    for (script, given) in [
        ([Says("\"0x5a\""), Says("\"0x64\""), Says("\"0x64\"")], "\"0x64\""),
        ([Says("\"0x64\""); 3], "\"0x64\""),
        ([Says("\"0x64\""), Says("\"0x65\""), Says("\"0x66\"")], "\"0x65\""),
        ([Says("\"0xffffff\""), Says("\"0x64\""), Says("\"0x63\"")], "\"0x64\""),
    ] {
        assert_eq!(answer(&run(&three, "eth_blockNumber", &script)), given, "{script:?}");
    }
    let ran =
        run(&three, "eth_blockNumber", &[Says("\"0x5a\""), Says("\"0x64\""), Says("\"0x64\"")]);
    assert_eq!(ran.attempts[0], (0, Class::Outvoted, true));
}

#[test]
fn methods_that_are_not_listed_are_asked_in_order() {
    let route =
        route(3, r#""mode":"quorum","quorum":{"threshold":2,"of":3,"methods":["eth_call"]}"#);
    let operation =
        |method, effect| Operation { protocol: Protocol::Evm, method, params: None, effect };
    assert!(route.compares(&operation("eth_call", Effect::Read)).is_some());
    assert!(route.compares(&operation("eth_getCode", Effect::Read)).is_none());
    assert!(route.compares(&operation("eth_call", Effect::Once)).is_none());
}

fn any_of() -> impl Strategy<Value = Does> {
    prop_oneof![
        3 => Just(ONE), 3 => Just(TWO), 1 => Just(THREE), 1 => Just(Says("null")),
        1 => Just(Reverts(r#"{"code":3,"message":"execution reverted","data":"0xaa"}"#)),
        2 => Just(Fails), 1 => Just(Refuses), 1 => Just(Throttles), 1 => Just(Lags), 1 => Just(Hangs),
    ]
}

proptest! {
    #[test]
    fn a_value_is_never_given_without_its_threshold_and_nobody_is_asked_twice(
        script in prop::collection::vec(any_of(), 5),
        of in 2usize..=5,
    ) {
        let ran = run(&quorum(5, of, ""), "eth_call", &script);
        let asked: String = ran.asked.chars().filter(|c| *c != '|').collect();
        let mut once: Vec<_> = asked.chars().collect();
        once.sort_unstable();
        once.dedup();
        prop_assert_eq!(once.len(), asked.len());
        if let Conclusion::Answer(passed) = &ran.ended {
            let said = |does: &Does| matches!(does, Says(text) | Reverts(text) if *text == passed.answer);
            let own = script.iter().filter(|does| said(does)).count();
            let refused = passed.answer.contains("-32602") || passed.answer.contains("-32005");
            prop_assert!(own >= 2 || refused, "{:?} of {script:?}", passed.answer);
        }
        prop_assert_eq!(&ran.asked, &run(&quorum(5, of, ""), "eth_call", &script).asked);
    }
}
