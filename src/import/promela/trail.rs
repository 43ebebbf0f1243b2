//! Trails of Spin, as `spin -t -p` lists them: the statements that were executed, one a line.

use lang::model::value::{Label, Value};
use lang::model::{Action, Model};

/// A line of a trail: a statement of a process.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Executed<'a> {
    process: &'a str,
    /// The number of the process.
    number: i64,
    line: &'a str,
}

/// The statements of a trail, and the steps of a model that execute them.
#[derive(Debug)]
pub struct Trail<'a> {
    executed: Vec<Executed<'a>>,
    /// For each action the process, the line and the most lines that it may take; `None` for steps that Spin need not list.
    actions: Vec<Option<(&'a str, &'a str, usize)>>,
}

impl<'a> Trail<'a> {
    /// Reads the lines of a trail for a model of the program; `None` if there are none.
    pub fn read(model: &'a Model, text: &'a str) -> Option<Self> {
        let executed: Vec<Executed<'a>> = text.lines().filter_map(executed).collect();
        let actions: Vec<_> = model.actions.iter().map(statements).collect();
        let is_of_program = actions.iter().any(Option::is_some);
        (is_of_program && !executed.is_empty()).then_some(Self { executed, actions })
    }

    /// Returns the number of statements.
    pub fn len(&self) -> usize {
        self.executed.len()
    }

    /// True if there is no statement.
    pub fn is_empty(&self) -> bool {
        self.executed.is_empty()
    }

    /// Returns the numbers of statements that a step may execute from a place of the trail on. Where the program counts its
    /// processes like Spin, the process is the first argument.
    pub fn executes(&self, label: &Label, at: usize) -> Vec<usize> {
        let Some((process, line, count)) = self.actions[label.action] else { return vec![0] };
        match self.executed.get(at) {
            Some(first) if first.process == process && first.line == line => {
                let rest = &self.executed[at..];
                let most = count.min(rest.len());
                match label.args.first() {
                    Some(Value::Int(own)) if *own != first.number => Vec::new(),
                    _ => (1..=most).collect(),
                }
            }
            _ => Vec::new(),
        }
    }

    /// Returns the line of the program with a statement, for messages.
    pub fn place(&self, at: usize) -> String {
        self.executed.get(at).map_or_else(String::new, |executed| {
            format!("process {} ({}), line {}", executed.number, executed.process, executed.line)
        })
    }
}

/// Reads `1: proc 0 (producer:1) p.pml:9 (state 1) [((n<2))]`.
fn executed(line: &str) -> Option<Executed<'_>> {
    let (step, rest) = line.trim_start().split_once(':')?;
    step.parse::<u64>().ok()?;
    let (number, rest) = rest.trim_start().strip_prefix("proc")?.trim_start().split_once(' ')?;
    let (name, rest) = rest.trim_start().strip_prefix('(')?.split_once(')')?;
    let (place, rest) = rest.trim_start().split_once(' ')?;
    let process = name.rsplit_once(':').map_or(name, |(name, _)| name).trim_matches(':');
    let line = place.rsplit_once(':')?.1;
    let (state, statement) = rest.strip_suffix(']')?.split_once('[')?;
    let is_listed = state.starts_with("(state") && line.parse::<u32>().is_ok() && !is_jump(statement);
    is_listed.then_some(Executed { process, number: number.parse().ok()?, line })
}

/// True for jumps, which Spin lists in some places only.
fn is_jump(statement: &str) -> bool {
    [".(goto)", "goto ", "break"].iter().any(|jump| statement.starts_with(jump))
}

/// Reads `producer, line 9: n < 2; n++`, for the process, the line and the greatest number of lines that Spin lists; `None` if it may be none.
fn statements(action: &Action) -> Option<(&str, &str, usize)> {
    let (process, rest) = action.doc.as_deref()?.split_once(", line ")?;
    let (line, all) = rest.split_once(": ")?;
    let statements = all.split("; ").filter(|statement| !is_jump(statement));
    // A choice from a range is a loop.
    let lines = |statement: &str| if statement.starts_with("select ") { usize::MAX } else { 1 };
    let most = statements.map(lines).fold(0, usize::saturating_add);
    (most > 0).then_some((process, line, most))
}
