//! The processes that there can be, found by following what starts them.

use super::names::{calculated, number_of};
use super::program::{
    CExpr, ControlEdge, PromelaProgram, PromelaTarget, ReceivePattern, ScalarType, StatementEffect,
};
use super::term::Whose;
use kit::diagnostics::Diagnostic;
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

/// The most processes of a program, as in Spin.
const MOST_PROCESSES: usize = 255;
/// How many states of a process and its counters are looked at.
const MOST_STATES: usize = 5_000;

/// A value that is known before a program runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum StaticValue {
    Int(i64),
    Message(usize, usize),
    /// A channel, from 0 on.
    Queue(usize),
}

/// One process.
#[derive(Debug)]
pub(super) struct ProcessInstance {
    pub process: usize,
    /// Its number among those of its type.
    pub number: usize,
    /// It is there from the beginning.
    pub active: bool,
    /// Its process number, if it is always the same.
    pub pid: Option<i64>,
    /// The values of parameters that are known.
    pub params: Vec<Option<StaticValue>>,
}

/// A process that a `run` starts: the one that runs it, what its counters are then, and the one that is started.
#[derive(Debug)]
pub(super) struct Spawn {
    pub runner: usize,
    pub counters: Vec<(usize, StaticValue)>,
    pub started: usize,
}

/// A single channel.
#[derive(Debug)]
pub(super) struct Queue {
    pub channel: usize,
    /// The number of the process that it belongs to, among those of its type.
    pub whose: Option<usize>,
    pub element: usize,
}

/// All processes and channels of a program.
#[derive(Debug, Default)]
pub(super) struct Instances {
    pub all: Vec<ProcessInstance>,
    pub queues: Vec<Queue>,
    /// For the place of a `run` (type of process, location, number of the edge) what it starts.
    pub spawns: HashMap<(usize, usize, usize), Vec<Spawn>>,
    /// Process numbers depend on what happens.
    pub dynamic: bool,
}

/// The known values of the local variables of a process at some point.
type LocalKnowledge = BTreeMap<usize, StaticValue>;

impl Instances {
    /// The processes of one type.
    pub fn of(&self, process: usize) -> impl Iterator<Item = &ProcessInstance> {
        self.all.iter().filter(move |instance| instance.process == process)
    }

    /// How many processes of a type there can be.
    pub fn count(&self, process: usize) -> usize {
        self.of(process).count()
    }

    /// The bounds of the process numbers of a type.
    pub fn pids(&self, process: usize) -> (i64, i64) {
        let known = self.of(process).map(|instance| instance.pid.filter(|_| !self.dynamic));
        match known.collect::<Option<Vec<_>>>().as_deref() {
            Some(all @ [first, ..]) => (*first, all.iter().copied().max().unwrap_or(*first)),
            _ => (0, i64::try_from(self.all.len()).unwrap_or(255)),
        }
    }

    /// The number of a channel.
    pub fn queue(&self, channel: usize, whose: Option<usize>, element: usize) -> Option<usize> {
        let is = |queue: &Queue| queue.channel == channel && queue.whose == whose && queue.element == element;
        self.queues.iter().position(is)
    }

    fn add(
        &mut self,
        program: &PromelaProgram,
        process: usize,
        active: bool,
        params: Vec<Option<StaticValue>>,
    ) -> usize {
        let number = self.count(process);
        for (channel, own) in program.channels.iter().enumerate() {
            let variable = &program.variables[own.variable];
            if variable.owner == Some(process) {
                let elements = 0..variable.initial.len();
                self.queues.extend(elements.map(|element| Queue { channel, whose: Some(number), element }));
            }
        }
        self.all.push(ProcessInstance { process, number, active, pid: None, params });
        number
    }
}

