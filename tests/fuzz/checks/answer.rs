//! What an upstream answers: its bytes, the verdict on them, what is passed on.

use breakwater::config::{Protocol, RpcErrors};
use breakwater::method::{Effect, Operation, block, effect, raw_transaction};
use breakwater::quorum;
use breakwater::rpc::reply::{Answer, Body, ErrorObject, Item, Picker, Said};
use breakwater::rpc::splice::{Payload, answer, begin_of_result};
use breakwater::rpc::{begin, reply::excerpt};
use breakwater::verdict::retry_after;
use breakwater::verdict::{
    Context, Next, Outcome, Part, Policy, Reply, Signal, Verdict, agrees, judge, judge_part,
    unverified,
};
use breakwater::x402::answer::{transaction, unknown};
use breakwater::x402::call::Call;

use super::scene::{NOW, config};
use super::{exchange, fields, id_of, is_json, is_within, leak, one_of, pick, text, tree};

const METHODS: [&str; 16] = [
    "eth_call",
    "eth_getLogs",
    "eth_blockNumber",
    "eth_chainId",
    "net_version",
    "eth_getBlockByNumber",
    "eth_getTransactionReceipt",
    "eth_getBalance",
    "eth_newFilter",
    "eth_estimateGas",
    "eth_sendRawTransaction",
    "eth_sendRawTransactionSync",
    "eth_sendTransaction",
    "debug_traceTransaction",
    "anvil_mine",
    "eth_sendUserOperation",
];
const STATUSES: [u16; 20] = [
    200, 201, 204, 206, 301, 304, 400, 401, 402, 403, 404, 408, 413, 422, 429, 500, 502, 503, 529,
    599,
];
const ERRORS: [RpcErrors; 3] = [RpcErrors::Declined, RpcErrors::Never, RpcErrors::Lenient];

/// `facts`, `Retry-After`, parameters, the caller's id and the body, zero bytes between them.
pub fn check(data: &[u8]) {
    let [facts, wait, params, id, body] = fields(data);
    match pick(facts, 0) % 4 {
        0 => leak::check(wait, body),
        1 => exchange::check(facts, params, body),
        2 => facilitator(facts, text(wait), body),
        _ => node(facts, text(wait), (text(params), text(id)), body),
    }
}

fn reply<'a>(facts: &[u8], wait: &'a str, body: &'a [u8]) -> Reply<'a> {
    let status = if pick(facts, 2) > 250 {
        u16::from_be_bytes([2, facts[1]])
    } else {
        *one_of(&STATUSES, facts, 1)
    };
    let edge_error = (pick(facts, 3) & 1 == 1).then_some("1015");
    Reply { status, retry_after: Some(wait).filter(|wait| !wait.is_empty()), edge_error, body }
}

fn policy(facts: &[u8]) -> Policy<'static> {
    let guarded = config().route("guarded").unwrap();
    let rules = if pick(facts, 3) & 2 == 2 { &*guarded.rules } else { &[] };
    Policy { rpc_errors: *one_of(&ERRORS, facts, 4), rules, endpoint: "alpha" }
}

fn node(facts: &[u8], wait: &str, (params, id): (&str, &str), body: &[u8]) {
    let method = *one_of(&METHODS, facts, 5);
    let params = Some(params).filter(|params| !params.is_empty() && tree(params).is_some());
    let id =
        if tree(id).is_some_and(|id| !id.is_array() && !id.is_object()) { id.trim() } else { "1" };
    let operation = Operation { protocol: Protocol::Evm, method, params, effect: effect(method) };
    let hash = raw_transaction::hash(&operation);
    let heads = |at| (pick(facts, at) > 127).then(|| pick(facts, at) as u64);
    let context = Context {
        now: NOW,
        id: Some(id),
        earlier_ambiguous: pick(facts, 3) & 4 == 4,
        odd: pick(facts, 3) & 8 == 8,
        accepted_elsewhere: pick(facts, 3) & 16 == 16,
        chain_id: Some(1),
        network_id: Some(1),
        tx_hash: hash.as_deref(),
        known_head: heads(6),
        endpoint_head: heads(7),
        block: block::highest(&operation),
        ..Context::default()
    };
    let (reply, policy) = (reply(facts, wait, body), policy(facts));
    let verdict = judge(&operation, &Outcome::Replied(reply), &context, &policy);
    fits(&verdict, &operation, &reply, &policy);
    assert_eq!(judge(&operation, &Outcome::Replied(reply), &context, &policy), verdict);
    let read = Body::read(body);
    let in_batch = |part| judge_part(&operation, &reply, part, &context, &policy);
    fits(&in_batch(Part::Batch(&read)), &operation, &reply, &policy);
    fits(&in_batch(Part::Missing), &operation, &reply, &policy);
    match &read {
        Body::One(one) => passed_on(body, one, id, &operation, &verdict),
        Body::Many(items) => {
            for item in items {
                let verdict = in_batch(Part::Item(item));
                fits(&verdict, &operation, &reply, &policy);
                if let Item::Answer(one) = item {
                    passed_on(body, one, id, &operation, &verdict);
                }
            }
            nobody_elses(items, id);
        }
        Body::Empty | Body::Html | Body::Cut | Body::Text | Body::Foreign => {}
    }
    begins(body, &read);
    let _ = excerpt::of_body(body, &["hunter2hunter2"]);
}

