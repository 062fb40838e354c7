//! Every row of every table claims its own sample: a row that does not is dead or shadowed.

use std::collections::BTreeSet;

use breakwater::method::effect;
use breakwater::rpc::reply::Body;
use breakwater::verdict::rules::{self, Sample, Says};
use breakwater::verdict::{Class, Part, Verdict};

use crate::case::{Case, answer};

fn judge(sample: &Sample) -> Verdict {
    let body = match sample.says {
        Says::Error(object) => answer(object),
        Says::Body(body) => body.as_bytes().to_vec(),
        Says::Failure(_) | Says::Missing => Vec::new(),
    };
    let mut case = Case::new(sample.method, &body).at(sample.status);
    case.operation.params = (!sample.params.is_empty()).then_some(sample.params);
    case.operation.effect = effect(sample.method);
    case.reply.edge_error = sample.edge_error;
    match (sample.says, Body::read(&body)) {
        (Says::Failure(failure), _) => case.fail(failure),
        (Says::Missing, _) => case.judge_part(Part::Missing),
        (Says::Error(_) | Says::Body(_), Body::Many(items)) if sample.batch => {
            case.judge_part(Part::Item(&items[0]))
        }
        (Says::Error(_) | Says::Body(_), _) if sample.batch => case.judge_for_batch(),
        (Says::Error(_) | Says::Body(_), _) => case.judge(),
    }
}

#[test]
fn every_row_claims_its_sample() {
    let lost: Vec<_> = rules::all()
        .filter_map(|rule| {
            let claimed_by = judge(&rule.sample).rule;
            (claimed_by != rule.id).then(|| format!("{} is claimed by {claimed_by}", rule.id))
        })
        .collect();
    assert!(lost.is_empty(), "{}", lost.join("\n"));
}

#[test]
fn rows_are_told_apart_and_say_where_they_are_from() {
    let mut ids = BTreeSet::new();
    for rule in rules::all() {
        assert!(ids.insert(rule.id), "two rows are called {}", rule.id);
        assert!(!rule.source.is_empty(), "{} has no source", rule.id);
    }
}

#[test]
fn labels_are_told_apart_and_fit_a_metric() {
    let labels: BTreeSet<_> = Class::ALL.iter().map(|class| class.label()).collect();
    assert_eq!(labels.len(), Class::ALL.len());
    for label in labels {
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        assert!(label.len() <= 24 && label.chars().all(plain), "{label}");
    }
}
