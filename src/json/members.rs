//! Members of an object that is read in place: what clients and upstreams send is looked at, never
//! copied.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::scan::{Span, Unreadable};
use super::walk::Walk;

/// A member's value as it stands in the text.
pub type Member<'a> = Option<Span<'a>>;

/// The members that were asked for, in that order.
#[derive(Debug, Clone, Copy)]
pub struct Found<'a, const N: usize> {
    /// The last of each name.
    pub members: [Member<'a>; N],
    /// Which came more than once: two readers of the text could disagree.
    pub doubled: [bool; N],
}

impl<'a, const N: usize> Found<'a, N> {
    /// The members, if none came twice.
    pub fn strict(self) -> Option<[Member<'a>; N]> {
        (!self.doubled.contains(&true)).then_some(self.members)
    }
}

/// A value, with the members that were asked for; `None` when it is no object, or has names that
/// cannot be decoded.
pub type Item<'a, const N: usize> = (Span<'a>, Option<Found<'a, N>>);

/// Looks for members by name in an object that is the only value of a text; all others are skipped.
pub fn find<'a, const N: usize>(
    json: &'a str,
    names: [&str; N],
) -> Result<Found<'a, N>, Unreadable> {
    let mut walk = Walk::new(json);
    let found = object(&mut walk, names)?;
    walk.end()?;
    Ok(found)
}

/// The same of text that must not be ambiguous: `None` when it is no object, or one of the names came
/// twice.
pub(crate) fn strict<'a, const N: usize>(
    json: &'a str,
    names: [&str; N],
) -> Option<[Member<'a>; N]> {
    find(json, names).ok()?.strict()
}

/// The only value of a text, whatever it is.
pub fn lone<'a, const N: usize>(
    json: &'a str,
    names: [&str; N],
) -> Result<Item<'a, N>, Unreadable> {
    let mut walk = Walk::new(json);
    let item = item(&mut walk, names)?;
    walk.end()?;
    Ok(item)
}

/// Hands over each element of an array that is the only value of a text.
pub fn each<'a, const N: usize>(
    json: &'a str,
    names: [&str; N],
    mut take: impl FnMut(Item<'a, N>),
) -> Result<(), Unreadable> {
    let mut walk = Walk::new(json);
    walk.array(&mut |walk| item(walk, names).map(&mut take))?;
    walk.end()
}

/// All members of an object that is the only value of a text, the last of each name. Names written
/// with escapes are [`Unreadable::Bad`].
pub(crate) fn all(json: &str) -> Result<BTreeMap<&str, Span<'_>>, Unreadable> {
    let mut all = BTreeMap::new();
    let mut plain = true;
    let mut walk = Walk::new(json);
    walk.object(|name, value| match name {
        Cow::Borrowed(name) => drop(all.insert(name, value)),
        Cow::Owned(_) => plain = false,
    })?;
    walk.end()?;
    if plain { Ok(all) } else { Err(Unreadable::Bad) }
}

/// A member that is there and not `null`.
pub(crate) fn given(member: Member<'_>) -> Member<'_> {
    member.filter(|value| value.get() != "null")
}

/// Passes a value. What is wrong with an object's names alone is no reason not to.
fn item<'a, const N: usize>(
    walk: &mut Walk<'a>,
    names: [&str; N],
) -> Result<Item<'a, N>, Unreadable> {
    if walk.begins() == Some(b'{') {
        let start = walk.at();
        if let Ok(found) = object(walk, names) {
            return Ok((walk.since(start), Some(found)));
        }
        walk.back_to(start);
    }
    Ok((walk.value()?, None))
}

fn object<'a, const N: usize>(
    walk: &mut Walk<'a>,
    names: [&str; N],
) -> Result<Found<'a, N>, Unreadable> {
    let mut found = Found { members: [None; N], doubled: [false; N] };
    search(walk, &names, &mut found.members, &mut found.doubled)?;
    Ok(found)
}

fn search<'a>(
    walk: &mut Walk<'a>,
    names: &[&str],
    members: &mut [Member<'a>],
    doubled: &mut [bool],
) -> Result<(), Unreadable> {
    walk.object(|name, value| {
        let place = names.iter().position(|wanted| *wanted == name);
        let places = place.and_then(|at| Some((members.get_mut(at)?, doubled.get_mut(at)?)));
        if let Some((member, doubled)) = places {
            *doubled = member.replace(value).is_some();
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts<const N: usize>(members: [Member<'_>; N]) -> [&str; N] {
        members.map(|member| member.map_or("-", Span::get))
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
        assert_eq!(find(r#"{"a":1"#, ["a"]).unwrap_err(), Unreadable::Cut);
    }
}
