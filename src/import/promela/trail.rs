//! Trails of Spin, as `spin -t -p` lists them: the statements that were executed, one a line.

use super::listed::{ListedText, is_jump, plain};
use super::steps::TERMINATES;
use lang::model::eval::first_violation;
use lang::model::value::{Label, Moment, Value};
use lang::model::{Model, Position};
use lang::trace::{ItfTrace, Lasso, Trace};
use std::collections::{BTreeSet, HashMap};

/// The statements of the actions of a program's model, and the names of its variables.
#[derive(Debug, Default)]
pub struct ProgramSteps {
    pub(super) actions: HashMap<String, Vec<ListedStatement>>,
    /// Global variables: their names in the program, and in the model.
    pub(super) variables: Vec<(String, String)>,
}

/// A statement of an action.
#[derive(Debug)]
pub(super) struct ListedStatement {
    /// The type of the process.
    pub process: String,
    pub number: ProcessNumber,
    /// The line of the program; `None` where Spin gives another one.
    pub line: Option<usize>,
    pub text: ListedText,
    /// Spin may leave it out.
    pub is_optional: bool,
    /// Spin may list a jump after it that is no statement.
    pub jumps: bool,
}

/// The number of the process that executes a statement.
#[derive(Debug)]
pub(super) enum ProcessNumber {
    Known(i64),
    /// An argument of the action.
    Argument(usize),
    Unknown,
}

/// A line of a trail: a statement, or the end, of a process.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Executed<'a> {
    /// The type of the process; `None` for the end of one that did nothing.
    process: Option<&'a str>,
    /// The number of the process.
    number: i64,
    /// The line of the program.
    line: Option<usize>,
    /// The number of the step of Spin, which may be several statements.
    step: u64,
    /// The line of the trail, from 1.
    listed_at: usize,
    /// Without spaces and brackets.
    text: String,
}

impl Executed<'_> {
    /// True for a jump of the process with a number.
    fn is_jump_of(&self, number: i64) -> bool {
        self.number == number && is_jump(&self.text)
    }
}

/// The statements of a trail, and the steps of a model that execute them.
#[derive(Debug)]
pub struct Trail<'a> {
    executed: Vec<Executed<'a>>,
    /// The statements of each action; none for steps that Spin does not list.
    actions: Vec<&'a [ListedStatement]>,
    /// The ends of processes are listed.
    lists_ends: bool,
    /// The number of statements before the cycle.
    cycle: Option<usize>,
    violates: bool,
    /// The line of the text where the statements end, from 1.
    end: usize,
    /// The values of global variables at the end: the name, in the model, the index, the value.
    last: Vec<(&'a str, Option<i64>, i64)>,
}

/// The reason why a text is not a trail of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrailFault {
    /// The line of the text, from 1.
    pub line: usize,
    /// The fault.
    pub message: String,
}

/// A line of a list about a process.
enum TrailLine<'a> {
    Executed(Executed<'a>),
    /// A never claim, a jump, or a place without a statement.
    Other,
}

impl<'a> Trail<'a> {
    /// True if a text lists statements of processes.
    pub fn is_listed(text: &str) -> bool {
        text.lines().any(|line| about(line).is_some())
    }

    /// True if a text is a file `.trail` of Spin: a line is a step, a process and a statement, as numbers.
    pub fn is_coded(text: &str) -> bool {
        let is_step = |line: &str| {
            line.split(':').count() == 3 && line.split(':').all(|part| part.parse::<i64>().is_ok())
        };
        !text.trim().is_empty() && text.lines().all(|line| is_step(line.trim()))
    }

    /// Reads the lines of a trail for a model of the program.
    ///
    /// # Errors
    /// A line that cannot be read, or no statement and no end.
    pub fn read(model: &Model, steps: &'a ProgramSteps, text: &'a str) -> Result<Self, TrailFault> {
        let mut executed: Vec<Executed<'a>> = Vec::new();
        let (mut cycle, mut last, mut end, mut failed) = (None, Vec::new(), None, None);
        for (number, line) in (1..).zip(text.lines()) {
            if line.contains("<<<<<START OF CYCLE>>>>>") {
                cycle = Some(executed.len());
            }
            if line.contains("Error: assertion violated") {
                failed = Some(executed.len());
            }
            if line.contains("spin: trail ends") {
                end = Some(number);
            }
            if end.is_some() {
                last.extend(value(line, steps));
            }
            let Some((step, process, rest)) = about(line) else { continue };
            let read = read_line(process, rest, (step, number)).ok_or_else(|| TrailFault {
                line: number,
                message: "expected a statement of a process".into(),
            })?;
            if let TrailLine::Executed(mut one) = read {
                if one.process.is_none() {
                    let before = executed.iter().rev().find(|before| before.number == one.number);
                    one.process = before.and_then(|before| before.process);
                }
                executed.push(one);
            }
        }
        if executed.is_empty() && end.is_none() {
            return Err(TrailFault { line: 1, message: "no statement is listed".into() });
        }
        // An assertion that fails is seen where it is next. The step that executes it may do more, in Spin and here.
        if let Some([first, rest @ ..]) = failed.map(|at| &executed[at..])
            && rest.iter().all(|later| later.step == first.step)
        {
            if !rest.is_empty() || !first.text.starts_with("assert") {
                last.clear();
            }
            executed.truncate(executed.len() - rest.len() - 1);
        }
        let actions = model.actions.iter();
        let actions = actions.map(|action| steps.actions.get(&action.name).map_or(&[][..], |own| own));
        Ok(Self {
            lists_ends: executed.iter().any(|own| own.text == TERMINATES),
            actions: actions.collect(),
            executed,
            cycle,
            violates: failed.is_some(),
            end: end.unwrap_or_else(|| text.lines().count()),
            last,
        })
    }

