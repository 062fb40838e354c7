//! Every answer of the corpus, as a read and as a send, singly and item by item.
//!
//! `tests/corpus/answers.jsonl`: one answer a line. `read` and `write` say what it means for a
//! read and for a raw send (for the line's own method where that is one), `items` what it means
//! item by item, `exhausted` what the client hears when every endpoint answers so. `asked` are a
//! batch's items, `known` is what was known before.

use std::collections::BTreeMap;

use alloy_primitives::hex;
use breakwater::config::Protocol;
use breakwater::method::{Effect, effect};
use breakwater::rpc::reply::{Body, Item, ids_match};
use breakwater::verdict::{Context, Failure, Next, Part, Verdict};
use serde::Deserialize;

use crate::case::{Case, action, last_word};

const CORPUS: &str = include_str!("../corpus/answers.jsonl");

/// Where this project decides otherwise than a line: line, column, our answer, reason.
const OTHERWISE: &[(&str, &str, &str, &str)] = &[
    ("erpc-32601-capacity", "read", "advance+gap_method", DATA_UNREAD),
    ("erpc-32601-capacity", "write", "advance+gap_method", DATA_UNREAD),
    ("erpc-32601-capacity", "exhausted", "pass_on", DATA_UNREAD),
    ("tr-dns", "write", "resend+failure", NO_PROOF),
    ("tr-tls-handshake", "write", "resend+failure", NO_PROOF),
    ("tr-connect-timeout", "write", "resend+failure", NO_PROOF),
    ("bad-32000-unknown", "write", "return", UNKNOWN_SEND),
    ("batch-one-missing", "exhausted", "unavailable", NOTHING_TO_PASS),
    ("batch-dup-id", "exhausted", "unavailable", NOTHING_TO_PASS),
];

const DATA_UNREAD: &str = "the throttle stands in error data, which is never read; \
                           the gap is forgotten after minutes, which is what matters";
const NO_PROOF: &str = "fetch on Workers shows no difference between a request that was never \
                        sent and a reset after sending; both go on, with duplicates expected";
const UNKNOWN_SEND: &str = "a send's error that no rule knows is handed back";
const NOTHING_TO_PASS: &str = "no endpoint said anything about the item";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    id: String,
    #[serde(default = "evm")]
    protocol: String,
    method: String,
    fault: Option<String>,
    #[serde(default)]
    status: u16,
    retry_after: Option<String>,
    #[serde(default)]
    body: String,
    body_hex: Option<String>,
    asked_id: Option<String>,
    #[serde(default)]
    asked: Vec<Asked>,
    #[serde(default)]
    known: Before,
    class: String,
    read: Option<String>,
    write: Option<String>,
    items: Option<Vec<String>>,
    exhausted: Option<String>,
    source: String,
}

#[derive(Deserialize)]
struct Asked {
    /// JSON text; `None` for a notification.
    id: Option<String>,
    method: String,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct Before {
    #[serde(default)]
    earlier_ambiguous: bool,
    #[serde(default)]
    accepted_elsewhere: bool,
    tx_hash: Option<String>,
    block: Option<u64>,
    known_head: Option<u64>,
    endpoint_head: Option<u64>,
}

fn evm() -> String {
    "evm".to_owned()
}

fn lines() -> Vec<Line> {
    CORPUS.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

fn failure(word: &str) -> Failure {
    match word {
        "network" => Failure::Network,
        "timeout" => Failure::Timeout,
        "body_broken" => Failure::BodyBroken,
        "body_timeout" => Failure::BodyTimeout,
        "not_sent" => Failure::NotSent,
        "client_gone" => Failure::ClientGone,
        _ => panic!("no such fault: {word}"),
    }
}

impl Line {
    fn body(&self) -> Vec<u8> {
        let hex = self.body_hex.as_ref().map(|text| hex::decode(text).expect(text));
        hex.unwrap_or_else(|| self.body.clone().into_bytes())
    }

    fn context(&self) -> Context<'_> {
        Context {
            id: Some(self.asked_id.as_deref().unwrap_or("1")),
            earlier_ambiguous: self.known.earlier_ambiguous,
            accepted_elsewhere: self.known.accepted_elsewhere,
            tx_hash: self.known.tx_hash.as_deref(),
            block: self.known.block,
            known_head: self.known.known_head,
            endpoint_head: self.known.endpoint_head,
            ..Context::default()
        }
    }

    fn case<'a>(&'a self, method: &'a str, body: &'a [u8]) -> Case<'a> {
        let mut case = match self.protocol.as_str() {
            "x402" => Case::x402(method, body),
            _ => Case::new(method, body).knowing(self.context()),
        }
        .at(self.status);
        case.reply.retry_after = self.retry_after.as_deref();
        case.context.earlier_ambiguous = self.known.earlier_ambiguous;
        case
    }

    fn judge(&self, method: &str) -> Verdict {
        let body = self.body();
        let case = self.case(method, &body);
        match &self.fault {
            Some(fault) => case.fail(failure(fault)),
            None => case.judge(),
        }
    }

    /// The verdict for each item that is due an answer; `stand_in` replaces every item's method.
    fn judge_items(&self, stand_in: Option<&str>) -> Vec<Option<Verdict>> {
        let body = self.body();
        let read = Body::read(&body);
        let mut seen = BTreeMap::<&str, usize>::new();
        self.asked
            .iter()
            .map(|asked| {
                let id = asked.id.as_deref()?;
                let nth = seen.entry(id).or_default();
                let verdict = self.judge_item(stand_in.unwrap_or(&asked.method), id, *nth, &read);
                *nth += 1;
                Some(verdict)
            })
            .collect()
    }

    fn judge_item(&self, method: &str, id: &str, nth: usize, read: &Body<'_>) -> Verdict {
        let body = self.body();
        let mut case = self.case(method, &body);
        case.context.id = Some(id);
        match (&self.fault, read) {
            (Some(fault), _) => case.fail(failure(fault)),
            (None, Body::Many(items)) => {
                let asked = self.asked.iter().filter(|asked| asked.id.as_deref() == Some(id));
                let part = pair(items, id, nth, asked.count());
                case.judge_part(part)
            }
            (None, whole) => case.judge_part(Part::Batch(whole)),
        }
    }
}

