//! JSON-RPC over POST: reads the body, answers what needs no endpoint, drives the rest.

use std::pin::Pin;
use std::rc::Rc;

use js_sys::Uint8Array;
use worker::web_sys::Response;

use super::agree;
use super::answer::{self, Settled};
use super::body::{self, Unread};
use super::clock;
use super::drive::Drive;
use super::notify;
use super::outlive;
use super::parcel::Item;
use super::promised::Promised;
use super::rate::{self, Gate};
use super::render::{self, Reply};
use super::respond;
use super::visit::Visit;
use crate::config::{Mode, Route};
use crate::http::client::client;
use crate::method::{Effect, Operation, effect, filter, local, policy};
use crate::rpc::call::{Body, Call, Refused};
use crate::rpc::fault::Fault;
use crate::rpc::request::Rewritten;
use crate::select::{Bond, weighted};
use crate::state::isolate::Book;

/// A refused request is read only so far, to find its id.
const REFUSED_MAX_BYTES: u64 = 65_536;

/// What the client gets for one request of its body.
enum Slot<'a> {
    /// Known without an endpoint.
    Ready { id: &'a str, reply: Reply },
    /// Known when the item with this index is concluded.
    Asked { id: &'a str, item: usize },
    /// A notification: nothing.
    Silent,
}

/// Serves a POST on a route.
pub(super) async fn serve(
    visit: &Rc<Visit>,
    route: &Route,
    gate: Option<Gate>,
) -> worker::Result<Response> {
    // Who is over his limit already may keep his body to himself.
    if let Err(fault) = rate::pass(gate.as_ref(), visit, route, 1).await {
        return refuse(visit, &fault).await;
    }
    let max = route.limits.body_max_bytes;
    let bytes = match read(visit, max).await {
        Ok(bytes) => bytes,
        Err(Unread::TooLarge) => {
            return respond::fault(visit, &Fault::BodyTooLarge { max }, "null", Vec::new());
        }
        Err(Unread::Broken(reason)) => return Err(reason.into()),
    };
    let body = Body::read(&bytes, route.limits.batch_max);
    let (reads_only, calls) = look_over(&body);
    let more = calls.saturating_sub(1);
    if let Err(fault) = rate::pass(gate.as_ref(), visit, route, more).await {
        return respond::fault(visit, &fault, "null", Vec::new());
    }
    if reads_only {
        return answer(visit, route, &body).await;
    }
    drop(body);
    to_the_end(visit, route, bytes).await
}

/// An own error for the whole request, under the id of the call that it carries, if it is one.
pub(super) async fn refuse(visit: &Visit, fault: &Fault) -> worker::Result<Response> {
    let bytes = match visit.heading().method() {
        "POST" => read(visit, REFUSED_MAX_BYTES).await.unwrap_or_default(),
        _ => Vec::new(),
    };
    let id = match Body::read(&bytes, 0) {
        Body::Single(Ok(call)) => call.id.unwrap_or("null"),
        Body::Single(Err(refused)) => refused.id,
        Body::Batch(_) => "null",
    };
    respond::fault(visit, fault, id, Vec::new())
}

pub(super) async fn read(visit: &Visit, max: u64) -> Result<Vec<u8>, Unread> {
    let request = visit.request();
    if visit.heading().length().is_some_and(|length| length <= max) {
        let buffer = Promised::of(&request.array_buffer()?).await?;
        return Ok(Uint8Array::new(&buffer).to_vec());
    }
    match request.body() {
        Some(stream) => body::read(&stream, max).await,
        None => Ok(Vec::new()),
    }
}

/// Whether nothing in it does more than read, and how many calls it makes.
fn look_over(body: &Body<'_>) -> (bool, usize) {
    let is_read = |call: &Result<Call<'_>, Refused<'_>>| {
        call.as_ref().map_or(true, |call| effect(&call.method) == Effect::Read)
    };
    match body {
        Body::Single(call) => (is_read(call), 1),
        Body::Batch(calls) => (calls.iter().all(is_read), calls.len()),
    }
}

/// A send goes on to its end even when the client has gone.
async fn to_the_end(visit: &Rc<Visit>, route: &Route, bytes: Vec<u8>) -> worker::Result<Response> {
    let (shared, index) = (Rc::clone(visit), visit.isolate.index(route));
    let work = async move {
        let isolate = Rc::clone(&shared.isolate);
        let Some(route) = isolate.config.routes.get(index) else {
            return Err(worker::Error::from("no such route"));
        };
        let body = Body::read(&bytes, route.limits.batch_max);
        answer(&shared, route, &body).await
    };
    outlive::client(visit, Box::pin(work)).await
}

/// Boxed: the future is large, and both ways of running it share one copy of its code.
fn answer<'v>(
    visit: &'v Rc<Visit>,
    route: &'v Route,
    body: &'v Body<'v>,
) -> Pin<Box<dyn Future<Output = worker::Result<Response>> + 'v>> {
    Box::pin(answer_all(visit, route, body))
}

