//! The report of `cargo run --example check_config`.
#![cfg(not(target_family = "wasm"))]

#[path = "../examples/check_config/check.rs"]
mod check;
#[path = "../examples/check_config/dev_vars.rs"]
mod dev_vars;
#[path = "../examples/check_config/doubts.rs"]
mod doubts;
#[path = "../examples/check_config/limits.rs"]
mod limits;
#[path = "../examples/check_config/literals.rs"]
mod literals;
#[path = "../examples/check_config/modes.rs"]
mod modes;
#[path = "../examples/check_config/names.rs"]
mod names;

#[path = "common/documents.rs"]
mod documents;

use check::{Report, check};

const GOOD: &str = r#"
name = "breakwater"

[vars.SERVICE]
default_route = "ethereum"

[vars.ROUTE_ETHEREUM]
chain_id = 1
endpoints = [
  { name = "alchemy", url = "https://eth.example.org/v2/${ALCHEMY_KEY}" },
  { name = "own", url = "${OWN_URL}", headers = { Authorization = "Bearer ${OWN_TOKEN}" } },
]

[vars.ROUTE_BASE]
chain_id = 8453
endpoints = [{ name = "public", url = "https://base.example.org" }]
"#;

fn report(toml: &str, env: Option<&str>, secrets: &str) -> Report {
    check(toml, env, &dev_vars::read(secrets))
}

#[test]
fn a_good_file_is_shown_by_name() {
    let report = report(GOOD, None, "ALCHEMY_KEY=a-secret-key\n");
    let text = "\
routes: 2, endpoints: 3
  /base            evm  8453  public
  /ethereum and /  evm     1  alchemy, own
needs secret OWN_TOKEN: wrangler secret put OWN_TOKEN
needs secret OWN_URL: wrangler secret put OWN_URL
";
    assert_eq!((report.text.as_str(), report.good), (text, true));
}

#[test]
fn facilitators_have_no_chain() {
    let pay = r#"
[vars.ROUTE_PAY]
protocol = "x402"
endpoints = [{ name = "cdp", url = "https://pay.example.org", headers = { X = "${PAY_KEY}" } }]
"#;
    let report = report(&format!("{GOOD}{pay}"), None, "");
    assert!(
        report.good && report.text.contains("\n  /pay             x402        cdp\n"),
        "{}",
        report.text
    );
    assert!(report.text.contains("needs secret PAY_KEY"), "{}", report.text);
}

#[test]
fn faults_make_it_bad() {
    let report = report(&GOOD.replace("chain_id = 1\n", "chain_id = 0\n"), None, "");
    let error =
        "error: ROUTE_ETHEREUM.chain_id: must be a whole number from 1 to 9007199254740991\n";
    assert!(report.text.ends_with(error), "{}", report.text);
    assert!(report.text.starts_with("routes: 1, endpoints: 1\n"), "{}", report.text);
    assert!(!report.good);
}

#[test]
fn a_secret_in_dev_vars_is_checked_and_not_shown() {
    let report = report(GOOD, None, "OWN_URL=http://own-secret.example\n");
    let error = "error: ROUTE_ETHEREUM.endpoints[1].url: must be https";
    assert!(report.text.contains(error) && !report.text.contains("own-secret"), "{}", report.text);
}

#[test]
fn client_keys_are_needed_only_when_required() {
    let required = GOOD.replace("[vars.SERVICE]\n", "[vars.SERVICE]\nrequire_key = true\n");
    let note = "needs secret CLIENT_KEYS: wrangler secret put CLIENT_KEYS\n";
    assert!(report(&required, None, "").text.contains(note));
    assert!(!report(&required, None, "CLIENT_KEYS=a,b").text.contains(note));
    assert!(!report(GOOD, None, "").text.contains(note));
}

