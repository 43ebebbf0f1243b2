//! The runs of a pattern, the order of their events, and what the attacker has at which of them.

use super::role::{CheckedEvent, World};
use super::term::{Name, Solution, Sort, Term};
use std::collections::BTreeSet;

/// An event of a run, both by their numbers.
pub(super) type Moment = (usize, usize);

#[derive(Debug, Clone)]
pub(super) struct CheckedRun {
    pub role: usize,
    /// The unknowns for its agents and variables.
    pub own: Vec<Term>,
    /// How many of its events are in the pattern.
    pub done: usize,
}

/// How the attacker first comes to a term.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    Made,
    /// She reads it in what is sent at this moment, not before.
    Read(Moment),
}

/// A term that the attacker has before a moment; at some time, without one.
#[derive(Debug, Clone)]
pub(super) struct Fact {
    pub term: Term,
    pub before: Option<Moment>,
    /// True if she does not come to it by making it.
    pub is_read: bool,
    /// The fact for which she needs it.
    pub for_fact: Option<usize>,
    pub source: Option<Source>,
    /// False once its components stand for it.
    pub is_whole: bool,
}

impl Fact {
    pub fn new(term: Term, before: Option<Moment>) -> Self {
        Fact { term, before, is_read: false, for_fact: None, source: None, is_whole: true }
    }
}

#[derive(Debug, Clone)]
pub(super) struct State<'w> {
    pub world: &'w World<'w>,
    pub solution: Solution,
    pub runs: Vec<CheckedRun>,
    earlier: BTreeSet<(Moment, Moment)>,
    pub facts: Vec<Fact>,
    pub differ: Vec<(Term, Term)>,
    /// The moments of the claim, and of another run's commitment to the same.
    pub claims: Vec<Moment>,
    /// The agent whose keys are lost.
    pub exposed: Option<Term>,
    /// The last source of a fact, and the terms that tell it from others.
    pub step: (Option<Source>, Vec<Term>),
}

impl<'w> State<'w> {
    /// Nothing but the telling of what is compromised.
    pub fn new(world: &'w World<'w>) -> Self {
        let mut state = State {
            world,
            solution: Solution::default(),
            runs: Vec::new(),
            earlier: BTreeSet::new(),
            facts: Vec::new(),
            differ: Vec::new(),
            claims: Vec::new(),
            exposed: None,
            step: (None, Vec::new()),
        };
        let told = state.begin(world.roles.len() - 1);
        state.runs[told].done = world.roles[world.roles.len() - 1].events.len();
        state
    }

    pub fn begin(&mut self, role: usize) -> usize {
        let own = self.world.roles[role].sorts.iter().map(|sort| self.solution.unknown(*sort)).collect();
        self.runs.push(CheckedRun { role, own, done: 0 });
        self.runs.len() - 1
    }

    /// A term of a role, in a run.
    pub fn in_run(&self, run: usize, term: &Term) -> Term {
        term.with(&|leaf| match leaf {
            Term::Unknown(place) => self.runs[run].own[*place].clone(),
            Term::Name(Name::Fresh { variable, ty, .. }) => {
                Term::Name(Name::Fresh { run, variable: *variable, ty: *ty })
            }
            _ => leaf.clone(),
        })
    }

    /// Lets a run come up to an event and do it; false if it cannot.
    pub fn run_to(&mut self, (run, event): Moment) -> bool {
        let role = &self.world.roles[self.runs[run].role];
        while self.runs[run].done <= event {
            let number = self.runs[run].done;
            match &role.events[number] {
                CheckedEvent::Receive(message) => {
                    self.facts.push(Fact::new(self.in_run(run, message), Some((run, number))));
                }
                CheckedEvent::Equal(left, right) => {
                    let (left, right) = (self.in_run(run, left), self.in_run(run, right));
                    if !self.solution.solve(&left, &right) {
                        return false;
                    }
                }
                CheckedEvent::Differ(left, right) => {
                    self.differ.push((self.in_run(run, left), self.in_run(run, right)));
                }
                CheckedEvent::Send(_) | CheckedEvent::Claim(_) => {}
            }
            self.runs[run].done += 1;
        }
        true
    }

    /// True if an event is the other one, or has to come before it.
    pub fn is_before(&self, first: Moment, then: Moment) -> bool {
        let (mut open, mut seen) = (vec![first], BTreeSet::new());
        while let Some((run, event)) = open.pop() {
            if run == then.0 && event <= then.1 {
                return true;
            }
            for edge @ ((from, at), to) in &self.earlier {
                if *from == run && *at >= event && seen.insert(edge) {
                    open.push(*to);
                }
            }
        }
        false
    }

    /// Lets an event come before another one, or before nothing; false if it cannot.
    pub fn put_before(&mut self, first: Moment, then: Option<Moment>) -> bool {
        let Some(then) = then else { return true };
        if self.is_before(then, first) {
            return false;
        }
        self.earlier.insert((first, then));
        true
    }