    /// Returns the number of statements.
    pub fn len(&self) -> usize {
        self.executed.len()
    }

    /// True if there is no statement.
    pub fn is_empty(&self) -> bool {
        self.executed.is_empty()
    }

    /// Returns the numbers of statements that a step may execute from a place of the trail on, in order.
    pub fn executes(&self, label: &Label, at: usize) -> Vec<usize> {
        let statements = self.actions[label.action];
        if !self.lists_ends && statements.iter().any(|own| own.text.is(TERMINATES)) {
            return vec![0];
        }
        // Places, and the numbers of processes that are not known otherwise, by the types of the processes.
        let mut places: BTreeSet<(usize, Vec<(&str, i64)>)> = BTreeSet::from([(at, Vec::new())]);
        for own in statements {
            let mut next = if own.is_optional { places.clone() } else { BTreeSet::new() };
            for (place, known) in places {
                let Some(one) = self.executed.get(place) else { continue };
                let is_statement = one.process.is_none_or(|process| process == own.process)
                    && own.line.is_none_or(|line| one.line == Some(line))
                    && own.text.is(&one.text);
                if !is_statement {
                    continue;
                }
                let mut known = known;
                let is_process = match own.number {
                    ProcessNumber::Known(number) => number == one.number,
                    ProcessNumber::Argument(at) => label.args.get(at) == Some(&Value::Int(one.number)),
                    ProcessNumber::Unknown => {
                        let before = known.iter().find(|(process, _)| *process == own.process);
                        let fits = before.is_none_or(|(_, number)| *number == one.number);
                        known.push((&own.process, one.number));
                        fits
                    }
                };
                if is_process {
                    let rest = &self.executed[place + 1..];
                    let jumps = rest.iter().take_while(|later| own.jumps && later.is_jump_of(one.number));
                    next.extend((0..=jumps.count()).map(|more| (place + 1 + more, known.clone())));
                }
            }
            places = next;
        }
        let counts: BTreeSet<usize> = places.into_iter().map(|(place, _)| place - at).collect();
        counts.into_iter().collect()
    }

    /// Returns the fault that no trace has a statement, or the end, after the statements before.
    pub fn fault_at(&self, at: usize, why: &str) -> TrailFault {
        let Some(own) = self.executed.get(at) else {
            let message = match self.violates {
                true => "an assertion is violated here, and in no trace with these statements and values",
                false => "no trace with these statements ends with these values",
            };
            return TrailFault { line: self.end, message: message.into() };
        };
        let place = own.line.map_or_else(|| own.text.clone(), |line| format!("line {line}"));
        let process = own.process.unwrap_or("unknown");
        let message = format!("{why}: process {} ({process}), {place}", own.number);
        TrailFault { line: own.listed_at, message }
    }

    /// Returns the trace that is meant, of all that execute the statements; each moment has the number of statements before it.
    ///
    /// # Errors
    /// If none agrees with the rest of the text, or several do and differ.
    pub fn meant(&self, replays: Vec<Vec<(Moment, usize)>>) -> Result<ItfTrace, TrailFault> {
        let fault = |message: &str| TrailFault { line: self.end, message: message.to_owned() };
        let mut meant = Vec::new();
        for replay in replays {
            let (moments, counts): (Vec<Moment>, Vec<usize>) = replay.into_iter().unzip();
            let Some(cycle) = self.cycle else {
                meant.push(ItfTrace::Finite(Trace { moments }));
                continue;
            };
            let last = moments.len() - 1;
            let begins = |at: &usize| counts[*at] == cycle && moments[*at].state == moments[last].state;
            if let Some(start) = (0..last).find(begins) {
                let start = Position::new(start);
                meant.push(ItfTrace::Infinite(Lasso { trace: Trace { moments }, start }));
            }
        }
        let mut meant = meant.into_iter();
        let first =
            meant.next().ok_or_else(|| fault("the state where the cycle begins does not come back"))?;
        if meant.next().is_some() {
            return Err(fault("several traces fit the statements; put each option on a line of its own"));
        }
        Ok(first)
    }

