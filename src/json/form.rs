//! How forms and words are told to the compiler.

/// `written!(Form { member, … })`: the struct is written as an object of these members.
macro_rules! written {
    ($form:ty { $($member:ident),+ $(,)? }) => {
        impl $crate::json::ToJson for $form {
            fn write(&self, out: &mut String) {
                out.push('{');
                $crate::json::members(out, &[$((stringify!($member), &self.$member)),+]);
                out.push('}');
            }
        }
    };
}

/// `form!(Form { member, … })`: the struct is written as an object of these members and read from one.
macro_rules! form {
    ($form:ty { $($member:ident),+ $(,)? }) => {
        $crate::json::written!($form { $($member),+ });

        impl $crate::json::FromJson for $form {
            fn read(&mut self, from: &$crate::json::Value) -> bool {
                from.fill(&mut [$((stringify!($member), &mut self.$member)),+])
            }
        }
    };
}

/// `words!(Enum { Variant = "word", … })`: each variant is written as its word. A word that is none of
/// them cannot be read, or is what stands behind `else`.
macro_rules! words {
    ($words:ident { $($variant:ident = $word:literal),+ $(,)? } $(else $other:ident)?) => {
        impl $words {
            /// Every word and what it stands for.
            pub const WORDS: &'static [(&'static str, Self)] =
                &[$(($word, Self::$variant)),+];

            /// Its word.
            pub fn label(self) -> &'static str {
                match self {
                    $(Self::$variant => $word),+
                }
            }

            /// What a word stands for.
            pub fn named(word: &str) -> Option<Self> {
                let known = Self::WORDS.iter().find(|(known, _)| *known == word);
                known.map(|(_, meaning)| *meaning)
            }
        }

        impl $crate::json::ToJson for $words {
            fn write(&self, out: &mut String) {
                self.label().write(out);
            }
        }

        impl $crate::json::FromJson for $words {
            fn read(&mut self, from: &$crate::json::Value) -> bool {
                let named = match from {
                    $crate::json::Value::Text(word) => Self::named(word),
                    _ => None,
                };
                $(let named = named.or(Some(Self::$other));)?
                if let Some(named) = named {
                    *self = named;
                }
                named.is_some()
            }
        }
    };
}

pub(crate) use {form, words, written};
