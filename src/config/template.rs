//! `${NAME}` in `url` and `headers` values. A secret's value is put in as it is, trimmed, and not
//! looked through again.

/// The Worker's secrets, by name.
pub(super) type Secrets<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Secrets that are for the Worker itself: no upstream may be sent them.
const OWN: [&str; 3] = ["ADMIN_TOKEN", "ALERT_WEBHOOK", "CLIENT_KEYS"];

/// A text with its secrets put in.
#[derive(Debug, Default)]
pub(super) struct Filled {
    /// The text. Secret; incomplete when `missing` is not empty.
    pub(super) text: String,
    /// What was put in. Secret.
    pub(super) values: Vec<String>,
    /// Names that are not bound, or are blank.
    pub(super) missing: Vec<String>,
}

/// Puts the secrets in; the error says what is wrong with the text.
pub(super) fn fill(text: &str, secrets: Secrets<'_>) -> Result<Filled, &'static str> {
    let mut filled = Filled::default();
    let mut rest = text;
    while let Some((literal, tail)) = rest.split_once("${") {
        let (name, after) = tail.split_once('}').ok_or("has a ${ without its }")?;
        filled.text.push_str(literal);
        filled.put(check_name(name)?, secrets);
        rest = after;
    }
    filled.text.push_str(rest);
    Ok(filled)
}

impl Filled {
    fn put(&mut self, name: &str, secrets: Secrets<'_>) {
        match bound(name, secrets) {
            Some(value) => {
                self.text.push_str(&value);
                self.values.push(value);
            }
            None => self.missing.push(name.into()),
        }
    }
}

/// The secret's value, trimmed: piped into `wrangler secret put` it often ends with a newline.
pub(super) fn bound(name: &str, secrets: Secrets<'_>) -> Option<String> {
    let value = secrets(name)?.trim().to_owned();
    (!value.is_empty()).then_some(value)
}

fn check_name(name: &str) -> Result<&str, &'static str> {
    let letters = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if !letters || name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
        return Err("has a bad secret name: ${NAME} takes letters, digits and _");
    }
    if OWN.contains(&name) {
        return Err("names a secret of the Worker itself, which no upstream may get");
    }
    Ok(name)
}

/// For every text in which secrets have no place.
pub(super) fn no_secrets(text: &str) -> Result<(), &'static str> {
    if text.contains("${") {
        return Err("cannot hold ${NAME}: secrets go into url and headers values only");
    }
    Ok(())
}