    /// True if a trace ends with the values of the trail, and violates an assertion if the trail does.
    pub fn ends(&self, model: &Model, replay: &[(Moment, usize)]) -> bool {
        let Some((last, _)) = replay.last() else { return false };
        if self.violates && !violates_assertion(model, replay) {
            return false;
        }
        self.last.iter().all(|(name, index, expected)| {
            let Some(at) = model.variables.iter().position(|own| own.name == *name) else { return true };
            let value = match (index, &last.state.0[at]) {
                (Some(index), Value::Map(entries)) => entries.get(&Value::Int(*index)),
                (None, value) => Some(value),
                _ => None,
            };
            match value {
                Some(Value::Int(own)) => own == expected,
                Some(Value::Bool(own)) => i64::from(*own) == *expected,
                _ => true,
            }
        })
    }
}

/// True if an assertion is violated, or an expression in it has no value.
fn violates_assertion(model: &Model, replay: &[(Moment, usize)]) -> bool {
    let moments: Vec<Moment> = replay.iter().map(|(moment, _)| moment.clone()).collect();
    let mut asserted =
        model.properties.iter().filter(|own| own.name.contains("assert_") || own.name == "defined");
    asserted.any(|own| own.invariant().is_some_and(|e| first_violation(model, e, &moments).is_some()))
}

/// Splits a line like `1: proc 0 (p:1) …`, perhaps after what the program printed, into the step, the process and the rest; `None` for other lines.
fn about(line: &str) -> Option<(u64, &str, &str)> {
    let place = [":\tproc ", ": proc "].iter().filter_map(|begin| line.find(begin)).min()?;
    let (step, rest) = line.split_at(place);
    let step = step.rsplit(|c: char| !c.is_ascii_digit()).next()?.parse().ok()?;
    let rest = rest[1..].trim_start().strip_prefix("proc")?;
    let rest = rest.strip_prefix(char::is_whitespace)?.trim_start();
    let (process, rest) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    Some((step, process, rest))
}

/// Reads `(producer:1) p.pml:9 (state 1) [((n<2))]`, perhaps with `<valid end state>`, or `terminates`.
fn read_line<'a>(number: &str, rest: &'a str, (step, listed_at): (u64, usize)) -> Option<TrailLine<'a>> {
    let rest = rest.trim();
    if number == "-" {
        return Some(TrailLine::Other);
    }
    let number = number.parse().ok()?;
    if rest == TERMINATES {
        let text = rest.to_owned();
        return Some(TrailLine::Executed(Executed {
            process: None,
            number,
            line: None,
            step,
            listed_at,
            text,
        }));
    }
    let (name, rest) = rest.strip_prefix('(')?.split_once(')')?;
    if !rest.contains('[') {
        return Some(TrailLine::Other);
    }
    let process = name.rsplit_once(':').map_or(name, |(name, _)| name).trim_matches(':');
    let (place, rest) = rest.trim_start().split_once(' ')?;
    let line = place.rsplit_once(':')?.1.parse().ok()?;
    let (state, statement) = rest.trim_start().strip_prefix("(state ")?.split_once(')')?;
    state.parse::<u64>().ok()?;
    let statement = statement.trim_start();
    let statement = statement.strip_prefix("<valid end state>").unwrap_or(statement);
    let statement = statement.trim_start().strip_prefix('[')?.strip_suffix(']')?;
    if is_place(statement) {
        return Some(TrailLine::Other);
    }
    let text = plain(statement);
    let (process, line) = (Some(process), Some(line));
    Some(TrailLine::Executed(Executed { process, number, line, step, listed_at, text }))
}

/// True for what Spin lists where sequences begin and end.
fn is_place(statement: &str) -> bool {
    let is_word = ["DO", "IF", "ATOMIC", "sub-sequence", "-end-"].contains(&statement);
    is_word || [".(goto)", "D_STEP"].iter().any(|place| statement.starts_with(place))
}

/// Reads `x = 2` or `a[1] = 2`, for the variable of the model.
fn value<'a>(line: &str, steps: &'a ProgramSteps) -> Option<(&'a str, Option<i64>, i64)> {
    let (name, value) = line.trim().split_once(" = ")?;
    let (name, index) = match name.strip_suffix(']').and_then(|name| name.split_once('[')) {
        Some((name, index)) => (name, Some(index.parse().ok()?)),
        None => (name, None),
    };
    let (_, own) = steps.variables.iter().find(|(known, _)| known == name)?;
    Some((own, index, value.parse().ok()?))
}
