//! The `[[ratelimits]]` bindings of wrangler.toml beside the routes that name them.

use breakwater::config::Route;

/// What the file says of one binding.
pub(crate) struct Binding {
    pub(crate) name: String,
    /// Seconds.
    period: Option<i64>,
}

/// The bindings in `[[ratelimits]]`, or `[[env.NAME.ratelimits]]`.
pub(crate) fn bindings(owner: &toml::Table) -> Vec<Binding> {
    let entries = owner.get("ratelimits").and_then(toml::Value::as_array).into_iter().flatten();
    entries.filter_map(binding).collect()
}

fn binding(entry: &toml::Value) -> Option<Binding> {
    let name = entry.get("name")?.as_str()?.to_owned();
    let period = entry.get("simple").and_then(|simple| simple.get("period"));
    Some(Binding { name, period: period.and_then(toml::Value::as_integer) })
}

/// The wait that callers are told is not the one they have; `variable` is the route's.
pub(crate) fn doubt(route: &Route, variable: &str, bindings: &[Binding]) -> Option<String> {
    let limit = route.rate_limit.as_ref()?;
    let period = bindings.iter().find(|binding| binding.name == limit.binding)?.period?;
    let told = i64::try_from(limit.period_s).ok()?;
    (told != period).then(|| {
        format!(
            "{variable}.rate_limit.period_s: callers are told to wait {told} s, but the period of \
             {} is {period}",
            limit.binding
        )
    })
}
