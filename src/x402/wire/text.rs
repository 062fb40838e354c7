//! The forms as text, by [`lines`](crate::x402::lines). Deploys mix versions for minutes, and objects
//! outlive them: what is written here must still be read.

use super::{Asked, End, Said, Told, Want, Word};
use crate::x402::lines::{Lines, Sheet};

const WANTS: &[(Want, &str)] = &[
    (Want::Verified, "verified"),
    (Want::Claim, "claim"),
    (Want::Wait, "wait"),
    (Want::Renew, "renew"),
    (Want::Move, "move"),
    (Want::End, "end"),
];

const ENDS: &[(End, &str)] = &[
    (End::Unknown, "unknown"),
    (End::NotSent, "not_sent"),
    (End::Answered, "answered"),
    (End::Settled, "settled"),
];

const WORDS: &[(Word, &str)] = &[
    (Word::Refused, "refused"),
    (Word::Done, "done"),
    (Word::Granted, "granted"),
    (Word::UnderWay, "under_way"),
    (Word::Ended, "ended"),
    (Word::Nobody, "nobody"),
];

impl Asked {
    /// As text.
    pub fn write(&self) -> String {
        let sheet = Sheet::default()
            .word(&self.want, WANTS)
            .text(self.endpoint.as_deref())
            .number(Some(self.flight))
            .word(&self.end, ENDS);
        Told::add(self.told.as_ref(), sheet).done()
    }

    /// From text; `None` when what is wanted is not known here. An end that is not known is unknown.
    pub fn read(text: &str) -> Option<Self> {
        let mut lines = Lines::of(text);
        Some(Self {
            want: lines.word(WANTS)?,
            endpoint: lines.text(),
            flight: lines.number().unwrap_or_default(),
            end: lines.word(ENDS).unwrap_or_default(),
            told: Told::take(&mut lines),
        })
    }
}

impl Said {
    /// As text.
    pub fn write(&self) -> String {
        let sheet = Sheet::default()
            .word(&self.word, WORDS)
            .number(Some(self.flight))
            .text(self.endpoint.as_deref())
            .flag(self.first)
            .flag(self.doubted);
        Told::add(self.told.as_ref(), sheet).done()
    }

    /// From text; `None` when its word is not known here.
    pub fn read(text: &str) -> Option<Self> {
        let mut lines = Lines::of(text);
        Some(Self {
            word: lines.word(WORDS)?,
            flight: lines.number().unwrap_or_default(),
            endpoint: lines.text(),
            first: lines.flag(),
            doubted: lines.flag(),
            told: Told::take(&mut lines),
        })
    }
}

impl Told {
    /// Adds it to a form; the lines of one that is not there are not there.
    pub(in crate::x402) fn add(told: Option<&Self>, sheet: Sheet) -> Sheet {
        let Some(told) = told else { return sheet };
        sheet
            .number(Some(told.status.into()))
            .text(told.content_type.as_deref())
            .text(told.extension.as_deref())
            .text(told.endpoint.as_deref())
            .number(told.retry_after_s)
            .text(Some(&told.hex))
    }

    /// Takes it from a form.
    pub(in crate::x402) fn take(lines: &mut Lines<'_>) -> Option<Self> {
        Some(Self {
            status: lines.number()?.try_into().ok()?,
            content_type: lines.text(),
            extension: lines.text(),
            endpoint: lines.text(),
            retry_after_s: lines.number(),
            hex: lines.text().unwrap_or_default(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::TOLD_MAX;
    use super::*;
    use proptest::prelude::*;

    fn told() -> Told {
        Told { content_type: Some("text/x".into()), ..Told::new(200, b"{}\xff") }
    }

    #[test]
    fn forms_are_unchanged() {
        assert_eq!(told().body(), b"{}\xff");
        let (endpoint, told) = (Some("a".to_owned()), Some(told()));
        let asked =
            Asked { want: Want::End, endpoint, flight: 2, end: End::Settled, told: told.clone() };
        assert_eq!(asked.write(), "end\na\n2\nsettled\n200\ntext/x\n\n\n\n7b7dff\n");
        assert_eq!(Asked::read(&asked.write()), Some(asked));
        let said = Said { word: Word::Granted, flight: 3, first: true, ..Said::default() };
        assert_eq!(said.write(), "granted\n3\n\nyes\n\n");
        assert_eq!(Said::read(&said.write()), Some(said));
    }

    #[test]
    fn other_versions_are_read() {
        let asked = Asked { want: Want::Claim, endpoint: Some("a".into()), ..Asked::default() };
        assert_eq!(Asked::read("claim\na"), Some(asked));
        let later = Said { told: Some(told()), ..Said::default() };
        assert_eq!(Said::read(&format!("{}more\n", later.write())), Some(later));
        for text in ["", "later\na\n", "{}", "\nclaim"] {
            assert_eq!((Asked::read(text), Said::read(text)), (None, None), "{text}");
        }
    }

    #[test]
    fn every_word_has_a_text() {
        let of = |want| Asked { want, ..Asked::default() };
        for want in
            [Want::Verified, Want::Claim, Want::Wait, Want::Renew, Want::Move, Want::End].map(of)
        {
            assert_eq!(Asked::read(&want.write()), Some(want));
        }
        let of = |word| Said { word, ..Said::default() };
        for word in
            [Word::Refused, Word::Done, Word::Granted, Word::UnderWay, Word::Ended, Word::Nobody]
                .map(of)
        {
            assert_eq!(Said::read(&word.write()), Some(word));
        }
        for end in [End::Unknown, End::NotSent, End::Answered, End::Settled] {
            let asked = Asked { end, ..Asked::default() };
            assert_eq!(Asked::read(&asked.write()), Some(asked));
        }
    }

    #[test]
    fn what_is_too_large_is_not_kept() {
        assert!(Told::new(200, &vec![0; TOLD_MAX]).kept().is_some());
        assert!(Told::new(200, &vec![0; TOLD_MAX + 1]).kept().is_none());
    }

    proptest! {
        #[test]
        fn bodies_come_back(body: Vec<u8>, status in 200..=599_u16, kind in "\\PC{1,20}") {
            let told = Told { content_type: Some(kind), ..Told::new(status, &body) };
            let said = Said { told: Some(told), ..Said::default() };
            let read = Said::read(&said.write());
            prop_assert_eq!(read.clone().and_then(|read| read.told).map(|told| told.body()), Some(body));
            prop_assert_eq!(read, Some(said));
        }

        #[test]
        fn a_line_break_makes_no_field(kind in "[a-z\r\n]{0,9}") {
            let told = Told { content_type: Some(kind), ..Told::new(200, b"x") };
            let said = Said { told: Some(told), ..Said::default() };
            let told = Said::read(&said.write()).and_then(|read| read.told);
            prop_assert_eq!(told.map(|told| told.body()), Some(b"x".to_vec()));
        }
    }
}
