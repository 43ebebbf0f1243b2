//! Charts of patterns, in which agents that may be any have names in small letters.

use super::role::PatternEvent;
use super::state::{PartialPattern, RunEvent};
use super::term::{AtomName, AtomSort, PatternAtom, PatternTerm, VariableSort};
use crate::protocol::ir::{Protocols, SymbolId};
use crate::protocol::translate::{
    ALL_LOST, ATTACKERS, Chart, ChartEvent, ChartRun, Ground, Happening, Intruder,
};
use lang::model::Position;

/// A pattern as a chart.
pub(super) struct DrawnPattern {
    pub chart: Chart,
    /// The name of the agent whose long-term keys the attacker has from the beginning.
    pub exposed: Option<String>,
}

impl PartialPattern<'_> {
    /// Draws the pattern, in an order of events in which the claim is false. Agents that may be any are the attacker's if she cannot
    /// make a message otherwise.
    pub fn chart(&self, claim: RunEvent) -> Option<DrawnPattern> {
        let pattern = self.falsified(claim)?;
        pattern.drawn(claim).or_else(|| {
            let mut pattern = pattern;
            for variable in pattern.bindings.open() {
                if pattern.bindings.kind(variable) == VariableSort::Agent {
                    pattern.bindings.bind(variable, PatternTerm::attackers(0, AtomSort::AttackersAgent));
                }
            }
            pattern.drawn(claim)
        })
    }

    fn drawn(&self, claim: RunEvent) -> Option<DrawnPattern> {
        let order = self.in_order();
        let mut runs: Vec<usize> = Vec::new();
        for place in &order {
            let is_described = self.theory.roles[self.runs[place.run].role].described.is_some();
            if is_described && !runs.contains(&place.run) {
                runs.push(place.run);
            }
        }
        let names = self.names(claim.run, &runs);
        let intruder = Intruder::new(self.theory.protocols);
        let chart = Chart { runs: Vec::new(), events: Vec::new() };
        PatternDrawing { pattern: self, runs, names, intruder, chart }.draw(&order, claim)
    }

    /// Names for the variables that stand for themselves, which the file has not: those of agents after roles of the claim, then `x1`, `x2`, …
    fn names(&self, victim: usize, runs: &[usize]) -> Vec<Option<String>> {
        let mut names: Vec<Option<String>> = vec![None; self.bindings.count()];
        let protocols: &Protocols = self.theory.protocols;
        let of_file: Vec<&str> = protocols.symbols.iter().map(|symbol| symbol.name.as_str()).collect();
        for run in [&victim].into_iter().chain(runs) {
            let role = &self.theory.roles[self.runs[*run].role];
            for variable in 0..role.kinds.len() {
                let term = PatternTerm::Variable(self.runs[*run].first + variable);
                let PatternTerm::Variable(open) = *self.bindings.head(&term) else { continue };
                if names[open].is_some() {
                    continue;
                }
                let is_agent =
                    matches!(self.bindings.kind(open), VariableSort::Agent | VariableSort::HonestAgent);
                let wish = role.partners.get(variable).filter(|_| *run == victim);
                let wish = wish.map(|role| protocols.roles[role.index()].name.to_lowercase());
                let is_free =
                    |name: &String| !names.contains(&Some(name.clone())) && !of_file.contains(&name.as_str());
                names[open] = Some(match wish.filter(is_free) {
                    Some(name) => name,
                    None if is_agent => {
                        let mut numbered = (1..).map(|number| format!("x{number}"));
                        numbered.find(is_free).unwrap_or_else(|| unreachable!("names are endless"))
                    }
                    None => self.value_name(*run, variable, runs),
                });
            }
        }
        // Exponents of the attacker's are named after the power that they are in.
        for (run, variable) in runs.iter().flat_map(|run| {
            let kinds = &self.theory.roles[self.runs[*run].role].kinds;
            (0..kinds.len()).map(move |variable| (*run, variable))
        }) {
            let value = self.bindings.resolve(&PatternTerm::Variable(self.runs[run].first + variable));
            value.walk(&mut |part| {
                if let PatternTerm::Variable(open) = part
                    && names[*open].is_none()
                    && matches!(value, PatternTerm::Power(..))
                {
                    let name = self.value_name(run, variable, runs);
                    let mut numbered =
                        [name.clone()].into_iter().chain((2..).map(|more| format!("{name}.{more}")));
                    names[*open] = numbered.find(|name| !names.contains(&Some(name.clone())));
                }
            });
        }
        names
    }

    /// The name of what a variable of a run stands for.
    fn value_name(&self, run: usize, variable: usize, runs: &[usize]) -> String {
        let role = &self.theory.roles[self.runs[run].role];
        let own = &self.theory.protocols.roles[role.described.map_or(0, |role| role.index())].variables;
        let name = own.get(variable - role.partners.len()).map_or("x", |own| &own.name);
        let number = runs.iter().position(|other| *other == run).unwrap_or_default() + 1;
        format!("?{name}#{number}")
    }
}

