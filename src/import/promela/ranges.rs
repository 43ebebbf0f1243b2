//! Bounds of integers: an analysis of intervals over the automata.
//!
//! At each location, the values of a process's own variables are known to lie in intervals; those of global variables only inside
//! sequences that nothing interrupts. Elsewhere, an interval for the whole program counts.

use super::instances::{Instances, StaticValue};
use super::names::number_of;
use super::program::{
    CExpr, ControlEdge, PromelaProgram, PromelaTarget, ReceivePattern, ScalarType, StatementEffect,
};
use super::term::{INT, Whose};

type Interval = (i64, i64);

/// The intervals of variables at a location; of those that are not integers, nothing is known.
type IntervalEnv = Vec<Interval>;

/// How often all locations are looked at.
const MOST_ROUNDS: usize = 400;

/// How often a bound may grow by itself.
const PATIENCE: usize = 12;

/// The known bounds of integers.
#[derive(Debug)]
pub(super) struct Ranges<'p> {
    program: &'p PromelaProgram,
    instances: &'p Instances,
    /// The bounds of each variable, anywhere.
    pub variables: Vec<Interval>,
    grown: Vec<usize>,
    /// The bounds of the fields of messages, for each declaration of channels.
    pub fields: Vec<Vec<Interval>>,
    /// The bounds at the locations of each type of processes; none where none is reached.
    pub at: Vec<Vec<Option<IntervalEnv>>>,
    visits: Vec<Vec<usize>>,
    /// The numbers of the program, in ascending order.
    steps: Vec<i64>,
    changed: bool,
    /// The type of the processes that are looked at.
    process: usize,
}

/// The bounds of a type.
fn bounds(program: &PromelaProgram, ty: ScalarType) -> Interval {
    match ty {
        ScalarType::Bool => (0, 1),
        ScalarType::Int(low, high) => (low, high),
        ScalarType::Message(set) => (0, i64::try_from(program.messages[set].1.len()).unwrap_or(255)),
        ScalarType::Channel => (0, 255),
    }
}

fn join((a, b): Interval, (c, d): Interval) -> Interval {
    (a.min(c), b.max(d))
}

impl<'p> Ranges<'p> {
    pub fn new(program: &'p PromelaProgram, instances: &'p Instances) -> Self {
        let mut steps = Vec::new();
        each_expr(program, &mut |expr| {
            expr.visit(&mut |part| {
                if let CExpr::Int(value) = part {
                    steps.extend([value - 1, *value, value + 1]);
                }
            });
        });
        steps.sort_unstable();
        steps.dedup();
        let mut ranges = Self {
            program,
            instances,
            variables: Vec::new(),
            grown: vec![0; program.variables.len()],
            fields: program.channels.iter().map(|channel| vec![(0, 0); channel.fields.len()]).collect(),
            at: program.processes.iter().map(|process| vec![None; process.nodes.len()]).collect(),
            visits: program.processes.iter().map(|process| vec![0; process.nodes.len()]).collect(),
            steps,
            changed: true,
            process: 0,
        };
        for variable in &program.variables {
            ranges.process = variable.owner.unwrap_or(0);
            let values = variable.initial.iter().map(|value| match ranges.variables.is_empty() {
                true => ranges.of(value, &[]),
                false => ranges.of(value, &ranges.variables),
            });
            let whole = bounds(program, variable.ty);
            let first = values.reduce(join).unwrap_or((0, 0));
            let first = if first.0 < whole.0 || first.1 > whole.1 { whole } else { first };
            // A variable that is not there yet has the value 0.
            ranges.variables.push(if variable.owner.is_some() { join(first, (0, 0)) } else { first });
        }
        for instance in &instances.all {
            let params = &program.processes[instance.process].params;
            for (param, value) in params.iter().zip(&instance.params) {
                if let Some(StaticValue::Int(value)) = value {
                    ranges.grow(*param, (*value, *value));
                }
            }
        }
        let mut rounds = 0;
        while std::mem::take(&mut ranges.changed) {
            rounds += 1;
            for process in 0..program.processes.len() {
                ranges.process(process, rounds > 100);
            }
            if rounds > MOST_ROUNDS {
                ranges.give_up();
            }
        }
        ranges
    }

    /// Knows no more than the types say.
    fn give_up(&mut self) {
        let program = self.program;
        self.variables = program.variables.iter().map(|variable| bounds(program, variable.ty)).collect();
        for (fields, channel) in self.fields.iter_mut().zip(&program.channels) {
            *fields = channel.fields.iter().map(|ty| bounds(program, *ty)).collect();
        }
        self.at.iter_mut().flatten().for_each(|env| *env = Some(self.variables.clone()));
        self.changed = false;
    }

