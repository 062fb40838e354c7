//! Tells the isolate's book what an upstream request showed, and the log what came of that.

use super::judge::Judged;
use super::parcel::{Delivered, Item};
use super::visit::Visit;
use super::{clock, log};
use crate::config::Route;
use crate::http::client::client;
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
    let Some(permit) = parcel.permit else {
        return;
    };
    let finished = Finished {
        endpoint: parcel.endpoint,
        permit,
        status: arrival.status,
        ms: arrival.ms,
        items: &counted,
    };
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
            log::alert(&route.name, Some(endpoint), "account trouble: key, plan or quota");
        }
        News::WrongChain => log::alert(&route.name, Some(endpoint), "serves another chain"),
    }
}

/// A breaker of the isolate's own is an event only where no region's object tells of it.
pub(super) fn moved(visit: &Visit, route: &Route, moved: &Logged) {
    if visit.line(route).is_none() {
        log::breaker(&route.name, moved);
    }
}