struct PatternDrawing<'s, 't> {
    pattern: &'s PartialPattern<'t>,
    /// The runs of the chart.
    runs: Vec<usize>,
    names: Vec<Option<String>>,
    intruder: Intruder<'s>,
    chart: Chart,
}

impl PatternDrawing<'_, '_> {
    fn draw(mut self, order: &[RunEvent], claim: RunEvent) -> Option<DrawnPattern> {
        let PartialPattern { theory, runs, .. } = self.pattern;
        let protocols = theory.protocols;
        self.intruder.name(
            (0..protocols.symbols.len())
                .map(|symbol| self.ground(&theory.symbol(SymbolId::new(symbol))))
                .collect(),
        );
        self.intruder.get_secrets(ATTACKERS.iter().take(theory.untrusted).map(|name| (*name).to_owned()));
        let exposed = self.pattern.exposed.as_ref().map(|agent| self.show(agent));
        self.intruder.get_secrets(exposed.clone());
        let several = protocols.protocols.iter().filter(|protocol| !protocol.helper).count() > 1;
        for run in &self.runs {
            let role = &theory.roles[runs[*run].role];
            let described = &protocols.roles[role.described?.index()];
            let agent = |place: usize| self.show(&PatternTerm::Variable(runs[*run].first + place));
            let protocol = &protocols.protocols[described.protocol.index()];
            let name = match protocol.helper || several {
                true => format!("{} of {}", described.name, protocol.name),
                false => described.name.clone(),
            };
            let partners = (0..role.partners.len()).filter(|place| *place != role.actor());
            let partners = partners
                .map(|place| (protocols.roles[role.partners[place].index()].name.clone(), agent(place)));
            self.chart.runs.push(ChartRun {
                name: format!("r{}", self.chart.runs.len() + 1),
                role: name,
                agent: agent(role.actor()),
                partners: partners.collect(),
            });
        }
        let (mut at, mut last) = (Position::FIRST, None);
        for place in order {
            let role = &theory.roles[runs[place.run].role];
            let event = &role.events[place.event];
            let Some(run) = self.runs.iter().position(|run| *run == place.run) else {
                if let PatternEvent::Send(message) = event {
                    let known = self.ground(&self.pattern.instance(place.run, message));
                    self.intruder.know([known]);
                }
                continue;
            };
            if last != Some(run) || matches!(event, PatternEvent::Receive(_)) {
                at = at.next();
            }
            last = Some(run);
            let label = protocols.roles[role.described?.index()].events[place.event].label.clone();
            let what = match event {
                PatternEvent::Send(message) => {
                    let term = self.ground(&self.pattern.instance(place.run, message));
                    self.intruder.hear(self.chart.events.len(), &term);
                    Happening::Sent { run, label, content: term.show(protocols) }
                }
                PatternEvent::Receive(message) => {
                    let term = self.ground(&self.pattern.instance(place.run, message));
                    if !self.intruder.makes(&term) {
                        return None;
                    }
                    let (unchanged, bindings) = self.intruder.bindings(&term);
                    Happening::Received { run, label, content: term.show(protocols), unchanged, bindings }
                }
                PatternEvent::Claim(_) if *place == claim || self.pattern.repeats == Some(*place) => {
                    Happening::Claimed { run, labels: vec![label] }
                }
                PatternEvent::Claim(_) | PatternEvent::Equal(..) | PatternEvent::Differ(..) => continue,
            };
            self.chart.events.push(ChartEvent { at, what });
            if *place == claim && self.pattern.uses_lost {
                self.lose_keys(at);
            }
        }
        Some(DrawnPattern { chart: self.chart, exposed })
    }

