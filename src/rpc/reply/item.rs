//! One JSON value of a body: an answer, or not.

use serde_json::value::RawValue;

use super::{Answer, ErrorObject, Item, Said};
use crate::json::members::{Member, find, given};

#[derive(Clone, Copy)]
struct Members<'a> {
    version: Member<'a>,
    id: Member<'a>,
    result: Member<'a>,
    error: Member<'a>,
    code: Member<'a>,
    message: Member<'a>,
    /// `id`, `result` or `error` came twice, so two readers of these bytes could disagree.
    doubled: bool,
}

impl<'a> Members<'a> {
    fn read(json: &'a str) -> serde_json::Result<Self> {
        let found = find(json, ["jsonrpc", "id", "result", "error", "code", "message"])?;
        let [version, id, result, error, code, message] = found.members;
        let [_, twice @ .., _, _] = found.doubled;
        Ok(Self { version, id, result, error, code, message, doubled: twice.contains(&true) })
    }

    fn into_item(self) -> Item<'a> {
        let id = given(self.id);
        let addressed = self.version.is_some() || id.is_some();
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
    Members::read(json).map(Members::into_item)
}
