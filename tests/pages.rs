//! The pages hang together: links lead somewhere, none is lost, nothing is told twice.
#![cfg(not(target_family = "wasm"))]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

#[path = "common/documents.rs"]
mod documents;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use documents::{documents, file};

/// A heading as it is linked to.
fn anchor(heading: &str) -> String {
    let kept = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = kept.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// Where a link in a document leads: the path from the root, and the heading if it names one.
fn target<'a>(document: &str, link: &'a str) -> (String, &'a str) {
    let (path, fragment) = link.split_once('#').unwrap_or((link, ""));
    let mut parts: Vec<_> = document.split('/').collect();
    if !path.is_empty() {
        parts.pop();
        for part in path.split('/') {
            if part == ".." {
                parts.pop();
            } else {
                parts.push(part);
            }
        }
    }
    (parts.join("/"), fragment)
}

/// The links of a text to places of this project.
fn links(text: &str) -> impl Iterator<Item = &str> {
    let links = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    links.filter(|link| !link.starts_with("https://"))
}

#[test]
fn links_lead_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut seen = 0;
    for (name, text) in &documents() {
        for link in links(text) {
            seen += 1;
            let (path, fragment) = target(name, link);
            assert!(root.join(&path).exists(), "{name}: {link}");
            let found = |line: &str| line.starts_with('#') && anchor(line) == fragment;
            assert!(fragment.is_empty() || file(&path).lines().any(found), "{name}: {link}");
        }
    }
    assert!(seen > 10, "only {seen} links seen");
}

#[test]
fn the_readme_leads_to_every_page() {
    let documents = documents();
    let readme = &documents["README.md"];
    let linked: BTreeSet<_> = links(readme).map(|link| target("README.md", link).0).collect();
    for name in documents.keys().filter(|name| *name != "README.md") {
        assert!(linked.contains(name), "{name}");
    }
}

#[test]
fn nothing_is_told_twice() {
    let mut told = BTreeMap::new();
    for (name, text) in documents() {
        for line in text.split("```").step_by(2).flat_map(str::lines).filter(|l| l.len() > 60) {
            let earlier = told.insert(line.to_owned(), name.clone());
            assert!(earlier.is_none(), "{name} and {earlier:?}: {line}");
        }
    }
}
