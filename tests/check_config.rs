//! The report of `cargo run --example check_config`.
#![cfg(not(target_family = "wasm"))]

#[path = "../examples/check_config/check.rs"]
mod check;
#[path = "../examples/check_config/dev_vars.rs"]
mod dev_vars;

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
