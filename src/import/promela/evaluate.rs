//! Expressions of Promela as terms, in the middle of a step.

use super::instances::{Instances, StaticValue, flat_index};
use super::names::{number_of, value};
use super::program::{CExpr, PromelaProgram, ReceivePattern, ScalarType};
use super::ranges::Ranges;
use super::term::{Cell, CellRoot, INT, PromelaNode, PromelaTerm, Sort, StepStore, Whose};
use kit::diagnostics::{Diagnostic, Span};

/// How many values a divisor or a shift may have.
const MOST_CASES: i64 = 64;

/// The effect of a step so far.
#[derive(Debug, Clone, Default)]
pub(super) struct Done {
    pub store: StepStore,
    /// Processes that were started, with their first locations.
    pub started: Vec<(usize, usize, usize)>,
}

/// The context of an expression: the type of the process and its instance, its location, and the effect of the step so far.
#[derive(Debug, Clone, Copy)]
pub(super) struct LocationContext<'c> {
    pub process: usize,
    pub whose: Whose,
    /// The location before the step, if the process was there.
    pub node: Option<usize>,
    pub done: &'c Done,
    /// Waiting for `timeout` can end here; `None` if it does not matter which of both.
    pub timeout: Option<bool>,
}

impl<'c> LocationContext<'c> {
    /// A never claim, which is at no location of a process.
    pub fn of_claim(process: usize, done: &'c Done) -> Self {
        Self { process, whose: Whose::Everyone, node: None, done, timeout: Some(true) }
    }
}

/// Makes terms of expressions.
#[derive(Debug)]
pub(super) struct TermEvaluator<'p> {
    pub program: &'p PromelaProgram,
    pub instances: &'p Instances,
    pub ranges: &'p Ranges<'p>,
    /// Conditions under which what was evaluated has a value: indices are inside arrays, divisors are not 0.
    pub checks: Vec<PromelaTerm>,
    pub mistakes: Vec<Diagnostic>,
    pub span: Span,
}

