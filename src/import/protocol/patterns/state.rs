//! Patterns: runs with the beginnings of their roles, which of their events come before which, and the terms that the attacker has to
//! have at some of them.

use super::role::{AttackTheory, PatternEvent, instance};
use super::term::{AtomName, Bindings, PatternAtom, PatternTerm, VariableSort};
use std::rc::Rc;

/// An event of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RunEvent {
    pub run: usize,
    pub event: usize,
}

/// After everything else.
pub(super) const END: RunEvent = RunEvent { run: usize::MAX, event: 0 };

#[derive(Debug, Clone)]
pub(super) struct PatternRun {
    /// The number of its role.
    pub role: usize,
    /// Its first variable.
    pub first: usize,
    /// How many events of the role belong to the pattern.
    pub done: usize,
}

/// How the attacker comes to a term.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TermSource {
    /// She puts it together.
    Made,
    /// She takes it out of something that was first sent here.
    Sent(RunEvent),
    /// She takes a power out of a message, and raises it to a product of exponents, or does not: then the power is the term itself.
    Raised,
}

/// A term that the attacker has before an event.
#[derive(Debug, Clone)]
pub(super) struct AttackerGoal {
    pub term: PatternTerm,
    pub at: RunEvent,
    /// True if she has not put it together.
    pub is_taken: bool,
    /// True if the nearest term above may be the same, as its source is [`TermSource::Raised`].
    pub is_start: bool,
    /// The terms that she takes apart or puts together with it at the same time.
    pub above: Option<Rc<Above>>,
}

/// The terms for which a term is needed, the nearest first.
#[derive(Debug)]
pub(super) struct Above {
    term: PatternTerm,
    above: Option<Rc<Above>>,
}

impl AttackerGoal {
    /// A goal for which this one is needed: with this one above.
    pub fn part(&self, term: PatternTerm, is_taken: bool) -> AttackerGoal {
        let above = Above { term: self.term.clone(), above: self.above.clone() };
        AttackerGoal { term, at: self.at, is_taken, is_start: false, above: Some(Rc::new(above)) }
    }
}

#[derive(Debug, Clone)]
pub(super) struct PartialPattern<'t> {
    pub theory: &'t AttackTheory<'t>,
    pub bindings: Bindings,
    pub runs: Vec<PatternRun>,
    /// The order of events, besides that of each run.
    pub edges: Vec<(RunEvent, RunEvent)>,
    /// The open goals, which have no source yet.
    pub open: Vec<AttackerGoal>,
    pub met: Vec<(AttackerGoal, TermSource)>,
    /// The agent whose long-term keys the attacker has from the beginning.
    pub exposed: Option<PatternTerm>,
    /// True if she uses long-term keys that get lost after the claim.
    pub uses_lost: bool,
    /// The commitment of another run to the same, by which the claim is false.
    pub repeats: Option<RunEvent>,
    /// The last source of a goal, and the terms that tell it from others.
    pub step: (Option<TermSource>, Vec<PatternTerm>),
    differ: Vec<(PatternTerm, PatternTerm)>,
}

impl<'t> PartialPattern<'t> {
    /// The pattern without runs, but for what the attacker knows from the beginning.
    pub fn new(theory: &'t AttackTheory<'t>) -> Self {
        let mut state = Self {
            theory,
            bindings: Bindings::default(),
            runs: Vec::new(),
            edges: Vec::new(),
            open: Vec::new(),
            met: Vec::new(),
            exposed: None,
            uses_lost: false,
            repeats: None,
            step: (None, Vec::new()),
            differ: Vec::new(),
        };
        if let Some(role) = theory.roles.iter().position(|role| role.described.is_none()) {
            let run = state.begin(role);
            state.runs[run].done = theory.roles[role].events.len();
        }
        state
    }

    /// How many runs there are.
    pub fn count(&self) -> usize {
        self.runs.iter().filter(|run| self.theory.roles[run.role].described.is_some()).count()
    }

    /// A new run of a role; its number.
    pub fn begin(&mut self, role: usize) -> usize {
        let first = self.bindings.declare(self.theory.roles[role].kinds.iter().copied());
        self.runs.push(PatternRun { role, first, done: 0 });
        self.runs.len() - 1
    }

    /// A term of a role in one of its runs.
    pub fn instance(&self, run: usize, term: &PatternTerm) -> PatternTerm {
        instance(term, self.runs[run].first, run)
    }

