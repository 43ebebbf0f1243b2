//! Constraints in the notation of the paper, read as formulas: `∃ s ∈ Session, i, j ∈ [0..len(ρ)] : send.to@i = s ∧ i < j`.
//!
//! Texts are compared by their parse trees, independently of spaces, redundant parentheses, other spellings of one
//! sign, and the underscores of bound names in formulas whose models have the same names.

use itertools::Itertools;
use kit::parsing::outside_brackets;
use lang::model::{
    FactText, LassoFactText, LassoFormulaText, ParameterText, Recurrence, SaidText, StretchText,
    TraceFormulaText,
};
use lang::syntax::{names_in, parse_expression, print_expression};
use std::collections::BTreeSet;
use std::fmt;

/// A parsed constraint.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Noted {
    /// True if it holds for each choice of individuals separately.
    of_each: bool,
    /// The individuals with their types, by name.
    individuals: BTreeSet<(String, String)>,
    /// The positions, in their order.
    positions: Vec<String>,
    /// True if the positions are declared to be those of a finite trace.
    is_finite: bool,
    /// The facts, in the order of the text.
    facts: Vec<NotedFact>,
}

/// A fact of a constraint, in canonical texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotedFact {
    /// The text holds.
    Holds(String),
    /// The text holds nowhere between two positions.
    Nowhere {
        /// The text.
        what: String,
        /// The position before the stretch, if any.
        after: Option<String>,
        /// The position after the stretch, if any.
        before: Option<String>,
    },
    /// All of these hold at infinitely many positions together.
    Again(Vec<String>),
    /// All of these hold from some position on.
    Forever(Vec<String>),
    /// The text always holds after a position, or never.
    After {
        /// The text.
        what: String,
        /// True for always, false for never.
        holds: bool,
        /// The position.
        position: String,
    },
}

/// Names of a formula, as constraints show them.
struct NotationNames<'a>(Vec<&'a str>);

const END: &str = "len(ρ)";
const POSITIONS: &str = "[0..len(ρ)]";
/// The name of a position that constraints do not name.
const HERE: &str = "here__";
/// The most individuals whose names are tried in every order.
const MOST_NAMES: usize = 5;

/// Checks that a constraint means the same as a formula about finite traces, and so do the texts of its facts, if
/// given.
pub fn agree(constraint: &str, formula: &TraceFormulaText, facts: Option<&[&str]>) -> Result<(), String> {
    let (positions, values): (Vec<_>, Vec<_>) =
        formula.parameters.iter().partition(|parameter| parameter.ty == "pos");
    if !formula.parameters.is_sorted_by_key(|parameter| parameter.ty != "pos") {
        return Err("the positions of its formula do not come first".into());
    }
    let bound = NotationNames::new(&formula.parameters);
    let said: Vec<NotedFact> = formula.facts.iter().map(|fact| bound.fact(fact)).collect::<Result<_, _>>()?;
    let noted = Noted {
        of_each: formula.of_each,
        individuals: individuals(&values)?,
        positions: positions.iter().map(|it| shown(&it.name).to_owned()).collect(),
        is_finite: !positions.is_empty(),
        facts: said.clone(),
    };
    noted.is_said_by(constraint)?;
    let Some(texts) = facts else { return Ok(()) };
    if texts.len() != said.len() {
        return Err(format!("it has {} facts, and its formula {}", texts.len(), said.len()));
    }
    texts.iter().zip(said).try_for_each(|(text, said)| same(text, &[said]))
}

