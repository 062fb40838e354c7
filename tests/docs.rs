//! The documents say what the code does: keys, error codes, reasons and links.
#![cfg(not(target_family = "wasm"))]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use breakwater::config::parse;
use breakwater::rpc::fault::Fault;
use breakwater::verdict::Class;

/// A kind of table: the README's heading, the sources that read it, and a variable that has a key.
struct Kind {
    heading: &'static str,
    sources: &'static [&'static str],
    with_key: fn(&str) -> (&'static str, String),
}

const ENDPOINT: &str = r#""name":"a","url":"https://a.example""#;

const KINDS: [Kind; 4] = [
    Kind {
        heading: "### SERVICE keys",
        sources: &["service.rs", "origin.rs"],
        with_key: |key| ("SERVICE", format!(r#"{{"{key}":null}}"#)),
    },
    Kind {
        heading: "### Route keys",
        sources: &["route.rs", "timeouts.rs"],
        with_key: |key| ("ROUTE_A", format!(r#"{{"{key}":null}}"#)),
    },
    Kind {
        heading: "### Endpoint keys",
        sources: &["endpoint.rs"],
        with_key: |key| ("ROUTE_A", format!(r#"{{"chain_id":1,"endpoints":[{{"{key}":null}}]}}"#)),
    },
    Kind {
        heading: "### Keys of a rule",
        sources: &["rules.rs"],
        with_key: |key| {
            (
                "ROUTE_A",
                format!(
                    r#"{{"chain_id":1,"endpoints":[{{{ENDPOINT}}}],"rules":[{{"{key}":null}}]}}"#
                ),
            )
        },
    },
];

/// What a key is read by: methods of the parser's tables.
const READERS: [&str; 12] = [
    "text", "required", "word", "flag", "whole", "count", "size", "millis", "share", "texts",
    "tables", "table",
];

fn file(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The cells of the first table under a heading of the README.
fn table(heading: &str) -> Vec<Vec<String>> {
    let readme = file("README.md");
    let (_, section) = readme.split_once(&format!("\n{heading}\n")).unwrap();
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

/// Keys of a table of the README.
fn told(heading: &str) -> BTreeSet<String> {
    table(heading).iter().flat_map(|row| code(&row[0])).map(str::to_owned).collect()
}

/// Keys that the parser reads, and those it reserves, from its source.
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

/// Reserved keys with the values that are accepted, from the README: (table, key, value).
fn reserved() -> Vec<(String, String, Option<String>)> {
    let mut found = Vec::new();
    for row in table("### Reserved keys") {
        let (keys, values): (Vec<_>, Vec<_>) = (code(&row[0]).collect(), code(&row[2]).collect());
        for (at, key) in keys.iter().enumerate() {
            let own = if values.len() == keys.len() { &values[at..=at] } else { &values[..] };
            let none = own.is_empty().then_some(None);
            let values = own.iter().map(|value| Some((*value).to_owned())).chain(none);
            found.extend(values.map(|value| (row[1].clone(), (*key).to_owned(), value)));
        }
    }
    found
}

fn faults(variable: &str, json: String) -> String {
    let good = format!(r#"{{"chain_id":1,"endpoints":[{{{ENDPOINT}}}]}}"#);
    let vars = [("ROUTE_Z".to_owned(), good), (variable.to_owned(), json)];
    let faults = parse(&vars, &|_| None).faults;
    faults.iter().map(|fault| format!("{}\n", fault.message)).collect()
}

#[test]
fn every_key_of_the_readme_is_one_of_the_parser() {
    for kind in &KINDS {
        let unknown = |key: &str| {
            let (variable, json) = (kind.with_key)(key);
            faults(variable, json).contains(&format!("{key}: is not a known key"))
        };
        assert!(unknown("nonsense"), "{}", kind.heading);
        for key in told(kind.heading) {
            assert!(!unknown(&key), "{}: {key}", kind.heading);
        }
    }
}

#[test]
fn every_key_of_the_parser_is_in_the_readme() {
    for kind in &KINDS {
        let (told, read) = (told(kind.heading), read_by_parser(kind));
        let missing: Vec<_> = read.difference(&told).collect();
        assert!(missing.is_empty(), "{} lacks {missing:?}", kind.heading);
    }
}

#[test]
fn reserved_keys_are_told_with_what_is_accepted() {
    let told: BTreeSet<_> = reserved().into_iter().map(|(_, key, _)| key).collect();
    let source: String = file("src/config/not_yet.rs").split_whitespace().collect();
    let rows = source.split("(\"").skip(1).filter(|rest| rest.contains("\",&["));
    let rows: BTreeSet<_> =
        rows.filter_map(|rest| rest.split('"').next()).map(str::to_owned).collect();
    assert_eq!(told, rows);
    for (of, key, value) in reserved() {
        let value_or_odd = value.as_deref().unwrap_or("{}");
        let member = format!(r#""{key}":{value_or_odd}"#);
        let json = match of.as_str() {
            "route" => format!(r#"{{"chain_id":1,"endpoints":[{{{ENDPOINT}}}],{member}}}"#),
            _ => format!(r#"{{"chain_id":1,"endpoints":[{{{ENDPOINT},{member}}}]}}"#),
        };
        // SERVICE has its own fault here: two routes, no default.
        let refused = faults("ROUTE_A", json).contains("ROUTE_A");
        assert_eq!(refused, value.is_none(), "{of} {key} {value:?}");
    }
}

/// One of each kind of own error.
fn own_errors() -> [Fault; 17] {
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
        Fault::AllRateLimited { retry_after_s: 1 },
        Fault::NoAnswer { attempts: attempts.clone(), retry_after_s: 1 },
        Fault::SendUnknown { attempts: attempts.clone() },
        Fault::OnceUnknown { attempts },
        Fault::BadRoute { message },
        Fault::NotFound,
        Fault::HttpMethod,
        Fault::NoWebSocket,
        Fault::Internal,
    ]
}

#[test]
fn own_errors_are_those_of_the_readme() {
    let mut told: Vec<_> =
        table("### Own errors").iter().map(|row| format!("{} {}", row[1], row[2])).collect();
    let mut own: Vec<_> =
        own_errors().iter().map(|fault| format!("{} {}", fault.status(), fault.code())).collect();
    told.sort();
    own.sort();
    assert_eq!(told, own);
}

#[test]
fn no_code_is_missing_in_the_readme() {
    let source = file("src/rpc/fault.rs");
    let (_, codes) = source.split_once("pub fn code(&self)").unwrap();
    let (codes, _) = codes.split_once("\n    }\n").unwrap();
    let told: BTreeSet<_> = table("### Own errors").into_iter().map(|row| row[2].clone()).collect();
    let written = codes.split("=> ").skip(1).map(|rest| rest.split(',').next().unwrap());
    let written: BTreeSet<_> = written.map(str::to_owned).collect();
    assert_eq!(told, written);
}

#[test]
fn every_reason_is_in_the_readme() {
    let readme = file("README.md");
    let told: BTreeSet<_> = code(&readme).collect();
    let missing: Vec<_> = Class::ALL
        .iter()
        .map(|class| class.label())
        .filter(|label| !told.contains(label))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// A heading as it is linked to.
fn anchor(heading: &str) -> String {
    let kept = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = kept.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[test]
fn links_lead_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let names = fs::read_dir(root).unwrap().map(|entry| entry.unwrap().file_name());
    let names = names.filter_map(|name| name.into_string().ok());
    let mut links = 0;
    for name in names.filter(|name| name.ends_with(".md")) {
        let text = file(&name);
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if link.starts_with("https://") {
                continue;
            }
            links += 1;
            let (path, fragment) = link.split_once('#').unwrap_or((link, ""));
            let path = if path.is_empty() { &name } else { path };
            assert!(root.join(path).exists(), "{name}: {link}");
            let found = |line: &str| line.starts_with('#') && anchor(line) == fragment;
            assert!(fragment.is_empty() || file(path).lines().any(found), "{name}: {link}");
        }
    }
    assert!(links > 10, "only {links} links seen");
}
