//! Traces of the generated model as message sequence charts: the messages that each run sends and receives,
//! with the attacker between them, and the origins of the messages that she sends (the bindings of C.
//! Cremers, S. Mauw, *Operational Semantics and Verification of Security Protocols*, 2012).

mod intruder;
mod reading;

use super::frame::ModelFrame;
use super::given::{lost_by, secrets};
use super::scope::ProtocolScope;
use super::script::RoleScripts;
use super::terms::RoleTerms;
use crate::protocol::equation::Applied;
use crate::protocol::ir::{Protocols, RoleId, SymbolId};
pub(in crate::protocol) use intruder::Intruder;
use itertools::Itertools;
use lang::model::value::{Moment, Value};
use lang::model::{Model, Position};
use reading::StateReading;

/// The loss of [`Reveals::after`](super::scope::Reveals::after).
pub(in crate::protocol) const ALL_LOST: &str = "all long-term keys get lost";

/// The data needed to draw traces of the model of a protocol.
#[derive(Debug, Clone, PartialEq)]
pub struct Charts {
    pub(super) name: String,
    pub(super) protocols: Protocols,
    pub(super) scope: ProtocolScope,
    /// The number of steps after which all runs have ended.
    pub(super) steps: usize,
}

/// A trace as a message sequence chart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chart {
    /// The active runs, in the order in which they begin.
    pub runs: Vec<ChartRun>,
    /// The events, in order.
    pub events: Vec<ChartEvent>,
}

/// A run: an agent in a role.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChartRun {
    /// Its name: `r1`.
    pub name: String,
    /// The role, with its protocol if there are several.
    pub role: String,
    /// The agent that plays it.
    pub agent: String,
    /// The presumed partners: roles with agents.
    pub partners: Vec<(String, String)>,
}

/// An event of a trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChartEvent {
    /// The position in the trace of the step that it belongs to.
    pub at: Position,
    /// The kind of event.
    pub what: Happening,
}

/// The kind of an event of a trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Happening {
    /// A run sends a message, and the attacker hears it.
    Sent {
        /// The index of the run in the chart.
        run: usize,
        /// The label of the message.
        label: String,
        /// The content of the message.
        content: String,
    },
    /// A run receives a message, from the attacker.
    Received {
        /// The index of the run in the chart.
        run: usize,
        /// The label of the message.
        label: String,
        /// The content of the message.
        content: String,
        /// True if it is a message that was sent, unchanged.
        unchanged: bool,
        /// The terms that the attacker has heard and uses in it.
        bindings: Vec<SentPart>,
    },
    /// A run makes claims.
    Claimed {
        /// The index of the run in the chart.
        run: usize,
        /// The labels of the claims.
        labels: Vec<String>,
    },
    /// Keys or secrets are lost.
    Lost(String),
}

/// A part of a message that the attacker sends, with its origin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentPart {
    /// The part.
    pub part: String,
    /// The index of the event in the chart by which she obtained it.
    pub event: usize,
    /// The keys with which she opened that message.
    pub keys: Vec<String>,
}

impl Charts {
    /// Returns the greatest number of runs.
    pub fn runs(&self) -> usize {
        self.scope.runs
    }

    /// The protocols, and what is looked at of them.
    pub fn looked_at(&self) -> (&Protocols, ProtocolScope) {
        (&self.protocols, self.scope)
    }

    /// Returns the number of steps after which all runs have ended.
    pub fn steps(&self) -> usize {
        self.steps
    }

    /// Draws the chart of a trace of the model; `None` for another model, or if a run receives a term that
    /// the attacker cannot make, by an error in the model's closure of her knowledge.
    pub fn draw(&self, model: &Model, moments: &[Moment]) -> Option<Chart> {
        let script = RoleScripts::new(&self.protocols, self.scope);
        let frame = ModelFrame::new(&self.name, &script, self.scope);
        let drawing = ChartDrawing {
            charts: self,
            frame: &frame,
            model,
            moments,
            intruder: Intruder::new(&self.protocols),
            chart: Chart { runs: Vec::new(), events: Vec::new() },
            of_run: Vec::new(),
        };
        drawing.draw()
    }
}

