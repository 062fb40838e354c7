//! Public bug reports on RPC failover, each as a scenario that passes here.
//!
//! A scenario bears its report's number: `b29_…` here, where time must pass, and `B1 …` in the title
//! of a test on the running Worker (`tests/worker/reports_*.test.mjs`). `not_here.txt` says which
//! reports do not concern this version, and why.

#![cfg(not(target_family = "wasm"))]
#![allow(clippy::unwrap_used, reason = "a test may")]

#[path = "../common/mod.rs"]
mod common;
mod later;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// All reports; the numbers between belong to reports that were dropped.
const NUMBERS: [u32; 60] = [
    1, 2, 3, 5, 6, 7, 8, 9, 10, 12, 13, 14, 15, 20, 21, 24, 25, 26, 28, 29, 31, 32, 33, 34, 35, 37,
    38, 39, 41, 42, 44, 45, 47, 48, 50, 51, 52, 54, 55, 56, 57, 58, 61, 62, 63, 65, 68, 69, 70, 72,
    73, 74, 75, 77, 79, 80, 81, 83, 84, 85,
];

/// Numbers that follow one of these words and are followed by `end`.
fn numbers(text: &str, before: &[&str], end: char) -> BTreeSet<u32> {
    let found = before.iter().flat_map(|word| text.split(word).skip(1));
    found.filter_map(|rest| rest.split_once(end)?.0.parse().ok()).collect()
}

fn read(folder: &str, extension: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let wanted = files.filter(|path| path.extension().is_some_and(|own| own == extension));
    wanted.map(|path| fs::read_to_string(path).unwrap()).collect()
}

fn scenarios() -> BTreeSet<u32> {
    let on_worker = numbers(&read("worker", "mjs"), &["test(\"B", "test(`B"], ' ');
    let native = numbers(&read("reports", "rs"), &["\nfn b"], '_');
    on_worker.union(&native).copied().collect()
}

fn not_here() -> BTreeSet<u32> {
    let list = format!("\n{}", include_str!("not_here.txt"));
    assert!(list.lines().skip(1).all(|line| line.split(' ').count() > 3), "a reason each");
    numbers(&list, &["\nB"], ' ')
}

#[test]
fn each_report_is_a_scenario_or_said_not_to_be_one() {
    let all = BTreeSet::from(NUMBERS);
    let (scenarios, not_here) = (scenarios(), not_here());
    println!("{} of {} reports are scenarios", scenarios.len(), all.len());
    assert_eq!(scenarios.intersection(&not_here).count(), 0, "both");
    assert_eq!(scenarios.union(&not_here).copied().collect::<BTreeSet<_>>(), all);
}
