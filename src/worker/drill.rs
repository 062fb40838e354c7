//! Lets a drill have its way with an attempt before anything is sent.

use super::bells;
use crate::config::DrillKind;
use crate::state::orders::Drill;
use crate::verdict::Failure;

/// What is left of an attempt's time, or how the drill ended it. Nothing has been sent then.
pub(super) async fn rehearse(drill: Option<Drill>, timeout_ms: u64) -> Result<u64, Failure> {
    let Some(Drill { kind, value, .. }) = drill else {
        return Ok(timeout_ms);
    };
    match kind {
        DrillKind::Down => Err(Failure::Drill),
        DrillKind::Stale => Ok(timeout_ms),
        DrillKind::Slow => {
            bells::sleep(value.min(timeout_ms)).await;
            let left_ms = timeout_ms.saturating_sub(value);
            if left_ms == 0 { Err(Failure::Timeout) } else { Ok(left_ms) }
        }
    }
}
