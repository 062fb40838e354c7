//! Behaviours of the systems that this one learns from, each shown by a test, or why it is not so here.
//!
//! One file per source and one line per behaviour: number | what happens | file below `tests`, or in
//! `src` | name of the test | where ours differs. With `–` for a file, the reason follows instead of
//! a name. The numbers between those here belong to behaviours that were dropped or are about
//! something else.
//! `PRINT_TABLE=1 cargo test --test behaviours -- --nocapture` prints them.

#![cfg(not(target_family = "wasm"))]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may")]

use std::fs;
use std::path::Path;

/// A source, its lines, and the numbers that they must have.
const SOURCES: [(&str, &str, &[u32]); 5] = [
    (
        "eth.zig",
        include_str!("eth_zig.txt"),
        &[
            1, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15, 16, 19, 20, 21, 22, 23, 24, 25, 26, 27,
            29, 30, 31, 32, 33, 34, 36, 37, 39, 40, 42, 43, 44, 45, 46, 47, 49, 50,
        ],
    ),
    (
        "loopctl",
        include_str!("loopctl.txt"),
        &[
            1, 2, 3, 4, 5, 7, 9, 10, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 27, 29,
            30, 31, 32, 33, 35, 36, 37, 39, 40, 41, 42, 43, 45, 46, 48, 51, 52, 53, 54, 55, 56, 58,
            59, 60, 61, 63, 64, 66, 67, 68,
        ],
    ),
    (
        "x402 failover",
        include_str!("x402_failover.txt"),
        &[
            1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 13, 14, 16, 17, 18, 19, 21, 23, 24, 25, 27, 28, 29, 31,
            32, 33, 34, 35, 36, 37, 38, 40, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 53, 55, 57, 58,
            60, 61, 62, 63, 64, 65, 67, 68, 69, 70, 71, 72, 74, 75,
        ],
    ),
    (
        "x402 protocol",
        include_str!("x402_protocol.txt"),
        &[
            1, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 15, 17, 18, 19, 20, 21, 23, 24, 25, 26, 28, 29,
            31, 32, 33, 35, 36, 37, 38, 39,
        ],
    ),
    ("choices", include_str!("choices.txt"), &[1, 5, 11, 12, 13, 14, 19, 24, 28]),
];

struct Line {
    number: u32,
    what: &'static str,
    shown: Shown,
}

enum Shown {
    By { file: &'static str, test: &'static str, differs: Option<&'static str> },
    Not { why: &'static str },
}

fn parse(row: &'static str) -> Line {
    let fields: Vec<_> = row.split('|').map(str::trim).collect();
    let (number, what, shown) = match *fields.as_slice() {
        [number, what, "–", why] => (number, what, Shown::Not { why }),
        [number, what, file, test] => (number, what, Shown::By { file, test, differs: None }),
        [number, what, file, test, differs] => {
            (number, what, Shown::By { file, test, differs: Some(differs) })
        }
        _ => panic!("not a line: {row}"),
    };
    assert!(fields.iter().all(|field| !field.is_empty()), "a blank field: {row}");
    Line { number: number.parse().unwrap(), what, shown }
}

fn lines(text: &'static str) -> Vec<Line> {
    text.lines().filter(|row| !row.is_empty() && !row.starts_with('#')).map(parse).collect()
}

/// How often a file has a test of that name.
fn tests_named(name: &str, file: &str, text: &str) -> usize {
    let kind = Path::new(file).extension().and_then(|extension| extension.to_str());
    let titles = |before: &[&str]| times(text, &format!("\"{name}\""), before);
    match kind.unwrap() {
        "rs" => times(text, &format!("fn {name}("), &["#[test]"]),
        // A line of the corpus, which is played as a test.
        "jsonl" => titles(&["{\"id\":"]),
        // The title itself, or that of a row of a table of tests.
        "mjs" => titles(&["test(", "[", "row("]) + keys(text, name),
        other => panic!("no tests in .{other}"),
    }
}

/// How often a pattern stands behind one of these.
fn times(text: &str, pattern: &str, before: &[&str]) -> usize {
    let ahead = text.match_indices(pattern).map(|(at, _)| text.split_at(at).0.trim_end());
    let stands = |ahead: &str| before.iter().any(|it| ahead.ends_with(it));
    // Behind a key stands a value of that row, no title.
    ahead.filter(|ahead| stands(ahead) && !ahead.ends_with(": [")).count()
}

/// How many tables of tests have a row under that key.
fn keys(text: &str, name: &str) -> usize {
    let starts = [format!("{name}: ["), format!("\"{name}\": [")];
    text.lines().filter(|line| starts.iter().any(|it| line.trim_start().starts_with(it))).count()
}

fn read(file: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let path =
        if file.starts_with("src/") { root.join(file) } else { root.join("tests").join(file) };
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{file}: {error}"))
}

#[test]
fn every_behaviour_is_in_its_list() {
    for (source, text, numbers) in SOURCES {
        let listed: Vec<_> = lines(text).iter().map(|line| line.number).collect();
        assert_eq!(listed, numbers, "{source}");
    }
}

#[test]
fn every_test_named_is_there_once() {
    for (source, text, _) in SOURCES {
        for Line { number, shown, .. } in lines(text) {
            if let Shown::By { file, test, .. } = shown {
                let found = tests_named(test, file, &read(file));
                assert_eq!(found, 1, "{source} {number}: {test} in {file}");
            }
        }
    }
}

#[test]
fn what_is_not_shown_has_a_reason() {
    for (source, text, _) in SOURCES {
        for Line { number, shown, .. } in lines(text) {
            let words = |text: &str| text.split(' ').count();
            if let Shown::Not { why } = shown {
                assert!(words(why) > 3, "{source} {number}: {why}");
            }
        }
    }
}

#[test]
fn the_table() {
    let print = std::env::var("PRINT_TABLE").is_ok_and(|value| value == "1");
    for (source, text, _) in SOURCES {
        let lines = lines(text);
        let shown = lines.iter().filter(|line| matches!(line.shown, Shown::By { .. })).count();
        println!("\n### {source}: {shown} of {} shown by a test\n", lines.len());
        if print {
            println!("| # | what happens | shown by | |\n| --- | --- | --- | --- |");
            for line in lines {
                println!("{}", row(&line));
            }
        }
    }
}

fn row(Line { number, what, shown }: &Line) -> String {
    match shown {
        Shown::By { file, test, differs } => {
            format!("| {number} | {what} | `{file}`: {test} | {} |", differs.unwrap_or_default())
        }
        Shown::Not { why } => format!("| {number} | {what} | – | {why} |"),
    }
}