    /// Adds the events of a run up to this one; false if that is not possible.
    pub fn reach(&mut self, place: RunEvent) -> bool {
        let RunEvent { run, event } = place;
        let role = &self.theory.roles[self.runs[run].role];
        for number in self.runs[run].done..=event {
            match &role.events[number] {
                PatternEvent::Receive(message) => {
                    let term = self.instance(run, message);
                    let at = RunEvent { run, event: number };
                    self.open.push(AttackerGoal { term, at, is_taken: false, is_start: false, above: None });
                }
                PatternEvent::Equal(left, right) => {
                    let (left, right) = (self.instance(run, left), self.instance(run, right));
                    if !self.bindings.unify(&left, &right) {
                        return false;
                    }
                }
                PatternEvent::Differ(left, right) => {
                    let pair = (self.instance(run, left), self.instance(run, right));
                    self.differ.push(pair);
                }
                PatternEvent::Send(_) | PatternEvent::Claim(_) => {}
            }
        }
        let done = &mut self.runs[run].done;
        *done = (*done).max(event + 1);
        true
    }

    /// The pattern in which the attacker has the keys of the agent of a run, and of none of its partners.
    pub fn exposing(&self, run: usize) -> Self {
        let mut state = self.clone();
        let PatternRun { role, first, .. } = self.runs[run];
        let role = &self.theory.roles[role];
        let own = PatternTerm::Variable(first + role.actor());
        let others = (0..role.partners.len()).filter(|partner| *partner != role.actor());
        state.differ.extend(others.map(|partner| (own.clone(), PatternTerm::Variable(first + partner))));
        state.exposed = Some(own);
        state
    }

    /// For each run the first event that is or comes after this one.
    fn following(&self, place: RunEvent) -> Vec<usize> {
        let mut first = vec![usize::MAX; self.runs.len()];
        if place == END {
            return first;
        }
        first[place.run] = place.event;
        loop {
            let mut changed = false;
            for (before, after) in &self.edges {
                if first[before.run] <= before.event && first[after.run] > after.event {
                    first[after.run] = after.event;
                    changed = true;
                }
            }
            if !changed {
                return first;
            }
        }
    }

    /// True if an event is the other one or comes before it.
    pub fn precedes(&self, before: RunEvent, after: RunEvent) -> bool {
        match (before, after) {
            (_, END) => true,
            (END, _) => false,
            _ if before.run == after.run => before.event <= after.event,
            _ => self.following(before)[after.run] <= after.event,
        }
    }

    /// Makes an event come before another one; false if it cannot.
    pub fn order(&mut self, before: RunEvent, after: RunEvent) -> bool {
        if self.precedes(after, before) {
            return false;
        }
        if !self.precedes(before, after) {
            self.edges.push((before, after));
        }
        true
    }

    /// Splits goals into what is to be found, adds the events that have to be there, and drops what is there twice. False if nothing comes
    /// of the pattern, or nothing that does not come of others.
    pub fn settle(&mut self) -> bool {
        loop {
            self.split();
            if self.differ.iter().any(|(a, b)| self.bindings.equal(a, b)) || !self.drop_repeated() {
                return false;
            }
            let before = self.open.len();
            if !self.originate() {
                return false;
            }
            if self.open.len() == before {
                return self.is_earliest();
            }
        }
    }

    /// Goals for tuples are goals for their parts, and everybody has what is public.
    fn split(&mut self) {
        let mut goals = std::mem::take(&mut self.open);
        while let Some(mut goal) = goals.pop() {
            let head = self.bindings.value(&goal.term);
            if let PatternTerm::Pair(first, second) = &head {
                for part in [second, first] {
                    goals.push(AttackerGoal { term: (**part).clone(), ..goal.clone() });
                }
            } else if let Some(factors) = head.factors() {
                goals.extend(factors.iter().map(|part| AttackerGoal { term: part.clone(), ..goal.clone() }));
            } else if !self.is_public(&head) {
                goal.term = head;
                self.open.push(goal);
            }
        }
        self.open.reverse();
    }

