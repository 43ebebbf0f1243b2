//! Declarations and whole files.

use super::expressions::expression;
use super::input::{Lookahead, ModelParseResult, ModelTokens, at_example, name, qualified_name, token, word};
use super::recovery::{block, declared_list, list, not_empty, semicolon, skip_item};
use super::statements::statements;
use super::types::{of_type, parameters, type_expr};
use crate::syntax::ast::{
    AstActionSteps, AstExpr, AstParam, ExampleBlock, File, FileKind, Header, Ident, Item, ItemKind,
    Requirement, RequirementKind, VocabItem, VocabItemKind, VocabTerm, WrittenTraces,
};
use crate::syntax::token::SyntaxKind;
use kit::diagnostics::{Diagnostic, Span};
use kit::parsing::{Expected, ParserError, labelled, separated, spanned};
use nom::Parser;
use nom::branch::alt;
use nom::combinator::{cut, map, opt, value, verify};
use nom::sequence::{preceded, separated_pair, terminated};

/// A whole text; every error is reported.
pub(super) fn file(input: ModelTokens<'_>) -> File {
    let state = input.state;
    let mut rest = input;
    let mut found = None;
    match header(rest) {
        Ok((after, header)) => {
            found = Some(header);
            rest = after;
        }
        Err(failure) => {
            let mistake = state.report(failure, None);
            if !rest.at_item() {
                rest = skip_item(mistake);
            }
        }
    }
    let mut items = Vec::new();
    while !rest.at_end() {
        let again =
            rest.first().is("model") || rest.first().is("library") || rest.first().is_name("component");
        if let Some((after, _)) = again.then(|| header(rest).ok()).flatten() {
            let message = "a file has only one header, at its beginning";
            let help = "remove it, or move what follows into a separate file";
            state.add(Diagnostic::error(rest.span_to(after), message).with_help(help));
            rest = after;
            continue;
        }
        // The brace that was missed before a declaration in its block.
        if rest.first().is("}") && state.grammar.left_open.get() > 0 {
            state.grammar.left_open.update(|open| open - 1);
            rest = rest.skip();
            continue;
        }
        match item(rest) {
            Ok((after, item)) => {
                items.push(item);
                rest = after;
            }
            Err(failure) => {
                let mistake = state.report(failure, None);
                let next = skip_item(mistake);
                rest = if next.position() > rest.position() { next } else { rest.skip() };
            }
        }
    }
    File { header: found, items }
}