    fn process(&mut self, process: usize, hurry: bool) {
        let program = self.program;
        self.process = process;
        let own = &program.processes[process];
        let locals: IntervalEnv = self.variables.clone();
        let mut start = locals;
        for local in own.locals.iter().filter(|local| !own.params.contains(local)) {
            let variable = &program.variables[*local];
            if variable.dims.is_empty() {
                let value = self.of(&variable.initial[0], &start);
                start[*local] = fit(value, bounds(program, variable.ty));
                self.grow(*local, start[*local]);
            }
        }
        self.arrive(process, own.start, start, hurry);
        for node in 0..own.nodes.len() {
            let Some(mut env) = self.at[process][node].clone() else { continue };
            let edges = &own.nodes[node].edges;
            let waits = |edge: &ControlEdge| {
                matches!(
                    edge.action,
                    StatementEffect::Guard(_)
                        | StatementEffect::Send { .. }
                        | StatementEffect::Receive { .. }
                )
            };
            let inside = own.nodes[node].atomic || own.nodes[node].dstep.is_some();
            let never_waits = own.provided.is_none()
                && (!edges.iter().any(waits)
                    || edges.iter().any(|edge| matches!(edge.action, StatementEffect::Else)));
            for (variable, interval) in env.iter_mut().enumerate() {
                let whole = self.variables[variable];
                if program.variables[variable].owner.is_some() {
                    continue;
                }
                let (low, high) = (interval.0.max(whole.0), interval.1.min(whole.1));
                *interval = if inside && never_waits && low <= high { (low, high) } else { whole };
            }
            self.at[process][node] = Some(env.clone());
            for (number, edge) in edges.iter().enumerate() {
                let mut after = Some(env.clone());
                self.step(edge, &edges[..number], &mut after);
                if let Some(after) = after {
                    self.arrive(process, edge.to, after, hurry);
                }
            }
        }
    }

    fn arrive(&mut self, process: usize, node: usize, env: IntervalEnv, hurry: bool) {
        self.visits[process][node] += 1;
        let hurry = hurry || self.visits[process][node] > 40 * PATIENCE;
        let widen = self.visits[process][node] > PATIENCE;
        let Some(old) = self.at[process][node].clone() else {
            self.at[process][node] = Some(env);
            self.changed = true;
            return;
        };
        let mut new = old.clone();
        for (variable, interval) in env.into_iter().enumerate() {
            let global = self.program.variables[variable].owner.is_none();
            let joined = join(old[variable], interval);
            if joined != old[variable] {
                let whole = bounds(self.program, self.program.variables[variable].ty);
                new[variable] = if hurry {
                    whole
                } else if widen {
                    self.widened(joined, old[variable], whole)
                } else {
                    joined
                };
                self.changed |= !global;
            }
        }
        self.changed |= new != old;
        self.at[process][node] = Some(new);
    }

    /// The next bounds that the numbers of the program suggest.
    fn widened(&self, (low, high): Interval, old: Interval, whole: Interval) -> Interval {
        let below =
            self.steps.iter().rev().find(|step| **step <= low).copied().unwrap_or(whole.0).max(whole.0);
        let above = self.steps.iter().find(|step| **step >= high).copied().unwrap_or(whole.1).min(whole.1);
        (if low < old.0 { below } else { old.0 }, if high > old.1 { above } else { old.1 })
    }

    fn grow(&mut self, variable: usize, interval: Interval) {
        let old = self.variables[variable];
        let whole = bounds(self.program, self.program.variables[variable].ty);
        let mut new = join(old, fit(interval, whole));
        if new != old {
            self.grown[variable] += 1;
            match self.grown[variable] {
                0..PATIENCE => {}
                50.. => new = whole,
                _ => new = self.widened(new, old, whole),
            }
            self.variables[variable] = new;
            self.changed = true;
        }
    }

    fn assign(&mut self, (variable, indices): &PromelaTarget, interval: Interval, env: &mut IntervalEnv) {
        let whole = bounds(self.program, self.program.variables[*variable].ty);
        let interval = fit(interval, whole);
        self.grow(*variable, interval);
        if indices.is_empty() {
            env[*variable] = interval;
        }
    }