    /// True if the attacker can make a term without having heard anything.
    fn is_public(&self, term: &PatternTerm) -> bool {
        match self.bindings.head(term) {
            PatternTerm::Variable(variable) => {
                matches!(self.bindings.kind(*variable), VariableSort::Agent | VariableSort::HonestAgent)
            }
            PatternTerm::Atom(atom) => self.theory.is_public(*atom),
            PatternTerm::Pair(a, b) | PatternTerm::Crypt(a, b) => self.is_public(a) && self.is_public(b),
            power @ PatternTerm::Power(..) => {
                let power = self.bindings.resolve(power);
                let (base, exponents) = power.as_power();
                let mut secret = exponents.iter().filter(|exponent| !self.is_public(exponent));
                let key = secret.next();
                self.is_public(base)
                    && secret.next().is_none()
                    && key.is_none_or(|key| self.theory.is_public_key(base, key))
            }
        }
    }

    /// Drops goals for what she has at this time or before; false if something is needed for itself, or both put together and not.
    fn drop_repeated(&mut self) -> bool {
        let goals = std::mem::take(&mut self.open);
        for mut goal in goals {
            let mut above = match &goal.above {
                Some(nearest) if goal.is_start => &nearest.above,
                above => above,
            };
            while let Some(link) = above {
                if self.bindings.equal(&link.term, &goal.term) {
                    return false;
                }
                above = &link.above;
            }
            let same = |other: &AttackerGoal| self.bindings.equal(&other.term, &goal.term);
            if goal.is_taken
                && self.met.iter().any(|(other, source)| *source == TermSource::Made && same(other))
            {
                return false;
            }
            let is_had = |(other, source): &(AttackerGoal, TermSource)| {
                let is_its_start = goal.is_start && *source == TermSource::Raised;
                !is_its_start && same(other) && self.precedes(other.at, goal.at)
            };
            if self.met.iter().any(is_had) {
                continue;
            }
            let earlier = |other: &AttackerGoal| same(other) && self.precedes(other.at, goal.at);
            if let Some(index) = self.open.iter().position(earlier) {
                self.open[index].is_taken |= goal.is_taken;
                continue;
            }
            let later: Vec<usize> = (0..self.open.len())
                .filter(|index| same(&self.open[*index]) && self.precedes(goal.at, self.open[*index].at))
                .collect();
            for index in later.into_iter().rev() {
                goal.is_taken |= self.open.remove(index).is_taken;
            }
            self.open.push(goal);
        }
        true
    }

    /// Who has a term with a value that a run made has it after this run has sent the value first.
    fn originate(&mut self) -> bool {
        let mut wanted: Vec<(RunEvent, RunEvent)> = Vec::new();
        for goal in self.met.iter().map(|(goal, _)| goal).chain(&self.open) {
            let mut never = false;
            self.bindings.resolve(&goal.term).walk(&mut |part| {
                let PatternTerm::Atom(PatternAtom { name: AtomName::Fresh { run, variable }, .. }) = part
                else {
                    return;
                };
                match self.theory.roles[self.runs[*run].role].origin(*variable) {
                    Some(event) if !wanted.contains(&(RunEvent { run: *run, event }, goal.at)) => {
                        wanted.push((RunEvent { run: *run, event }, goal.at));
                    }
                    Some(_) => {}
                    None => never = true,
                }
            });
            if never {
                return false;
            }
        }
        wanted.into_iter().all(|(sent, at)| self.reach(sent) && self.order(sent, at))
    }

    /// False if something is taken out of what was sent after she had it, or put together as well.
    fn is_earliest(&self) -> bool {
        self.met.iter().all(|(goal, source)| {
            let TermSource::Sent(sent) = source else { return true };
            let is_made = |(other, source): &(AttackerGoal, TermSource)| {
                *source == TermSource::Made && self.bindings.equal(&other.term, &goal.term)
            };
            let mut others = self.met.iter().map(|(other, _)| other).chain(&self.open);
            !self.met.iter().any(is_made)
                && !others.any(|other| {
                    other.at != END
                        && self.bindings.equal(&other.term, &goal.term)
                        && self.precedes(other.at, *sent)
                })
        })
    }

    /// The events in an order in which they can happen.
    pub fn in_order(&self) -> Vec<RunEvent> {
        let mut next = vec![0; self.runs.len()];
        let mut order = Vec::new();
        loop {
            let can = |run: &usize| {
                next[*run] < self.runs[*run].done
                    && self.edges.iter().all(|(before, after)| {
                        (after.run, after.event) != (*run, next[*run]) || next[before.run] > before.event
                    })
            };
            let Some(run) = (0..self.runs.len()).find(can) else { return order };
            order.push(RunEvent { run, event: next[run] });
            next[run] += 1;
        }
    }
}
