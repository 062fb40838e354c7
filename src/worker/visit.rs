//! One client request: what it showed of itself and what it needs of the isolate.

use std::rc::Rc;

use js_sys::Reflect;
use wasm_bindgen::JsValue;
use worker::web_sys::Request;
use worker::{Context, Env};

use super::bells::Bells;
use super::clock;
use super::heading::Heading;
use super::isolate::{self, Isolate};
use super::sync::Line;
use crate::config::{Endpoint, Route};
use crate::http::access::is_key;
use crate::http::admin::authorized;
use crate::time::Millis;

/// A client request being served.
pub(super) struct Visit {
    pub(super) isolate: Rc<Isolate>,
    pub(super) env: Env,
    pub(super) context: Context,
    pub(super) arrived: Millis,
    pub(super) bells: Bells,
    heading: Heading,
    request: Request,
}

impl Visit {
    pub(super) fn new(request: Request, env: Env, context: Context) -> Self {
        Self {
            isolate: isolate::current(&env),
            arrived: clock::now(),
            bells: Bells::new(),
            heading: Heading::of(&request),
            env,
            context,
            request,
        }
    }

    pub(super) fn request(&self) -> &Request {
        &self.request
    }

    pub(super) fn heading(&self) -> &Heading {
        &self.heading
    }

    /// One that is seldom asked for.
    pub(super) fn header(&self, name: &str) -> Option<String> {
        self.request.headers().get(name).ok().flatten()
    }

    /// What stands behind `?` in the request's URL.
    pub(super) fn query(&self) -> String {
        let url = self.heading.url();
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
