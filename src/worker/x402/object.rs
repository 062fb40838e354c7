//! The Durable Object of one payment: it keeps [`Payment`] over restarts and lets those wait who ask
//! for what is under way. Every decision is the payment's own.
//!
//! Stored in `SQLite`: one row, the payment as JSON. What cannot be written did not happen: the asker
//! is refused, and nothing is sent.

use std::cell::RefCell;
use std::time::Duration;

use js_sys::Reflect;
use wasm_bindgen::JsValue;
use worker::{
    DurableObject, Env, Method, Request, Response, SqlStorageValue, State, durable_object,
};

use super::super::{bells, clock};
use crate::json;
use crate::time::Millis;
use crate::x402::claim::Payment;
use crate::x402::wire::{Asked, Said, Want, Word};

const TABLE: &str =
    "CREATE TABLE IF NOT EXISTS payment (id INTEGER PRIMARY KEY, value TEXT NOT NULL)";
const READ: &str = "SELECT value FROM payment WHERE id = 1";
const WRITE: &str = "INSERT INTO payment (id, value) VALUES (1, ?)
  ON CONFLICT (id) DO UPDATE SET value = excluded.value";

/// How long a question waits here before its asker has to ask again.
const HOLD_MS: u64 = 10_000;
/// How often it is looked whether the answer is there.
const LOOK_MS: u64 = 25;

/// The object.
#[durable_object(alarm)]
pub struct SettleObject {
    state: State,
    payment: RefCell<Option<Payment>>,
}

impl DurableObject for SettleObject {
    fn new(state: State, _env: Env) -> Self {
        Self { state, payment: RefCell::new(None) }
    }

    async fn fetch(&self, mut request: Request) -> worker::Result<Response> {
        if request.method() != Method::Post {
            return Response::error("method not allowed", 405);
        }
        let body = request.text().await?;
        let Some(asked) = json::read::<Asked>(&body) else {
            return Response::error("not a question", 400);
        };
        let began = clock::now();
        loop {
            let said = self.hear(&asked).await?;
            let waits = asked.want == Want::Wait && said.word == Word::UnderWay;
            if !waits || clock::now().since(began) >= HOLD_MS {
                return Response::ok(json::text(&said));
            }
            bells::sleep(LOOK_MS).await;
        }
    }

    /// Forgets the payment a day after its last use.
    async fn alarm(&self) -> worker::Result<Response> {
        let now = clock::now();
        let payment = self.load()?;
        if payment.is_over(now) {
            self.state.storage().delete_all().await?;
            self.keep(Payment::default());
        } else {
            self.arm(payment.over_at(), now).await?;
        }
        Response::empty()
    }
}

impl SettleObject {
    /// Changes are written before they are known to anybody.
    async fn hear(&self, asked: &Asked) -> worker::Result<Said> {
        let (now, before) = (clock::now(), self.load()?);
        let mut payment = before.clone();
        let said = payment.hear(asked.clone(), now);
        if payment != before {
            self.write(&payment)?;
            let new = before == Payment::default();
            let over_at = payment.over_at();
            self.keep(payment);
            if new {
                self.arm(over_at, now).await?;
            }
        }
        Ok(said)
    }

    fn load(&self) -> worker::Result<Payment> {
        if let Some(payment) = self.payment.try_borrow().ok().and_then(|kept| kept.clone()) {
            return Ok(payment);
        }
        let sql = self.state.storage().sql();
        sql.exec(TABLE, None)?;
        let mut kept = None;
        for row in sql.exec(READ, None)? {
            kept = Reflect::get(&row?, &JsValue::from_str("value"))?.as_string();
        }
        let payment = match kept {
            Some(text) => Payment::read(&text).ok_or("a payment of another version")?,
            None => Payment::default(),
        };
        self.keep(payment.clone());
        Ok(payment)
    }

    fn write(&self, payment: &Payment) -> worker::Result<()> {
        let value = SqlStorageValue::String(payment.write());
        let sql = self.state.storage().sql();
        sql.exec(TABLE, None)?;
        sql.exec(WRITE, vec![value])?;
        Ok(())
    }

    fn keep(&self, payment: Payment) {
        if let Ok(mut place) = self.payment.try_borrow_mut() {
            *place = Some(payment);
        }
    }

    async fn arm(&self, at: Millis, now: Millis) -> worker::Result<()> {
        self.state.storage().set_alarm(Duration::from_millis(at.since(now))).await
    }
}