/// What no verdict may say, whatever the answer.
#[track_caller]
fn fits(verdict: &Verdict, operation: &Operation<'_>, reply: &Reply<'_>, policy: &Policy<'_>) {
    let own = !policy.rules.is_empty();
    match operation.effect {
        Effect::Read => assert!(
            own || !matches!(
                verdict.next,
                Next::Resend | Next::Accepted | Next::CheckHash | Next::Unknown
            ),
            "{verdict:?}"
        ),
        Effect::Send => assert_ne!(verdict.next, Next::Unknown, "{verdict:?}"),
        Effect::Once => assert!(
            matches!(verdict.next, Next::Return | Next::Unknown | Next::Stop),
            "{verdict:?}"
        ),
    }
    let handed_out = verdict.next == Next::Return && verdict.signal == Signal::Failure;
    assert!(own || policy.rpc_errors == RpcErrors::Never || !handed_out, "{verdict:?}");
    if let Signal::Throttled { retry_after_ms } | Signal::Account { retry_after_ms } =
        verdict.signal
    {
        let asked = reply.retry_after.and_then(|wait| retry_after::parse(wait, NOW));
        assert!(retry_after_ms.is_none_or(|ms| ms > 0) && (own || retry_after_ms == asked));
    }
}

/// What reaches the client is a piece of the body under the caller's id.
fn passed_on(
    body: &[u8],
    one: &Answer<'_>,
    id: &str,
    operation: &Operation<'_>,
    verdict: &Verdict,
) {
    let (payload, is_error) = match &one.said {
        Said::Result(result) => {
            is_within(body, result.get());
            (Payload::Result(result.get()), false)
        }
        Said::Error(error) => {
            if let std::borrow::Cow::Borrowed(legal) = error.legal() {
                is_within(body, legal);
            }
            return error_passed_on(error, id);
        }
        Said::Malformed => return,
    };
    let told = answer(id, payload);
    is_json(&told);
    assert_eq!(id_of(&told), id);
    let Payload::Result(result) = payload else { return };
    let paper = quorum::paper(operation.method, result, is_error, verdict);
    let spaced = tree(result).map(|tree| format!(" {tree} "));
    if spaced.as_deref() == Some(&*format!(" {result} ")) {
        let again = quorum::paper(
            operation.method,
            spaced.as_deref().unwrap_or_default().trim(),
            is_error,
            verdict,
        );
        assert_eq!(format!("{paper:?}"), format!("{again:?}"));
    }
    let _ = block::shown_head(operation, result);
}

fn error_passed_on(error: &ErrorObject<'_>, id: &str) {
    let legal = error.legal();
    let told = answer(id, Payload::Error(&legal));
    is_json(&told);
    assert_eq!(id_of(&told), id);
    if let Some(tree) = tree(&legal) {
        // A tree has -0 as a fraction.
        let whole = tree["code"].as_f64().is_some_and(|code| code.fract() == 0.0);
        assert!(whole && tree["message"].is_string(), "{legal}");
    }
}

/// No answer is given to two callers whose ids no reader could mix up.
fn nobody_elses(items: &[Item<'_>], id: &str) {
    let mut ids: Vec<String> = vec![id.to_owned()];
    for item in items.iter().take(20) {
        if let Item::Answer(Answer { id: Some(id), .. }) = item {
            let alike = ids.iter().any(|own| breakwater::rpc::reply::ids_match(own, id.get()));
            if !alike {
                ids.push(id.get().to_owned());
            }
        }
    }
    let picker = Picker::new(items, &ids);
    let mut taken: Vec<*const Item<'_>> = Vec::new();
    for (nth, id) in ids.iter().enumerate() {
        if let Some(found @ Item::Answer(_)) = picker.pick(id, nth) {
            assert!(!taken.contains(&std::ptr::from_ref(found)), "{id} gets what is another's");
            taken.push(std::ptr::from_ref(found));
        }
    }
}

/// The beginning of a large answer says the same as the whole of it.
fn begins(body: &[u8], read: &Body<'_>) {
    let Some(begin) = begin::read(body) else { return };
    assert!(begin.result_at < body.len());
    let Body::One(Answer { id, said: Said::Result(result) }) = read else { return };
    let at = result.get().as_ptr() as usize - body.as_ptr() as usize;
    assert_eq!(begin.result_at, at);
    if let Some(early) = begin.id.filter(|early| *early != "null") {
        assert_eq!(id.map(breakwater::json::scan::Span::get), Some(early));
        is_json(text(&begin_of_result("7", &body[at..])));
    }
}

fn facilitator(facts: &[u8], wait: &str, body: &[u8]) {
    let call = *one_of(
        &[Call::Verify, Call::Settle, Call::Supported, Call::Resources, Call::Search],
        facts,
        5,
    );
    let operation = call.operation();
    let (reply, policy) = (reply(facts, wait, body), policy(facts));
    let context = Context {
        now: NOW,
        earlier_ambiguous: pick(facts, 3) & 4 == 4,
        caller_credentials: pick(facts, 3) & 8 == 8,
        ..Context::default()
    };
    let verdict = judge(&operation, &Outcome::Replied(reply), &context, &policy);
    fits(&verdict, &operation, &reply, &policy);
    assert!(
        !agrees(&operation, body)
            || tree(text(body)).is_none_or(|body| {
                body["isValid"].as_bool().or(body["success"].as_bool()) == Some(true)
            })
    );
    let after = unverified(&verdict);
    assert!(matches!(after.next, Next::Advance | Next::Stop));
    if let Some(found) = transaction(body) {
        is_within(body, found);
    }
    let told = unknown("timeout", &[], transaction(body));
    let told = text(&told);
    is_json(told);
    assert!(tree(told).unwrap().get("success").is_none());
}