/// Finds the processes.
///
/// # Errors
/// A `run` that may be executed any number of times.
pub(super) fn instances(program: &PromelaProgram) -> Result<Instances, Vec<Diagnostic>> {
    let mut found = Instances::default();
    for (channel, own) in program.channels.iter().enumerate() {
        let variable = &program.variables[own.variable];
        if variable.owner.is_none() {
            let elements = 0..variable.initial.len();
            found.queues.extend(elements.map(|element| Queue { channel, whose: None, element }));
        }
    }
    for (process, own) in program.processes.iter().enumerate() {
        for _ in 0..own.active {
            let zero = own.params.iter().map(|param| zero(program, *param)).collect();
            found.add(program, process, true, zero);
        }
    }
    let mut mistakes = Vec::new();
    let mut next = 0;
    let mut orders = Vec::new();
    while next < found.all.len() && mistakes.is_empty() {
        if found.all.len() > MOST_PROCESSES {
            let message = format!("more than {MOST_PROCESSES} processes are started");
            mistakes.push(
                Diagnostic::error_without_place(message)
                    .with_help("start fewer, or let one do the work of several"),
            );
            break;
        }
        match started(program, &mut found, next) {
            Ok(order) => orders.extend(order.map(|order| (next, order))),
            Err(diagnostic) => mistakes.push(diagnostic),
        }
        next += 1;
    }
    if !mistakes.is_empty() {
        return Err(mistakes);
    }
    number(program, &mut found, &orders);
    Ok(found)
}

fn zero(program: &PromelaProgram, variable: usize) -> Option<StaticValue> {
    match program.variables[variable].ty {
        ScalarType::Message(set) => Some(StaticValue::Message(set, 0)),
        ScalarType::Channel => None,
        _ => Some(StaticValue::Int(0)),
    }
}

/// Gives process numbers, if they are always the same.
fn number(program: &PromelaProgram, found: &mut Instances, orders: &[(usize, StartOrder)]) {
    let mortal = |instance: &ProcessInstance| {
        let process = &program.processes[instance.process];
        reaches(process, |node| node == process.end).contains(&process.start)
    };
    let last = found.all.len().saturating_sub(1);
    let fixed = match orders {
        [] => true,
        [(runner, order)] => {
            let others = found.all.iter().enumerate().filter(|(index, _)| index != runner);
            let mut risky =
                others.filter(|(index, own)| (own.active || !order.atomic && *index != last) && mortal(own));
            order.straight && risky.next().is_none()
        }
        _ => false,
    };
    found.dynamic = !fixed;
    for (pid, instance) in found.all.iter_mut().enumerate() {
        instance.pid = (fixed || instance.active).then(|| i64::try_from(pid).unwrap_or(0));
    }
}

/// How a process starts others.
#[derive(Debug)]
struct StartOrder {
    /// One after the other, always in the same order.
    straight: bool,
    /// All in one atomic sequence that does not wait.
    atomic: bool,
}

/// The locations from which one is reached for which a condition holds.
pub(super) fn reaches(process: &super::program::Proctype, goal: impl Fn(usize) -> bool) -> HashSet<usize> {
    let mut all: HashSet<usize> = (0..process.nodes.len()).filter(|node| goal(*node)).collect();
    loop {
        let before = all.len();
        for (index, node) in process.nodes.iter().enumerate() {
            if node.edges.iter().any(|edge| all.contains(&edge.to)) {
                all.insert(index);
            }
        }
        if all.len() == before {
            return all;
        }
    }
}

/// A state of a process: its location and counters, with its successors and whether the step is always possible and atomic.
#[derive(Debug)]
struct VisitedState {
    node: usize,
    known: LocalKnowledge,
    next: Vec<(usize, bool)>,
}

