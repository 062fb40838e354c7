//! One JSON value of a body: an answer, or not.

use std::fmt;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
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

struct ItemVisitor;

impl<'de> Visitor<'de> for ItemVisitor {
    type Value = Item<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        Members::read(map).map(Members::into_item)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Item::Foreign)
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Item::Null)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
        Ok(Item::Foreign)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
        Ok(Item::Foreign)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> {
        Ok(Item::Foreign)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
        Ok(Item::Foreign)
    }

    fn visit_str<E>(self, _: &str) -> Result<Self::Value, E> {
        Ok(Item::Foreign)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Item<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ItemVisitor)
    }
}
