//! What is open around a place in a text, one bit each: nesting of any depth costs no recursion, and
//! no memory of its own until it is deep.

#![expect(clippy::inline_always, reason = "optimised for size, the compiler would not")]

/// What a bracket opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Array,
    Object,
}

impl Kind {
    /// The bracket that opens it.
    pub(super) fn begin(self) -> u8 {
        match self {
            Self::Array => b'[',
            Self::Object => b'{',
        }
    }

    /// The bracket that closes it.
    #[inline(always)]
    pub(super) fn end(self) -> u8 {
        match self {
            Self::Array => b']',
            Self::Object => b'}',
        }
    }
}

/// The innermost is the lowest bit.
#[derive(Debug, Default)]
pub(super) struct Nest {
    bits: u64,
    depth: usize,
    /// Those that there was no more room for in `bits`.
    outer: Vec<u64>,
}

const ROOM: usize = 64;

impl Nest {
    #[inline(always)]
    pub(super) fn innermost(&self) -> Option<Kind> {
        let kind = if self.bits & 1 == 0 { Kind::Array } else { Kind::Object };
        (self.depth > 0).then_some(kind)
    }

    #[inline(always)]
    pub(super) fn open(&mut self, kind: Kind) {
        if self.depth > 0 && self.depth.is_multiple_of(ROOM) {
            self.outer.push(self.bits);
        }
        self.bits = (self.bits << 1) | u64::from(kind == Kind::Object);
        self.depth += 1;
    }

    #[inline(always)]
    pub(super) fn close(&mut self) {
        self.bits >>= 1;
        self.depth = self.depth.saturating_sub(1);
        if self.depth > 0 && self.depth.is_multiple_of(ROOM) {
            self.bits = self.outer.pop().unwrap_or_default();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_that_was_opened_is_the_innermost() {
        let kinds = |at: usize| if at.is_multiple_of(3) { Kind::Object } else { Kind::Array };
        let mut nest = Nest::default();
        for at in 0..1_000 {
            nest.open(kinds(at));
            assert_eq!(nest.innermost(), Some(kinds(at)));
        }
        for at in (0..1_000).rev() {
            assert_eq!(nest.innermost(), Some(kinds(at)));
            nest.close();
        }
        assert_eq!(nest.innermost(), None);
    }
}
