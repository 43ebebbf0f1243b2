//! Backward search: of a pattern, one goal is taken and given each source that it can have, until none is left.
//!
//! Take an attack, and of each term that the attacker comes to have the earliest moment, with a shortest way of making it or taking it
//! out of what she has. The search is complete because it follows these ways. A term without parts that she has not from the beginning,
//! or an encrypted one that she does not put together, is then
//! * a part of a message, open as it is sent, which she had in no message before; or
//! * a part of an encrypted term that she does not put together and opens. This appeared first as such a term of a role, in a
//!   message that was sent before: had it come with a variable, it would have been received earlier.
//!
//! No term is needed for itself, and nothing that she has is taken out of later messages.

use super::role::{AttackTheory, LeakedTerm, PatternEvent, Promise};
use super::state::{AttackerGoal, END, PartialPattern, RunEvent, TermSource};
use super::term::{AtomName, AtomSort, PatternAtom, PatternTerm, VariableSort};
use crate::protocol::ir::{ProtocolSymbolKind, SymbolId};
use itertools::Itertools;
use kit::budget::{Budget, Clock};

/// The patterns that a search has not examined.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct OpenPatterns {
    /// Patterns of more runs.
    pub runs: bool,
    /// Tuples in variables of any type, or patterns of which no attack was made.
    pub terms: bool,
}

/// The end of a search.
pub(super) enum PatternSearchEnd<'t> {
    /// The pattern of an attack, which can be replayed.
    Attack(Box<PartialPattern<'t>>),
    /// No more, but for what is [`OpenPatterns`].
    Nothing,
    /// Open, since a limit is reached.
    Ended,
}

/// The patterns of a search, with the numbers of those to begin with.
pub(super) struct SearchTree<'t> {
    pub starts: Vec<usize>,
    pub patterns: Vec<SearchedPattern<'t>>,
}

/// A pattern of a search.
pub(super) struct SearchedPattern<'t> {
    pub state: PartialPattern<'t>,
    /// The number of the open goal that was given its sources.
    pub goal: usize,
    /// The numbers of the patterns that come of that.
    pub next: Vec<usize>,
}

/// The search for attacks on a claim.
pub(super) struct AttackSearch<'t, 'b> {
    theory: &'t AttackTheory<'t>,
    /// The most runs.
    runs: usize,
    /// The claim of the first run after what is known from the beginning.
    claim: RunEvent,
    /// The patterns to be examined, the next one last.
    open: Vec<PartialPattern<'t>>,
    pub left: OpenPatterns,
    /// How many patterns may still be made.
    pub room: usize,
    budget: &'b Budget,
    /// True once a limit cut the sources of a goal short.
    is_cut: bool,
}