impl TermEvaluator<'_> {
    pub fn wrong(&mut self, message: impl Into<String>, help: &str) {
        let mistake = Diagnostic::error(self.span, message).with_help(help);
        if !self.mistakes.contains(&mistake) {
            self.mistakes.push(mistake);
        }
    }

    /// The truth of an expression.
    pub fn truth(&mut self, expr: &CExpr, at: LocationContext<'_>) -> PromelaTerm {
        let term = self.term(expr, at);
        self.as_bool(term)
    }

    pub fn as_bool(&mut self, term: PromelaTerm) -> PromelaTerm {
        match term.sort {
            Sort::Bool => term,
            Sort::Int(..) => PromelaTerm::compare("!=", term, PromelaTerm::int(0)),
            Sort::Message(set) => PromelaTerm::compare(
                "!=",
                term,
                PromelaTerm::new(PromelaNode::Message(set, 0), Sort::Message(set)),
            ),
            Sort::Channel => PromelaTerm::compare("!=", term, channel(0)),
        }
    }

    pub fn as_int(&mut self, term: PromelaTerm) -> PromelaTerm {
        match (term.sort, &*term.node) {
            (Sort::Int(..), _) => term,
            (Sort::Bool, PromelaNode::Temporal(..)) => {
                self.wrong(
                    "a temporal operator is used as a number here",
                    "put the comparison into parentheses: `<> (x > 0)`",
                );
                PromelaTerm::int(0)
            }
            (Sort::Bool, _) => PromelaTerm::choose(term, PromelaTerm::int(1), PromelaTerm::int(0)),
            (Sort::Message(set), PromelaNode::Message(_, value)) => {
                PromelaTerm::int(number_of(self.program, set, *value))
            }
            (Sort::Message(set), _) => {
                let all = 1..=self.program.messages[set].1.len();
                all.fold(PromelaTerm::int(0), |rest, value| {
                    let own = PromelaTerm::new(PromelaNode::Message(set, value), Sort::Message(set));
                    let number = PromelaTerm::int(number_of(self.program, set, value));
                    PromelaTerm::choose(PromelaTerm::compare("=", term.clone(), own), number, rest)
                })
            }
            (Sort::Channel, _) => {
                self.wrong("a channel is used as a number here", "compare channels with channels only");
                PromelaTerm::int(0)
            }
        }
    }

    /// The value that a variable of a type keeps of a term.
    pub fn coerce(&mut self, term: PromelaTerm, ty: ScalarType) -> PromelaTerm {
        match (ty, term.sort) {
            (ScalarType::Bool, Sort::Bool) => term,
            (ScalarType::Bool, _) => {
                let number = self.as_int(term);
                let bit = PromelaTerm::arithmetic("mod", number, PromelaTerm::int(2));
                PromelaTerm::compare("=", bit, PromelaTerm::int(1))
            }
            (ScalarType::Int(low, high), _) => self.as_int(term).wrapped((low, high)),
            (ScalarType::Message(set), Sort::Message(own)) if own == set => term,
            (ScalarType::Message(set), _) => {
                let number = self.as_int(term);
                let message = |value| PromelaTerm::new(PromelaNode::Message(set, value), Sort::Message(set));
                let all = 1..=self.program.messages[set].1.len();
                all.fold(message(0), |rest, value| {
                    let own = PromelaTerm::int(number_of(self.program, set, value));
                    PromelaTerm::choose(PromelaTerm::compare("=", number.clone(), own), message(value), rest)
                })
            }
            (ScalarType::Channel, Sort::Channel) => term,
            (ScalarType::Channel, _) => {
                if term.constant() != Some(0) {
                    self.wrong("a number is used as a channel here", "assign channels only");
                }
                channel(0)
            }
        }
    }

    /// The sort of what a place of a type holds.
    pub fn sort(&self, ty: ScalarType, range: (i64, i64)) -> Sort {
        match ty {
            ScalarType::Bool => Sort::Bool,
            ScalarType::Int(..) => Sort::Int(range.0, range.1),
            ScalarType::Message(set) => Sort::Message(set),
            ScalarType::Channel => Sort::Channel,
        }
    }

    /// An expression as a term.
    pub fn term(&mut self, expr: &CExpr, at: LocationContext<'_>) -> PromelaTerm {
        match expr {
            CExpr::Int(value) => PromelaTerm::int(*value),
            CExpr::Bool(value) => PromelaTerm::bool(*value),
            CExpr::Message(set, value) => {
                PromelaTerm::new(PromelaNode::Message(*set, *value), Sort::Message(*set))
            }
            CExpr::Channel(..) => self.channel_value(expr, at),
            CExpr::Read(variable, ..) if self.program.variables[*variable].ty == ScalarType::Channel => {
                self.channel_value(expr, at)
            }
            CExpr::Read(variable, indices, whose) => {
                let whose = if *whose == Whose::Everyone { *whose } else { at.whose };
                self.read(*variable, indices, whose, at)
            }
            CExpr::Pid => self.pid(at),
            CExpr::Processes => {
                let all = i64::try_from(self.instances.all.len()).unwrap_or(255);
                let before = PromelaTerm::new(PromelaNode::Processes, Sort::Int(0, all));
                let more = i64::try_from(at.done.started.len()).unwrap_or(0);
                PromelaTerm::arithmetic("+", before, PromelaTerm::int(more))
            }
            CExpr::Timeout => match at.timeout {
                Some(true) => PromelaTerm::new(PromelaNode::Stuck, Sort::Bool),
                Some(false) => PromelaTerm::bool(false),
                None => PromelaTerm::bool(true),
            },
            CExpr::Length(inner) => self.of_channels(inner, at, PromelaTerm::int(0), |own, queue| {
                let contents = own.contents(queue, at);
                own.length(contents, queue)
            }),
            CExpr::Full(inner) => self.of_channels(inner, at, PromelaTerm::bool(false), |own, queue| {
                let capacity = own.capacity(queue);
                let contents = own.contents(queue, at);
                let length = own.length(contents, queue);
                PromelaTerm::compare("=", length, PromelaTerm::int(capacity))
            }),
            CExpr::Poll { channel, pattern, any } => {
                self.of_channels(channel, at, PromelaTerm::bool(false), |own, queue| {
                    let positions = if *any { own.capacity(queue) } else { own.capacity(queue).min(1) };
                    (0..positions).fold(PromelaTerm::bool(false), |all, index| {
                        let index = usize::try_from(index).unwrap_or(0);
                        let matches = own.matches(queue, index, pattern, at);
                        all.or(matches)
                    })
                })
            }
            CExpr::At { process, pid, label } => self.at_label(*process, *pid, label, at),
            CExpr::Remote { process, pid, read } => {
                let mut value = None;
                for (is, number) in self.with_pid(*process, *pid).into_iter().rev() {
                    let other =
                        LocationContext { process: *process, whose: Whose::Number(number), node: None, ..at };
                    let own = self.term(read, other);
                    value = Some(value.map_or(own.clone(), |rest| PromelaTerm::choose(is, own, rest)));
                }
                value.unwrap_or(PromelaTerm::int(0))
            }
            CExpr::Unary(sign, a) => self.unary(sign, a, at),
            CExpr::Binary(sign, a, b) => self.binary(sign, a, b, at),
            CExpr::If(condition, a, b) => {
                let condition = self.truth(condition, at);
                let (a, first) = self.checked(|own| own.term(a, at));
                let (b, second) = self.checked(|own| own.term(b, at));
                self.checks.extend(first.into_iter().map(|check| condition.clone().not().or(check)));
                self.checks.extend(second.into_iter().map(|check| condition.clone().or(check)));
                let (first, second) = (a.sort, b.sort);
                let (a, b) =
                    if first == second { (a, b) } else { (self.as_same(a, second), self.as_same(b, first)) };
                PromelaTerm::choose(condition, a, b)
            }
        }
    }

    /// A term that can be in one `if` with one of another sort.
    fn as_same(&mut self, term: PromelaTerm, other: Sort) -> PromelaTerm {
        if matches!((term.sort, other), (Sort::Message(a), Sort::Message(b)) if a == b)
            || term.sort == Sort::Channel
        {
            return term;
        }
        self.as_int(term)
    }

    /// Evaluates something, and gives back what has to hold for it apart.
    fn checked<O>(&mut self, run: impl FnOnce(&mut Self) -> O) -> (O, Vec<PromelaTerm>) {
        let before = std::mem::take(&mut self.checks);
        let result = run(self);
        (result, std::mem::replace(&mut self.checks, before))
    }

    fn at_label(
        &mut self,
        process: usize,
        pid: Option<i64>,
        label: &str,
        at: LocationContext<'_>,
    ) -> PromelaTerm {
        let own = &self.program.processes[process];
        let nodes: Vec<usize> =
            own.labels.iter().filter(|(name, _)| name == label).map(|(_, node)| *node).collect();
        if nodes.is_empty() {
            self.wrong(format!("there is no label `{label}` in `{}`", own.name), "see its statements");
        }
        self.with_pid(process, pid).into_iter().fold(PromelaTerm::bool(false), |all, (is, number)| {
            all.or(is.and(self.located(process, Whose::Number(number), nodes.clone(), at.done)))
        })
    }

    /// The processes of a type that may have a process number, with the conditions under which they do.
    fn with_pid(&mut self, process: usize, pid: Option<i64>) -> Vec<(PromelaTerm, usize)> {
        let all: Vec<usize> = self.instances.of(process).map(|instance| instance.number).collect();
        if all.is_empty() {
            self.wrong("there is no such process", "see `active` and `run`");
        }
        let Some(pid) = pid else {
            return all.into_iter().take(1).map(|number| (PromelaTerm::bool(true), number)).collect();
        };
        let is = |number: usize| {
            let own = PromelaTerm::new(PromelaNode::Pid(process, Whose::Number(number)), Sort::Int(0, 255));
            let known = self.instances.of(process).nth(number).and_then(|instance| instance.pid);
            let own = known.filter(|_| !self.instances.dynamic).map_or(own, PromelaTerm::int);
            (PromelaTerm::compare("=", own, PromelaTerm::int(pid)), number)
        };
        all.into_iter().map(is).filter(|(is, _)| is.truth() != Some(false)).collect()
    }

    /// The process is at one of some locations.
    pub fn located(&self, process: usize, whose: Whose, nodes: Vec<usize>, done: &Done) -> PromelaTerm {
        let started =
            done.started.iter().find(|(own, number, _)| *own == process && Whose::Number(*number) == whose);
        match started {
            Some((.., node)) => PromelaTerm::bool(nodes.contains(node)),
            None => PromelaTerm::new(PromelaNode::At(process, whose, nodes), Sort::Bool),
        }
    }

    fn pid(&mut self, at: LocationContext<'_>) -> PromelaTerm {
        let known =
            |number: usize| self.instances.of(at.process).nth(number).and_then(|instance| instance.pid);
        let own = match at.whose {
            Whose::Number(number) => known(number),
            _ if self.instances.count(at.process) == 1 => known(0),
            _ => None,
        };
        match own {
            Some(pid) => PromelaTerm::int(pid),
            None => {
                let (low, high) = self.instances.pids(at.process);
                PromelaTerm::new(PromelaNode::Pid(at.process, at.whose), Sort::Int(low, high))
            }
        }
    }

    /// The process that a parameter of a step stands for is this one.
    pub fn is(&self, process: usize, whose: Whose, number: usize) -> PromelaTerm {
        match whose {
            Whose::Number(own) => PromelaTerm::bool(own == number),
            _ if self.instances.count(process) <= 1 => PromelaTerm::bool(true),
            _ => PromelaTerm::new(PromelaNode::Is(process, whose, number), Sort::Bool),
        }
    }

    /// The values of a parameter that nothing assigns and that are known, for each process of the type.
    pub fn fixed(&self, variable: usize) -> Option<Vec<StaticValue>> {
        let own = &self.program.variables[variable];
        let process = own.owner?;
        let position = self.program.processes[process].params.iter().position(|param| *param == variable)?;
        let values = self.instances.of(process).map(|instance| instance.params[position]);
        if own.changes { None } else { values.collect() }
    }

    pub fn value_term(&mut self, value: StaticValue, ty: ScalarType) -> PromelaTerm {
        let term = match value {
            StaticValue::Int(value) => PromelaTerm::int(value),
            StaticValue::Message(set, value) => {
                PromelaTerm::new(PromelaNode::Message(set, value), Sort::Message(set))
            }
            StaticValue::Queue(queue) => channel(queue + 1),
        };
        self.coerce(term, ty)
    }

    /// The first value of an element of a variable that is assigned nowhere.
    fn never_changed(&mut self, variable: usize, indices: &[PromelaTerm]) -> Option<PromelaTerm> {
        let own = &self.program.variables[variable];
        if let Some(values) = self.fixed(variable) {
            let first = *values.first()?;
            let same = values.iter().all(|value| *value == first);
            return same.then(|| self.value_term(first, own.ty));
        }
        let param = own.owner.is_some_and(|owner| self.program.processes[owner].params.contains(&variable));
        if own.changes || param || own.ty == ScalarType::Channel {
            return None;
        }
        let indices = indices.iter().map(PromelaTerm::constant).collect::<Option<Vec<_>>>()?;
        let index = flat_index(&indices, &own.dims)?;
        let initial = own.initial.get(index).or(own.initial.first())?;
        let known = match initial {
            CExpr::Message(set, value) => {
                PromelaTerm::new(PromelaNode::Message(*set, *value), Sort::Message(*set))
            }
            initial => PromelaTerm::int(value(initial, self.program)?),
        };
        Some(self.coerce(known, own.ty))
    }

    fn read(
        &mut self,
        variable: usize,
        indices: &[CExpr],
        whose: Whose,
        at: LocationContext<'_>,
    ) -> PromelaTerm {
        let own = &self.program.variables[variable];
        let cell = self.cell(variable, indices, whose, at);
        if let Some(known) = self.never_changed(variable, &cell.indices) {
            return known;
        }
        let whole = self.ranges.variables[variable];
        let here = at.node.filter(|_| own.dims.is_empty() && (whose == Whose::Everyone || whose == at.whose));
        let here = here.and_then(|node| self.ranges.at[at.process][node].as_ref()).map(|env| env[variable]);
        let range = here.map_or(whole, |(low, high)| (low.max(whole.0), high.min(whole.1)));
        let sort = self.sort(own.ty, range);
        let before = match sort {
            Sort::Int(low, high) if low == high => PromelaTerm::int(low),
            sort => PromelaTerm::new(PromelaNode::Read(cell.clone()), sort),
        };
        at.done.store.read(&cell, before)
    }

    /// The place of a variable, whose indices are looked at.
    pub fn cell(
        &mut self,
        variable: usize,
        indices: &[CExpr],
        whose: Whose,
        at: LocationContext<'_>,
    ) -> Cell {
        let own = &self.program.variables[variable];
        let mut terms = Vec::new();
        for (index, size) in indices.iter().zip(&own.dims) {
            let index = self.term(index, at);
            let index = self.as_int(index);
            let last = i64::try_from(*size).unwrap_or(0) - 1;
            let below = PromelaTerm::compare("<=", index.clone(), PromelaTerm::int(last));
            let inside = PromelaTerm::compare(">=", index.clone(), PromelaTerm::int(0)).and(below);
            if inside.truth() != Some(true) {
                self.checks.push(inside);
            }
            terms.push(index);
        }
        Cell { root: CellRoot::Variable(variable), whose, indices: terms }
    }

    fn unary(&mut self, sign: &str, a: &CExpr, at: LocationContext<'_>) -> PromelaTerm {
        if let "[]" | "<>" | "X" = sign {
            let inner = self.truth(a, at);
            let word = match sign {
                "[]" => "always",
                "<>" => "eventually",
                _ => "next",
            };
            return PromelaTerm::new(PromelaNode::Temporal(word, vec![inner]), Sort::Bool);
        }
        match sign {
            "!" => self.truth(a, at).not(),
            "-" => {
                let a = self.term(a, at);
                let a = self.as_int(a);
                PromelaTerm::arithmetic("-", PromelaTerm::int(0), a).wrapped(INT)
            }
            _ => {
                let a = self.term(a, at);
                let a = self.as_int(a);
                PromelaTerm::arithmetic("-", PromelaTerm::int(-1), a)
            }
        }
    }

    fn binary(&mut self, sign: &'static str, a: &CExpr, b: &CExpr, at: LocationContext<'_>) -> PromelaTerm {
        match sign {
            "&&" | "||" => {
                let left = self.truth(a, at);
                let (right, checks) = self.checked(|own| own.truth(b, at));
                let needed = if sign == "&&" { left.clone().not() } else { left.clone() };
                self.checks.extend(checks.into_iter().map(|check| needed.clone().or(check)));
                return if sign == "&&" { left.and(right) } else { left.or(right) };
            }
            "->" => return self.truth(a, at).not().or(self.truth(b, at)),
            "<->" => {
                let (left, right) = (self.truth(a, at), self.truth(b, at));
                return PromelaTerm::compare("=", left, right);
            }
            "U" | "W" | "V" => {
                let word = match sign {
                    "U" => "until",
                    "W" => "weak until",
                    _ => "release",
                };
                let all = vec![self.truth(a, at), self.truth(b, at)];
                return PromelaTerm::new(PromelaNode::Temporal(word, all), Sort::Bool);
            }
            _ => {}
        }
        let (left, right) = (self.term(a, at), self.term(b, at));
        match sign {
            "==" => self.compare("=", left, right),
            "!=" => self.compare("!=", left, right),
            "<" | "<=" | ">" | ">=" => {
                let (left, right) = (self.as_int(left), self.as_int(right));
                PromelaTerm::compare(sign, left, right)
            }
            _ => {
                let (left, right) = (self.as_int(left), self.as_int(right));
                self.arithmetic(sign, left, right).wrapped(INT)
            }
        }
    }

    /// Two values are equal, whatever their sorts.
    pub fn equal(&mut self, left: PromelaTerm, right: PromelaTerm) -> PromelaTerm {
        self.compare("=", left, right)
    }

    fn compare(&mut self, sign: &'static str, left: PromelaTerm, right: PromelaTerm) -> PromelaTerm {
        if left.sort == right.sort && !matches!(left.sort, Sort::Int(..)) {
            return PromelaTerm::compare(sign, left, right);
        }
        let bit = |own: &PromelaTerm, other: &PromelaTerm| {
            let value = other.constant().filter(|value| (0..=1).contains(value));
            value.filter(|_| own.sort == Sort::Bool).map(|value| value == 1)
        };
        if let Some((term, value)) =
            bit(&left, &right).map(|value| (&left, value)).or(bit(&right, &left).map(|value| (&right, value)))
        {
            return PromelaTerm::compare(sign, term.clone(), PromelaTerm::bool(value));
        }
        match (left.sort, right.sort) {
            (Sort::Message(set), _) if right.constant().is_some() => {
                let number = right.constant().unwrap_or(0);
                if let Some(value) = (0..=self.program.messages[set].1.len())
                    .find(|value| number_of(self.program, set, *value) == number)
                {
                    return PromelaTerm::compare(
                        sign,
                        left,
                        PromelaTerm::new(PromelaNode::Message(set, value), Sort::Message(set)),
                    );
                }
                PromelaTerm::bool(sign == "!=")
            }
            (Sort::Channel, _) if right.constant() == Some(0) => PromelaTerm::compare(sign, left, channel(0)),
            _ => {
                let (left, right) = (self.as_int(left), self.as_int(right));
                PromelaTerm::compare(sign, left, right)
            }
        }
    }

    fn arithmetic(&mut self, sign: &str, a: PromelaTerm, b: PromelaTerm) -> PromelaTerm {
        match sign {
            "+" => PromelaTerm::arithmetic("+", a, b),
            "-" => PromelaTerm::arithmetic("-", a, b),
            "*" => PromelaTerm::arithmetic("*", a, b),
            "/" | "%" => {
                let (low, high) = b.range();
                if low <= 0 && high >= 0 {
                    self.checks.push(PromelaTerm::compare("!=", b.clone(), PromelaTerm::int(0)));
                }
                self.cases(
                    b,
                    |value| if value == 0 { PromelaTerm::int(0) } else { divided(sign, a.clone(), value) },
                )
            }
            "<<" | ">>" => self.cases(b, |value| match (sign, u32::try_from(value)) {
                ("<<", Ok(bits @ 0..32)) => {
                    PromelaTerm::arithmetic("*", a.clone(), PromelaTerm::int(1 << bits)).wrapped(INT)
                }
                (_, Ok(bits @ 0..32)) => PromelaTerm::arithmetic("/", a.clone(), PromelaTerm::int(1 << bits)),
                _ => PromelaTerm::int(0),
            }),
            _ => {
                let both = self.bits(a.clone(), b.clone());
                let sum = PromelaTerm::arithmetic("+", a, b);
                match sign {
                    "&" => both,
                    "|" => PromelaTerm::arithmetic("-", sum, both),
                    _ => PromelaTerm::arithmetic(
                        "-",
                        sum,
                        PromelaTerm::arithmetic("*", both, PromelaTerm::int(2)),
                    ),
                }
            }
        }
    }

    /// A term for each value that another may have.
    fn cases(&mut self, of: PromelaTerm, value: impl Fn(i64) -> PromelaTerm) -> PromelaTerm {
        let (low, high) = of.range();
        if high - low > MOST_CASES {
            let message =
                format!("a divisor or shift that may have {} values is not supported", high - low + 1);
            self.wrong(message, "divide by a constant, or limit it by a condition before");
            return PromelaTerm::int(0);
        }
        let first = value(high);
        (low..high).rev().fold(first, |rest, number| {
            PromelaTerm::choose(
                PromelaTerm::compare("=", of.clone(), PromelaTerm::int(number)),
                value(number),
                rest,
            )
        })
    }

    /// The bits that both have.
    fn bits(&mut self, a: PromelaTerm, b: PromelaTerm) -> PromelaTerm {
        let (a, b) = if a.constant().is_some() { (b, a) } else { (a, b) };
        let (low, high) = (a.range().0.min(b.range().0), a.range().1.max(b.range().1));
        let width = if low < 0 { 32 } else { i64::BITS - high.leading_zeros() };
        let bit = |of: &PromelaTerm, number: u32| {
            let moved = PromelaTerm::arithmetic("/", of.clone(), PromelaTerm::int(1 << number));
            PromelaTerm::arithmetic("mod", moved, PromelaTerm::int(2))
        };
        if let Some(mask) = b.constant().filter(|mask| *mask >= 0 && (mask + 1).count_ones() == 1) {
            return PromelaTerm::arithmetic("mod", a, PromelaTerm::int(mask + 1));
        }
        let sum = (0..width).fold(PromelaTerm::int(0), |sum, number| {
            let weight = PromelaTerm::int(1 << number);
            let one = match b.constant() {
                Some(mask) if mask >> number & 1 == 0 => PromelaTerm::int(0),
                Some(_) => PromelaTerm::arithmetic("*", bit(&a, number), weight),
                None => {
                    let set =
                        |of: &PromelaTerm| PromelaTerm::compare("=", bit(of, number), PromelaTerm::int(1));
                    PromelaTerm::choose(set(&a).and(set(&b)), weight, PromelaTerm::int(0))
                }
            };
            PromelaTerm::arithmetic("+", sum, one)
        });
        // The highest of 32 bits is the sign.
        if low < 0 { sum.wrapped(INT) } else { sum }
    }

    /// The channels that an expression may stand for, with the conditions under which it does.
    pub fn channels(&mut self, expr: &CExpr, at: LocationContext<'_>) -> Vec<(PromelaTerm, usize)> {
        let mut all = match expr {
            CExpr::Read(variable, indices, whose) => {
                let whose = if *whose == Whose::Everyone { *whose } else { at.whose };
                self.channels_of(*variable, indices, whose, at)
            }
            CExpr::Channel(channel, element) => {
                let own = self.program.channels[*channel].variable;
                self.declared(
                    own,
                    *channel,
                    &[PromelaTerm::int(i64::try_from(*element).unwrap_or(0))],
                    at.whose,
                    at,
                )
            }
            _ => Vec::new(),
        };
        all.retain(|(condition, _)| condition.truth() != Some(false));
        all
    }

    fn channels_of(
        &mut self,
        variable: usize,
        indices: &[CExpr],
        whose: Whose,
        at: LocationContext<'_>,
    ) -> Vec<(PromelaTerm, usize)> {
        let own = &self.program.variables[variable];
        let process = own.owner.unwrap_or(0);
        let declared = self.program.channels.iter().position(|channel| channel.variable == variable);
        let cell = self.cell(variable, indices, whose, at);
        if let Some(channel) = declared.filter(|_| !own.changes) {
            return self.declared(variable, channel, &cell.indices, whose, at);
        }
        if let Some(values) = self.fixed(variable) {
            let mut all: Vec<(PromelaTerm, usize)> = Vec::new();
            for (number, value) in values.into_iter().enumerate() {
                let StaticValue::Queue(queue) = value else { continue };
                let is = self.is(process, whose, number);
                match all.iter_mut().find(|(_, known)| *known == queue) {
                    Some((condition, _)) => *condition = condition.clone().or(is),
                    None => all.push((is, queue)),
                }
            }
            return all;
        }
        let value =
            at.done.store.read(&cell, PromelaTerm::new(PromelaNode::Read(cell.clone()), Sort::Channel));
        (0..self.instances.queues.len())
            .map(|queue| (PromelaTerm::compare("=", value.clone(), channel(queue + 1)), queue))
            .collect()
    }

    /// The channels that a variable declares, by its indices.
    fn declared(
        &mut self,
        variable: usize,
        channel: usize,
        indices: &[PromelaTerm],
        whose: Whose,
        at: LocationContext<'_>,
    ) -> Vec<(PromelaTerm, usize)> {
        let own = &self.program.variables[variable];
        let owners: Vec<(PromelaTerm, Option<usize>)> = match own.owner {
            None => vec![(PromelaTerm::bool(true), None)],
            Some(process) => {
                let whose = if whose == Whose::Everyone { at.whose } else { whose };
                (0..self.instances.count(process))
                    .map(|number| (self.is(process, whose, number), Some(number)))
                    .collect()
            }
        };
        let mut all = Vec::new();
        for (is, number) in owners {
            for element in 0..own.initial.len() {
                let (mut rest, mut condition) = (element, is.clone());
                for (index, size) in indices.iter().zip(&own.dims).rev() {
                    let here = PromelaTerm::int(i64::try_from(rest % size).unwrap_or(0));
                    condition = condition.and(PromelaTerm::compare("=", index.clone(), here));
                    rest /= size;
                }
                all.extend(self.instances.queue(channel, number, element).map(|queue| (condition, queue)));
            }
        }
        all
    }

    fn channel_value(&mut self, expr: &CExpr, at: LocationContext<'_>) -> PromelaTerm {
        if let CExpr::Read(variable, indices, whose) = expr
            && self.fixed(*variable).is_none()
            && (self.program.variables[*variable].changes
                || !self.program.channels.iter().any(|own| own.variable == *variable))
        {
            let whose = if *whose == Whose::Everyone { *whose } else { at.whose };
            let cell = self.cell(*variable, indices, whose, at);
            return at
                .done
                .store
                .read(&cell, PromelaTerm::new(PromelaNode::Read(cell.clone()), Sort::Channel));
        }
        let all = self.channels(expr, at);
        all.into_iter().rev().fold(channel(0), |rest, (condition, queue)| {
            PromelaTerm::choose(condition, channel(queue + 1), rest)
        })
    }

    /// A term that depends on the channel.
    fn of_channels(
        &mut self,
        expr: &CExpr,
        at: LocationContext<'_>,
        none: PromelaTerm,
        value: impl Fn(&mut Self, usize) -> PromelaTerm,
    ) -> PromelaTerm {
        let all = self.channels(expr, at);
        let mut whole = none;
        for (condition, queue) in all.into_iter().rev() {
            let own = value(self, queue);
            whole = PromelaTerm::choose(condition, own, whole);
        }
        whole
    }

    pub fn capacity(&self, queue: usize) -> i64 {
        i64::try_from(self.program.channels[self.instances.queues[queue].channel].capacity).unwrap_or(0)
    }

    /// The messages in a channel.
    pub fn contents(&self, queue: usize, at: LocationContext<'_>) -> PromelaTerm {
        let cell = Cell { root: CellRoot::Queue(queue), whose: Whose::Everyone, indices: Vec::new() };
        at.done.store.read(&cell, PromelaTerm::new(PromelaNode::Read(cell.clone()), Sort::Channel))
    }

    pub fn length(&self, contents: PromelaTerm, queue: usize) -> PromelaTerm {
        match self.capacity(queue) {
            0 => PromelaTerm::int(0),
            capacity => PromelaTerm::new(PromelaNode::Length(contents), Sort::Int(0, capacity)),
        }
    }

    /// A field of a message in a channel.
    pub fn field(&self, queue: usize, index: usize, field: usize, at: LocationContext<'_>) -> PromelaTerm {
        let channel = self.instances.queues[queue].channel;
        let ty = self.program.channels[channel].fields[field];
        let sort = self.sort(ty, self.ranges.fields[channel][field]);
        PromelaTerm::field(self.contents(queue, at), index, field, sort)
    }

    /// True for the condition that there is a message at an index for which the channel has no room.
    pub fn is_beyond(&self, term: &PromelaTerm) -> bool {
        let PromelaNode::Filled(contents, index) = &*term.node else { return false };
        let PromelaNode::Read(Cell { root: CellRoot::Queue(queue), .. }) = contents.node.as_ref() else {
            return false;
        };
        i64::try_from(*index).is_ok_and(|index| index >= self.capacity(*queue))
    }

    /// There is a message at an index that a pattern fits.
    pub fn matches(
        &mut self,
        queue: usize,
        index: usize,
        pattern: &[ReceivePattern],
        at: LocationContext<'_>,
    ) -> PromelaTerm {
        let mut all = PromelaTerm::filled(self.contents(queue, at), index);
        if self.is_beyond(&all) {
            return PromelaTerm::bool(false);
        }
        for (number, item) in pattern.iter().enumerate() {
            if let ReceivePattern::Match(value) = item {
                let value = self.term(value, at);
                let field = self.field(queue, index, number, at);
                let equal = self.compare("=", field, value);
                all = all.and(equal);
            }
        }
        all
    }
}

