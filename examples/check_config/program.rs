//! Arguments and files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::check::check;
use crate::dev_vars;

const USAGE: &str = "usage: check_config [wrangler.toml] [--env NAME]";

pub(crate) fn run() -> ExitCode {
    match arguments(std::env::args().skip(1)).and_then(|(path, env)| report(&path, env.as_deref()))
    {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(text) => {
            eprintln!("error: {text}");
            ExitCode::FAILURE
        }
    }
}

fn arguments(mut given: impl Iterator<Item = String>) -> Result<(PathBuf, Option<String>), String> {
    let (mut path, mut env) = (None, None);
    while let Some(argument) = given.next() {
        if argument == "--env" {
            env = Some(given.next().ok_or(USAGE)?);
        } else if path.is_some() || argument.starts_with('-') {
            return Err(USAGE.into());
        } else {
            path = Some(PathBuf::from(argument));
        }
    }
    Ok((path.unwrap_or_else(|| "wrangler.toml".into()), env))
}

fn report(path: &Path, env: Option<&str>) -> Result<bool, String> {
    let toml = std::fs::read_to_string(path)
        .map_err(|error| format!("{} cannot be read: {error}", path.display()))?;
    let report = check(&toml, env, &secrets(path, env));
    print!("{}: {}", path.display(), report.text);
    Ok(report.good)
}

/// As Wrangler chooses: the environment's own file if there is one, else the common one.
fn secrets(beside: &Path, env: Option<&str>) -> BTreeMap<String, String> {
    let own = env.map(|env| format!(".dev.vars.{env}"));
    let names = own.iter().map(String::as_str).chain([".dev.vars"]);
    let text = names
        .map(|name| beside.with_file_name(name))
        .find_map(|path| std::fs::read_to_string(path).ok());
    dev_vars::read(&text.unwrap_or_default())
}
