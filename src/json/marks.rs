//! Where in a text something stands that can end a string: a quote, a backslash, a control character.
//! Sixty-four bytes are looked at together. What is seen there does not hang on where the last string
//! ended, so the processor can work ahead.

// Called for every string: a call would cost as much as the work, and keep its state in memory.
#![expect(clippy::inline_always, reason = "optimised for size, the compiler would not")]

/// Bytes that are looked at together, and bits of what is seen.
const BLOCK: usize = 64;

/// The marks of the block that was looked at last.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Marks {
    /// Where it ends; 0 before the first look.
    end: usize,
    /// A bit for each of its bytes, the lowest for the first.
    bits: u64,
}

impl Marks {
    /// The first mark at `at` or behind, which must not be before the last block. The end of the text
    /// is a mark.
    #[inline(always)]
    pub(super) fn next(&mut self, text: &[u8], mut at: usize) -> usize {
        loop {
            if at >= self.end {
                *self = Self::look(text, at);
            }
            let bits = self.bits >> (at % BLOCK);
            if bits != 0 {
                return at + bits.trailing_zeros() as usize;
            }
            at = self.end;
        }
    }

    #[inline(always)]
    fn look(text: &[u8], at: usize) -> Self {
        let start = at - at % BLOCK;
        let rest = text.get(start..).unwrap_or_default();
        let bits = rest.first_chunk().map_or_else(|| block(&filled(rest)), block);
        Self { end: start + BLOCK, bits }
    }
}

/// The last block of a text, filled up with what is marked.
#[cold]
#[inline(never)]
fn filled(rest: &[u8]) -> [u8; BLOCK] {
    let mut bytes = rest.iter().copied();
    std::array::from_fn(|_| bytes.next().unwrap_or_default())
}

#[inline(always)]
fn block(bytes: &[u8; BLOCK]) -> u64 {
    let (lanes, _) = bytes.as_chunks();
    lanes.iter().rev().fold(0, |marks, bytes| (marks << lane::BYTES) | lane::marks(*bytes))
}

/// Part of a block, in one register.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod lane {
    use std::arch::wasm32::{
        u8x16_bitmask, u8x16_eq, u8x16_lt, u8x16_splat, u64x2, v128_or, v128_xor,
    };

    pub(super) const BYTES: usize = 16;

    #[inline(always)]
    pub(super) fn marks(bytes: [u8; BYTES]) -> u64 {
        let (halves, _) = bytes.as_chunks();
        let &[low, high] = halves else { return 0 };
        let bytes = u64x2(u64::from_le_bytes(low), u64::from_le_bytes(high));
        // A quote, 0x22, becomes 0x20; control characters stay below, all others above.
        let quote_or_control = u8x16_lt(v128_xor(bytes, u8x16_splat(2)), u8x16_splat(0x21));
        let backslash = u8x16_eq(bytes, u8x16_splat(b'\\'));
        u64::from(u8x16_bitmask(v128_or(quote_or_control, backslash)))
    }
}

/// The same where there are no such registers.
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
mod lane {
    pub(super) const BYTES: usize = 8;

    const LOWEST: u64 = u64::MAX / 255;
    const HIGHEST: u64 = LOWEST << 7;

    pub(super) fn marks(bytes: [u8; BYTES]) -> u64 {
        let bytes = u64::from_le_bytes(bytes);
        let is = |byte: u8| below(bytes ^ (LOWEST * u64::from(byte)), 1);
        let found = below(bytes, 0x20) | is(b'"') | is(b'\\');
        // The highest bits of all bytes, side by side.
        (found >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
    }

    /// The highest bit of each byte that is below a limit of up to 0x80; no byte carries into the next.
    fn below(bytes: u64, limit: u8) -> u64 {
        let reaching = (bytes & !HIGHEST) + LOWEST * u64::from(0x80 - limit);
        !(reaching | bytes) & HIGHEST
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_what_can_end_a_string() {
        let all: Vec<u8> = (0..=255).collect();
        let mut marks = Marks::default();
        let mut found = Vec::new();
        let mut at = 0;
        while at < all.len() {
            at = marks.next(&all, at);
            found.push(at);
            at += 1;
        }
        let expected: Vec<_> = (0..0x20).chain([0x22, 0x5c, 256]).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn it_is_found_at_every_distance() {
        for length in 0..200 {
            for begin in 0..=length {
                let text = [vec![b'a'; length], vec![b'"']].concat();
                assert_eq!(Marks::default().next(&text, begin), length);
                assert_eq!(Marks::default().next(&text[..length], begin), length);
            }
        }
    }
}
