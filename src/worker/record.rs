//! Tells the isolate's book what an upstream request showed, and the log what came of that.

use super::judge::Judged;
use super::parcel::{Delivered, Held, Item};
use super::visit::Visit;
use super::{clock, log, replies};
use crate::config::Route;
use crate::http::client::client;
use crate::state::event;
use crate::state::isolate::{Finished, Item as Counted, News};
use crate::state::region::Logged;

/// Records a parcel that came back and was judged.
pub(super) fn parcel(
    visit: &Visit,
    route: &Route,
    items: &[Item<'_>],
    delivered: &Delivered,
    judged: &[Judged],
) {
    let counted: Vec<_> = judged
        .iter()
        .filter_map(|judged| {
            let method = items.get(judged.item)?.operation.method;
            Some(Counted { method, verdict: judged.verdict })
        })
        .collect();
    let (parcel, arrival) = (&delivered.parcel, &delivered.arrival);
    let Some(grant) = parcel.grant else {
        return;
    };
    let finished = Finished {
        endpoint: parcel.endpoint,
        grant,
        status: arrival.status,
        ms: arrival.ms,
        items: &counted,
    };
    note_replies(visit, route, items, delivered, judged);
    self::finished(visit, route, finished);
}

/// Records an upstream request that came back.
pub(super) fn finished(visit: &Visit, route: &Route, finished: Finished<'_>) {
    let (now, draw, index) = (clock::now(), clock::draw(), visit.isolate.index(route));
    let news = visit.isolate.book(index, |book| book.record(finished, &route.breaker, now, draw));
    let name = route.endpoints.get(finished.endpoint).map(|e| &*e.name);
    for news in news.unwrap_or_default() {
        tell(visit, route, &news, name.unwrap_or_default());
    }
}

/// Error replies, for the operator to look at.
fn note_replies(
    visit: &Visit,
    route: &Route,
    items: &[Item<'_>],
    delivered: &Delivered,
    judged: &[Judged],
) {
    let index = visit.isolate.index(route);
    for judged in judged {
        let Some(item) = items.get(judged.item) else { continue };
        let error = judged.held.as_ref().filter(|held| held.is_error);
        let member = error.map(Held::payload);
        let (method, verdict) = (item.operation.method, &judged.verdict);
        let reply = replies::reply(route, &delivered.arrival, method, verdict, member);
        if let Some(reply) = reply {
            visit.isolate.book(index, |book| book.note_reply(delivered.parcel.endpoint, reply));
        }
    }
}

/// Remembers who took which transaction of whom.
pub(super) fn writes(visit: &Visit, route: &Route, items: &[Item<'_>]) {
    let (now, index) = (clock::now(), visit.isolate.index(route));
    for item in items {
        let Some((hash, endpoint)) = item.tx_hash.as_ref().zip(item.exchange.taken_by()) else {
            continue;
        };
        let address = visit.header("cf-connecting-ip");
        let sender = address.and_then(|address| client(&address, route));
        visit.isolate.book(index, |book| book.note_write(hash, endpoint, sender, now));
    }
}

fn tell(visit: &Visit, route: &Route, news: &News, endpoint: &str) {
    match news {
        News::Moved(it) => moved(visit, route, it),
        News::Account => {
            log::alert(visit, route, Some(endpoint), "account trouble: key, plan or quota");
        }
        News::WrongChain => log::alert(visit, route, Some(endpoint), event::WRONG_CHAIN),
    }
}

/// A breaker of the isolate's own is an event only where no region's object tells of it.
pub(super) fn moved(visit: &Visit, route: &Route, moved: &Logged) {
    if visit.line(route).is_none() {
        log::print(&event::breaker(&route.name, moved));
    }
}
