//! A program as a model in the specification language.

use super::evaluate::{Done, LocationContext, TermEvaluator};
use super::instances::StaticValue;
use super::listed::ListedText;
use super::names::value;
use super::print::PromelaPrinter;
use super::program::{PromelaProgram, PromelaVariable, ScalarType, StatementEffect};
use super::steps::{
    CheckKind, LocationMode, NONE, ProcessLocation, PromelaStep, PromelaSteps, StepStatement, TERMINATES,
};
use super::term::{Cell, CellRoot, PromelaNode, PromelaTerm, Sort, Whose, same};
use super::trail::{ListedStatement, ProcessNumber, ProgramSteps};
use crate::written::own_name;
use kit::diagnostics::{SourceMap, Span, printable};
use lang::syntax::NameSupply;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The longest text of a statement in a comment.
const LONGEST: usize = 80;

pub(super) struct PromelaWriter<'w, 'p> {
    printer: PromelaPrinter<'w, 'p>,
    names: NameSupply,
    sources: &'w SourceMap,
    types: Vec<String>,
    ids: Vec<String>,
    message_types: Vec<String>,
    channel_type: String,
    claim: String,
    observe: String,
    claim_nodes: BTreeMap<usize, String>,
    ended: String,
    /// Some location is inside a sequence.
    locks: bool,
    /// The statements of actions.
    listed: Vec<(String, Vec<ListedStatement>)>,
}

/// A name like another one that nothing else has.
fn named(names: &mut NameSupply, like: &str) -> String {
    names.unused(Some(&own_name(like)), "long")
}

/// The name of a variable with that of the processes that it belongs to.
fn full(variable: &PromelaVariable, program: &PromelaProgram) -> String {
    match variable.owner {
        Some(owner) => format!("{}_{}", program.processes[owner].name, variable.name),
        None => variable.name.clone(),
    }
}

/// Names for all variables but the channels that nothing assigns.
fn variable_names(program: &PromelaProgram, names: &mut NameSupply) -> Vec<String> {
    let is_channel = |variable: usize| program.channels.iter().any(|channel| channel.variable == variable);
    program
        .variables
        .iter()
        .enumerate()
        .map(|(number, variable)| {
            if is_channel(number) && !variable.changes {
                String::new()
            } else {
                named(names, &full(variable, program))
            }
        })
        .collect()
}

/// Names for all channels.
fn queue_names(evaluator: &TermEvaluator<'_>, names: &mut NameSupply) -> Vec<String> {
    let (program, instances) = (evaluator.program, evaluator.instances);
    instances
        .queues
        .iter()
        .map(|queue| {
            let variable = &program.variables[program.channels[queue.channel].variable];
            let element =
                if variable.initial.len() > 1 { format!("_{}", queue.element) } else { String::new() };
            let several = variable.owner.is_some_and(|owner| instances.count(owner) > 1);
            let whose =
                queue.whose.filter(|_| several).map_or_else(String::new, |number| format!("_{number}"));
            named(names, &format!("{}{whose}{element}", full(variable, program)))
        })
        .collect()
}

/// Names for the locations of all processes: lines and labels.
fn location_names(
    evaluator: &TermEvaluator<'_>,
    steps: &PromelaSteps,
    sources: &SourceMap,
    names: &mut NameSupply,
) -> HashMap<(usize, ProcessLocation), String> {
    let (program, instances) = (evaluator.program, evaluator.instances);
    let mut locations = HashMap::new();
    for (process, all) in steps.locations.iter().enumerate() {
        let own = &program.processes[process];
        for location in all {
            let label =
                own.labels.iter().find(|(_, node)| *node == location.0).map(|(label, _)| label.clone());
            let place = match location.0 {
                NONE => "none".to_owned(),
                node if node == own.end => "end".to_owned(),
                node => label.unwrap_or_else(|| node_line(&own.nodes[node], sources).to_string()),
            };
            let mode = match location.1 {
                LocationMode::Free => "",
                LocationMode::Held => "_held",
                LocationMode::Stuck => "_stuck",
            };
            locations.insert((process, *location), named(names, &format!("{}_{place}{mode}", own.name)));
        }
        let all_there = instances.of(process).all(|instance| instance.active);
        if !all_there {
            let none = || named(names, &format!("{}_none", own.name));
            locations.entry((process, (NONE, LocationMode::Free))).or_insert_with(none);
        }
    }
    locations
}

impl<'w, 'p> PromelaWriter<'w, 'p> {
    pub fn new(
        evaluator: &'w mut TermEvaluator<'p>,
        steps: &'w PromelaSteps,
        sources: &'w SourceMap,
    ) -> Self {
        let program = evaluator.program;
        let mut names = NameSupply::new();
        let full = |variable: &PromelaVariable| full(variable, program);
        let messages = program.messages.iter().map(|(set, all)| {
            let none = named(&mut names, &format!("no_{set}"));
            std::iter::once(none)
                .chain(all.iter().map(|value| named(&mut names, value)).collect::<Vec<_>>())
                .collect()
        });
        let messages: Vec<Vec<String>> = messages.collect();
        let queues = queue_names(evaluator, &mut names);
        let variables = variable_names(program, &mut names);
        let channels = std::iter::once(named(&mut names, "no_channel"))
            .chain(queues.iter().map(|queue| named(&mut names, &format!("to_{queue}"))).collect::<Vec<_>>())
            .collect();
        let records = program
            .channels
            .iter()
            .map(|channel| {
                named(&mut names, &format!("{}_message", full(&program.variables[channel.variable])))
            })
            .collect();
        let each = |names: &mut NameSupply, end: &str| -> Vec<String> {
            program.processes.iter().map(|process| named(names, &format!("{}_{end}", process.name))).collect()
        };
        let (at, types, ids, pids) = (
            each(&mut names, "at"),
            each(&mut names, "location"),
            each(&mut names, "id"),
            each(&mut names, "pid"),
        );
        let message_types = program.messages.iter().map(|(set, _)| named(&mut names, set)).collect();
        let locations = location_names(evaluator, steps, sources, &mut names);
        let locks = locations.keys().any(|(_, (_, mode))| *mode == LocationMode::Held);
        let own = named(&mut names, "p");
        let partner = named(&mut names, "r");
        let printer = PromelaPrinter {
            evaluator,
            steps,
            variables,
            queues,
            messages,
            channels,
            records,
            at,
            pids,
            locations,
            own,
            partner,
            blocked: named(&mut names, "blocked"),
            locked: named(&mut names, "locked"),
            processes: named(&mut names, "processes"),
        };
        let (claim, observe, ended) =
            (named(&mut names, "claim"), named(&mut names, "observe"), named(&mut names, "ended"));
        let channel_type = named(&mut names, "channel");
        Self {
            printer,
            names,
            sources,
            types,
            ids,
            message_types,
            channel_type,
            claim,
            observe,
            claim_nodes: BTreeMap::new(),
            ended,
            locks,
            listed: Vec::new(),
        }
    }

