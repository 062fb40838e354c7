//! The documents say what the code does: keys, error codes, reasons and events.
#![cfg(not(target_family = "wasm"))]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use std::collections::{BTreeMap, BTreeSet};

use breakwater::breaker::machine::State;
use breakwater::config::{parse, rehearsal};
use breakwater::rpc::fault::Fault;
use breakwater::state::alerts::{Alert, Alerts};
use breakwater::state::event;
use breakwater::state::hops::Hop;
use breakwater::state::orders::Action;
use breakwater::state::region::{Event, Logged};
use breakwater::time::Millis;
use breakwater::verdict::Class;
use breakwater::x402::answer::Trouble;

#[path = "common/documents.rs"]
mod documents;

use documents::{documents, file};

/// A kind of table: its heading, the sources that read it, and a variable with one in which
/// `KEY` stands for a key.
struct Kind {
    heading: &'static str,
    sources: &'static [&'static str],
    variable: &'static str,
    json: &'static str,
}

const KINDS: [Kind; 5] = [
    Kind {
        heading: "## SERVICE keys",
        sources: &["service.rs", "origin.rs"],
        variable: "SERVICE",
        json: r#"{"KEY":null}"#,
    },
    Kind {
        heading: "## Route keys",
        sources: &["route.rs", "timeouts.rs", "protocol.rs"],
        variable: "ROUTE_A",
        json: r#"{"KEY":null}"#,
    },
    Kind {
        heading: "## Endpoint keys",
        sources: &["endpoint.rs"],
        variable: "ROUTE_A",
        json: r#"{"chain_id":1,"endpoints":[{"KEY":null}]}"#,
    },
    Kind {
        heading: "## Keys of quorum",
        sources: &["quorum.rs"],
        variable: "ROUTE_A",
        json: r#"{"chain_id":1,"endpoints":[ENDPOINT],"mode":"quorum","quorum":{"KEY":null}}"#,
    },
    Kind {
        heading: "## Keys of a rule",
        sources: &["rules.rs"],
        variable: "ROUTE_A",
        json: r#"{"chain_id":1,"endpoints":[ENDPOINT],"rules":[{"KEY":null}]}"#,
    },
];

const ENDPOINT: &str = r#"{"name":"a","url":"https://a.example"}"#;

/// What a key is read by: methods of the parser's tables.
const READERS: [&str; 12] = [
    "text", "required", "word", "flag", "whole", "count", "size", "millis", "share", "texts",
    "tables", "table",
];

/// What the one document with this line says from there on.
fn after(line: &str) -> String {
    let line = format!("\n{line}\n");
    let documents = documents();
    let found: Vec<_> = documents.values().filter_map(|text| text.split_once(&line)).collect();
    assert_eq!(found.len(), 1, "documents with {line}");
    found[0].1.to_owned()
}

/// The cells of the first table under a heading.
fn table(heading: &str) -> Vec<Vec<String>> {
    let section = after(heading);
    let lines = section.lines().skip_while(|line| !line.starts_with('|'));
    let rows = lines.take_while(|line| line.starts_with('|')).skip(2);
    let cell = |cell: &str| cell.trim().to_owned();
    let rows: Vec<Vec<_>> = rows.map(|row| row.split('|').map(cell).skip(1).collect()).collect();
    assert!(!rows.is_empty(), "no table under {heading}");
    rows
}