fn header(input: ModelTokens<'_>) -> ModelParseResult<'_, Header> {
    let kind = alt((
        value(FileKind::Model, token("model")),
        value(FileKind::Library, token("library")),
        value(FileKind::Component, word("component")),
    ));
    let mut header = (labelled("`model`, `library` or `component`", kind), cut(terminated(name, end)));
    let (rest, (kind, name)) = header.parse(input)?;
    Ok((rest, Header { kind, name, doc: input.first().doc.clone() }))
}

fn item(input: ModelTokens<'_>) -> ModelParseResult<'_, Item> {
    let kinds = alt((
        import,
        requires,
        constant,
        type_declaration,
        variable,
        initial,
        definition,
        action,
        operation,
        assumption,
        invariant,
        property,
        action_fairness,
        fairness,
        environment,
        predicate,
        vocabulary,
        example,
    ));
    let (rest, (kind, span)) = spanned(labelled("a declaration", kinds)).parse(input)?;
    Ok((rest, Item { kind, doc: input.first().doc.clone(), span }))
}

/// The `;` after a declaration.
fn end(input: ModelTokens<'_>) -> ModelParseResult<'_, ()> {
    semicolon(ModelTokens::at_item).parse(input)
}

/// `word rest;`; the word commits the parser.
fn declaration<'a, O>(
    word: &'static str,
    rest: impl Parser<ModelTokens<'a>, Output = O, Error = ParserError>,
) -> impl Parser<ModelTokens<'a>, Output = O, Error = ParserError> {
    preceded(token(word), cut(terminated(rest, end)))
}

/// `= e`
fn is(input: ModelTokens<'_>) -> ModelParseResult<'_, AstExpr> {
    preceded(token("="), expression).parse(input)
}

/// `(x, y: T, z: U)`, or nothing.
fn parameter_list(input: ModelTokens<'_>) -> ModelParseResult<'_, Vec<AstParam>> {
    let (rest, groups) = opt(list("(", parameters, ")")).parse(input)?;
    Ok((rest, groups.unwrap_or_default().into_iter().flatten().collect()))
}

fn import(input: ModelTokens<'_>) -> ModelParseResult<'_, ItemKind> {
    let bindings = opt(preceded(token("with"), cut(declared_list(argument))));
    let (rest, ((path, path_span), alias, bindings)) =
        declaration("import", (path, preceded(token("as"), name), bindings)).parse(input)?;
    Ok((rest, ItemKind::Import { path, path_span, alias, bindings: bindings.unwrap_or_default() }))
}

fn path(input: ModelTokens<'_>) -> ModelParseResult<'_, (String, Span)> {
    let first = input.first();
    match first.kind {
        SyntaxKind::Text => Ok((input.skip(), (first.unquoted().to_string(), first.span))),
        _ => input.unexpected(Expected::Thing("a path in double quotes")),
    }
}

fn requires(input: ModelTokens<'_>) -> ModelParseResult<'_, ItemKind> {
    // `type` can begin a requirement too.
    let ends = |input: &ModelTokens<'_>| input.at_item() && !input.first().is("type");
    let requirements = block("`type`, `value`, `observe`, `variable`, `function`", requirement, ends);
    preceded(token("requires"), cut(requirements)).map(ItemKind::Requires).parse(input)
}

fn requirement(input: ModelTokens<'_>) -> ModelParseResult<'_, Requirement> {
    let kinds = alt((
        map(preceded(token("type"), cut(name)), |name| (RequirementKind::Type, name)),
        map(preceded(token("value"), cut((name, of_type))), |(name, ty)| (RequirementKind::Value(ty), name)),
        map(preceded(token("observe"), cut((name, of_type))), |(name, ty)| {
            (RequirementKind::Observe(ty), name)
        }),
        map(preceded(word("variable"), cut((name, of_type))), |(name, ty)| {
            (RequirementKind::Variable(ty), name)
        }),
        map(preceded(word("function"), cut((name, parameter_list, of_type))), |(name, params, ty)| {
            (RequirementKind::Function(params, ty), name)
        }),
    ));
    let end = semicolon(|input| {
        let first = input.first();
        first.is("type")
            || first.is("value")
            || first.is("observe")
            || first.is_name("variable")
            || first.is_name("function")
    });
    let (rest, ((kind, name), mut default)) = terminated((kinds, opt(is)), cut(end)).parse(input)?;
    if let RequirementKind::Variable(_) | RequirementKind::Function(..) = kind
        && let Some(value) = default.take()
    {
        let error = Diagnostic::error(value.span, "a required variable or function has no default");
        input.state.add(error.with_help("types, values and observables can have one"));
    }
    Ok((rest, Requirement { kind, name, default, doc: input.first().doc.clone() }))
}

fn constant(input: ModelTokens<'_>) -> ModelParseResult<'_, ItemKind> {
    let (rest, (name, ty, value)) = declaration("const", (name, of_type, is)).parse(input)?;
    Ok((rest, ItemKind::Const { name, ty, value }))
}

fn type_declaration(input: ModelTokens<'_>) -> ModelParseResult<'_, ItemKind> {
    let (after, mark) = opt(token("symmetric")).parse(input)?;
    let mut declared = declaration("type", (name, preceded(token("="), type_expr)));
    let (rest, (name, ty)) = if mark.is_some() { cut(declared).parse(after) } else { declared.parse(after) }?;
    Ok((rest, ItemKind::Type { name, ty, symmetric: mark.is_some() }))
}

fn variable(input: ModelTokens<'_>) -> ModelParseResult<'_, ItemKind> {
    let (rest, (name, ty)) = declaration("var", (name, of_type)).parse(input)?;
    Ok((rest, ItemKind::Var { name, ty }))
}

fn initial(input: ModelTokens<'_>) -> ModelParseResult<'_, ItemKind> {
    let formula = terminated(expression, cut(semicolon(|input| input.first().first_on_line)));
    preceded(token("init"), cut(block("a formula", formula, ModelTokens::at_item)))
        .map(ItemKind::Init)
        .parse(input)
}

fn definition(input: ModelTokens<'_>) -> ModelParseResult<'_, ItemKind> {
    let parts = (name, parameter_list, of_type, is);
    let (rest, (name, params, ty, body)) = declaration("def", parts).parse(input)?;
    Ok((rest, ItemKind::Def { name, params, ty, body }))
}

fn action(input: ModelTokens<'_>) -> ModelParseResult<'_, ItemKind> {
    let modifies = opt(preceded(token("modifies"), cut(separated(",", qualified_name))));
    let parts = (name, parameter_list, modifies, statements);
    let (rest, (name, params, modifies, body)) = preceded(token("action"), cut(parts)).parse(input)?;
    Ok((rest, ItemKind::Action { name, params, modifies: modifies.unwrap_or_default(), body }))
}

fn operation(input: ModelTokens<'_>) -> ModelParseResult<'_, ItemKind> {
    let (rest, (name, params, body)) =
        preceded(word("operation"), cut((name, parameter_list, statements))).parse(input)?;
    Ok((rest, ItemKind::Operation { name, params, body }))
}

fn assumption(input: ModelTokens<'_>) -> ModelParseResult<'_, ItemKind> {
    declaration("assume", expression).map(ItemKind::Assume).parse(input)
}

fn invariant(input: ModelTokens<'_>) -> ModelParseResult<'_, ItemKind> {
    let parts = separated_pair(name, token(":"), expression);
    declaration("invariant", parts).map(|(name, body)| ItemKind::Invariant { name, body }).parse(input)
}

fn property(input: ModelTokens<'_>) -> ModelParseResult<'_, ItemKind> {
    let ltl = declaration("ltl", separated_pair(name, token(":"), temporal_formula));
    let ctl = declaration("ctl", separated_pair(name, token(":"), temporal_formula));
    let ltl = ltl.map(|(name, body)| ItemKind::Ltl { name, body });
    let ctl = ctl.map(|(name, body)| ItemKind::Ctl { name, body });
    alt((ltl, ctl)).parse(input)
}

/// A formula in which `next` is an operator.
fn temporal_formula(input: ModelTokens<'_>) -> ModelParseResult<'_, AstExpr> {
    input.state.grammar.temporal.set(true);
    let result = expression(input);
    input.state.grammar.temporal.set(false);
    result
}

/// `fairness action a(p);`, which a label after `fairness` could not begin: conditions are about states.
fn action_fairness(input: ModelTokens<'_>) -> ModelParseResult<'_, ItemKind> {
    let is_strong = input.peek(1).is_name("strong") && input.peek(2).is("action");
    let follows = if is_strong { 3 } else { 2 };
    let is_action = is_strong || input.peek(1).is("action");
    if !input.first().is("fairness") || !is_action || input.peek(follows).kind != SyntaxKind::Name {
        return input.unexpected(Expected::Thing("a declaration"));
    }
    let after = if is_strong { input.skip().skip() } else { input.skip() };
    let parts = preceded(token("action"), (qualified_name, opt(list("(", name, ")"))));
    let (rest, (action, by)) = cut(terminated(parts, end)).parse(after)?;
    Ok((rest, ItemKind::ActionFairness { strong: is_strong, action, by: by.unwrap_or_default() }))
}

fn fairness(input: ModelTokens<'_>) -> ModelParseResult<'_, ItemKind> {
    declaration("fairness", expression).map(ItemKind::Fairness).parse(input)
}

fn environment(input: ModelTokens<'_>) -> ModelParseResult<'_, ItemKind> {
    declaration("environment", separated(",", action_steps)).map(ItemKind::Environment).parse(input)
}

/// `a`, `a(x = e)`
fn action_steps(input: ModelTokens<'_>) -> ModelParseResult<'_, AstActionSteps> {
    let (rest, (action, with)) = (qualified_name, opt(list("(", argument, ")"))).parse(input)?;
    Ok((rest, AstActionSteps { action, with: with.unwrap_or_default() }))
}

/// `x = e`
fn argument(input: ModelTokens<'_>) -> ModelParseResult<'_, (Ident, AstExpr)> {
    separated_pair(name, cut(token("=")), cut(expression)).parse(input)
}

fn predicate(input: ModelTokens<'_>) -> ModelParseResult<'_, ItemKind> {
    let (rest, (name, params, body)) = declaration("pred", (name, parameter_list, is)).parse(input)?;
    Ok((rest, ItemKind::Pred { name, params, body }))
}

fn vocabulary(input: ModelTokens<'_>) -> ModelParseResult<'_, ItemKind> {
    let parts = separated_pair(name, token("="), vocabulary_terms);
    declaration("vocabulary", parts).map(|(name, terms)| ItemKind::Vocabulary { name, terms }).parse(input)
}

/// `example of p(a) in "model.sts" with { N = 2 } within 5;`, `counterexample of p { a; b(x = e); }`
fn example(input: ModelTokens<'_>) -> ModelParseResult<'_, ItemKind> {
    if !at_example(input.first(), input.peek(1)) {
        return input.unexpected(Expected::Thing("a declaration"));
    }
    let counter = input.first().is_name("counterexample");
    let subject = spanned((separated(".", name), opt(list("(", expression, ")"))));
    let model = opt(preceded(token("in"), cut(path)));
    let with = opt(preceded(token("with"), cut(declared_list(argument))));
    let parts = (subject, model, with, example_traces);
    let (rest, (((predicate, args), subject), model, with, traces)) =
        cut(parts).parse(input.skip().skip())?;
    let with = with.unwrap_or_default();
    Ok((rest, ItemKind::Example(ExampleBlock { counter, predicate, args, subject, model, with, traces })))
}

/// `within n;` or `{ a; b(x = e); }`
fn example_traces<'a>(input: ModelTokens<'a>) -> ModelParseResult<'a, WrittenTraces> {
    let within = |input: ModelTokens<'a>| match input.first().is_name("within") {
        true => Ok((input.skip(), ())),
        false => input.unexpected(Expected::Token("within")),
    };
    let within = preceded(within, cut(terminated(expression, end))).map(WrittenTraces::Within);
    let step =
        terminated(labelled("a step", action_steps), cut(semicolon(|input| input.first().first_on_line)));
    alt((within, block("a step", step, ModelTokens::at_item).map(WrittenTraces::Steps))).parse(input)
}

/// `term + term + …`
pub(super) fn vocabulary_terms(input: ModelTokens<'_>) -> ModelParseResult<'_, Vec<VocabTerm>> {
    separated("+", term).parse(input)
}

fn term(input: ModelTokens<'_>) -> ModelParseResult<'_, VocabTerm> {
    let kinds = alt((map(name, VocabTerm::Name), map(declared_list(vocabulary_item), VocabTerm::Items)));
    labelled("the name of a vocabulary or `{`", kinds).parse(input)
}

fn vocabulary_item(input: ModelTokens<'_>) -> ModelParseResult<'_, VocabItem> {
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

fn observables(input: ModelTokens<'_>) -> ModelParseResult<'_, Vec<AstExpr>> {
    not_empty("expression", list("(", expression, ")")).parse(input)
}

fn equalities(input: ModelTokens<'_>) -> ModelParseResult<'_, VocabItemKind> {
    let (rest, (observables, across)) =
        preceded(token("eq"), cut((observables, opt(token("across"))))).parse(input)?;
    Ok((rest, VocabItemKind::Eq { observables, across: across.is_some() }))
}

/// `ground` or `ground(T, …)`.
fn grounding(input: ModelTokens<'_>) -> ModelParseResult<'_, VocabItemKind> {
    let (rest, _) = verify(name, |name| name.name == "ground").parse(input)?;
    let (rest, types) = opt(not_empty("type", list("(", name, ")"))).parse(rest)?;
    Ok((rest, VocabItemKind::Ground(types)))
}

/// `before`, `next`, or a predicate: `p`, `alias.p`, `p(args)`.
fn predicate_or_order(input: ModelTokens<'_>) -> ModelParseResult<'_, VocabItemKind> {
    let (rest, path) = separated(".", name).parse(input)?;
    let (rest, args) = opt(list("(", expression, ")")).parse(rest)?;
    let kind = match (path.as_slice(), args) {
        ([only], None) if only.name == "before" => VocabItemKind::Before,
        ([only], None) if only.name == "next" => VocabItemKind::Next,
        (_, args) => VocabItemKind::Pred { path, args },
    };
    Ok((rest, kind))
}
