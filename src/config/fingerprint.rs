//! Tells whether an endpoint still is the one whose breaker was kept.

use super::Endpoint;

const FNV_OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const FNV_PRIME: u64 = 0x0100_0000_01b3;

impl Endpoint {
    /// FNV-1a over name and URL. Stable across builds, so it may be stored; not to be shown, as the
    /// URL may hold secrets.
    pub fn fingerprint(&self) -> u64 {
        [&self.name, &self.url].into_iter().fold(FNV_OFFSET, |hash, text| absorb(hash, text))
    }
}

/// Takes in the text and an end mark that no name or URL holds.
fn absorb(hash: u64, text: &str) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(FNV_PRIME);
    text.bytes().chain([0]).fold(hash, step)
}
