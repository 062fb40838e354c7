//! `.dev.vars`: one `NAME=value` a line.

use std::collections::BTreeMap;

/// The values by name. Quotes around a value, `export`, comments and odd lines are tolerated.
pub(crate) fn read(text: &str) -> BTreeMap<String, String> {
    text.lines().filter_map(line).collect()
}

fn line(line: &str) -> Option<(String, String)> {
    let line = line.trim();
    let (name, value) = line.strip_prefix("export ").unwrap_or(line).split_once('=')?;
    let name = name.trim();
    (!name.starts_with('#')).then(|| (name.to_owned(), unquoted(value.trim()).to_owned()))
}

fn unquoted(value: &str) -> &str {
    for quote in ['"', '\''] {
        if let Some((inner, _)) = value.strip_prefix(quote).and_then(|rest| rest.split_once(quote))
        {
            return inner;
        }
    }
    value.split_once(" #").map_or(value, |(value, _)| value.trim_end())
}
