//! The isolate's clock and dice: the only places where time and randomness enter.

use crate::time::Millis;

/// Now. On Workers the clock moves only on I/O.
pub(super) fn now() -> Millis {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    Millis(js_sys::Date::now() as u64)
}

/// A number in 0..1.
pub(super) fn draw() -> f64 {
    js_sys::Math::random()
}

/// Waits.
pub(super) async fn sleep(ms: u64) {
    worker::Delay::from(std::time::Duration::from_millis(ms)).await;
}
