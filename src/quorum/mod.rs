//! Several endpoints answer, and so many must say the same: counts votes and tells when they are
//! decided. A failure is no vote, and a value that too few gave is nobody's answer.

mod canonical;
mod essence;
mod quantity;
mod vote;

pub use vote::{Paper, Rule, Vote, paper, rule};

/// The votes on one operation; `A` is how the caller holds an answer.
#[derive(Debug)]
pub struct Ballot<A> {
    rule: Rule,
    threshold: usize,
    cast: Vec<Cast<A>>,
    /// Endpoints whose answer was that of one known to be behind: no vote.
    behind: Vec<usize>,
}

#[derive(Debug)]
struct Cast<A> {
    endpoint: usize,
    vote: Vote,
    answer: A,
}

/// What an ended ballot shows.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tally {
    /// Endpoints that gave the same answer, the largest group first; ties in the order of answers.
    pub groups: Vec<Vec<usize>>,
}

/// An answer that was chosen, and by whom.
#[derive(Debug)]
pub struct Chosen<A> {
    /// Whose bytes it is.
    pub endpoint: usize,
    /// The answer.
    pub answer: A,
    /// Endpoints that said so, or near enough.
    pub agreed: Vec<usize>,
    /// Endpoints whose answer was another.
    pub outvoted: Vec<usize>,
}

impl<A> Ballot<A> {
    /// An empty one for answers that are compared so.
    pub fn new(rule: Rule, threshold: usize) -> Self {
        Self { rule, threshold, cast: Vec::new(), behind: Vec::new() }
    }

    /// The votes so far, leaving none.
    #[must_use]
    pub fn take(&mut self) -> Self {
        std::mem::replace(self, Self::new(self.rule, self.threshold))
    }

    /// Takes a vote.
    pub fn cast(&mut self, endpoint: usize, vote: Vote, answer: A) {
        self.cast.push(Cast { endpoint, vote, answer });
    }

    /// Takes down that an endpoint known to be behind answered.
    pub fn note_behind(&mut self, endpoint: usize) {
        self.behind.push(endpoint);
    }

    /// Whether nobody has voted.
    pub fn is_empty(&self) -> bool {
        self.cast.is_empty()
    }

    /// Whether the threshold can still be reached with this many more votes.
    pub fn reachable(&self, outstanding: usize) -> bool {
        let votes = match self.rule {
            Rule::Equal => self.tally().groups.first().map_or(0, Vec::len),
            Rule::Height | Rule::Median => self.cast.len(),
        };
        votes + outstanding >= self.threshold
    }

    /// Whether it is decided, whatever this many more votes will say.
    pub fn decided(&self, outstanding: usize) -> bool {
        match self.rule {
            Rule::Equal => {
                let tally = self.tally();
                let mut sizes = tally.groups.iter().map(Vec::len);
                let (first, second) = (sizes.next().unwrap_or(0), sizes.next().unwrap_or(0));
                first >= self.threshold && first > second + outstanding
            }
            Rule::Height => self.height_stands(outstanding),
            Rule::Median => outstanding == 0 && self.cast.len() >= self.threshold,
        }
    }

    /// Heads that are still to come may lift the one that enough have reached, but only to one that
    /// so many fewer have reached already.
    fn height_stands(&self, outstanding: usize) -> bool {
        let at = |nth: usize| self.nth(nth).map(|cast| &cast.vote);
        let own = self.threshold.checked_sub(1).and_then(at);
        let lifted = self.threshold.checked_sub(1 + outstanding).and_then(at);
        own.is_some() && (outstanding == 0 || own == lifted)
    }

    /// The nth largest, of equals the first that came. Votes are few: counting is as quick as sorting,
    /// and smaller.
    fn nth(&self, nth: usize) -> Option<&Cast<A>> {
        let count = |holds: &dyn Fn(&Vote) -> bool| {
            self.cast.iter().filter(|other| holds(&other.vote)).count()
        };
        self.cast.iter().find(|cast| {
            let larger = count(&|other| *other > cast.vote);
            larger <= nth && nth < larger + count(&|other| *other == cast.vote)
        })
    }

    /// Who said what.
    pub fn tally(&self) -> Tally {
        let mut groups: Vec<(&Vote, Vec<usize>)> = Vec::new();
        for cast in &self.cast {
            match groups.iter_mut().find(|(vote, _)| **vote == cast.vote) {
                Some((_, endpoints)) => endpoints.push(cast.endpoint),
                None => groups.push((&cast.vote, vec![cast.endpoint])),
            }
        }
        let mut sorted: Vec<Vec<usize>> = Vec::new();
        for (_, endpoints) in groups {
            let place = sorted.partition_point(|group| group.len() >= endpoints.len());
            sorted.insert(place, endpoints);
        }
        Tally { groups: sorted }
    }

    /// The answer that the threshold stands behind; `Err`: too few do, or it is a tie. `slack` is how
    /// far heads may differ from it without being wrong.
    pub fn choose(self, slack: u64) -> Result<Chosen<A>, Self> {
        if !self.decided(0) {
            return Err(self);
        }
        let endpoint = match self.rule {
            Rule::Equal => self.tally().groups.first().and_then(|group| group.first().copied()),
            Rule::Height => self.whose(self.threshold.saturating_sub(1)),
            Rule::Median => self.whose(self.cast.len() / 2),
        };
        self.give(endpoint, slack)
    }

    /// The answer that most gave; `Err` when nobody voted.
    pub fn best(self, slack: u64) -> Result<Chosen<A>, Self> {
        let endpoint = match self.rule {
            Rule::Equal => self.tally().groups.first().and_then(|group| group.first().copied()),
            // One that says more than all others may be wrong; one that says least is merely late.
            Rule::Height | Rule::Median => self.whose(self.cast.len().saturating_sub(1)),
        };
        self.give(endpoint, slack)
    }

