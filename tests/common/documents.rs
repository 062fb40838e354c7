//! The documents: those at the root and the pages in `docs/`.

#![allow(clippy::unwrap_used, clippy::panic, dead_code, reason = "each test file uses its part")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The text of a file, by its path from the root.
pub(crate) fn file(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Every document, by its path from the root.
pub(crate) fn documents() -> BTreeMap<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let names = ["", "docs/"].into_iter().flat_map(|folder| {
        let entries = fs::read_dir(root.join(folder)).unwrap();
        entries.map(move |entry| format!("{folder}{}", entry.unwrap().file_name().display()))
    });
    let names = names.filter(|name| Path::new(name).extension().is_some_and(|e| e == "md"));
    names.map(|name| (name.clone(), file(&name))).collect()
}
