//! The right to one attempt.

use crate::json::form;
use crate::time::Millis;

/// The right to one attempt, to be handed back with its outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Permit {
    pub(super) generation: u64,
    pub(super) lease: Option<u64>,
}

/// Of a breaker that is half open: one probe is out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Lease {
    pub(super) id: u64,
    pub(super) until: Millis,
}

form!(Lease { id, until });

impl Permit {
    /// A permit under a lease, as it comes back from afar.
    pub fn leased(generation: u64, lease: u64) -> Self {
        Self { generation, lease: Some(lease) }
    }

    /// Generation of the breaker that gave it.
    pub fn generation(self) -> u64 {
        self.generation
    }

    /// Its lease; `None` while the breaker is closed.
    pub fn lease(self) -> Option<u64> {
        self.lease
    }
}

impl Lease {
    /// Whether an outcome under this permit comes in time.
    pub(super) fn is_held(self, permit: Permit, now: Millis) -> bool {
        permit.lease == Some(self.id) && now <= self.until
    }
}