    fn count(&self, process: usize) -> usize {
        self.printer.evaluator.instances.count(process)
    }

    /// All items of the model, and the statements of its actions.
    pub fn items(mut self) -> (Vec<String>, ProgramSteps) {
        let program = self.printer.evaluator.program;
        let claim = program.processes.iter().position(|process| process.claim);
        if let Some(claim) = claim {
            for (node, own) in program.processes[claim].nodes.iter().enumerate() {
                if self.printer.evaluator.ranges.at[claim][node].is_some() {
                    let label = program.processes[claim]
                        .labels
                        .iter()
                        .find(|(_, at)| *at == node)
                        .map(|(label, _)| label.clone());
                    let place = match label {
                        _ if node == program.processes[claim].end => "end".to_owned(),
                        label => label.unwrap_or_else(|| self.sources.line_column(own.span).0.to_string()),
                    };
                    let name = named(&mut self.names, &format!("never_{place}"));
                    self.claim_nodes.insert(node, name);
                }
            }
        }
        let properties = self.properties(claim);
        let actions = self.actions(
            claim.is_some(),
            properties.iter().any(|text| text.contains("\nltl ") || text.starts_with("ltl ")),
        );
        let body = [self.claims(claim), actions, properties].concat();
        let used = body.join("\n");
        let definitions = self.definitions(&used);
        let used = used + &definitions.join("\n");
        let mut all = self.type_items(claim, &used);
        all.extend(self.variable_items(claim, &used));
        all.push(self.first_states(claim, &used));
        all.extend(definitions);
        all.extend(body);
        let variables = program.variables.iter().zip(&self.printer.variables);
        let global = variables.filter(|(own, _)| own.owner.is_none());
        let variables = global.map(|(own, name)| (own.name.clone(), name.clone())).collect();
        (all, ProgramSteps { actions: self.listed.into_iter().collect(), variables })
    }

    /// The statements of a step as Spin lists them.
    fn listed(&self, step: &PromelaStep) -> Vec<ListedStatement> {
        let has_own = self.count(step.process) > 1;
        let statement = |own: &StepStatement| {
            let known = self.printer.keys_are_pids(own.process);
            let number = match self.count(own.process) {
                _ if !known => ProcessNumber::Unknown,
                1 => ProcessNumber::Known(self.printer.first(own.process)),
                _ => ProcessNumber::Argument(usize::from(own.by_partner && has_own)),
            };
            let process = &self.printer.evaluator.program.processes[own.process];
            let end = process.nodes[process.end].span;
            let is_inside =
                own.span.source == end.source && (process.span.start..=end.start).contains(&own.span.start);
            // Spin gives other lines to `else`, to the first values of variables, and to the text of `inline` and of other files.
            let is_placed = is_inside
                && match &own.listed {
                    ListedText::Exactly(text) => text != "else" && text != TERMINATES,
                    ListedText::Begins(text) => text.contains(['!', '?', '<']),
                    ListedText::Nothing | ListedText::Jump => true,
                };
            ListedStatement {
                process: process.name.clone(),
                number,
                line: is_placed.then(|| self.sources.line_column(own.span).0),
                is_optional: own.dstep,
                jumps: own.jumps,
                text: own.listed.clone(),
            }
        };
        step.statements.iter().map(statement).collect()
    }

    fn types_of(&self, ty: ScalarType, (low, high): (i64, i64)) -> String {
        match ty {
            ScalarType::Bool => "bool".to_owned(),
            ScalarType::Int(..) => format!("{low}..{high}"),
            ScalarType::Message(set) => self.message_types[set].clone(),
            ScalarType::Channel => self.channel_type.clone(),
        }
    }

