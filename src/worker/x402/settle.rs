//! A settle: claimed, sent once, its end told to the payment's object before the client hears it.

use worker::web_sys::Response;

use super::super::{clock, hand_in, log};
use super::answer;
use super::asking::Asking;
use super::claim::{Claimed, claim};
use super::desk::Desk;
use super::flight::Flight;
use super::read::fault;
use super::sent;
use crate::exchange::Conclusion;
use crate::http::headers::{self, Trace};
use crate::select::{self, Asked, Bond, Wanted};
use crate::state::isolate::Book;
use crate::x402::answer::Trouble;
use crate::x402::payload::payload;
use crate::x402::wire::Told;

/// Serves it.
pub(super) async fn serve(asking: &Asking<'_>, body: &[u8]) -> worker::Result<Response> {
    let Asking { visit, route, .. } = *asking;
    drop(hand_in::begin(visit, route));
    let mut trace = Trace::default();
    let told = settle(asking, body, &mut trace).await;
    hand_in::when_due(visit, route);
    trace.total_ms = clock::now().since(visit.arrived);
    answer::told(visit, &told, headers::explain(route, &trace))
}

async fn settle(asking: &Asking<'_>, body: &[u8], trace: &mut Trace) -> Told {
    let Asking { visit, route, .. } = *asking;
    let Some(payload) = payload(body) else {
        return answer::own(&Trouble::NoPayload);
    };
    let Ok(desk) = Desk::of(&visit.env, route, payload).await else {
        return answer::own(&Trouble::NoClaim);
    };
    let choice = choice(asking);
    let name = choice.and_then(|choice| route.endpoints.get(choice)).map(|e| e.name.clone());
    match claim(&desk, name).await {
        Claimed::Ours(granted) => Flight::new(asking, desk, granted, choice).run(trace).await,
        Claimed::Others(told) => told.unwrap_or_else(|| answer::unknown(route, None, &[], None)),
        Claimed::Nobody => {
            let fault = fault(asking, &Conclusion::<()>::NoAnswer, &[]);
            answer::own(&Trouble::Fault(fault))
        }
        Claimed::Failed => {
            log::alert(visit, route, None, "payments cannot be claimed: nothing is settled");
            // Whoever takes "not sent" for all of it would have the buyer pay again.
            if sent::has(desk.name()) {
                answer::unknown(route, None, &[], None)
            } else {
                answer::own(&Trouble::NoClaim)
            }
        }
    }
}

/// Where it would go if nobody had this payment before.
fn choice(asking: &Asking<'_>) -> Option<usize> {
    let operation = asking.call.operation();
    let wanted = Wanted {
        operation: &operation,
        bond: Bond::Free,
        asked: Asked::default(),
        answered: false,
        key: 0,
    };
    let next = |book: &mut Book| select::next(asking.route, book, wanted, clock::now());
    asking.visit.isolate.book(asking.index, next).flatten()
}