/// Like [`agree`], for infinite traces. Constraints of a formula on individuals alone come last.
pub fn agree_on_lassos(
    constraint: &str,
    (formula, of_each): (&LassoFormulaText, bool),
    facts: Option<(&[&str], &[String])>,
) -> Result<(), String> {
    let says_nothing = |fact: &LassoFactText| fact.at.iter().flatten().chain(&fact.after).next().is_none();
    if formula.facts.iter().any(says_nothing) {
        return Err("a fact of its formula says nothing".into());
    }
    let Noted { positions, .. } = quantified(constraint)?.0;
    let once = formula.facts.iter().filter(|fact| fact.when == Recurrence::Once);
    let count: usize = once.map(|fact| fact.at.len()).sum();
    let individuals = individuals(&formula.individuals.iter().collect::<Vec<_>>())?;
    let mut taken: BTreeSet<&str> = individuals.iter().map(|(name, _)| name.as_str()).collect();
    // Two positions of one name would be one, and so would a position and an individual.
    if positions.len() != count || !positions.iter().all(|name| taken.insert(name)) {
        return Err(format!("`{constraint}` does not name the positions of its formula"));
    }
    let bound = NotationNames::new(&formula.individuals);
    let mut names = positions.iter();
    let mut said: Vec<Vec<NotedFact>> = Vec::new();
    for fact in &formula.facts {
        let own = if fact.when == Recurrence::Once { fact.at.len() } else { 0 };
        let own: Vec<&str> = names.by_ref().take(own).map(String::as_str).collect();
        said.push(bound.recurring(fact, &formula.position, &own)?);
    }
    let distinct = |text: &String| Ok(vec![NotedFact::Holds(bound.canonical(text)?)]);
    let distinct: Vec<Vec<NotedFact>> =
        formula.distinct.iter().map(distinct).collect::<Result<_, String>>()?;
    let facts_of_all = said.iter().chain(&distinct).flatten().cloned().collect();
    let noted = Noted { of_each, individuals, positions, is_finite: false, facts: facts_of_all };
    noted.is_said_by(constraint)?;
    let Some((texts, of_distinct)) = facts else { return Ok(()) };
    if (texts.len(), of_distinct.len()) != (said.len(), distinct.len()) {
        return Err(format!("it has {} facts, and its formula {}", texts.len(), said.len()));
    }
    let texts = texts.iter().copied().chain(of_distinct.iter().map(String::as_str));
    texts.zip(said.iter().chain(&distinct)).try_for_each(|(text, said)| same(text, said))
}

/// Checks that a constraint means the same as a formula from which parts were omitted: it may have empty facts and
/// unused individuals, and the constraint has its own names for the others.
pub(super) fn agree_on_weaker(constraint: &str, formula: &LassoFormulaText) -> Result<(), String> {
    let plain = with_names(formula, &|name| (name == formula.position).then(|| HERE.to_owned()));
    let texts: Vec<&str> = texts(&plain).collect();
    let is_used =
        |name: &str| texts.iter().any(|text| names_in(text).iter().any(|(_, other)| *other == name));
    let used: Vec<ParameterText> =
        plain.individuals.iter().filter(|individual| is_used(&individual.name)).cloned().collect();
    let mut formula = LassoFormulaText { individuals: used, ..plain.clone() };
    formula.facts.retain(|fact| fact.at.iter().flatten().chain(&fact.after).next().is_some());
    let names: Vec<String> =
        quantified(constraint)?.0.individuals.into_iter().map(|(name, _)| name).collect();
    if names.len() != formula.individuals.len() || names.len() > MOST_NAMES {
        return agree_on_lassos(constraint, (&formula, false), None);
    }
    let own: Vec<String> = formula.individuals.iter().map(|individual| individual.name.clone()).collect();
    let count = names.len();
    let agrees = |names: Vec<String>| {
        let other = |name: &str| own.iter().position(|own| own == name).map(|number| names[number].clone());
        agree_on_lassos(constraint, (&with_names(&formula, &other), false), None)
    };
    let mut all = names.into_iter().permutations(count).map(agrees);
    let first = all.next().unwrap_or(Ok(()));
    if all.any(|agrees| agrees.is_ok()) { Ok(()) } else { first }
}

/// Returns the texts of all parts of a formula.
pub fn texts(formula: &LassoFormulaText) -> impl Iterator<Item = &str> {
    let said = formula.facts.iter().flat_map(|fact| fact.at.iter().flatten().chain(&fact.after));
    said.map(|said| said.text.as_str()).chain(formula.distinct.iter().map(String::as_str))
}