    fn type_items(&self, claim: Option<usize>, used: &str) -> Vec<String> {
        let (program, instances) = (self.printer.evaluator.program, self.printer.evaluator.instances);
        let mut all = Vec::new();
        for (name, values) in self.message_types.iter().zip(&self.printer.messages) {
            all.push(format!("type {name} = enum {{ {} }};", values.join(", ")));
        }
        for (process, own) in program.processes.iter().enumerate() {
            let count = self.count(process);
            if count == 0 {
                continue;
            }
            if count > 1 {
                let first = self.printer.first(process);
                let last = first + i64::try_from(count).unwrap_or(1) - 1;
                all.push(format!(
                    "/// The processes of {}.\ntype {} = {first}..{last};",
                    own.name, self.ids[process]
                ));
            }
            let mut names: Vec<(&ProcessLocation, &String)> = self
                .printer
                .locations
                .iter()
                .filter(|((of, _), _)| *of == process)
                .map(|((_, location), name)| (location, name))
                .collect();
            names.sort_by_key(|(location, _)| {
                let line = own.nodes.get(location.0).map_or(usize::MAX, |node| node_line(node, self.sources));
                (location.0 == NONE, line, **location)
            });
            let names: Vec<&str> = names.into_iter().map(|(_, name)| name.as_str()).collect();
            all.push(format!("/// Where a process of {} is: the line of its next statement, or its label.\ntype {} = enum {{ {} }};", own.name, self.types[process], names.join(", ")));
        }
        if claim.is_some() {
            let names: Vec<&str> = self.claim_nodes.values().map(String::as_str).collect();
            all.push(format!(
                "/// The states of the never claim.\ntype {}_state = enum {{ {} }};",
                self.claim,
                names.join(", ")
            ));
        }
        let channels = self.printer.channels.iter().any(|name| mentions(used, name))
            || program.variables.iter().enumerate().any(|(number, _)| self.is_stored_channel(number));
        if channels {
            all.push(format!(
                "type {} = enum {{ {} }};",
                self.channel_type,
                self.printer.channels.join(", ")
            ));
        }
        for (channel, own) in program.channels.iter().enumerate() {
            let used = own.capacity > 0
                && own.fields.len() > 1
                && instances.queues.iter().any(|queue| queue.channel == channel);
            if used {
                let fields =
                    own.fields.iter().zip(&self.printer.evaluator.ranges.fields[channel]).enumerate();
                let fields: Vec<String> = fields
                    .map(|(n, (ty, range))| format!("m{}: {}", n + 1, self.types_of(*ty, *range)))
                    .collect();
                all.push(format!(
                    "type {} = record {{ {} }};",
                    self.printer.records[channel],
                    fields.join(", ")
                ));
            }
        }
        all
    }

    fn is_stored_channel(&self, variable: usize) -> bool {
        let own = &self.printer.evaluator.program.variables[variable];
        let stored = !self.printer.variables[variable].is_empty()
            && own.owner.is_none_or(|owner| self.count(owner) > 0);
        own.ty == ScalarType::Channel && stored && self.printer.evaluator.fixed(variable).is_none()
    }

    /// The variables that the model has: those that change, or are read and not the same everywhere.
    fn kept(&self, used: &str) -> Vec<usize> {
        let program = self.printer.evaluator.program;
        let keeps = |variable: &usize| {
            let own = &program.variables[*variable];
            let param = own.owner.is_some_and(|owner| program.processes[owner].params.contains(variable));
            let there = own.owner.is_none_or(|owner| self.count(owner) > 0)
                && !self.printer.variables[*variable].is_empty();
            there
                && self.printer.evaluator.fixed(*variable).is_none()
                && (own.changes || param || mentions(used, &self.printer.variables[*variable]))
        };
        (0..program.variables.len()).filter(keeps).collect()
    }

    /// `map K to …` for the process and each dimension.
    fn mapped(&self, process: Option<usize>, dims: &[usize], inner: &str) -> String {
        let arrays: String = dims.iter().map(|size| format!("map 0..{} to ", size - 1)).collect();
        match process.filter(|process| self.count(*process) > 1) {
            Some(process) => format!("map {} to {arrays}{inner}", self.ids[process]),
            None => format!("{arrays}{inner}"),
        }
    }

    fn variable_items(&self, claim: Option<usize>, used: &str) -> Vec<String> {
        let evaluator = &self.printer.evaluator;
        let (program, instances) = (evaluator.program, evaluator.instances);
        let mut all = Vec::new();
        for process in 0..program.processes.len() {
            if self.count(process) > 0 {
                all.push(format!(
                    "var {} : {};",
                    self.printer.at[process],
                    self.mapped(Some(process), &[], &self.types[process])
                ));
                if instances.dynamic {
                    let last = instances.all.len();
                    all.push(format!(
                        "var {} : {};",
                        self.printer.pids[process],
                        self.mapped(Some(process), &[], &format!("0..{last}"))
                    ));
                }
            }
        }
        for variable in self.kept(used) {
            let own = &program.variables[variable];
            let inner = self.types_of(own.ty, evaluator.ranges.variables[variable]);
            all.push(format!(
                "var {} : {};",
                self.printer.variables[variable],
                self.mapped(own.owner, &own.dims, &inner)
            ));
        }
        for (number, queue) in instances.queues.iter().enumerate() {
            let channel = &program.channels[queue.channel];
            if channel.capacity > 0 {
                let inner = match channel.fields[..] {
                    [one] => self.types_of(one, evaluator.ranges.fields[queue.channel][0]),
                    _ => self.printer.records[queue.channel].clone(),
                };
                all.push(format!(
                    "var {} : seq of {inner} max {};",
                    self.printer.queues[number], channel.capacity
                ));
            }
        }
        if self.locks {
            all.push(format!(
                "/// A process is inside a sequence that nothing interrupts.\nvar {} : bool;",
                self.printer.locked
            ));
        }
        if claim.is_some() {
            all.push(format!("var {} : {}_state;", self.claim, self.claim));
        }
        all
    }

    /// The value of a constant expression of a variable.
    fn constant(&mut self, variable: usize, element: usize, whose: Option<(usize, usize)>) -> String {
        let own = &self.printer.evaluator.program.variables[variable];
        let initial = own.initial.get(element).unwrap_or(&own.initial[0]).clone();
        let process = whose.map(|(process, _)| process);
        let active = whose.is_none_or(|(process, number)| {
            self.printer.evaluator.instances.of(process).nth(number).is_some_and(|instance| instance.active)
        });
        let done = Done::default();
        let known = value(&initial, self.printer.evaluator.program).is_some();
        let sort = self.printer.evaluator.sort(own.ty, self.printer.evaluator.ranges.variables[variable]);
        if !active && !known && own.ty != ScalarType::Channel {
            return self.printer.default(sort);
        }
        let at = LocationContext {
            process: process.unwrap_or(0),
            whose: whose.map_or(Whose::Everyone, |(_, number)| Whose::Number(number)),
            node: None,
            done: &done,
            timeout: Some(false),
        };
        self.printer.evaluator.span = own.span;
        let term = self.printer.evaluator.term(&initial, at);
        let term = self.printer.evaluator.coerce(term, own.ty);
        self.printer.text(&term, 7)
    }

