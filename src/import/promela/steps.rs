//! The steps of processes: one for each statement, or for each way through a sequence that nothing can interrupt.

use super::evaluate::{Done, LocationContext, TermEvaluator};
use super::listed::ListedText;
use super::program::{
    CExpr, ControlEdge, Proctype, PromelaTarget, ReceivePattern, ScalarType, StatementEffect,
};
use super::term::{Cell, CellRoot, PromelaNode, PromelaTerm, Sort, Whose};
use kit::diagnostics::Span;
use std::collections::{BTreeSet, HashMap};

/// How many statements, choices, options of a choice and nodes of conditions one step may have.
const MOST_STATEMENTS: usize = 300;
const MOST_CHOICES: usize = 4;
const MOST_OPTIONS: usize = 4;
const MOST_NODES: usize = 300;
/// The most steps of a program.
const MOST_STEPS: usize = 20_000;

/// The line of Spin for the end of a process.
pub(super) const TERMINATES: &str = "terminates";

/// The location of a process that is not there.
pub(super) const NONE: usize = usize::MAX;

/// How a process is at a location.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum LocationMode {
    /// Other processes may take steps.
    Free,
    /// In an atomic sequence, that goes on.
    Held,
    /// In a `d_step` that cannot go on.
    Stuck,
}

/// A location of a process.
pub(super) type ProcessLocation = (usize, LocationMode);

/// A step.
#[derive(Debug, Clone)]
pub(super) struct PromelaStep {
    pub process: usize,
    pub from: ProcessLocation,
    /// The process that receives in a rendezvous, and its location.
    pub partner: Option<(usize, usize)>,
    pub conditions: Vec<PromelaTerm>,
    pub done: Done,
    /// The locations of those that take part, after it.
    pub ends: Vec<(usize, Whose, ProcessLocation)>,
    /// The statements, in order.
    pub statements: Vec<StepStatement>,
    /// The first statement, in a few words.
    pub words: String,
}

/// A statement of a step.
#[derive(Debug, Clone)]
pub(super) struct StepStatement {
    /// The type of the process that executes it.
    pub process: usize,
    /// It is executed by the process that receives in a rendezvous.
    pub by_partner: bool,
    pub span: Span,
    pub listed: ListedText,
    /// It is inside a `d_step`, where Spin leaves out how options begin.
    pub dstep: bool,
    /// Spin may list a jump after it that is no statement.
    pub jumps: bool,
}

/// A condition that has to hold at a location.
#[derive(Debug)]
pub(super) struct LocationCheck {
    pub process: usize,
    pub at: ProcessLocation,
    pub kind: CheckKind,
    pub condition: PromelaTerm,
    pub span: Span,
}

/// The reasons why a condition has to hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum CheckKind {
    Assert,
    /// An index is inside its array, a divisor is not 0.
    Defined,
    /// A `d_step` can go on.
    DStep,
}

/// All steps of a program.
#[derive(Debug, Default)]
pub(super) struct PromelaSteps {
    pub all: Vec<PromelaStep>,
    pub checks: Vec<LocationCheck>,
    /// The locations of each type of processes that are reached in its automaton.
    pub locations: Vec<Vec<ProcessLocation>>,
    /// For each location, when a statement there can be executed: without, and with `timeout`.
    pub enabled: HashMap<(usize, usize), (PromelaTerm, PromelaTerm)>,
}

/// A step while it is made: who is in control, and where.
#[derive(Debug, Clone)]
struct StepPath {
    step: PromelaStep,
    process: usize,
    whose: Whose,
    at: usize,
    dstep: Option<usize>,
    choices: usize,
    seen: Vec<usize>,
}

/// A statement that can be taken: the condition, what it leads to, and whether nothing may come in between.
#[derive(Debug)]
struct StatementChoice {
    condition: PromelaTerm,
    path: StepPath,
    exclusive: bool,
}

pub(super) struct StepMaker<'e, 'p> {
    pub evaluator: &'e mut TermEvaluator<'p>,
    pub steps: PromelaSteps,
    open: Vec<(usize, ProcessLocation)>,
    known: BTreeSet<(usize, ProcessLocation)>,
}

impl<'e, 'p> StepMaker<'e, 'p> {
    pub fn new(evaluator: &'e mut TermEvaluator<'p>) -> Self {
        let locations = evaluator.program.processes.iter().map(|_| Vec::new()).collect();
        let steps = PromelaSteps { locations, ..PromelaSteps::default() };
        Self { evaluator, steps, open: Vec::new(), known: BTreeSet::new() }
    }

