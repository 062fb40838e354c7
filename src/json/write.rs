//! Writing JSON.

use crate::time::Millis;

/// What can be written as JSON.
pub trait ToJson {
    /// Adds it. A member that adds nothing is left out of its object.
    fn write(&self, out: &mut String);
}

/// JSON text that is put in as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Raw<T>(pub T);

/// A member that is left out where there is none; a bare `Option` is `null` then.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Maybe<T>(pub Option<T>);

/// A value's JSON.
pub fn text(value: &dyn ToJson) -> String {
    let mut out = String::new();
    value.write(&mut out);
    out
}

/// An object's JSON.
pub fn object(fields: &[(&str, &dyn ToJson)]) -> String {
    let mut out = "{".to_owned();
    members(&mut out, fields);
    out.push('}');
    out
}

/// Adds members of an object, with commas between.
pub(crate) fn members(out: &mut String, fields: &[(&str, &dyn ToJson)]) {
    let mut comma = "";
    for (name, value) in fields {
        let before = out.len();
        for part in [comma, "\"", name, "\":"] {
            out.push_str(part);
        }
        let bare = out.len();
        value.write(out);
        if out.len() == bare {
            out.truncate(before);
        } else {
            comma = ",";
        }
    }
}

impl<T: AsRef<str>> ToJson for Raw<T> {
    fn write(&self, out: &mut String) {
        out.push_str(self.0.as_ref());
    }
}

impl<T: ToJson> ToJson for Maybe<T> {
    fn write(&self, out: &mut String) {
        if let Self(Some(value)) = self {
            value.write(out);
        }
    }
}

impl<T: ToJson> ToJson for Option<T> {
    fn write(&self, out: &mut String) {
        match self {
            Some(value) => value.write(out),
            None => out.push_str("null"),
        }
    }
}

impl<T: ToJson + ?Sized> ToJson for &T {
    fn write(&self, out: &mut String) {
        (**self).write(out);
    }
}

impl ToJson for str {
    fn write(&self, out: &mut String) {
        out.push_str(&serde_json::to_string(self).unwrap_or_default());
    }
}

impl ToJson for String {
    fn write(&self, out: &mut String) {
        self.as_str().write(out);
    }
}

impl ToJson for bool {
    fn write(&self, out: &mut String) {
        out.push_str(if *self { "true" } else { "false" });
    }
}

impl ToJson for i64 {
    fn write(&self, out: &mut String) {
        out.push_str(&self.to_string());
    }
}

impl ToJson for u64 {
    fn write(&self, out: &mut String) {
        out.push_str(&self.to_string());
    }
}

impl ToJson for usize {
    fn write(&self, out: &mut String) {
        (*self as u64).write(out);
    }
}

impl ToJson for i32 {
    fn write(&self, out: &mut String) {
        i64::from(*self).write(out);
    }
}

impl ToJson for u32 {
    fn write(&self, out: &mut String) {
        u64::from(*self).write(out);
    }
}

impl ToJson for u16 {
    fn write(&self, out: &mut String) {
        u64::from(*self).write(out);
    }
}

impl ToJson for f64 {
    fn write(&self, out: &mut String) {
        out.push_str(&serde_json::to_string(self).unwrap_or_default());
    }
}

impl ToJson for Millis {
    fn write(&self, out: &mut String) {
        self.0.write(out);
    }
}

impl<T: ToJson, const N: usize> ToJson for [T; N] {
    fn write(&self, out: &mut String) {
        self.as_slice().write(out);
    }
}

impl<T: ToJson> ToJson for [T] {
    fn write(&self, out: &mut String) {
        out.push('[');
        for (at, item) in self.iter().enumerate() {
            if at > 0 {
                out.push(',');
            }
            item.write(out);
        }
        out.push(']');
    }
}

impl<T: ToJson> ToJson for Vec<T> {
    fn write(&self, out: &mut String) {
        self.as_slice().write(out);
    }
}

/// Names and values: an object.
impl<T: ToJson> ToJson for Vec<(String, T)> {
    fn write(&self, out: &mut String) {
        out.push('{');
        for (at, (name, value)) in self.iter().enumerate() {
            if at > 0 {
                out.push(',');
            }
            name.write(out);
            out.push(':');
            value.write(out);
        }
        out.push('}');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_may_be_left_out_is() {
        let none: Option<u64> = None;
        let fields: [(&str, &dyn ToJson); _] =
            [("a", &Maybe(none)), ("b", &none), ("c", &Maybe(Some(Raw("[1]")))), ("d", &0.5)];
        assert_eq!(object(&fields), r#"{"b":null,"c":[1],"d":0.5}"#);
        assert_eq!(object(&fields[..1]), "{}");
    }
}
