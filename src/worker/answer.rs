//! What the client reads: one reply, or an array of them.

use worker::web_sys::Response;

use super::render::Reply;
use super::respond::{self, Headers};
use super::visit::Visit;
use crate::config::Route;
use crate::http::headers::{self, Trace};
use crate::rpc::splice;

/// One request's answer with its caller's id.
pub(super) struct Settled<'a> {
    pub(super) id: &'a str,
    pub(super) reply: Reply,
}

/// The answer to a single call, or to a batch.
pub(super) fn give(
    visit: &Visit,
    route: &Route,
    single: bool,
    settled: &[Settled<'_>],
    trace: &Trace,
) -> worker::Result<Response> {
    let headers = headers::explain(route, trace);
    match settled.first() {
        None => respond::empty(visit, 204, &headers),
        Some(only) if single => one(visit, route, only, headers),
        Some(_) => many(visit, route, settled, &headers),
    }
}

fn one(
    visit: &Visit,
    route: &Route,
    Settled { id, reply }: &Settled<'_>,
    headers: Headers,
) -> worker::Result<Response> {
    match reply {
        Reply::Fault(fault) => respond::fault(visit, fault, id, headers),
        Reply::Held(_) | Reply::Hash(_) | Reply::Local(_) => {
            let kind = reply.content_type();
            if let Some((begin, tail)) = reply.large(id) {
                let index = visit.isolate.index(route);
                return respond::large(visit, index, &begin, tail.clone(), kind, &headers);
            }
            if let Some(body) = reply.untouched(route) {
                return respond::relay(visit, &body, kind, &headers);
            }
            respond::answer(visit, 200, reply.text(route, id).as_bytes(), kind, &headers)
        }
    }
}

fn many(
    visit: &Visit,
    route: &Route,
    settled: &[Settled<'_>],
    headers: &Headers,
) -> worker::Result<Response> {
    if let Some(body) = untouched(settled) {
        return respond::json(visit, 200, body, headers);
    }
    let texts: Vec<_> = settled.iter().map(|item| item.reply.text(route, item.id)).collect();
    respond::json(visit, 200, format!("[{}]", texts.join(",")).as_bytes(), headers)
}

/// An upstream's array that is all the client asked for, as it would be put together here.
fn untouched<'s>(settled: &'s [Settled<'_>]) -> Option<&'s [u8]> {
    let body = settled.first()?.reply.result()?.body.as_ref();
    let place = |item: &Settled<'s>| {
        let held = item.reply.result().filter(|held| std::ptr::eq(held.body.as_ref(), body))?;
        Some((item.id, held.payload.clone()))
    };
    let results: Option<Vec<_>> = settled.iter().map(place).collect();
    splice::is_batch(body, &results?).then_some(body.as_slice())
}