    fn first_states(&mut self, claim: Option<usize>, used: &str) -> String {
        let (program, instances) = (self.printer.evaluator.program, self.printer.evaluator.instances);
        let mut all = Vec::new();
        for process in 0..program.processes.len() {
            for instance in instances.of(process) {
                let location = if instance.active { program.processes[process].start } else { NONE };
                let name = self.printer.location(process, (location, LocationMode::Free)).to_owned();
                let index = self.printer.index(process, Whose::Number(instance.number));
                all.push(format!("{}{index} = {name};", self.printer.at[process]));
                if instances.dynamic {
                    all.push(format!(
                        "{}{index} = {};",
                        self.printer.pids[process],
                        instance.pid.filter(|_| instance.active).unwrap_or(0)
                    ));
                }
            }
        }
        for variable in self.kept(used) {
            let owner = program.variables[variable].owner;
            let processes: Vec<Option<(usize, usize)>> = match owner {
                Some(owner) => (0..self.count(owner)).map(|number| Some((owner, number))).collect(),
                None => vec![None],
            };
            let name = self.printer.variables[variable].clone();
            for whose in processes {
                let index = whose.map_or_else(String::new, |(process, number)| {
                    self.printer.index(process, Whose::Number(number))
                });
                all.extend(self.elements(variable, whose).into_iter().map(|(elements, value)| {
                    let keys: String = elements.0.iter().map(|key| format!("[{key}]")).collect();
                    format!("{}{name}{index}{keys} = {value};", elements.1)
                }));
            }
        }
        for (number, queue) in instances.queues.iter().enumerate() {
            if program.channels[queue.channel].capacity > 0 {
                all.push(format!("{} = [];", self.printer.queues[number]));
            }
        }
        if self.locks {
            all.push(format!("{} = false;", self.printer.locked));
        }
        if let Some(claim) = claim {
            all.push(format!("{} = {};", self.claim, self.claim_nodes[&program.processes[claim].start]));
        }
        format!("init {{\n{}\n}}", all.join("\n"))
    }

    /// The first values of the elements of a variable: keys, a quantifier before, the value.
    fn elements(
        &mut self,
        variable: usize,
        whose: Option<(usize, usize)>,
    ) -> Vec<((Vec<String>, String), String)> {
        let own = &self.printer.evaluator.program.variables[variable];
        let dims = own.dims.clone();
        if own.initial.len() == 1 && !dims.is_empty() {
            let keys: Vec<String> = (0..dims.len()).map(|number| format!("i{number}")).collect();
            let ranges: Vec<String> =
                keys.iter().zip(&dims).map(|(key, size)| format!("{key} in 0..{}", size - 1)).collect();
            let value = self.constant(variable, 0, whose);
            return vec![((keys, format!("forall {}: ", ranges.join(", "))), value)];
        }
        let element = |number: usize| {
            let mut rest = number;
            let mut keys: Vec<String> = dims
                .iter()
                .rev()
                .map(|size| {
                    let key = (rest % size).to_string();
                    rest /= size;
                    key
                })
                .collect();
            keys.reverse();
            keys
        };
        (0..own.initial.len())
            .map(|number| ((element(number), String::new()), self.constant(variable, number, whose)))
            .collect()
    }

    /// A formula about all or some processes of a type.
    fn quantified(&self, word: &str, process: usize, inner: &str) -> String {
        match self.count(process) {
            0 | 1 => inner.to_owned(),
            _ => format!("({word} {} in {}: {inner})", self.printer.own, self.ids[process]),
        }
    }

    /// Definitions of parameters and process numbers that are known.
    fn known_values(&mut self, used: &str) -> Vec<String> {
        let program = self.printer.evaluator.program;
        let instances = self.printer.evaluator.instances;
        let mut all = Vec::new();
        for (process, own) in program.processes.iter().enumerate() {
            let count = self.count(process);
            let by_key = |values: Vec<String>, printer: &PromelaPrinter<'_, '_>| {
                let (last, first) =
                    values.split_last().map_or(("0", &[][..]), |(last, first)| (last.as_str(), first));
                first.iter().enumerate().rev().fold(last.to_owned(), |rest, (number, value)| {
                    if *value == rest {
                        return rest;
                    }
                    format!(
                        "if {} = {} then {value} else {rest}",
                        printer.own,
                        printer.key(process, Whose::Number(number))
                    )
                })
            };
            for param in own.params.iter().filter(|_| count > 1) {
                let name = self.printer.variables[*param].clone();
                let Some(values) = self.printer.evaluator.fixed(*param).filter(|_| mentions(used, &name))
                else {
                    continue;
                };
                let variable = &program.variables[*param];
                let texts = values.iter().map(|value| self.printer.value(*value, *param)).collect();
                let numbers = values.iter().filter_map(|value| {
                    if let StaticValue::Int(value) = value { Some(*value) } else { None }
                });
                let range = match (numbers.clone().min(), numbers.max()) {
                    (Some(low), Some(high)) => (low, high),
                    _ => self.printer.evaluator.ranges.variables[*param],
                };
                let ty = self.types_of(variable.ty, range);
                all.push(format!(
                    "def {name}({}: {}): {ty} = {};",
                    self.printer.own,
                    self.ids[process],
                    by_key(texts, &self.printer)
                ));
            }
            if !instances.dynamic
                && !self.printer.keys_are_pids(process)
                && mentions(used, &self.printer.pids[process])
            {
                let pids =
                    instances.of(process).map(|instance| instance.pid.unwrap_or(0).to_string()).collect();
                all.push(format!(
                    "def {}({}: {}): 0..{} = {};",
                    self.printer.pids[process],
                    self.printer.own,
                    self.ids[process],
                    instances.all.len(),
                    by_key(pids, &self.printer)
                ));
            }
        }
        all
    }

