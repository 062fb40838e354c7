//! What must not be shown of a route's upstreams, wherever their words are.

use super::Route;

impl Route {
    /// Secrets, URLs and hosts of all endpoints: what is taken out, the longest first. What is left of
    /// a URL, or of a host that another's name ends, would say more than the part that is gone.
    /// Secret.
    pub fn hidden(&self) -> Vec<&str> {
        let hidden = self.endpoints.iter().flat_map(|endpoint| {
            let place = endpoint.url.split_once("://").map_or("", |(_, place)| place);
            let authority = place.split(['/', '?']).next().unwrap_or_default();
            let secrets = endpoint.secrets.iter().map(String::as_str);
            [place, authority, &*endpoint.host].into_iter().chain(secrets)
        });
        let mut hidden: Vec<_> = hidden.filter(|hidden| !hidden.is_empty()).collect();
        hidden.sort_by_key(|hidden| std::cmp::Reverse(hidden.len()));
        hidden
    }
}