#[test]
fn an_environment_has_variables_of_its_own() {
    let missing = "\nerror: there is no [env.staging.vars] table, \
                   and Wrangler does not fall back to [vars]\n";
    let found = report(GOOD, Some("staging"), "");
    assert_eq!((found.text.as_str(), found.good), (missing, false));
    let staged = GOOD.replace("[vars.", "[env.staging.vars.");
    let found = report(&staged, Some("staging"), "");
    assert!(found.good, "{}", found.text);
    assert!(found.text.contains("wrangler secret put OWN_URL --env staging\n"), "{}", found.text);
    assert_eq!(report(&staged, None, "").text, "\nerror: there is no [vars] table\n");
    assert!(!report("[vars", None, "").good);
}

#[test]
fn a_limit_needs_its_binding() {
    let limited =
        GOOD.replace("chain_id = 1\n", "chain_id = 1\nrate_limit = { binding = \"RATE\" }\n");
    let with = |period: u32| {
        let simple = format!("simple = {{ limit = 5, period = {period} }}");
        report(&format!("{limited}\n[[ratelimits]]\nname = \"RATE\"\n{simple}\n"), None, "")
    };
    let missing = report(&limited, None, "");
    let error = "error: ROUTE_ETHEREUM.rate_limit.binding: is not bound";
    assert!(!missing.good && missing.text.contains(error), "{}", missing.text);
    let right = with(60);
    assert!(right.good && !right.text.contains("warning"), "{}", right.text);
    let other = with(10);
    let doubt = "warning: ROUTE_ETHEREUM.rate_limit.period_s: callers are told to wait 60 s, but the \
                 period of RATE is 10\n";
    assert!(other.good && other.text.contains(doubt), "{}", other.text);
}

#[test]
fn what_hardly_was_meant_is_warned_of() {
    let pad = "x".repeat(5200);
    let toml = format!(
        "[vars]\nROUTES_X = 1\nRoute = 1\nroute_y = 1\nService = 1\nLOG_LEVEL = \"x\"\n\
         ADMIN_TOKEN = \"t\"\nALCHEMY_KEY = \"k\"\nROUTING = 1\n{GOOD}\n\
         [vars.ROUTE_BIG]\nchain_id = 2\nendpoints = [\
         {{ name = \"ip\", url = \"https://10.0.0.1/{pad}\" }}]\n"
    );
    let report = report(&toml, None, "");
    let warned: Vec<_> = report.text.lines().filter_map(|l| l.strip_prefix("warning: ")).collect();
    let passed_over = "is passed over; tables are SERVICE and ROUTE_<NAME>";
    let mut expected = vec![
        "ROUTE_BIG.endpoints[0].url: IP-literal URLs work only locally".to_owned(),
        "ADMIN_TOKEN: is a secret and must not stand in [vars]".to_owned(),
        "ALCHEMY_KEY: is a secret and must not stand in [vars]".to_owned(),
        "ROUTE_BIG: 5268 bytes; a Worker variable holds 5 KB at most".to_owned(),
    ];
    let misspelt = ["ROUTES_X", "Route", "Service", "route_y"];
    expected.extend(misspelt.map(|name| format!("{name}: {passed_over}")));
    let sorted = |mut list: Vec<String>| {
        list.sort();
        list
    };
    assert_eq!(sorted(warned.into_iter().map(str::to_owned).collect()), sorted(expected));
    assert!(report.good);
}

fn warned(toml: &str) -> Vec<String> {
    let report = report(toml, None, "");
    assert!(report.good, "{}", report.text);
    report.text.lines().filter_map(|l| l.strip_prefix("warning: ")).map(str::to_owned).collect()
}

fn route(name: &str, keys: &str, endpoints: &str) -> String {
    format!("[vars.{name}]\nchain_id = 1\n{keys}\nendpoints = [{endpoints}]\n")
}

const A: &str = r#"{ name = "a", url = "https://a.example.org" }"#;
const B: &str = r#"{ name = "b", url = "https://b.example.org", attempt_timeout_ms = 9500 }"#;

