//! What is refused, and that it is refused with the sentence the operator needs.

use breakwater::config::parse;

use crate::{config, fault, secret};

/// The good table that the rows of `refused.txt` spoil.
const GOOD: &str = "chain_id = 1\nendpoints = [{ name = \"a\", url = \"https://a.example\" }]\n";

/// The rows of a section: (keys, message).
fn rows(section: &str) -> Vec<(&'static str, &'static str)> {
    let text = include_str!("refused.txt");
    let (_, body) = text.split_once(&format!("[{section}]\n")).unwrap();
    let lines = body.lines().take_while(|line| !line.is_empty());
    lines.map(|line| line.split_once(" => ").unwrap()).collect()
}

/// A route whose second endpoint has these keys.
fn with_endpoint(keys: &str) -> String {
    let name = if keys.starts_with("name =") { "" } else { "name = \"b\", " };
    let url = if keys.starts_with("url =") { "" } else { "url = \"https://b.example\", " };
    format!(
        "[ROUTE_A]\nchain_id = 1\nendpoints = [\
         {{ name = \"a\", url = \"https://a.example\" }}, {{ {name}{url}{keys} }}]\n"
    )
}

#[track_caller]
fn refuses(toml: &str, route: Option<&str>, message: &str) {
    assert_eq!(fault(toml), (route.map(str::to_owned), message.to_owned()), "\n{toml}");
}

#[test]
fn the_tables_that_rows_spoil_are_good() {
    let good = [format!("[ROUTE_A]\n{GOOD}"), with_endpoint("")];
    for toml in good {
        assert_eq!(config(&toml).faults, []);
    }
}

#[test]
fn bad_keys_of_a_route() {
    for (keys, message) in rows("route") {
        let toml = format!("[ROUTE_A]\n{GOOD}{keys}\n");
        refuses(&toml, Some("a"), &format!("ROUTE_A.{message}"));
    }
}

#[test]
fn bad_keys_of_an_endpoint() {
    for section in ["endpoint"] {
        for (keys, message) in rows(section) {
            let message = format!("ROUTE_A.endpoints[1].{message}");
            refuses(&with_endpoint(keys), Some("a"), &message);
        }
    }
}

#[test]
fn bad_keys_of_facilitators() {
    let good = GOOD.replace("chain_id = 1", "protocol = \"x402\"");
    assert_eq!(config(&format!("[ROUTE_A]\n{good}")).faults, []);
    for (keys, message) in rows("x402 route") {
        refuses(&format!("[ROUTE_A]\n{good}{keys}\n"), Some("a"), &format!("ROUTE_A.{message}"));
    }
    for (keys, message) in rows("x402 endpoint") {
        let toml = with_endpoint(keys).replace("chain_id = 1", "protocol = \"x402\"");
        refuses(&toml, Some("a"), &format!("ROUTE_A.endpoints[1].{message}"));
    }
}

#[test]
fn bad_keys_of_service() {
    for (keys, message) in rows("service") {
        let keys = keys.replace("; ", "\n");
        let toml = format!("[SERVICE]\n{keys}\n[ROUTE_A]\n{GOOD}[ROUTE_B]\n{GOOD}");
        refuses(&toml, None, &format!("SERVICE.{message}"));
    }
}

#[test]
fn one_fault_a_table_and_unknown_keys_go_first() {
    let keys = "max_attempts = 0\ntotal_timeout_ms = 0\n";
    let toml = format!("[ROUTE_A]\n{GOOD}{keys}");
    let first = "ROUTE_A.total_timeout_ms: must be a whole number from 1 to 86400000";
    refuses(&toml, Some("a"), first);
    let toml = format!("[ROUTE_A]\n{GOOD}{keys}chainid = 1\n").replace("chain_id = 1\n", "");
    refuses(&toml, Some("a"), "ROUTE_A.chainid: is not a known key");
}

#[test]
fn endpoints_must_be_there_named_and_few() {
    let route = |rest: &str| format!("[ROUTE_A]\nchain_id = 1\n{rest}\n");
    let one = |n: usize| format!("{{ name = \"e{n}\", url = \"https://e.example/\" }}");
    let many = |count: usize| (0..count).map(one).collect::<Vec<_>>().join(", ");
    let cases = [
        ("", "ROUTE_A.endpoints: is empty: a route needs at least one endpoint"),
        ("endpoints = []", "ROUTE_A.endpoints: is empty: a route needs at least one endpoint"),
        ("endpoints = \"https://a.example\"", "ROUTE_A.endpoints: must be a list"),
        ("endpoints = [\"https://a.example\"]", "ROUTE_A.endpoints[0]: must be a table"),
        ("endpoints = [[\"a\", \"https://a.example\"]]", "ROUTE_A.endpoints[0]: must be a table"),
        ("endpoints = [{ url = \"https://a.example\" }]", "ROUTE_A.endpoints[0].name: is missing"),
        ("endpoints = [{ name = \"a\" }]", "ROUTE_A.endpoints[0].url: is missing"),
        (&format!("endpoints = [{}]", many(17)), "ROUTE_A.endpoints: has more than 16 entries"),
    ];
    for (rest, message) in cases {
        refuses(&route(rest), Some("a"), message);
    }
    let full = config(&route(&format!("endpoints = [{}]", many(16))));
    assert_eq!((full.faults.len(), full.routes[0].endpoints.len()), (0, 16));
}

