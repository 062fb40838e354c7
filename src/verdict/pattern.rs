//! The few words a rule needs to find in an error's text.

/// Whether `text` (lower case) has the pattern: its parts, split at `*`, in that order; `^` in
/// front ties the first part to the beginning. `^words$` is the whole text.
pub(crate) fn found(pattern: &str, text: &str) -> bool {
    if let Some(whole) = pattern.strip_prefix('^').and_then(|rest| rest.strip_suffix('$')) {
        return text.trim_ascii() == whole;
    }
    let (anchored, pattern) = match pattern.strip_prefix('^') {
        Some(rest) => (true, rest),
        None => (false, pattern),
    };
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let rest = if anchored { text.strip_prefix(first) } else { after(text, first) };
    rest.and_then(|rest| parts.try_fold(rest, after)).is_some()
}

fn after<'t>(text: &'t str, part: &str) -> Option<&'t str> {
    text.split_once(part).map(|(_, rest)| rest)
}

#[cfg(test)]
mod tests {
    use super::found;

    #[test]
    fn parts_are_looked_for_in_order() {
        assert!(found("range*too", "block range is too wide"));
        assert!(!found("too*range", "block range is too wide"));
        assert!(found("limited to*block*range", "limited to a 10,000 blocks range"));
        assert!(!found("block*block", "one block"));
    }

    #[test]
    fn anchors_tie_to_the_ends() {
        assert!(found("^rejected$", " rejected"));
        assert!(!found("^rejected$", "rejected due to project id settings"));
        assert!(found("^429", "429 too many requests"));
        assert!(!found("^429", "block 429"));
        assert!(found("^invalid argument*hex", "invalid argument 0: hex string"));
    }
}
