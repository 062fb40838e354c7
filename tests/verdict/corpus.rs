//! Every answer of the corpus, as a read and as a send, singly and item by item.
//!
//! `tests/corpus/answers.jsonl`: one answer a line. `read` and `write` say what it means for a
//! read and for a raw send (for the line's own method where that is one), `items` what it means
//! item by item, `exhausted` what the client hears when every endpoint answers so. `asked` are a
//! batch's items, `known` is what was known before. `tests/corpus/otherwise.jsonl` says where this
//! project decides otherwise, and why.

use breakwater::config::Protocol;
use breakwater::method::{Effect, effect};
use breakwater::verdict::{Next, Verdict};
use serde::Deserialize;

use crate::case::{action, last_word};
use crate::line::{Line, lines};

/// Where this project decides otherwise than a line: the column and what it says instead.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Otherwise {
    id: String,
    column: String,
    ours: String,
    why: String,
}

fn otherwise() -> Vec<Otherwise> {
    let rows = include_str!("../corpus/otherwise.jsonl").lines();
    rows.map(|row| serde_json::from_str(row).expect(row)).collect()
}

/// What is wrong with a line, if anything.
struct Report {
    otherwise: Vec<Otherwise>,
    checked: usize,
    faults: Vec<String>,
}

impl Report {
    fn compare(&mut self, line: &Line, column: &str, expected: &str, actual: &str) {
        self.checked += 1;
        let row = self.otherwise.iter().find(|row| row.id == line.id && row.column == column);
        let (id, expected) = (&line.id, row.map_or(expected, |row| row.ours.as_str()));
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
    let mut report = Report { otherwise: otherwise(), checked: 0, faults: Vec::new() };
    let lines = lines();
    for line in &lines {
        if line.method == "batch" { report.batch(line) } else { report.single(line) }
    }
    println!("{} answers, {} comparisons", lines.len(), report.checked);
    assert!(report.faults.is_empty(), "{}", report.faults.join("\n"));
    assert!(lines.len() >= 420, "the corpus only grows");
}

#[test]
fn every_difference_is_about_a_line_and_still_one() {
    let lines = lines();
    for Otherwise { id, column, ours, why } in otherwise() {
        let line = lines.iter().find(|line| line.id == id).expect(&id);
        let theirs = match column.as_str() {
            "read" => line.read.as_deref(),
            "write" => line.write.as_deref(),
            "exhausted" => line.exhausted.as_deref(),
            _ => None,
        };
        assert_ne!(theirs, Some(ours.as_str()), "{id}: no difference any more ({why})");
    }
}

#[test]
fn every_line_says_where_it_is_from() {
    for line in lines() {
        assert!(!line.source.is_empty(), "{}", line.id);
        assert!(line.protocol == "evm" || Protocol::X402 == line.case("", b"").operation.protocol);
    }
}
