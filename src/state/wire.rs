//! What isolates and the region's object tell each other, as JSON. Deploys mix versions for
//! minutes: unknown fields are ignored and missing ones have defaults, both ways.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::event::Told;
use super::heads::{Head, Lag};
use super::orders::{Command, Orders};
use super::score::Digest;
use super::stats::Tally;
use super::writes::Write;
use crate::breaker::machine::{Heard, State};
use crate::breaker::throttle::Why;
use crate::time::Millis;

/// Version of these forms. An object that reads a higher one than it knows still tries.
pub const VERSION: u32 = 1;

/// What an isolate hands in.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Observation {
    /// [`VERSION`] of the sender.
    pub v: u32,
    /// The isolate's random name, the same for its whole life; empty: it only wants to read.
    pub isolate: String,
    /// The route, by its public name. With the region it says which object this is: one that was
    /// woken by its alarm cannot tell by itself.
    pub route: String,
    /// Region of the callers, as named in the status.
    pub region: String,
    /// One per endpoint that there is something to say about.
    pub endpoints: Vec<Report>,
    /// Whether clients used the route: keeps the object's probing alive.
    pub traffic: bool,
    /// Set when the answer should carry the status: this isolate's part of it, by endpoint.
    pub locals: Option<Vec<Local>>,
    /// The greatest head that its clients were given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub given: Option<Head>,
    /// Transactions accepted since the last hand-in.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub writes: Vec<Write>,
    /// What this isolate told the log and the operator should be alerted of.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<Told>,
    /// What the operator orders.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<Command>,
    /// The status is for the operator: with error replies.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub for_operator: bool,
}

/// An isolate's part of an endpoint's status.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Local {
    /// The endpoint's name.
    pub name: String,
    /// State of the isolate's own breaker.
    pub state: String,
    /// Methods that the endpoint is known not to do.
    pub gaps: Vec<String>,
}

/// An isolate's word on one endpoint.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Report {
    /// The endpoint's name.
    pub name: String,
    /// Whether this isolate's own breaker keeps away from it now.
    pub open: bool,
    /// Why it opened, while it is open.
    pub reason: Option<String>,
    /// Generation of the region's breaker that this isolate last heard of: an older word is of the
    /// past and does not count against the endpoint.
    pub seen: Option<u64>,
    /// Rest that it asked this isolate for.
    pub rest: Option<Rest>,
    /// The newest head that its answers showed this isolate.
    pub head: Option<Head>,
    /// What came of a trial that the region had leased to this isolate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trial: Option<Trialed>,
    /// Counts since the last hand-in.
    pub tally: Tally,
    /// The newest error replies since then, oldest first: JSON that is only passed on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub replies: Vec<String>,
}

/// Rest that an endpoint asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rest {
    /// Until when.
    pub until: Millis,
    /// Why.
    pub why: Why,
}

/// What the object answers: the region's view, which isolates choose by.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Snapshot {
    /// [`VERSION`] of the object.
    pub v: u32,
    /// In the object's configured order.
    pub endpoints: Vec<Regional>,
    /// The greatest head that clients of the region were given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub given: Option<Head>,
    /// Transactions that the route accepted within two minutes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub writes: Vec<Write>,
}

/// The region's view of one endpoint.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Regional {
    /// The endpoint's name.
    pub name: String,
    /// The region's breaker.
    pub state: State,
    /// Moves at every transition.
    pub generation: u64,
    /// When the next probe is due, while not closed.
    #[serde(default)]
    pub retry_at: Option<Millis>,
    /// Rest that it asked any isolate of the region for.
    #[serde(default)]
    pub rest: Option<Rest>,
    /// Its newest head.
    #[serde(default)]
    pub head: Option<Head>,
    /// What stands of the operator's orders.
    #[serde(default, skip_serializing_if = "Orders::none")]
    pub orders: Orders,
    /// How far behind that was, where it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lag: Option<Lag>,
    /// Its newest finalized block.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finalized: Option<Head>,
    /// How far behind that was, where it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finalized_lag: Option<Lag>,
    /// Whether it serves the route's chain, once it has told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chain: Option<Chain>,
    /// What it showed the region lately, where endpoints are chosen by it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recent: Option<Digest>,
    /// For the isolate that is answered alone: one read may try the endpoint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lease: Option<Lease>,
}

/// The right to try an endpoint that is not closed for the region, once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lease {
    /// To be handed back with the outcome.
    pub id: u64,
    /// Generation of the region's breaker.
    pub generation: u64,
    /// An outcome that comes later changes nothing.
    pub until: Millis,
}

/// What came of a trial.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trialed {
    /// Of the lease.
    pub id: u64,
    /// Of the lease.
    pub generation: u64,
    /// What it says to the region's breaker.
    pub heard: Heard,
    /// The verdict's class.
    pub reason: String,
}

/// What an endpoint's chain id shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Chain {
    /// It is the route's.
    Ok,
    /// It is another: whatever the endpoint answers is false.
    Wrong,
}