    fn definitions(&mut self, used: &str) -> Vec<String> {
        let program = self.printer.evaluator.program;
        let instances = self.printer.evaluator.instances;
        let mut all = self.known_values(used);
        if mentions(used, &self.printer.processes) {
            let there = |process: usize| {
                let none = self.printer.locations.get(&(process, (NONE, LocationMode::Free)));
                let condition = none.map_or_else(
                    || "true".to_owned(),
                    |none| {
                        format!(
                            "{}{} != {none}",
                            self.printer.at[process],
                            self.printer.index(process, Whose::Own)
                        )
                    },
                );
                match self.count(process) {
                    0 | 1 => format!("(if {condition} then 1 else 0)"),
                    _ => format!("(count {} in {}: {condition})", self.printer.own, self.ids[process]),
                }
            };
            let sum: Vec<String> =
                (0..program.processes.len()).filter(|process| self.count(*process) > 0).map(there).collect();
            all.push(format!(
                "/// The number of processes.\ndef {}: 0..{} = {};",
                self.printer.processes,
                instances.all.len(),
                sum.join(" + ")
            ));
        }
        let ended = mentions(used, &self.ended).then(|| self.possible(true));
        let blocked = &self.printer.blocked;
        if mentions(used, blocked) || ended.as_ref().is_some_and(|ended| mentions(ended, blocked)) {
            all.push(format!(
                "/// No process can execute a statement, without `timeout`.\ndef {blocked}: bool = {};",
                self.possible(false)
            ));
        }
        if let Some(text) = ended {
            all.push(format!("/// No process can execute a statement.\ndef {}: bool = {text};", self.ended));
        }
        all
    }

    /// No statement can be executed; `timeout` if it counts as possible.
    fn possible(&self, timeout: bool) -> String {
        let program = self.printer.evaluator.program;
        let mut all = Vec::new();
        for (process, own) in program.processes.iter().enumerate() {
            if self.count(process) == 0 {
                continue;
            }
            let mut always: Vec<&str> = Vec::new();
            let mut parts = Vec::new();
            for location in &self.printer.steps.locations[process] {
                let name = self.printer.location(process, *location);
                if location.0 == own.end || location.0 == NONE {
                    continue;
                }
                let (plain, waiting) = &self.printer.steps.enabled[&(process, location.0)];
                let condition = if timeout { waiting } else { plain };
                match condition.truth() {
                    Some(true) => always.push(name),
                    Some(false) => {}
                    None => {
                        let (_, at) = self.printer.is_at(process, Whose::Own, &[name]);
                        parts.push(format!("{at} and {}", self.printer.text(condition, 5)));
                    }
                }
            }
            if !always.is_empty() {
                parts.insert(0, self.printer.is_at(process, Whose::Own, &always).1);
            }
            // Processes that have ended disappear.
            for step in
                self.printer.steps.all.iter().filter(|step| step.process == process && step.words == "ends")
            {
                let (_, at) =
                    self.printer.is_at(process, Whose::Own, &[self.printer.location(process, step.from)]);
                let conditions: String = step
                    .conditions
                    .iter()
                    .map(|condition| format!(" and {}", self.printer.text(condition, 5)))
                    .collect();
                parts.push(format!("{at}{conditions}"));
            }
            if !parts.is_empty() {
                all.push(self.quantified("exists", process, &parts.join(" or ")));
            }
        }
        match all.is_empty() {
            true => "true".to_owned(),
            false => format!("not ({})", all.join(" or ")),
        }
    }

    /// The text of a statement, for comments.
    fn statement(&self, span: Span) -> String {
        let text: String = self.sources.snippet(span).split_whitespace().collect::<Vec<_>>().join(" ");
        let short: String = text.chars().take(LONGEST).collect();
        let more = if short.len() < text.len() { "…" } else { "" };
        format!("{}{more}", printable(&short))
    }

    fn actions(&mut self, claim: bool, liveness: bool) -> Vec<String> {
        let mut all = Vec::new();
        let steps = self.printer.steps;
        let mut order: Vec<&PromelaStep> = steps.all.iter().collect();
        order.sort_by_key(|step| {
            let line =
                step.statements.first().map_or((0, 0), |first| (first.span.source.0, first.span.start));
            (step.process, step.words == "ends", line)
        });
        for step in order {
            let text = self.action(step, claim);
            all.push(text);
        }
        if claim || liveness {
            let name = named(&mut self.names, "stutter");
            let observe = if claim { format!(" {}();", self.observe) } else { String::new() };
            all.push(format!("/// No further step.\naction {name} {{ require {};{observe} }}", self.ended));
        }
        all
    }

