//! Kinds of a causal tree as predicates of the model.

use lang::model::TraceFormulaText;
use verify::document::{CausesDocument, StoredKind, StoredPattern};

/// Returns a predicate for each kind and each variant, documented by its title, and a vocabulary of them; `None` if
/// there are none, or they are of infinite traces. Every violating trace that the tree covers satisfies one of them.
pub fn causal_predicates(document: &CausesDocument) -> Option<String> {
    let (mut declarations, mut names) = (String::new(), Vec::new());
    for (index, kind) in document.kinds.iter().enumerate() {
        declare(&format!("kind_{}", index + 1), kind, &mut declarations, &mut names)?;
    }
    (!names.is_empty()).then(|| declarations + &format!("vocabulary kinds = {{ {} }};\n", names.join(", ")))
}

/// Declares a kind and its variants.
fn declare(name: &str, kind: &StoredKind, out: &mut String, names: &mut Vec<String>) -> Option<()> {
    let StoredPattern::Finite(formula) = &kind.pattern else { return None };
    *out += &format!("/// {}\npred {name}{};\n\n", kind.title, predicate(formula, kind.in_this_order)?);
    names.push(name.to_owned());
    let mut variants = kind.variants.iter().enumerate();
    variants.try_for_each(|(at, variant)| declare(&format!("{name}_variant_{}", at + 1), variant, out, names))
}

/// Returns the parameters and the body of a predicate. The violating step is its first parameter, and the last
/// position.
fn predicate(formula: &TraceFormulaText, in_this_order: bool) -> Option<String> {
    let (positions, individuals): (Vec<_>, Vec<_>) =
        formula.parameters.iter().partition(|parameter| parameter.ty == "pos");
    let positions: Vec<&str> = positions.iter().map(|position| position.name.as_str()).collect();
    let (last, earlier) = positions.split_first()?;
    let pairs = earlier.windows(2).filter(|_| in_this_order).map(|pair| format!("{} < {}", pair[0], pair[1]));
    let before_last = if in_this_order { earlier.len().saturating_sub(1) } else { 0 };
    let order = pairs.chain(earlier.iter().skip(before_last).map(|position| format!("{position} < {last}")));
    let facts = formula.facts.iter().filter_map(|fact| match &fact.nowhere {
        None => Some(fact.holds.clone()),
        // The violation is in an initial state.
        Some(stretch) if stretch.after.is_none() => Some(format!("never true before {last}")),
        Some(_) => None,
    });
    let body: Vec<String> = order.chain(facts).collect();
    let of: String = individuals.iter().map(|one| format!("exists {} in {}: ", one.name, one.ty)).collect();
    Some(format!("({}: pos) =\n  {of}{}", positions.join(", "), body.join("\n  and ")))
}
