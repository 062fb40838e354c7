//! Where an endpoint stands relative to the block that was asked for.

use super::Context;

/// Blocks below the head from which a missing block or state is pruned history rather than lag:
/// the window of state that full nodes keep.
pub const HISTORY_BLOCKS: u64 = 128;

/// What the known heads say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standing {
    /// Its head is below what was asked, or below the best known one.
    Behind,
    /// It has reached what was asked; nothing is missing for lag.
    Reached,
    /// It has a block that it denies: `old` when the block is history.
    Denies { old: bool },
    /// The block is above every known head: nobody has it.
    Future,
    /// The heads that would tell are not known.
    Unknown,
}

/// Reads the heads for a block that an endpoint says it does not have.
pub(crate) fn standing(context: &Context<'_>) -> Standing {
    let Context { block, known_head, endpoint_head, .. } = *context;
    let top = known_head.max(endpoint_head);
    match (block, endpoint_head) {
        (Some(block), _) if known_head.is_some_and(|known| block > known) => Standing::Future,
        (Some(block), Some(own)) if own < block => Standing::Behind,
        (Some(block), Some(_)) => Standing::Denies { old: is_history(block, top) },
        (Some(block), None) if is_history(block, top) => Standing::Denies { old: true },
        (None, Some(own)) if known_head.is_some_and(|known| own < known) => Standing::Behind,
        (None, Some(_)) if known_head.is_some() => Standing::Reached,
        _ => Standing::Unknown,
    }
}

/// Whether heads prove that the endpoint cannot know all up to the block asked for, or up to the
/// best head when the question goes up to the present.
pub(crate) fn lags(context: &Context<'_>) -> bool {
    let asked = match (context.block, context.known_head) {
        (Some(block), Some(known)) => Some(block.min(known)),
        (block, known) => block.or(known),
    };
    context.endpoint_head.zip(asked).is_some_and(|(own, asked)| own < asked)
}

fn is_history(block: u64, top: Option<u64>) -> bool {
    top.is_some_and(|top| top.saturating_sub(block) > HISTORY_BLOCKS)
}
