//! The object's `SQLite` storage. The layout is versioned: a later one migrates by its number.

use std::collections::BTreeMap;

use js_sys::Reflect;
use wasm_bindgen::JsValue;
use worker::{SqlStorage, SqlStorageValue, State};

use super::object::Place;
use crate::config::Route;
use crate::json::{self, FromJson};
use crate::state::alerts::Alerts;
use crate::state::region::{Kept, LOG_MAX, Logged, Memory, Region};
use crate::time::Millis;

/// Version of the tables and of the JSON in them.
const LAYOUT: &str = "1";

const TABLES: &str = "
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS kept (endpoint TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS transitions (seq INTEGER PRIMARY KEY AUTOINCREMENT, value TEXT NOT NULL);
";
const READ_META: &str = "SELECT value FROM meta WHERE key = ?";
const WRITE_META: &str = "INSERT INTO meta (key, value) VALUES (?, ?)
  ON CONFLICT (key) DO UPDATE SET value = excluded.value";
const READ_ENDPOINTS: &str = "SELECT endpoint AS value FROM kept";
const FORGET_KEPT: &str = "DELETE FROM kept WHERE endpoint = ?";
const READ_KEPT: &str = "SELECT value FROM kept";
const READ_TRANSITIONS: &str = "SELECT value FROM transitions ORDER BY seq";
const WRITE_KEPT: &str = "INSERT INTO kept (endpoint, value) VALUES (?, ?)
  ON CONFLICT (endpoint) DO UPDATE SET value = excluded.value";
const ADD_TRANSITION: &str = "INSERT INTO transitions (value) VALUES (?)";
const TRIM_TRANSITIONS: &str =
    "DELETE FROM transitions WHERE seq <= (SELECT MAX(seq) FROM transitions) - ?";

const ACTIVE_UNTIL: &str = "active_until";
const PLACE: &str = "place";
const ALERTS: &str = "alerts";
/// The end of activity is written when it moved by this much.
const ACTIVE_STEP_MS: u64 = 60_000;

/// What is written, so that only changes are written again.
#[derive(Default)]
pub(super) struct Store {
    written: BTreeMap<String, String>,
    active_until: Millis,
    transitions: Vec<Logged>,
    alerts: Alerts,
}

impl Store {
    /// Reads what was kept. Rows that cannot be read are
    /// left out: a breaker that starts closed is safe.
    pub(super) fn open(state: &State, route: &Route) -> worker::Result<(Self, Memory)> {
        let sql = state.storage().sql();
        if texts(&sql, READ_META, ["layout"])?.is_empty() {
            sql.exec(WRITE_META, values(["layout", LAYOUT]))?;
        }
        forget_others(&sql, route)?;
        let active_until = texts(&sql, READ_META, [ACTIVE_UNTIL])?;
        let active_until = active_until.first().and_then(|text| text.parse().ok());
        let active_until = Millis(active_until.unwrap_or_default());
        let memory = Memory {
            kept: read(&sql, READ_KEPT)?,
            log: read(&sql, READ_TRANSITIONS)?,
            active_until,
        };
        let alerts = texts(&sql, READ_META, [ALERTS])?;
        let alerts = alerts.first().and_then(|text| json::read(text));
        let alerts = alerts.unwrap_or_default();
        Ok((Self { active_until, alerts, ..Self::default() }, memory))
    }

    /// The alerts as they were kept.
    pub(super) fn alerts(&self) -> Alerts {
        self.alerts.clone()
    }

    /// Whether something must not wait: a transition, or the end of activity moved far enough.
    pub(super) fn is_behind(&self, region: &Region) -> bool {
        !self.transitions.is_empty() || self.moved(region.active_until())
    }

    fn moved(&self, active_until: Millis) -> bool {
        active_until.since(self.active_until) >= ACTIVE_STEP_MS
    }

    /// Remembers a transition for the next write.
    pub(super) fn note(&mut self, moved: Logged) {
        self.transitions.push(moved);
    }

    /// Writes what changed since the last write.
    pub(super) fn write(&mut self, state: &State, region: &Region) -> worker::Result<()> {
        let sql = state.storage().sql();
        for kept in region.keep() {
            self.write_kept(&sql, &kept)?;
        }
        let active_until = region.active_until();
        if self.moved(active_until) {
            sql.exec(WRITE_META, values([ACTIVE_UNTIL, &active_until.0.to_string()]))?;
            self.active_until = active_until;
        }
        if self.transitions.is_empty() {
            return Ok(());
        }
        for moved in std::mem::take(&mut self.transitions) {
            sql.exec(ADD_TRANSITION, values([&*json::text(&moved)]))?;
        }
        let keep = i32::try_from(LOG_MAX).unwrap_or(i32::MAX);
        sql.exec(TRIM_TRANSITIONS, vec![SqlStorageValue::from(keep)])?;
        Ok(())
    }

    fn write_kept(&mut self, sql: &SqlStorage, kept: &Kept) -> worker::Result<()> {
        let value = json::text(kept);
        if self.written.get(&kept.name) == Some(&value) {
            return Ok(());
        }
        sql.exec(WRITE_KEPT, values([&*kept.name, &*value]))?;
        self.written.insert(kept.name.clone(), value);
        Ok(())
    }
}

/// Which object this is: what was kept, else what it is told now and keeps. Makes the tables.
pub(super) fn place(state: &State, told: Option<Place>) -> worker::Result<Option<Place>> {
    let sql = state.storage().sql();
    sql.exec(TABLES, None)?;
    let kept = texts(&sql, READ_META, [PLACE])?;
    if let Some(kept) = kept.first().and_then(|text| json::read(text)) {
        return Ok(Some(kept));
    }
    if let Some(told) = &told {
        sql.exec(WRITE_META, values([PLACE, &*json::text(told)]))?;
    }
    Ok(told)
}

/// Writes which alerts were sent and which wait.
pub(super) fn keep_alerts(state: &State, alerts: &Alerts) -> worker::Result<()> {
    let sql = state.storage().sql();
    sql.exec(WRITE_META, values([ALERTS, &*json::text(alerts)]))?;
    Ok(())
}

/// Drops the rows of endpoints that the configuration no longer has.
fn forget_others(sql: &SqlStorage, route: &Route) -> worker::Result<()> {
    for endpoint in texts(sql, READ_ENDPOINTS, [])? {
        if !route.endpoints.iter().any(|known| known.name == endpoint) {
            sql.exec(FORGET_KEPT, values([&*endpoint]))?;
        }
    }
    Ok(())
}

/// The `value` column of a query's rows.
fn texts<const N: usize>(
    sql: &SqlStorage,
    query: &str,
    bound: [&str; N],
) -> worker::Result<Vec<String>> {
    let mut found = Vec::new();
    for row in sql.exec(query, values(bound))? {
        found.extend(Reflect::get(&row?, &JsValue::from_str("value"))?.as_string());
    }
    Ok(found)
}

fn read<T: FromJson + Default>(sql: &SqlStorage, query: &str) -> worker::Result<Vec<T>> {
    let texts = texts(sql, query, [])?;
    Ok(texts.iter().filter_map(|text| json::read(text)).collect())
}

fn values<const N: usize>(texts: [&str; N]) -> Vec<SqlStorageValue> {
    texts.into_iter().map(|text| SqlStorageValue::String(text.to_owned())).collect()
}