/// Returns a formula with some names replaced.
fn with_names(formula: &LassoFormulaText, other: &dyn Fn(&str) -> Option<String>) -> LassoFormulaText {
    let mut formula = formula.clone();
    let name = |name: &mut String| *name = other(name).unwrap_or_else(|| name.clone());
    name(&mut formula.position);
    formula.individuals.iter_mut().for_each(|individual| name(&mut individual.name));
    for fact in &mut formula.facts {
        for said in fact.at.iter_mut().flatten().chain(&mut fact.after) {
            said.text = renamed(&said.text, other);
        }
    }
    formula.distinct.iter_mut().for_each(|text| *text = renamed(text, other));
    formula
}

/// Returns the positions that a constraint names.
pub(super) fn positions(constraint: &str) -> Result<Vec<String>, String> {
    quantified(constraint).map(|(noted, _)| noted.positions)
}

/// Returns the canonical text of an expression, without redundant parentheses.
pub(super) fn canonical(text: &str) -> Result<String, String> {
    let (tree, diagnostics) = parse_expression(Default::default(), &text.replace('≠', "!="));
    match tree.filter(|_| diagnostics.is_empty()) {
        Some(tree) => Ok(print_expression(&tree)),
        None => Err(format!("`{text}` cannot be read")),
    }
}

/// Returns a name of a formula as constraints show it.
pub(super) fn shown(name: &str) -> &str {
    name.trim_end_matches('_')
}

impl Noted {
    fn is_said_by(&self, constraint: &str) -> Result<(), String> {
        let (quantified, rest) = quantified(constraint)?;
        let facts = if rest.trim() == "true" { Vec::new() } else { facts(rest)? };
        let read = Self { facts, ..quantified };
        match read == *self {
            true => Ok(()),
            false => Err(format!("`{constraint}` differs from its formula: `{self}`")),
        }
    }
}

/// Checks that a text has these facts.
fn same(text: &str, said: &[NotedFact]) -> Result<(), String> {
    match facts(text)? == said {
        true => Ok(()),
        false => Err(format!("`{text}` differs from its formula: `{}`", joined(said))),
    }
}

/// Returns the types of individuals, by their names.
pub fn individuals(parameters: &[&ParameterText]) -> Result<BTreeSet<(String, String)>, String> {
    let all: BTreeSet<_> = parameters.iter().map(|it| (shown(&it.name).to_owned(), it.ty.clone())).collect();
    match all.len() == parameters.len() {
        true => Ok(all),
        false => Err("two individuals of its formula have one name".into()),
    }
}

/// Parses the quantifiers of a constraint, without facts, and returns the rest.
fn quantified(text: &str) -> Result<(Noted, &str), String> {
    let wrong = || format!("`{text}` is no constraint");
    let of_each = text.starts_with('∀');
    let mut noted = Noted {
        of_each,
        individuals: BTreeSet::new(),
        positions: Vec::new(),
        is_finite: false,
        facts: Vec::new(),
    };
    if !of_each && !text.starts_with('∃') {
        return Ok((noted, text));
    }
    let (names, rest) = text.split_once(" : ").ok_or_else(wrong)?;
    let names = names.replacen(['∃', '∀'], "", 1).replacen(" ∃ ", ", ", usize::from(of_each));
    let mut pending = Vec::new();
    for part in names.split(", ") {
        let (name, of) = part.split_once(" ∈ ").map_or((part, None), |(name, of)| (name, Some(of)));
        let name = name.trim();
        let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
        if !is_name || noted.is_finite {
            return Err(wrong());
        }
        pending.push(name.to_owned());
        match of.map(str::trim) {
            Some(POSITIONS) => {
                noted.positions = std::mem::take(&mut pending);
                noted.is_finite = true;
            }
            Some(ty) => {
                for name in pending.drain(..) {
                    if !noted.individuals.insert((name, ty.to_owned())) {
                        return Err(wrong());
                    }
                }
            }
            None => {}
        }
    }
    // Positions of infinite traces are bound without a domain.
    noted.positions.extend(pending);
    Ok((noted, rest))
}