/// The state of drawing a chart.
struct ChartDrawing<'d, 'a> {
    charts: &'a Charts,
    frame: &'d ModelFrame<'a>,
    model: &'d Model,
    moments: &'d [Moment],
    intruder: Intruder<'a>,
    chart: Chart,
    /// For each run of the chart, the run of the model, with its role.
    of_run: Vec<(String, RoleId)>,
}

impl<'d, 'a> ChartDrawing<'d, 'a> {
    fn draw(mut self) -> Option<Chart> {
        let last = self.reading(Position::new(self.moments.len() - 1));
        self.intruder.know(
            self.charts
                .protocols
                .compromised
                .iter()
                .filter_map(|term| last.term(RoleId::FIRST, &self.frame.terms.first_run, term)),
        );
        let symbols = self.frame.terms.symbols().map(|symbol| last.ground(&symbol));
        self.intruder.name(symbols.collect::<Option<_>>()?);
        let agents = self.frame.terms.threats.agents.iter().cloned();
        let exposed = last.value("exposed").map(|agent| self.model.types.show_value(&agent));
        self.intruder.get_secrets(agents.chain(exposed));
        self.know_generated(&last);
        for before in Position::all(self.moments.len() - 1) {
            let at = before.next();
            for run in &self.frame.runs {
                let place = format!("step[{run}]");
                let [done, after] = [before, at].map(|at| self.reading(at).value(&place));
                if let (Some(Value::Int(done)), Some(Value::Int(after))) = (done, after)
                    && after == done + 1
                {
                    self.step(at, run, usize::try_from(done).ok()?)?;
                }
            }
            self.losses(before);
        }
        Some(self.chart)
    }

    fn reading(&self, at: Position) -> StateReading<'d, 'a> {
        StateReading { frame: self.frame, model: self.model, state: &self.moments[at.index()].state }
    }

    /// Returns the index of a run in the chart, adding the run if it is new.
    fn run(&mut self, at: Position, run: &str) -> Option<usize> {
        if let Some(index) = self.of_run.iter().position(|(name, _)| name == run) {
            return Some(index);
        }
        let show = |value: Option<Value>| Some(self.model.types.show_value(&value?));
        let played = show(self.reading(at).value(&format!("role[{run}]")))?;
        let terms = &self.frame.terms;
        let role = terms.script.roles().find(|role| terms.roles[role.index()] == played)?;
        let described = terms.script.role(role);
        let agent = |role: RoleId| {
            show(self.reading(at).value(&format!("agents[{run}][{}]", terms.roles[role.index()])))
        };
        let partners = terms.script.partners(role).iter().filter(|partner| **partner != role);
        let partners =
            partners.map(|partner| Some((terms.script.role(*partner).name.clone(), agent(*partner)?)));
        let helper = self.charts.protocols.protocols[described.protocol.index()].helper;
        let several = self.charts.protocols.protocols.iter().filter(|protocol| !protocol.helper).count() > 1;
        let role_name = if helper || several {
            let protocol = &self.charts.protocols.protocols[described.protocol.index()].name;
            format!("{} of {protocol}", described.name)
        } else {
            described.name.clone()
        };
        let found = ChartRun {
            name: run.to_owned(),
            role: role_name,
            agent: agent(role)?,
            partners: partners.collect::<Option<_>>()?,
        };
        self.chart.runs.push(found);
        self.of_run.push((run.to_owned(), role));
        Some(self.chart.runs.len() - 1)
    }

