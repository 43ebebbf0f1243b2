//! Whether the texts of a class say what its formula says.

use super::document::{StoredClass, StoredShared};
use crate::model::{FactText, StretchText, TraceFormulaText};

/// That the texts of a class say what its formula says.
pub(super) fn agree(class: &StoredClass) -> Result<(), String> {
    let StoredClass { constraint, formula, facts, individuals, positions, .. } = class;
    if facts.len() != formula.facts.len() {
        return Err(format!("it has {} facts, and its formula {}", facts.len(), formula.facts.len()));
    }
    for (fact, written) in facts.iter().zip(&formula.facts) {
        if plain(&fact.text) != plain(&shown(written)) {
            return Err(format!("`{}` is not what its formula says: `{}`", fact.text, shown(written)));
        }
    }
    let count = formula.parameters.iter().filter(|parameter| parameter.ty == "pos").count();
    let named = formula.parameters[..count].iter().all(|parameter| {
        parameter.ty == "pos" && positions.contains_key(parameter.name.trim_end_matches('_'))
    });
    if !named || positions.len() != count {
        return Err("its positions are not those of its formula".into());
    }
    let others = &formula.parameters[count..];
    let same = individuals.iter().zip(others).all(|(individual, parameter)| {
        plain(&individual.name) == plain(&parameter.name) && individual.ty == parameter.ty
    });
    if !same || individuals.len() != others.len() {
        return Err("its individuals are not those of its formula".into());
    }
    whole(constraint, formula)
}

/// That a constraint in the paper's notation says what a formula says.
pub(super) fn whole(constraint: &str, formula: &TraceFormulaText) -> Result<(), String> {
    let facts: Vec<String> = formula.facts.iter().map(shown).collect();
    let facts = if facts.is_empty() { "true".to_owned() } else { facts.join(" ∧ ") };
    let said = format!("{}{facts}", quantifiers(formula));
    match plain(constraint) == plain(&said) {
        true => Ok(()),
        false => Err(format!("`{constraint}` is not what its formula says: `{said}`")),
    }
}

/// The same of a fact that all violating traces have, or none.
pub(super) fn shared(fact: &StoredShared) -> Result<(), String> {
    whole(&fact.constraint, &fact.formula)
}

fn quantifiers(formula: &TraceFormulaText) -> String {
    let (positions, values): (Vec<_>, Vec<_>) =
        formula.parameters.iter().partition(|parameter| parameter.ty == "pos");
    let names = |list: &[&crate::model::ParameterText]| -> String {
        list.iter().map(|parameter| parameter.name.as_str()).collect::<Vec<_>>().join(", ")
    };
    let at = (!positions.is_empty()).then(|| format!("{} ∈ [0..len(ρ)]", names(&positions)));
    if formula.of_each {
        let each: Vec<String> = values.iter().map(|value| format!("{} ∈ {}", value.name, value.ty)).collect();
        return format!("∀ {} ∃ {} : ", each.join(", "), at.unwrap_or_default());
    }
    let mut parts: Vec<String> = Vec::new();
    let mut done: Vec<&str> = Vec::new();
    for value in &values {
        if done.contains(&value.ty.as_str()) {
            continue;
        }
        done.push(&value.ty);
        let of: Vec<_> = values.iter().copied().filter(|other| other.ty == value.ty).collect();
        parts.push(format!("{} ∈ {}", names(&of), value.ty));
    }
    parts.extend(at);
    if parts.is_empty() { String::new() } else { format!("∃ {} : ", parts.join(", ")) }
}

/// A fact as a constraint shows it, up to what [`plain`] leaves out.
fn shown(fact: &FactText) -> String {
    let Some(StretchText { at, after, before }) = &fact.nowhere else { return fact.holds.clone() };
    let what = fact.holds.replace(&format!("@{at}"), "");
    match (after, before) {
        (Some(after), Some(before)) => format!("never {what} within ({after}..{before})"),
        (None, Some(before)) => format!("never {what} within [0..{before})"),
        (Some(after), None) => format!("never {what} within ({after}..len(ρ)]"),
        (None, None) => format!("never {what}"),
    }
}

/// A text without what the notation of constraints and the language of models put differently: parentheses, white space,
/// underscores, and the sign for "is not".
fn plain(text: &str) -> String {
    let kept = |c: &char| !c.is_whitespace() && !"()_".contains(*c);
    text.replace("!=", "≠").chars().filter(kept).collect()
}