/// Follows one process and adds the processes that it starts.
fn started(
    program: &PromelaProgram,
    found: &mut Instances,
    runner: usize,
) -> Result<Option<StartOrder>, Diagnostic> {
    let process = &program.processes[found.all[runner].process];
    let runs = |edge: &ControlEdge| matches!(edge.action, StatementEffect::Run { .. });
    let useful = reaches(process, |node| process.nodes[node].edges.iter().any(runs));
    if !useful.contains(&process.start) {
        return Ok(None);
    }
    let visited = visit(program, found, runner, &useful, true);
    let visited = match visited.len() {
        MOST_STATES.. => visit(program, found, runner, &useful, false),
        _ => visited,
    };
    let mut started: Vec<usize> = Vec::new();
    for (state, at) in visited.iter().enumerate() {
        for (number, edge) in process.nodes[at.node].edges.iter().enumerate() {
            let StatementEffect::Run { process: target, values, .. } = &edge.action else { continue };
            if on_cycle(&visited, state) {
                let message = "this `run` may be executed any number of times";
                let help = "count with a local variable and a constant bound, so that the number of processes is known";
                return Err(Diagnostic::error(edge.span, message).with_help(help));
            }
            if found.all.len() > MOST_PROCESSES {
                return Ok(None);
            }
            let own = &found.all[runner];
            let (type_of, number_of_runner) = (own.process, own.number);
            let params =
                values.iter().map(|value| known_value(value, program, found, runner, &at.known)).collect();
            let started_one = found.add(program, *target, false, params);
            let counters = at.known.iter().map(|(variable, value)| (*variable, *value)).collect();
            let spawn = Spawn { runner: number_of_runner, counters, started: started_one };
            found.spawns.entry((type_of, at.node, number)).or_default().push(spawn);
            started.push(state);
        }
    }
    for ((_, node, number), spawns) in &mut found.spawns {
        distinguish(spawns);
        let same = |a: &Spawn, b: &Spawn| {
            let differs = |(variable, value): &(usize, StaticValue)| {
                b.counters.iter().any(|(other, second)| other == variable && second != value)
            };
            a.runner == b.runner && !a.counters.iter().any(differs)
        };
        if (0..spawns.len()).any(|a| (0..a).any(|b| same(&spawns[a], &spawns[b]))) {
            let message = "this `run` may be executed several times, and no local counter distinguishes them";
            let span = process
                .nodes
                .get(*node)
                .and_then(|node| node.edges.get(*number))
                .map_or(process.span, |edge| edge.span);
            return Err(Diagnostic::error(span, message).with_help("write a `run` for each process"));
        }
    }
    Ok((!started.is_empty()).then(|| order(&visited, &started)))
}

/// Keeps the counters by which the processes that one `run` starts differ.
fn distinguish(spawns: &mut [Spawn]) {
    let differs = |variable: usize, spawns: &[Spawn]| {
        let mut values: HashMap<usize, HashSet<Option<StaticValue>>> = HashMap::new();
        for spawn in spawns {
            let value = spawn.counters.iter().find(|(own, _)| *own == variable).map(|(_, value)| *value);
            values.entry(spawn.runner).or_default().insert(value);
        }
        values.values().any(|all| all.len() > 1)
    };
    let variables: HashSet<usize> =
        spawns.iter().flat_map(|spawn| spawn.counters.iter().map(|(own, _)| *own)).collect();
    let needed: HashSet<usize> =
        variables.into_iter().filter(|variable| differs(*variable, spawns)).collect();
    for spawn in spawns {
        spawn.counters.retain(|(variable, _)| needed.contains(variable));
    }
}

fn order(visited: &[VisitedState], started: &[usize]) -> StartOrder {
    let starts: HashSet<usize> = started.iter().copied().collect();
    // The next states that start a process, from the successors of a state.
    let following = |from: usize, itself: bool| {
        let mut stack: Vec<usize> =
            if itself { vec![from] } else { visited[from].next.iter().map(|(to, _)| *to).collect() };
        let (mut seen, mut all) = (HashSet::new(), HashSet::new());
        while let Some(state) = stack.pop() {
            if !seen.insert(state) {
                continue;
            }
            if starts.contains(&state) {
                all.insert(state);
            } else {
                stack.extend(visited[state].next.iter().map(|(to, _)| *to));
            }
        }
        all
    };
    let (mut now, mut straight, mut atomic) = (following(0, true), true, true);
    let mut passed = 0;
    while let (1, Some(state)) = (now.len(), now.iter().next().copied()) {
        passed += 1;
        now = following(state, false);
        let mut at = state;
        while !now.is_empty() && atomic {
            match visited[at].next[..] {
                [(to, true)] => at = to,
                _ => atomic = false,
            }
            if now.contains(&at) {
                break;
            }
        }
    }
    straight &= now.is_empty() && passed == started.len();
    StartOrder { straight, atomic: straight && atomic }
}

