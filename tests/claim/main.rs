//! Who may settle a payment: one at a time, and whoever got it once, or may have, keeps it.
#![cfg(not(target_family = "wasm"))]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use breakwater::time::Millis;
use breakwater::x402::claim::{KEEP_MS, LEASE_MS, Payment};
use breakwater::x402::wire::{Asked, End, Said, Told, Want, Word};

mod properties;

const T0: Millis = Millis(1_800_000_000_000);

/// A payment's object and a clock.
pub(crate) struct Desk {
    payment: Payment,
    now: Millis,
}

impl Desk {
    pub(crate) fn new() -> Self {
        Self { payment: Payment::default(), now: T0 }
    }

    pub(crate) fn ask(&mut self, want: Want, flight: u64, endpoint: Option<&str>) -> Said {
        let endpoint = endpoint.map(str::to_owned);
        self.payment.hear(Asked { want, flight, endpoint, ..Asked::default() }, self.now)
    }

    pub(crate) fn claim(&mut self, choice: &str) -> Said {
        self.ask(Want::Claim, 0, Some(choice))
    }

    pub(crate) fn end(&mut self, flight: u64, end: End, told: &str) -> Said {
        let told = Told::new(200, told.as_bytes());
        let asked = Asked { want: Want::End, flight, end, told: Some(told), ..Asked::default() };
        self.payment.hear(asked, self.now)
    }

    pub(crate) fn wait(&mut self, flight: u64) -> Said {
        self.ask(Want::Wait, flight, None)
    }

    pub(crate) fn pass(&mut self, ms: u64) {
        self.now = self.now.plus(ms);
    }
}

/// What a grant says: flight, facilitator, whether it is the first, whether an outcome is unknown.
pub(crate) fn granted(said: &Said) -> (u64, &str, bool, bool) {
    assert_eq!(said.word, Word::Granted, "{said:?}");
    (said.flight, said.endpoint.as_deref().unwrap(), said.first, said.doubted)
}

#[test]
fn who_verified_settles_whatever_the_isolate_would_choose() {
    let mut desk = Desk::new();
    assert_eq!(desk.ask(Want::Verified, 0, Some("b")).word, Word::Done);
    assert_eq!(granted(&desk.claim("a")), (1, "b", true, false));
}

#[test]
fn without_a_choice_nobody_settles() {
    let mut desk = Desk::new();
    assert_eq!(desk.ask(Want::Claim, 0, None).word, Word::Nobody);
    assert_eq!(granted(&desk.claim("a")), (1, "a", true, false));
}

#[test]
fn a_second_waits_and_hears_the_same() {
    let mut desk = Desk::new();
    desk.claim("a");
    let second = desk.claim("b");
    assert_eq!((second.word, second.flight), (Word::UnderWay, 1));
    assert_eq!(desk.wait(1).word, Word::UnderWay);
    assert_eq!(desk.end(1, End::Settled, "yes").word, Word::Done);
    let heard = desk.wait(1);
    assert_eq!((heard.word, heard.told.unwrap().body()), (Word::Ended, b"yes".to_vec()));
}

#[test]
fn a_repeat_goes_to_the_same_one() {
    for end in [End::Answered, End::Settled, End::Unknown] {
        let mut desk = Desk::new();
        desk.claim("a");
        desk.end(1, end, "");
        desk.ask(Want::Verified, 0, Some("b"));
        assert_eq!(granted(&desk.claim("b")), (2, "a", false, end == End::Unknown));
        assert_eq!(desk.ask(Want::Move, 2, Some("b")).word, Word::Refused);
    }
}

#[test]
fn proof_lets_the_first_flight_leave() {
    let mut desk = Desk::new();
    desk.claim("a");
    assert_eq!(desk.ask(Want::Move, 1, Some("b")).word, Word::Done);
    desk.end(1, End::Unknown, "");
    assert_eq!(granted(&desk.claim("a")), (2, "b", false, true));
    assert_eq!(desk.end(2, End::NotSent, "").word, Word::Done);
    assert_eq!(
        granted(&desk.claim("a")),
        (3, "b", false, true),
        "what was not sent proves nothing"
    );
}

