//! Which element of an array answers which call.

use super::{Item, ids_match};
use crate::json::scan::Span;

/// The elements of an answer to a batch whose calls had these ids, as JSON text and all different.
#[derive(Debug)]
pub struct Picker<'b, 'a> {
    items: &'b [Item<'a>],
    /// Every call has its answer in its own place, as most upstreams do.
    in_place: bool,
}

impl<'b, 'a> Picker<'b, 'a> {
    /// Looks the array over once.
    pub fn new(items: &'b [Item<'a>], asked: &[String]) -> Self {
        let in_place = items.len() == asked.len()
            && items.iter().zip(asked).all(|(item, asked)| id_of(item) == Some(asked));
        Self { items, in_place }
    }

    /// The element for the nth call. An id in the very form that was sent goes before one that only
    /// means the same; an id that came twice answers nobody, since none can tell which is right. In
    /// place of a call without an answer stands whatever came that is no answer.
    pub fn pick(&self, id: &str, nth: usize) -> Option<&'b Item<'a>> {
        if self.in_place {
            return self.items.get(nth);
        }
        let same = |item: &&Item<'_>| id_of(item) == Some(id);
        let alike = |item: &&Item<'_>| id_of(item).is_some_and(|own| ids_match(id, own));
        let no_answer = |item: &&Item<'_>| !matches!(item, Item::Answer(_));
        for fits in [&same as &dyn Fn(&&Item<'_>) -> bool, &alike] {
            let mut found = self.items.iter().filter(fits);
            match (found.next(), found.next()) {
                (Some(item), None) => return Some(item),
                (Some(_), Some(_)) => return None,
                (None, _) => {}
            }
        }
        self.items.iter().find(no_answer)
    }
}

fn id_of<'a>(item: &Item<'a>) -> Option<&'a str> {
    match item {
        Item::Answer(answer) => answer.id.map(Span::get),
        Item::Null | Item::Foreign => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rpc::reply::{Body, Said};

    fn picked(body: &str, asked: &[&str]) -> Vec<String> {
        let Body::Many(items) = Body::read(body.as_bytes()) else { panic!("no array") };
        let asked: Vec<_> = asked.iter().map(|id| (*id).to_owned()).collect();
        let picker = Picker::new(&items, &asked);
        let tell = |(nth, id): (usize, &String)| match picker.pick(id, nth) {
            Some(Item::Answer(answer)) => match &answer.said {
                Said::Result(result) => result.get().to_owned(),
                Said::Error(_) | Said::Malformed => "odd".to_owned(),
            },
            Some(Item::Null | Item::Foreign) => "no answer".to_owned(),
            None => "missing".to_owned(),
        };
        asked.iter().enumerate().map(tell).collect()
    }

    #[test]
    fn by_id_whatever_the_order() {
        let two = r#"[{"jsonrpc":"2.0","id":2,"result":2},{"jsonrpc":"2.0","id":1,"result":1}]"#;
        assert_eq!(picked(two, &["1", "2"]), ["1", "2"]);
        assert_eq!(picked(two, &["2", "1"]), ["2", "1"]);
        assert_eq!(picked(two, &["1", "2", "3"]), ["1", "2", "missing"]);
        assert_eq!(picked(two, &["\"1\"", "1"]), ["1", "1"], "1 stands for \"1\" if it must");
    }

    #[test]
    fn twice_is_nobodys_and_nothing_is_nothing() {
        let one = r#"{"jsonrpc":"2.0","id":1,"result":1}"#;
        let body = format!(r#"[{one},{{"jsonrpc":"2.0","id":2,"result":2}},{one}]"#);
        assert_eq!(picked(&body, &["1", "2"]), ["missing", "2"]);
        assert_eq!(picked(&format!("[{one},null]"), &["1", "2"]), ["1", "no answer"]);
        assert_eq!(picked(&format!("[7,{one}]"), &["1", "2"]), ["1", "no answer"]);
    }
}