fn on_cycle(visited: &[VisitedState], state: usize) -> bool {
    let mut stack: Vec<usize> = visited[state].next.iter().map(|(to, _)| *to).collect();
    let mut seen = HashSet::new();
    while let Some(next) = stack.pop() {
        if next == state {
            return true;
        }
        if seen.insert(next) {
            stack.extend(visited[next].next.iter().map(|(to, _)| *to));
        }
    }
    false
}

/// The states of a process as far as they matter for what it starts; `counting` if local variables are followed.
fn visit(
    program: &PromelaProgram,
    found: &Instances,
    runner: usize,
    useful: &HashSet<usize>,
    counting: bool,
) -> Vec<VisitedState> {
    let own = &found.all[runner];
    let process = &program.processes[own.process];
    let mut known = LocalKnowledge::new();
    if counting {
        for (param, value) in process.params.iter().zip(&own.params) {
            known.extend(value.map(|value| (*param, value)));
        }
        for local in process.locals.iter().filter(|local| !process.params.contains(local)) {
            let variable = &program.variables[*local];
            if variable.dims.is_empty() && variable.ty != ScalarType::Channel {
                known.extend(
                    known_value(&variable.initial[0], program, found, runner, &known)
                        .map(|value| (*local, value)),
                );
            }
        }
    }
    let mut all = vec![VisitedState { node: process.start, known: known.clone(), next: Vec::new() }];
    let mut numbers: HashMap<(usize, LocalKnowledge), usize> = HashMap::from([((process.start, known), 0)]);
    let mut open = VecDeque::from([0]);
    while let Some(state) = open.pop_front() {
        let (node, known) = (all[state].node, all[state].known.clone());
        let edges = &process.nodes[node].edges;
        let truth = |edge: &ControlEdge| match &edge.action {
            StatementEffect::Guard(e) => match known_value(e, program, found, runner, &known) {
                Some(StaticValue::Int(value)) => Some(value != 0),
                _ => None,
            },
            StatementEffect::Send { .. } | StatementEffect::Receive { .. } | StatementEffect::Else => None,
            _ => Some(true),
        };
        for (number, edge) in edges.iter().enumerate() {
            let sure = match edge.action {
                StatementEffect::Else => {
                    let before = &edges[..number];
                    if before.iter().any(|edge| truth(edge) == Some(true)) {
                        continue;
                    }
                    before.iter().all(|edge| truth(edge) == Some(false))
                }
                _ => match truth(edge) {
                    Some(false) => continue,
                    truth => truth == Some(true),
                },
            };
            if !useful.contains(&edge.to) {
                continue;
            }
            let mut after = known.clone();
            if counting {
                effect(edge, program, found, runner, &mut after);
            }
            let next = all.len();
            let target = *numbers.entry((edge.to, after.clone())).or_insert(next);
            if target == next {
                if next >= MOST_STATES {
                    return all;
                }
                all.push(VisitedState { node: edge.to, known: after, next: Vec::new() });
                open.push_back(next);
            }
            let atomic = edge.atomic && process.nodes[edge.to].atomic;
            all[state].next.push((target, sure && atomic));
        }
    }
    all
}

/// The known values after a statement.
fn effect(
    edge: &ControlEdge,
    program: &PromelaProgram,
    found: &Instances,
    runner: usize,
    known: &mut LocalKnowledge,
) {
    match &edge.action {
        StatementEffect::Assign(target, value) => {
            let value = known_value(value, program, found, runner, known);
            assign(program, target, value, known);
        }
        StatementEffect::Receive { pattern, .. } => {
            for item in pattern {
                if let ReceivePattern::Store(target) = item {
                    assign(program, target, None, known);
                }
            }
        }
        StatementEffect::Run { result: Some(target), .. } => assign(program, target, None, known),
        _ => {}
    }
}