    fn process(&self, process: usize) -> &'p Proctype {
        &self.evaluator.program.processes[process]
    }

    /// Makes the steps of all processes.
    pub fn run(mut self) -> PromelaSteps {
        for process in 0..self.evaluator.program.processes.len() {
            if self.evaluator.instances.count(process) > 0 {
                self.reach(process, (self.process(process).start, LocationMode::Free));
            }
        }
        while let Some((process, location)) = self.open.pop() {
            if self.steps.all.len() > MOST_STEPS {
                self.evaluator.wrong(
                    format!("the program has more than {MOST_STEPS} steps"),
                    "use fewer processes or channels",
                );
                break;
            }
            self.location(process, location);
        }
        let known = std::mem::take(&mut self.known);
        self.steps.all.retain(|step| {
            step.partner.is_none_or(|(process, node)| known.contains(&(process, (node, LocationMode::Free))))
        });
        self.deaths();
        for process in 0..self.steps.locations.len() {
            let mut all = std::mem::take(&mut self.steps.locations[process]);
            all.sort_unstable();
            for (node, _) in all.iter().filter(|(node, _)| *node != NONE) {
                let plain = self.possible(process, *node, Some(false));
                let waiting = self.possible(process, *node, None);
                self.steps.enabled.insert((process, *node), (plain, waiting));
            }
            self.steps.locations[process] = all;
        }
        self.steps
    }

    /// The steps by which processes that have ended disappear, the last ones first.
    fn deaths(&mut self) {
        let instances = self.evaluator.instances;
        let alone = |pid: i64| {
            let next = instances.all.iter().find(|instance| instance.pid == Some(pid + 1));
            next.map_or(PromelaTerm::bool(true), |next| {
                PromelaTerm::new(
                    PromelaNode::At(next.process, Whose::Number(next.number), vec![NONE]),
                    Sort::Bool,
                )
            })
        };
        for process in 0..self.evaluator.program.processes.len() {
            let end = (self.process(process).end, LocationMode::Free);
            if !self.steps.locations[process].contains(&end) {
                continue;
            }
            let mut path = Self::start(process, end);
            let done = Done::default();
            let at =
                LocationContext { process, whose: Whose::Own, node: None, done: &done, timeout: Some(false) };
            let condition = if instances.dynamic {
                let all = self.evaluator.term(&CExpr::Processes, at);
                let own = self.evaluator.term(&CExpr::Pid, at);
                PromelaTerm::compare("=", own, PromelaTerm::arithmetic("-", all, PromelaTerm::int(1)))
            } else {
                instances.of(process).fold(PromelaTerm::bool(true), |all, instance| {
                    let other = self.evaluator.is(process, Whose::Own, instance.number).not();
                    all.and(other.or(instance.pid.map_or(PromelaTerm::bool(true), alone)))
                })
            };
            if let Some(provided) = &self.process(process).provided {
                path.step.conditions.push(self.evaluator.truth(provided, at));
            }
            path.step.conditions.push(condition);
            path.step.words = "ends".to_owned();
            let span = self.process(process).nodes[end.0].span;
            let listed = ListedText::Exactly(TERMINATES.to_owned());
            path.step.statements.push(StepStatement {
                process,
                by_partner: false,
                span,
                listed,
                dstep: false,
                jumps: false,
            });
            path.at = NONE;
            self.finish(path, LocationMode::Free);
        }
    }

    fn reach(&mut self, process: usize, location: ProcessLocation) {
        if self.known.insert((process, location)) {
            self.steps.locations[process].push(location);
            self.open.push((process, location));
        }
    }

    /// The path before a step.
    fn start(process: usize, location: ProcessLocation) -> StepPath {
        let step = PromelaStep {
            process,
            from: location,
            partner: None,
            conditions: Vec::new(),
            done: Done::default(),
            ends: Vec::new(),
            statements: Vec::new(),
            words: String::new(),
        };
        StepPath {
            step,
            process,
            whose: Whose::Own,
            at: location.0,
            dstep: None,
            choices: 0,
            seen: Vec::new(),
        }
    }

    fn location(&mut self, process: usize, location: ProcessLocation) {
        let node = &self.process(process).nodes[location.0];
        let check =
            |kind, condition| LocationCheck { process, at: location, kind, condition, span: node.span };
        if location.1 == LocationMode::Stuck {
            self.steps.checks.push(check(CheckKind::DStep, PromelaTerm::bool(false)));
            return;
        }
        let mut path = Self::start(process, location);
        // A `d_step` that was interrupted by its length goes on.
        path.dstep = node.dstep.filter(|_| location.1 == LocationMode::Held);
        self.evaluator.checks.clear();
        let choices = self.choices(&path, Some(location.1 == LocationMode::Free), false);
        for edge in &node.edges {
            if let StatementEffect::Assert(e) = &edge.action {
                let mut condition = self.evaluator.truth(e, Self::context(&path, Some(false)));
                let span = edge.span;
                // In a `d_step`, the first option that can be taken is.
                let is_taken = |choice: &&StatementChoice| {
                    edge.dstep.is_some()
                        && choice.path.step.statements.last().is_some_and(|own| own.span == span)
                };
                if let Some(taken) = choices.iter().find(is_taken) {
                    condition = taken.condition.clone().not().or(condition);
                }
                self.steps.checks.push(LocationCheck {
                    process,
                    at: location,
                    kind: CheckKind::Assert,
                    condition,
                    span,
                });
            }
        }
        let needed = std::mem::take(&mut self.evaluator.checks);
        self.steps.checks.extend(needed.into_iter().map(|condition| check(CheckKind::Defined, condition)));
        for choice in choices {
            self.take(choice);
        }
    }

    fn context(path: &StepPath, timeout: Option<bool>) -> LocationContext<'_> {
        let node = Some(path.node_before());
        LocationContext { process: path.process, whose: path.whose, node, done: &path.step.done, timeout }
    }

    /// Goes on after a statement was chosen.
    fn take(&mut self, choice: StatementChoice) {
        let StatementChoice { condition, mut path, exclusive } = choice;
        match condition.truth() {
            Some(false) => return,
            Some(true) => {}
            None => path.step.conditions.push(condition),
        }
        if !exclusive {
            return self.finish(path, LocationMode::Free);
        }
        let before = self.evaluator.checks.len();
        let choices = self.choices(&path, Some(false), false);
        let node = &self.process(path.process).nodes[path.at];
        let meets = choices.iter().any(|choice| choice.path.step.partner != path.step.partner);
        let asserts = node.edges.iter().any(|edge| match &edge.action {
            StatementEffect::Assert(e) => {
                self.evaluator.truth(e, Self::context(&path, Some(false))).truth() != Some(true)
            }
            _ => false,
        });
        let unsure = self.evaluator.checks.drain(before..).count() > 0;
        let waits = self.waits(&path);
        self.evaluator.checks.truncate(before);
        let live: Vec<StatementChoice> =
            choices.into_iter().filter(|choice| choice.condition.truth() != Some(false)).collect();
        let single = live.len() == 1 && live[0].condition.truth() == Some(true);
        let large = path.step.statements.len() > MOST_STATEMENTS
            || path.step.done.store.writes.iter().any(|(_, value)| value.size > MOST_NODES);
        let branches = !single
            && (path.seen.contains(&path.at)
                || path.choices >= MOST_CHOICES
                || live.len() > MOST_OPTIONS
                || waits.as_ref().is_some_and(|waits| waits.size > MOST_NODES));
        let wide = live.iter().any(|choice| choice.condition.size > MOST_NODES);
        if unsure || meets || asserts || large || branches || wide || waits.is_none() {
            return self.cut(path);
        }
        if !single {
            let blocked = waits.unwrap_or_else(|| PromelaTerm::bool(true)).not();
            if blocked.truth() != Some(false) {
                let mut stopped = path.clone();
                stopped.step.conditions.push(blocked);
                let mode = if self.in_dstep(&path) { LocationMode::Stuck } else { LocationMode::Free };
                self.finish(stopped, mode);
            }
        }
        for mut choice in live {
            if !single {
                choice.path.choices += 1;
                choice.path.seen.push(path.at);
            }
            self.take(choice);
        }
    }

    fn in_dstep(&self, path: &StepPath) -> bool {
        path.dstep.is_some() && self.process(path.process).nodes[path.at].dstep == path.dstep
    }

    /// Ends a step in the middle of a sequence, which goes on if it can.
    fn cut(&mut self, path: StepPath) {
        let before = self.evaluator.checks.len();
        let can = self.waits(&path).unwrap_or_else(|| PromelaTerm::bool(true));
        let defined = self.evaluator.checks.drain(before..).fold(PromelaTerm::bool(true), PromelaTerm::and);
        let goes_on = can.or(defined.not());
        let blocked = if self.in_dstep(&path) { LocationMode::Stuck } else { LocationMode::Free };
        for (condition, mode) in [(goes_on.clone(), LocationMode::Held), (goes_on.not(), blocked)] {
            if condition.truth() != Some(false) {
                let mut path = path.clone();
                path.step.conditions.push(condition);
                self.finish(path, mode);
            }
        }
    }

    /// The condition under which some statement can be executed; `None` if it is not known in this way.
    fn waits(&mut self, path: &StepPath) -> Option<PromelaTerm> {
        let node = &self.process(path.process).nodes[path.at];
        if node.edges.iter().any(|edge| matches!(edge.action, StatementEffect::Else))
            && self.process(path.process).provided.is_none()
        {
            return Some(PromelaTerm::bool(true));
        }
        let choices = self.choices(path, Some(false), true);
        Some(choices.into_iter().fold(PromelaTerm::bool(false), |all, choice| all.or(choice.condition)))
    }

    /// The condition under which a process at a location can execute a statement.
    fn possible(&mut self, process: usize, node: usize, timeout: Option<bool>) -> PromelaTerm {
        let path = Self::start(process, (node, LocationMode::Free));
        let own = self.process(process);
        if own.nodes[node].edges.iter().any(|edge| matches!(edge.action, StatementEffect::Else)) {
            let provided = own.provided.as_ref();
            return provided.map_or(PromelaTerm::bool(true), |condition| {
                self.evaluator.truth(condition, Self::context(&path, timeout))
            });
        }
        let choices = self.choices(&path, timeout, true);
        self.evaluator.checks.clear();
        choices.into_iter().fold(PromelaTerm::bool(false), |all, choice| all.or(choice.condition))
    }

    fn finish(&mut self, mut path: StepPath, mode: LocationMode) {
        path.step.conditions.retain(|condition| condition.truth() != Some(true));
        if path.step.conditions.iter().any(|condition| condition.truth() == Some(false)) {
            return;
        }
        path.step.ends.retain(|(process, whose, _)| (*process, *whose) != (path.process, path.whose));
        path.step.ends.push((path.process, path.whose, (path.at, mode)));
        for (process, _, location) in path.step.ends.clone() {
            self.reach(process, location);
        }
        self.steps.all.push(path.step);
    }

    /// The statements at the location of a path. `closed`: conditions about receivers name all of them, instead of one that is chosen.
    fn choices(&mut self, path: &StepPath, timeout: Option<bool>, closed: bool) -> Vec<StatementChoice> {
        let process = self.process(path.process);
        let node = &process.nodes[path.at];
        let mut all: Vec<StatementChoice> = Vec::new();
        // The conditions of the statements so far, with the `d_step`s that they belong to.
        let mut so_far: Vec<(Option<usize>, PromelaTerm)> = Vec::new();
        for (number, edge) in node.edges.iter().enumerate() {
            self.evaluator.span = edge.span;
            let mut own = match &edge.action {
                StatementEffect::Else => {
                    let sends = node.edges.iter().any(|other| self.meets(other));
                    if sends {
                        self.evaluator.wrong(
                            "`else` beside a rendezvous is not supported",
                            "say when it applies by a condition",
                        );
                    }
                    let none = so_far
                        .iter()
                        .fold(PromelaTerm::bool(true), |all, (_, other)| all.and(other.clone().not()));
                    vec![self.after(path, edge, none)]
                }
                action => {
                    let same =
                        so_far.iter().filter(|(dstep, _)| edge.dstep.is_some() && *dstep == edge.dstep);
                    let first =
                        same.fold(PromelaTerm::bool(true), |all, (_, other)| all.and(other.clone().not()));
                    let mut own = self.statement(path, edge, number, action, timeout, closed);
                    for choice in &mut own {
                        choice.condition = first.clone().and(choice.condition.clone());
                    }
                    let possible = own
                        .iter()
                        .fold(PromelaTerm::bool(false), |all, choice| all.or(choice.condition.clone()));
                    // `timeout` does not keep `else` from being executed.
                    so_far.push((edge.dstep, possible));
                    own
                }
            };
            all.append(&mut own);
        }
        if let Some(provided) = &process.provided {
            let condition = self.evaluator.truth(provided, Self::context(path, timeout));
            for choice in &mut all {
                choice.condition = condition.clone().and(choice.condition.clone());
            }
        }
        all
    }

    /// A statement sends or receives by a rendezvous.
    fn meets(&self, edge: &ControlEdge) -> bool {
        let (StatementEffect::Send { channel, .. } | StatementEffect::Receive { channel, .. }) = &edge.action
        else {
            return false;
        };
        let fields = match &edge.action {
            StatementEffect::Send { values, .. } => values.len(),
            StatementEffect::Receive { pattern, .. } => pattern.len(),
            _ => 0,
        };
        let sends = matches!(edge.action, StatementEffect::Send { .. });
        let declared = self.evaluator.ranges.channels(channel, fields);
        sends && declared.into_iter().any(|declared| self.evaluator.program.channels[declared].capacity == 0)
    }

    /// The path after a statement without effect.
    fn after(&self, path: &StepPath, edge: &ControlEdge, condition: PromelaTerm) -> StatementChoice {
        let mut next = path.clone();
        next.at = edge.to;
        next.dstep = edge.dstep;
        next.step.statements.push(StepStatement::of(edge, path.process, path.whose != Whose::Own));
        let to = &self.process(path.process).nodes[edge.to];
        let exclusive = edge.dstep.is_some() && to.dstep == edge.dstep || edge.atomic && to.atomic;
        if exclusive && to.dstep != edge.dstep {
            next.dstep = None;
        }
        // The effect says more than the condition before it.
        if ["", "passes", "skips", "else"].contains(&next.step.words.as_str()) {
            let words = self.words(edge);
            if next.step.words.is_empty() || !["passes", "skips", "else"].contains(&words.as_str()) {
                next.step.words = words;
            }
        }
        StatementChoice { condition, path: next, exclusive }
    }

    /// A statement in a few words.
    fn words(&self, edge: &ControlEdge) -> String {
        let program = self.evaluator.program;
        let variable = |(variable, _): &PromelaTarget| &program.variables[*variable].name;
        let name = |channel: &CExpr| match channel {
            CExpr::Read(variable, ..) => program.variables[*variable].name.clone(),
            _ => "a_channel".to_owned(),
        };
        match &edge.action {
            StatementEffect::Skip => "skips".to_owned(),
            StatementEffect::Guard(_) => "passes".to_owned(),
            StatementEffect::Else => "else".to_owned(),
            StatementEffect::Assign(target, _) => format!("sets_{}", variable(target)),
            StatementEffect::Assert(_) => "asserts".to_owned(),
            StatementEffect::Send { channel, .. } => format!("sends_{}", name(channel)),
            StatementEffect::Receive { channel, .. } => format!("receives_{}", name(channel)),
            StatementEffect::Run { process, .. } => format!("runs_{}", program.processes[*process].name),
        }
    }

    fn statement(
        &mut self,
        path: &StepPath,
        edge: &ControlEdge,
        number: usize,
        action: &StatementEffect,
        timeout: Option<bool>,
        closed: bool,
    ) -> Vec<StatementChoice> {
        let at = Self::context(path, timeout);
        match action {
            StatementEffect::Skip | StatementEffect::Else | StatementEffect::Assert(_) => {
                vec![self.after(path, edge, PromelaTerm::bool(true))]
            }
            StatementEffect::Guard(e) => {
                let condition = self.evaluator.truth(e, at);
                vec![self.after(path, edge, condition)]
            }
            StatementEffect::Assign(target, value) => {
                let value = self.evaluator.term(value, at);
                let mut choice = self.after(path, edge, PromelaTerm::bool(true));
                self.store(&mut choice.path, path, target, value, timeout);
                vec![choice]
            }
            StatementEffect::Send { channel, values } => {
                let all = self.evaluator.channels(channel, at);
                all.into_iter()
                    .flat_map(|(is, queue)| self.send(path, edge, is, queue, values, closed))
                    .collect()
            }
            StatementEffect::Receive { channel, pattern, any, copy } => {
                let all = self.evaluator.channels(channel, at);
                let buffered = all
                    .into_iter()
                    .filter(|(_, queue)| self.evaluator.capacity(*queue) > 0)
                    .collect::<Vec<_>>();
                let receive = |(is, queue)| self.receive(path, edge, is, queue, (pattern, *any, *copy));
                buffered.into_iter().flat_map(receive).collect()
            }
            StatementEffect::Run { process, values, result } => {
                let (instances, key) = (self.evaluator.instances, (path.process, path.at, number));
                let spawns = instances.spawns.get(&key).map_or(&[][..], |spawns| spawns);
                spawns
                    .iter()
                    .map(|spawn| self.start_process(path, edge, spawn, *process, values, result.as_ref()))
                    .collect()
            }
        }
    }

    /// Assigns a value to a place that is given by expressions.
    fn store(
        &mut self,
        next: &mut StepPath,
        path: &StepPath,
        target: &PromelaTarget,
        value: PromelaTerm,
        timeout: Option<bool>,
    ) {
        let (variable, indices) = target;
        let own = &self.evaluator.program.variables[*variable];
        let whose = if own.owner.is_some() { path.whose } else { Whose::Everyone };
        let cell = self.evaluator.cell(*variable, indices, whose, Self::context(path, timeout));
        // Nothing is written outside of an array.
        let outside = |(index, size): (&PromelaTerm, &usize)| {
            let (low, high) = index.range();
            high < 0 || usize::try_from(low).is_ok_and(|low| low >= *size)
        };
        if cell.indices.iter().zip(&own.dims).any(outside) {
            return;
        }
        let value = self.evaluator.coerce(value, own.ty);
        next.step.done.store.write(cell, value);
    }

    fn send(
        &mut self,
        path: &StepPath,
        edge: &ControlEdge,
        is: PromelaTerm,
        queue: usize,
        values: &[CExpr],
        closed: bool,
    ) -> Vec<StatementChoice> {
        let at = Self::context(path, Some(false));
        let channel = self.evaluator.instances.queues[queue].channel;
        let fields = self.evaluator.program.channels[channel].fields.clone();
        let other_sort = |own: &mut Self| {
            let mut all = values.iter().zip(&fields);
            all.any(|(value, ty)| {
                (*ty == ScalarType::Channel) != (own.evaluator.term(value, at).sort == Sort::Channel)
            })
        };
        if is.truth().is_none() && (fields.len() != values.len() || other_sort(self)) {
            // Another channel is meant; this one is a mistake.
            self.evaluator.checks.push(is.not());
            return Vec::new();
        }
        if fields.len() < values.len() {
            let message =
                format!("messages of this channel have {} fields, not {}", fields.len(), values.len());
            self.evaluator.wrong(message, "remove the part without a field");
            return Vec::new();
        }
        let mut sent = Vec::new();
        // Fields that are left out are 0.
        let zero = CExpr::Int(0);
        let values = values.iter().chain(std::iter::repeat(&zero));
        for (value, ty) in values.zip(&fields) {
            let value = self.evaluator.term(value, at);
            sent.push(self.evaluator.coerce(value, *ty));
        }
        let capacity = self.evaluator.capacity(queue);
        if capacity == 0 {
            return self.meet(path, edge, &is, queue, &sent, closed);
        }
        let contents = self.evaluator.contents(queue, at);
        let length = self.evaluator.length(contents.clone(), queue);
        let room = PromelaTerm::compare("<", length, PromelaTerm::int(capacity));
        let mut choice = self.after(path, edge, is.and(room));
        let cell = Cell { root: CellRoot::Queue(queue), whose: Whose::Everyone, indices: Vec::new() };
        let added = PromelaTerm::new(PromelaNode::Append(contents, queue, sent), Sort::Channel);
        choice.path.step.done.store.write(cell, added);
        vec![choice]
    }

    fn receive(
        &mut self,
        path: &StepPath,
        edge: &ControlEdge,
        is: PromelaTerm,
        queue: usize,
        how: (&[ReceivePattern], bool, bool),
    ) -> Vec<StatementChoice> {
        let (pattern, any, copy) = how;
        let at = Self::context(path, Some(false));
        if is.truth().is_none() && !self.could_fit(queue, pattern) {
            self.evaluator.checks.push(is.not());
            return Vec::new();
        }
        if !self.fits(queue, pattern) {
            return Vec::new();
        }
        let (mut all, mut before) = (Vec::new(), PromelaTerm::bool(true));
        let positions = if any { self.evaluator.capacity(queue) } else { 1 };
        for index in 0..usize::try_from(positions).unwrap_or(0) {
            let matches = self.evaluator.matches(queue, index, pattern, at);
            let mut choice = self.after(path, edge, is.clone().and(before.clone()).and(matches.clone()));
            before = before.and(matches.not());
            let values =
                (0..pattern.len()).map(|field| self.evaluator.field(queue, index, field, at)).collect();
            self.keep(&mut choice.path, path, pattern, values);
            if !copy {
                let cell = Cell { root: CellRoot::Queue(queue), whose: Whose::Everyone, indices: Vec::new() };
                let rest = PromelaTerm::new(
                    PromelaNode::Without(self.evaluator.contents(queue, at), index),
                    Sort::Channel,
                );
                choice.path.step.done.store.write(cell, rest);
            }
            all.push(choice);
        }
        all
    }

    /// A channel has messages with as many fields, and channels where channels are stored.
    fn could_fit(&self, queue: usize, pattern: &[ReceivePattern]) -> bool {
        let program = self.evaluator.program;
        let fields = &program.channels[self.evaluator.instances.queues[queue].channel].fields;
        let fine = |(item, ty): (&ReceivePattern, &ScalarType)| match item {
            ReceivePattern::Store((variable, _)) => {
                (program.variables[*variable].ty == ScalarType::Channel) == (*ty == ScalarType::Channel)
            }
            _ => true,
        };
        fields.len() == pattern.len() && pattern.iter().zip(fields).all(fine)
    }

    fn fits(&mut self, queue: usize, pattern: &[ReceivePattern]) -> bool {
        let channel = self.evaluator.instances.queues[queue].channel;
        let fields = self.evaluator.program.channels[channel].fields.len();
        if fields < pattern.len() {
            let message = format!("messages of this channel have {fields} fields, not {}", pattern.len());
            self.evaluator.wrong(message, "remove the part without a field");
        }
        fields >= pattern.len()
    }

    /// Stores the fields of a message.
    fn keep(
        &mut self,
        next: &mut StepPath,
        path: &StepPath,
        pattern: &[ReceivePattern],
        values: Vec<PromelaTerm>,
    ) {
        for (item, value) in pattern.iter().zip(values) {
            if let ReceivePattern::Store(target) = item {
                self.store(next, path, target, value, Some(false));
            }
        }
    }

    /// A rendezvous with each process that may receive.
    fn meet(
        &mut self,
        path: &StepPath,
        edge: &ControlEdge,
        is: &PromelaTerm,
        queue: usize,
        sent: &[PromelaTerm],
        closed: bool,
    ) -> Vec<StatementChoice> {
        let program = self.evaluator.program;
        let mut all = Vec::new();
        for process in 0..program.processes.len() {
            for node in 0..program.processes[process].nodes.len() {
                // A statement may be at several locations, one inside the other.
                for other in &program.processes[process].nodes[node].edges {
                    let StatementEffect::Receive { channel, pattern, .. } = &other.action else { continue };
                    let count = self.evaluator.instances.count(process);
                    if self.evaluator.ranges.at[process][node].is_none()
                        || count == 0
                        || path.process == process && count == 1
                    {
                        continue;
                    }
                    let receivers: Vec<Whose> =
                        if closed { (0..count).map(Whose::Number).collect() } else { vec![Whose::Partner] };
                    for whose in receivers {
                        all.extend(self.hand_over(
                            (path, edge),
                            (process, node, whose, other),
                            (channel, pattern),
                            is,
                            (queue, sent),
                        ));
                    }
                }
            }
        }
        self.evaluator.span = edge.span;
        all
    }

    fn hand_over(
        &mut self,
        (path, edge): (&StepPath, &ControlEdge),
        (process, node, whose, other): (usize, usize, Whose, &ControlEdge),
        (channel, pattern): (&CExpr, &[ReceivePattern]),
        is: &PromelaTerm,
        (queue, sent): (usize, &[PromelaTerm]),
    ) -> Option<StatementChoice> {
        let whose = if self.evaluator.instances.count(process) == 1 && whose == Whose::Partner {
            Whose::Number(0)
        } else {
            whose
        };
        let receiver = StepPath {
            process,
            whose,
            at: node,
            step: path.step.clone(),
            ..Self::start(process, (node, LocationMode::Free))
        };
        let before = self.evaluator.checks.len();
        let at = LocationContext { node: Some(node), ..Self::context(&receiver, Some(false)) };
        self.evaluator.span = other.span;
        let same = self.evaluator.channels(channel, at).into_iter().find(|(_, own)| *own == queue);
        let (here, _) = same?;
        if here.truth().is_none() && !self.could_fit(queue, pattern) || !self.fits(queue, pattern) {
            return None;
        }
        let mut condition =
            is.clone().and(here).and(self.evaluator.located(process, whose, vec![node], at.done));
        if path.process == process {
            let distinct = match whose {
                Whose::Number(number) => self.evaluator.is(process, path.whose, number).not(),
                _ => PromelaTerm::new(PromelaNode::Is(process, Whose::Partner, usize::MAX), Sort::Bool).not(),
            };
            condition = condition.and(distinct);
        }
        for (item, value) in pattern.iter().zip(sent) {
            if let ReceivePattern::Match(expected) = item {
                let expected = self.evaluator.term(expected, at);
                condition = condition.and(self.evaluator.equal(value.clone(), expected));
            }
        }
        if let Some(provided) = &self.process(process).provided {
            condition = condition.and(self.evaluator.truth(provided, at));
        }
        let mut sender = self.after(path, edge, PromelaTerm::bool(true)).path;
        sender.step.partner = Some((process, node));
        sender.step.ends.push((path.process, path.whose, (edge.to, LocationMode::Free)));
        sender.step.statements.push(StepStatement::of(other, process, true));
        let mut control = StepPath { process, whose, at: other.to, dstep: None, ..sender };
        self.keep(&mut control, &receiver, pattern, sent.to_vec());
        self.evaluator.checks.truncate(before);
        let exclusive = other.atomic && self.process(process).nodes[other.to].atomic;
        Some(StatementChoice { condition, path: control, exclusive })
    }

    fn start_process(
        &mut self,
        path: &StepPath,
        edge: &ControlEdge,
        spawn: &super::instances::Spawn,
        process: usize,
        values: &[CExpr],
        result: Option<&PromelaTarget>,
    ) -> StatementChoice {
        let at = Self::context(path, Some(false));
        let program = self.evaluator.program;
        let mut condition = self.evaluator.is(path.process, path.whose, spawn.runner);
        for (variable, value) in &spawn.counters {
            let ty = program.variables[*variable].ty;
            let expected = self.evaluator.value_term(*value, ty);
            let own = CExpr::Read(*variable, Vec::new(), Whose::Own);
            let now = self.evaluator.term(&own, at);
            condition = condition.and(self.evaluator.equal(now, expected));
        }
        let mut choice = self.after(path, edge, condition);
        let whose = Whose::Number(spawn.started);
        let params = &program.processes[process].params;
        for (param, value) in params.iter().zip(values) {
            if self.evaluator.fixed(*param).is_none() {
                let value = self.evaluator.term(value, at);
                let value = self.evaluator.coerce(value, program.variables[*param].ty);
                let cell = Cell { root: CellRoot::Variable(*param), whose, indices: Vec::new() };
                choice.path.step.done.store.write(cell, value);
            }
        }
        let processes = self.evaluator.term(&CExpr::Processes, at);
        let known = self.evaluator.instances.of(process).nth(spawn.started).and_then(|instance| instance.pid);
        let pid = known.map_or(processes, PromelaTerm::int);
        if self.evaluator.instances.dynamic {
            let cell = Cell { root: CellRoot::Pid(process), whose, indices: Vec::new() };
            choice.path.step.done.store.write(cell, pid.clone());
        }
        let start = program.processes[process].start;
        choice.path.step.done.started.push((process, spawn.started, start));
        choice.path.step.ends.push((process, whose, (start, LocationMode::Free)));
        self.first_values(&mut choice.path, process, whose);
        if let Some(result) = result {
            self.store(&mut choice.path, path, result, pid, Some(false));
        }
        choice
    }

    /// Gives local variables the first values that are not constant.
    fn first_values(&mut self, path: &mut StepPath, process: usize, whose: Whose) {
        let program = self.evaluator.program;
        let own = &program.processes[process];
        for local in own.locals.iter().filter(|local| !own.params.contains(local)) {
            let variable = &program.variables[*local];
            let constant = super::names::value(&variable.initial[0], program).is_some();
            let channel = variable.ty == ScalarType::Channel && !variable.changes;
            if constant || channel || !variable.dims.is_empty() {
                continue;
            }
            let at =
                LocationContext { process, whose, node: None, done: &path.step.done, timeout: Some(false) };
            let value = self.evaluator.term(&variable.initial[0], at);
            let value = self.evaluator.coerce(value, variable.ty);
            let cell = Cell { root: CellRoot::Variable(*local), whose, indices: Vec::new() };
            path.step.done.store.write(cell, value);
        }
    }
}

impl StepStatement {
    fn of(edge: &ControlEdge, process: usize, by_partner: bool) -> Self {
        let (span, listed) = (edge.span, edge.listed.clone());
        Self { process, by_partner, span, listed, dstep: edge.dstep.is_some(), jumps: edge.jumps }
    }
}

impl StepPath {
    /// The location of the process in control before the step.
    fn node_before(&self) -> usize {
        match self.whose {
            Whose::Own => self.step.from.0,
            _ => self.step.partner.map_or(self.at, |(_, node)| node),
        }
    }
}
