//! One row of a table: what it matches, what that means, where it is from, and a real sample.

use super::facts::{Data, Facts, Form};
use super::meaning::Meaning;
use super::pattern;
use super::sample::Sample;
#[cfg(not(target_family = "wasm"))]
use super::sample::missing;
use crate::method::Effect;

/// One row. The sample must be claimed by this very row; a test walks them all.
#[derive(Debug)]
pub struct Rule {
    /// `section.name`, unique: [`super::Verdict::rule`].
    pub id: &'static str,
    pub(crate) when: When,
    pub(crate) means: Meaning,
    /// Where the answer was seen. Left out of the Worker, like `sample`: kept for tests and docs.
    #[cfg(not(target_family = "wasm"))]
    pub source: &'static str,
    /// An answer this row claims.
    #[cfg(not(target_family = "wasm"))]
    pub sample: Sample,
}

/// What a row matches: every part that is given.
#[derive(Debug, Clone, Copy)]
pub(crate) struct When {
    /// Any of these; empty: any form.
    pub(crate) forms: &'static [Form],
    /// Any of these; empty: any code or none.
    pub(crate) codes: &'static [i64],
    /// Any of these ranges, ends included; empty: any status.
    pub(crate) statuses: &'static [(u16, u16)],
    /// Any of these patterns; empty: any text.
    pub(crate) text: &'static [&'static str],
    /// None of these patterns.
    pub(crate) unless: &'static [&'static str],
    pub(crate) on: On,
}

/// A JSON-RPC error, whatever it says: the base most rows start from.
pub(crate) const ERROR: When = When {
    forms: &[Form::Error],
    codes: &[],
    statuses: &[],
    text: &[],
    unless: &[],
    on: On::Anything,
};

/// An error or words in place of one: gateways refuse before JSON-RPC begins.
pub(crate) const WORDS: When = When { forms: &[Form::Error, Form::Foreign, Form::Text], ..ERROR };

/// Any form at all.
pub(crate) const ANY: When = When { forms: &[], ..ERROR };

/// What was asked, or how the answer was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum On {
    Anything,
    Reads,
    /// Raw sends and what must not be repeated.
    Sends,
    /// Log queries.
    Logs,
    /// `debug_*`, `trace_*` and their kin.
    Traces,
    /// The parameters name the pending block.
    Pending,
    /// The answer speaks for a whole batch.
    Batches,
    /// `data` holds revert bytes.
    RevertData,
    /// `data` is a string without revert bytes.
    TextData,
    /// The request was plain: no reader can stumble over it.
    PlainRequests,
    /// Cloudflare's edge made the answer.
    EdgeAnswers,
}

impl On {
    fn holds(self, facts: &Facts<'_>) -> bool {
        match self {
            Self::Anything => true,
            Self::Reads => facts.effect == Effect::Read,
            Self::Sends => facts.effect != Effect::Read,
            Self::Logs => facts.asked.is_for_logs(),
            Self::Traces => facts.asked.is_for_traces(),
            Self::Pending => facts.asked.is_for_pending(),
            Self::Batches => facts.batch,
            Self::RevertData => facts.data == Data::Revert,
            Self::TextData => facts.data == Data::Text,
            Self::PlainRequests => facts.asked.is_plain(),
            Self::EdgeAnswers => facts.edge,
        }
    }
}

fn any_or<T: PartialEq>(list: &[T], value: &T) -> bool {
    list.is_empty() || list.contains(value)
}

impl When {
    fn matches(&self, facts: &Facts<'_>, trusts_text: bool) -> bool {
        any_or(self.forms, &facts.form)
            && (self.codes.is_empty() || facts.code.is_some_and(|code| self.codes.contains(&code)))
            && self.has_status(facts.status)
            && self.on.holds(facts)
            && self.has_text(facts, trusts_text)
    }

    fn has_status(&self, status: u16) -> bool {
        self.statuses.is_empty()
            || self.statuses.iter().any(|&(from, to)| (from..=to).contains(&status))
    }

    fn has_text(&self, facts: &Facts<'_>, trusts_text: bool) -> bool {
        let says = |pattern: &&str| pattern::found(pattern, &facts.text);
        let spoken = |pattern: &&str| says(pattern) && (trusts_text || !facts.asked.says(pattern));
        (self.text.is_empty() || self.text.iter().any(spoken)) && !self.unless.iter().any(says)
    }
}

impl Rule {
    pub(crate) const fn new(id: &'static str, when: When, means: Meaning) -> Self {
        Self {
            id,
            when,
            means,
            #[cfg(not(target_family = "wasm"))]
            source: "",
            #[cfg(not(target_family = "wasm"))]
            sample: missing(""),
        }
    }

    #[cfg(not(target_family = "wasm"))]
    pub(crate) const fn seen(self, source: &'static str, sample: Sample) -> Self {
        Self { source, sample, ..self }
    }

    #[cfg(target_family = "wasm")]
    pub(crate) const fn seen(self, _source: &'static str, _sample: Sample) -> Self {
        self
    }

    /// Whether the row speaks for these facts. Words that the caller wrote are no evidence, except
    /// for rows that only hand an error back.
    pub(crate) fn claims(&self, facts: &Facts<'_>) -> bool {
        self.when.matches(facts, self.means.is_answer())
    }
}
