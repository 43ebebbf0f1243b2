//! Vocabularies.

use super::expressions::expression;
use super::input::{Parsed, Tokens, name, token};
use super::recovery::{declared_list, list, not_empty};
use crate::syntax::ast::{Expr, VocabItem, VocabItemKind, VocabTerm};
use kit::parsing::{labelled, separated, spanned};
use nom::Parser;
use nom::branch::alt;
use nom::combinator::{cut, map, opt, verify};
use nom::sequence::preceded;

/// `term + term + …`
pub(super) fn vocabulary_terms(input: Tokens<'_>) -> Parsed<'_, Vec<VocabTerm>> {
    separated("+", term).parse(input)
}

fn term(input: Tokens<'_>) -> Parsed<'_, VocabTerm> {
    let kinds = alt((map(name, VocabTerm::Name), map(declared_list(item), VocabTerm::Items)));
    labelled("the name of a vocabulary or `{`", kinds).parse(input)
}

fn item(input: Tokens<'_>) -> Parsed<'_, VocabItem> {
    let kinds = alt((
        equalities,
        preceded(token("lacks"), cut(observables)).map(VocabItemKind::Lacks),
        preceded(token("absent"), cut(observables)).map(VocabItemKind::Absent),
        grounding,
        predicate_or_order,
    ));
    let (rest, (kind, span)) = spanned(labelled("an item of a vocabulary", kinds)).parse(input)?;
    Ok((rest, VocabItem { kind, span }))
}

fn observables(input: Tokens<'_>) -> Parsed<'_, Vec<Expr>> {
    not_empty("expression", list("(", expression, ")")).parse(input)
}

fn equalities(input: Tokens<'_>) -> Parsed<'_, VocabItemKind> {
    let (rest, (observables, across)) =
        preceded(token("eq"), cut((observables, opt(token("across"))))).parse(input)?;
    Ok((rest, VocabItemKind::Eq { observables, across: across.is_some() }))
}

/// `ground` or `ground(T, …)`.
fn grounding(input: Tokens<'_>) -> Parsed<'_, VocabItemKind> {
    let (rest, _) = verify(name, |name| name.name == "ground").parse(input)?;
    let (rest, types) = opt(not_empty("type", list("(", name, ")"))).parse(rest)?;
    Ok((rest, VocabItemKind::Ground(types)))
}

/// `before`, `next`, or a predicate: `p`, `alias.p`, `p(args)`.
fn predicate_or_order(input: Tokens<'_>) -> Parsed<'_, VocabItemKind> {
    let (rest, path) = separated(".", name).parse(input)?;
    let (rest, args) = opt(list("(", expression, ")")).parse(rest)?;
    let kind = match (path.as_slice(), args) {
        ([only], None) if only.name == "before" => VocabItemKind::Before,
        ([only], None) if only.name == "next" => VocabItemKind::Next,
        (_, args) => VocabItemKind::Pred { path, args },
    };
    Ok((rest, kind))
}
