//! How long a breaker stays open.

use crate::config::BreakerPolicy;

/// The cooldown after so many failed probes: doubled each time up to the cap, give or take a tenth
/// so that isolates and regions do not knock at the same moment.
pub(super) fn cooldown_ms(policy: &BreakerPolicy, failed_probes: u32, draw: f64) -> u64 {
    let doubled = policy.cooldown_ms.saturating_mul(1 << failed_probes.min(20));
    let capped = doubled.min(policy.cooldown_max_ms.max(policy.cooldown_ms));
    let tenth = capped / 10;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)]
    let jitter = (draw.clamp(0.0, 1.0) * (tenth * 2) as f64) as u64;
    capped - tenth + jitter
}
