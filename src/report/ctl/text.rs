//! Results for people.

use super::words::{headline, served, why_no_path};
use super::{CtlBasis, CtlRequest, CtlShown, CtlVerdict};
use crate::ctl::Class;
use crate::ctl::{Part, Shape};
use crate::report::Paint;
use crate::report::lts::count;
use std::fmt::Write;

/// A result as text.
pub fn ctl_text(request: &CtlRequest<'_>, paint: Paint) -> String {
    let verdict = match &request.verdict {
        CtlVerdict::Holds => paint.good("holds"),
        CtlVerdict::Violated => paint.bad("violated"),
        CtlVerdict::Undecided(_) => paint.doubtful("undecided"),
    };
    let mut out = format!("{verdict}: {}\n", request.formula);
    let mut line = |name: &str, text: &str| _ = writeln!(out, "  {name:<10} {text}");
    line("system", request.file);
    if let Some(name) = request.property {
        line("property", name);
    }
    line("formula", &class_text(request));
    if !request.fairness.is_empty() {
        let each = request.fairness.join("; ");
        line("fairness", &format!("every path quantifier is about paths that have, again and again: {each}"));
    }
    line("decided", &basis_text(request));
    for text in request.nothing_shown.iter() {
        line("shown", text);
    }
    if let Some(shown) = &request.shown {
        show(request, shown, paint, &mut out);
    }
    let _ = writeln!(out, "\n{:.2} s", request.seconds);
    out
}

fn class_text(request: &CtlRequest<'_>) -> String {
    let meaning = match request.class {
        Class::Propositional => "it says something of the initial states alone",
        Class::Universal => "it says something of all paths, so that some path can violate it",
        Class::Existential => "it says that there are certain paths, so that these can show that it holds",
        Class::Mixed => "it says something of all paths and of some; no part of the system proves it alone",
    };
    format!("{}: {meaning}", request.class.word())
}

fn basis_text(request: &CtlRequest<'_>) -> String {
    let how = match &request.basis {
        CtlBasis::States { states, transitions } => {
            format!(
                "on all reachable states: {}, {}",
                count(*states, "state"),
                count(*transitions, "transition")
            )
        }
        CtlBasis::Scope(scope) => format!("on connected parts of up to {}", count(*scope, "state")),
        CtlBasis::Proof(proof) => format!("by {proof}"),
    };
    match &request.verdict {
        CtlVerdict::Undecided(reason) if request.class == Class::Mixed => {
            format!("not; nothing was looked at\n             {reason}")
        }
        CtlVerdict::Undecided(reason) => format!("not; looked at: {}\n             {reason}", &how[3..]),
        CtlVerdict::Holds | CtlVerdict::Violated => how,
    }
}

fn show(request: &CtlRequest<'_>, shown: &CtlShown, paint: Paint, out: &mut String) {
    let formula = &shown.goal.formula;
    let _ = writeln!(out, "\n{}", paint.bold(&headline(request, shown)));
    let names = Names::new(shown);
    let _ = writeln!(out, "  it shows   {}", formula.text(formula.root));
    if let Some(why) = why_no_path(shown) {
        let _ = writeln!(out, "  no path    {why}");
    }
    out.push('\n');
    let serves = served(shown);
    for (at, state) in shown.states.iter().enumerate() {
        let number = state.number.map_or(String::new(), |n| format!(" (state {n} of the system)"));
        let entry = shown.steps.iter().find(|step| step.to == at && step.from < at);
        let by = match entry {
            None => paint.faint("initial state"),
            Some(step) => format!("from {} by {}", step.from, paint.bold(&labels(&step.labels))),
        };
        let _ = writeln!(out, "  {at:>2}  {by}{number}");
        let full: Vec<String> =
            state.values.iter().map(|(name, text, _)| format!("{name} = {text}")).collect();
        for line in if entry.is_some() { &state.changes } else { &full } {
            let _ = writeln!(out, "        {line}");
        }
        // Steps back to states that are there already.
        for step in shown.steps.iter().filter(|step| step.from == at && !is_entry(shown, step)) {
            let word = if shown.shape == Shape::Subgraph { "also to" } else { "back to" };
            let _ = writeln!(out, "      {word} {} by {}", step.to, paint.bold(&labels(&step.labels)));
        }
    }
    if shown.shape == Shape::Subgraph {
        let _ = writeln!(out, "\n{}", paint.bold("what each transition is for"));
        for (step, serves) in shown.steps.iter().zip(serves) {
            let serves: Vec<String> = serves.into_iter().map(|part| names.of(shown, part)).collect();
            let _ = writeln!(out, "  {} → {}  {}", step.from, step.to, serves.join("; "));
        }
    }
    let _ = writeln!(out, "\n{}", paint.bold("why, state by state"));
    Tree { shown, names: &names, paint, told: vec![false; shown.evidence.len()], out }.tell(0, 1);
    for (name, &part) in names.0.iter().enumerate() {
        let head = if name == 0 { "\n  where " } else { "        " };
        let _ = writeln!(out, "{head}f{} = {}", name + 1, formula.text(part));
    }
}

/// Names for long parts of a goal that are told of more than once.
struct Names(Vec<Part>);

impl Names {
    fn new(shown: &CtlShown) -> Self {
        const LONG: usize = 32;
        let mut named: Vec<Part> = Vec::new();
        for e in &shown.evidence {
            let times = shown.evidence.iter().filter(|other| other.part == e.part).count();
            let is_long = || shown.goal.formula.text(e.part).chars().count() > LONG;
            if times > 1 && !named.contains(&e.part) && is_long() {
                named.push(e.part);
            }
        }
        Self(named)
    }

    fn of(&self, shown: &CtlShown, part: Part) -> String {
        match self.0.iter().position(|named| *named == part) {
            Some(name) => format!("f{}", name + 1),
            None => shown.goal.formula.text(part),
        }
    }
}

/// Whether a step is the first one that is shown to its target.
fn is_entry(shown: &CtlShown, step: &super::CtlStep) -> bool {
    let first = shown.steps.iter().find(|s| s.to == step.to && s.from < s.to);
    first.is_some_and(|first| first.from == step.from)
}

fn labels(labels: &[String]) -> String {
    match labels {
        [] => "a step".to_owned(),
        [one] => one.clone(),
        [first, rest @ ..] => format!("{first} (or {} more)", rest.len()),
    }
}

/// Evidence unfolded: what is shown in the same state is indented, what is shown after a step follows. Everything is told
/// once.
struct Tree<'a> {
    shown: &'a CtlShown,
    names: &'a Names,
    paint: Paint,
    told: Vec<bool>,
    out: &'a mut String,
}

impl Tree<'_> {
    fn tell(&mut self, at: usize, depth: usize) {
        let mut at = at;
        let mut mark = "";
        loop {
            let evidence = &self.shown.evidence[at];
            let text = self.names.of(self.shown, evidence.part);
            let again = std::mem::replace(&mut self.told[at], true);
            let rests = evidence.step.is_some() || !evidence.here.is_empty();
            let suffix = if again && rests { self.paint.faint("  as above") } else { String::new() };
            let indent = "  ".repeat(depth);
            let _ = writeln!(self.out, "{indent}{mark}{:>2}  {text}{suffix}", evidence.state);
            if again {
                return;
            }
            for part in evidence.here.clone() {
                self.tell(part, depth + 2);
            }
            let Some((_, next)) = self.shown.evidence[at].step else { return };
            (at, mark) = (next, "→ ");
        }
    }
}
