//! What isolates and the region's object tell each other, as JSON. Deploys mix versions for
//! minutes: unknown members are ignored and missing ones have defaults, both ways.

use super::event::Told;
use super::heads::{Head, Lag};
use super::orders::{Command, Orders};
use super::score::Digest;
use super::stats::Tally;
use super::writes::Write;
use crate::breaker::machine::{Heard, State};
use crate::breaker::throttle::Why;
use crate::json::{form, words};
use crate::time::Millis;

/// Version of these forms. An object that reads a higher one than it knows still tries.
pub const VERSION: u32 = 1;

/// What an isolate hands in.
#[derive(Debug, Clone, Default, PartialEq)]
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
    pub given: Option<Head>,
    /// Transactions accepted since the last hand-in.
    pub writes: Vec<Write>,
    /// What this isolate told the log and the operator should be alerted of.
    pub events: Vec<Told>,
    /// What the operator orders.
    pub command: Option<Command>,
    /// The status is for the operator: with error replies.
    pub for_operator: bool,
    /// The status is wanted as samples of metrics.
    pub metrics: bool,
}

form!(Observation {
    v,
    isolate,
    route,
    region,
    endpoints,
    traffic,
    locals,
    given,
    writes,
    events,
    command,
    for_operator,
    metrics
});

/// An isolate's part of an endpoint's status.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Local {
    /// The endpoint's name.
    pub name: String,
    /// State of the isolate's own breaker.
    pub state: String,
    /// Methods that the endpoint is known not to do.
    pub gaps: Vec<String>,
}

form!(Local { name, state, gaps });

/// An isolate's word on one endpoint.
#[derive(Debug, Clone, Default, PartialEq)]
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
    pub trial: Option<Trialed>,
    /// Counts since the last hand-in.
    pub tally: Tally,
    /// The newest error replies since then, oldest first: JSON that is only passed on.
    pub replies: Vec<String>,
}

form!(Report { name, open, reason, seen, rest, head, trial, tally, replies });

/// Rest that an endpoint asked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Rest {
    /// Until when.
    pub until: Millis,
    /// Why.
    pub why: Why,
}

form!(Rest { until, why });

/// What the object answers: the region's view, which isolates choose by.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Snapshot {
    /// [`VERSION`] of the object.
    pub v: u32,
    /// In the object's configured order.
    pub endpoints: Vec<Regional>,
    /// The greatest head that clients of the region were given.
    pub given: Option<Head>,
    /// Transactions that the route accepted within two minutes.
    pub writes: Vec<Write>,
}

form!(Snapshot { v, endpoints, given, writes });

/// The region's view of one endpoint.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Regional {
    /// The endpoint's name.
    pub name: String,
    /// The region's breaker.
    pub state: State,
    /// Moves at every transition.
    pub generation: u64,
    /// When the next probe is due, while not closed.
    pub retry_at: Option<Millis>,
    /// Rest that it asked any isolate of the region for.
    pub rest: Option<Rest>,
    /// Its newest head.
    pub head: Option<Head>,
    /// What stands of the operator's orders.
    pub orders: Orders,
    /// How far behind that was, where it was.
    pub lag: Option<Lag>,
    /// Its newest finalized block.
    pub finalized: Option<Head>,
    /// How far behind that was, where it was.
    pub finalized_lag: Option<Lag>,
    /// Whether it serves the route's chain, once it has told.
    pub chain: Option<Chain>,
    /// What it showed the region lately, where endpoints are chosen by it.
    pub recent: Option<Digest>,
    /// For the isolate that is answered alone: one read may try the endpoint.
    pub lease: Option<Lease>,
}

form!(Regional {
    name,
    state,
    generation,
    retry_at,
    rest,
    head,
    orders,
    lag,
    finalized,
    finalized_lag,
    chain,
    recent,
    lease
});

/// The right to try an endpoint that is not closed for the region, once.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Lease {
    /// To be handed back with the outcome.
    pub id: u64,
    /// Generation of the region's breaker.
    pub generation: u64,
    /// An outcome that comes later changes nothing.
    pub until: Millis,
}

form!(Lease { id, generation, until });

/// What came of a trial.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
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

form!(Trialed { id, generation, heard, reason });

/// What an endpoint's chain id shows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Chain {
    /// It is the route's.
    #[default]
    Ok,
    /// It is another: whatever the endpoint answers is false.
    Wrong,
}

words!(Chain { Ok = "ok", Wrong = "wrong" });

/// Answer to a hand-in.
#[derive(Debug, Default)]
pub struct Answer {
    /// The region's view.
    pub snapshot: Snapshot,
    /// The status, when it was asked for: JSON that the isolate passes on, or samples of metrics.
    pub status: Option<String>,
    /// The command was obeyed, and that is stored.
    pub obeyed: bool,
}

