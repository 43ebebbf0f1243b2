//! Where the attacker has a term from: all possibilities, each as a pattern of its own.

use super::role::{CheckedRole, Leak};
use super::state::{Fact, Moment, Source, State};
use super::term::{Name, Sort, Term};

/// The most runs of a pattern in which a variable is looked at that may stand for a tuple.
const MOST_RUNS: usize = 8;

impl State<'_> {
    /// The patterns in which a fact has a source. Only the first moment counts at which she comes to a term, and a shortest way: so she
    /// makes it, or reads it in a message, or opens for it an encryption that she reads. An encryption that she does not make
    /// was put into the world by a role, in its first message with it.
    /// Nothing if there are too many runs in them.
    pub fn explained(&self, fact: usize) -> Option<Vec<Self>> {
        let mut found = Vec::new();
        let term = self.solution.of(&self.facts[fact].term);
        if let Term::Sealed(parts) = &term
            && self.may_be_made(&term)
        {
            let mut made = self.with_source(fact, Source::Made);
            made.need(fact, &parts[0]);
            if self.is_secret_function(&parts[1]) {
                found.extend(made.applied(&parts[0]));
            }
            made.need(fact, &parts[1]);
            found.push(made);
        }
        for (role, described) in self.world.roles.iter().enumerate() {
            for leak in described.leaks() {
                for (state, run) in self.with_sent(role, leak.event, self.facts[fact].before) {
                    state.read(fact, &term, run, &leak, &mut found)?;
                }
            }
        }
        found.retain_mut(State::conclude);
        Some(found)
    }

    fn with_source(&self, fact: usize, source: Source) -> Self {
        let mut state = self.clone();
        state.step = (Some(source), Vec::new());
        state.facts[fact].source = Some(source);
        state
    }

    /// Adds that she needs another term for a fact.
    fn need(&mut self, fact: usize, term: &Term) -> usize {
        let needed = Fact { for_fact: Some(fact), ..Fact::new(term.clone(), self.facts[fact].before) };
        self.facts.push(needed);
        self.facts.len() - 1
    }

    /// The patterns in which she has what a secret function gives, as an agent among the arguments is hers or has lost its keys.
    fn applied(&self, arguments: &Term) -> Vec<Self> {
        let mut found = Vec::new();
        let arguments = self.solution.of(arguments);
        for argument in arguments.readable() {
            let hers = (0..self.world.scope.untrusted).map(|number| Term::Name(Name::Attackers(number)));
            for agent in hers.chain(self.exposed.clone()) {
                let mut state = self.clone();
                state.step.1.push(agent.clone());
                if state.solution.solve(argument, &agent) {
                    found.push(state);
                }
            }
            if self.world.scope.reveals.after {
                let mut state = self.clone();
                let made = state.facts.last().and_then(|fact| fact.before);
                let agent = state.solution.unknown(Sort::Agent);
                state.step.1.push(agent.clone());
                let is_late = state.claims.clone().into_iter().all(|claim| state.put_before(claim, made));
                if is_late && state.solution.solve(argument, &agent) {
                    found.push(state);
                }
            }
        }
        found
    }

    /// The patterns in which a run, one of them or a new one, does an event before a moment.
    fn with_sent(&self, role: usize, event: usize, before: Option<Moment>) -> Vec<(Self, usize)> {
        let there: Vec<usize> = (0..self.runs.len()).filter(|run| self.runs[*run].role == role).collect();
        let is_another_possible = there.is_empty() || !self.world.roles[role].is_singular;
        let mut states: Vec<(Self, usize)> = there.into_iter().map(|run| (self.clone(), run)).collect();
        if is_another_possible {
            let mut state = self.clone();
            let run = state.begin(role);
            states.push((state, run));
        }
        states.retain_mut(|(state, run)| {
            state.run_to((*run, event)) && state.put_before((*run, event), before)
        });
        states
    }

    /// Adds the patterns in which she has a term from what a run sends.
    fn read(&self, fact: usize, term: &Term, run: usize, leak: &Leak, found: &mut Vec<Self>) -> Option<()> {
        if let Some((Term::Sealed(parts), _)) = &leak.inside
            && self.world.openers(&self.in_run(run, &parts[1]), &mut self.solution.clone()).is_empty()
        {
            return Some(());
        }
        for (state, part) in self.contents(run, &leak.term)? {
            let mut state = state.with_source(fact, Source::Read((run, leak.event)));
            if !state.solution.solve(&part, term) {
                continue;
            }
            let Some((seal, is_open)) = &leak.inside else {
                found.push(state);
                continue;
            };
            let seal = state.in_run(run, seal);
            let outer = state.need(fact, &seal);
            state.facts[outer].is_read = true;
            state.facts[outer].source = is_open.then_some(Source::Read((run, leak.event)));
            let Term::Sealed(parts) = &seal else { continue };
            let key = state.solution.of(&parts[1]);
            let mut solution = state.solution.clone();
            for (opener, equation) in self.world.openers(&key, &mut solution) {
                let mut state = state.clone();
                state.solution = solution.clone();
                if equation.is_none_or(|known| state.solution.solve(&key, &known)) {
                    state.need(fact, &opener);
                    state.step.1 = vec![seal.clone(), opener];
                    found.push(state);
                }
            }
        }
        Some(())
    }

    /// The readable parts of a term of a role that was read: its components, and those of a tuple for which a variable stands.
    fn contents(&self, run: usize, of_role: &Term) -> Option<Vec<(Self, Term)>> {
        let solved = self.solution.of(&self.in_run(run, of_role));
        let mut found: Vec<(Self, Term)> =
            solved.readable().into_iter().map(|part| (self.clone(), part.clone())).collect();
        if let (Term::Unknown(own), Term::Unknown(_)) = (of_role, &solved) {
            self.unpacked((run, *own), usize::MAX, &solved, &mut found)?;
        }
        Some(found)
    }

    /// Adds the components of a tuple for which a variable stands that a run has received before an event. She has not made it, or would have had the components
    /// before: so it was received inside an encryption that she has not made, which another role put into the world.
    fn unpacked(
        &self,
        (run, own): (usize, usize),
        until: usize,
        value: &Term,
        found: &mut Vec<(Self, Term)>,
    ) -> Option<()> {
        let seals = self.world.roles[self.runs[run].role].seals_around(own);
        for (event, expected) in seals.into_iter().filter(|(event, _)| *event < until) {
            if self.runs.len() > MOST_RUNS {
                return None;
            }
            let expected = self.in_run(run, expected);
            for (role, described) in self.world.roles.iter().enumerate() {
                for (sent, seal) in described.new_seals() {
                    for (mut state, other) in self.with_sent(role, sent, Some((run, event))) {
                        let seal = state.in_run(other, seal);
                        if !state.solution.solve(&expected, &seal) {
                            continue;
                        }
                        let solved = state.solution.of(value);
                        for part in solved.readable() {
                            if matches!(solved, Term::Pair(_)) {
                                found.push((state.clone(), part.clone()));
                            }
                            if !matches!(part, Term::Unknown(_)) {
                                continue;
                            }
                            let holders = (0..described.sorts.len()).filter(|place| {
                                state.solution.of(&state.runs[other].own[*place]).parts().contains(&part)
                            });
                            for place in holders {
                                state.unpacked((other, place), sent, part, found)?;
                            }
                        }
                    }
                }
            }
        }
        Some(())
    }
}

impl CheckedRole {
    /// The encryptions with a variable of any sort in the message that a role receives it with, if it does not lie open there.
    fn seals_around(&self, own: usize) -> Vec<(usize, &Term)> {
        let itself = Term::Unknown(own);
        if self.sorts[own] != Sort::Anything {
            return Vec::new();
        }
        let mut messages = self.events.iter().enumerate().filter_map(|(number, event)| match event {
            super::role::CheckedEvent::Receive(message) => Some((number, message)),
            _ => None,
        });
        let Some((event, message)) = messages.find(|(_, message)| message.parts().contains(&&itself)) else {
            return Vec::new();
        };
        if message.readable().contains(&&itself) {
            return Vec::new();
        }
        let holds = |part: &&Term| matches!(part, Term::Sealed(_)) && part.parts().contains(&&itself);
        message.parts().into_iter().filter(holds).map(|part| (event, part)).collect()
    }
}
