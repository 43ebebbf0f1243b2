//! Formulas of Hennessy–Milner logic.

use crate::lts::labels::{LabelId, Labels};
use std::rc::Rc;

/// `<a> (f and g)`, or `[a] (f or g)`; modulo branching bisimulation, this after silent steps, before each of which something
/// else holds, or unless that fails. Equal parts are shared.
#[derive(Debug, PartialEq, Eq)]
pub struct Modality {
    /// True if it is about all steps.
    pub all: bool,
    pub label: LabelId,
    /// Formulas that all hold until then; if it is about all steps, only until one of these holds.
    pub until: Vec<Rc<Modality>>,
    /// Formulas that all hold after one step; if it is about all steps, one of them after each.
    pub then: Vec<Rc<Modality>>,
    pub length: usize,
    /// The number of nested ones.
    pub depth: usize,
}

impl Modality {
    /// With its parts; equal ones count once.
    pub fn new(all: bool, label: LabelId, until: Vec<Rc<Modality>>, then: Vec<Rc<Modality>>) -> Self {
        let [until, then] = [until, then].map(without_duplicates);
        let parts = || until.iter().chain(&then);
        let length = parts().fold(1usize, |sum, part| sum.saturating_add(part.length));
        let depth = 1 + parts().map(|part| part.depth).max().unwrap_or(0);
        Self { all, label, until, then, length, depth }
    }
}

fn without_duplicates(parts: Vec<Rc<Modality>>) -> Vec<Rc<Modality>> {
    let mut found: Vec<Rc<Modality>> = Vec::with_capacity(parts.len());
    for part in parts {
        if !found.iter().any(|known| Rc::ptr_eq(known, &part)) {
            found.push(part);
        }
    }
    found
}

/// The steps that modalities are about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModalSteps {
    /// Those of the system.
    Single,
    /// Those of the system, after steps with this invisible label.
    AfterSilent(LabelId),
    /// Those of the system with invisible steps before and after them, and any number of invisible ones.
    Weak,
}

/// A formula as it can be read again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DistinguishingFormula {
    /// In the spelling of MCL.
    pub text: String,
    /// The number of its modalities.
    pub length: usize,
    /// The number of those inside each other.
    pub depth: usize,
}

impl DistinguishingFormula {
    /// The text of a formula about such steps; `None` if it has a label that cannot be written so that no other one is meant.
    pub fn of(root: &Modality, steps: ModalSteps, labels: &Labels) -> Option<Self> {
        let mut writer = FormulaWriter { labels, steps, text: String::new(), fixpoints: 0 };
        writer.modality(root)?;
        Some(Self { text: writer.text, length: root.length, depth: root.depth })
    }
}

struct FormulaWriter<'a> {
    labels: &'a Labels,
    steps: ModalSteps,
    text: String,
    /// The number of fixpoints so far.
    fixpoints: usize,
}

impl FormulaWriter<'_> {
    fn modality(&mut self, of: &Modality) -> Option<()> {
        let name = name(self.labels, of.label)?;
        let (open, close) = if of.all { ('[', ']') } else { ('<', '>') };
        if !of.until.is_empty() {
            return self.until(of, &name);
        }
        let step = match self.steps {
            ModalSteps::Single => name,
            ModalSteps::AfterSilent(_) => format!("tau* . {name}"),
            ModalSteps::Weak if self.labels.is_invisible(of.label) => "tau*".to_owned(),
            ModalSteps::Weak => format!("tau* . {name} . tau*"),
        };
        self.text.push_str(&format!("{open}{step}{close} "));
        self.joined(of.all, &of.then)
    }

    /// `mu X . (f and (<a> g or <tau> X))`, or `nu X . (f or ([a] g and [tau] X))`.
    fn until(&mut self, of: &Modality, name: &str) -> Option<()> {
        self.fixpoints += 1;
        let fixpoint = format!("X{}", self.fixpoints);
        let (kind, outer, inner) = if of.all { ("nu", "or", "and") } else { ("mu", "and", "or") };
        let (open, close) = if of.all { ('[', ']') } else { ('<', '>') };
        self.text.push_str(&format!("{kind} {fixpoint} . ("));
        self.joined(of.all, &of.until)?;
        self.text.push_str(&format!(" {outer} ({open}{name}{close} "));
        self.joined(of.all, &of.then)?;
        self.text.push_str(&format!(" {inner} {open}tau{close} {fixpoint}))"));
        Some(())
    }

    /// One of the parts if `any`, else all of them.
    fn joined(&mut self, any: bool, parts: &[Rc<Modality>]) -> Option<()> {
        match parts {
            [] => self.text.push_str(if any { "false" } else { "true" }),
            [one] => self.enclosed(one)?,
            several => {
                for (at, part) in several.iter().enumerate() {
                    self.text.push_str(match (at, any) {
                        (0, _) => "(",
                        (_, true) => " or ",
                        (_, false) => " and ",
                    });
                    self.enclosed(part)?;
                }
                self.text.push(')');
            }
        }
        Some(())
    }

    /// A part of several; a fixpoint would reach to their end.
    fn enclosed(&mut self, part: &Modality) -> Option<()> {
        if part.until.is_empty() {
            return self.modality(part);
        }
        self.text.push('(');
        self.modality(part)?;
        self.text.push(')');
        Some(())
    }
}

fn name(labels: &Labels, label: LabelId) -> Option<String> {
    if labels.is_invisible(label) {
        return Some("tau".to_owned());
    }
    let text = labels.text(label);
    let alike = labels.ids().any(|other| other != label && labels.text(other) == text);
    let unwritable = alike || text.contains(|c: char| c == '"' || c.is_control());
    (!unwritable).then(|| format!("\"{text}\""))
}
