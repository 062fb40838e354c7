//! Isolates that keep to the rules, in any order of events: no payment ever reaches two facilitators.

use breakwater::x402::claim::LEASE_MS;
use breakwater::x402::wire::{End, Want, Word};
use proptest::prelude::*;

use crate::{Desk, granted};

/// One isolate with this payment in hand.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Holder {
    Idle,
    Waits(u64),
    Holds { flight: u64, at: usize, sent: bool },
}

#[derive(Debug, Clone)]
enum Event {
    Verified(usize),
    Claim { who: usize, choice: usize },
    Send { who: usize },
    Leave { who: usize, to: usize },
    End { who: usize, end: End },
    Renew { who: usize },
    Die { who: usize },
    Pass(u64),
}

const NAMES: [&str; 3] = ["a", "b", "c"];

fn events() -> impl Strategy<Value = Event> {
    let (who, name) = (0..4_usize, 0..NAMES.len());
    let end = prop::sample::select(vec![End::Unknown, End::Answered, End::Settled]);
    prop_oneof![
        1 => name.clone().prop_map(Event::Verified),
        4 => (who.clone(), name.clone()).prop_map(|(who, choice)| Event::Claim { who, choice }),
        3 => who.clone().prop_map(|who| Event::Send { who }),
        2 => (who.clone(), name).prop_map(|(who, to)| Event::Leave { who, to }),
        3 => (who.clone(), end).prop_map(|(who, end)| Event::End { who, end }),
        1 => who.clone().prop_map(|who| Event::Renew { who }),
        1 => who.prop_map(|who| Event::Die { who }),
        2 => prop::sample::select(vec![1, LEASE_MS / 2, LEASE_MS]).prop_map(Event::Pass),
    ]
}

/// Isolates that keep to the rules, clocks that run, and what facilitators may have received.
struct Play {
    desk: Desk,
    holders: [Holder; 4],
    received: Vec<usize>,
    /// Whether an outcome is open, as far as the object can know.
    doubt: bool,
}

impl Play {
    fn new() -> Self {
        let (desk, holders) = (Desk::new(), [Holder::Idle; 4]);
        Self { desk, holders, received: Vec::new(), doubt: false }
    }

    fn run(&mut self, event: &Event) {
        match *event {
            Event::Verified(by) => drop(self.desk.ask(Want::Verified, 0, Some(NAMES[by]))),
            Event::Claim { who, choice } if self.holders[who] == Holder::Idle => {
                self.claim(who, choice);
            }
            Event::Send { who } => self.send(who),
            Event::Leave { who, to } => self.leave(who, to),
            Event::End { who, end } => self.end(who, end),
            Event::Renew { who } => {
                if let Holder::Holds { flight, .. } = self.holders[who] {
                    self.desk.ask(Want::Renew, flight, None);
                }
            }
            Event::Die { who } => self.holders[who] = Holder::Idle,
            Event::Pass(ms) => self.desk.pass(ms),
            Event::Claim { .. } => {}
        }
    }

    fn claim(&mut self, who: usize, choice: usize) {
        let said = self.desk.claim(NAMES[choice]);
        if said.word == Word::UnderWay {
            self.holders[who] = Holder::Waits(said.flight);
            return;
        }
        let (flight, name, first, doubted) = granted(&said);
        let at = NAMES.iter().position(|known| *known == name).unwrap();
        assert!(!first || self.received.is_empty(), "nobody can have got it before");
        assert!(doubted || !self.doubt, "an open outcome is told");
        self.holders[who] = Holder::Holds { flight, at, sent: false };
    }

    fn send(&mut self, who: usize) {
        if let Holder::Holds { flight, at, sent: false } = self.holders[who] {
            self.received.push(at);
            self.holders[who] = Holder::Holds { flight, at, sent: true };
        }
    }

    fn leave(&mut self, who: usize, to: usize) {
        let Holder::Holds { flight, sent: false, .. } = self.holders[who] else {
            return;
        };
        let moved = self.desk.ask(Want::Move, flight, Some(NAMES[to])).word == Word::Done;
        self.holders[who] =
            if moved { Holder::Holds { flight, at: to, sent: false } } else { Holder::Idle };
    }

    fn end(&mut self, who: usize, end: End) {
        match self.holders[who] {
            Holder::Holds { flight, sent, .. } => {
                let end = if sent { end } else { End::NotSent };
                let taken = self.desk.end(flight, end, "x").word == Word::Done;
                self.doubt = match end {
                    End::Unknown if taken => true,
                    End::Settled if taken => false,
                    End::Unknown | End::Settled | End::NotSent | End::Answered => self.doubt,
                };
            }
            Holder::Waits(flight) if self.desk.wait(flight).word == Word::UnderWay => return,
            Holder::Waits(_) | Holder::Idle => {}
        }
        self.holders[who] = Holder::Idle;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn no_payment_ever_reaches_two_facilitators(
        events in prop::collection::vec(events(), 1..60)
    ) {
        let mut play = Play::new();
        for event in &events {
            play.run(event);
            let elsewhere = play.received.iter().any(|at| *at != play.received[0]);
            prop_assert!(!elsewhere, "{:?} after {event:?}", play.received);
        }
        play.desk.pass(LEASE_MS);
        for holder in play.holders {
            if let Holder::Waits(flight) = holder {
                prop_assert_eq!(play.desk.wait(flight).word, Word::Ended);
            }
        }
    }
}
