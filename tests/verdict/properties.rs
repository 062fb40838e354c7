//! What holds for every answer there is.

use breakwater::config::RpcErrors;
use breakwater::method::Effect;
use breakwater::verdict::{Context, Failure, Next, Signal, Verdict};
use proptest::prelude::*;

use crate::case::{Case, answer};
use crate::hostile::WORDS;

const METHODS: &[&str] = &[
    "eth_call",
    "eth_getLogs",
    "eth_blockNumber",
    "eth_getBlockByNumber",
    "eth_getTransactionReceipt",
    "eth_sendRawTransaction",
    "eth_sendRawTransactionSync",
    "eth_sendTransaction",
    "debug_traceTransaction",
    "anvil_mine",
];

const FAILURES: &[Failure] = &[
    Failure::Network,
    Failure::Timeout,
    Failure::BodyBroken,
    Failure::BodyTimeout,
    Failure::TooLarge,
    Failure::NotSent,
    Failure::ClientGone,
];

fn effects() -> impl Strategy<Value = Effect> {
    prop::sample::select(vec![Effect::Read, Effect::Send, Effect::Once])
}

fn settings() -> impl Strategy<Value = RpcErrors> {
    prop::sample::select(vec![RpcErrors::Declined, RpcErrors::Never, RpcErrors::Lenient])
}

fn statuses() -> impl Strategy<Value = u16> {
    prop_oneof![Just(200), 200_u16..600, any::<u16>()]
}

/// Some words of trouble among others.
fn texts() -> impl Strategy<Value = String> {
    ("[ -~]{0,12}", prop::sample::select(WORDS), "[ -~]{0,12}")
        .prop_map(|(before, words, after)| format!("{before}{words}{after}"))
}

fn codes() -> impl Strategy<Value = i64> {
    prop_oneof![
        prop::sample::select(vec![3, 4, 429, 4444, -32000, -32001, -32002, -32003, -32005]),
        -32_800_i64..-31_900,
        any::<i64>(),
    ]
}

/// Bodies near enough to JSON-RPC to reach every table.
fn bodies() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        prop::collection::vec(any::<u8>(), 0..200),
        (codes(), texts()).prop_map(|(code, text)| {
            answer(&serde_json::json!({ "code": code, "message": text }).to_string())
        }),
        texts().prop_map(|text| serde_json::json!({ "jsonrpc": "2.0", "result": text })
            .to_string()
            .into_bytes()),
        texts().prop_map(|text| serde_json::json!({ "error": text }).to_string().into_bytes()),
        texts().prop_map(String::into_bytes),
        "[\\[\\]{}\":,a-z0-9nulre]{0,60}".prop_map(String::into_bytes),
    ]
}

fn stays(verdict: &Verdict) -> bool {
    matches!(verdict.next, Next::Return | Next::Unknown | Next::Stop)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_must_not_be_repeated_goes_nowhere_else(
        body in bodies(),
        status in statuses(),
        method in prop::sample::select(METHODS),
        rpc_errors in settings(),
        earlier_ambiguous in any::<bool>(),
        retry_after in "[ -~]{0,30}",
    ) {
        let mut case = Case::new(method, &body).at(status).rpc_errors(rpc_errors).effect(Effect::Once);
        case.context.earlier_ambiguous = earlier_ambiguous;
        case.reply.retry_after = Some(&retry_after);
        prop_assert!(stays(&case.judge()), "{:?}", case.judge());
        prop_assert!(stays(&case.judge_for_batch()));
        let settle = Case::x402("settle", &body).at(status);
        prop_assert!(matches!(settle.judge().next, Next::Return | Next::Unknown));
    }

    #[test]
    fn every_answer_gets_a_verdict_fit_for_its_effect(
        body in bodies(),
        status in statuses(),
        method in prop::sample::select(METHODS),
        effect in effects(),
        rpc_errors in settings(),
        heads in any::<[Option<u64>; 3]>(),
    ) {
        let [block, known_head, endpoint_head] = heads;
        let context = Context { block, known_head, endpoint_head, ..Context::default() };
        let case = Case::new(method, &body).at(status).effect(effect).rpc_errors(rpc_errors).knowing(context);
        for verdict in [case.judge(), case.judge_for_batch()] {
            match effect {
                Effect::Read => prop_assert!(!matches!(verdict.next, Next::Resend | Next::Accepted | Next::CheckHash | Next::Unknown)),
                Effect::Send => prop_assert!(verdict.next != Next::Unknown),
                Effect::Once => prop_assert!(stays(&verdict)),
            }
            prop_assert!(verdict.next != Next::Return || verdict.signal != Signal::Failure || rpc_errors == RpcErrors::Never);
        }
    }

    #[test]
    fn a_revert_counts_against_nobody(
        code in codes(),
        text in texts(),
        words in prop::collection::vec(any::<[u8; 32]>(), 1..4),
        selector in any::<[u8; 4]>(),
        status in 200_u16..300,
        effect in effects(),
        nested in any::<bool>(),
    ) {
        let bytes: Vec<u8> = selector.into_iter().chain(words.into_iter().flatten()).collect();
        let hex = alloy_primitives::hex::encode_prefixed(bytes);
        let data = if nested { serde_json::json!({ "data": hex }) } else { serde_json::json!(hex) };
        let error = serde_json::json!({ "code": code, "message": text, "data": data });
        let body = answer(&error.to_string());
        for status in [status, 400, 403, 429, 500, 503] {
            let verdict = Case::new("eth_call", &body).at(status).effect(effect).judge();
            prop_assert_eq!(verdict.next, Next::Return);
            prop_assert_eq!(verdict.signal, Signal::Success);
        }
    }

    #[test]
    fn text_in_error_data_changes_nothing(
        code in codes().prop_filter("there a string is a revert", |code| *code != -32015),
        text in "[ -~]{0,40}",
        data in texts(),
        status in statuses(),
        effect in effects(),
    ) {
        let with = |data: Option<&str>| {
            let error = match data {
                Some(data) => serde_json::json!({ "code": code, "message": text, "data": data }),
                None => serde_json::json!({ "code": code, "message": text }),
            };
            let body = answer(&error.to_string());
            Case::new("eth_call", &body).at(status).effect(effect).judge()
        };
        prop_assert_eq!(with(None), with(Some(&data)));
    }

    #[test]
    fn what_the_caller_wrote_counts_against_nobody(
        words in prop::sample::select(WORDS),
        code in prop::sample::select(vec![-32000_i64, -32602, 0, 1001]),
        status in prop::sample::select(vec![200_u16, 400, 422]),
    ) {
        let params = serde_json::json!([words]).to_string();
        let error = serde_json::json!({ "code": code, "message": format!("bad value: {words}") });
        let body = answer(&error.to_string());
        let verdict = Case::new("eth_call", &body).at(status).params(&params).judge();
        prop_assert!(!crate::hostile::counts_against(&verdict), "{:?}", verdict);
    }

    #[test]
    fn a_lost_attempt_is_ambiguous_unless_it_never_left(
        failure in prop::sample::select(FAILURES),
        method in prop::sample::select(METHODS),
    ) {
        let next = Case::new(method, b"").effect(Effect::Once).fail(failure).next;
        let expected = if failure == Failure::NotSent { Next::Stop } else { Next::Unknown };
        prop_assert_eq!(next, expected);
    }
}
