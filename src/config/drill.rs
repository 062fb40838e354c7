//! The body of an order for a drill. Read like configuration: by key, with a sentence for what is
//! wrong.

use super::table::Table;
use crate::json::{self, words};

/// Longest drill, in milliseconds.
pub const DRILL_MAX_MS: i64 = 600_000;
/// Longest delay, in milliseconds: no attempt takes longer.
const SLOW_MAX_MS: i64 = DRILL_MAX_MS;
/// Furthest behind, in blocks.
const STALE_MAX_BLOCKS: i64 = 1_000_000_000;

/// A drill as it is ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rehearsal {
    /// Which fault.
    pub kind: DrillKind,
    /// How much of it: milliseconds for `slow`, blocks for `stale`, 0 for `down`.
    pub value: u64,
    /// How long, in milliseconds.
    pub for_ms: u64,
}

/// Which fault a drill shows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum DrillKind {
    /// Attempts fail and no request is made.
    #[default]
    Down,
    /// Requests leave late.
    Slow,
    /// Its head is taken for lower than it is; no answer is altered.
    Stale,
}

words!(DrillKind { Down = "down", Slow = "slow", Stale = "stale" });

/// Reads the body; the error is a sentence.
pub fn rehearsal(text: &str) -> Result<Rehearsal, String> {
    let value = json::tree(text).map_err(|why| format!("fault: {why}"))?;
    let mut table = Table::new("fault", value);
    let kind = table.word("kind", DrillKind::WORDS);
    let value = match kind {
        Some(DrillKind::Slow) => needed(&mut table, "value", SLOW_MAX_MS),
        Some(DrillKind::Stale) => needed(&mut table, "value", STALE_MAX_BLOCKS),
        Some(DrillKind::Down) | None => {
            table.size("value", 0..=STALE_MAX_BLOCKS);
            0
        }
    };
    let for_ms = needed(&mut table, "for_ms", DRILL_MAX_MS);
    if kind.is_none() {
        table.fail("kind", "is missing");
    }
    table.finish()?;
    let kind = kind.unwrap_or_default();
    Ok(Rehearsal { kind, value, for_ms })
}

fn needed(table: &mut Table, key: &str, most: i64) -> u64 {
    let number = table.size(key, 1..=most);
    if number.is_none() {
        table.fail(key, "is missing");
    }
    number.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bodies_of_the_documents_are_read() {
        let read = |text| rehearsal(text).unwrap();
        let down = Rehearsal { kind: DrillKind::Down, value: 0, for_ms: 60_000 };
        assert_eq!(read(r#"{"kind":"down","for_ms":60000}"#), down);
        assert_eq!(read(r#"{ "kind": "down", "value": 2000, "for_ms": 60000 }"#), down);
        let slow = Rehearsal { kind: DrillKind::Slow, value: 2_000, for_ms: 600_000 };
        assert_eq!(read(r#"{"kind":"slow","value":2000,"for_ms":600000}"#), slow);
        let stale = Rehearsal { kind: DrillKind::Stale, value: 50, for_ms: 1 };
        assert_eq!(read(r#"{"kind":"stale","value":50,"for_ms":1}"#), stale);
    }

    #[test]
    fn what_is_wrong_is_said() {
        let kinds = r#"fault.kind: must be one of "down", "slow", "stale""#;
        for (text, sentence) in [
            ("", "fault: is not valid JSON (line 1, column 0)"),
            ("[]", "fault: must be a table"),
            ("{}", "fault.for_ms: is missing"),
            (r#"{"for_ms":1}"#, "fault.kind: is missing"),
            (r#"{"kind":"up","for_ms":1}"#, kinds),
            (r#"{"kind":7,"for_ms":1}"#, kinds),
            (r#"{"kind":"down"}"#, "fault.for_ms: is missing"),
            (r#"{"kind":"slow","for_ms":1}"#, "fault.value: is missing"),
            (
                r#"{"kind":"down","for_ms":600001}"#,
                "fault.for_ms: must be a whole number from 1 to 600000",
            ),
            (
                r#"{"kind":"down","for_ms":"60000"}"#,
                "fault.for_ms: must be a whole number from 1 to 600000",
            ),
            (
                r#"{"kind":"stale","value":0,"for_ms":1}"#,
                "fault.value: must be a whole number from 1 to 1000000000",
            ),
            (
                r#"{"kind":"slow","value":-1,"for_ms":1}"#,
                "fault.value: must be a whole number from 1 to 600000",
            ),
            (r#"{"kind":"down","for_ms":1,"until":2}"#, "fault.until: is not a known key"),
            (r#"{"kind":"down","for_ms":1,"for_ms":2}"#, "fault.for_ms: is given twice"),
        ] {
            assert_eq!(rehearsal(text).as_ref().map_err(String::as_str), Err(sentence), "{text}");
        }
    }
}
