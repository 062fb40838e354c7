//! Foreign JSON is read as `serde_json` reads it: what is JSON, where values are, which members an
//! object has, and whether a text was cut or is broken.

use std::fmt;

use breakwater::json::members::{self, Found, Item};
use breakwater::json::scan::{self, Span, Unreadable};
use breakwater::json::utf8;
use serde::Deserialize;
use serde::de::{MapAccess, Visitor};
use serde_json::value::RawValue;

/// Names that inputs have.
const NAMES: [&str; 5] = ["a", "id", "result", "é", ""];

/// Any bytes.
///
/// # Panics
///
/// When the two disagree.
pub fn check(bytes: &[u8]) {
    let text = std::str::from_utf8(bytes).ok();
    assert_eq!(utf8(bytes), text);
    text.into_iter().for_each(same);
}

/// Any text.
///
/// # Panics
///
/// When the two disagree.
pub fn same(text: &str) {
    let own = scan::value(text);
    agree(text, own.map(Span::get), serde_json::from_str(text).map(RawValue::get));
    let items = serde_json::from_str::<Vec<&RawValue>>(text);
    for nth in 0..4 {
        let one = scan::elements(text).ok().and_then(|elements| elements.get(nth).copied());
        assert_eq!(scan::element(text, nth), one, "{text:?}");
    }
    let elements = scan::elements(text).map(|elements| texts(&elements, |span| span.get()));
    let found = members::find(text, NAMES).map(known);
    match text.trim_start_matches([' ', '\n', '\t', '\r']).bytes().next() {
        Some(b'[') => agree(text, elements, items.map(|items| texts(&items, |raw| raw.get()))),
        Some(b'{') => agree(text, found, members(text)),
        _ => assert!(elements.is_err() && found.is_err(), "{text:?}"),
    }
    let lone = members::lone(text, NAMES).map(item);
    assert_eq!(lone, own.map(|span| (span.get().to_owned(), members(span.get()).ok())), "{text:?}");
    let mut all = Vec::new();
    let read = members::each(text, NAMES, |one| all.push(item(one)));
    let expected = scan::elements(text).map(|elements| {
        texts(&elements, |span| span.get()).into_iter().map(|text| {
            let members = members(&text).ok();
            (text, members)
        })
    });
    assert_eq!(read.map(|()| all), expected.map(Iterator::collect), "{text:?}");
}

/// The members in [`NAMES`] and which of them came twice.
type Known = ([Option<String>; NAMES.len()], [bool; NAMES.len()]);

fn known(found: Found<'_, { NAMES.len() }>) -> Known {
    (found.members.map(|member| member.map(|span| span.get().to_owned())), found.doubled)
}

fn item((span, found): Item<'_, { NAMES.len() }>) -> (String, Option<Known>) {
    (span.get().to_owned(), found.map(known))
}

fn texts<'a, T>(values: &[T], text: impl Fn(&T) -> &'a str) -> Vec<String> {
    values.iter().map(|value| text(value).to_owned()).collect()
}

#[track_caller]
fn agree<A, B>(text: &str, own: Result<A, Unreadable>, serde: serde_json::Result<B>)
where
    A: PartialEq<B> + fmt::Debug,
    B: fmt::Debug,
{
    match (own, serde) {
        (Ok(own), Ok(serde)) => assert_eq!(own, serde, "{text:?}"),
        (Err(own), Err(serde)) => {
            assert_eq!(own == Unreadable::Cut, serde.is_eof(), "{text:?}: {own:?}, {serde}");
        }
        (own, serde) => panic!("{text:?}: {own:?}, {serde:?}"),
    }
}

/// The same by `serde_json`.
fn members(text: &str) -> serde_json::Result<Known> {
    let Members(all) = serde_json::from_str(text)?;
    let of = |name: &'static str| all.iter().filter(move |(own, _)| own == name);
    let last = NAMES.map(|name| of(name).next_back().map(|(_, value)| value.get().to_owned()));
    Ok((last, NAMES.map(|name| of(name).count() > 1)))
}

struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Map;

        impl<'de> Visitor<'de> for Map {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut all = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    all.push(entry);
                }
                Ok(Members(all))
            }
        }

        deserializer.deserialize_map(Map)
    }
}
