//! Variables that were meant as tables and are passed over.

/// Whether a variable that the Worker does not read was meant for it: it is a table, or its name
/// is close to `SERVICE` or `ROUTE_<NAME>`.
pub(crate) fn is_passed_over(name: &str, json: &str) -> bool {
    if name == "SERVICE" || name.starts_with("ROUTE_") {
        return false;
    }
    let upper = name.to_ascii_uppercase();
    let head = upper.split(['_', '-']).next().unwrap_or_default();
    json.starts_with('{')
        || upper.starts_with("ROUTE")
        || upper.starts_with("SERVICE")
        || head.len() < upper.len() && is_slip(head, "ROUTE")
        || is_slip(&upper, "SERVICE")
}

/// One letter missing, too many or wrong, or two neighbours swapped.
fn is_slip(word: &str, meant: &str) -> bool {
    let same = |(a, b): &(u8, u8)| a == b;
    let before = word.bytes().zip(meant.bytes()).take_while(same).count();
    let (word, meant) = (word.get(before..), meant.get(before..));
    let (word, meant) = (word.unwrap_or_default(), meant.unwrap_or_default());
    let behind = word.bytes().rev().zip(meant.bytes().rev()).take_while(same).count();
    let middle = |text: &str| text.as_bytes().get(..text.len() - behind).map(<[u8]>::to_vec);
    match (middle(word).as_deref(), middle(meant).as_deref()) {
        (Some([a, b]), Some([c, d])) => a == d && b == c,
        (Some(a), Some(b)) => a.len() <= 1 && b.len() <= 1,
        _ => false,
    }
}
