//! Whose word counts when a send is refused after an attempt whose outcome is open: the hash is
//! looked up before anybody hears the refusal.
//!
//! The first to be asked, all at once, are those most likely to know: the endpoint that refused,
//! for if the transaction itself is the reason it has it; and those whose outcome is open, for they
//! may hold it in a pool that nobody else sees. Only when they cannot tell are others asked.

use crate::select::Asked;
use crate::verdict::Class;

/// What the look-up of a hash showed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finding {
    /// It is there.
    Found,
    /// It is not.
    Absent,
    /// No answer that would tell.
    Silent,
}

/// A refusal that may have to do with an earlier attempt of the same send.
#[derive(Debug)]
pub(super) struct Refusal<A> {
    pub(super) endpoint: usize,
    pub(super) class: Class,
    pub(super) answer: Option<A>,
}

/// A look-up at several endpoints.
#[derive(Debug)]
pub(super) struct LookUp<A> {
    pub(super) refusal: Refusal<A>,
    /// Endpoints that may have the transaction.
    open: Asked,
    asked: Asked,
    under_way: Asked,
    absent: Asked,
}

/// How a look-up goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Course {
    Ask(usize),
    Wait,
    /// Those who should know cannot tell: anybody else may.
    AskOthers,
    /// It is nowhere: the refusal stands.
    Refused,
}

impl<A> LookUp<A> {
    pub(super) fn new(refusal: Refusal<A>, open: Asked) -> Self {
        let (asked, under_way, absent) = Default::default();
        Self { refusal, open, asked, under_way, absent }
    }

    pub(super) fn course(&self) -> Course {
        let refuser = std::iter::once(self.refusal.endpoint);
        let next = refuser.chain(self.open.iter()).find(|endpoint| !self.asked.has(*endpoint));
        match next {
            Some(endpoint) => Course::Ask(endpoint),
            None if self.waits() => Course::Wait,
            None if self.settled() => Course::Refused,
            None => Course::AskOthers,
        }
    }

    pub(super) fn waits(&self) -> bool {
        !self.under_way.is_empty()
    }

    pub(super) fn asked(&self) -> Asked {
        self.asked
    }

    pub(super) fn ask(&mut self, endpoint: usize) {
        self.asked.add(endpoint);
        self.under_way.add(endpoint);
    }

    pub(super) fn hear(&mut self, endpoint: usize, finding: Finding) {
        self.under_way.remove(endpoint);
        if finding == Finding::Absent {
            self.absent.add(endpoint);
        }
    }

    /// Whether everybody who may have it has not. One voice is enough where the refusal rests on the
    /// chain or on the bytes themselves: whoever else holds the transaction, it is void.
    fn settled(&self) -> bool {
        let void = matches!(self.refusal.class, Class::Nonce | Class::TxInvalid);
        self.open.iter().all(|endpoint| self.absent.has(endpoint))
            || (void && !self.absent.is_empty())
    }
}
