//! What must not be shown of a route's upstreams, wherever their words are.

use super::Route;

impl Route {
    /// Secrets, URLs and hosts of all endpoints: what is taken
    /// out. Secret.
    pub fn hidden(&self) -> Vec<&str> {
        let hidden = self.endpoints.iter().flat_map(|endpoint| {
            // The longest first: what is left of a URL says more than a host.
            let place = endpoint.url.split_once("://").map_or("", |(_, place)| place);
            let authority = place.split(['/', '?']).next().unwrap_or_default();
            let secrets = endpoint.secrets.iter().map(String::as_str);
            [place, authority, &*endpoint.host].into_iter().chain(secrets)
        });
        hidden.filter(|hidden| !hidden.is_empty()).collect()
    }
}
