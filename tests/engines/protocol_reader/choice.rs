//! What variables get that take any term: of infinitely many terms, those that make a difference.

use super::run::{Run, State};
use super::term::{Name, TICKET, Term, takes_any};
use super::text::{Event, Role};
use std::collections::{BTreeMap, BTreeSet};

impl State<'_> {
    /// What variables of a pattern that take any term may get: all parts that the attacker has, and what she can make of that which
    /// somebody looks for. What a role only passes on is best something that nobody has sent: it tells the attacker nothing, and the less
    /// agrees the better.
    pub fn candidates(&self, run: &Run, pattern: &Term) -> BTreeMap<Name, BTreeSet<Term>> {
        let is_own = |part: &&Term| matches!(part, Term::Atom { kind, .. } if &**kind == TICKET);
        let own: BTreeSet<Term> = self.knowledge.parts().iter().filter(is_own).cloned().collect();
        let takes_any =
            |run: &Run, name: &Name| run.role.variables.get(name).is_some_and(|kind| takes_any(kind));
        let unbound = |run: &Run, name: &Name| takes_any(run, name) && !run.bindings.contains_key(name);
        let names = pattern.locals().into_iter().filter(|name| unbound(run, name));
        let (passed_on, looked_at): (BTreeSet<_>, BTreeSet<_>) =
            names.cloned().partition(|name| run.role.only_passes_on(name));
        let mut all = BTreeSet::new();
        if !looked_at.is_empty() {
            all.extend(own.iter().chain(self.knowledge.parts()).cloned());
            for other in &self.runs {
                let nested = other.role.variables.keys().map(|name| (name.clone(), own.clone())).collect();
                for part in other.role.events[other.done..].iter().flat_map(Event::looks_for) {
                    let made =
                        self.knowledge.instances(part, &other.role.variables, &nested, &other.bindings);
                    all.extend(made.iter().map(|bindings| part.under(bindings)));
                }
            }
        }
        let passed_on = passed_on.into_iter().map(|name| (name, own.clone()));
        passed_on.chain(looked_at.into_iter().map(|name| (name, all.clone()))).collect()
    }
}

impl Event {
    /// The composed terms that a run looks for, other than keys.
    fn looks_for(&self) -> Vec<&Term> {
        match self {
            Self::Receive(message) => composed(&message.text),
            Self::Compare { pattern, term, .. } => [composed(pattern), composed(term)].concat(),
            _ => vec![],
        }
    }

    /// The names that something is done with that others may look at, other than to send them as they are.
    fn uses(&self) -> Vec<&Name> {
        match self {
            Self::Send(message) => {
                let parts = message.text.components().into_iter().filter(|part| !part.children().is_empty());
                parts.flat_map(Term::locals).collect()
            }
            Self::Receive(message) => message.text.locals(),
            Self::Compare { pattern, term, .. } => [pattern.locals(), term.locals()].concat(),
            // A claim is false the sooner, the less agrees with it, and the more the attacker knows.
            Self::Claim { .. } => vec![],
        }
    }
}

/// The composed parts of a term other than keys.
fn composed(term: &Term) -> Vec<&Term> {
    match term {
        Term::Atom { .. } | Term::Local(_) => vec![],
        Term::Pair(first, second) => [vec![term], composed(first), composed(second)].concat(),
        Term::Crypt { text, .. } => [vec![term], composed(text)].concat(),
    }
}

impl Role {
    /// True if the role receives a variable in one place, and does nothing but send it as it is, and claim something about it.
    fn only_passes_on(&self, variable: &Name) -> bool {
        let used = self.events.iter().flat_map(Event::uses).filter(|name| *name == variable);
        used.count() == 1
    }
}
