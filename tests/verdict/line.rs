//! A line of the corpus, and how it is put to the judge.

use std::collections::BTreeMap;

use alloy_primitives::hex;
use breakwater::rpc::reply::{Body, Item, ids_match};
use breakwater::verdict::{Context, Failure, Part, Verdict};
use serde::Deserialize;

use crate::case::Case;

const CORPUS: &str = include_str!("../corpus/answers.jsonl");
/// Answers found in public later than the corpus, to see what the tables do with the unseen.
const FOUND: &str = include_str!("../corpus/found.jsonl");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Line {
    pub(crate) id: String,
    #[serde(default = "evm")]
    pub(crate) protocol: String,
    pub(crate) method: String,
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
    pub(crate) class: String,
    pub(crate) read: Option<String>,
    pub(crate) write: Option<String>,
    pub(crate) items: Option<Vec<String>>,
    pub(crate) exhausted: Option<String>,
    pub(crate) source: String,
}

#[derive(Deserialize)]
pub(crate) struct Asked {
    /// JSON text; `None` for a notification.
    id: Option<String>,
    method: String,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub(crate) struct Before {
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

pub(crate) fn lines() -> Vec<Line> {
    CORPUS.lines().map(parse).chain(found()).collect()
}

pub(crate) fn found() -> Vec<Line> {
    FOUND.lines().map(parse).collect()
}

fn parse(line: &str) -> Line {
    serde_json::from_str(line).expect(line)
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

    pub(crate) fn case<'a>(&'a self, method: &'a str, body: &'a [u8]) -> Case<'a> {
        let mut case = match self.protocol.as_str() {
            "x402" => Case::x402(method, body),
            _ => Case::new(method, body).knowing(self.context()),
        }
        .at(self.status);
        case.reply.retry_after = self.retry_after.as_deref();
        case.context.earlier_ambiguous = self.known.earlier_ambiguous;
        case
    }

    pub(crate) fn judge(&self, method: &str) -> Verdict {
        let body = self.body();
        let case = self.case(method, &body);
        match &self.fault {
            Some(fault) => case.fail(failure(fault)),
            None => case.judge(),
        }
    }

    /// The verdict for each item that is due an answer; `stand_in` replaces every item's method.
    pub(crate) fn judge_items(&self, stand_in: Option<&str>) -> Vec<Option<Verdict>> {
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
