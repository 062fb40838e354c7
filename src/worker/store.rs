//! The object's `SQLite` storage. The layout is versioned: a later one migrates by its number.

use std::collections::BTreeMap;

use js_sys::Reflect;
use serde::Deserialize;
use wasm_bindgen::JsValue;
use worker::{SqlStorage, SqlStorageValue, State};

use crate::state::region::{Kept, LOG_MAX, Logged};

/// Version of the tables and of the JSON in them.
const LAYOUT: &str = "1";

const TABLES: &str = "
CREATE TABLE IF NOT EXISTS layout (version TEXT PRIMARY KEY);
CREATE TABLE IF NOT EXISTS kept (endpoint TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS transitions (seq INTEGER PRIMARY KEY AUTOINCREMENT, value TEXT NOT NULL);
";
const MARK_LAYOUT: &str = "INSERT OR IGNORE INTO layout (version) VALUES (?)";
const READ_KEPT: &str = "SELECT value FROM kept";
const READ_TRANSITIONS: &str = "SELECT value FROM transitions ORDER BY seq";
const WRITE_KEPT: &str = "INSERT INTO kept (endpoint, value) VALUES (?, ?)
  ON CONFLICT (endpoint) DO UPDATE SET value = excluded.value";
const ADD_TRANSITION: &str = "INSERT INTO transitions (value) VALUES (?)";
const TRIM_TRANSITIONS: &str =
    "DELETE FROM transitions WHERE seq <= (SELECT MAX(seq) FROM transitions) - ?";

/// What is written, so that only changes are written again.
#[derive(Default)]
pub(super) struct Store {
    written: BTreeMap<String, String>,
    transitions: Vec<Logged>,
}

impl Store {
    /// Makes the tables where they are missing.
    pub(super) fn open(state: &State) -> worker::Result<Self> {
        let sql = state.storage().sql();
        sql.exec(TABLES, None)?;
        sql.exec(MARK_LAYOUT, values([LAYOUT]))?;
        Ok(Self::default())
    }

    /// What was kept. Rows that cannot be read are left out: a breaker that starts closed is safe.
    pub(super) fn read(state: &State) -> worker::Result<(Vec<Kept>, Vec<Logged>)> {
        let sql = state.storage().sql();
        Ok((rows(&sql, READ_KEPT)?, rows(&sql, READ_TRANSITIONS)?))
    }

    /// Remembers a transition for the next write.
    pub(super) fn note(&mut self, moved: Logged) {
        self.transitions.push(moved);
    }

    /// Writes what changed since the last write.
    pub(super) fn write(
        &mut self,
        state: &State,
        kept: impl Iterator<Item = Kept>,
    ) -> worker::Result<()> {
        let sql = state.storage().sql();
        for kept in kept {
            self.write_kept(&sql, &kept)?;
        }
        if self.transitions.is_empty() {
            return Ok(());
        }
        for moved in std::mem::take(&mut self.transitions) {
            sql.exec(ADD_TRANSITION, values([&*serde_json::to_string(&moved)?]))?;
        }
        let keep = i32::try_from(LOG_MAX).unwrap_or(i32::MAX);
        sql.exec(TRIM_TRANSITIONS, vec![SqlStorageValue::from(keep)])?;
        Ok(())
    }

    fn write_kept(&mut self, sql: &SqlStorage, kept: &Kept) -> worker::Result<()> {
        let value = serde_json::to_string(kept)?;
        if self.written.get(&kept.name) == Some(&value) {
            return Ok(());
        }
        sql.exec(WRITE_KEPT, values([&*kept.name, &*value]))?;
        self.written.insert(kept.name.clone(), value);
        Ok(())
    }
}

fn rows<T: for<'de> Deserialize<'de>>(sql: &SqlStorage, query: &str) -> worker::Result<Vec<T>> {
    let mut found = Vec::new();
    for row in sql.exec(query, None)? {
        let value = Reflect::get(&row?, &JsValue::from_str("value"))?.as_string();
        found.extend(value.and_then(|value| serde_json::from_str(&value).ok()));
    }
    Ok(found)
}

fn values<const N: usize>(texts: [&str; N]) -> Vec<SqlStorageValue> {
    texts.into_iter().map(|text| SqlStorageValue::String(text.to_owned())).collect()
}
