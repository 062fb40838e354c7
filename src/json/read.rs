//! Reading JSON that we wrote.

use super::scan;
use super::value::{self, Value};
use crate::time::Millis;

/// What can be read from JSON, over a default.
pub trait FromJson {
    /// Takes what is there; `null`, and so a missing member, leaves the default. Whether it could be
    /// read: if not, whatever it is a part of is as good as not there.
    fn read(&mut self, from: &Value) -> bool;
}

/// Whether a text is JSON: whoever puts it into a text of his own has to ask.
pub fn valid(text: &str) -> bool {
    scan::value(text).is_ok()
}

/// Reads a form; `None` when that is not what the text holds.
pub fn read<T: FromJson + Default>(text: &str) -> Option<T> {
    let mut form = T::default();
    form.read(&value::tree(text).ok()?).then_some(form)
}

impl Value {
    /// Reads an object's members.
    pub(crate) fn fill(&self, members: &mut [(&str, &mut dyn FromJson)]) -> bool {
        let known: &[_] = match self {
            Self::Table(known) => known,
            Self::Null => &[],
            Self::Flag(_) | Self::Whole(_) | Self::Real(_) | Self::Text(_) | Self::List(_) => {
                return false;
            }
        };
        members.iter_mut().all(|(name, member)| {
            let value = known.iter().find(|(key, _)| key == name);
            member.read(value.map_or(&Self::Null, |(_, value)| value))
        })
    }
}

impl<T: FromJson + Default> FromJson for Option<T> {
    fn read(&mut self, from: &Value) -> bool {
        from.is_null() || self.get_or_insert_default().read(from)
    }
}

impl FromJson for String {
    fn read(&mut self, from: &Value) -> bool {
        if let Value::Text(text) = from {
            self.clone_from(text);
            return true;
        }
        from.is_null()
    }
}

impl FromJson for bool {
    fn read(&mut self, from: &Value) -> bool {
        if let Value::Flag(flag) = from {
            *self = *flag;
            return true;
        }
        from.is_null()
    }
}

impl FromJson for i64 {
    fn read(&mut self, from: &Value) -> bool {
        number(self, from)
    }
}

fn number<T: TryFrom<i64>>(place: &mut T, from: &Value) -> bool {
    let Value::Whole(number) = from else {
        return from.is_null();
    };
    T::try_from(*number).map(|number| *place = number).is_ok()
}

impl FromJson for u64 {
    fn read(&mut self, from: &Value) -> bool {
        number(self, from)
    }
}

impl FromJson for u32 {
    fn read(&mut self, from: &Value) -> bool {
        number(self, from)
    }
}

impl FromJson for u16 {
    fn read(&mut self, from: &Value) -> bool {
        number(self, from)
    }
}

impl FromJson for Millis {
    fn read(&mut self, from: &Value) -> bool {
        self.0.read(from)
    }
}

impl<T: FromJson + Default> FromJson for Vec<T> {
    fn read(&mut self, from: &Value) -> bool {
        let Value::List(list) = from else {
            return from.is_null();
        };
        list.iter().all(|value| {
            let mut item = T::default();
            let read = item.read(value);
            self.push(item);
            read
        })
    }
}

/// Names and values: an object.
impl<T: FromJson + Default> FromJson for Vec<(String, T)> {
    fn read(&mut self, from: &Value) -> bool {
        let Value::Table(table) = from else {
            return from.is_null();
        };
        table.iter().all(|(name, value)| {
            let mut item = T::default();
            let read = item.read(value);
            self.push((name.clone(), item));
            read
        })
    }
}

#[cfg(test)]
#[expect(unreachable_pub, reason = "words! is for public enums")]
mod tests {
    use super::*;
    use crate::json::{form, text, words};

    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    enum Word {
        #[default]
        Yes,
        No,
    }
    words!(Word { Yes = "yes", No = "no" });

    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    struct Form {
        flag: bool,
        small: u16,
        text: String,
        word: Option<Word>,
        list: Vec<u64>,
        table: Vec<(String, u32)>,
    }
    form!(Form { flag, small, text, word, list, table });

    #[test]
    fn what_was_written_is_read() {
        let form = Form {
            flag: true,
            small: 7,
            text: "a \"b\" \\ \n ü".into(),
            word: Some(Word::No),
            list: vec![1, 2],
            table: vec![("x\"".into(), 3)],
        };
        assert_eq!(
            text(&form),
            r#"{"flag":true,"small":7,"text":"a \"b\" \\ \n ü","word":"no","list":[1,2],"table":{"x\"":3}}"#
        );
        assert_eq!(read(&text(&form)), Some(form));
    }

    #[test]
    fn what_is_missing_null_or_unknown_keeps_the_default() {
        for text in ["{}", r#"{"text":null,"list":null,"flag":null}"#, r#"{"new":[{"a":1}]}"#] {
            assert_eq!(read(text), Some(Form::default()), "{text}");
        }
    }

    #[test]
    fn what_does_not_fit_is_not_read() {
        for text in [
            "",
            "[]",
            "7",
            r#"{"flag":1}"#,
            r#"{"small":65536}"#,
            r#"{"small":-1}"#,
            r#"{"small":1.5}"#,
            r#"{"text":{}}"#,
            r#"{"word":"maybe"}"#,
            r#"{"list":{}}"#,
            r#"{"list":[null,"a"]}"#,
            r#"{"table":[]}"#,
            r#"{"flag":true} x"#,
        ] {
            assert_eq!(read::<Form>(text), None, "{text}");
        }
    }
}
