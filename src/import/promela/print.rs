//! Terms as texts of the specification language.

use super::evaluate::TermEvaluator;
use super::instances::StaticValue;
use super::steps::{LocationMode, NONE, ProcessLocation, PromelaSteps};
use super::term::{Cell, CellRoot, PromelaNode, PromelaTerm, Sort, Whose};
use std::collections::HashMap;

/// The names of everything, and terms as texts.
pub(super) struct PromelaPrinter<'w, 'p> {
    pub evaluator: &'w mut TermEvaluator<'p>,
    pub steps: &'w PromelaSteps,
    /// Variables, and the definitions of parameters whose values are known.
    pub variables: Vec<String>,
    pub queues: Vec<String>,
    /// The values of each enumeration of messages.
    pub messages: Vec<Vec<String>>,
    /// The values of channel variables, the first of which is none.
    pub channels: Vec<String>,
    pub records: Vec<String>,
    /// For each type of processes: the control location, the process number.
    pub at: Vec<String>,
    pub pids: Vec<String>,
    pub locations: HashMap<(usize, ProcessLocation), String>,
    pub own: String,
    pub partner: String,
    pub blocked: String,
    pub locked: String,
    pub processes: String,
}

impl PromelaPrinter<'_, '_> {
    /// The first key of the processes of a type: their process numbers, where these are known and in a row.
    pub fn first(&self, process: usize) -> i64 {
        let all =
            self.evaluator.instances.of(process).map(|instance| instance.pid).collect::<Option<Vec<_>>>();
        let row = |all: &[i64]| all.windows(2).all(|pair| pair[1] == pair[0] + 1);
        match all.as_deref() {
            Some(all @ [first, ..]) if row(all) && !self.evaluator.instances.dynamic => *first,
            _ => 0,
        }
    }

    /// The keys of the processes of a type are their process numbers.
    pub fn keys_are_pids(&self, process: usize) -> bool {
        let mut all = self.evaluator.instances.of(process).map(|instance| instance.pid);
        let first = self.first(process);
        !self.evaluator.instances.dynamic
            && all.next() == Some(Some(first))
            && self
                .evaluator
                .instances
                .of(process)
                .zip(first..)
                .all(|(instance, key)| instance.pid == Some(key))
    }

    pub fn key(&self, process: usize, whose: Whose) -> String {
        match whose {
            Whose::Own | Whose::Everyone => self.own.clone(),
            Whose::Partner => self.partner.clone(),
            Whose::Number(number) => (self.first(process) + i64::try_from(number).unwrap_or(0)).to_string(),
        }
    }

    /// `[p]`, if there are several processes of a type.
    pub fn index(&self, process: usize, whose: Whose) -> String {
        if self.evaluator.instances.count(process) > 1 {
            format!("[{}]", self.key(process, whose))
        } else {
            String::new()
        }
    }

    /// The name of a place, with a prime if it is assigned.
    pub fn place(&self, cell: &Cell, prime: &str) -> String {
        let (name, process) = match cell.root {
            CellRoot::Variable(variable) => {
                (&self.variables[variable], self.evaluator.program.variables[variable].owner)
            }
            CellRoot::Queue(queue) => (&self.queues[queue], None),
            CellRoot::Location(process) => (&self.at[process], Some(process)),
            CellRoot::Pid(process) => (&self.pids[process], Some(process)),
            CellRoot::Locked => (&self.locked, None),
        };
        let own = process.map_or_else(String::new, |process| self.index(process, cell.whose));
        let indices: String = cell.indices.iter().map(|index| format!("[{}]", self.text(index, 0))).collect();
        format!("{name}{prime}{own}{indices}")
    }

    /// The bounds that follow from declared types alone, which the reader of the text computes.
    fn declared(&self, term: &PromelaTerm) -> (i64, i64) {
        match &*term.node {
            PromelaNode::Read(Cell { root: CellRoot::Variable(variable), .. }) => {
                self.evaluator.ranges.variables[*variable]
            }
            PromelaNode::Arithmetic(sign, a, b) if *sign != "mod" => {
                let ((a, b), (c, d)) = (self.declared(a), self.declared(b));
                match *sign {
                    "+" => (a + c, b + d),
                    "-" => (a - d, b - c),
                    "/" if c > 0 => (a.div_euclid(c), b.div_euclid(c)),
                    _ => {
                        let all = [
                            a.saturating_mul(c),
                            a.saturating_mul(d),
                            b.saturating_mul(c),
                            b.saturating_mul(d),
                        ];
                        (all.into_iter().min().unwrap_or(0), all.into_iter().max().unwrap_or(0))
                    }
                }
            }
            PromelaNode::Arithmetic(_, a, b) => {
                let ((low, high), (_, d)) = (self.declared(a), self.declared(b));
                if low >= 0 && high < d { (low, high) } else { (0, d - 1) }
            }
            PromelaNode::If(_, a, b) => {
                let ((a, b), (c, d)) = (self.declared(a), self.declared(b));
                (a.min(c), b.max(d))
            }
            _ => term.range(),
        }
    }

