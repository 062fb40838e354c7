//! A reader of Prometheus' text format, written from its description and stricter than it: whatever
//! is not as it must be panics.

use std::collections::{BTreeMap, BTreeSet};

/// A page that was read.
pub(crate) struct Page {
    pub(crate) text: String,
    samples: Vec<Sample>,
    types: BTreeMap<String, String>,
}

struct Sample {
    name: String,
    labels: String,
    value: f64,
}

impl Page {
    /// Samples of one name: labels as written, and the value.
    pub(crate) fn of(&self, name: &str) -> Vec<(String, f64)> {
        let own = self.samples.iter().filter(|sample| sample.name == name);
        own.map(|sample| (sample.labels.clone(), sample.value)).collect()
    }

    pub(crate) fn value(&self, name: &str, labels: &str) -> Option<f64> {
        let own = self.samples.iter().find(|s| s.name == name && s.labels == labels);
        own.map(|sample| sample.value)
    }

    /// Samples of one name: labels by name, and the value.
    pub(crate) fn labelled(&self, name: &str) -> Vec<(BTreeMap<String, String>, f64)> {
        self.of(name).into_iter().map(|(labels, value)| (pairs(&labels), value)).collect()
    }

    /// Samples that must never go back.
    pub(crate) fn counters(&self) -> impl Iterator<Item = (&str, &str, f64)> {
        let counts = |sample: &&Sample| self.types[family(&sample.name, &self.types)] != "gauge";
        self.samples.iter().filter(counts).map(|s| (&*s.name, &*s.labels, s.value))
    }
}

/// Reads a page.
pub(crate) fn read(text: &str) -> Page {
    assert!(text.ends_with('\n'), "the last line ends too");
    let (mut samples, mut types) = (Vec::new(), BTreeMap::new());
    let (mut helped, mut seen) = (BTreeSet::new(), BTreeSet::new());
    let mut now = String::new();
    for line in text.trim_end_matches('\n').split('\n') {
        if let Some(rest) = line.strip_prefix("# HELP ") {
            let (name, help) = rest.split_once(' ').unwrap();
            assert!(!help.is_empty() && helped.insert(name.to_owned()), "{name} helped once");
            name.clone_into(&mut now);
        } else if let Some(rest) = line.strip_prefix("# TYPE ") {
            let (name, kind) = rest.split_once(' ').unwrap();
            assert_eq!(name, now, "HELP and TYPE stand together");
            assert!(["counter", "gauge", "histogram"].contains(&kind), "{kind}");
            types.insert(name.to_owned(), kind.to_owned());
        } else {
            let sample = sample(line);
            assert_eq!(family(&sample.name, &types), now, "{line}: all its samples together");
            assert!(seen.insert((sample.name.clone(), pairs(&sample.labels))), "{line}: twice");
            samples.push(sample);
        }
    }
    let page = Page { text: text.to_owned(), samples, types };
    page.check_histograms();
    page
}

impl Page {
    /// Cumulative, monotone, and the last bucket is the count.
    fn check_histograms(&self) {
        let mut buckets: BTreeMap<String, Vec<(f64, f64)>> = BTreeMap::new();
        for sample in self.samples.iter().filter(|sample| sample.name.ends_with("_bucket")) {
            let mut labels = pairs(&sample.labels);
            let le = labels.remove("le").unwrap();
            let le = if le == "+Inf" { f64::INFINITY } else { le.parse().unwrap() };
            buckets.entry(format!("{labels:?}")).or_default().push((le, sample.value));
        }
        for (labels, buckets) in &buckets {
            assert!(buckets.is_sorted_by(|a, b| a.0 < b.0 && a.1 <= b.1), "{labels} {buckets:?}");
            let (le, last) = buckets.last().unwrap();
            assert!(le.is_infinite());
            for suffix in ["_count", "_sum"] {
                let of = self.samples.iter().filter(|sample| sample.name.ends_with(suffix));
                let of: Vec<_> =
                    of.filter(|s| format!("{:?}", pairs(&s.labels)) == *labels).collect();
                assert_eq!(of.len(), 1, "{labels} has {suffix}");
                assert!(suffix == "_sum" || of[0].value.to_bits() == last.to_bits(), "{labels}");
            }
        }
    }
}

/// The metric that a sample is of.
fn family<'a>(name: &'a str, types: &BTreeMap<String, String>) -> &'a str {
    let of = |suffix| {
        let base = name.strip_suffix(suffix)?;
        (types.get(base).map(String::as_str) == Some("histogram")).then_some(base)
    };
    ["_bucket", "_sum", "_count"].into_iter().find_map(of).unwrap_or(name)
}

fn sample(line: &str) -> Sample {
    let brace = line.find('{').unwrap_or_else(|| panic!("{line}: labels"));
    let (name, rest) = line.split_at(brace);
    let plain = |c: char| c.is_ascii_lowercase() || c == '_';
    assert!(!name.is_empty() && name.chars().all(plain), "{line}");
    let end = rest.rfind("} ").unwrap_or_else(|| panic!("{line}: a value"));
    let (labels, value) = rest.split_at(end + 1);
    let value = value.trim_start().parse().unwrap_or_else(|error| panic!("{line}: {error}"));
    Sample { name: name.to_owned(), labels: labels.to_owned(), value }
}

/// `{a="b",c="d"}`.
fn pairs(labels: &str) -> BTreeMap<String, String> {
    let mut rest = labels.strip_prefix('{').unwrap();
    let mut found = BTreeMap::new();
    while rest != "}" {
        let (name, after) = rest.split_once("=\"").unwrap_or_else(|| panic!("{labels}"));
        assert!(name.chars().all(|c| c.is_ascii_lowercase() || c == '_'), "{labels}");
        let (value, after) = quoted(after);
        assert!(found.insert(name.to_owned(), value).is_none(), "{labels}: {name} twice");
        rest = after.strip_prefix(',').unwrap_or(after);
    }
    found
}

/// The text up to the closing quote, and what is behind that.
fn quoted(text: &str) -> (String, &str) {
    let mut value = String::new();
    let mut chars = text.chars();
    while let Some(char) = chars.next() {
        match char {
            '"' => return (value, chars.as_str()),
            '\\' => value.push(match chars.next().unwrap() {
                'n' => '\n',
                escaped @ ('"' | '\\') => escaped,
                other => panic!("\\{other} is no escape"),
            }),
            plain => value.push(plain),
        }
    }
    panic!("{text}: no end")
}
