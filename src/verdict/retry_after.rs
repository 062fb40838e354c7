//! `Retry-After`: seconds or a date, as sent by whoever wants to be left alone.

use std::time::UNIX_EPOCH;

use crate::rpc::reply::number;
use crate::time::Millis;

/// How long to wait from `now`, in milliseconds, uncapped. `None` when the value cannot be read or
/// is not positive.
pub fn parse(value: &str, now: Millis) -> Option<u64> {
    let value = value.trim_ascii();
    seconds(value).or_else(|| until(value, now)).filter(|&wait_ms| wait_ms > 0)
}

fn seconds(value: &str) -> Option<u64> {
    match value.parse::<u64>() {
        Ok(seconds) => Some(seconds.saturating_mul(1000)),
        Err(_) => fraction(value),
    }
}

/// RFC 9110 wants whole seconds; fractions are sent all the same.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a cast from float saturates; what is not positive becomes 0"
)]
fn fraction(value: &str) -> Option<u64> {
    number(value).map(|seconds| (seconds * 1000.0) as u64)
}

fn until(value: &str, now: Millis) -> Option<u64> {
    let date = httpdate::parse_http_date(value).ok()?.duration_since(UNIX_EPOCH).ok()?;
    let date_ms = u64::try_from(date.as_millis()).ok()?;
    Some(Millis(date_ms).since(now))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Thu, 01 Jan 2026 00:00:00 GMT.
    const NOW: Millis = Millis(1_767_225_600_000);

    #[test]
    fn seconds_are_seconds() {
        assert_eq!(parse("7", NOW), Some(7_000));
        assert_eq!(parse(" 120 ", NOW), Some(120_000));
        assert_eq!(parse("1.5", NOW), Some(1_500));
        assert_eq!(parse("99999999999999", NOW), Some(99_999_999_999_999_000));
        assert_eq!(parse("1e300", NOW), Some(u64::MAX));
    }

    #[test]
    fn what_is_not_positive_counts_as_none() {
        for value in ["0", "-5", "0.0", "-0", "", "soon", "NaN", "inf", "5s", "0x10"] {
            assert_eq!(parse(value, NOW), None, "{value}");
        }
    }

    #[test]
    fn dates_are_measured_from_now() {
        assert_eq!(parse("Thu, 01 Jan 2026 00:00:10 GMT", NOW), Some(10_000));
        assert_eq!(parse("Thursday, 01-Jan-26 00:00:10 GMT", NOW), Some(10_000));
        assert_eq!(parse("Thu Jan  1 00:00:10 2026", NOW), Some(10_000));
        assert_eq!(parse("Wed, 31 Dec 2025 23:59:59 GMT", NOW), None);
        assert_eq!(parse("Thu, 99 Jan 2026 00:00:10 GMT", NOW), None);
    }
}