#[test]
fn a_route_that_its_chain_does_not_lead_to_is_told() {
    let default = "[vars.SERVICE]\ndefault_route = \"second-one\"\n";
    let toml = [default, &route("ROUTE_FIRST", "", A), &route("ROUTE_SECOND_ONE", "", A)].concat();
    assert_eq!(
        warned(&toml),
        ["ROUTE_FIRST.chain_id: /1 serves the route second-one, not this one"]
    );
    assert!(warned(&route("ROUTE_FIRST", "", A)).is_empty());
}

#[test]
fn names_that_are_nearly_right_are_told() {
    for name in
        ["ROUT_BASE", "RUOTE_BASE", "ROUTES_BASE", "ROUTE-BASE", "rout_base", "SERVCE", "SEVRICE"]
    {
        let toml = format!("[vars]\n{name} = \"x\"\n{}", route("ROUTE_A", "", A));
        let expected = format!("{name}: is passed over; tables are SERVICE and ROUTE_<NAME>");
        assert_eq!(warned(&toml), [expected]);
    }
    let table = [route("ROUTE_A", "", A), route("CHAINS", "", A)].concat();
    assert_eq!(warned(&table), ["CHAINS: is passed over; tables are SERVICE and ROUTE_<NAME>"]);
    for name in ["LOG_LEVEL", "ROUTER", "ROOT_URL2", "SERVER", "OUTER_X"] {
        let toml = format!("[vars]\n{name} = \"x\"\n{}", route("ROUTE_A", "", A));
        let told = !warned(&toml).is_empty();
        assert_eq!(told, name == "ROUTER", "{name}");
    }
}

#[test]
fn a_key_in_the_file_is_told_and_not_shown() {
    for url in [
        "https://eth.example.org/v2/idB-OO4vx88RFYNadhd65Z4-mWyDp3dF",
        "https://eth.example.org/v3/0123456789abcdef0123456789abcdef",
        "https://eth.example.org/12345678-1234-4abc-8def-1234567890ab/rpc",
        "https://0a1b2c3d4e5f6a7b.eth.example.org/",
        "https://eth.example.org/rpc?dkey=AbCd",
        "https://eth.example.org/rpc?x=0a1b2c3d4e5f6a7b",
    ] {
        let found =
            warned(&route("ROUTE_A", "", &format!("{A}, {{ name = \"k\", url = \"{url}\" }}")));
        let path = "ROUTE_A.endpoints[1].url: holds what looks like a key: make it a secret and write ${NAME}";
        assert_eq!(found, [path], "{url}");
    }
    let header = r#"{ name = "h", url = "https://h.example.org", headers = { Authorization = "Bearer 0a1b2c3d4e5f6a7b" } }"#;
    let found = warned(&route("ROUTE_A", "", header));
    assert!(found[0].starts_with("ROUTE_A.endpoints[0].headers.Authorization: "), "{found:?}");
    for url in [
        "https://polygon-zkevm-cardona-2442.example.org/archive/rpc",
        "https://eth-mainnet.example.org/v2/${KEY}",
        "https://rpc.example.org/ext/bc/C/rpc?network=1&key=${KEY}",
        "https://ethereum-sepolia-rpc.example.org",
    ] {
        let found = warned(&route("ROUTE_A", "", &format!("{{ name = \"k\", url = \"{url}\" }}")));
        assert!(found.is_empty(), "{url}: {found:?}");
    }
}

