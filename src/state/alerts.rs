//! What of the events goes to the operator's webhook, and when: at most one a minute of a kind and
//! endpoint. What comes sooner waits; the newest is told when the minute is over, with how many it
//! stands for, so that an outage ends with the word of its end.
//!
//! Each isolate tells of account trouble and bad configuration for itself: such a line is told once.

use super::event::Told;
use crate::json::{self, form};
use crate::time::Millis;

/// Between two alerts of the same kind and endpoint.
const PAUSE_MS: u64 = 60_000;
/// Account trouble that goes on is told again after this long.
const ALERT_AGAIN_MS: u64 = 300_000;
/// Bad configuration is told again after this long.
const CONFIG_AGAIN_MS: u64 = 86_400_000;
/// Kinds and endpoints told apart; the one told longest ago is forgotten.
const SLOTS_MAX: usize = 96;
/// Lines remembered as told, per kind and endpoint.
const SAID_MAX: usize = 16;

/// The alerts of one object.
#[derive(Debug, Clone, Default)]
pub struct Alerts {
    slots: Vec<Slot>,
}

form!(Alerts { slots });

#[derive(Debug, Clone, Default)]
struct Slot {
    event: String,
    endpoint: Option<String>,
    sent: Option<Millis>,
    waiting: Option<Told>,
    /// Events that nobody was told of since the last alert, the waiting one aside.
    dropped: u64,
    said: Vec<(String, Millis)>,
}

form!(Slot { event, endpoint, sent, waiting, dropped, said });

/// An alert to send.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alert {
    /// What it says.
    pub told: Told,
    /// Events of its kind and endpoint before it that were not told.
    pub dropped: u64,
}

impl Alerts {
    /// Takes an event; [`Alerts::due`] says when it is told. `failover` is for the log only.
    pub fn take(&mut self, told: Told, now: Millis) {
        if told.event == "failover" || !told.is_whole() {
            return;
        }
        let same = |slot: &&mut Slot| slot.event == told.event && slot.endpoint == told.endpoint;
        if let Some(slot) = self.slots.iter_mut().find(same) {
            return slot.take(told, now);
        }
        if self.slots.len() >= SLOTS_MAX {
            self.forget_one();
        }
        self.slots.push(Slot::new(told));
    }

    /// The alerts to send now.
    pub fn due(&mut self, now: Millis) -> Vec<Alert> {
        self.slots.iter_mut().filter_map(|slot| slot.send(now)).collect()
    }

    /// When the next one is to be sent.
    pub fn next(&self) -> Option<Millis> {
        self.slots.iter().filter_map(Slot::due_at).min()
    }

    fn forget_one(&mut self) {
        let oldest = self.slots.iter().enumerate().min_by_key(|(_, slot)| slot.sent);
        if let Some((at, _)) = oldest {
            self.slots.remove(at);
        }
    }
}

impl Slot {
    fn new(told: Told) -> Self {
        Self {
            event: told.event.clone(),
            endpoint: told.endpoint.clone(),
            waiting: Some(told),
            ..Self::default()
        }
    }

    fn take(&mut self, told: Told, now: Millis) {
        if self.repeats(&told, now) {
            self.dropped = self.dropped.saturating_add(told.times);
        } else if let Some(old) = self.waiting.replace(told) {
            self.dropped = self.dropped.saturating_add(old.times);
        }
    }

    /// Whether the same line was told, or is about to be, by another isolate.
    fn repeats(&self, told: &Told, now: Millis) -> bool {
        let Some(again_ms) = again_ms(&told.event) else {
            return false;
        };
        let waits = self.waiting.as_ref().is_some_and(|waiting| waiting.line == told.line);
        let said = |(line, at): &(String, Millis)| *line == told.line && now.since(*at) < again_ms;
        waits || self.said.iter().any(said)
    }

    fn remember(&mut self, line: String, now: Millis) {
        self.said.retain(|(known, _)| *known != line);
        if self.said.len() >= SAID_MAX {
            self.said.remove(0);
        }
        self.said.push((line, now));
    }

    fn due_at(&self) -> Option<Millis> {
        self.waiting.as_ref()?;
        Some(self.sent.map_or(Millis(0), |sent| sent.plus(PAUSE_MS)))
    }

    fn send(&mut self, now: Millis) -> Option<Alert> {
        self.due_at().filter(|due| *due <= now)?;
        let told = self.waiting.take()?;
        self.sent = Some(now);
        if again_ms(&told.event).is_some() {
            self.remember(told.line.clone(), now);
        }
        let dropped =
            std::mem::take(&mut self.dropped).saturating_add(told.times.saturating_sub(1));
        Some(Alert { told, dropped })
    }
}

/// After how long the same line is told again; `None`: each is another.
fn again_ms(event: &str) -> Option<u64> {
    match event {
        "alert" => Some(ALERT_AGAIN_MS),
        "config_error" => Some(CONFIG_AGAIN_MS),
        _ => None,
    }
}