    /// An index that may be outside of its array makes an option.
    fn may_be_outside(&self, cell: &Cell) -> bool {
        let CellRoot::Variable(variable) = cell.root else { return false };
        let dims = &self.evaluator.program.variables[variable].dims;
        cell.indices.iter().zip(dims).any(|(index, size)| {
            let (low, high) = self.declared(index);
            low < 0 || high >= i64::try_from(*size).unwrap_or(i64::MAX)
        })
    }

    pub fn default(&self, sort: Sort) -> String {
        match sort {
            Sort::Bool => "false".to_owned(),
            Sort::Int(low, high) => 0.clamp(low, high).to_string(),
            Sort::Message(set) => self.messages[set][0].clone(),
            Sort::Channel => self.channels[0].clone(),
        }
    }

    /// A term, in parentheses if it binds less than `level`.
    pub fn text(&self, term: &PromelaTerm, level: usize) -> String {
        let (own, text) = self.parts(term);
        if own < level { format!("({text})") } else { text }
    }

    fn parts(&self, term: &PromelaTerm) -> (usize, String) {
        let binary = |level: usize, sign: &str, a: &PromelaTerm, b: &PromelaTerm, right: usize| {
            (level, format!("{} {sign} {}", self.text(a, level), self.text(b, right)))
        };
        match &*term.node {
            PromelaNode::Bool(value) => (14, value.to_string()),
            PromelaNode::Int(value) => (if *value < 0 { 13 } else { 14 }, value.to_string()),
            PromelaNode::Message(set, value) => (14, self.messages[*set][*value].clone()),
            PromelaNode::Channel(number) => (14, self.channels[*number].clone()),
            PromelaNode::Read(cell) if self.may_be_outside(cell) => {
                (9, format!("{} otherwise {}", self.place(cell, ""), self.default(term.sort)))
            }
            PromelaNode::Read(cell) => match cell.root {
                CellRoot::Variable(variable) if self.evaluator.fixed(variable).is_some() => {
                    (14, self.parameter(variable, cell))
                }
                _ => (14, self.place(cell, "")),
            },
            PromelaNode::Pid(process, whose) => (14, self.pid(*process, *whose)),
            PromelaNode::Processes => (14, self.processes.clone()),
            PromelaNode::Stuck => (14, self.blocked.clone()),
            PromelaNode::At(process, whose, nodes) => self.located(*process, *whose, nodes),
            PromelaNode::Is(process, whose, number) => (7, self.identity(*process, *whose, "=", *number)),
            PromelaNode::Not(inner) => match &*inner.node {
                PromelaNode::Is(process, whose, number) => {
                    (7, self.identity(*process, *whose, "!=", *number))
                }
                _ => (6, format!("not {}", self.text(inner, 7))),
            },
            PromelaNode::And(a, b) => binary(4, "and", a, b, 5),
            PromelaNode::Or(a, b) => binary(3, "or", a, b, 4),
            PromelaNode::Compare(sign, a, b) => {
                (7, format!("{} {sign} {}", self.text(a, 8), self.text(b, 8)))
            }
            PromelaNode::Arithmetic("-", a, b) if a.constant() == Some(0) => {
                (13, format!("-{}", self.text(b, 14)))
            }
            PromelaNode::Arithmetic(sign @ ("+" | "-"), a, b) => binary(11, sign, a, b, 12),
            PromelaNode::Arithmetic(sign, a, b) => binary(12, sign, a, b, 13),
            PromelaNode::If(a, _, c) if self.evaluator.is_beyond(a) => self.parts(c),
            PromelaNode::If(a, b, c) => {
                (0, format!("if {} then {} else {}", self.text(a, 1), self.text(b, 1), self.text(c, 0)))
            }
            PromelaNode::Length(inner) => (14, format!("length({})", self.text(inner, 0))),
            PromelaNode::Filled(..) if self.evaluator.is_beyond(term) => (14, "false".to_owned()),
            PromelaNode::Filled(inner, index) => (7, format!("{} is some", self.element(inner, *index))),
            PromelaNode::Field(inner, index, field) => (14, self.field(inner, *index, *field)),
            PromelaNode::Append(inner, queue, values) => {
                let channel = self.evaluator.instances.queues[*queue].channel;
                let value = match &values[..] {
                    [value] => self.text(value, 0),
                    all => {
                        let fields = all
                            .iter()
                            .enumerate()
                            .map(|(n, value)| format!("m{}: {}", n + 1, self.text(value, 0)));
                        format!("{}({})", self.records[channel], fields.collect::<Vec<_>>().join(", "))
                    }
                };
                (14, format!("append({}, {value})", self.text(inner, 0)))
            }
            PromelaNode::Without(inner, 0) => (14, format!("rest({})", self.text(inner, 0))),
            PromelaNode::Without(inner, index) => {
                (14, format!("remove_at({}, {index})", self.text(inner, 0)))
            }
            PromelaNode::Temporal(word, all) => match &all[..] {
                [one] => (6, format!("{word} {}", self.text(one, 7))),
                [a, b] => (5, format!("{} {word} {}", self.text(a, 6), self.text(b, 6))),
                _ => (14, "true".to_owned()),
            },
        }
    }

