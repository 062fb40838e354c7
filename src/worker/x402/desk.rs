//! The line to a payment's object. It is named by the route and the hash of the payload as it was
//! sent: the same from every isolate and region.

use alloy_primitives::hex;
use js_sys::futures::JsFuture;
use js_sys::{Promise, Uint8Array};
use wasm_bindgen::prelude::*;
use worker::web_sys::{AbortSignal, Request, RequestInit};
use worker::{Env, Response};

use super::super::{bindings, outlive, together};
use super::asking::Asking;
use crate::config::Route;
use crate::json;
use crate::state::sync::TIMEOUT_MS;
use crate::x402::payload::payload;
use crate::x402::wire::{Asked, Said, Want};

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = ["crypto", "subtle"], js_name = digest, catch)]
    fn digest(algorithm: &str, data: &Uint8Array) -> Result<Promise, JsValue>;
}

/// How long the answer to a verify waits for its being remembered.
const REMEMBER_MS: u64 = 500;

/// One payment's object.
#[derive(Clone)]
pub(super) struct Desk {
    env: Env,
    name: String,
}

impl Desk {
    /// The object of the payment with this payload.
    pub(super) async fn of(env: &Env, route: &Route, payload: &str) -> Result<Self, JsValue> {
        let hash = digest("SHA-256", &Uint8Array::from(payload.as_bytes()))?;
        let hash = Uint8Array::new(&JsFuture::from(hash).await?).to_vec();
        let name = format!("v1/settle/{}/{}", route.name, hex::encode(hash));
        Ok(Self { env: env.clone(), name })
    }

    /// The object's name: the payment's own.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Asks it; `None` when it did not answer in time.
    pub(super) async fn ask(&self, asked: &Asked) -> Option<Said> {
        self.ask_for(asked, TIMEOUT_MS).await
    }

    /// The same with another time.
    pub(super) async fn ask_for(&self, asked: &Asked, timeout_ms: u64) -> Option<Said> {
        let text = self.post(&json::text(asked), timeout_ms).await.ok()?;
        json::read(&text)
    }

    async fn post(&self, body: &str, timeout_ms: u64) -> worker::Result<String> {
        let stub = bindings::settle_stub(&self.env, &self.name)?;
        let init = RequestInit::new();
        init.set_method("POST");
        init.set_body(&JsValue::from_str(body));
        let timeout_ms = u32::try_from(timeout_ms).unwrap_or(u32::MAX);
        init.set_signal(Some(&AbortSignal::timeout_with_u32(timeout_ms)));
        let request = Request::new_with_str_and_init("https://settle/", &init)?;
        let response: Response = stub.fetch_with_request(request.into()).await?;
        if response.status_code() != 200 {
            return Err(worker::Error::from("the payment's object refused"));
        }
        let response: worker::web_sys::Response = response.into();
        let text = JsFuture::from(response.text()?).await?;
        Ok(text.as_string().unwrap_or_default())
    }
}

/// Remembers who called a payment valid. It goes on behind the answer when it takes long.
pub(super) async fn remember(asking: &Asking<'_>, body: &[u8], endpoint: usize) {
    let (Some(payload), Some(by)) = (payload(body), asking.route.endpoints.get(endpoint)) else {
        return;
    };
    let Ok(desk) = Desk::of(&asking.visit.env, asking.route, payload).await else {
        return;
    };
    let asked = Asked { want: Want::Verified, endpoint: Some(by.name.clone()), ..Asked::default() };
    let stored = Box::pin(async move { drop(desk.ask(&asked).await) });
    if let Some(stored) = outlive::beside(asking.visit, stored) {
        let over = asking.visit.bells.sleep(REMEMBER_MS);
        together::unless(stored, over).await;
    }
}
