//! One JSON value of a body: an answer, or not.

use super::{Answer, ErrorObject, Item, Said};
use crate::json::members::{self, Found, Member, find, given};
use crate::json::scan::Unreadable;

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

const NAMES: [&str; 6] = ["jsonrpc", "id", "result", "error", "code", "message"];

impl<'a> Members<'a> {
    fn of(found: Found<'a, 6>) -> Self {
        let [version, id, result, error, code, message] = found.members;
        let [_, twice @ .., _, _] = found.doubled;
        Self { version, id, result, error, code, message, doubled: twice.contains(&true) }
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

/// Elements of an array that answers a batch: none is larger. Two million of them in one body would
/// be fifty times its size when read.
const ITEMS_MAX: usize = 10_000;

/// Reads an array; `None` if it is too long to answer anything. An object is an answer, if it has
/// anything of one.
pub(super) fn array(json: &str) -> Result<Option<Vec<Item<'_>>>, Unreadable> {
    let (mut items, mut count) = (Vec::new(), 0);
    members::each(json, NAMES, |(span, found)| {
        count += 1;
        if count > ITEMS_MAX {
            items = Vec::new();
            return;
        }
        items.push(match found {
            Some(found) => Members::of(found).into_item(),
            None if span.get() == "null" => Item::Null,
            None => Item::Foreign,
        });
    })?;
    Ok((count <= ITEMS_MAX).then_some(items))
}

/// Reads an object.
pub(super) fn object(json: &str) -> Result<Item<'_>, Unreadable> {
    Ok(Members::of(find(json, NAMES)?).into_item())
}
