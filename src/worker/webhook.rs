//! Posts alerts to the operator's webhook. What becomes of a post changes nothing else.

use std::cell::Cell;
use std::rc::Rc;

use js_sys::futures::JsFuture;
use js_sys::{Object, Promise, Reflect};
use wasm_bindgen::prelude::*;
use worker::web_sys::{AbortSignal, RequestInit, RequestRedirect, Response};

use super::together::{Boxed, together};
use super::{clock, log};
use crate::state::alerts::{Alert, Alerts};
use crate::state::event::{self, Told};
use crate::time::Millis;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(catch)]
    fn fetch(url: &str, init: &RequestInit) -> Result<Promise, JsValue>;
}

const TIMEOUT_MS: u32 = 3_000;
/// Posts under way at once.
const AT_ONCE: usize = 4;

/// Where one object's alerts go. Without a webhook it takes nothing.
pub(super) struct Webhook {
    url: Option<Rc<str>>,
    route: String,
    pub(super) alerts: Alerts,
    /// Something was taken or sent since it was written.
    pub(super) changed: bool,
    /// It is known not to work: told once.
    broken: Rc<Cell<bool>>,
}

impl Webhook {
    pub(super) fn new(url: Option<&str>, route: &str, alerts: Alerts) -> Self {
        Self {
            url: url.map(Rc::from),
            route: route.to_owned(),
            alerts: if url.is_some() { alerts } else { Alerts::default() },
            changed: false,
            broken: Rc::default(),
        }
    }

    pub(super) fn take(&mut self, told: Told, now: Millis) {
        if self.url.is_some() {
            self.alerts.take(told, now);
            self.changed = true;
        }
    }

    /// The posts that are due, to be run in the background.
    pub(super) fn due(&mut self, now: Millis) -> Option<impl Future<Output = ()> + 'static> {
        let url = Rc::clone(self.url.as_ref()?);
        let alerts = self.alerts.due(now);
        if alerts.is_empty() {
            return None;
        }
        self.changed = true;
        let (broken, route) = (Rc::clone(&self.broken), self.route.clone());
        Some(async move {
            let post = |alert| Box::pin(post_one(&url, alert, &broken, &route)) as Boxed<'_, ()>;
            together(alerts.iter().map(post).collect(), AT_ONCE).await;
        })
    }
}

async fn post_one(url: &str, alert: &Alert, broken: &Cell<bool>, route: &str) {
    let why = match post(url, &alert.body()).await {
        Ok(200..=299) => {
            broken.set(false);
            return;
        }
        Ok(status) => format!("status {status}"),
        // The runtime's words may hold the URL.
        Err(_) => "no answer".to_owned(),
    };
    if !broken.replace(true) {
        let message = format!("the webhook of ALERT_WEBHOOK did not take an alert: {why}");
        log::print(&event::alert(route, None, &message, clock::now()));
    }
}

/// HTTP status of the answer.
async fn post(url: &str, body: &str) -> Result<u16, JsValue> {
    let headers = Object::new();
    Reflect::set(&headers, &"content-type".into(), &"application/json".into())?;
    let init = RequestInit::new();
    init.set_method("POST");
    init.set_headers(&headers);
    init.set_body(&JsValue::from_str(body));
    init.set_redirect(RequestRedirect::Manual);
    init.set_signal(Some(&AbortSignal::timeout_with_u32(TIMEOUT_MS)));
    let response = JsFuture::from(fetch(url, &init)?).await?;
    let response: Response = response.unchecked_into();
    if let Some(body) = response.body() {
        // An unread body would hold its connection.
        let _ = JsFuture::from(body.cancel()).await;
    }
    Ok(response.status())
}
