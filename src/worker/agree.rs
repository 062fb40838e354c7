//! Before reads of `latest` are compared, the endpoints are asked for their head: what enough of them
//! have reached is the block that all are asked about. It holds for a second of an isolate's reads.

use std::rc::Rc;

use super::clock;
use super::drive::Drive;
use super::parcel::Item;
use super::render::{self, Reply};
use super::visit::Visit;
use crate::config::Route;
use crate::http::headers::{Agreement, Trace};
use crate::method::{block, pin};
use crate::rpc::call::{Body, Call};
use crate::rpc::fault::Fault;
use crate::rpc::request::Rewritten;
use crate::state::isolate::Book;

const HEAD: &str = "eth_blockNumber";
const ASK_HEAD: &[u8] = br#"{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}"#;

/// The head that was agreed on, if one was needed, and what it took.
#[derive(Default)]
pub(super) struct Agreed {
    head: Option<Result<u64, Fault>>,
    pub(super) trace: Trace,
}

/// Agrees on a head where any of the items needs one.
pub(super) async fn on_head(visit: &Rc<Visit>, route: &Route, items: &[Item<'_>]) -> Agreed {
    if route.quorum.is_none() || !items.iter().any(|item| pinned(item, 0).is_some()) {
        return Agreed::default();
    }
    let (now, index) = (clock::now(), visit.isolate.index(route));
    let known = visit.isolate.book(index, |book: &mut Book| book.agreed_head(now)).flatten();
    if let Some(head) = known {
        return Agreed { head: Some(Ok(head)), trace: Trace::default() };
    }
    let body = Body::read(ASK_HEAD, 1);
    let Body::Single(Ok(call)) = &body else {
        return Agreed::default();
    };
    ask(visit, route, call).await
}

async fn ask(visit: &Rc<Visit>, route: &Route, call: &Call<'_>) -> Agreed {
    let mut item = Item::new(route, call, visit.arrived);
    item.exchange = item.exchange.comparing(route, route.quorum.as_ref(), HEAD);
    let mut drive = Drive::new(visit, route, vec![item]);
    drive.run().await;
    let (item, mut trace) = (drive.items.pop(), drive.trace);
    let reply = item.map(|item| render::conclude(visit, route, item, &mut trace));
    // The head is not what the client asked for.
    trace.endpoints.clear();
    let head = match reply {
        Some(Reply::Fault(fault)) => Err(fault),
        Some(Reply::Held(held)) => block::number(held.payload()).ok_or_else(no_head),
        Some(Reply::Local(result)) => block::number(&result).ok_or_else(no_head),
        Some(Reply::Hash(_)) | None => Err(no_head()),
    };
    if let Ok(head) = head
        && trace.agreement == Some(Agreement::Met)
    {
        let index = visit.isolate.index(route);
        visit.isolate.book(index, |book| book.agree(head, clock::now()));
    }
    Agreed { head: Some(head), trace }
}

/// Every endpoint refuses to tell.
fn no_head() -> Fault {
    Fault::NoAnswer { attempts: Vec::new(), retry_after_s: 1 }
}

fn pinned(item: &Item<'_>, head: u64) -> Option<String> {
    item.exchange.compares().then(|| pin::pinned(&item.operation, head)).flatten()
}

/// The parameters that name the head, for each item that is to be asked at it.
pub(super) fn pins(items: &[Item<'_>], agreed: &Agreed) -> Vec<Option<String>> {
    let head = match &agreed.head {
        None => return Vec::new(),
        Some(head) => head.as_ref().copied().unwrap_or_default(),
    };
    items.iter().map(|item| pinned(item, head)).collect()
}

/// The items as they are asked; refused where no head was agreed on.
pub(super) fn pin<'a>(
    items: Vec<Item<'a>>,
    pins: &'a [Option<String>],
    agreed: &Agreed,
) -> Vec<Item<'a>> {
    if pins.is_empty() {
        return items;
    }
    let at = |(nth, item): (usize, Item<'a>)| match pins.get(nth) {
        Some(Some(params)) => item.pinned(params, agreed),
        Some(None) | None => item,
    };
    items.into_iter().enumerate().map(at).collect()
}

impl<'a> Item<'a> {
    fn pinned(mut self, params: &'a str, agreed: &Agreed) -> Self {
        if let Some(Err(fault)) = &agreed.head {
            self.refused = Some(fault.clone());
        }
        self.rewritten = Some(Rewritten::new(self.call, params.to_owned()));
        self.operation.params = Some(params);
        self
    }
}