    /// Adds the loss of all long-term keys.
    fn lose_keys(&mut self, at: Position) {
        let runs = self.chart.runs.iter();
        let agents = runs.flat_map(|run| run.partners.iter().map(|(_, agent)| agent).chain([&run.agent]));
        let agents: Vec<String> = agents.cloned().collect();
        self.intruder.get_secrets(agents);
        self.chart.events.push(ChartEvent { at, what: Happening::Lost(ALL_LOST.to_owned()) });
    }

    fn show(&self, term: &PatternTerm) -> String {
        self.ground(term).show(self.pattern.theory.protocols)
    }

    fn ground(&self, term: &PatternTerm) -> Ground {
        let PartialPattern { bindings, .. } = self.pattern;
        let all = |term: &PatternTerm| {
            let term = bindings.resolve(term);
            term.components().into_iter().map(|part| self.ground(part)).collect::<Vec<_>>()
        };
        match bindings.head(term) {
            PatternTerm::Variable(variable) => {
                let name = self.names[*variable].clone().unwrap_or_else(|| format!("?{variable}"));
                match bindings.kind(*variable) {
                    VariableSort::Agent | VariableSort::HonestAgent => Ground::Agent(name),
                    _ => Ground::Atom { name, public: true },
                }
            }
            PatternTerm::Atom(atom) => self.atom(*atom),
            power @ PatternTerm::Power(..) => {
                let power = bindings.resolve(power);
                let (base, exponents) = power.as_power();
                let parts = [base].into_iter().chain(exponents).map(|part| self.ground(part)).collect();
                let protocols = self.pattern.theory.protocols;
                let mut symbols = (0..protocols.symbols.len()).map(SymbolId::new);
                let function = symbols.find(|symbol| protocols.is_power(*symbol));
                Ground::apply(function.unwrap_or_else(|| unreachable!("it made powers")), parts, protocols)
            }
            pair @ PatternTerm::Pair(..) => Ground::tuple(all(pair)),
            PatternTerm::Crypt(body, key) => match bindings.head(key) {
                PatternTerm::Atom(PatternAtom {
                    name: AtomName::Symbol(symbol),
                    sort: AtomSort::Function,
                }) => Ground::Apply(*symbol, all(body)),
                key => Ground::Encrypted(Box::new(self.ground(body)), Box::new(self.ground(key))),
            },
        }
    }

    fn atom(&self, atom: PatternAtom) -> Ground {
        let PartialPattern { theory, runs, .. } = self.pattern;
        match (atom.name, atom.sort) {
            (AtomName::Symbol(symbol), AtomSort::Function) => Ground::Constant(symbol),
            (AtomName::Symbol(symbol), sort) => {
                let name = theory.protocols.symbols[symbol.index()].name.clone();
                match sort {
                    AtomSort::HonestAgent | AtomSort::AttackersAgent => Ground::Agent(name),
                    _ => Ground::Atom { name, public: theory.is_public(atom) },
                }
            }
            (AtomName::Fresh { run, variable }, _) => {
                let role = &theory.roles[runs[run].role];
                let of = role.described.map_or(0, |role| role.index());
                let name = &theory.protocols.roles[of].variables[variable.index()].name;
                let number = self.runs.iter().position(|other| *other == run).unwrap_or_default() + 1;
                Ground::Atom { name: format!("{name}#{number}"), public: false }
            }
            (AtomName::Attackers(number), AtomSort::AttackersAgent) => Ground::Agent(
                ATTACKERS.get(number).map_or_else(|| format!("Eve{number}"), |name| (*name).to_owned()),
            ),
            (AtomName::Attackers(number), _) => {
                Ground::Atom { name: format!("{}#{number}", ATTACKERS[0]), public: true }
            }
            (AtomName::Honest(number), _) => Ground::Agent(format!("x{number}")),
            (AtomName::One, _) => Ground::Atom { name: "1".to_owned(), public: true },
        }
    }
}
