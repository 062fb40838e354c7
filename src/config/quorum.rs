//! A route's `quorum` table: which answers are compared, and how many must be equal.

use super::methods::{check_pattern, method_matches};
use super::table::Table;
use super::{Endpoint, Mode};

/// Fewest equal answers that compare anything.
const MIN_THRESHOLD: u32 = 2;
/// Filters live at one endpoint; these never leave this Worker.
const UNCOMPARED: [&str; 11] = [
    "eth_accounts",
    "eth_chainId",
    "eth_getFilterChanges",
    "eth_getFilterLogs",
    "eth_newBlockFilter",
    "eth_newFilter",
    "eth_newPendingTransactionFilter",
    "eth_sendRawTransactionSync",
    "eth_sign",
    "eth_uninstallFilter",
    "net_version",
];

/// Namespaces that change a node, its keys or its chain.
const ONCE_SPACES: [&str; 11] = [
    "admin", "anvil", "clique", "engine", "evm", "ganache", "hardhat", "miner", "personal",
    "tenderly", "wallet",
];

/// How several endpoints are compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quorum {
    /// Equal answers needed, at least 2.
    pub threshold: u32,
    /// Endpoints asked at once, at least `threshold`.
    pub of: u32,
    /// Methods compared: exact names or `prefix_*`. Others run ordered.
    pub methods: Vec<String>,
    /// What the client gets when too few agree. Default fail.
    pub on_disagreement: OnDisagreement,
}

/// What the client gets when too few answers agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnDisagreement {
    /// An own error with names and counts.
    Fail,
    /// The answer that most gave, flagged by a header.
    BestEffort,
}

impl Quorum {
    /// Whether answers of this method are compared.
    pub fn compares(&self, method: &str) -> bool {
        !UNCOMPARED.contains(&method)
            && self.methods.iter().any(|pattern| method_matches(pattern, method))
    }
}

/// Reads the table of a route in this mode; `given`: whether there is one.
pub(super) fn build(
    table: Table,
    given: bool,
    mode: Mode,
    endpoints: &[Endpoint],
) -> Result<Option<Quorum>, String> {
    let refuse = |why: &str| Err(format!("{}: {why}", table.path_of("")));
    match (mode, given) {
        (Mode::Quorum, true) => read(table, endpoints).map(Some),
        (Mode::Quorum, false) => refuse("is missing: mode = \"quorum\" needs it"),
        (Mode::Ordered | Mode::Weighted, true) => {
            refuse("is without effect unless mode = \"quorum\"")
        }
        (Mode::Ordered | Mode::Weighted, false) => Ok(None),
    }
}

fn read(mut table: Table, endpoints: &[Endpoint]) -> Result<Quorum, String> {
    let quorum = Quorum {
        threshold: table.count("threshold", 0..=16).unwrap_or_default(),
        of: table.count("of", 0..=16).unwrap_or_default(),
        methods: table.texts("methods"),
        on_disagreement: table
            .word("on_disagreement", OnDisagreement::WORDS)
            .unwrap_or(OnDisagreement::Fail),
    };
    quorum.check(&mut table, endpoints.len());
    for (at, method) in quorum.methods.iter().enumerate() {
        let checked = check_pattern(method).and_then(|()| check_compared(method));
        table.judge(&format!("methods[{at}]"), checked);
        if served_by(endpoints, method) < quorum.threshold {
            let why = "fewer endpoints than threshold serve it, so it can never agree";
            table.fail(&format!("methods[{at}]"), why);
        }
    }
    table.finish()?;
    Ok(quorum)
}

impl Quorum {
    fn check(&self, table: &mut Table, endpoints: usize) {
        if self.threshold < MIN_THRESHOLD {
            table.fail("threshold", "must be at least 2: with less nothing is compared");
        }
        if self.of < self.threshold {
            table.fail("of", "must be at least threshold: else it can never be reached");
        }
        if self.of as usize > endpoints {
            table.fail("of", "is more than the route has endpoints");
        }
        if self.methods.is_empty() {
            table.fail("methods", "names no method, so nothing is compared");
        }
    }
}

/// A name that stands for answers that can be compared; a `prefix_*` passes over the others.
fn check_compared(method: &str) -> Result<(), &'static str> {
    if UNCOMPARED.contains(&method) {
        return Err("cannot be compared: one endpoint, or the Worker itself, answers it");
    }
    if changes_something(method) {
        return Err("must not be asked twice, so it cannot be compared");
    }
    Ok(())
}

/// What `method::effect` calls *once*, by its spaces and verbs: with a second look there, since this
/// room cannot ask it. Raw transactions alone are the same wherever they go.
fn changes_something(method: &str) -> bool {
    let (space, verb) = method.split_once('_').unwrap_or((method, ""));
    let raw = matches!(method, "eth_sendRawTransaction" | "eth_sendRawTransactionConditional");
    let changes = ["send", "submit", "sign", "resend", "set", "start", "write", "post"];
    let own = ONCE_SPACES.contains(&space) || changes.iter().any(|start| verb.starts_with(start));
    own && !raw
}

fn served_by(endpoints: &[Endpoint], method: &str) -> u32 {
    let serves = |endpoint: &&Endpoint| method.ends_with('*') || endpoint.methods.serves(method);
    endpoints.iter().filter(serves).count().try_into().unwrap_or(u32::MAX)
}
