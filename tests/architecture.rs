//! The import order: a room may use those to the right of it, never the reverse. Natively the
//! compiler already keeps Workers types out of everything but `worker`.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use std::fs;
use std::path::{Path, PathBuf};

/// Rooms from top to bottom.
const ORDER: [&str; 15] = [
    "worker", "http", "x402", "exchange", "quorum", "select", "metrics", "state", "breaker",
    "verdict", "method", "rpc", "config", "json", "time",
];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

fn room_of(path: &Path, root: &Path) -> String {
    let first = path.strip_prefix(root).unwrap().components().next().unwrap();
    first.as_os_str().to_string_lossy().trim_end_matches(".rs").to_owned()
}

fn rank(room: &str) -> usize {
    ORDER.iter().position(|known| *known == room).unwrap_or_else(|| panic!("unknown room {room}"))
}

#[test]
fn rooms_use_only_what_is_below_them() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    let mut uses = 0;
    for path in files.iter().filter(|path| !path.ends_with("lib.rs")) {
        let here = room_of(path, &root);
        let text = fs::read_to_string(path).unwrap();
        for part in text.split("crate::").skip(1) {
            let there: String =
                part.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
            uses += 1;
            assert!(
                rank(&there) >= rank(&here),
                "{} is in {here} and uses {there}, which stands above it",
                path.display()
            );
        }
    }
    assert!(uses > 100, "only {uses} uses seen: has the layout moved?");
}
