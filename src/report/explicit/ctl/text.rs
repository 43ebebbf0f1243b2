//! Results for people, as a text and as a graph for Graphviz.

use super::words::{PartTexts, headline, holding, served, why_no_path};
use super::{CtlReport, CtlShown, CtlStep};
use crate::explicit::walk::entries;
use crate::shared::proof::basis_words;
use crate::writing::paint::Paint;
use engines::ctl::{CtlEvidence, CtlVerdict, PreservationClass, Subformula, WitnessShape};
use explicit::lts::dot::quoted;
use rustc_hash::FxHashMap;
use std::fmt::Write as _;
use std::io::{self, Write};

pub(super) fn ctl_text(request: &CtlReport<'_>, paint: Paint) -> String {
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
        line(
            "fairness",
            &format!("every path quantifier ranges over the paths that meet infinitely often: {each}"),
        );
    }
    if !request.strong_fairness.is_empty() {
        let each = request.strong_fairness.join("; ");
        line("strongly", &format!("and take infinitely often what is possible infinitely often: {each}"));
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

pub(super) fn class_text(request: &CtlReport<'_>) -> String {
    let meaning = match request.class {
        PreservationClass::Propositional => "it is about the initial states alone",
        PreservationClass::Universal => "it is about all paths, so a single path can violate it",
        PreservationClass::Existential => {
            "it is about the existence of paths, so a path can show that it holds"
        }
        PreservationClass::Mixed => {
            "it is about all paths and about some; no part of the system proves it alone"
        }
    };
    format!("{}: {meaning}", request.class.word())
}

pub(super) fn basis_text(request: &CtlReport<'_>) -> String {
    let how = basis_words(&request.basis);
    match &request.verdict {
        CtlVerdict::Undecided(reason) if request.class == PreservationClass::Mixed => {
            format!("not; nothing was examined\n             {reason}")
        }
        CtlVerdict::Undecided(reason) => format!("not; examined: {}\n             {reason}", &how[3..]),
        CtlVerdict::Holds | CtlVerdict::Violated => how,
    }
}

fn show(request: &CtlReport<'_>, shown: &CtlShown, paint: Paint, out: &mut String) {
    let formula = &shown.goal.formula;
    let _ = writeln!(out, "\n{}", paint.bold(&headline(request, shown)));
    let mut names = GoalNames::new(shown);
    let _ = writeln!(out, "  it shows   {}", formula.text(formula.root));
    if let Some(why) = why_no_path(shown) {
        let _ = writeln!(out, "  no path    {why}");
    }
    out.push('\n');
    show_states(shown, paint, out);
    if shown.shape == WitnessShape::Subgraph {
        let _ = writeln!(out, "\n{}", paint.bold("purpose of each transition"));
        for (step, serves) in shown.steps.iter().zip(served(shown)) {
            let serves: Vec<String> = serves.into_iter().map(|part| names.of(part)).collect();
            let _ = writeln!(out, "  {} → {}  {}", step.from, step.to, serves.join("; "));
        }
    }
    let _ = writeln!(out, "\n{}", paint.bold("why, state by state"));
    show_why(shown, &mut names, paint, out);
}

/// The evidence unfolded, state by state.
pub(super) fn why_text(shown: &CtlShown) -> String {
    let mut out = String::new();
    show_why(shown, &mut GoalNames::new(shown), Paint::default(), &mut out);
    out
}

fn show_why(shown: &CtlShown, names: &mut GoalNames<'_>, paint: Paint, out: &mut String) {
    let formula = &shown.goal.formula;
    EvidenceTree { shown, names, paint, told: vec![false; shown.evidence.len()], out }.tell(0, 1);
    for (name, &part) in names.named.iter().enumerate() {
        let head = if name == 0 { "\n  where " } else { "        " };
        let _ = writeln!(out, "{head}f{} = {}", name + 1, formula.text(part));
    }
}

/// The states, each with the step that leads to it first and those back to states that were shown before.
fn show_states(shown: &CtlShown, paint: Paint, out: &mut String) {
    let entries = entries(shown.states.len(), shown.steps.iter().map(|step| (step.from, step.to)));
    let mut leaving: Vec<Vec<&CtlStep>> = vec![Vec::new(); shown.states.len()];
    for (index, step) in shown.steps.iter().enumerate() {
        if entries[step.to] != Some(index) {
            leaving[step.from].push(step);
        }
    }
    for (at, state) in shown.states.iter().enumerate() {
        let number = state.number.map_or(String::new(), |n| format!(" (state {n} of the system)"));
        let entry = entries[at].map(|index| &shown.steps[index]);
        let by = match entry {
            None => paint.faint("initial state"),
            Some(step) => format!("from {} by {}", step.from, paint.bold(&labels(&step.labels))),
        };
        let _ = writeln!(out, "  {at:>2}  {by}{number}");
        let full: Vec<String> =
            state.values.iter().map(|value| format!("{} = {}", value.name, value.text)).collect();
        for line in if entry.is_some() { &state.changes } else { &full } {
            let _ = writeln!(out, "        {line}");
        }
        for step in &leaving[at] {
            let word = if shown.shape == WitnessShape::Subgraph { "also to" } else { "back to" };
            let _ = writeln!(out, "      {word} {} by {}", step.to, paint.bold(&labels(&step.labels)));
        }
    }
}

/// Names for long parts of a goal that occur more than once.
struct GoalNames<'a> {
    texts: PartTexts<'a>,
    named: Vec<Subformula>,
    numbers: FxHashMap<Subformula, usize>,
}

