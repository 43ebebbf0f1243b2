//! Formulas of Hennessy–Milner logic.

use crate::lts::labels::{LabelId, Labels};
use std::fmt::Write;
use std::rc::Rc;

/// `<a> (f and g)`, or `[a] (f or g)`. Equal parts are shared.
#[derive(Debug, PartialEq, Eq)]
pub struct Modality {
    /// Whether it is about all steps.
    pub all: bool,
    /// The label of the steps.
    pub label: LabelId,
    /// What holds after one step: all of these; if it is about all steps, after each of them one of these.
    pub then: Vec<Rc<Modality>>,
    /// The number of modalities in it.
    pub length: usize,
    /// The number of nested ones.
    pub depth: usize,
}

impl Modality {
    /// With what follows; equal parts count once.
    pub fn new(all: bool, label: LabelId, mut then: Vec<Rc<Modality>>) -> Self {
        let mut at = 0;
        while at < then.len() {
            let known = then[..at].iter().any(|part| Rc::ptr_eq(part, &then[at]));
            if known {
                then.swap_remove(at);
            } else {
                at += 1;
            }
        }
        let length = then.iter().fold(1usize, |sum, part| sum.saturating_add(part.length));
        let depth = 1 + then.iter().map(|part| part.depth).max().unwrap_or(0);
        Self { all, label, then, length, depth }
    }
}

/// A formula as it can be read again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Formula {
    /// In the spelling of MCL.
    pub text: String,
    /// The number of its modalities.
    pub length: usize,
    /// The number of those inside of each other.
    pub depth: usize,
}

impl Formula {
    /// The text of a formula; `None` if it has a label that cannot be written so that no other one is meant.
    pub fn of(root: &Modality, labels: &Labels) -> Option<Self> {
        let mut text = String::new();
        write_to(root, labels, &mut text)?;
        Some(Self { text, length: root.length, depth: root.depth })
    }
}

fn write_to(of: &Modality, labels: &Labels, out: &mut String) -> Option<()> {
    let name = name(labels, of.label)?;
    let _ = if of.all { write!(out, "[{name}] ") } else { write!(out, "<{name}> ") };
    match of.then.as_slice() {
        [] => out.push_str(if of.all { "false" } else { "true" }),
        [one] => write_to(one, labels, out)?,
        several => {
            for (at, part) in several.iter().enumerate() {
                out.push_str(match (at, of.all) {
                    (0, _) => "(",
                    (_, true) => " or ",
                    (_, false) => " and ",
                });
                write_to(part, labels, out)?;
            }
            out.push(')');
        }
    }
    Some(())
}

/// A label as formulas have it.
fn name(labels: &Labels, label: LabelId) -> Option<String> {
    if labels.is_invisible(label) {
        return Some("tau".to_owned());
    }
    let text = labels.text(label);
    let alike = labels.ids().any(|other| other != label && labels.text(other) == text);
    let unwritable = alike || text.contains(|c: char| c == '"' || c.is_control());
    (!unwritable).then(|| format!("\"{text}\""))
}