/// A channel by its number, from 1 on; 0 is none.
pub(super) fn channel(number: usize) -> PromelaTerm {
    PromelaTerm::new(PromelaNode::Channel(number), Sort::Channel)
}

/// `a / b` or `a % b`, as in C.
fn divided(sign: &str, a: PromelaTerm, b: i64) -> PromelaTerm {
    let zero = PromelaTerm::int(0);
    if a.range().0 < 0 {
        let positive = divided(sign, positive_part(&a, false), b);
        let negative = divided(sign, positive_part(&a, true), b);
        let turned = PromelaTerm::arithmetic("-", zero.clone(), negative);
        return PromelaTerm::choose(PromelaTerm::compare(">=", a, zero), positive, turned);
    }
    let quotient =
        PromelaTerm::arithmetic(if sign == "/" { "/" } else { "mod" }, a, PromelaTerm::int(b.abs()));
    if sign == "/" && b < 0 { PromelaTerm::arithmetic("-", zero, quotient) } else { quotient }
}

/// The term, or its negation, with the bounds that it has where it is not negative.
fn positive_part(a: &PromelaTerm, negated: bool) -> PromelaTerm {
    let (low, high) = a.range();
    let term = if negated { PromelaTerm::arithmetic("-", PromelaTerm::int(0), a.clone()) } else { a.clone() };
    let high = if negated { -low } else { high.max(0) };
    PromelaTerm { sort: Sort::Int(0, high), ..term }
}
