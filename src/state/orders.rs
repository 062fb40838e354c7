//! What the operator has ordered: the commands as they travel to each region's object, and what of
//! them stands for an endpoint, as it is kept and travels back with the snapshot.

use crate::config::{DrillKind, Rehearsal};
use crate::json::{form, words};
use crate::time::Millis;

/// What the reason of a move says when the operator made it.
pub const OPERATOR: &str = "operator";

/// A command, the same to every region. Obeying it twice is as good as once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Command {
    /// Name of the endpoint; `None`: every one of the route.
    pub endpoint: Option<String>,
    /// What to do.
    pub action: Action,
    /// The drill, with [`Action::Fault`].
    pub drill: Option<Drill>,
}

form!(Command { endpoint, action, drill });

/// What the operator can have done to an endpoint.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Action {
    /// It is never asked until it is enabled, over restarts and deploys, nor probed.
    Disable,
    /// Undoes that, and nothing else.
    #[default]
    Enable,
    /// Its breaker opens; probes bring it back as usual.
    Open,
    /// Its breaker closes.
    Close,
    /// Breaker, rest, gaps, drill and counts begin anew. What is disabled stays disabled.
    Reset,
    /// A drill: it is treated as if it had a fault, for a while.
    Fault,
}

words!(Action {
    Disable = "disable",
    Enable = "enable",
    Open = "open",
    Close = "close",
    Reset = "reset",
    Fault = "fault",
});

/// A drill. It ends by itself, everywhere at the same moment.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Drill {
    /// Which fault.
    pub kind: DrillKind,
    /// Milliseconds for `slow`, blocks for `stale`, 0 for `down`.
    pub value: u64,
    /// When it ends.
    pub until_ms: Millis,
}

form!(Drill { kind, value, until_ms });

impl Drill {
    /// One that is ordered now.
    pub fn new(rehearsal: Rehearsal, now: Millis) -> Self {
        let Rehearsal { kind, value, for_ms } = rehearsal;
        Self { kind, value, until_ms: now.plus(for_ms) }
    }

    /// Whether it goes on.
    pub fn runs(&self, now: Millis) -> bool {
        self.until_ms > now
    }

    /// By how many blocks the head is lowered.
    pub fn blocks_behind(&self, now: Millis) -> u64 {
        if self.kind == DrillKind::Stale && self.runs(now) { self.value } else { 0 }
    }
}

/// What stands of the operator's orders for one endpoint.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Orders {
    /// Never asked.
    pub disabled: bool,
    /// The newest drill; it may be over.
    pub drill: Option<Drill>,
    /// Generation of the region's breaker that the last reset began; 0: never reset. What was seen
    /// under an older one is of the past.
    pub reset: u64,
}

form!(Orders { disabled, drill, reset });

impl Orders {
    /// The drill that goes on.
    pub fn drill(&self, now: Millis) -> Option<Drill> {
        self.drill.filter(|drill| drill.runs(now))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;

    #[test]
    fn forms_are_unchanged() {
        let command =
            r#"{"endpoint":"a","action":"fault","drill":{"kind":"slow","value":5,"until_ms":9}}"#;
        let read: Command = json::read(command).unwrap();
        assert_eq!(json::text(&read), command);
        for &(_, action) in Action::WORDS {
            let text = format!(r#"{{"endpoint":null,"action":"{}","drill":null}}"#, action.label());
            let read: Command = json::read(&text).unwrap();
            assert_eq!((read.action, Action::named(action.label())), (action, Some(action)));
            assert_eq!(json::text(&read), text);
        }
        let orders = r#"{"disabled":true,"drill":null,"reset":4}"#;
        let read: Orders = json::read(orders).unwrap();
        assert_eq!(json::text(&read), orders);
        assert!(json::read::<Orders>("{}") == Some(Orders::default()));
    }

    #[test]
    fn a_drill_ends_by_itself() {
        let drill = Drill { kind: DrillKind::Stale, value: 7, until_ms: Millis(100) };
        assert_eq!((drill.blocks_behind(Millis(99)), drill.blocks_behind(Millis(100))), (7, 0));
        let orders = Orders { drill: Some(drill), ..Orders::default() };
        assert!(orders.drill(Millis(99)).is_some() && orders.drill(Millis(100)).is_none());
        let down = Drill { kind: DrillKind::Down, ..drill };
        assert_eq!(down.blocks_behind(Millis(1)), 0);
    }
}