fn assign(
    program: &PromelaProgram,
    (variable, _): &PromelaTarget,
    value: Option<StaticValue>,
    known: &mut LocalKnowledge,
) {
    known.remove(variable);
    let own = &program.variables[*variable];
    if own.owner.is_some() && own.dims.is_empty() {
        let value = value.map(|value| match (value, own.ty) {
            (StaticValue::Int(number), ScalarType::Int(low, high)) => {
                StaticValue::Int((number - low).rem_euclid(high - low + 1) + low)
            }
            (StaticValue::Int(number), ScalarType::Bool) => StaticValue::Int(number & 1),
            (value, _) => value,
        });
        known.extend(value.map(|value| (*variable, value)));
    }
}

/// The value of an expression, if what is known determines it.
fn known_value(
    expr: &CExpr,
    program: &PromelaProgram,
    found: &Instances,
    runner: usize,
    known: &LocalKnowledge,
) -> Option<StaticValue> {
    let inner = |e: &CExpr| known_value(e, program, found, runner, known);
    let int = |e: &CExpr| match inner(e)? {
        StaticValue::Int(value) => Some(value),
        StaticValue::Message(set, value) => Some(number_of(program, set, value)),
        StaticValue::Queue(_) => None,
    };
    let truth = |value: bool| Some(StaticValue::Int(i64::from(value)));
    match expr {
        CExpr::Int(value) => Some(StaticValue::Int(*value)),
        CExpr::Bool(value) => truth(*value),
        CExpr::Message(set, value) => Some(StaticValue::Message(*set, *value)),
        CExpr::Pid => {
            let own = &found.all[runner];
            let before = found.all.iter().take(runner);
            (own.active).then(|| StaticValue::Int(i64::try_from(before.count()).unwrap_or(0)))
        }
        CExpr::Channel(channel, element) => {
            let owner = program.variables[program.channels[*channel].variable].owner;
            let whose = owner.map(|_| found.all[runner].number);
            found.queue(*channel, whose, *element).map(StaticValue::Queue)
        }
        CExpr::Read(variable, indices, whose) => {
            let own = &program.variables[*variable];
            if let Some(value) = known.get(variable) {
                return Some(*value);
            }
            if own.changes || *whose != Whose::Everyone && own.ty != ScalarType::Channel {
                return None;
            }
            let index = flat_index(&indices.iter().map(int).collect::<Option<Vec<_>>>()?, &own.dims)?;
            let param = program
                .processes
                .get(own.owner.unwrap_or(usize::MAX))
                .and_then(|process| process.params.iter().position(|param| param == variable));
            match param {
                Some(position) => found.all[runner].params[position],
                None => inner(own.initial.get(index).or(own.initial.first())?),
            }
        }
        CExpr::Unary(sign, a) => match *sign {
            "!" => truth(int(a)? == 0),
            "-" => Some(StaticValue::Int(int(a)?.checked_neg()?)),
            "~" => Some(StaticValue::Int(!int(a)?)),
            _ => None,
        },
        CExpr::Binary("&&", a, b) => match (int(a), int(b)) {
            (Some(0), _) | (_, Some(0)) => truth(false),
            (Some(_), Some(_)) => truth(true),
            _ => None,
        },
        CExpr::Binary("||", a, b) => match (int(a), int(b)) {
            (Some(0), Some(0)) => truth(false),
            (Some(value), _) | (_, Some(value)) if value != 0 => truth(true),
            _ => None,
        },
        CExpr::Binary(sign, a, b) => calculated(sign, int(a)?, int(b)?).map(StaticValue::Int),
        CExpr::If(c, a, b) => {
            if int(c)? != 0 {
                inner(a)
            } else {
                inner(b)
            }
        }
        _ => None,
    }
}

/// The number of an element, the last index counting fastest; `None` outside of the array.
pub(super) fn flat_index(indices: &[i64], dims: &[usize]) -> Option<usize> {
    indices.iter().zip(dims).try_fold(0, |sum, (index, size)| {
        let index = usize::try_from(*index).ok().filter(|index| index < size)?;
        Some(sum * size + index)
    })
}