/// What stands in backticks.
fn code(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// Keys of a table.
fn told(heading: &str) -> BTreeSet<String> {
    table(heading).iter().flat_map(|row| code(&row[0])).map(str::to_owned).collect()
}

/// Keys that the parser reads, from its source.
fn read_by_parser(kind: &Kind) -> BTreeSet<String> {
    let mut keys = BTreeSet::new();
    for source in kind.sources {
        let text: String = file(&format!("src/config/{source}")).split_whitespace().collect();
        let starts = READERS.iter().map(|reader| format!(".{reader}(\""));
        for start in starts.chain(["constKEY:&str=\"".to_owned()]) {
            let found = text.split(&start).skip(1).filter_map(|rest| rest.split('"').next());
            keys.extend(found.map(str::to_owned));
        }
    }
    assert!(keys.len() >= 4, "only {keys:?} read by {:?}: has the layout moved?", kind.sources);
    keys
}

/// What is wrong with this variable beside a good route, one sentence a line. In the text `ENDPOINT`
/// stands for a good one.
fn faults(variable: &str, json: &str) -> String {
    let var = |name: &str, json: &str| (name.to_owned(), json.replace("ENDPOINT", ENDPOINT));
    let good = var("ROUTE_Z", r#"{"chain_id":1,"endpoints":[ENDPOINT]}"#);
    let faults = parse(&[good, var(variable, json)], &|_| None).faults;
    faults.iter().map(|fault| &*fault.message).collect::<Vec<_>>().join("\n")
}

#[test]
fn every_key_told_is_one_of_the_parser() {
    for Kind { heading, variable, json, .. } in &KINDS {
        let unknown = |key: &str| {
            let json = json.replace("KEY", key);
            faults(variable, &json).contains(&format!("{key}: is not a known key"))
        };
        assert!(unknown("nonsense"), "{heading}");
        for key in told(heading) {
            assert!(!unknown(&key), "{heading}: {key}");
        }
    }
}

#[test]
fn every_key_of_the_parser_is_told() {
    for kind in &KINDS {
        let (told, read) = (told(kind.heading), read_by_parser(kind));
        let missing: Vec<_> = read.difference(&told).collect();
        assert!(missing.is_empty(), "{} lacks {missing:?}", kind.heading);
    }
}

/// One of each kind of own error.
fn own_errors() -> [Fault; 21] {
    let (attempts, message) = (Vec::new(), String::new());
    [
        Fault::Parse,
        Fault::InvalidRequest,
        Fault::MethodRefused,
        Fault::BatchTooLarge { max: 1 },
        Fault::BodyTooLarge { max: 1 },
        Fault::OriginRefused,
        Fault::KeyRefused,
        Fault::TooManySubrequests,
        Fault::FilterNotFound,
        Fault::ClientRateLimited { retry_after_s: 1 },
        Fault::AllRateLimited { retry_after_s: 1 },
        Fault::NoAnswer { attempts: attempts.clone(), retry_after_s: 1 },
        Fault::QuorumNotMet { threshold: 2, votes: Vec::new(), attempts: Vec::new() },
        Fault::SendUnknown { attempts: attempts.clone() },
        Fault::OnceUnknown { attempts },
        Fault::NotMined { hash: "0x".into() },
        Fault::BadRoute { message },
        Fault::NotFound,
        Fault::HttpMethod,
        Fault::NoWebSocket,
        Fault::Internal,
    ]
}

#[test]
fn own_errors_are_told() {
    let mut told: Vec<_> =
        table("## Own errors").iter().map(|row| format!("{} {}", row[1], row[2])).collect();
    let mut own: Vec<_> =
        own_errors().iter().map(|fault| format!("{} {}", fault.status(), fault.code())).collect();
    told.sort();
    own.sort();
    assert_eq!(told, own);
}

#[test]
fn own_errors_of_facilitators_are_told() {
    let chapter = file("docs/x402.md");
    let troubles = own_errors().map(Trouble::Fault).into_iter();
    for trouble in troubles.chain([Trouble::NoPayload, Trouble::NoClaim]) {
        let body = String::from_utf8(trouble.body()).unwrap();
        let error = body.strip_prefix(r#"{"error":""#).and_then(|rest| rest.split('"').next());
        assert!(chapter.contains(error.unwrap()), "{body}");
    }
}

#[test]
fn no_code_is_missing() {
    let source = file("src/rpc/fault.rs");
    let (_, codes) = source.split_once("pub fn code(&self)").unwrap();
    let (codes, _) = codes.split_once("\n    }\n").unwrap();
    let told: BTreeSet<_> = table("## Own errors").into_iter().map(|row| row[2].clone()).collect();
    let written = codes.split("=> ").skip(1).map(|rest| rest.split(',').next().unwrap());
    let written: BTreeSet<_> = written.map(str::to_owned).collect();
    assert_eq!(told, written);
}

#[test]
fn every_reason_is_told() {
    let texts: String = documents().into_values().collect();
    let told: BTreeSet<_> = code(&texts).collect();
    for class in Class::ALL {
        assert!(told.contains(class.label()), "{}", class.label());
    }
}

#[test]
fn every_action_of_the_operators_is_told() {
    let section = after("| action | effect |");
    let rows = section.lines().skip(1).take_while(|line| line.starts_with('|'));
    let told: Vec<_> = rows.map(|row| code(row).next().unwrap().to_owned()).collect();
    assert_eq!(told, Action::WORDS.iter().map(|(word, _)| *word).collect::<Vec<_>>());
}

#[test]
fn drills_are_told_as_they_are_read() {
    let kinds = table("## Drills").into_iter().map(|row| code(&row[0]).next().unwrap().to_owned());
    let kinds: Vec<_> = kinds.collect();
    for kind in &kinds {
        let body = format!(r#"{{"kind":"{kind}","value":1,"for_ms":600000}}"#);
        assert!(rehearsal(&body).is_ok(), "{body}");
    }
    let sentence = rehearsal("{\"kind\":\"nonsense\",\"for_ms\":1}").unwrap_err();
    assert_eq!(sentence, format!("fault.kind: must be one of \"{}\"", kinds.join("\", \"")));
    let texts: String = documents().into_values().collect();
    let typed = texts.split("/fault -d '").skip(1).map(|rest| rest.split('\'').next().unwrap());
    let typed: Vec<_> = typed.collect();
    assert!(typed.len() >= 3 && typed.iter().all(|body| rehearsal(body).is_ok()), "{typed:?}");
}

/// One of each event, as the log has it.
fn events() -> Vec<event::Told> {
    let logged = Logged {
        at_ms: Millis(1),
        endpoint: "a".into(),
        from: State::Closed,
        to: State::Open,
        reason: "timeout".into(),
        region: "weur".into(),
    };
    let hop = Hop {
        route: "r".into(),
        operation: "eth_call".into(),
        from: "a".into(),
        to: "b".into(),
        reason: "timeout",
        status: None,
    };
    let serving = Event::Serving { from: None, to: Some("a".into()) };
    vec![
        event::failover(&hop, 1, Millis(1)),
        event::breaker("r", &logged),
        event::of_region("r", "weur", &serving, Millis(1)),
        event::exhausted("r", "eth_call", -32002, "a=timeout", Millis(1)),
        event::alert("r", Some("a"), "look", Millis(1)),
        event::config_error(Some("r"), None, "ROUTE_R: is bad", Millis(1)),
    ]
}

#[test]
fn events_have_the_fields_told() {
    let told = table("## Log events");
    let told = told.into_iter().map(|row| {
        let fields = code(&row[2]).map(str::to_owned).collect();
        (code(&row[0]).next().unwrap().to_owned(), fields)
    });
    let told: BTreeMap<String, Vec<String>> = told.collect();
    let names = |line: &str| {
        let members = line.trim_matches(['{', '}']).split(',').filter(|part| part.contains("\":"));
        let names = members.map(|member| member.split('"').nth(1).unwrap().to_owned());
        names.skip(1).collect::<Vec<_>>()
    };
    let written: BTreeMap<_, _> =
        events().into_iter().map(|told| (told.event, names(&told.line))).collect();
    assert_eq!(told, written);
}

#[test]
fn all_but_failovers_are_posted() {
    let mut alerts = Alerts::default();
    for told in events() {
        alerts.take(told, Millis(1));
    }
    let posted: Vec<_> = alerts.due(Millis(1)).iter().map(Alert::body).collect();
    assert_eq!(posted.len(), 5);
    for body in posted {
        assert!(
            !body.contains("failover") && body.contains(r#","dropped":0,"text":"Breakwater: "#)
        );
    }
}

/// Cloudflare's deploy button asks for each line of the one file as a secret, and shows of the other
/// what a variable is for.
#[test]
fn the_deploy_button_asks_for_no_secret() {
    let examples = file(".dev.vars.example");
    let lines = examples.lines().map(str::trim);
    assert!(lines.filter(|line| !line.is_empty()).all(|line| line.starts_with('#')));
    let (package, wrangler) = (file("package.json"), file("wrangler.toml"));
    let (_, described) = package.split_once("\"bindings\": {").unwrap();
    let names = described.split('"').filter(|word| {
        !word.is_empty() && word.chars().all(|c| c.is_ascii_uppercase() || c == '_')
    });
    let described: BTreeSet<_> = names.collect();
    let tables = wrangler.lines().filter_map(|line| line.strip_prefix("[vars."));
    let tables: BTreeSet<_> = tables.filter_map(|line| line.strip_suffix(']')).collect();
    assert_eq!(described, tables);
}