    /// The declarations that a channel may come from.
    pub fn channels(&self, channel: &CExpr, fields: usize) -> Vec<usize> {
        if let CExpr::Read(variable, ..) = channel {
            let own = &self.program.variables[*variable];
            let declared = self.program.channels.iter().position(|channel| channel.variable == *variable);
            if let Some(declared) = declared.filter(|_| !own.changes) {
                return vec![declared];
            }
        }
        (0..self.fields.len()).filter(|channel| self.fields[*channel].len() >= fields).collect()
    }

    fn step(&mut self, edge: &ControlEdge, before: &[ControlEdge], env: &mut Option<IntervalEnv>) {
        let Some(now) = env else { return };
        match &edge.action {
            StatementEffect::Skip => {}
            StatementEffect::Guard(e) => self.refine(e, true, env),
            StatementEffect::Assert(_) => {}
            StatementEffect::Else => {
                for other in before {
                    if let StatementEffect::Guard(e) = &other.action {
                        self.refine(e, false, env);
                    }
                }
            }
            StatementEffect::Assign(target, value) => {
                let interval = self.of(value, now);
                self.assign(target, interval, now);
            }
            StatementEffect::Send { channel, values } => {
                for declared in self.channels(channel, values.len()) {
                    for (number, value) in values.iter().enumerate() {
                        let ty = bounds(self.program, self.program.channels[declared].fields[number]);
                        let interval = join(fit(self.of(value, now), ty), self.fields[declared][number]);
                        if interval != self.fields[declared][number] {
                            // A field may count for ever: it gets the bounds of its type soon.
                            let old = self.fields[declared][number];
                            self.fields[declared][number] = self.widened(interval, old, ty);
                            self.changed = true;
                        }
                    }
                }
            }
            StatementEffect::Receive { channel, pattern, .. } => {
                let from = self.channels(channel, pattern.len());
                for (number, item) in pattern.iter().enumerate() {
                    if let ReceivePattern::Store(target) = item {
                        let all = from.iter().map(|declared| self.fields[*declared][number]);
                        let interval = all.reduce(join).unwrap_or((0, 0));
                        self.assign(target, interval, now);
                    }
                }
            }
            StatementEffect::Run { process: target, values, result } => {
                let params = self.program.processes[*target].params.clone();
                for (param, value) in params.into_iter().zip(values) {
                    let interval = self.of(value, now);
                    self.grow(param, interval);
                }
                if let Some(result) = result {
                    let last = i64::try_from(self.instances.all.len()).unwrap_or(255);
                    self.assign(result, (0, last), now);
                }
            }
        }
    }

    /// Narrows intervals by a condition that holds, or does not; none are left where that cannot be.
    fn refine(&self, expr: &CExpr, holds: bool, env: &mut Option<IntervalEnv>) {
        match (expr, holds) {
            (CExpr::Unary("!", inner), _) => self.refine(inner, !holds, env),
            (CExpr::Binary("&&", a, b), true) | (CExpr::Binary("||", a, b), false) => {
                self.refine(a, holds, env);
                self.refine(b, holds, env);
            }
            (CExpr::Binary(sign @ ("==" | "!=" | "<" | "<=" | ">" | ">="), a, b), _) => {
                let sign = if holds { sign } else { inverse(sign) };
                self.narrow(a, sign, b, env);
                self.narrow(b, mirror(sign), a, env);
            }
            _ => {
                if let Some(now) = env {
                    let (low, high) = self.of(expr, now);
                    let impossible = if holds { (low, high) == (0, 0) } else { low > 0 || high < 0 };
                    if impossible {
                        *env = None;
                    }
                }
            }
        }
    }

    fn narrow(&self, variable: &CExpr, sign: &str, other: &CExpr, env: &mut Option<IntervalEnv>) {
        let Some(now) = env else { return };
        let (low, high) = self.of(other, now);
        let (a, b) = self.of(variable, now);
        let (a, b) = match sign {
            "==" => (a.max(low), b.min(high)),
            "!=" if low == high => (a + i64::from(a == low), b - i64::from(b == low)),
            "<" => (a, b.min(high - 1)),
            "<=" => (a, b.min(high)),
            ">" => (a.max(low + 1), b),
            ">=" => (a.max(low), b),
            _ => (a, b),
        };
        if a > b {
            *env = None;
        } else if let CExpr::Read(variable, indices, _) = variable
            && indices.is_empty()
        {
            now[*variable] = (a, b);
        }
    }

