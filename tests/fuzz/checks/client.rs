//! What a caller sends: a body, a path, headers.

use std::borrow::Cow;

use breakwater::config::{Protocol, rehearsal};
use breakwater::json;
use breakwater::method::{
    self, Effect, Operation, block, effect, filter, local, pin, policy, raw_transaction,
};
use breakwater::rpc::call::{Body, Call, Refused, string};
use breakwater::rpc::reply::{self, Item, Picker, Said, ids_match};
use breakwater::rpc::request::{self, Outgoing, Rewritten};
use breakwater::rpc::splice::{Payload, answer};
use breakwater::verdict::looks_odd;
use breakwater::x402::payload::payload;
use serde_json::value::RawValue;

use super::scene::route;
use super::{door, id_of, is_json, is_within, pick, text, tree};

/// The first byte says what the others are.
pub fn check(data: &[u8]) {
    let (what, body) = (pick(data, 0), data.get(1..).unwrap_or_default());
    match what % 8 {
        0 => door::check(body),
        1 => filter_id(body),
        2 => one_payment(body),
        3 => order(body),
        _ => requests(body, [1, 3, 100][what % 3]),
    }
}

fn requests(body: &[u8], max: u32) {
    match Body::read(body, max) {
        Body::Single(call) => request(body, &call),
        Body::Batch(calls) => {
            assert!(!calls.is_empty());
            for call in &calls {
                request(body, call);
            }
            let calls: Vec<_> = calls.iter().filter_map(|call| call.as_ref().ok()).collect();
            assert!(calls.len() <= max as usize);
            together(&calls);
        }
    }
}

/// What was read is what was sent, and is answered under the id that was sent.
fn request(body: &[u8], call: &Result<Call<'_>, Refused<'_>>) {
    let call = match call {
        Ok(call) => call,
        Err(refused) => {
            let answer = refused.fault.body(refused.id);
            is_json(&answer);
            assert_eq!(id_of(&answer), refused.id);
            return;
        }
    };
    is_within(body, call.raw);
    if let Some(id) = call.id {
        is_within(body, id);
        assert_eq!(id_of(&answer(id, Payload::Result("1"))), id);
    }
    if let Some(tree) = tree(call.raw) {
        assert_eq!(tree["method"].as_str(), Some(&*call.method));
        assert_eq!(tree.get("id").is_some(), call.id.is_some());
        assert_eq!(
            tree.get("params").is_some_and(|params| !params.is_null()),
            call.params.is_some()
        );
    }
    operation(call);
    let _ = looks_odd(call.raw);
}

fn operation(call: &Call<'_>) {
    let (method, params) = (&*call.method, call.params);
    let effect = effect(method);
    let operation = Operation { protocol: Protocol::Evm, method, params, effect };
    let route = route("eth");
    let served = policy::served(&route.methods, method);
    assert!(
        !served
            || (method.len() <= 128 && method.is_ascii() && !method.contains(['"', '\\', '\n']))
    );
    if let Some(local) = local::answer(route, method) {
        is_json(&local);
    }
    let named = [block::lowest(&operation), block::highest(&operation)];
    if method != "eth_getLogs"
        && let [Some(low), Some(high)] = named
    {
        assert!(low <= high);
    }
    if let Some(hash) = raw_transaction::hash(&operation) {
        assert!(hash.len() == 66 && effect == Effect::Send);
    }
    let _ = (operation.transaction(), operation.is_pending_count(), operation.below_head());
    assert!(route.attempt_timeout_ms(method, effect) > 0);
    if let Some(pinned) = pin::pinned(&operation, 100) {
        is_json(&pinned);
        rewritten(call, &pinned);
    }
    if let Some((endpoint, params)) = filter::locate(route, params) {
        assert!(endpoint < route.endpoints.len());
        rewritten(call, &params);
    }
    assert_ne!(method::NO_LIMIT_MS, 0);
}

/// A call with other parameters is the same call.
fn rewritten(call: &Call<'_>, params: &str) {
    let other = Rewritten::new(call, params.to_owned());
    let sent = other.call(call);
    let Body::Single(Ok(read)) = Body::read(sent.raw.as_bytes(), 1) else { panic!("{}", sent.raw) };
    assert_eq!((read.method, read.params), (call.method.clone(), Some(params)));
    assert_eq!(read.id.unwrap_or("null"), call.id.unwrap_or("null"));
}