form!(Answer { snapshot, status, obeyed });

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;

    const ORDERS: &str = r#""orders":{"disabled":false,"drill":null,"reset":0}"#;

    /// That it reads as it was written.
    fn stays<T: json::FromJson + json::ToJson + Default>(text: &str) -> T {
        let read: T = json::read(text).unwrap();
        assert_eq!(json::text(&read), text);
        read
    }

    #[test]
    fn forms_are_unchanged() {
        let report = Report { name: "a".into(), open: true, ..Report::default() };
        let observation = Observation {
            v: VERSION,
            isolate: "i".into(),
            route: "r".into(),
            region: "weur".into(),
            endpoints: vec![report],
            traffic: true,
            ..Observation::default()
        };
        assert_eq!(
            json::text(&observation),
            r#"{"v":1,"isolate":"i","route":"r","region":"weur","endpoints":[{"name":"a","open":true,"reason":null,"seen":null,"rest":null,"head":null,"trial":null,"tally":{"requests":0,"failures":0,"classes":{},"methods":{},"latency":[],"last_failure":null,"slow":0,"disagreements":0,"unclassified":0,"latency_ms":0},"replies":[]}],"traffic":true,"locals":null,"given":null,"writes":[],"events":[],"command":null,"for_operator":false,"metrics":false}"#
        );
        assert_eq!(stays::<Observation>(&json::text(&observation)), observation);
        let read: Snapshot = stays(&format!(
            r#"{{"v":1,"endpoints":[{{"name":"a","state":"half_open","generation":3,"retry_at":5,"rest":{{"until":9,"why":"rate"}},"head":{{"number":7,"at":8}},{ORDERS},"lag":null,"finalized":null,"finalized_lag":null,"chain":"wrong","recent":null,"lease":{{"id":4,"generation":3,"until":9}}}}],"given":{{"number":7,"at":8}},"writes":[{{"hash":"0xab","endpoint":"a","at":5,"client":"01020304"}}]}}"#
        ));
        assert_eq!(read.endpoints[0].rest, Some(Rest { until: Millis(9), why: Why::Rate }));
        assert_eq!((read.endpoints[0].chain, read.writes.len()), (Some(Chain::Wrong), 1));
    }

    #[test]
    fn trials_are_unchanged_and_a_later_word_says_nothing() {
        let trial = r#"{"id":4,"generation":3,"heard":"failure","reason":"timeout"}"#;
        let report: Report = json::read(&format!(r#"{{"trial":{trial}}}"#)).unwrap();
        assert_eq!(json::text(&report.trial), trial);
        let later = trial.replace("failure", "a word of a later version");
        assert_eq!(json::read::<Trialed>(&later).unwrap().heard, Heard::Nothing);
    }

    #[test]
    fn the_operators_part_is_unchanged() {
        let orders = r#""orders":{"disabled":true,"drill":{"kind":"down","value":0,"until_ms":9},"reset":2}"#;
        let snapshot = format!(r#"{{"endpoints":[{{"state":"closed",{orders}}}]}}"#);
        let read: Snapshot = json::read(&snapshot).unwrap();
        assert!(json::text(&read).contains(orders));
        let handed = r#""locals":[{"name":"a","state":"open","gaps":["x"]}],"given":null,"writes":[],"events":[{"event":"alert","endpoint":null,"line":"{}","text":"t","at_ms":4,"times":2}],"command":{"endpoint":"a","action":"close","drill":null},"for_operator":true,"metrics":true}"#;
        let read: Observation = json::read(&format!("{{{handed}")).unwrap();
        assert!(json::text(&read).ends_with(handed));
        let answer = r#"{"snapshot":{"v":1,"endpoints":[],"given":null,"writes":[]},"status":"{\"route\":1}","obeyed":true}"#;
        assert_eq!(stays::<Answer>(answer).status.as_deref(), Some(r#"{"route":1}"#));
    }

    #[test]
    fn other_versions_are_read() {
        let later =
            r#"{"v":9,"new":1,"endpoints":[{"name":"a","state":"open","generation":1,"x":2}]}"#;
        let read: Snapshot = json::read(later).unwrap();
        assert_eq!((read.endpoints.len(), read.endpoints[0].state), (1, State::Open));
        assert!(json::read::<Observation>("{}").is_some());
        for unknown in [
            later.replace("open", "ajar"),
            later.replace(r#""state":"open","#, ""),
            later.replace(r#""generation":1"#, r#""generation":-1"#),
            later.replace(r#""name":"a""#, r#""name":["a"]"#),
            "[]".to_owned(),
            String::new(),
        ] {
            assert_eq!(json::read::<Snapshot>(&unknown), None, "{unknown}");
        }
    }
}