impl<'a> GoalNames<'a> {
    fn new(shown: &'a CtlShown) -> Self {
        const LONG: usize = 32;
        let mut texts = PartTexts::new(&shown.goal.formula);
        let mut times: FxHashMap<Subformula, usize> = FxHashMap::default();
        shown.evidence.iter().for_each(|e| *times.entry(e.part).or_default() += 1);
        let mut named: Vec<Subformula> = Vec::new();
        for &CtlEvidence { part, .. } in &shown.evidence {
            // Each part is looked at once.
            if times.remove(&part).is_some_and(|times| times > 1) && texts.of(part).chars().count() > LONG {
                named.push(part);
            }
        }
        let numbers = named.iter().enumerate().map(|(at, &part)| (part, at + 1)).collect();
        Self { texts, named, numbers }
    }

    fn of(&mut self, part: Subformula) -> String {
        match self.numbers.get(&part) {
            Some(number) => format!("f{number}"),
            None => self.texts.of(part).to_string(),
        }
    }
}

fn labels(labels: &[String]) -> String {
    match labels {
        [] => "a step".to_owned(),
        [one] => one.clone(),
        [first, rest @ ..] => format!("{first} (or {} more)", rest.len()),
    }
}

/// Evidence unfolded: what is shown in the same state is indented, what is shown after a step follows. Each entry is unfolded
/// once.
struct EvidenceTree<'a, 'n> {
    shown: &'a CtlShown,
    names: &'a mut GoalNames<'n>,
    paint: Paint,
    told: Vec<bool>,
    out: &'a mut String,
}

impl EvidenceTree<'_, '_> {
    fn tell(&mut self, at: usize, depth: usize) {
        let mut at = at;
        let mut mark = "";
        loop {
            let evidence = &self.shown.evidence[at];
            let text = self.names.of(evidence.part);
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

/// Writes the states with what they show, and the steps with what they are for; the initial state has a double border.
pub fn ctl_dot(shown: &CtlShown, out: &mut dyn Write) -> io::Result<()> {
    let mut texts = PartTexts::new(&shown.goal.formula);
    let mut texts = |parts: Vec<Subformula>| parts.into_iter().map(|part| texts.of(part)).collect::<Vec<_>>();
    writeln!(out, "digraph shown {{\n  node [shape=box, fontname=\"sans-serif\"];")?;
    writeln!(out, "  edge [fontname=\"sans-serif\"];")?;
    for (at, (state, shows)) in shown.states.iter().zip(holding(shown)).enumerate() {
        let mut lines = vec![match state.number {
            Some(number) => format!("{at} (state {number})"),
            None => at.to_string(),
        }];
        lines.extend(state.values.iter().map(|value| format!("{} = {}", value.name, value.text)));
        lines.push("⊨ ".to_owned() + &texts(shows).join("\n⊨ "));
        let border = if at == 0 { ", peripheries=2" } else { "" };
        writeln!(out, "  {at} [label={}{border}];", quoted(&lines.join("\n")))?;
    }
    for (step, serves) in shown.steps.iter().zip(served(shown)) {
        let label =
            format!("{}\n{}", step.labels.first().map_or("", String::as_str), texts(serves).join("\n"));
        writeln!(out, "  {} -> {} [label={}];", step.from, step.to, quoted(label.trim_end()))?;
    }
    writeln!(out, "}}")
}
