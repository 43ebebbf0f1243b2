//! Whether the texts of a class say what its formula says.

use super::document::{StoredClass, StoredLassoClass, StoredShared};
use crate::model::{
    FactText, LassoFactText, LassoFormulaText, ParameterText, Recurrence, SaidText, StretchText,
    TraceFormulaText,
};
use std::collections::BTreeSet;

/// That the texts of a class say what its formula says.
pub(super) fn agree(class: &StoredClass) -> Result<(), String> {
    let StoredClass { constraint, formula, facts, individuals, positions, .. } = class;
    if facts.len() != formula.facts.len() {
        return Err(format!("it has {} facts, and its formula {}", facts.len(), formula.facts.len()));
    }
    let bound: Vec<&str> = formula.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
    for (fact, written) in facts.iter().zip(&formula.facts) {
        if plain(&fact.text, &[]) != plain(&shown(written), &bound) {
            return Err(differs(&fact.text, &shown(written), &bound));
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
        individual.name == parameter.name.trim_end_matches('_') && individual.ty == parameter.ty
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
    let bound: Vec<&str> = formula.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
    match plain(constraint, &[]) == plain(&said, &bound) {
        true => Ok(()),
        false => Err(differs(constraint, &said, &bound)),
    }
}

/// The same of a fact that all violating traces have, or none.
pub(super) fn shared(fact: &StoredShared) -> Result<(), String> {
    whole(&fact.constraint, &fact.formula)
}

fn quantifiers(formula: &TraceFormulaText) -> String {
    let (positions, values): (Vec<_>, Vec<_>) =
        formula.parameters.iter().partition(|parameter| parameter.ty == "pos");
    let at = (!positions.is_empty()).then(|| format!("{} ∈ [0..len(ρ)]", names(&positions)));
    if formula.of_each {
        let each: Vec<String> = values.iter().map(|value| format!("{} ∈ {}", value.name, value.ty)).collect();
        return format!("∀ {} ∃ {} : ", each.join(", "), at.unwrap_or_default());
    }
    let mut parts = by_type(&values);
    parts.extend(at);
    if parts.is_empty() { String::new() } else { format!("∃ {} : ", parts.join(", ")) }
}

fn names(list: &[&ParameterText]) -> String {
    list.iter().map(|parameter| parameter.name.as_str()).collect::<Vec<_>>().join(", ")
}

/// Individuals as a constraint binds them: `r, s ∈ T`, one text for each type.
fn by_type(individuals: &[&ParameterText]) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    let mut done: Vec<&str> = Vec::new();
    for value in individuals {
        if done.contains(&value.ty.as_str()) {
            continue;
        }
        done.push(&value.ty);
        let of: Vec<_> = individuals.iter().copied().filter(|other| other.ty == value.ty).collect();
        parts.push(format!("{} ∈ {}", names(&of), value.ty));
    }
    parts
}

/// That the texts of a class of infinite counterexamples say what its formula says.
pub(super) fn agree_on_lassos(class: &StoredLassoClass) -> Result<(), String> {
    let StoredLassoClass { constraint, formula, facts, distinct, .. } = class;
    let positions = bound_positions(constraint, formula)?;
    let written = lasso_facts(formula, &positions);
    let (of_facts, of_distinct) = written.split_at(formula.facts.len());
    if facts.len() != of_facts.len() || distinct.len() != of_distinct.len() {
        return Err(format!("it has {} facts, and its formula {}", facts.len(), of_facts.len()));
    }
    let same_time = facts.iter().zip(&formula.facts).all(|(fact, written)| fact.when == written.when);
    let bound = names_of_individuals(formula);
    let texts = facts.iter().map(|fact| &fact.text).chain(distinct);
    for (text, written) in texts.zip(&written) {
        if plain(text, &[]) != plain(written, &bound) || !same_time {
            return Err(differs(text, written, &bound));
        }
    }
    whole_of_lassos(constraint, formula)
}

/// That a constraint of infinite traces says what a formula says.
pub(super) fn whole_of_lassos(constraint: &str, formula: &LassoFormulaText) -> Result<(), String> {
    let positions = bound_positions(constraint, formula)?;
    if formula.facts.iter().any(|fact| fact.at.iter().flatten().chain(&fact.after).next().is_none()) {
        return Err("a fact of its formula says nothing".into());
    }
    let facts = lasso_facts(formula, &positions);
    let facts = if facts.is_empty() { "true".to_owned() } else { facts.join(" ∧ ") };
    let mut bound = by_type(&formula.individuals.iter().collect::<Vec<_>>());
    bound.extend(positions);
    let said = if bound.is_empty() { facts } else { format!("∃ {} : {facts}", bound.join(", ")) };
    let individuals = names_of_individuals(formula);
    match plain(constraint, &[]) == plain(&said, &individuals) {
        true => Ok(()),
        false => Err(differs(constraint, &said, &individuals)),
    }
}

/// The names that a constraint gives to the positions of facts that hold at some position, which come last. No two are the same.
fn bound_positions(constraint: &str, formula: &LassoFormulaText) -> Result<Vec<String>, String> {
    let once = formula.facts.iter().filter(|fact| fact.when == Recurrence::Once);
    let count: usize = once.map(|fact| fact.at.len()).sum();
    let bound = constraint.strip_prefix("∃ ").and_then(|rest| rest.split_once(" : "));
    let names: Vec<String> =
        bound.map(|(names, _)| names.split(", ").map(str::to_owned).collect()).unwrap_or_default();
    let own = names.len().checked_sub(count).map(|first| names[first..].to_vec());
    let is_name = |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    // Two positions of one name would be one, and so would a position and an individual.
    let individuals = formula.individuals.iter().map(|it| it.name.trim_end_matches('_').to_owned());
    let mut taken: BTreeSet<String> = individuals.chain([String::new()]).collect();
    let are_named = own.iter().flatten().all(|name| is_name(name) && taken.insert(name.clone()));
    match own {
        Some(own) if are_named => Ok(own),
        _ => Err(format!("`{constraint}` does not name the positions of its formula")),
    }
}

fn names_of_individuals(formula: &LassoFormulaText) -> Vec<&str> {
    formula.individuals.iter().map(|individual| individual.name.as_str()).collect()
}

/// Each fact as a constraint shows it, then what is said of individuals alone, up to what [`plain`] leaves out.
fn lasso_facts(formula: &LassoFormulaText, positions: &[String]) -> Vec<String> {
    let at = &formula.position;
    let mut positions = positions.iter();
    let nowhere = |said: &SaidText| without_position(&said.text, at);
    let said = |said: &SaidText, text: String| match (said.holds, text.contains([' ', '='])) {
        (true, _) => text,
        (false, true) => format!("not ({text})"),
        (false, false) => format!("not {text}"),
    };
    let fact = |LassoFactText { when, at: lists, after }: &LassoFactText| {
        let word = match when {
            Recurrence::Again => "again",
            Recurrence::Forever => "forever",
            Recurrence::Once => {
                let mut parts = Vec::new();
                let own: Vec<&str> =
                    lists.iter().map(|_| positions.next().map_or("", String::as_str)).collect();
                for (list, name) in lists.iter().zip(&own) {
                    let here = |it: &SaidText| said(it, with_position(&it.text, at, name));
                    parts.extend(list.iter().map(here));
                }
                parts.extend((own.len() > 1).then(|| own.join(" < ")));
                let last = own.last().copied().unwrap_or_default();
                parts.extend(after.iter().map(|it| {
                    let word = if it.holds { "always" } else { "never" };
                    format!("{word} {} after {last}", nowhere(it))
                }));
                return parts.join(" ∧ ");
            }
        };
        let all: Vec<String> = lists.iter().flatten().map(|it| said(it, nowhere(it))).collect();
        match all.as_slice() {
            [one] => format!("{word} {one}"),
            several => format!("{word} ({})", several.join(" ∧ ")),
        }
    };
    let facts: Vec<String> = formula.facts.iter().map(fact).collect();
    facts.into_iter().chain(formula.distinct.iter().cloned()).collect()
}

/// A text about a position with another name for it.
fn with_position(text: &str, at: &str, name: &str) -> String {
    let ends = ["(", ", "].iter().flat_map(|before| [")", ", "].map(|after| (*before, after)));
    ends.fold(text.replace(&format!("@{at}"), &format!("@{name}")), |text, (before, after)| {
        text.replace(&format!("{before}{at}{after}"), &format!("{before}{name}{after}"))
    })
}

/// A text about a position that is not named.
fn without_position(text: &str, at: &str) -> String {
    let plain = text.replace(&format!("@{at}"), "").replace(&format!("({at})"), "");
    plain
        .replace(&format!("({at}, "), "(")
        .replace(&format!(", {at})"), ")")
        .replace(&format!(", {at}, "), ", ")
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

/// That a text is not what a formula says, with `bound` names as constraints show them.
fn differs(text: &str, said: &str, bound: &[&str]) -> String {
    let in_word = |c: char| c.is_alphanumeric() || c == '_';
    let named = |piece: &str| {
        let word = piece.trim_end_matches(|c| !in_word(c));
        let shown = if bound.contains(&word) { word.trim_end_matches('_') } else { word };
        format!("{shown}{}", &piece[word.len()..])
    };
    let said: String = said.split_inclusive(|c| !in_word(c)).map(named).collect();
    format!("`{text}` is not what its formula says: `{said}`")
}

/// What of a text counts: its words and signs, up to what the notation of constraints and the language of models put differently, which is the
/// sign for "is not", white space, and `bound` names, which end in underscores where a model has
/// the same name.
fn plain(text: &str, bound: &[&str]) -> Vec<String> {
    let named = |word: String| match bound.contains(&word.as_str()) {
        true => word.trim_end_matches('_').to_owned(),
        false => word,
    };
    words(text).into_iter().map(named).collect()
}

/// The words and signs of a text.
fn words(text: &str) -> Vec<String> {
    const SIGNS: [&str; 6] = ["<=>", "!=", "=>", "<=", ">=", ".."];
    let in_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign));
        let length = match sign {
            Some(sign) => sign.len(),
            None if in_word(first) => rest.find(|c| !in_word(c)).unwrap_or(rest.len()),
            None => first.len_utf8(),
        };
        let word = &rest[..length];
        found.push(if word == "!=" { "≠" } else { word }.to_owned());
        rest = rest[length..].trim_start();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn formula(texts: &[(&str, bool)]) -> LassoFormulaText {
        let said = texts.iter().map(|(text, holds)| SaidText { text: (*text).to_owned(), holds: *holds });
        let fact = LassoFactText { when: Recurrence::Again, at: vec![said.collect()], after: Vec::new() };
        let individual = ParameterText { name: "p_".to_owned(), ty: "Process".to_owned() };
        LassoFormulaText {
            individuals: vec![individual],
            position: "t".to_owned(),
            facts: vec![fact],
            distinct: Vec::new(),
        }
    }

    #[test]
    fn what_parentheses_and_underscores_tell_apart_is_not_the_same() {
        let several = formula(&[("is_up(t)", true), ("waits(t, p_) or done@t", false)]);
        let right = "∃ p ∈ Process : again (is_up ∧ not (waits(p) or done))";
        assert_eq!(whole_of_lassos(right, &several), Ok(()));
        let others = [
            "∃ p ∈ Process : again is_up ∧ not (waits(p) or done)",
            "∃ p ∈ Process : again (is_up ∧ not waits(p) or done)",
            "∃ p ∈ Process : again (isup ∧ not (waits(p) or done))",
            "∃ p ∈ Process : again (is_up ∧ not (waits_(p) or done))",
            "∃ p ∈ Process : again (is_up ∧ not (waits p or done))",
        ];
        for other in others {
            assert!(whole_of_lassos(other, &several).is_err(), "{other}");
        }
    }

    #[test]
    fn messages_name_individuals_as_constraints_do() {
        let one = formula(&[("waits_[p_]@t", true)]);
        let message = "`∃ q ∈ Process : again waits_[q]` is not what its formula says: \
                       `∃ p ∈ Process : again waits_[p]`";
        assert_eq!(whole_of_lassos("∃ q ∈ Process : again waits_[q]", &one), Err(message.to_owned()));
    }

    #[test]
    fn white_space_signs_and_names_of_individuals_are_put_differently() {
        let one = formula(&[("at[p_]@t != Idle", true)]);
        assert_eq!(whole_of_lassos("∃ p ∈ Process : again at[p] ≠ Idle", &one), Ok(()));
        assert!(whole_of_lassos("∃ p ∈ Process : again at[q] ≠ Idle", &one).is_err());
    }
}