/// Returns the facts of a text without quantifiers.
pub fn facts(text: &str) -> Result<Vec<NotedFact>, String> {
    let mut list = Vec::new();
    for part in outside_brackets(text, '∧') {
        list.extend(fact(part.trim())?);
    }
    Ok(list)
}

/// Returns the facts of a single conjunct.
pub fn fact(text: &str) -> Result<Vec<NotedFact>, String> {
    let all = |rest: &str| -> Result<Vec<String>, String> {
        let inside = rest.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
        match inside.filter(|inside| outside_brackets(inside, '∧').len() > 1) {
            Some(inside) => outside_brackets(inside, '∧').into_iter().map(canonical).collect(),
            None => Ok(vec![canonical(rest)?]),
        }
    };
    if let Some((what, within)) = text.strip_prefix("never ").and_then(|rest| rest.rsplit_once(" within ")) {
        let (after, before) = stretch(within.trim()).ok_or_else(|| format!("`{text}` is no fact"))?;
        return Ok(vec![NotedFact::Nowhere { what: canonical(what)?, after, before }]);
    }
    for (word, holds) in [("always ", true), ("never ", false)] {
        if let Some((what, position)) = text.strip_prefix(word).and_then(|rest| rest.rsplit_once(" after ")) {
            let position = position.trim().to_owned();
            return Ok(vec![NotedFact::After { what: canonical(what)?, holds, position }]);
        }
    }
    if let Some(rest) = text.strip_prefix("again ") {
        return Ok(vec![NotedFact::Again(all(rest.trim())?)]);
    }
    if let Some(rest) = text.strip_prefix("forever ") {
        return Ok(vec![NotedFact::Forever(all(rest.trim())?)]);
    }
    let chain: Vec<&str> = text.split(" < ").map(str::trim).collect();
    let is_chain = chain.len() > 2 && chain.iter().all(|name| !name.contains(|c: char| !c.is_alphanumeric()));
    match is_chain {
        true => Ok(in_order(&chain)),
        false => Ok(vec![NotedFact::Holds(canonical(text)?)]),
    }
}

/// Returns the facts that positions come one after the other.
fn in_order(positions: &[&str]) -> Vec<NotedFact> {
    positions.windows(2).map(|pair| NotedFact::Holds(pair.join(" < "))).collect()
}

/// Returns the positions around a stretch: `(i..j)`, `[0..j)`, `(i..len(ρ)]`.
fn stretch(text: &str) -> Option<(Option<String>, Option<String>)> {
    let is_name = |name: &&str| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    let (first, last) = text.split_once("..")?;
    let after = match first {
        "[0" => None,
        first => Some(first.strip_prefix('(').filter(is_name)?.to_owned()),
    };
    let before = match last.strip_suffix(']') {
        Some(END) => None,
        _ => Some(last.strip_suffix(')').filter(is_name)?.to_owned()),
    };
    Some((after, before))
}

impl<'a> NotationNames<'a> {
    fn new(parameters: &'a [ParameterText]) -> Self {
        Self(parameters.iter().map(|parameter| parameter.name.as_str()).collect())
    }

    /// Returns the canonical text of a part of a formula, with names as constraints show them.
    fn canonical(&self, text: &str) -> Result<String, String> {
        canonical(&renamed(text, |name| self.0.contains(&name).then(|| shown(name).to_owned())))
    }

    /// Returns a text about a position, with another name for that.
    fn at(&self, text: &str, position: &str, name: &str) -> Result<String, String> {
        self.canonical(&renamed(text, |other| (other == position).then(|| name.to_owned())))
    }