#[test]
fn what_was_not_sent_leaves_no_trace() {
    let mut desk = Desk::new();
    desk.ask(Want::Verified, 0, Some("a"));
    desk.claim("c");
    desk.ask(Want::Move, 1, Some("b"));
    desk.end(1, End::NotSent, "");
    assert_eq!(granted(&desk.claim("c")), (2, "a", true, false));
}

#[test]
fn a_holder_that_vanishes_leaves_an_unknown_outcome() {
    let mut desk = Desk::new();
    desk.claim("a");
    desk.pass(LEASE_MS - 1);
    assert_eq!(desk.claim("b").word, Word::UnderWay);
    assert_eq!(desk.ask(Want::Renew, 1, None).word, Word::Done);
    desk.pass(LEASE_MS - 1);
    assert_eq!(desk.wait(1).word, Word::UnderWay);
    desk.pass(1);
    let heard = desk.wait(1);
    assert_eq!((heard.word, heard.told), (Word::Ended, None));
    assert_eq!(desk.ask(Want::Renew, 1, None).word, Word::Refused);
    assert_eq!(desk.ask(Want::Move, 1, Some("b")).word, Word::Refused);
    assert_eq!(granted(&desk.claim("b")), (2, "a", false, true));
    assert_eq!(desk.end(1, End::Settled, "late").word, Word::Refused, "another has begun");
}

#[test]
fn a_late_word_counts_while_no_other_has_begun() {
    let mut desk = Desk::new();
    desk.claim("a");
    desk.pass(LEASE_MS);
    desk.end(1, End::NotSent, "");
    assert_eq!(granted(&desk.claim("b")), (2, "a", false, true), "too late to be proof");
    desk.pass(LEASE_MS);
    assert_eq!(desk.end(2, End::Settled, "yes").word, Word::Done);
    assert_eq!(desk.wait(2).told.unwrap().body(), b"yes");
    assert_eq!(granted(&desk.claim("b")), (3, "a", false, false));
}

#[test]
fn doubt_ends_with_a_settlement_only() {
    let mut desk = Desk::new();
    desk.claim("a");
    desk.end(1, End::Unknown, "");
    desk.claim("a");
    desk.end(2, End::Answered, "no");
    assert_eq!(granted(&desk.claim("a")), (3, "a", false, true));
    desk.end(3, End::Settled, "yes");
    assert_eq!(granted(&desk.claim("a")), (4, "a", false, false));
}

#[test]
fn it_is_forgotten_a_day_after_the_last_use() {
    let mut desk = Desk::new();
    desk.claim("a");
    desk.pass(KEEP_MS - 1);
    assert!(!desk.payment.is_over(desk.now));
    desk.claim("a");
    desk.pass(KEEP_MS - 1);
    assert!(!desk.payment.is_over(desk.now));
    desk.pass(1);
    assert!(desk.payment.is_over(desk.now));
}

#[test]
fn what_is_kept_is_pinned() {
    let kept = r#"{"v":1,"payment":{"verified_by":"a","bound":"b","flight":2,"lease":5,"first":false,"doubted":true,"told":null,"touched":4}}"#;
    let payment = Payment::read(kept).unwrap();
    assert_eq!(payment.write(), kept);
    let told = r#"{"status":200,"content_type":"application/json","extension":null,"endpoint":"b","retry_after_s":null,"hex":"7b7d"}"#;
    let told = kept.replace(r#""told":null"#, &format!(r#""told":{told}"#));
    assert_eq!(Payment::read(&told).unwrap().write(), told);
    assert_eq!(Payment::read(&kept.replace("}}", r#","later":[]}}"#)), Some(payment));
    for unknown in
        ["", "{}", "1\na\n", &kept.replace("\"v\":1", "\"v\":2"), kept.trim_end_matches('}')]
    {
        assert_eq!(Payment::read(unknown), None, "{unknown}");
    }
}
