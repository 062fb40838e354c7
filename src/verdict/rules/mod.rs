//! The tables, in the order in which they are asked; within a table the first row wins.
//!
//! A row is about a meaning, never about one vendor's code: codes mean different things at
//! different places, so text goes before codes, and codes before the bare status. To add a row,
//! put a real answer into `tests/corpus/answers.jsonl` with the verdict you expect, then the row
//! with that answer as its sample; the walk over all samples names rows that are dead or shadowed.

mod account;
mod caller;
mod codes;
mod form;
mod history;
mod invalid;
mod known;
mod limits;
mod method;
mod revert;
mod sequencer;
mod status;
mod throttle;
mod transaction;
mod transport;
mod trouble;

use super::facts::Facts;
pub use super::rule::Rule;
pub use super::sample::{Sample, Says};

static SECTIONS: &[&[Rule]] = &[
    transport::RULES,
    form::RULES,
    revert::RULES,
    caller::RULES,
    known::RULES,
    transaction::RULES,
    sequencer::RULES,
    limits::RULES,
    history::RULES,
    throttle::RULES,
    account::RULES,
    method::RULES,
    trouble::RULES,
    codes::RULES,
    status::RULES,
];

/// Every row in the order asked; the last one claims anything.
pub fn all() -> impl Iterator<Item = &'static Rule> {
    SECTIONS.iter().copied().flatten().chain([&status::LAST])
}

/// The first row that claims these facts.
pub(crate) fn find(facts: &Facts<'_>) -> &'static Rule {
    all().find(|rule| rule.claims(facts)).unwrap_or(&status::LAST)
}
