//! One client request: what it showed of itself and what it needs of the isolate.

use std::rc::Rc;

use js_sys::Reflect;
use wasm_bindgen::JsValue;
use worker::web_sys::{Headers, Request};
use worker::{Context, Env};

use super::clock;
use super::isolate::{self, Isolate};
use super::sync::Line;
use crate::config::{Endpoint, Route};
use crate::http::access::{Caller, is_key};
use crate::http::admin::authorized;
use crate::time::Millis;

/// A client request being served.
pub(super) struct Visit {
    pub(super) isolate: Rc<Isolate>,
    pub(super) env: Env,
    pub(super) context: Context,
    pub(super) arrived: Millis,
    pub(super) origin: Option<String>,
    request: Request,
}

impl Visit {
    pub(super) fn new(request: Request, env: Env, context: Context) -> Self {
        Self {
            isolate: isolate::current(&env),
            arrived: clock::now(),
            origin: header(&request.headers(), "origin"),
            env,
            context,
            request,
        }
    }

    pub(super) fn request(&self) -> &Request {
        &self.request
    }

    pub(super) fn header(&self, name: &str) -> Option<String> {
        header(&self.request.headers(), name)
    }

    /// What stands behind `?` in the request's URL.
    pub(super) fn query(&self) -> String {
        let url = self.request.url();
        let url = url.split('#').next().unwrap_or_default();
        url.split_once('?').map_or_else(String::new, |(_, query)| query.to_owned())
    }

    /// The caller's headers that an endpoint gets: never one of our own keys.
    pub(super) fn forwarded(&self, endpoint: &Endpoint) -> Vec<(String, String)> {
        let service = &self.isolate.config.service;
        let named = endpoint.forward_headers.iter();
        let found = named.filter_map(|name| Some((name.clone(), self.header(name)?)));
        let ours = |value: &str| is_key(service, value) || authorized(service, Some(value));
        found.filter(|(_, value)| !ours(value)).collect()
    }

    /// The line to a route's object; `None` where this isolate shares nothing.
    pub(super) fn line(&self, route: &Route) -> Option<Line> {
        let region = self.isolate.region(|| self.continent())?;
        Some(Line {
            isolate: Rc::clone(&self.isolate),
            env: self.env.clone(),
            index: self.isolate.index(route),
            region,
        })
    }

    /// Where Cloudflare says the caller is: two letters.
    fn continent(&self) -> Option<String> {
        let cf = Reflect::get(&self.request, &"cf".into()).ok()?;
        if cf.is_undefined() || cf.is_null() {
            return None;
        }
        Reflect::get(&cf, &JsValue::from_str("continent")).ok()?.as_string()
    }
}

/// Credentials of a caller, read from the request.
pub(super) struct Credentials {
    authorization: Option<String>,
    api_key: Option<String>,
}

impl Credentials {
    pub(super) fn of(visit: &Visit) -> Self {
        Self { authorization: visit.header("authorization"), api_key: visit.header("x-api-key") }
    }

    pub(super) fn caller<'a>(
        &'a self,
        origin: Option<&'a str>,
        path_key: Option<&'a str>,
    ) -> Caller<'a> {
        Caller {
            origin,
            authorization: self.authorization.as_deref(),
            api_key: self.api_key.as_deref(),
            path_key,
        }
    }
}

fn header(headers: &Headers, name: &str) -> Option<String> {
    headers.get(name).ok().flatten()
}