    /// Returns a text about a position that is not named.
    fn here(&self, text: &str, position: &str) -> Result<String, String> {
        let mut plain = self.at(text, position, HERE)?;
        for (named, unnamed) in [("@here__", ""), ("(here__)", ""), ("(here__, ", "("), (", here__", "")] {
            plain = plain.replace(named, unnamed);
        }
        canonical(&plain)
    }

    fn fact(&self, fact: &FactText) -> Result<NotedFact, String> {
        let FactText { holds, nowhere } = fact;
        Ok(match nowhere {
            None => NotedFact::Holds(self.canonical(holds)?),
            Some(StretchText { at, after, before }) => {
                let end = |name: &Option<String>| name.as_deref().map(|name| shown(name).to_owned());
                NotedFact::Nowhere { what: self.here(holds, at)?, after: end(after), before: end(before) }
            }
        })
    }

    /// Returns the facts of infinite traces whose positions have these names.
    fn recurring(&self, fact: &LassoFactText, at: &str, names: &[&str]) -> Result<Vec<NotedFact>, String> {
        let said = |said: &SaidText, text: String| match said.holds {
            true => Ok(text),
            false => canonical(&format!("not ({text})")),
        };
        let anywhere = || -> Result<Vec<String>, String> {
            fact.at.iter().flatten().map(|it| said(it, self.here(&it.text, at)?)).collect()
        };
        let mut list = Vec::new();
        match fact.when {
            Recurrence::Again => list.push(NotedFact::Again(anywhere()?)),
            Recurrence::Forever => list.push(NotedFact::Forever(anywhere()?)),
            Recurrence::Once => {
                for (all, name) in fact.at.iter().zip(names) {
                    for it in all {
                        list.push(NotedFact::Holds(said(it, self.at(&it.text, at, name)?)?));
                    }
                }
                list.extend(in_order(names));
                for it in &fact.after {
                    let position = names.last().copied().unwrap_or_default().to_owned();
                    list.push(NotedFact::After { what: self.here(&it.text, at)?, holds: it.holds, position });
                }
            }
        }
        Ok(list)
    }
}

/// Replaces some names in a text, but not those of fields.
fn renamed(text: &str, other: impl Fn(&str) -> Option<String>) -> String {
    let (mut result, mut done) = (String::new(), 0);
    for (start, name) in names_in(text) {
        if let (Some(other), false) = (other(name), text[..start].trim_end().ends_with('.')) {
            result += &text[done..start];
            result += &other;
            done = start + name.len();
        }
    }
    result + &text[done..]
}

impl fmt::Display for Noted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut names: Vec<String> =
            self.individuals.iter().map(|(name, ty)| format!("{name} ∈ {ty}")).collect();
        names.extend((!self.positions.is_empty()).then(|| self.positions.join(", ")));
        if !names.is_empty() {
            write!(f, "{} {} : ", if self.of_each { "∀" } else { "∃" }, names.join(", "))?;
        }
        f.write_str(&joined(&self.facts))
    }
}

fn joined(facts: &[NotedFact]) -> String {
    let texts: Vec<String> = facts.iter().map(ToString::to_string).collect();
    if texts.is_empty() { "true".to_owned() } else { texts.join(" ∧ ") }
}

impl fmt::Display for NotedFact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = |list: &[String]| match list {
            [one] => one.clone(),
            several => format!("({})", several.join(" ∧ ")),
        };
        match self {
            Self::Holds(text) => f.write_str(text),
            Self::Nowhere { what, after, before } => {
                let first = after.as_ref().map_or("[0".to_owned(), |after| format!("({after}"));
                let last = before.as_ref().map_or(format!("{END}]"), |before| format!("{before})"));
                write!(f, "never {what} within {first}..{last}")
            }
            Self::Again(list) => write!(f, "again {}", all(list)),
            Self::Forever(list) => write!(f, "forever {}", all(list)),
            Self::After { what, holds, position } => {
                write!(f, "{} {what} after {position}", if *holds { "always" } else { "never" })
            }
        }
    }
}