    fn whose(&self, nth: usize) -> Option<usize> {
        self.nth(nth).map(|cast| cast.endpoint)
    }

    fn give(mut self, endpoint: Option<usize>, slack: u64) -> Result<Chosen<A>, Self> {
        let place = self.cast.iter().position(|cast| Some(cast.endpoint) == endpoint);
        let Some(place) = place else {
            return Err(self);
        };
        let Cast { endpoint, vote, answer } = self.cast.swap_remove(place);
        let wrong = |cast: &&Cast<A>| match self.rule {
            Rule::Equal => cast.vote != vote,
            Rule::Height => cast.vote.differs(&vote, slack),
            Rule::Median => false,
        };
        let (mut agreed, mut outvoted) = (Vec::new(), self.behind);
        for cast in &self.cast {
            let side = if wrong(&cast) { &mut outvoted } else { &mut agreed };
            side.push(cast.endpoint);
        }
        Ok(Chosen { endpoint, answer, agreed, outvoted })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ballot(rule: Rule, threshold: usize, votes: &[&str]) -> Ballot<String> {
        let mut ballot = Ballot::new(rule, threshold);
        for (endpoint, text) in votes.iter().enumerate() {
            let vote = match rule {
                Rule::Equal => Vote::same(text),
                Rule::Height | Rule::Median => Vote::number(text).unwrap(),
            };
            ballot.cast(endpoint, vote, (*text).to_owned());
        }
        ballot
    }

    fn chosen(rule: Rule, threshold: usize, votes: &[&str]) -> Option<(String, Vec<usize>)> {
        let chosen = ballot(rule, threshold, votes).choose(2).ok()?;
        Some((chosen.answer, chosen.outvoted))
    }

    #[test]
    fn equal_answers_need_their_threshold_and_no_rival() {
        for (threshold, votes, given) in [
            (2, &["x", "x", "y"][..], Some(("x", vec![2]))),
            (2, &["y", "x", "x"], Some(("x", vec![0]))),
            (2, &["x", "y", "z"], None),
            (2, &["x"], None),
            (2, &["x", "x", "y", "y"], None),
            (2, &["x", "x", "y", "y", "y"], Some(("y", vec![0, 1]))),
            (3, &["x", "x", "y"], None),
        ] {
            let given = given.map(|(answer, outvoted)| (answer.to_owned(), outvoted));
            assert_eq!(chosen(Rule::Equal, threshold, votes), given, "{votes:?}");
        }
    }

    #[test]
    fn it_is_decided_once_no_other_can_get_as_many() {
        assert!(ballot(Rule::Equal, 2, &["x", "x"]).decided(1));
        assert!(!ballot(Rule::Equal, 2, &["x", "x"]).decided(2), "two more may be two others");
        assert!(ballot(Rule::Equal, 2, &["x", "x", "x"]).decided(2));
        assert!(!ballot(Rule::Equal, 2, &["x", "y"]).decided(1));
    }

    #[test]
    fn the_head_is_the_largest_that_enough_have_reached() {
        for (votes, given) in [
            (&["\"0x64\"", "\"0x64\"", "\"0x64\""][..], ("\"0x64\"", vec![])),
            (&["\"0x64\"", "\"0x64\"", "\"0x5a\""], ("\"0x64\"", vec![2])),
            (&["\"0x64\"", "\"0x65\"", "\"0x66\""], ("\"0x65\"", vec![])),
            (&["\"0x64\"", "\"0x63\""], ("\"0x63\"", vec![])),
            (&["\"0xffff\"", "\"0x63\"", "\"0x64\""], ("\"0x64\"", vec![0])),
        ] {
            let (answer, outvoted) = chosen(Rule::Height, 2, votes).unwrap();
            assert_eq!((answer.as_str(), outvoted), given, "{votes:?}");
        }
        assert_eq!(chosen(Rule::Height, 2, &["\"0x64\""]), None);
    }

    #[test]
    fn a_head_waits_for_whoever_could_lift_it() {
        let two = |a, b| ballot(Rule::Height, 2, &[a, b]);
        assert!(two("\"0x64\"", "\"0x64\"").decided(1));
        assert!(!two("\"0x5a\"", "\"0x64\"").decided(1), "a third may be at 100 too");
        assert!(!two("\"0x64\"", "\"0x64\"").decided(2));
    }

    #[test]
    fn a_price_is_the_middle_one() {
        let votes = ["\"0x1\"", "\"0xffffffffffffffffffffffff\"", "\"0x3b9aca00\""];
        assert_eq!(chosen(Rule::Median, 2, &votes).unwrap().0, "\"0x3b9aca00\"");
        assert_eq!(chosen(Rule::Median, 2, &votes[..1]), None);
    }

    #[test]
    fn the_best_of_a_tie_is_the_first_and_of_heads_the_surest() {
        assert_eq!(ballot(Rule::Equal, 2, &["x", "y"]).best(2).unwrap().answer, "x");
        let heads = ballot(Rule::Height, 3, &["\"0x64\"", "\"0xffff\""]);
        assert_eq!(heads.best(2).unwrap().answer, "\"0x64\"");
        assert!(Ballot::<()>::new(Rule::Equal, 2).best(2).is_err());
    }

    #[test]
    fn one_known_to_be_behind_has_no_vote_but_is_outvoted() {
        let mut ballot = ballot(Rule::Equal, 2, &["x", "x"]);
        ballot.note_behind(7);
        assert_eq!(ballot.choose(2).unwrap().outvoted, [7]);
    }
}
