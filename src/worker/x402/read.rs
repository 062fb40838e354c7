//! What asking twice does no harm: verify, supported, discovery. One exchange, one attempt at a time.

use worker::web_sys::Response;

use super::super::together::{Flight, Landed};
use super::super::{clock, hand_in, log, render};
use super::answer;
use super::asking::{Asking, Held};
use super::desk;
use crate::exchange::{Attempt, Conclusion, Exchange, Step, conclusion};
use crate::http::headers::{self, Trace, Traced};
use crate::rpc::fault::Fault;
use crate::state::isolate::Book;
use crate::verdict::Class;
use crate::x402::answer::Trouble;
use crate::x402::call::Call;

/// Serves it. Who calls a payment valid is remembered before the client hears it.
pub(super) async fn serve(asking: &Asking<'_>, body: &[u8]) -> worker::Result<Response> {
    let Asking { visit, route, .. } = *asking;
    let mut trace = Trace::default();
    let exchange = Exchange::new(visit.arrived.plus(route.timeouts.total_ms));
    let (conclusion, attempts) = drive(asking, exchange, &mut trace).await.conclude();
    trace.total_ms = clock::now().since(visit.arrived);
    let operation = asking.call.operation();
    render::note_attempts(visit, route, &operation, &attempts, &mut trace, clock::now());
    let Conclusion::Answer(passed) = conclusion else {
        let fault = fault(asking, &conclusion, &attempts);
        log::exhausted(visit, route, &operation, &fault, &attempts);
        return answer::trouble(visit, &Trouble::Fault(fault), headers::explain(route, &trace));
    };
    if asking.call == Call::Verify && passed.answer.agrees {
        desk::remember(asking, body, passed.endpoint).await;
    }
    trace.endpoints.push(passed.endpoint);
    let told = answer::tell(route, &passed.answer);
    answer::told(visit, &told, headers::explain(route, &trace))
}

/// Runs the exchange to its end.
async fn drive(
    asking: &Asking<'_>,
    mut exchange: Exchange<Held>,
    trace: &mut Trace,
) -> Exchange<Held> {
    let Asking { visit, route, .. } = *asking;
    let mut cold = hand_in::begin(visit, route);
    while let Some((endpoint, timeout_ms)) = next(asking, &mut exchange) {
        let permit = asking.permit(endpoint, timeout_ms);
        let mut flight = Flight::new(1);
        flight.add(asking.send(endpoint, timeout_ms, permit));
        loop {
            match flight.next_or(&mut [&mut cold]).await {
                Landed::One(arrival) => {
                    let word = asking.take(endpoint, arrival, permit, false, trace);
                    let effect = asking.call.operation().effect;
                    exchange.heard(word, effect, route.send);
                    break;
                }
                // The region's view has just arrived and calls it unfit.
                Landed::Other(_) if is_out(asking, endpoint, &exchange) => {
                    let ms = clock::now().since(visit.arrived);
                    let class = Class::BreakerOpen;
                    exchange.withdrawn(endpoint, class);
                    trace.attempts.push(Traced { endpoint, class, left: true, ms });
                    break;
                }
                Landed::Other(_) => {}
                Landed::Nothing => break,
            }
        }
    }
    hand_in::when_due(visit, route);
    exchange
}

fn next(asking: &Asking<'_>, exchange: &mut Exchange<Held>) -> Option<(usize, u64)> {
    let operation = asking.call.operation();
    let step = |book: &mut Book| exchange.step(asking.route, book, &operation, clock::now());
    match asking.visit.isolate.book(asking.index, step)? {
        Step::Ask { endpoint, timeout_ms } => Some((endpoint, timeout_ms)),
        Step::LookUp { .. } | Step::Receipt { .. } | Step::Wait | Step::Done => None,
    }
}

/// Whether the region's view keeps it out, and there is another or it may not answer at all.
fn is_out(asking: &Asking<'_>, endpoint: usize, exchange: &Exchange<Held>) -> bool {
    let (now, operation) = (clock::now(), asking.call.operation());
    let out = |book: &mut Book| {
        let other = |book: &Book| exchange.has_other(asking.route, book, &operation, now);
        book.kept_out(endpoint, now) && (book.barred(endpoint, now) || other(book))
    };
    asking.visit.isolate.book(asking.index, out) == Some(true)
}

/// The own error in place of an answer.
pub(super) fn fault<A>(
    asking: &Asking<'_>,
    conclusion: &Conclusion<A>,
    attempts: &[Attempt],
) -> Fault {
    let operation = asking.call.operation();
    let of = |book: &mut Book| {
        conclusion::fault(conclusion, attempts, asking.route, book, &operation, clock::now())
    };
    asking.visit.isolate.book(asking.index, of).flatten().unwrap_or(Fault::Internal)
}