    fn action(&mut self, step: &PromelaStep, claim: bool) -> String {
        let program = self.printer.evaluator.program;
        let own = &program.processes[step.process];
        let line = step.statements.first().map_or(0, |first| self.sources.line_column(first.span).0);
        let name = match step.words.as_str() {
            "ends" => named(&mut self.names, &format!("{}_ends", own.name)),
            words => named(&mut self.names, &format!("{}_{line}_{words}", own.name)),
        };
        let listed = self.listed(step);
        self.listed.push((name.clone(), listed));
        let mut params = Vec::new();
        if self.count(step.process) > 1 {
            params.push(format!("{}: {}", self.printer.own, self.ids[step.process]));
        }
        if let Some((partner, _)) = step.partner.filter(|(partner, _)| self.count(*partner) > 1) {
            params.push(format!("{}: {}", self.printer.partner, self.ids[partner]));
        }
        let params = if params.is_empty() { String::new() } else { format!("({})", params.join(", ")) };
        let mut body = Vec::new();
        let (_, at) =
            self.printer.is_at(step.process, Whose::Own, &[self.printer.location(step.process, step.from)]);
        body.push(format!("require {at};"));
        if self.locks && step.from.1 == LocationMode::Free {
            body.push(format!("require not {};", self.printer.locked));
        }
        for condition in &step.conditions {
            let mut parts = Vec::new();
            conjuncts(condition, &mut parts);
            body.extend(parts.into_iter().map(|part| format!("require {};", self.printer.text(part, 0))));
        }
        body.extend(self.assignments(step));
        if claim {
            body.push(format!("{}();", self.observe));
        }
        let texts: Vec<String> = step.statements.iter().take(4).map(|own| self.statement(own.span)).collect();
        let more = if step.statements.len() > 4 { "; …" } else { "" };
        let title = match step.words.as_str() {
            "ends" => format!("{} ends", own.name),
            _ => format!("{}, line {line}: {}{more}", own.name, texts.join("; ")),
        };
        format!("/// {title}\naction {name}{params} {{\n{}\n}}", body.join("\n"))
    }

    fn assignments(&mut self, step: &PromelaStep) -> Vec<String> {
        let mut body = Vec::new();
        for (process, whose, location) in &step.ends {
            let stays = (*process, *whose, *location) == (step.process, Whose::Own, step.from);
            if !stays {
                let cell = Cell { root: CellRoot::Location(*process), whose: *whose, indices: Vec::new() };
                body.push(format!(
                    "{} = {};",
                    self.printer.place(&cell, "'"),
                    self.printer.location(*process, *location)
                ));
            }
        }
        let writes = &step.done.store.writes;
        for (number, (cell, value)) in writes.iter().enumerate() {
            let overwritten = writes[number + 1..].iter().filter_map(|(later, _)| same(later, cell));
            let condition = overwritten.fold(PromelaTerm::bool(true), |all, same| all.and(same.not()));
            let text = format!("{} = {};", self.printer.place(cell, "'"), self.printer.text(value, 0));
            match condition.truth() {
                Some(true) => body.push(text),
                Some(false) => {}
                None => body.push(format!("if {} {{ {text} }}", self.printer.text(&condition, 0))),
            }
        }
        let held = step.ends.iter().any(|(.., (_, mode))| *mode == LocationMode::Held);
        if held != (step.from.1 == LocationMode::Held) {
            body.push(format!("{}' = {held};", self.printer.locked));
        }
        if step.words == "ends" {
            body.extend(self.forgotten(step.process));
        }
        body
    }

    /// The variables of a process that disappears have the values that they had before it was there.
    fn forgotten(&mut self, process: usize) -> Vec<String> {
        let (program, instances) = (self.printer.evaluator.program, self.printer.evaluator.instances);
        let mut all = Vec::new();
        if instances.dynamic {
            all.push(format!(
                "{}'{} = 0;",
                self.printer.pids[process],
                self.printer.index(process, Whose::Own)
            ));
        }
        for local in &program.processes[process].locals {
            let own = &program.variables[*local];
            let param = program.processes[process].params.contains(local);
            if !own.changes && !param
                || self.printer.evaluator.fixed(*local).is_some()
                || self.printer.variables[*local].is_empty()
            {
                continue;
            }
            let place =
                format!("{}'{}", self.printer.variables[*local], self.printer.index(process, Whose::Own));
            let known = value(&own.initial[0], program).is_some() && !param && own.initial.len() == 1;
            let sort = self.printer.evaluator.sort(own.ty, self.printer.evaluator.ranges.variables[*local]);
            let text = match own.ty {
                ScalarType::Channel => self.printer.default(Sort::Channel),
                _ if known => self.constant(*local, 0, Some((process, 0))),
                _ => self.printer.default(sort),
            };
            let nested = own
                .dims
                .iter()
                .enumerate()
                .rev()
                .fold(text, |inner, (number, size)| format!("map i{number} in 0..{}: {inner}", size - 1));
            all.push(format!("{place} = {nested};"));
        }
        for (number, queue) in instances.queues.iter().enumerate() {
            let channel = &program.channels[queue.channel];
            if program.variables[channel.variable].owner == Some(process) && channel.capacity > 0 {
                let name = &self.printer.queues[number];
                match self.count(process) {
                    0 | 1 => all.push(format!("{name}' = [];")),
                    _ => {
                        let key = self.printer.key(process, Whose::Number(queue.whose.unwrap_or(0)));
                        all.push(format!("if {} = {key} {{ {name}' = []; }}", self.printer.own));
                    }
                }
            }
        }
        all
    }

    /// The states of a never claim, which change with each step.
    fn claims(&mut self, claim: Option<usize>) -> Vec<String> {
        let Some(claim) = claim else { return Vec::new() };
        let program = self.printer.evaluator.program;
        let done = Done::default();
        let mut cases = Vec::new();
        for (node, name) in self.claim_nodes.clone() {
            let mut before = PromelaTerm::bool(true);
            for edge in &program.processes[claim].nodes[node].edges {
                self.printer.evaluator.span = edge.span;
                let at = LocationContext::of_claim(claim, &done);
                let condition = match &edge.action {
                    StatementEffect::Skip | StatementEffect::Assert(_) => PromelaTerm::bool(true),
                    StatementEffect::Guard(e) => self.printer.evaluator.truth(e, at),
                    StatementEffect::Else => before.clone(),
                    _ => {
                        self.printer
                            .evaluator
                            .wrong("a never claim only has conditions here", "write `assert` as a condition");
                        PromelaTerm::bool(false)
                    }
                };
                before = before.and(condition.clone().not());
                if let (Some(to), true) = (self.claim_nodes.get(&edge.to), condition.truth() != Some(false)) {
                    let condition = self.printer.text(&condition, 5);
                    cases.push(format!("{} = {name} and c = {to} and {condition}", self.claim));
                }
            }
            if node == program.processes[claim].end {
                cases.push(format!("{} = {name} and c = {name}", self.claim));
            }
        }
        let cases = if cases.is_empty() { "false".to_owned() } else { cases.join(" or ") };
        vec![format!(
            "/// The never claim takes a step.\noperation {}() {{ {}' in {{ c in {}_state : {cases} }}; }}",
            self.observe, self.claim, self.claim
        )]
    }