    /// True if one fact says that she has a term before the moment of another one.
    fn is_no_later(&self, one: Option<Moment>, other: Option<Moment>) -> bool {
        match (one, other) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some(one), Some(other)) => self.is_before(one, other),
        }
    }

    /// Draws all conclusions; false if they contradict each other.
    pub fn conclude(&mut self) -> bool {
        loop {
            let known = (self.facts.len(), self.runs.iter().map(|run| run.done).sum::<usize>());
            self.take_tuples_apart();
            if !self.send_first() {
                return false;
            }
            if known == (self.facts.len(), self.runs.iter().map(|run| run.done).sum::<usize>()) {
                break;
            }
        }
        !self.is_contradictory()
    }

    /// Who has a tuple has its components.
    fn take_tuples_apart(&mut self) {
        let mut number = 0;
        while number < self.facts.len() {
            let term = self.solution.of(&self.facts[number].term);
            if let (Term::Pair(parts), true) = (&term, self.facts[number].is_whole) {
                self.facts[number].is_whole = false;
                let fact = self.facts[number].clone();
                let parts =
                    parts.iter().map(|part| Fact { term: part.clone(), is_whole: true, ..fact.clone() });
                self.facts.extend(parts);
            }
            number += 1;
        }
    }

    /// A value that a run makes is nowhere before this run has sent it.
    fn send_first(&mut self) -> bool {
        let mut sent: Vec<(Moment, Option<Moment>)> = Vec::new();
        for fact in &self.facts {
            for part in self.solution.of(&fact.term).parts() {
                let Term::Name(name @ Name::Fresh { run, .. }) = part else { continue };
                let Some(event) = self.world.roles[self.runs[*run].role].first_sent(name) else {
                    return false;
                };
                sent.push(((*run, event), fact.before));
            }
        }
        sent.into_iter().all(|(sent, before)| self.run_to(sent) && self.put_before(sent, before))
    }

    fn is_contradictory(&self) -> bool {
        if self.differ.iter().any(|(left, right)| self.solution.same(left, right)) {
            return true;
        }
        let facts: Vec<(&Fact, Term)> =
            self.facts.iter().map(|fact| (fact, self.solution.of(&fact.term))).collect();
        facts.iter().filter(|(fact, _)| fact.is_whole).any(|(fact, term)| {
            // Needed for itself.
            let mut above = fact.for_fact;
            while let Some(number) = above {
                if facts[number].1 == *term {
                    return true;
                }
                above = facts[number].0.for_fact;
            }
            let mut same = facts.iter().filter(|(other, also)| other.is_whole && also == term);
            match fact.source {
                Some(Source::Made) => {
                    same.any(|(other, _)| other.is_read || matches!(other.source, Some(Source::Read(_))))
                }
                // Had before.
                Some(Source::Read(sent)) => same.any(|(other, _)| {
                    other.before.is_some_and(|_| self.is_no_later(other.before, Some(sent)))
                }),
                None => false,
            }
        })
    }

    /// True if the attacker need not have a term that is equal to this one from what is read alone.
    pub fn may_be_made(&self, term: &Term) -> bool {
        self.facts.iter().all(|fact| !fact.is_read || !self.solution.same(&fact.term, term))
    }

    /// The pattern as certificates write it.
    pub fn text(&self) -> String {
        let protocols = self.world.protocols;
        let mut runs = Vec::new();
        for (number, run) in self.runs.iter().enumerate() {
            let role = &self.world.roles[run.role];
            let Some(id) = role.id else { continue };
            let described = &protocols.roles[id.index()];
            let agents = role.agents.iter().map(|agent| protocols.roles[agent.index()].name.as_str());
            let variables = described.variables.iter().map(|variable| match variable.fresh {
                true => "",
                false => variable.name.as_str(),
            });
            let values = agents.chain(variables).zip(&run.own).filter(|(name, _)| !name.is_empty());
            let values = values.map(|(name, value)| format!(" {name}={}", self.written(value)));
            runs.push(format!("{number}:{}.{}{}", described.name, run.done, values.collect::<String>()));
        }
        let source = match self.step.0 {
            None => "start".to_owned(),
            Some(Source::Made) => "made".to_owned(),
            Some(Source::Read((run, event))) => format!("read {run}.{event}"),
        };
        let terms = self.step.1.iter().map(|term| format!(" {}", self.written(term)));
        format!("{}; {source}{}", runs.join("; "), terms.collect::<String>())
    }

    /// A term as certificates write it: unknowns by the first place among those of the runs where they occur.
    pub fn written(&self, term: &Term) -> String {
        match self.solution.of(term) {
            Term::Unknown(unknown) => {
                let values = self.runs.iter().flat_map(|run| &run.own);
                let itself = Term::Unknown(unknown);
                let place =
                    values.clone().position(|value| self.solution.of(value).parts().contains(&&itself));
                place.map_or_else(|| "?".to_owned(), |place| format!("?{place}"))
            }
            Term::Name(Name::Symbol(symbol, _)) => self.world.protocols.symbols[symbol.index()].name.clone(),
            Term::Name(Name::Fresh { run, variable, .. }) => {
                let role = self.world.roles[self.runs[run].role].id;
                let name = role
                    .map(|role| &self.world.protocols.roles[role.index()].variables[variable.index()].name);
                format!("{}#{run}", name.map_or("", String::as_str))
            }
            Term::Name(Name::Attackers(number)) => format!("Eve{number}"),
            Term::Pair(parts) => format!("({},{})", self.written(&parts[0]), self.written(&parts[1])),
            Term::Sealed(parts) => format!("{{{}}}{}", self.written(&parts[0]), self.written(&parts[1])),
        }
    }

    /// True if a name is a function that the attacker does not have.
    pub fn is_secret_function(&self, key: &Term) -> bool {
        match self.solution.of(key) {
            Term::Name(name) => name.sort() == Sort::Function && !self.world.is_public(name),
            _ => false,
        }
    }
}
