//! Answers found in public after the tables were made: what they are taken for, as a table.
//!
//! `PRINT_TABLE=1 cargo test --test verdict found:: -- --nocapture` prints it.

use std::collections::BTreeSet;

use breakwater::method::{Effect, effect};
use breakwater::verdict::Verdict;

use crate::case::action;
use crate::line::{Line, found, lines};

fn cell(verdict: &Verdict) -> String {
    format!("{}: {}", verdict.class.label(), action(verdict))
}

/// As a read and as a send; for a batch its last item, by its own method.
fn cells(line: &Line) -> [String; 2] {
    if line.method == "batch" {
        let items = line.judge_items(None);
        let last = items.iter().flatten().last().map_or("none".into(), cell);
        return [last, "-".into()];
    }
    let reads = effect(&line.method) == Effect::Read;
    let part = |wanted: &Option<String>, method: &str| {
        wanted.as_ref().map_or("-".into(), |_| cell(&line.judge(method)))
    };
    let read = if reads { &line.method } else { "eth_call" };
    let write = if reads { "eth_sendRawTransaction" } else { &line.method };
    [part(&line.read, read), part(&line.write, write)]
}

#[test]
fn the_table_has_a_row_for_each() {
    let rows: Vec<String> = found()
        .iter()
        .map(|line| {
            let [read, write] = cells(line);
            format!("| {} | {} | {read} | {write} |", line.id, line.source)
        })
        .collect();
    if std::env::var_os("PRINT_TABLE").is_some() {
        println!(
            "| shape | source | read | write |\n| --- | --- | --- | --- |\n{}",
            rows.join("\n")
        );
    }
    assert!(rows.iter().all(|row| !row.contains("| none |") && !row.ends_with("- | - |")));
}

#[test]
fn every_name_is_used_once() {
    let mut ids = BTreeSet::new();
    for line in lines() {
        assert!(ids.insert(line.id.clone()), "two lines are called {}", line.id);
    }
}
