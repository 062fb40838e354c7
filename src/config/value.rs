//! JSON as a tree, for tables that are read key by key. Small on purpose: derived shapes of these
//! tables weigh several times as much in the wasm.

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// Any JSON value. Whole numbers that `i64` cannot hold become `Real`: no key takes such.
#[derive(Debug, PartialEq)]
pub(super) enum Value {
    Null,
    Flag(bool),
    Whole(i64),
    Real(f64),
    Text(String),
    List(Vec<Value>),
    Table(Vec<(String, Value)>),
}

/// Reads one variable; the error says where it stops being JSON. Dashboards and some runtimes hand
/// a table over as text, so a JSON string that holds JSON is read as what it holds.
pub(super) fn read(text: &str) -> Result<Value, String> {
    let value = tree(text)?;
    if let Value::Text(inner) = value { tree(&inner) } else { Ok(value) }
}

/// JSON as it stands.
pub(super) fn tree(text: &str) -> Result<Value, String> {
    serde_json::from_str(text).map_err(|error| {
        format!("is not valid JSON (line {}, column {})", error.line(), error.column())
    })
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Tree)
    }
}

struct Tree;

impl<'de> Visitor<'de> for Tree {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Value, E> {
        Ok(Value::Flag(flag))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(Value::Whole(number))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(i64::try_from(number).map_or(Value::Real(f64::INFINITY), Value::Whole))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Value, E> {
        Ok(Value::Real(number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(value) = seq.next_element()? {
            list.push(value);
        }
        Ok(Value::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut table = Vec::new();
        while let Some(entry) = map.next_entry()? {
            table.push(entry);
        }
        Ok(Value::Table(table))
    }
}