impl<'t, 'b> AttackSearch<'t, 'b> {
    /// A search that begins with these patterns.
    pub fn new(
        theory: &'t AttackTheory<'t>,
        mut starts: Vec<PartialPattern<'t>>,
        runs: usize,
        claim: RunEvent,
        (room, budget): (usize, &'b Budget),
    ) -> Self {
        let all = starts.len();
        starts.retain(|start| start.count() <= runs);
        let left = OpenPatterns { runs: starts.len() < all, terms: false };
        let mut search = Self { theory, runs, claim, open: Vec::new(), left, room, budget, is_cut: false };
        search.open = starts.into_iter().rev().flat_map(|start| search.hopeful(start)).collect();
        search
    }

    pub fn theory(&self) -> &'t AttackTheory<'t> {
        self.theory
    }

    /// Looks for the next attack.
    pub fn attack(&mut self, clock: &mut Clock<'_>) -> PatternSearchEnd<'t> {
        while let Some(state) = self.open.pop() {
            let room = self.room;
            let next = self.next(&state).map(|(_, next)| next);
            if self.is_full() || clock.ticks(1 + room - self.room).is_err() {
                return PatternSearchEnd::Ended;
            }
            if let Some(next) = next {
                self.open.extend(next.into_iter().rev());
                continue;
            }
            if state.is_realised(self.claim) {
                return PatternSearchEnd::Attack(Box::new(state));
            }
            self.left.terms = true;
        }
        PatternSearchEnd::Nothing
    }

    /// True if a limit is reached. One pattern takes long compared with a look at the budget.
    fn is_full(&mut self) -> bool {
        self.is_cut |= self.room == 0 || self.budget.exhausted().is_some();
        self.is_cut
    }

    /// The pattern, settled, if an attack can come of it; with powers, it can be several.
    fn hopeful(&mut self, state: PartialPattern<'t>) -> Vec<PartialPattern<'t>> {
        let mut found = Vec::new();
        for mut state in state.solved(&mut self.left.terms) {
            if state.settle() {
                match state.bindings.powers.is_empty() {
                    true => found.extend(state.falsified(self.claim).is_some().then_some(state)),
                    false => found.extend(self.hopeful(state)),
                }
            }
        }
        found
    }

    /// The goal with the fewest sources, by its number, and the patterns that come of it; nothing if no goal is left. Variables stand for
    /// anything of hers.
    fn next(&mut self, state: &PartialPattern<'t>) -> Option<(usize, Vec<PartialPattern<'t>>)> {
        let before = self.left;
        let mut fewest: Option<(usize, Vec<PartialPattern<'t>>, OpenPatterns)> = None;
        for (index, goal) in state.open.iter().enumerate() {
            if state.bindings.is_open(&goal.term) {
                continue;
            }
            self.left = before;
            let next = self.sources(state, index);
            if fewest.as_ref().is_none_or(|(_, fewest, _)| next.len() < fewest.len()) {
                let is_dead = next.is_empty();
                fewest = Some((index, next, self.left));
                if is_dead {
                    break;
                }
            }
        }
        let (goal, mut next, left) = fewest?;
        self.left = left;
        let all = next.len();
        next.retain(|state| state.count() <= self.runs);
        self.left.runs |= next.len() < all;
        Some((goal, next))
    }

    /// The tree of a search that ended without an attack, as the patterns to begin with and, of each pattern, its goal and those that come
    /// of that. Nothing if it does not end like this.
    pub fn tree(mut self, clock: &mut Clock<'_>) -> Option<SearchTree<'t>> {
        let mut patterns: Vec<SearchedPattern<'t>> = Vec::new();
        let mut open: Vec<(Option<usize>, PartialPattern<'t>)> =
            self.open.drain(..).map(|start| (None, start)).collect();
        let mut starts = Vec::new();
        while let Some((from, state)) = open.pop() {
            let (goal, next) = self.next(&state)?;
            if self.is_full() || self.left != OpenPatterns::default() || clock.tick().is_err() {
                return None;
            }
            let number = patterns.len();
            from.map_or(&mut starts, |from: usize| &mut patterns[from].next).push(number);
            open.extend(next.into_iter().rev().map(|next| (Some(number), next)));
            patterns.push(SearchedPattern { state, goal, next: Vec::new() });
        }
        Some(SearchTree { starts, patterns })
    }

    /// The patterns in which a goal has a source.
    fn sources(&mut self, state: &PartialPattern<'t>, index: usize) -> Vec<PartialPattern<'t>> {
        let mut state = state.clone();
        let goal = state.open.remove(index);
        state.step = (Some(TermSource::Made), Vec::new());
        let mut found = Vec::new();
        if let (PatternTerm::Crypt(body, key), false) = (&goal.term, goal.is_taken) {
            let mut made = state.clone();
            made.met.push((goal.clone(), TermSource::Made));
            if self.is_secret_function(&made, key) {
                found.extend(self.shared(&made, &goal, body));
            }
            made.open.extend([body, key].map(|part| goal.part((**part).clone(), false)));
            found.push(made);
        }
        if let PatternTerm::Power(..) = goal.term {
            if !goal.is_taken {
                found.extend(self.raised(&state, &goal));
            }
            if !goal.is_taken && state.bindings.is_flexible(&goal.term) {
                // She takes starts of it, which may be all of it.
                self.room = self.room.saturating_sub(found.len());
                return found.into_iter().flat_map(|state| self.hopeful(state)).collect();
            }
            let mut is_cut = false;
            found.extend(self.published(&state, &goal, &mut is_cut));
            self.left.terms |= is_cut;
        }
        self.room = self.room.saturating_sub(found.len());
        for part in &self.theory.parts {
            if self.is_full() {
                break;
            }
            let before = found.len();
            self.taken(&state, &goal, part, &mut found);
            self.room = self.room.saturating_sub(found.len() - before);
        }
        found.into_iter().flat_map(|state| self.hopeful(state)).collect()
    }

    fn is_secret_function(&self, state: &PartialPattern<'t>, key: &PatternTerm) -> bool {
        let head = state.bindings.head(key);
        matches!(head, PatternTerm::Atom(atom) if atom.sort == AtomSort::Function && !self.theory.is_public(*atom))
    }

    /// The patterns in which the attacker has what a secret function gives because an agent among the arguments is hers, or has lost its
    /// keys.
    fn shared(
        &self,
        state: &PartialPattern<'t>,
        goal: &AttackerGoal,
        arguments: &PatternTerm,
    ) -> Vec<PartialPattern<'t>> {
        let resolved = state.bindings.resolve(arguments);
        let mut found = Vec::new();
        let mut add = |mut state: PartialPattern<'t>, argument: &PatternTerm, agent: &PatternTerm| {
            state.step.1.push(agent.clone());
            if state.bindings.unify(argument, agent) {
                state.open.push(goal.part(arguments.clone(), false));
                found.push(state);
            }
        };
        for argument in resolved.components() {
            for number in 0..self.theory.untrusted {
                add(state.clone(), argument, &PatternTerm::attackers(number, AtomSort::AttackersAgent));
            }
            if let Some(exposed) = &state.exposed {
                add(state.clone(), argument, exposed);
            }
            let mut later = state.clone();
            let mut before = [self.claim].into_iter().chain(state.repeats);
            if self.theory.reveals.after && before.all(|commitment| later.order(commitment, goal.at)) {
                later.uses_lost = true;
                let agent = PatternTerm::Variable(later.bindings.declare([VariableSort::Agent]));
                add(later, argument, &agent);
            }
        }
        found
    }

    /// Adds the patterns in which the attacker takes a goal out of a message.
    fn taken(
        &mut self,
        state: &PartialPattern<'t>,
        goal: &AttackerGoal,
        part: &LeakedTerm,
        found: &mut Vec<PartialPattern<'t>>,
    ) {
        let LeakedTerm { role, event, .. } = *part;
        for (state, run) in self.sending(state, (role, event), goal.at) {
            let sent = TermSource::Sent(RunEvent { run, event });
            for (state, term) in self.held(&state, run, &part.term) {
                if self.is_full() {
                    return;
                }
                for mut state in state.unified(&term, &goal.term, &mut self.left.terms) {
                    state.met.push((goal.clone(), sent));
                    state.step.0 = Some(sent);
                    let Some(within) = &part.within else {
                        found.push(state);
                        continue;
                    };
                    self.opened(state, goal, (part, within, run), found);
                }
            }
        }
    }

    /// Adds the patterns in which the attacker opens the encrypted term around a part of a message of a run.
    fn opened(
        &self,
        mut state: PartialPattern<'t>,
        goal: &AttackerGoal,
        (part, within, run): (&LeakedTerm, &PatternTerm, usize),
        found: &mut Vec<PartialPattern<'t>>,
    ) {
        let within = state.instance(run, within);
        let PatternTerm::Crypt(_, key) = &within else { return };
        let outer = goal.part(within.clone(), true);
        if part.is_direct {
            let sent = TermSource::Sent(RunEvent { run, event: part.event });
            state.met.push((outer, sent));
        } else {
            state.open.push(outer);
        }
        for (mut state, opener) in self.openers(&state, key) {
            state.step.1 = vec![within.clone(), opener.clone()];
            state.open.push(goal.part(opener, false));
            found.push(state);
        }
    }

    /// The contents of a part of a message of a run, tuples taken apart.
    fn held(
        &mut self,
        state: &PartialPattern<'t>,
        run: usize,
        part: &PatternTerm,
    ) -> Vec<(PartialPattern<'t>, PatternTerm)> {
        let mut found = Vec::new();
        let held = state.bindings.resolve(&state.instance(run, part));
        for term in held.components() {
            found.push((state.clone(), term.clone()));
            if let (PatternTerm::Variable(own), PatternTerm::Variable(_)) = (part, term) {
                self.unpacked(state, term, (run, *own), &mut found);
            }
        }
        found
    }

    /// Adds what a variable holds if it stands for a tuple. It was received in a term that the attacker did not put together, in
    /// this variable of a run; so some run sent that term first.
    fn unpacked(
        &mut self,
        state: &PartialPattern<'t>,
        term: &PatternTerm,
        (run, own): (usize, usize),
        found: &mut Vec<(PartialPattern<'t>, PatternTerm)>,
    ) {
        let around = &self.theory.roles[state.runs[run].role].carriers[own];
        if state.count() > self.runs && !around.is_empty() {
            self.left.runs = true;
            return;
        }
        for ((event, expected), cipher) in around.iter().cartesian_product(&self.theory.ciphers) {
            let expected = state.instance(run, expected);
            let received = RunEvent { run, event: *event };
            for (state, other) in self.sending(state, (cipher.role, cipher.event), received) {
                if self.is_full() {
                    return;
                }
                let sent = state.instance(other, &cipher.term);
                for state in state.unified(&expected, &sent, &mut self.left.terms) {
                    let resolved = state.bindings.resolve(term);
                    for part in resolved.components() {
                        if matches!(resolved, PatternTerm::Pair(..)) {
                            found.push((state.clone(), part.clone()));
                        }
                        let first = state.runs[other].first;
                        for (own, carrier) in self.theory.roles[cipher.role].carriers.iter().enumerate() {
                            let value = state.bindings.resolve(&PatternTerm::Variable(first + own));
                            // It was received before it was sent on.
                            if matches!(part, PatternTerm::Variable(_))
                                && carrier.first().is_some_and(|(event, _)| *event < cipher.event)
                                && value.has(|inner| inner == part)
                            {
                                self.unpacked(&state, part, (other, own), found);
                            }
                        }
                    }
                }
            }
        }
    }

    /// The pattern with each run that takes part in this event before another one, one that is there or a new one.
    fn sending(
        &self,
        state: &PartialPattern<'t>,
        (role, event): (usize, usize),
        before: RunEvent,
    ) -> Vec<(PartialPattern<'t>, usize)> {
        let there: Vec<usize> = (0..state.runs.len()).filter(|run| state.runs[*run].role == role).collect();
        let is_full = self.theory.roles[role].is_singular && !there.is_empty();
        let mut begun = state.clone();
        let new = (!is_full).then(|| begun.begin(role));
        let states = there.into_iter().map(|run| (state.clone(), run));
        let states = states.chain(new.map(|run| (begun, run)));
        let sends = |(mut state, run): (PartialPattern<'t>, usize)| {
            let sent = RunEvent { run, event };
            (state.reach(sent) && state.order(sent, before)).then_some((state, run))
        };
        states.filter_map(sends).collect()
    }

    /// The terms that open what is encrypted with a key, with the pattern in which the key is such a one.
    fn openers(
        &self,
        state: &PartialPattern<'t>,
        key: &PatternTerm,
    ) -> Vec<(PartialPattern<'t>, PatternTerm)> {
        let key = state.bindings.resolve(key);
        let symbols = || (0..self.theory.protocols.symbols.len()).map(SymbolId::new);
        let mut found = vec![(state.clone(), key.clone())];
        // It may be a symbol, or what a function gives.
        let is_open = match &key {
            PatternTerm::Variable(variable) => {
                !matches!(state.bindings.kind(*variable), VariableSort::Agent | VariableSort::HonestAgent)
            }
            PatternTerm::Crypt(_, function) => matches!(**function, PatternTerm::Variable(_)),
            PatternTerm::Atom(_) | PatternTerm::Pair(..) | PatternTerm::Power(..) => false,
        };
        match &key {
            PatternTerm::Atom(PatternAtom { name: AtomName::Symbol(symbol), .. }) => {
                let inverse = self.theory.inverse(*symbol, None);
                return inverse.map(|inverse| (state.clone(), inverse)).into_iter().collect();
            }
            PatternTerm::Crypt(arguments, function) if !is_open => {
                if let PatternTerm::Atom(PatternAtom {
                    name: AtomName::Symbol(symbol),
                    sort: AtomSort::Function,
                }) = **function
                {
                    let inverse = self.theory.inverse(symbol, Some(arguments));
                    return inverse.map(|inverse| (state.clone(), inverse)).into_iter().collect();
                }
            }
            _ if is_open => {
                for symbol in symbols() {
                    let mut add =
                        |known: PatternTerm, opener: Option<PatternTerm>, mut state: PartialPattern<'t>| {
                            if let Some(opener) = opener.filter(|opener| *opener != known)
                                && state.bindings.unify(&key, &known)
                            {
                                found.push((state, opener));
                            }
                        };
                    add(self.theory.symbol(symbol), self.theory.inverse(symbol, None), state.clone());
                    let described = &self.theory.protocols.symbols[symbol.index()];
                    if !matches!(described.kind, ProtocolSymbolKind::Constant(_)) {
                        let mut state = state.clone();
                        let arguments = PatternTerm::Variable(state.bindings.declare([VariableSort::Any]));
                        let known = PatternTerm::crypt(arguments.clone(), self.theory.symbol(symbol));
                        add(known, self.theory.inverse(symbol, Some(&arguments)), state);
                    }
                }
            }
            _ => {}
        }
        found
    }
}

/// The patterns to begin with: a run of a role with honest partners that comes to its claim, and, of a secret, that the attacker has it;
/// and two runs that commit to what only one may commit to.
pub(super) fn beginnings<'t>(
    theory: &'t AttackTheory<'t>,
    role: usize,
    event: usize,
) -> Option<(Vec<PartialPattern<'t>>, RunEvent)> {
    let described = &theory.roles[role];
    let Some(PatternEvent::Claim(promise)) = described.events.get(event) else { return None };
    let mut state = PartialPattern::new(theory);
    let run = state.begin(role);
    let claim = RunEvent { run, event };
    for partner in 0..described.partners.len() {
        let honest = PatternTerm::Variable(state.bindings.declare([VariableSort::HonestAgent]));
        let agent = PatternTerm::Variable(state.runs[run].first + partner);
        if !state.bindings.unify(&agent, &honest) {
            return None;
        }
    }
    if !state.reach(claim) {
        return None;
    }
    if let Promise::Secret(term) = promise {
        let term = state.instance(run, term);
        state.open.push(AttackerGoal { term, at: END, is_taken: false, is_start: false, above: None });
    }
    let repeated = state.repeated(claim);
    let mut starts: Vec<PartialPattern<'t>> = [state].into_iter().chain(repeated).collect();
    if theory.reveals.actor {
        starts.extend(starts.iter().map(|state| state.exposing(run)).collect::<Vec<_>>());
    }
    Some((starts, claim))
}