    fn properties(&mut self, claim: Option<usize>) -> Vec<String> {
        let program = self.printer.evaluator.program;
        let mut all = self.checks();
        let valid = self.valid_ends();
        let ended = self.ended.clone();
        if let Some(valid) = valid {
            let text = valid.map_or_else(|| format!("not {ended}"), |valid| format!("{ended} => {valid}"));
            all.push(format!("/// In a deadlock, every process has ended or is at an end label.\ninvariant valid_end_states: {text};"));
        }
        let mut taken = BTreeSet::new();
        for (name, formula, span) in &program.formulas {
            self.printer.evaluator.span = *span;
            let done = Done::default();
            let at = LocationContext {
                process: 0,
                whose: Whose::Everyone,
                node: None,
                done: &done,
                timeout: Some(true),
            };
            let term = self.printer.evaluator.truth(formula, at);
            let term = if self.locks { self.observed(&term) } else { term };
            let mut own = own_name(name);
            while !taken.insert(own.clone()) {
                own.push('_');
            }
            all.push(format!("ltl {own}: {};", self.printer.text(&term, 0)));
        }
        for (kind, word) in [("accept", "no_acceptance_cycle"), ("progress", "progress")] {
            let at = self.at_labels(kind);
            if !at.is_empty() {
                let some = at.join(" or ");
                let text = match kind {
                    "accept" => format!(
                        "/// No label `accept…` is passed for ever.\nltl {word}: not (always (eventually ({some})));"
                    ),
                    _ => format!(
                        "/// A label `progress…` is passed again and again.\nltl {word}: always (eventually ({some}));"
                    ),
                };
                all.push(text);
            }
        }
        all.extend(claim.map(|claim| self.claim_properties(claim)).into_iter().flatten());
        all
    }

    /// The properties of a never claim: its assertions, its end, its accepting states.
    fn claim_properties(&mut self, claim: usize) -> Vec<String> {
        let program = self.printer.evaluator.program;
        let own = &program.processes[claim];
        let mut all = Vec::new();
        for (node, name) in self.claim_nodes.clone() {
            for edge in &own.nodes[node].edges {
                let StatementEffect::Assert(e) = &edge.action else { continue };
                let done = Done::default();
                let at = LocationContext::of_claim(claim, &done);
                self.printer.evaluator.span = edge.span;
                let condition = self.printer.evaluator.truth(e, at);
                let line = self.sources.line_column(edge.span).0;
                let text = self.printer.text(&condition, 3);
                all.push(format!(
                    "/// Line {line}: {}\ninvariant claim_assert_{line}: {} = {name} => {text};",
                    self.statement(edge.span),
                    self.claim
                ));
            }
        }
        {
            let own = &program.processes[claim];
            if let Some(end) = self.claim_nodes.get(&own.end) {
                all.push(format!(
                    "/// The never claim does not end.\ninvariant claim_goes_on: {} != {end};",
                    self.claim
                ));
            }
            let accepting = own.labels.iter().filter(|(label, _)| label.starts_with("accept"));
            let names: BTreeSet<&str> =
                accepting.filter_map(|(_, node)| self.claim_nodes.get(node).map(String::as_str)).collect();
            if !names.is_empty() {
                let names: Vec<&str> = names.into_iter().collect();
                all.push(format!("/// The never claim does not accept.\nltl never_accepted: not (always (eventually ({} in {{ {} }})));", self.claim, names.join(", ")));
            }
        }
        all
    }

    /// The processes at labels that begin with a word.
    fn at_labels(&self, kind: &str) -> Vec<String> {
        let program = self.printer.evaluator.program;
        let mut all = Vec::new();
        for (process, own) in
            program.processes.iter().enumerate().filter(|(process, _)| self.count(*process) > 0)
        {
            let labelled = own.labels.iter().filter(|(label, _)| label.starts_with(kind));
            let names: BTreeSet<&str> = labelled
                .flat_map(|(_, node)| {
                    let here =
                        |mode| self.printer.locations.get(&(process, (*node, mode))).map(String::as_str);
                    [here(LocationMode::Free), here(LocationMode::Held)]
                })
                .flatten()
                .collect();
            if !names.is_empty() {
                let names: Vec<&str> = names.into_iter().collect();
                all.push(self.quantified(
                    "exists",
                    process,
                    &self.printer.is_at(process, Whose::Own, &names).1,
                ));
            }
        }
        all
    }

    /// All processes are where a program may end, `None` inside if there is no such place; nothing if they are nowhere else.
    fn valid_ends(&self) -> Option<Option<String>> {
        let program = self.printer.evaluator.program;
        let mut all = Vec::new();
        for (process, own) in
            program.processes.iter().enumerate().filter(|(process, _)| self.count(*process) > 0)
        {
            let fine = |location: &ProcessLocation| {
                let labelled =
                    own.labels.iter().any(|(label, node)| label.starts_with("end") && *node == location.0);
                location.0 == NONE || location.0 == own.end || labelled
            };
            let here = self.printer.locations.iter().filter(|((of, _), _)| *of == process);
            let names: BTreeSet<&str> = here
                .clone()
                .filter(|((_, location), _)| fine(location))
                .map(|(_, name)| name.as_str())
                .collect();
            if names.is_empty() {
                return Some(None);
            }
            if names.len() < here.count() {
                let names: Vec<&str> = names.into_iter().collect();
                all.push(self.quantified(
                    "forall",
                    process,
                    &self.printer.is_at(process, Whose::Own, &names).1,
                ));
            }
        }
        (!all.is_empty()).then(|| Some(format!("({})", all.join(" and "))))
    }