async fn answer_all(visit: &Rc<Visit>, route: &Route, body: &Body<'_>) -> worker::Result<Response> {
    let (calls, single) = match body {
        Body::Single(call) => (std::slice::from_ref(call), true),
        Body::Batch(calls) => (calls.as_slice(), false),
    };
    let room = calls.len();
    let (mut slots, mut items) = (Vec::with_capacity(room), Vec::with_capacity(room));
    let mut riders = Vec::new();
    for call in calls {
        slots.push(sort(visit, route, call, &mut items, &mut riders));
    }
    if items.is_empty() {
        notify::forward(visit, route, &riders);
        riders.clear();
    }
    let key = caller_key(visit, route);
    for item in &mut items {
        // What is compared has to be read.
        item.alone = single && !item.exchange.compares();
        item.exchange.ask_for(key);
    }
    let agreed = agree::on_head(visit, route, &items).await;
    let pins = agree::pins(&items, &agreed);
    let mut drive = Drive::new(visit, route, agree::pin(items, &pins, &agreed));
    drive.go_on(agreed.trace);
    drive.riders = riders;
    drive.run().await;
    let (items, mut trace) = (drive.items, drive.trace);
    let replies: Vec<_> =
        items.into_iter().map(|item| render::conclude(visit, route, item, &mut trace)).collect();
    let mut replies: Vec<_> = replies.into_iter().map(Some).collect();
    let settled: Vec<_> = slots.into_iter().filter_map(|slot| slot.settle(&mut replies)).collect();
    answer::give(visit, route, single, &settled, &trace)
}

/// In weighted mode a caller is served by one endpoint for a while; one without an address by any.
fn caller_key(visit: &Visit, route: &Route) -> u64 {
    if route.mode != Mode::Weighted {
        return 0;
    }
    let address = visit.header("cf-connecting-ip");
    let caller = address.and_then(|address| client(&address, route));
    let caller = caller.and_then(|caller| u64::from_str_radix(&caller, 16).ok());
    weighted::key(caller.unwrap_or_else(|| clock::draw().to_bits()), clock::now())
}

/// Sorts a request: answered at once, to be asked, or to be forwarded without an answer.
fn sort<'a>(
    visit: &Visit,
    route: &Route,
    call: &'a Result<Call<'a>, Refused<'a>>,
    items: &mut Vec<Item<'a>>,
    riders: &mut Vec<&'a Call<'a>>,
) -> Slot<'a> {
    let call = match call {
        Ok(call) => call,
        Err(refused) => {
            return Slot::Ready { id: refused.id, reply: Reply::Fault(refused.fault.clone()) };
        }
    };
    let served = policy::served(&route.methods, &call.method);
    let Some(id) = call.id else {
        // Nobody reads what becomes of a filter then, and it would have to go to its own endpoint.
        let forwarded = local::answer(route, &call.method).is_none() && !filter::uses(&call.method);
        if served && forwarded {
            riders.push(call);
        }
        return Slot::Silent;
    };
    if !served {
        return Slot::Ready { id, reply: Reply::Fault(Fault::MethodRefused) };
    }
    if let Some(result) = local::answer(route, &call.method) {
        return Slot::Ready { id, reply: Reply::Local(result) };
    }
    let item = item(visit, route, call);
    if !filter::uses(&call.method) {
        items.push(item);
    } else if let Some((endpoint, params)) = filter::locate(route, call.params) {
        items.push(item.bound(endpoint, params));
    } else {
        return Slot::Ready { id, reply: render::no_filter(&call.method) };
    }
    Slot::Asked { id, item: items.len() - 1 }
}

fn item<'a>(visit: &Visit, route: &Route, call: &'a Call<'a>) -> Item<'a> {
    let item = Item::new(route, call, visit.arrived);
    if item.operation.effect != Effect::Read {
        return item;
    }
    let (now, index) = (clock::now(), visit.isolate.index(route));
    let ask = |book: &mut Book| book.accepted_at(&item.operation, now);
    let accepted_at = visit.isolate.book(index, ask).flatten();
    let bond = match accepted_at.or_else(|| last_send_at(visit, route, &item.operation)) {
        Some(endpoint) => Bond::Prefers(endpoint),
        None => return item,
    };
    Item { accepted_at, exchange: item.exchange.bonded(bond), ..item }
}

/// For the next nonce: where the same client's last transaction is.
fn last_send_at(visit: &Visit, route: &Route, operation: &Operation<'_>) -> Option<usize> {
    if !operation.is_pending_count() {
        return None;
    }
    let sender = client(&visit.header("cf-connecting-ip")?, route)?;
    let ask = |book: &mut Book| book.last_send_at(&sender, clock::now());
    visit.isolate.book(visit.isolate.index(route), ask).flatten()
}

impl Item<'_> {
    /// The same at the only endpoint that can answer, in its words.
    fn bound(self, endpoint: usize, params: String) -> Self {
        let rewritten = Some(Rewritten::new(self.call, params));
        Self { rewritten, exchange: self.exchange.bonded(Bond::Only(endpoint)), ..self }
    }
}

impl<'a> Slot<'a> {
    fn settle(self, replies: &mut [Option<Reply>]) -> Option<Settled<'a>> {
        match self {
            Self::Ready { id, reply } => Some(Settled { id, reply }),
            Self::Asked { id, item } => {
                let reply = replies.get_mut(item).and_then(Option::take);
                Some(Settled { id, reply: reply.unwrap_or(Reply::Fault(Fault::Internal)) })
            }
            Self::Silent => None,
        }
    }
}