#[test]
fn times_that_do_not_fit_into_each_other_are_told() {
    let found = |keys: &str, endpoints: &str| warned(&route("ROUTE_A", keys, endpoints));
    let c = A.replace("\"a\"", "\"c\"");
    let two = format!("{A}, {c}");
    assert_eq!(
        found("total_timeout_ms = 3000", A),
        ["ROUTE_A.total_timeout_ms: 3000 ends every attempt before attempt_timeout_ms, 3500"]
    );
    let second = "ROUTE_A.total_timeout_ms: 9000 leaves a second endpoint less than its \
                  attempt_timeout_ms, 5000, when the first is silent";
    assert_eq!(found("attempt_timeout_ms = 5000", &two), [second]);
    assert!(found("attempt_timeout_ms = 5000", A).is_empty());
    assert!(found("attempt_timeout_ms = 5000\nmax_attempts = 1", &two).is_empty());
    assert!(found("attempt_timeout_ms = 4500", &two).is_empty());
    assert_eq!(
        found("method_timeouts_ms = { eth_getLogs = 20000 }", B),
        [
            "ROUTE_A.endpoints[0].attempt_timeout_ms: 9500 is longer than total_timeout_ms, 9000",
            "ROUTE_A.method_timeouts_ms.eth_getLogs: 20000 is longer than total_timeout_ms, 9000",
        ]
    );
}

#[test]
fn keys_of_modes_that_are_without_effect_are_told() {
    let found = |keys: &str, endpoints: &str| warned(&route("ROUTE_A", keys, endpoints));
    let named = |name: &str| A.replace("\"a\"", &format!("\"{name}\""));
    let four = ["a", "c", "d", "e"].map(named).join(", ");
    let alone = "ROUTE_A.hedge_after_ms: is without effect: there is no other endpoint to ask";
    let late =
        "ROUTE_A.hedge_after_ms: 3500 is without effect: attempt_timeout_ms, 3500, is over first";
    assert_eq!(found("hedge_after_ms = 300", A), [alone]);
    assert_eq!(found("hedge_after_ms = 300\nmax_attempts = 1", &four), [alone]);
    assert_eq!(found("hedge_after_ms = 3500", &four), [late]);
    assert!(found("hedge_after_ms = 300", &four).is_empty());
    let heavy = four.replace("name = \"c\"", "name = \"c\", weight = 5");
    let weight = "ROUTE_A.endpoints[1].weight: is without effect unless mode = \"weighted\"";
    assert_eq!(found("", &heavy), [weight]);
    assert!(found("mode = \"weighted\"", &heavy).is_empty());
    let quorum = |of: u32| {
        let inside = format!("threshold = 2, of = {of}, methods = [\"eth_call\"]");
        found(&format!("mode = \"quorum\"\nquorum = {{ {inside} }}"), &four)
    };
    let rivals = "ROUTE_A.quorum.threshold: 2 of 4 may be reached by two different answers: then there is none";
    assert_eq!(quorum(4), [rivals]);
    assert!(quorum(3).is_empty());
}

#[test]
fn dev_vars_are_read_as_people_write_them() {
    let text = "# comment\n\nA=1\n B = \"two # 2\" # note\nexport C='three'\nD=four # note\n\
                E=k=v\nF=\nodd line\n#G=7\n";
    let read = dev_vars::read(text);
    let expected =
        [("A", "1"), ("B", "two # 2"), ("C", "three"), ("D", "four"), ("E", "k=v"), ("F", "")];
    let read: Vec<_> = read.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    assert_eq!(read, expected);
}

/// The configuration in a document's block, and the environment that it is of; none in other blocks.
fn snippet(block: &str) -> Option<(String, Option<&'static str>)> {
    let (_, toml) = block.split_once("toml\n").filter(|(before, _)| before.is_empty())?;
    let env = toml.contains("[env.staging.").then_some("staging");
    toml.contains("vars.ROUTE_").then(|| (toml.to_owned(), env))
}

#[test]
fn what_the_pages_show_is_accepted() {
    let documents = documents::documents();
    let blocks = documents.values().flat_map(|text| text.split("```").skip(1).step_by(2));
    let shown: Vec<_> = blocks.filter_map(snippet).collect();
    for (toml, env) in &shown {
        let report = report(toml, *env, "");
        assert!(report.good && report.text.contains("endpoints: "), "{toml}\n{}", report.text);
    }
    assert!(shown.len() >= 3, "{shown:?}");
}
