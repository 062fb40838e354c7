//! Who may settle a payment: the logic of its object, without storage or network.
//!
//! One flight at a time: whoever holds the claim may send to the facilitator that the payment is
//! bound to, and to no other. A payment is bound before anything is sent, so a holder that vanishes
//! leaves a payment that may have been sent: its outcome is unknown, and it stays where it is.

use super::wire::{Asked, End, Said, Told, Want, Word};
use crate::json::{self, form};
use crate::time::Millis;

/// How long a holder may be silent before its flight counts as lost.
pub const LEASE_MS: u64 = 30_000;
/// How often a holder says that it is still there.
pub const RENEW_MS: u64 = 10_000;
/// How long a payment is remembered after it was last asked for: longer than it can be valid.
pub const KEEP_MS: u64 = 86_400_000;

/// What is kept of one payment. The payload itself is not.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Payment {
    /// The facilitator that called it valid last.
    verified_by: Option<String>,
    /// The only one that a settle may have been sent to.
    bound: Option<String>,
    /// Number of the newest flight; 0: none yet.
    flight: u64,
    /// While one is under way: until when its holder is trusted to be there.
    lease: Option<Millis>,
    /// Nothing can have been sent before the newest flight.
    first: bool,
    /// The outcome of a flight is unknown, and nobody has told since that the payment is settled.
    doubted: bool,
    /// What came of the newest flight that ended; `None`: nobody knows.
    told: Option<Told>,
    /// When it was last asked for.
    touched: Millis,
}

form!(Payment { verified_by, bound, flight, lease, first, doubted, told, touched });

/// Version of the stored form.
const VERSION: u64 = 1;

/// A payment as it is stored.
#[derive(Default)]
struct Stored {
    v: u64,
    payment: Payment,
}

form!(Stored { v, payment });

impl Payment {
    /// As it is stored.
    pub fn write(&self) -> String {
        json::text(&Stored { v: VERSION, payment: self.clone() })
    }

    /// As it was stored; `None` for a version of which nothing is known: then nothing may be sent.
    pub fn read(text: &str) -> Option<Self> {
        let stored: Stored = json::read(text)?;
        (stored.v == VERSION).then_some(stored.payment)
    }

    /// Takes what an isolate says and gives it its answer.
    pub fn hear(&mut self, asked: Asked, now: Millis) -> Said {
        self.expire(now);
        let Asked { want, endpoint, flight, end, told } = asked;
        match (want, endpoint) {
            (Want::Verified, Some(by)) => self.verified(by, now),
            (Want::Claim, choice) => self.claim(choice, now),
            (Want::Wait, _) => self.wait(flight),
            (Want::Renew, _) => said(self.renew(flight, now)),
            (Want::Move, Some(to)) => said(self.leave_for(flight, to, now)),
            (Want::End, _) => said(self.end(flight, end, told)),
            (Want::Verified | Want::Move, None) => said(false),
        }
    }

    /// Whether it may be forgotten.
    pub fn is_over(&self, now: Millis) -> bool {
        now >= self.over_at()
    }

    /// When it may be forgotten.
    pub fn over_at(&self) -> Millis {
        self.touched.plus(KEEP_MS)
    }

    /// A holder that was silent for too long is gone, and with it what came of its flight.
    fn expire(&mut self, now: Millis) {
        if self.lease.is_some_and(|until| until <= now) {
            self.lease = None;
            self.told = None;
            self.doubted = true;
        }
    }

    fn verified(&mut self, by: String, now: Millis) -> Said {
        self.touched = now;
        self.verified_by = Some(by);
        said(true)
    }

    fn claim(&mut self, choice: Option<String>, now: Millis) -> Said {
        self.touched = now;
        if self.lease.is_some() {
            return self.under_way();
        }
        let first = self.bound.is_none();
        let Some(endpoint) = self.bound.clone().or_else(|| self.verified_by.clone()).or(choice)
        else {
            return Said { word: Word::Nobody, ..Said::default() };
        };
        self.flight += 1;
        self.first = first;
        self.lease = Some(now.plus(LEASE_MS));
        self.bound = Some(endpoint.clone());
        Said {
            word: Word::Granted,
            flight: self.flight,
            endpoint: Some(endpoint),
            first,
            doubted: self.doubted,
            told: None,
        }
    }

    fn wait(&self, flight: u64) -> Said {
        if self.holds(flight) {
            return self.under_way();
        }
        Said { word: Word::Ended, told: self.told.clone(), ..Said::default() }
    }

    fn under_way(&self) -> Said {
        Said { word: Word::UnderWay, flight: self.flight, ..Said::default() }
    }

    fn holds(&self, flight: u64) -> bool {
        self.lease.is_some() && self.flight == flight
    }

    fn renew(&mut self, flight: u64, now: Millis) -> bool {
        let holds = self.holds(flight);
        if holds {
            self.lease = Some(now.plus(LEASE_MS));
        }
        holds
    }

    /// Only where nothing was sent before: not by this flight, as its holder has proof of, and not
    /// by an earlier one.
    fn leave_for(&mut self, flight: u64, to: String, now: Millis) -> bool {
        let may = self.first && self.renew(flight, now);
        if may {
            self.bound = Some(to);
        }
        may
    }

    /// Takes the end of a flight; late, after its lease, as long as no other has begun.
    fn end(&mut self, flight: u64, end: End, told: Option<Told>) -> bool {
        if flight != self.flight || flight == 0 {
            return false;
        }
        let in_time = self.lease.take().is_some();
        match end {
            End::Unknown => self.doubted = true,
            End::NotSent if in_time && self.first => self.bound = None,
            End::Settled => self.doubted = false,
            End::NotSent | End::Answered => {}
        }
        self.told = told;
        true
    }
}

fn said(done: bool) -> Said {
    Said { word: if done { Word::Done } else { Word::Refused }, ..Said::default() }
}