    fn step(&mut self, at: Position, run: &str, number: usize) -> Option<()> {
        let index = self.run(at, run)?;
        let role = self.of_run[index].1;
        let terms: &RoleTerms<'_> = &self.frame.terms;
        let step = terms.script.steps(role).get(number)?;
        if let Some(received) = &step.receives {
            let term = self.reading(at).term(role, run, &received.message.content)?;
            if !self.intruder.makes(&term) {
                return None;
            }
            let (unchanged, bindings) = self.intruder.bindings(&term);
            let (label, content) = (received.label.to_owned(), self.show(&term));
            self.add(at, Happening::Received { run: index, label, content, unchanged, bindings });
        }
        for sent in &step.sends {
            let term = self.reading(at).term(role, run, &sent.message.content)?;
            let (label, content) = (sent.label.to_owned(), self.show(&term));
            self.intruder.hear(self.chart.events.len(), &term);
            self.add(at, Happening::Sent { run: index, label, content });
        }
        if self.is_lost(run, &self.reading(at)) {
            let reveals = terms.threats.reveals;
            let reading = self.reading(at);
            let generated = terms.generated(role).filter(|_| number == 0 && reveals.states);
            let lost = generated.chain(lost_by(terms, reveals, step));
            let lost = lost.map(|term| reading.term(role, run, &term)).collect::<Option<Vec<_>>>()?;
            let what = if reveals.states { "state" } else { "session key" };
            self.lose(at, &format!("the {what} of {run} is revealed"), &lost);
        }
        if !step.claims.is_empty() {
            let labels = step.claims.iter().map(|claim| claim.label.to_owned()).collect();
            self.add(at, Happening::Claimed { run: index, labels });
        }
        Some(())
    }

    /// Adds the keys and secrets lost in a step.
    fn losses(&mut self, from: Position) {
        let at = from.next();
        let [before, after] = [from, at].map(|at| self.reading(at));
        let changed = |name: &str| before.value(name) != after.value(name);
        let reveals = self.frame.terms.threats.reveals;
        if reveals.after && changed("keys_lost") {
            let honest = self.frame.terms.sorts.honest.clone();
            self.intruder.get_secrets(honest);
            self.add(at, Happening::Lost(ALL_LOST.to_owned()));
        }
        if reveals.old_sessions && changed("over") {
            let terms = &self.frame.terms;
            let mut lost = Vec::new();
            for (run, role) in &self.of_run {
                let secrets = terms.script.steps(*role).iter().flat_map(|step| secrets(step, false));
                lost.extend(secrets.filter_map(|term| self.reading(at).term(*role, run, term)));
            }
            self.lose(at, "secrets of finished runs are revealed", &lost);
        }
    }

    /// Adds the loss of terms.
    fn lose(&mut self, at: Position, what: &str, lost: &[Ground]) {
        let event = self.chart.events.len();
        lost.iter().for_each(|term| self.intruder.find(event, term));
        let shown = lost.iter().unique().map(|term| self.show(term)).join(", ");
        if !shown.is_empty() {
            self.add(at, Happening::Lost(format!("{what}: {shown}")));
        }
    }

    /// True if the attacker obtains what a run has.
    fn is_lost(&self, run: &str, state: &StateReading<'_, '_>) -> bool {
        let show = |value: &Value| self.model.types.show_value(value);
        matches!(state.value("lost"), Some(Value::Set(lost)) if lost.iter().any(|other| show(other) == run))
    }

    /// Gives the attacker the fresh values of lost runs, if their states are lost: she may know them before they begin.
    fn know_generated(&mut self, state: &StateReading<'_, '_>) {
        let terms = &self.frame.terms;
        if !terms.threats.reveals.states {
            return;
        }
        let lost = self.frame.runs.iter().filter(|run| self.is_lost(run, state)).collect_vec();
        for run in lost {
            let values =
                terms.script.roles().flat_map(|role| terms.generated(role).map(move |term| (role, term)));
            let values = values.filter_map(|(role, term)| state.term(role, run, &term));
            self.intruder.know(values);
        }
    }

    fn add(&mut self, at: Position, what: Happening) {
        self.chart.events.push(ChartEvent { at, what });
    }

    fn show(&self, term: &Ground) -> String {
        term.show(&self.charts.protocols)
    }
}

