//! Whatever the operator writes: no panic, no secret in a sentence, good routes untouched.

use breakwater::config::{Config, parse};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::accepted::{FULL, SMALL};
use crate::{SECRETS, secret, vars};

/// Texts that must not come back in any sentence: secrets, and hosts of configured URLs.
fn hidden() -> Vec<&'static str> {
    let values = SECRETS.iter().flat_map(|(_, value)| value.split([',', ' ', '/']));
    values.filter(|part| part.len() > 6).chain(["rpc.example.org", "Eth.Example.com"]).collect()
}

/// Values that operators, dashboards and scripts put in the wrong place.
fn stray() -> impl Strategy<Value = Value> {
    let fixed = [
        json!(null),
        json!(true),
        json!(-1),
        json!(0),
        json!(1.5),
        json!(1e300),
        json!(u64::MAX),
        json!(""),
        json!("${"),
        json!("${ALCHEMY_KEY}"),
        json!("${RPC_URL}"),
        json!("https://${ALCHEMY_KEY}@rpc.example.org/${RPC_TOKEN}"),
        json!("http://rpc.example.org/v2/${ALCHEMY_KEY}"),
        json!("x, expected https://rpc.example.org at line 1"),
        json!([]),
        json!(["https://rpc.example.org"]),
        json!({}),
        json!({ "https://rpc.example.org/": "${RPC_TOKEN}" }),
    ];
    prop_oneof![
        4 => prop::sample::select(fixed.to_vec()),
        1 => any::<String>().prop_map(Value::from),
        1 => any::<f64>().prop_map(Value::from),
    ]
}

/// What is done to a place in a table.
#[derive(Debug, Clone)]
enum Change {
    Replace(Value),
    Remove,
    Rename(String),
    Wrap,
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        4 => stray().prop_map(Change::Replace),
        1 => Just(Change::Remove),
        1 => any::<String>().prop_map(Change::Rename),
        1 => Just(Change::Rename("https://rpc.example.org".into())),
        1 => Just(Change::Wrap),
    ]
}

/// Walks down by `path`, one index per level, and changes what it finds there.
fn spoil(value: &mut Value, path: &[prop::sample::Index], change: &Change) {
    let (Some((index, rest)), false) = (path.split_first(), is_leaf(value)) else {
        return replace(value, change);
    };
    match value {
        Value::Array(items) => {
            let at = index.index(items.len());
            spoil(&mut items[at], rest, change);
        }
        Value::Object(map) => spoil_key(map, *index, rest, change),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => (),
    }
}

fn spoil_key(
    map: &mut Map<String, Value>,
    index: prop::sample::Index,
    rest: &[prop::sample::Index],
    change: &Change,
) {
    let key = map.keys().nth(index.index(map.len())).unwrap().clone();
    match (rest, change) {
        ([], Change::Remove) => drop(map.remove(&key)),
        ([], Change::Rename(to)) => {
            let value = map.remove(&key).unwrap();
            map.insert(to.clone(), value);
        }
        _ => spoil(&mut map[&key], rest, change),
    }
}

fn is_leaf(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.is_empty(),
        Value::Object(map) => map.is_empty(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => true,
    }
}

fn replace(value: &mut Value, change: &Change) {
    *value = match change {
        Change::Replace(new) => new.clone(),
        Change::Remove | Change::Rename(_) => Value::Null,
        Change::Wrap => json!([value.take()]),
    };
}

fn sentences(config: &Config) -> Vec<&str> {
    let faults = config.faults.iter().map(|fault| fault.message.as_str());
    faults.chain(config.notices.iter().map(|notice| notice.message.as_str())).collect()
}

fn say_nothing_hidden(config: &Config) -> Result<(), TestCaseError> {
    for sentence in sentences(config) {
        let (path, text) = sentence.split_once(": ").unwrap();
        prop_assert!(path.starts_with("SERVICE") || path.starts_with("ROUTE_"), "{}", sentence);
        prop_assert!(!text.is_empty() && !sentence.contains(['\n', '\r']), "{}", sentence);
        for hidden in hidden() {
            prop_assert!(!sentence.contains(hidden), "{} in {}", hidden, sentence);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_spoilt_configuration_never_panics_and_never_tells(
        table in any::<prop::sample::Index>(),
        path in prop::collection::vec(any::<prop::sample::Index>(), 0..5),
        change in change(),
    ) {
        let mut vars = vars(&format!("{FULL}{SMALL}"));
        let (name, json) = &mut vars[table.index(3)];
        let spoilt = name.clone();
        let mut value: Value = serde_json::from_str(json).unwrap();
        spoil(&mut value, &path, &change);
        *json = value.to_string();
        let config = parse(&vars, &secret);
        say_nothing_hidden(&config)?;
        for (variable, route) in [("ROUTE_BASE", "base"), ("ROUTE_ETHEREUM_MAIN", "ethereum-main")] {
            let good = config.route(route).is_some();
            prop_assert!(good || spoilt == variable, "{} fell with {}", variable, spoilt);
        }
        prop_assert!(config.faults.len() <= 1, "{:?}", config.faults);
    }

    #[test]
    fn any_text_is_a_route_or_a_fault(name in "ROUTE_[A-Za-z0-9_/ .é]{0,9}", text in any::<String>()) {
        let config = parse(&[(name, text)], &secret);
        prop_assert_eq!(config.faults.len() + config.routes.len(), 1);
    }

    #[test]
    fn any_secret_is_taken_or_refused_in_silence(value in "[!-~é \r\n]{5,20}") {
        let vars = vars("[ROUTE_A]\nchain_id = 1\nendpoints = [{ name = \"a\", url = \"${K}\" }]");
        let config = parse(&vars, &|_| Some(format!("https://{value}")));
        let value = value.trim();
        for sentence in sentences(&config) {
            prop_assert!(value.len() < 5 || !sentence.contains(value), "{}", sentence);
        }
    }
}
