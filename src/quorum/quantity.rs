//! Hex quantities of any size, compared as numbers.

/// A number: its hex digits in lower case, without leading zeros.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Quantity(String);

impl Quantity {
    /// Reads JSON text like `"0x1f"`.
    pub(super) fn read(json: &str) -> Option<Self> {
        let digits = json.trim_ascii().strip_prefix("\"0x")?.strip_suffix('"')?;
        let hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        hex.then(|| Self(digits.trim_start_matches('0').to_ascii_lowercase()))
    }

    pub(super) fn digits(&self) -> &str {
        &self.0
    }

    /// The distance to another, as far as it can be told.
    pub(super) fn distance(&self, other: &Self) -> u64 {
        let value = |of: &Self| match of.0.as_str() {
            "" => Some(0),
            digits => u64::from_str_radix(digits, 16).ok(),
        };
        match (value(self), value(other)) {
            (Some(own), Some(other)) => own.abs_diff(other),
            _ if self == other => 0,
            _ => u64::MAX,
        }
    }
}

impl Ord for Quantity {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.0.len(), &self.0).cmp(&(other.0.len(), &other.0))
    }
}

impl PartialOrd for Quantity {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(digits: &str) -> Quantity {
        Quantity::read(&format!("\"0x{digits}\"")).unwrap()
    }

    #[test]
    fn they_are_compared_as_numbers_whatever_their_size() {
        assert!(read("9") < read("10") && read("00ff") == read("FF"));
        let (large, larger) = ("f".repeat(63), format!("1{}", "0".repeat(63)));
        assert!(read(&large) < read(&larger));
        assert_eq!(read("0").distance(&read("ff")), 255);
        assert_eq!(read(&large).distance(&read("1")), u64::MAX);
        assert_eq!(read(&large).distance(&read(&large)), 0);
    }

    #[test]
    fn anything_else_is_none() {
        for json in ["null", "\"ff\"", "\"0xg\"", "17", "\"0x1"] {
            assert_eq!(Quantity::read(json), None, "{json}");
        }
    }
}