/// Calls that travel together: each is in the batch as it was, and each finds its own answer,
/// whatever order the answers come in.
fn together(calls: &[&Call<'_>]) {
    let (noted, asked): (Vec<&Call<'_>>, Vec<&Call<'_>>) =
        calls.iter().partition(|call| call.id.is_none());
    let Outgoing { body, ids } = request::batch(&asked, &noted);
    let sent: Vec<&RawValue> = serde_json::from_str(&body).unwrap();
    assert_eq!((sent.len(), ids.len()), (calls.len(), asked.len()));
    for (nth, raw) in sent.iter().enumerate() {
        let Body::Single(Ok(read)) = Body::read(raw.get().as_bytes(), 1) else { panic!("{raw}") };
        let call = asked.get(nth).or_else(|| noted.get(nth - asked.len())).unwrap();
        assert_eq!((&read.method, read.params), (&call.method, call.params));
        assert_eq!(read.id, ids.get(nth).map(String::as_str));
    }
    for (nth, id) in ids.iter().enumerate() {
        assert!(!ids.iter().skip(nth + 1).any(|other| ids_match(id, other)), "{id} is two calls'");
    }
    let answers =
        ids.iter().enumerate().map(|(nth, id)| answer(id, Payload::Result(&nth.to_string())));
    let mut answers: Vec<_> = answers.collect();
    is_found(&answers, &ids);
    answers.reverse();
    is_found(&answers, &ids);
    answers.pop();
    let text = format!("[{}]", answers.join(","));
    let reply::Body::Many(items) = reply::Body::read(text.as_bytes()) else { return };
    let picker = Picker::new(&items, &ids);
    assert!(
        ids.first().is_none_or(|id| picker.pick(id, 0).is_none()),
        "an answer that was not sent"
    );
}

fn is_found(answers: &[String], ids: &[String]) {
    let text = format!("[{}]", answers.join(","));
    let reply::Body::Many(items) = reply::Body::read(text.as_bytes()) else { panic!("{text}") };
    let picker = Picker::new(&items, ids);
    for (nth, id) in ids.iter().enumerate() {
        let Some(Item::Answer(found)) = picker.pick(id, nth) else { panic!("{id} has no answer") };
        assert!(matches!(&found.said, Said::Result(result) if result.get() == nth.to_string()));
    }
}

/// The id that a client gets for a filter leads back to the filter, at its endpoint.
fn filter_id(data: &[u8]) {
    let (route, result) = (route("eth"), text(data));
    let params = format!("[{result}]");
    if let Some((endpoint, params)) = filter::locate(route, Some(&params)) {
        is_json(&params);
        assert!(endpoint < route.endpoints.len());
    }
    let Some(id) = string(result).filter(|_| serde_json::from_str::<&RawValue>(result).is_ok())
    else {
        return;
    };
    for endpoint in 0..route.endpoints.len() {
        let Some(made) = filter::encode(route, endpoint, result) else {
            assert!(!filter::is_id(result));
            continue;
        };
        is_json(&made);
        let (found, params) = filter::locate(route, Some(&format!("[{made}]"))).unwrap();
        assert_eq!((found, params), (endpoint, format!("[{}]", json::text(&&*id))));
        assert!(filter::is_id(&made) && !made.bytes().any(|byte| byte.is_ascii_uppercase()));
    }
    assert!(filter::encode(route, route.endpoints.len(), result).is_none());
}

/// A payment is known by bytes of the body, and a body has one.
fn one_payment(body: &[u8]) {
    let Some(found) = payload(body) else { return };
    is_within(body, found);
    is_json(found);
    let whole = text(body);
    assert!(found.starts_with('{'));
    if let Some(tree) = tree(whole) {
        assert_eq!(Some(&tree["paymentPayload"]), super::tree(found).as_ref());
    }
    let again = format!(r#"{{"paymentPayload":{found}}}"#);
    assert_eq!(payload(again.as_bytes()), Some(found));
}

/// An operator's order is one within its limits, or a sentence.
fn order(body: &[u8]) {
    match rehearsal(text(body)) {
        Ok(order) => assert!((1..=600_000).contains(&order.for_ms) && order.value <= 1_000_000_000),
        Err(why) => assert!(why.starts_with("fault") && !why.contains('\n'), "{why}"),
    }
    let _: Cow<'_, str> = String::from_utf8_lossy(body);
}