impl Alert {
    /// What the webhook is sent: the event's own members, when it was, how many it stands for, and
    /// the sentence under the names by which Slack (`text`) and Discord (`content`) show it.
    pub fn body(&self) -> String {
        let Told { line, text, at_ms, .. } = &self.told;
        let more = match self.dropped {
            0 => String::new(),
            dropped => format!(" (and {dropped} more)"),
        };
        let text = json::text(&format!("Breakwater: {text}{more}"));
        let members = line.strip_suffix('}').unwrap_or(line);
        let dropped = self.dropped;
        format!(
            r#"{members},"at_ms":{},"dropped":{dropped},"text":{text},"content":{text}}}"#,
            at_ms.0
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::breaker::machine::State;
    use crate::state::event;
    use crate::state::region::Logged;

    const T0: Millis = Millis(1_000_000);

    fn moved(endpoint: &str, to: State, at: u64) -> Told {
        let logged = Logged {
            at_ms: T0.plus(at),
            endpoint: endpoint.into(),
            from: State::Closed,
            to,
            reason: "timeout".into(),
            region: "weur".into(),
        };
        event::breaker("r", &logged)
    }

    /// What is sent at `at`, as endpoint, dropped.
    fn sent(alerts: &mut Alerts, at: u64) -> Vec<(Option<String>, u64)> {
        let due = alerts.due(T0.plus(at)).into_iter();
        due.map(|alert| (alert.told.endpoint, alert.dropped)).collect()
    }

    #[test]
    fn one_a_minute_of_a_kind_and_endpoint_and_the_newest_is_not_lost() {
        let mut alerts = Alerts::default();
        alerts.take(moved("a", State::Open, 0), T0);
        alerts.take(moved("b", State::Open, 0), T0);
        assert_eq!(sent(&mut alerts, 0), [(Some("a".into()), 0), (Some("b".into()), 0)]);
        for at in 1..=9 {
            alerts.take(moved("a", State::Closed, at), T0.plus(at));
        }
        assert_eq!(sent(&mut alerts, 59_999), []);
        assert_eq!(alerts.next(), Some(T0.plus(60_000)));
        let due = alerts.due(T0.plus(60_000));
        assert_eq!((due[0].dropped, due[0].told.at_ms), (8, T0.plus(9)));
        assert_eq!((due.len(), alerts.next()), (1, None));
    }

    #[test]
    fn kinds_do_not_wait_for_each_other() {
        let mut alerts = Alerts::default();
        alerts.take(moved("a", State::Open, 0), T0);
        alerts.take(event::alert("r", Some("a"), "account trouble", T0), T0);
        alerts.take(event::exhausted("r", "eth_call", -32002, "a=timeout", T0), T0);
        assert_eq!(alerts.due(T0).len(), 3);
    }

    #[test]
    fn many_isolates_with_the_same_trouble_are_one_alert() {
        let mut alerts = Alerts::default();
        for at in 0..50 {
            alerts.take(event::alert("r", Some("a"), "account trouble", T0), T0.plus(at));
        }
        assert_eq!(sent(&mut alerts, 50), [(Some("a".into()), 49)]);
        alerts.take(event::alert("r", Some("a"), "account trouble", T0), T0.plus(299_000));
        assert_eq!(sent(&mut alerts, 299_000), []);
        alerts.take(event::alert("r", Some("a"), "account trouble", T0), T0.plus(300_050));
        assert_eq!(sent(&mut alerts, 300_050), [(Some("a".into()), 1)]);
    }

    #[test]
    fn what_an_isolate_summed_counts_as_many() {
        let mut alerts = Alerts::default();
        let gone =
            |times| Told { times, ..event::exhausted("r", "eth_call", -32002, "a=timeout", T0) };
        alerts.take(gone(10), T0);
        assert_eq!(sent(&mut alerts, 0), [(None, 9)]);
        alerts.take(gone(3), T0);
        alerts.take(gone(4), T0);
        assert_eq!(sent(&mut alerts, 60_000), [(None, 6)]);
    }

    #[test]
    fn two_mistakes_in_turn_are_told_once_each() {
        let (mut alerts, mut told) = (Alerts::default(), 0);
        for minute in 0..600 {
            let at = T0.plus(minute * 60_000);
            for message in ["ROUTE_A: one", "ROUTE_B: two"] {
                alerts.take(event::config_error(None, None, message, at), at);
                told += alerts.due(at).len();
            }
        }
        assert_eq!(told, 2);
    }

    #[test]
    fn what_was_sent_is_known_after_a_restart_and_failovers_are_not_sent() {
        let mut alerts = Alerts::default();
        alerts.take(moved("a", State::Open, 0), T0);
        alerts.due(T0);
        let text = json::text(&alerts);
        let mut again: Alerts = json::read(&text).unwrap();
        again.take(moved("a", State::Closed, 1), T0.plus(1));
        again.take(Told { event: "failover".into(), ..moved("b", State::Open, 1) }, T0.plus(1));
        assert_eq!(sent(&mut again, 59_000), []);
        assert_eq!(sent(&mut again, 60_000), [(Some("a".into()), 0)]);
    }

    #[test]
    fn it_does_not_grow() {
        let mut alerts = Alerts::default();
        for n in 0..1_000 {
            alerts.take(moved(&n.to_string(), State::Open, n), T0.plus(n));
            alerts.due(T0.plus(n));
        }
        assert_eq!(alerts.slots.len(), SLOTS_MAX);
    }

    #[test]
    fn a_chat_can_show_it() {
        let alert = Alert { told: moved("a", State::Open, 3), dropped: 2 };
        assert_eq!(
            alert.body(),
            r#"{"event":"breaker","route":"r","endpoint":"a","from":"closed","to":"open","reason":"timeout","region":"weur","at_ms":1000003,"dropped":2,"text":"Breakwater: r (weur): breaker of a closed → open, timeout (and 2 more)","content":"Breakwater: r (weur): breaker of a closed → open, timeout (and 2 more)"}"#
        );
    }
}