    /// The conditions at locations: an invariant for each assertion, and one for all indices and divisors.
    fn checks(&mut self) -> Vec<String> {
        let program = self.printer.evaluator.program;
        let mut groups: BTreeMap<(CheckKind, u32, u32), Vec<String>> = BTreeMap::new();
        let mut spans: BTreeMap<(CheckKind, u32, u32), Span> = BTreeMap::new();
        for check in &self.printer.steps.checks {
            let key = match check.kind {
                CheckKind::Assert => (check.kind, check.span.source.0, check.span.start),
                kind => (kind, 0, 0),
            };
            spans.entry(key).or_insert(check.span);
            if check.condition.truth() == Some(true) {
                groups.entry(key).or_default();
                continue;
            }
            let (_, mut at) = self.printer.is_at(
                check.process,
                Whose::Own,
                &[self.printer.location(check.process, check.at)],
            );
            if self.locks && check.at.1 == LocationMode::Free {
                at = format!("{at} and not {}", self.printer.locked);
            }
            if let (Some(provided), CheckKind::Assert) =
                (&program.processes[check.process].provided, check.kind)
            {
                let done = Done::default();
                let context = LocationContext {
                    process: check.process,
                    whose: Whose::Own,
                    node: None,
                    done: &done,
                    timeout: Some(false),
                };
                let condition = self.printer.evaluator.truth(provided, context);
                at = format!("{at} and {}", self.printer.text(&condition, 5));
            }
            let inner = format!("{at} => {}", self.printer.text(&check.condition, 3));
            let text = match self.count(check.process) {
                0 | 1 => format!("({inner})"),
                _ => self.quantified("forall", check.process, &inner),
            };
            groups.entry(key).or_default().push(text);
        }
        let mut all = Vec::new();
        let mut taken = BTreeSet::new();
        for (key, parts) in groups {
            let span = spans[&key];
            let (name, title) = match key.0 {
                CheckKind::Assert => {
                    let line = self.sources.line_column(span).0;
                    (format!("assert_{line}"), format!("Line {line}: {}", self.statement(span)))
                }
                CheckKind::Defined => (
                    "defined".to_owned(),
                    "Every index is inside its array, and nothing is divided by 0.".to_owned(),
                ),
                CheckKind::DStep => {
                    ("d_steps_go_on".to_owned(), "No `d_step` waits after its first statement.".to_owned())
                }
            };
            let mut own = name.clone();
            let mut number = 2;
            while !taken.insert(own.clone()) {
                own = format!("{name}_{number}");
                number += 1;
            }
            let text = if parts.is_empty() { "true".to_owned() } else { parts.join(" and ") };
            all.push(format!("/// {title}\ninvariant {own}: {text};"));
        }
        all
    }

    /// A formula about the states that are not in the middle of a sequence.
    fn observed(&self, term: &PromelaTerm) -> PromelaTerm {
        let locked = PromelaTerm::new(
            PromelaNode::Read(Cell { root: CellRoot::Locked, whose: Whose::Everyone, indices: Vec::new() }),
            Sort::Bool,
        );
        let free = locked.clone().not();
        let temporal = |word, all| PromelaTerm::new(PromelaNode::Temporal(word, all), Sort::Bool);
        match &*term.node {
            PromelaNode::Not(a) => self.observed(a).not(),
            PromelaNode::And(a, b) => self.observed(a).and(self.observed(b)),
            PromelaNode::Or(a, b) => self.observed(a).or(self.observed(b)),
            PromelaNode::Compare("=", a, b) if a.sort == Sort::Bool => {
                PromelaTerm::compare("=", self.observed(a), self.observed(b))
            }
            PromelaNode::Temporal("next", all) => {
                temporal("next", vec![temporal("until", vec![locked, free.and(self.observed(&all[0]))])])
            }
            PromelaNode::Temporal("always", all) => {
                temporal("always", vec![locked.or(self.observed(&all[0]))])
            }
            PromelaNode::Temporal("eventually", all) => {
                temporal("eventually", vec![free.and(self.observed(&all[0]))])
            }
            PromelaNode::Temporal("release", all) => {
                temporal("release", vec![free.and(self.observed(&all[0])), locked.or(self.observed(&all[1]))])
            }
            PromelaNode::Temporal(word, all) => {
                temporal(word, vec![locked.or(self.observed(&all[0])), free.and(self.observed(&all[1]))])
            }
            _ => term.clone(),
        }
    }
}

/// The line of a location: that of its statements, if they are on one, or where it begins.
fn node_line(node: &super::program::ControlLocation, sources: &SourceMap) -> usize {
    let line = |span: Span| sources.line_column(span).0;
    let mut all = node.edges.iter().map(|edge| line(edge.span));
    let first = all.next().unwrap_or_else(|| line(node.span));
    if all.all(|other| other == first) { first } else { line(node.span) }
}

/// The parts that `and` joins.
fn conjuncts<'t>(term: &'t PromelaTerm, all: &mut Vec<&'t PromelaTerm>) {
    match &*term.node {
        PromelaNode::And(a, b) => {
            conjuncts(a, all);
            conjuncts(b, all);
        }
        _ => all.push(term),
    }
}

/// A text has a name in it.
fn mentions(text: &str, name: &str) -> bool {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let free = |at: usize| {
        let before = text[..at].chars().next_back().is_some_and(word);
        !before && !text[at + name.len()..].starts_with(word)
    };
    !name.is_empty() && text.match_indices(name).any(|(at, _)| free(at))
}
