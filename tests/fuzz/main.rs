//! Bytes that once brought a reader down, played again; and the seeds that fuzzing begins with.
//! `fuzz/` holds the same checks for `cargo fuzz`.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, unreachable_pub)]

mod checks;

use std::fs;
use std::path::Path;

use checks::{answer, client, config, scan, wire};

type Check = fn(&[u8]);

const CHECKS: [(&str, Check); 5] = [
    ("client", client::check),
    ("answer", answer::check),
    ("config", config::check),
    ("wire", wire::check),
    ("scan", scan::check),
];

#[test]
fn what_was_found_stays_found() {
    let kept = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join(std::env::var("FUZZ_KEPT").unwrap_or("tests/fuzz/kept".into()));
    for (name, check) in CHECKS {
        let mut played = 0;
        for file in fs::read_dir(kept.join(name)).unwrap() {
            let path = file.unwrap().path();
            println!("{}", path.display());
            check(&fs::read(&path).unwrap());
            played += 1;
        }
        assert!(played > 0, "{name} has no inputs");
    }
}
