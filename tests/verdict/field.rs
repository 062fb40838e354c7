//! Messages that no row has as its sample: what the tables are for is the answer that nobody has
//! seen yet. Those of `messages.jsonl` are from the field, those of `reworded.jsonl` say the same
//! things in words made up to try the rows.
//!
//! One a line, an error's code and message or a whole body, under
//! HTTP 200 unless it says otherwise, with the class and the action it must get.

use serde::Deserialize;

use crate::case::{Case, action, answer, message};

const MESSAGES: &str = include_str!("../corpus/messages.jsonl");
const REWORDED: &str = include_str!("../corpus/reworded.jsonl");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    #[serde(default = "ok")]
    status: u16,
    method: String,
    #[serde(default)]
    code: i64,
    message: Option<String>,
    #[serde(default)]
    body: String,
    class: String,
    action: String,
}

fn ok() -> u16 {
    200
}

impl Line {
    /// What is wrong, if anything.
    fn fault(&self) -> Option<String> {
        let error = self.message.as_ref().map(|text| message(self.code, text));
        let body = error.unwrap_or_else(|| self.body.clone().into_bytes());
        let verdict = Case::new(&self.method, &body).at(self.status).judge();
        let expected = (self.class.as_str(), self.action.clone());
        let actual = (verdict.class.label(), action(&verdict));
        (actual != expected).then(|| {
            let body = String::from_utf8_lossy(&body);
            format!("{body}: {actual:?} by {}, not {expected:?}", verdict.rule)
        })
    }
}

#[test]
fn every_message_is_understood() {
    let texts = MESSAGES.lines().chain(REWORDED.lines());
    let lines: Vec<Line> = texts.map(|line| serde_json::from_str(line).expect(line)).collect();
    let faults: Vec<_> = lines.iter().filter_map(Line::fault).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    println!("{} messages", lines.len());
    assert!(lines.len() > 450);
}

#[test]
fn codes_are_read_in_every_form() {
    for code in ["-32005", "-32005.0", "\"-32005\"", "\"RATE_LIMITED\""] {
        let body = answer(&format!(r#"{{"code":{code},"message":"slow"}}"#));
        assert_eq!(action(&Case::new("eth_call", &body).judge()), "advance+throttled", "{code}");
    }
}
