//! Getting a payment's claim, or what came of it in other hands.

use super::desk::Desk;
use crate::x402::wire::{Asked, Said, Told, Want, Word};

/// The object holds a question for so long; this much longer, and it is silent.
const WAIT_MS: u64 = 15_000;
/// Questions in a row without an answer after which nobody knows.
const SILENT_MAX: u32 = 3;

/// Whose the claim is.
pub(super) enum Claimed {
    /// Ours.
    Ours(Said),
    /// Somebody else's, who was told this; `None`: nobody knows what became of it.
    Others(Option<Told>),
    /// Nobody's: there is no facilitator to send to.
    Nobody,
    /// It could not be made.
    Failed,
}

/// Claims a payment; `choice` would be our own.
pub(super) async fn claim(desk: &Desk, choice: Option<String>) -> Claimed {
    let asked = Asked { want: Want::Claim, endpoint: choice, ..Asked::default() };
    let Some(said) = desk.ask(&asked).await else {
        return Claimed::Failed;
    };
    match said.word {
        Word::Granted => Claimed::Ours(said),
        Word::UnderWay => Claimed::Others(wait(desk, said.flight).await),
        Word::Nobody => Claimed::Nobody,
        Word::Refused | Word::Done | Word::Ended => Claimed::Failed,
    }
}

/// Waits for the end of a flight, however long it takes.
async fn wait(desk: &Desk, flight: u64) -> Option<Told> {
    let asked = Asked { want: Want::Wait, flight, ..Asked::default() };
    let mut silent = 0;
    while silent < SILENT_MAX {
        match desk.ask_for(&asked, WAIT_MS).await {
            Some(Said { word: Word::Ended, told, .. }) => return told,
            Some(Said { word: Word::UnderWay, .. }) => silent = 0,
            Some(_) | None => silent += 1,
        }
    }
    None
}