    /// The interval of an expression.
    pub fn of(&self, expr: &CExpr, env: &[Interval]) -> Interval {
        let truth = (0, 1);
        let int = |(low, high): Interval| if low < INT.0 || high > INT.1 { INT } else { (low, high) };
        match expr {
            CExpr::Int(value) => (*value, *value),
            CExpr::Bool(value) => (i64::from(*value), i64::from(*value)),
            CExpr::Message(set, value) => {
                let number = number_of(self.program, *set, *value);
                (number, number)
            }
            CExpr::Read(variable, indices, whose) => {
                let program = &self.program.variables[*variable];
                let known = if indices.is_empty() && (program.owner.is_none() || *whose == Whose::Own) {
                    env.get(*variable)
                } else {
                    None
                };
                known
                    .or(self.variables.get(*variable))
                    .copied()
                    .unwrap_or_else(|| bounds(self.program, program.ty))
            }
            CExpr::Pid => self.instances.pids(self.process),
            CExpr::Processes => (0, i64::try_from(self.instances.all.len()).unwrap_or(255)),
            CExpr::Unary("!", _)
            | CExpr::Timeout
            | CExpr::Full(_)
            | CExpr::Poll { .. }
            | CExpr::At { .. } => truth,
            CExpr::Unary("-", a) => {
                let (low, high) = self.of(a, env);
                int((-high, -low))
            }
            CExpr::Unary(_, a) => {
                let (low, high) = self.of(a, env);
                (-high - 1, -low - 1)
            }
            CExpr::Length(_) => (0, 64),
            CExpr::If(_, a, b) => join(self.of(a, env), self.of(b, env)),
            CExpr::Remote { read, .. } => self.of(read, &[]),
            CExpr::Channel(..) => (0, 255),
            CExpr::Binary(sign, a, b) => {
                let ((a, b), (c, d)) = (self.of(a, env), self.of(b, env));
                let corners = |f: &dyn Fn(i64, i64) -> i64| {
                    let all = [f(a, c), f(a, d), f(b, c), f(b, d)];
                    (all.into_iter().min().unwrap_or(0), all.into_iter().max().unwrap_or(0))
                };
                match *sign {
                    "+" => int((a + c, b + d)),
                    "-" => int((a - d, b - c)),
                    "*" => int(corners(&i64::saturating_mul)),
                    "/" if c > 0 => corners(&|x, y| x / y),
                    "%" if c > 0 => (if a < 0 { -(d - 1) } else { 0 }, (d - 1).min(b.max(0))),
                    "&" if a >= 0 && c >= 0 => (0, b.min(d)),
                    "|" | "^" if a >= 0 && c >= 0 => (0, ((b.max(d) + 1).max(1).next_power()) - 1),
                    "<<" if c >= 0 && d < 31 => int(corners(&|x, y| x.saturating_mul(1 << y))),
                    ">>" if c >= 0 && d < 32 => corners(&|x, y| x >> y),
                    "==" | "!=" | "<" | "<=" | ">" | ">=" | "&&" | "||" => truth,
                    _ => INT,
                }
            }
        }
    }
}

/// A power of two that is not smaller.
trait Power {
    fn next_power(self) -> i64;
}

impl Power for i64 {
    fn next_power(self) -> i64 {
        u64::try_from(self).map_or(1, |value| i64::try_from(value.next_power_of_two()).unwrap_or(1 << 32))
    }
}

/// An interval if it fits, else all values of the type.
fn fit((low, high): Interval, whole: Interval) -> Interval {
    if low < whole.0 || high > whole.1 { whole } else { (low, high) }
}

fn inverse(sign: &str) -> &'static str {
    match sign {
        "==" => "!=",
        "!=" => "==",
        "<" => ">=",
        "<=" => ">",
        ">" => "<=",
        _ => "<",
    }
}

fn mirror(sign: &str) -> &str {
    match sign {
        "<" => ">",
        "<=" => ">=",
        ">" => "<",
        ">=" => "<=",
        sign => sign,
    }
}

/// Calls a function for each expression of the automata.
fn each_expr(program: &PromelaProgram, look: &mut impl FnMut(&CExpr)) {
    for variable in &program.variables {
        variable.initial.iter().for_each(&mut *look);
    }
    for edge in program.processes.iter().flat_map(|process| &process.nodes).flat_map(|node| &node.edges) {
        match &edge.action {
            StatementEffect::Guard(e) | StatementEffect::Assert(e) | StatementEffect::Assign(_, e) => look(e),
            StatementEffect::Send { values, .. } | StatementEffect::Run { values, .. } => {
                values.iter().for_each(&mut *look)
            }
            _ => {}
        }
    }
}
