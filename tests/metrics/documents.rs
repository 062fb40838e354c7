//! `docs/metrics.md` tells of every metric, and of no other.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use breakwater::metrics::{self, FAMILIES};
use breakwater::state::region::Question;

use crate::common::good;
use crate::exposition::{Page, read};
use crate::scene::{Scene, config, tally};

/// Name, type and labels of each row.
fn told() -> Vec<[String; 3]> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/metrics.md");
    let text = fs::read_to_string(path).unwrap();
    let rows = text.lines().filter(|line| line.starts_with("| `breakwater_"));
    let row = |line: &str| {
        let cells: Vec<_> = line.split('|').map(|cell| cell.trim().replace('`', "")).collect();
        [cells[1].clone(), cells[2].clone(), cells[3].clone()]
    };
    rows.map(row).collect()
}

#[test]
fn they_name_what_the_code_writes_and_its_type_in_the_same_order() {
    let told: Vec<_> = told().into_iter().map(|[name, kind, _]| (name, kind)).collect();
    let written = FAMILIES.iter().map(|family| (family.name, family.kind.label()));
    let written: Vec<_> = written.map(|(name, kind)| (name.to_owned(), kind.to_owned())).collect();
    assert_eq!(told, written);
}

/// A page on which every metric has a sample.
fn full() -> Page {
    let samples = [("r", ""), ("w", r#""mode":"weighted""#)].map(|(name, more)| {
        let mut scene = Scene::new(more);
        scene.hand_in(tally("eth_call", &[5], Some("timeout")), 0);
        for at in [0, 15_000] {
            scene.probe(at, |question| match question {
                Question::ChainId => (good(), Some(1)),
                Question::Head | Question::Finalized | Question::Supported => (good(), Some(at)),
            });
        }
        scene.samples(15_000).replace(r#"route="r""#, &format!(r#"route="{name}""#))
    });
    read(&metrics::page(&config(), &samples[..]))
}

#[test]
fn they_tell_each_label() {
    let page = full();
    for [name, kind, labels] in told() {
        let shown = if kind == "histogram" { format!("{name}_bucket") } else { name.clone() };
        let samples = page.labelled(&shown);
        let (found, _) = samples.first().unwrap_or_else(|| panic!("{name} has no sample"));
        let found: BTreeSet<_> = found.keys().map(String::as_str).collect();
        assert_eq!(labels.split(", ").collect::<BTreeSet<_>>(), found, "{name}");
    }
}