/// A term without variables.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::protocol) enum Ground {
    Agent(String),
    /// An atomic term, with its name for display: `Na#1` is the value that the first run created for `Na`.
    Atom {
        name: String,
        /// True if the attacker has it from the start.
        public: bool,
    },
    /// A function as a term of its own.
    Constant(SymbolId),
    /// Several terms, the last of which is no tuple.
    Tuple(Vec<Ground>),
    /// `{body}key`.
    Encrypted(Box<Ground>, Box<Ground>),
    Apply(SymbolId, Vec<Ground>),
}

impl Applied for Ground {
    fn apply(function: SymbolId, arguments: Vec<Self>) -> Self {
        Ground::Apply(function, arguments)
    }

    fn applied(&self) -> Option<(SymbolId, &[Self])> {
        match self {
            Ground::Apply(function, arguments) => Some((*function, arguments)),
            _ => None,
        }
    }

    fn tuple(terms: Vec<Self>) -> Self {
        Ground::tuple(terms)
    }

    fn elements(self) -> Vec<Self> {
        match self {
            Ground::Tuple(terms) => terms,
            term => vec![term],
        }
    }
}

impl Ground {
    /// Creates a tuple: a tuple in the last place is spliced in.
    pub fn tuple(terms: impl IntoIterator<Item = Ground>) -> Self {
        let mut all: Vec<Ground> = terms.into_iter().collect();
        while let Some(Ground::Tuple(last)) = all.last().cloned() {
            all.pop();
            all.extend(last);
        }
        if all.len() == 1 { all.remove(0) } else { Ground::Tuple(all) }
    }

    /// Applies a function. A power has a base that is none, and then its exponents in order. A sum has different terms in order.
    pub fn apply(function: SymbolId, mut terms: Vec<Ground>, protocols: &Protocols) -> Self {
        if protocols.is_power(function) {
            while let Ground::Apply(inner, base) = &terms[0]
                && *inner == function
            {
                terms.splice(0..1, base.clone());
            }
            terms[1..].sort();
            if terms.len() == 1 {
                return terms.remove(0);
            }
        }
        if protocols.is_sum(function) {
            let spliced = terms.into_iter().flat_map(|term| term.summands(function).to_vec());
            let kept = spliced.counts().into_iter().filter(|(_, count)| !count.is_multiple_of(2));
            terms = kept.map(|(term, _)| term).sorted().collect();
            if terms.len() == 1 {
                return terms.remove(0);
            }
        }
        Ground::Apply(function, terms)
    }

    /// The terms of which it is the sum: itself if it is none.
    fn summands(&self, function: SymbolId) -> &[Ground] {
        match self {
            Ground::Apply(inner, terms) if *inner == function => terms,
            term => std::slice::from_ref(term),
        }
    }

    /// Formats the term for display, a tuple without parentheses around it.
    pub fn show(&self, protocols: &Protocols) -> String {
        let list = |terms: &[Ground]| terms.iter().map(|term| term.show_part(protocols)).join(", ");
        match self {
            Ground::Agent(name) | Ground::Atom { name, .. } => name.clone(),
            Ground::Constant(symbol) => protocols.symbols[symbol.index()].name.clone(),
            Ground::Tuple(terms) => list(terms),
            Ground::Encrypted(body, key) => {
                format!("{{{}}}{}", body.show(protocols), key.show_part(protocols))
            }
            Ground::Apply(function, terms) if protocols.is_power(*function) => {
                terms.iter().map(|term| term.show_part(protocols)).join("^")
            }
            Ground::Apply(function, terms) if protocols.is_sum(*function) => match terms.is_empty() {
                true => "0".to_owned(),
                false => terms.iter().map(|term| term.show_part(protocols)).join(" ⊕ "),
            },
            Ground::Apply(function, terms) => {
                format!("{}({})", protocols.symbols[function.index()].name, list(terms))
            }
        }
    }

    /// Formats the term as an element of a tuple or as a key: a tuple has parentheses.
    pub fn show_part(&self, protocols: &Protocols) -> String {
        let shown = self.show(protocols);
        let is_sum = matches!(self, Ground::Apply(function, terms) if protocols.is_sum(*function) && !terms.is_empty());
        if is_sum || matches!(self, Ground::Tuple(_)) { format!("({shown})") } else { shown }
    }
}
