//! One JSON value of a body: an answer, or not.

use std::fmt;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::{Answer, ErrorObject, Item, Said};

/// The members that matter; all others are skipped.
#[derive(serde::Deserialize)]
#[serde(field_identifier, rename_all = "lowercase")]
enum Name {
    JsonRpc,
    Id,
    Result,
    Error,
    Code,
    Message,
    #[serde(other)]
    Other,
}

#[derive(Default)]
struct Members<'a> {
    version: bool,
    id: Option<&'a RawValue>,
    result: Option<&'a RawValue>,
    error: Option<&'a RawValue>,
    code: Option<&'a RawValue>,
    message: Option<&'a RawValue>,
    /// `id`, `result` or `error` came twice, so two readers of these bytes could disagree.
    doubled: bool,
}

impl<'a> Members<'a> {
    fn read<A: MapAccess<'a>>(mut map: A) -> Result<Self, A::Error> {
        let mut members = Self::default();
        while let Some(name) = map.next_key::<Name>()? {
            let slot = match name {
                Name::JsonRpc => {
                    members.version = true;
                    map.next_value::<IgnoredAny>()?;
                    continue;
                }
                Name::Other => {
                    map.next_value::<IgnoredAny>()?;
                    continue;
                }
                Name::Id => &mut members.id,
                Name::Result => &mut members.result,
                Name::Error => &mut members.error,
                Name::Code => &mut members.code,
                Name::Message => &mut members.message,
            };
            let first = slot.replace(map.next_value()?);
            members.doubled |= first.is_some() && !matches!(name, Name::Code | Name::Message);
        }
        Ok(members)
    }

    fn into_item(self) -> Item<'a> {
        let id = self.id.filter(|id| id.get() != "null");
        let addressed = self.version || id.is_some();
        let error = self.error.filter(|error| !matches!(error.get(), "null" | "false"));
        let said = match (error, self.result) {
            _ if self.doubled => Said::Malformed,
            (Some(_), Some(result)) if result.get() != "null" => Said::Malformed,
            (Some(error), _) => match ErrorObject::from_member(error) {
                Some(error) if addressed || error.is_object() => Said::Error(error),
                _ if addressed => Said::Malformed,
                _ => return Item::Foreign,
            },
            (None, Some(result)) if addressed => Said::Result(result),
            (None, None) => match ErrorObject::from_bare(self.code, self.message) {
                Some(error) => Said::Error(error),
                None if addressed => Said::Malformed,
                None => return Item::Foreign,
            },
            (None, Some(_)) => return Item::Foreign,
        };
        Item::Answer(Answer { id, said })
    }
}

/// One element of an array: an object is an answer, if it has anything of one.
pub(super) fn element(raw: &RawValue) -> Item<'_> {
    match raw.get().bytes().next() {
        Some(b'{') => object(raw.get()).unwrap_or(Item::Foreign),
        Some(b'n') => Item::Null,
        _ => Item::Foreign,
    }
}

/// Reads a JSON object.
pub(super) fn object(json: &str) -> serde_json::Result<Item<'_>> {
    serde_json::from_str(json).map(Members::into_item)
}

struct MembersVisitor;

impl<'de> Visitor<'de> for MembersVisitor {
    type Value = Members<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        Members::read(map)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(MembersVisitor)
    }
}