/// Answer to a hand-in.
#[derive(Debug, Serialize, Deserialize)]
pub struct Answer {
    /// The region's view.
    pub snapshot: Snapshot,
    /// The status, when it was asked for: JSON that the isolate passes on.
    #[serde(default)]
    pub status: Option<Box<RawValue>>,
    /// The command was obeyed, and that is stored.
    #[serde(default)]
    pub obeyed: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_unchanged() {
        let observation = Observation {
            v: VERSION,
            isolate: "i".into(),
            route: "r".into(),
            region: "weur".into(),
            endpoints: vec![Report { name: "a".into(), open: true, ..Report::default() }],
            traffic: true,
            locals: None,
            given: None,
            writes: Vec::new(),
            events: Vec::new(),
            command: None,
            for_operator: false,
        };
        assert_eq!(
            serde_json::to_string(&observation).unwrap(),
            r#"{"v":1,"isolate":"i","route":"r","region":"weur","endpoints":[{"name":"a","open":true,"reason":null,"seen":null,"rest":null,"head":null,"tally":{"requests":0,"failures":0,"classes":[],"methods":[],"latency":[],"last_failure":null}}],"traffic":true,"locals":null}"#
        );
        let snapshot = r#"{"v":1,"endpoints":[{"name":"a","state":"half_open","generation":3,"retry_at":5,"rest":{"until":9,"why":"rate"},"head":{"number":7,"at":8}}]}"#;
        let read: Snapshot = serde_json::from_str(snapshot).unwrap();
        assert_eq!(serde_json::to_string(&read).unwrap(), snapshot);
    }

    #[test]
    fn heads_chains_and_trials_are_added_only_where_there_are_any() {
        let lease = r#""chain":"wrong","lease":{"id":4,"generation":3,"until":9}"#;
        let snapshot = format!(
            r#"{{"v":1,"endpoints":[{{"name":"a","state":"open","generation":3,"retry_at":5,"rest":null,"head":null,{lease}}}],"given":{{"number":7,"at":8}}}}"#
        );
        let read: Snapshot = serde_json::from_str(&snapshot).unwrap();
        assert_eq!(serde_json::to_string(&read).unwrap(), snapshot);
        let trial = r#"{"id":4,"generation":3,"heard":"failure","reason":"timeout"}"#;
        let report: Report = serde_json::from_str(&format!(r#"{{"trial":{trial}}}"#)).unwrap();
        assert_eq!(serde_json::to_string(&report.trial).unwrap(), trial);
        let later = trial.replace("failure", "a word of a later version");
        let read: Trialed = serde_json::from_str(&later).unwrap();
        assert_eq!(read.heard, Heard::Nothing);
    }

    #[test]
    fn writes_are_added_only_where_there_are_any() {
        let writes = r#"[{"hash":"0xab","endpoint":"a","at":5,"client":"01020304"}]"#;
        let snapshot = format!(r#"{{"v":1,"endpoints":[],"writes":{writes}}}"#);
        let read: Snapshot = serde_json::from_str(&snapshot).unwrap();
        assert_eq!(serde_json::to_string(&read).unwrap(), snapshot);
        let observation = Observation { writes: read.writes, ..Observation::default() };
        assert!(
            serde_json::to_string(&observation)
                .unwrap()
                .ends_with(&format!(r#""locals":null,"writes":{writes}}}"#))
        );
    }

    #[test]
    fn the_operators_part_is_added_only_where_there_is_one() {
        let regional = r#"{"v":1,"endpoints":[{"name":"a","state":"closed","generation":3,"retry_at":null,"rest":null,"head":null,"orders":{"disabled":true,"drill":{"kind":"down","value":0,"until_ms":9},"reset":2}}]}"#;
        let read: Snapshot = serde_json::from_str(regional).unwrap();
        assert_eq!(serde_json::to_string(&read).unwrap(), regional);
        let handed = r#"{"v":1,"isolate":"","route":"r","region":"weur","endpoints":[],"traffic":false,"locals":null,"events":[["alert",null,"{}","t",4,2]],"command":{"endpoint":"a","action":"close"},"for_operator":true}"#;
        let read: Observation = serde_json::from_str(handed).unwrap();
        assert_eq!(serde_json::to_string(&read).unwrap(), handed);
        let report = Report { replies: vec!["{}".to_owned()], ..Report::default() };
        assert!(serde_json::to_string(&report).unwrap().ends_with(r#","replies":["{}"]}"#));
    }

    #[test]
    fn other_versions_are_read() {
        let later =
            r#"{"v":9,"new":1,"endpoints":[{"name":"a","state":"open","generation":1,"x":2}]}"#;
        let read: Snapshot = serde_json::from_str(later).unwrap();
        assert_eq!(read.endpoints.len(), 1);
        assert!(serde_json::from_str::<Observation>("{}").is_ok());
    }
}
