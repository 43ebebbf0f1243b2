//! Certificates of searches that end without an attack.

use super::Patterns;
use super::search::{AttackSearch, SearchTree, SearchedPattern, beginnings};
use super::state::{END, PartialPattern, RunEvent, TermSource};
use super::term::{AtomName, PatternTerm};
use crate::protocol::certificate::{Certificate, CertificatePattern};
use crate::protocol::ir::RoleId;
use kit::budget::{Budget, Clock};

impl Patterns<'_> {
    /// The certificate that the claim that is this event of a role holds for any number of runs; nothing if the search with these limits,
    /// as in [`decide`](Self::decide), does not end like this, and of protocols with powers.
    pub fn certificate(
        &self,
        role: RoleId,
        event: usize,
        (most, room): (usize, usize),
        budget: &Budget,
    ) -> Option<Certificate> {
        let theory = &self.theory;
        if theory.protocols.have_powers() {
            return None;
        }
        let described = &theory.protocols.roles[role.index()];
        let tree = match beginnings(theory, role.index(), event) {
            Some((starts, claim)) => {
                let mut clock = Clock::new(budget, "attack patterns examined");
                AttackSearch::new(theory, starts, most, claim, (room, budget)).tree(&mut clock)?
            }
            None => SearchTree { starts: Vec::new(), patterns: Vec::new() },
        };
        Some(Certificate {
            protocol: theory.protocols.protocols[described.protocol.index()].name.clone(),
            role: described.name.clone(),
            label: described.events[event].label.clone(),
            starts: tree.starts,
            patterns: tree.patterns.into_iter().map(SearchedPattern::recorded).collect(),
        })
    }
}

impl SearchedPattern<'_> {
    fn recorded(self) -> CertificatePattern {
        let goal = &self.state.open[self.goal];
        CertificatePattern {
            pattern: self.state.text(),
            term: self.state.noted(&goal.term),
            before: (goal.at != END).then_some((goal.at.run, goal.at.event)),
            next: self.next,
        }
    }
}

impl PartialPattern<'_> {
    fn text(&self) -> String {
        let protocols = self.theory.protocols;
        let mut runs = Vec::new();
        for (number, run) in self.runs.iter().enumerate() {
            let role = &self.theory.roles[run.role];
            let Some(id) = role.described else { continue };
            let described = &protocols.roles[id.index()];
            let agents = role.partners.iter().map(|partner| Some(&protocols.roles[partner.index()].name));
            let variables =
                described.variables.iter().map(|variable| (!variable.fresh).then_some(&variable.name));
            let mut text = format!("{number}:{}.{}", described.name, run.done);
            for (place, name) in agents.chain(variables).enumerate() {
                if let Some(name) = name {
                    let value = self.noted(&PatternTerm::Variable(run.first + place));
                    text.push_str(&format!(" {name}={value}"));
                }
            }
            runs.push(text);
        }
        let (source, terms) = &self.step;
        let source = match source {
            None => "start".to_owned(),
            Some(TermSource::Made | TermSource::Raised) => "made".to_owned(),
            Some(TermSource::Sent(RunEvent { run, event })) => format!("read {run}.{event}"),
        };
        let terms = terms.iter().map(|term| format!(" {}", self.noted(term)));
        format!("{}; {source}{}", runs.join("; "), terms.collect::<String>())
    }

    /// A term; open variables have the number of the first place among those of runs where they occur.
    fn noted(&self, term: &PatternTerm) -> String {
        match self.bindings.head(term) {
            variable @ PatternTerm::Variable(_) => {
                let places = self.runs.iter().flat_map(|run| {
                    let count = self.theory.roles[run.role].kinds.len();
                    run.first..run.first + count
                });
                let holds = |place: usize| {
                    self.bindings.resolve(&PatternTerm::Variable(place)).has(|part| part == variable)
                };
                let place = places.into_iter().position(holds);
                place.map_or_else(|| "?".to_owned(), |place| format!("?{place}"))
            }
            PatternTerm::Atom(atom) => match atom.name {
                AtomName::Symbol(symbol) => self.theory.protocols.symbols[symbol.index()].name.clone(),
                AtomName::Fresh { run, variable } => {
                    let role = self.theory.roles[self.runs[run].role].described;
                    let role = role.map(|role| &self.theory.protocols.roles[role.index()]);
                    let name = role.map_or("", |role| role.variables[variable.index()].name.as_str());
                    format!("{name}#{run}")
                }
                AtomName::Attackers(number) => format!("Eve{number}"),
                AtomName::Honest(number) => format!("honest{number}"),
                AtomName::One => "1".to_owned(),
            },
            PatternTerm::Pair(a, b) => format!("({},{})", self.noted(a), self.noted(b)),
            PatternTerm::Crypt(a, b) => format!("{{{}}}{}", self.noted(a), self.noted(b)),
            PatternTerm::Power(base, exponents) => {
                let exponents = exponents.iter().map(|exponent| format!("^{}", self.noted(exponent)));
                format!("{}{}", self.noted(base), exponents.collect::<String>())
            }
        }
    }
}