#[test]
fn texts_have_their_lengths() {
    let name = "name: takes letters, digits, - _ and . after a letter or digit, at most 64";
    let method = "methods.deny[0]: must be a method's name: letters, digits, _ - and . only";
    let cases = [
        ("name = \"", 64, "\"", name),
        ("url = \"https://", 253, "\"", "url: must have a valid host"),
        ("methods = { deny = [\"", 128, "\"] }", method),
    ];
    for (start, most, end, message) in cases {
        let toml = |length| with_endpoint(&format!("{start}{}{end}", "b".repeat(length)));
        assert_eq!(config(&toml(most)).faults, []);
        refuses(&toml(most + 1), Some("a"), &format!("ROUTE_A.endpoints[1].{message}"));
    }
}

#[test]
fn chain_ids_are_for_evm_and_needed_there() {
    let endpoints = "endpoints = [{ name = \"a\", url = \"https://a.example\" }]\n";
    let route = |rest: &str| format!("[ROUTE_A]\n{endpoints}{rest}\n");
    refuses(&route(""), Some("a"), "ROUTE_A.chain_id: is missing: an evm route needs it");
    refuses(
        &route("chain_id = 0"),
        Some("a"),
        "ROUTE_A.chain_id: must be a whole number from 1 to 9007199254740991",
    );
    refuses(
        &route("chain_id = \"0x1\""),
        Some("a"),
        "ROUTE_A.chain_id: must be a whole number from 1 to 9007199254740991",
    );
}

#[test]
fn names_of_routes() {
    let form = "a route's name takes letters, digits and _ between them, at most 64";
    let reserved = "is a reserved name: status, health, ready, metrics and admin are taken";
    let long = format!("ROUTE_{}", "X".repeat(65));
    let cases = [
        ("ROUTE_", "", "ROUTE_", "the route's name is blank"),
        ("ROUTE__", "-", "ROUTE__", "the route's name is blank"),
        ("ROUTE_ ", " ", "ROUTE_ ", "the route's name is blank"),
        ("ROUTE_STATUS", "status", "ROUTE_STATUS", reserved),
        ("ROUTE_health", "health", "ROUTE_health", reserved),
        ("ROUTE_Ready", "ready", "ROUTE_Ready", reserved),
        ("ROUTE_METRICS", "metrics", "ROUTE_METRICS", reserved),
        ("ROUTE_ADMIN", "admin", "ROUTE_ADMIN", reserved),
        ("ROUTE_1", "1", "ROUTE_1", "a name of digits only is reserved for chain ids"),
        ("ROUTE__X", "-x", "ROUTE__X", form),
        ("ROUTE_X_", "x-", "ROUTE_X_", form),
        ("ROUTE_X Y", "x y", "ROUTE_X Y", form),
        ("ROUTE_X/Y", "x/y", "?", form),
        (&long, &"x".repeat(65), "?", form),
    ];
    for (variable, route, shown, text) in cases {
        refuses(&format!("[\"{variable}\"]\n{GOOD}"), Some(route), &format!("{shown}: {text}"));
    }
}

#[test]
fn the_same_public_name_twice_refuses_both() {
    for other in ["ROUTE_eth_main", "ROUTE_ETH-MAIN"] {
        let config = config(&format!("[ROUTE_ETH_MAIN]\n{GOOD}[{other}]\n{GOOD}"));
        assert_eq!((config.routes.len(), config.faults.len()), (0, 3), "{:?}", config.faults);
        let text = "has the same public name as another route: _ is -, case is ignored";
        for variable in ["ROUTE_ETH_MAIN", other] {
            let message = format!("{variable}: {text}");
            assert!(config.faults.iter().any(|fault| fault.message == message), "{message}");
        }
    }
}

#[test]
fn texts_that_are_no_table() {
    let cases = [
        ("", "ROUTE_A: is not valid JSON (line 1, column 0)"),
        ("{", "ROUTE_A: is not valid JSON (line 1, column 1)"),
        ("{\"chain_id\": 1} x", "ROUTE_A: is not valid JSON (line 1, column 17)"),
        ("\"https://key.example\"", "ROUTE_A: is not valid JSON (line 1, column 1)"),
        ("\"\\\"{}\\\"\"", "ROUTE_A: must be a table"),
        ("null", "ROUTE_A: must be a table"),
        ("[]", "ROUTE_A: must be a table"),
        ("7", "ROUTE_A: must be a table"),
        (
            "{\"chain_id\": null}",
            "ROUTE_A.chain_id: must be a whole number from 1 to 9007199254740991",
        ),
        ("{\"chain_id\": 1, \"chain_id\": 2}", "ROUTE_A.chain_id: is given twice"),
    ];
    for (text, message) in cases {
        let config = parse(&[("ROUTE_A".into(), text.into())], &secret);
        let messages: Vec<_> = config.faults.iter().map(|fault| fault.message.as_str()).collect();
        assert_eq!(messages, [message], "{text}");
    }
}

#[test]
fn service_itself_and_the_lack_of_routes() {
    refuses("", None, "ROUTE_<NAME>: is missing: at least one route is needed");
    refuses(&format!("SERVICE = 1\n[ROUTE_A]\n{GOOD}"), None, "SERVICE: must be a table");
    let several = format!("[ROUTE_A]\n{GOOD}[ROUTE_B]\n{GOOD}");
    refuses(&several, None, "SERVICE.default_route: is needed with several routes: a, b");
}

#[test]
fn a_key_needs_a_list_of_keys() {
    let toml = format!("[SERVICE]\nrequire_key = true\n[ROUTE_A]\n{GOOD}");
    let vars = crate::vars(&toml);
    for keys in [None, Some(""), Some(" , ,")] {
        let config = parse(&vars, &|_| keys.map(str::to_owned));
        let message = "SERVICE.require_key: is true, but the secret CLIENT_KEYS is not bound";
        assert_eq!(config.faults[0].message, message);
        assert_eq!(config.service_fault(), config.faults.first());
        assert_eq!(config.routes.len(), 1);
    }
}