/// The answer to one item: by id, and in order where the client used an id more than once.
fn pair<'b, 'a>(items: &'b [Item<'a>], id: &str, nth: usize, asked: usize) -> Part<'b, 'a> {
    let of_id = |item: &&Item<'_>| match item {
        Item::Answer(answer) => answer.id.is_some_and(|own| ids_match(id, own.get())),
        Item::Null | Item::Foreign => false,
    };
    let own: Vec<_> = items.iter().filter(of_id).collect();
    let nothing = || items.iter().find(|item| !matches!(item, Item::Answer(_)));
    match own.get(nth) {
        Some(item) if own.len() == asked => Part::Item(item),
        Some(_) => Part::Missing,
        None => nothing().map_or(Part::Missing, Part::Item),
    }
}

/// What is wrong with a line, if anything.
struct Report {
    checked: usize,
    faults: Vec<String>,
}

impl Report {
    fn compare(&mut self, line: &Line, column: &str, expected: &str, actual: &str) {
        self.checked += 1;
        let otherwise = OTHERWISE.iter().find(|row| row.0 == line.id && row.1 == column);
        let (id, expected) = (&line.id, otherwise.map_or(expected, |row| row.2));
        if expected != actual {
            self.faults.push(format!("{id}: {column}: expected {expected}, is {actual}"));
        }
    }

    fn last_word(&mut self, line: &Line, verdict: &Verdict) {
        let Some(expected) = line.exhausted.as_deref() else { return };
        // A raw send that may have been carried out and that nobody answered is not "unavailable".
        let lost = verdict.next == Next::Resend && expected != "pass_on";
        self.compare(
            line,
            "exhausted",
            if lost { "unknown" } else { expected },
            last_word(verdict),
        );
    }

    fn single(&mut self, line: &Line) {
        let own = effect(&line.method);
        if let Some(expected) = &line.read {
            let method = if own == Effect::Read { &line.method } else { "eth_call" };
            let verdict = line.judge(method);
            self.compare(line, "read", expected, &action(&verdict));
            self.compare(line, "class", &line.class, verdict.class.label());
            self.last_word(line, &verdict);
        }
        if let Some(expected) = &line.write {
            let method = if own == Effect::Read { "eth_sendRawTransaction" } else { &line.method };
            let verdict = line.judge(method);
            self.compare(line, "write", expected, &action(&verdict));
            self.last_word(line, &verdict);
            if line.read.is_none() {
                self.compare(line, "class", &line.class, verdict.class.label());
            }
        }
    }

    fn batch(&mut self, line: &Line) {
        let verdicts = line.judge_items(None);
        if let Some(expected) = &line.items {
            let actual: Vec<_> = verdicts
                .iter()
                .map(|verdict| verdict.as_ref().map_or("none".to_owned(), action))
                .collect();
            self.compare(line, "items", &expected.join(" "), &actual.join(" "));
        }
        let weighty = weightiest(&verdicts);
        self.compare(line, "class", &line.class, weighty.class.label());
        self.last_word(line, &weighty);
        for (column, expected, method) in
            [("read", &line.read, "eth_call"), ("write", &line.write, "eth_sendRawTransaction")]
        {
            if let Some(expected) = expected {
                let verdict = weightiest(&line.judge_items(Some(method)));
                self.compare(line, column, expected, &action(&verdict));
            }
        }
    }
}

/// The first item that is not simply answered, or the first.
fn weightiest(verdicts: &[Option<Verdict>]) -> Verdict {
    let mut due = verdicts.iter().flatten();
    let first = *due.clone().next().expect("a batch has items");
    *due.find(|verdict| verdict.next != Next::Return).unwrap_or(&first)
}

#[test]
fn every_line_is_judged_as_expected() {
    let mut report = Report { checked: 0, faults: Vec::new() };
    let lines = lines();
    for line in &lines {
        if line.method == "batch" { report.batch(line) } else { report.single(line) }
    }
    println!("{} answers, {} comparisons", lines.len(), report.checked);
    assert!(report.faults.is_empty(), "{}", report.faults.join("\n"));
    assert_eq!(lines.len(), 360);
}

#[test]
fn every_difference_is_about_a_line_and_still_one() {
    for (id, column, ours, reason) in OTHERWISE {
        let lines = lines();
        let line = lines.iter().find(|line| line.id == *id).expect(id);
        let theirs = match *column {
            "read" => line.read.as_deref(),
            "write" => line.write.as_deref(),
            "exhausted" => line.exhausted.as_deref(),
            _ => None,
        };
        assert_ne!(theirs, Some(*ours), "{id}: no difference any more ({reason})");
    }
}

#[test]
fn every_line_says_where_it_is_from() {
    for line in lines() {
        assert!(!line.source.is_empty(), "{}", line.id);
        assert!(line.protocol == "evm" || Protocol::X402 == line.case("", b"").operation.protocol);
    }
}
