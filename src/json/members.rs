//! Members of an object that is read in place: what clients and upstreams send is looked at, never
//! copied.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

/// A member's value as it stands in the text.
pub(crate) type Member<'a> = Option<&'a RawValue>;

/// The members that were asked for, in that order.
#[derive(Debug)]
pub(crate) struct Found<'a, const N: usize> {
    /// The last of each name.
    pub(crate) members: [Member<'a>; N],
    /// Which came more than once: two readers of the text could disagree.
    pub(crate) doubled: [bool; N],
}

/// Looks for members by name; all others are skipped.
pub(crate) fn find<'a, const N: usize>(
    json: &'a str,
    names: [&str; N],
) -> serde_json::Result<Found<'a, N>> {
    let mut found = Found { members: [None; N], doubled: [false; N] };
    let wanted = Wanted { names: &names, members: &mut found.members, doubled: &mut found.doubled };
    let mut text = serde_json::Deserializer::from_str(json);
    text.deserialize_map(wanted)?;
    text.end()?;
    Ok(found)
}

/// The same of text that must not be ambiguous: `None` when it is no object, or one of the names came
/// twice.
pub(crate) fn strict<'a, const N: usize>(
    json: &'a str,
    names: [&str; N],
) -> Option<[Member<'a>; N]> {
    let found = find(json, names).ok()?;
    (!found.doubled.contains(&true)).then_some(found.members)
}

/// A member that is there and not `null`.
pub(crate) fn given(member: Member<'_>) -> Member<'_> {
    member.filter(|value| value.get() != "null")
}

struct Wanted<'w, 'a> {
    names: &'w [&'w str],
    members: &'w mut [Member<'a>],
    doubled: &'w mut [bool],
}

impl<'a> Visitor<'a> for Wanted<'_, 'a> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<(), A::Error> {
        let Self { names, members, doubled } = self;
        while let Some(place) = map.next_key_seed(Place(names))? {
            let places = place.and_then(|at| Some((members.get_mut(at)?, doubled.get_mut(at)?)));
            if let Some((member, doubled)) = places {
                *doubled = member.replace(map.next_value()?).is_some();
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}

/// Reads a name to its place among those that are wanted.
struct Place<'w>(&'w [&'w str]);

impl<'a> DeserializeSeed<'a> for Place<'_> {
    type Value = Option<usize>;

    fn deserialize<D: Deserializer<'a>>(self, name: D) -> Result<Option<usize>, D::Error> {
        name.deserialize_str(self)
    }
}

impl Visitor<'_> for Place<'_> {
    type Value = Option<usize>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E>(self, name: &str) -> Result<Option<usize>, E> {
        Ok(self.0.iter().position(|wanted| *wanted == name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts<const N: usize>(members: [Member<'_>; N]) -> [&str; N] {
        members.map(|member| member.map_or("-", RawValue::get))
    }

    #[test]
    fn values_are_those_of_the_text() {
        let text = r#" {"b": [1, {"a":2}], "x":{"a":3}, "\u0061":null} "#;
        assert_eq!(texts(strict(text, ["a", "b", "c"]).unwrap()), ["null", "[1, {\"a\":2}]", "-"]);
        let [null, list] = strict(text, ["a", "b"]).unwrap();
        assert_eq!(texts([given(null), given(list)]), ["-", "[1, {\"a\":2}]"]);
    }

    #[test]
    fn what_came_twice_is_told() {
        let text = r#"{"a":1,"b":2,"a":null,"x":0,"x":0,"a":3}"#;
        let found = find(text, ["a", "b"]).unwrap();
        assert_eq!((texts(found.members), found.doubled), (["3", "2"], [true, false]));
        assert!(strict(text, ["a", "b"]).is_none() && strict(text, ["b"]).is_some());
    }

    #[test]
    fn anything_else_is_no_object() {
        for text in ["", "[]", "7", "null", "{", r#"{"a":1,}"#, r#"{"a":1} x"#, r#"{"a":01}"#] {
            assert!(find(text, ["a"]).is_err(), "{text}");
        }
        assert!(find(r#"{"a":1"#, ["a"]).unwrap_err().is_eof());
    }
}
