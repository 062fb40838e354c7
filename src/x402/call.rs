//! The calls of the facilitator protocol, version 1 and 2, by their paths.

use crate::config::Protocol;
use crate::method::{Effect, Operation};

/// A call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Call {
    /// Is this payment good?
    Verify,
    /// Carry it out.
    Settle,
    /// Which payments are taken?
    Supported,
    /// What can be bought?
    Resources,
    /// The same, looked through.
    Search,
}

const ALL: [Call; 5] = [Call::Verify, Call::Settle, Call::Supported, Call::Resources, Call::Search];

impl Call {
    /// Reads the segments behind a route's name. A client key may stand behind the call's own, or
    /// before them: clients put their call behind whatever URL they are given.
    pub fn read<'p>(behind: &[&'p str]) -> Option<(Self, Option<&'p str>)> {
        ALL.into_iter().find_map(|call| {
            let own = call.segments();
            if behind == own {
                return Some((call, None));
            }
            let keyed = [behind.split_last(), behind.split_first()];
            let (key, _) = keyed.into_iter().flatten().find(|(_, rest)| *rest == own)?;
            Some((call, Some(*key)))
        })
    }

    /// The only HTTP method it is made with.
    pub fn http_method(self) -> &'static str {
        match self {
            Self::Verify | Self::Settle => "POST",
            Self::Supported | Self::Resources | Self::Search => "GET",
        }
    }

    /// As the engine sees it.
    pub fn operation(self) -> Operation<'static> {
        let (method, effect) = match self {
            Self::Verify => ("verify", Effect::Read),
            Self::Settle => ("settle", Effect::Once),
            Self::Supported => ("supported", Effect::Read),
            Self::Resources | Self::Search => ("discovery", Effect::Read),
        };
        Operation { protocol: Protocol::X402, method, params: None, effect }
    }

    /// Where it is made at a facilitator: one slash behind the configured path, the configured query
    /// first, then the caller's.
    pub fn url(self, base: &str, query: &str) -> String {
        let (place, own_query) = base.split_once('?').unwrap_or((base, ""));
        let mut url = place.trim_end_matches('/').to_owned();
        for segment in self.segments() {
            url.push('/');
            url.push_str(segment);
        }
        let queries = [own_query, query].into_iter().filter(|query| !query.is_empty());
        for (query, mark) in queries.zip(['?', '&']) {
            url.push(mark);
            url.push_str(query);
        }
        url
    }

    fn segments(self) -> &'static [&'static str] {
        match self {
            Self::Verify => &["verify"],
            Self::Settle => &["settle"],
            Self::Supported => &["supported"],
            Self::Resources => &["discovery", "resources"],
            Self::Search => &["discovery", "search"],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::method::effect;

    #[test]
    fn calls_are_found_with_and_without_a_key() {
        for (behind, found) in [
            (&["verify"][..], Some((Call::Verify, None))),
            (&["settle", "k"], Some((Call::Settle, Some("k")))),
            (&["k", "settle"], Some((Call::Settle, Some("k")))),
            (&["discovery", "resources"], Some((Call::Resources, None))),
            (&["k", "discovery", "search"], Some((Call::Search, Some("k")))),
            (&["discovery", "search", "k"], Some((Call::Search, Some("k")))),
            (&["verify", "settle"], Some((Call::Verify, Some("settle")))),
            (&["discovery"], None),
            (&["discovery", "other"], None),
            (&["k", "l", "settle"], None),
            (&["Settle"], None),
            (&[], None),
        ] {
            assert_eq!(Call::read(behind), found, "{behind:?}");
        }
    }

    #[test]
    fn urls_keep_what_was_configured() {
        for (base, query, url) in [
            ("https://f.example", "", "https://f.example/settle"),
            ("https://f.example/", "", "https://f.example/settle"),
            ("https://f.example/v2//", "", "https://f.example/v2/settle"),
            ("https://f.example/v2?k=1", "", "https://f.example/v2/settle?k=1"),
            ("https://f.example", "a=%2F&a=?", "https://f.example/settle?a=%2F&a=?"),
            ("https://f.example/?k=1", "a=2", "https://f.example/settle?k=1&a=2"),
        ] {
            assert_eq!(Call::Settle.url(base, query), url);
        }
        assert_eq!(Call::Resources.url("https://f/x", ""), "https://f/x/discovery/resources");
    }

    #[test]
    fn only_a_settle_must_not_be_repeated() {
        for call in ALL {
            let operation = call.operation();
            assert_eq!(operation.effect, effect(operation.method), "{call:?}");
            assert_eq!(operation.effect == Effect::Once, call == Call::Settle);
        }
    }
}
