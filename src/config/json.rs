//! JSON text to shapes, and serde's complaints to sentences that hold no configured value.

use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeOwned, Deserializer, MapAccess, Visitor};
use serde_json::error::Category;
use serde_path_to_error::{Path, Segment};
use std::fmt;
use std::marker::PhantomData;

use super::remark::{Reading, Remark, shown};

/// Reads one variable. Dashboards and some runtimes hand a table over as text, so a JSON string
/// that holds JSON is read as what it holds.
pub(super) fn read<T: DeserializeOwned>(text: &str) -> Reading<T> {
    if text.trim_start().starts_with('"') {
        let inner: String = serde_json::from_str(text).map_err(|error| not_json(&error))?;
        return table(&inner);
    }
    table(text)
}

fn table<T: DeserializeOwned>(text: &str) -> Reading<T> {
    let mut json = serde_json::Deserializer::from_str(text);
    let Table(value) =
        serde_path_to_error::deserialize(&mut json).map_err(|error| remark(&error))?;
    json.end().map_err(|error| not_json(&error))?;
    Ok(value)
}

/// A table and nothing else: derived structs alone would also take a list, by position.
#[derive(Debug, Default)]
pub(super) struct Table<T>(pub(super) T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Table<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(TableVisitor(PhantomData))
    }
}

struct TableVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for TableVisitor<T> {
    type Value = Table<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a table")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map)).map(Table)
    }
}

fn remark(error: &serde_path_to_error::Error<serde_json::Error>) -> Remark {
    let complaint = error.inner();
    match complaint.classify() {
        Category::Data => place(judge(&complaint.to_string()), error.path()),
        Category::Io | Category::Syntax | Category::Eof => not_json(complaint),
    }
}

fn place(remark: Remark, path: &Path) -> Remark {
    path.iter().rev().fold(remark, |remark, segment| match segment {
        Segment::Seq { index } => remark.under(&format!("[{index}]")),
        Segment::Map { key } | Segment::Enum { variant: key } => remark.under(shown(key)),
        Segment::Unknown => remark.under("?"),
    })
}

fn not_json(error: &serde_json::Error) -> Remark {
    let place = format!("line {}, column {}", error.line(), error.column());
    Remark::at("", format!("is not valid JSON ({place})"))
}

/// serde quotes the offending value before `, expected`; only what stands behind it is used.
fn judge(complaint: &str) -> Remark {
    if complaint.starts_with("unknown field") {
        return Remark::at("", "is not a known key");
    }
    if let Some(field) = complaint.strip_prefix("duplicate field `") {
        let field = field.split('`').next().unwrap_or_default();
        return Remark::at(shown(field), "is given twice");
    }
    let complaint = complaint.rsplit_once(" at line ").map_or(complaint, |(text, _)| text);
    match complaint.rsplit_once(", expected ") {
        Some((_, expected)) => Remark::at("", format!("must be {}", plain(expected))),
        None => Remark::at("", "cannot be read"),
    }
}

/// serde's name of a type in the operator's words.
fn plain(expected: &str) -> &str {
    match expected {
        "u64" => "a whole number, 0 or more",
        "u32" => "a whole number from 0 to 4294967295",
        "u16" => "a whole number from 0 to 65535",
        "i64" => "a whole number",
        "f64" => "a number",
        "a boolean" => "true or false",
        "a sequence" => "a list",
        "a map" => "a table",
        other => other,
    }
}
