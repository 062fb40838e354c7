//! Tells whether a route still has the endpoints it had.

use super::Route;

const FNV_OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const FNV_PRIME: u64 = 0x0100_0000_01b3;

impl Route {
    /// FNV-1a over the names and URLs of the endpoints, in order. Stable across builds, so it may
    /// be stored; not to be shown, as URLs hold secrets.
    pub fn fingerprint(&self) -> u64 {
        self.endpoints.iter().fold(FNV_OFFSET, |hash, endpoint| {
            let hash = absorb(hash, &endpoint.name);
            absorb(hash, &endpoint.url)
        })
    }
}

/// Takes in the text and an end mark that no name or URL holds.
fn absorb(hash: u64, text: &str) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(FNV_PRIME);
    text.bytes().chain([0]).fold(hash, step)
}
