//! What the Worker is bound to: variables, secrets and the Durable Object namespace.

use js_sys::{JSON, Object, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use worker::{Env, Stub};

use crate::config::{self, Config};

/// Durable Object namespace of [`super::object::RegionObject`].
const REGIONS: &str = "REGION";
/// Durable Object namespace of [`super::x402::object::SettleObject`].
const SETTLES: &str = "SETTLE";

/// The configuration, read from the environment.
pub(super) fn config(env: &Env) -> Config {
    let vars = Object::keys(env.unchecked_ref::<Object>())
        .iter()
        .filter_map(|key| key.as_string())
        .filter(|name| name == "SERVICE" || name.starts_with("ROUTE_"))
        .filter_map(|name| json_of(env, &name).map(|json| (name, json)))
        .collect::<Vec<_>>();
    let mut config = config::parse(&vars, &|name| text_of(env, name));
    config.check_bindings(|name| get(env, name).is_some_and(|binding| binding.is_object()));
    config
}

/// The stub of the object with this name, placed near `hint` when it is made.
pub(super) fn region_stub(env: &Env, name: &str, hint: Option<&str>) -> worker::Result<Stub> {
    let regions = env.durable_object(REGIONS)?;
    match hint {
        Some(hint) => regions.get_by_name_with_location_hint(name, hint),
        None => regions.get_by_name(name),
    }
}

/// The stub of a payment's object. No hint: it is the same from wherever it is asked.
pub(super) fn settle_stub(env: &Env, name: &str) -> worker::Result<Stub> {
    env.durable_object(SETTLES)?.get_by_name(name)
}

/// A binding by its name.
pub(super) fn get(env: &Env, name: &str) -> Option<JsValue> {
    Reflect::get(env, &JsValue::from_str(name)).ok().filter(|value| !value.is_undefined())
}

fn text_of(env: &Env, name: &str) -> Option<String> {
    get(env, name)?.as_string()
}

/// A table arrives as an object, a text binding as a string: both become JSON text.
fn json_of(env: &Env, name: &str) -> Option<String> {
    JSON::stringify(&get(env, name)?).ok()?.as_string()
}