    /// A comparison of an instance with the one that has a number, or that steps for `usize::MAX`.
    fn identity(&self, process: usize, whose: Whose, sign: &str, number: usize) -> String {
        let other = match number {
            usize::MAX => self.own.clone(),
            number => self.key(process, Whose::Number(number)),
        };
        format!("{} {sign} {other}", self.key(process, whose))
    }

    /// The content of a channel, which a term is made from.
    fn element(&self, contents: &PromelaTerm, index: usize) -> String {
        let contents = self.text(contents, 14);
        if index == 0 { format!("first({contents})") } else { format!("{contents}[{index}]") }
    }

    fn field(&self, contents: &PromelaTerm, index: usize, field: usize) -> String {
        let element = self.element(contents, index);
        let PromelaNode::Read(Cell { root: CellRoot::Queue(queue), .. }) = &*contents.node else {
            return element;
        };
        let channel = self.evaluator.instances.queues[*queue].channel;
        let fields = &self.evaluator.program.channels[channel].fields;
        if fields.len() == 1 { element } else { format!("{element}.m{}", field + 1) }
    }

    /// A parameter whose value is known.
    fn parameter(&self, variable: usize, cell: &Cell) -> String {
        let process = self.evaluator.program.variables[variable].owner.unwrap_or(0);
        match (cell.whose, self.evaluator.fixed(variable)) {
            (Whose::Number(number), Some(values)) => self.value(values[number], variable),
            _ => format!("{}({})", self.variables[variable], self.key(process, cell.whose)),
        }
    }

    /// A known value of a variable.
    pub fn value(&self, value: StaticValue, variable: usize) -> String {
        use super::program::ScalarType;
        match (value, self.evaluator.program.variables[variable].ty) {
            (StaticValue::Int(value), ScalarType::Bool) => (value & 1 == 1).to_string(),
            (StaticValue::Int(0), ScalarType::Message(set)) => self.messages[set][0].clone(),
            (StaticValue::Int(value), ScalarType::Int(low, high)) => {
                ((value - low).rem_euclid(high - low + 1) + low).to_string()
            }
            (StaticValue::Int(value), _) => value.to_string(),
            (StaticValue::Message(set, value), ScalarType::Message(_)) => self.messages[set][value].clone(),
            (StaticValue::Message(set, value), _) => {
                super::names::number_of(self.evaluator.program, set, value).to_string()
            }
            (StaticValue::Queue(queue), _) => self.channels[queue + 1].clone(),
        }
    }

    fn pid(&self, process: usize, whose: Whose) -> String {
        if self.evaluator.instances.dynamic {
            format!("{}{}", self.pids[process], self.index(process, whose))
        } else if self.keys_are_pids(process) {
            self.key(process, whose)
        } else {
            format!("{}({})", self.pids[process], self.key(process, whose))
        }
    }

    fn located(&self, process: usize, whose: Whose, nodes: &[usize]) -> (usize, String) {
        let modes = [LocationMode::Free, LocationMode::Held, LocationMode::Stuck];
        let all = nodes.iter().flat_map(|node| modes.map(|mode| (process, (*node, mode))));
        let names: Vec<&str> = all.filter_map(|key| self.locations.get(&key).map(String::as_str)).collect();
        self.is_at(process, whose, &names)
    }

    /// The process is at one of some locations.
    pub fn is_at(&self, process: usize, whose: Whose, names: &[&str]) -> (usize, String) {
        let place = format!("{}{}", self.at[process], self.index(process, whose));
        match names {
            [] => (14, "false".to_owned()),
            [one] => (7, format!("{place} = {one}")),
            all => (7, format!("{place} in {{ {} }}", all.join(", "))),
        }
    }

    /// A location that is there; `NONE` is that of a process that is not.
    pub fn location(&self, process: usize, location: ProcessLocation) -> &str {
        debug_assert!(
            location.0 == NONE || self.locations.contains_key(&(process, location)),
            "every end is reached"
        );
        self.locations.get(&(process, location)).map_or("", String::as_str)
    }
}
