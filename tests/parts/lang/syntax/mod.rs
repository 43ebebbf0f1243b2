//! Tests of lexer, parser and printer together, through the public functions.

mod accepted;
mod editors;
mod generate;
mod layout;
mod mistakes;
mod robustness;
mod round_trip;

use kit::diagnostics::{Diagnostic, SourceId, SourceMap, render};
use lang::syntax::ast::{AstExpr, AstExprKind, AstTest, File};
use lang::syntax::{parse, parse_expression};

/// `line:column message | help` of every diagnostic.
fn summaries(text: &str, diagnostics: &[Diagnostic]) -> Vec<String> {
    let mut sources = SourceMap::new();
    sources.add("t", text);
    diagnostics
        .iter()
        .map(|d| {
            let (line, column) = sources.line_column(d.span.expect("every syntax mistake has a place"));
            format!("{line}:{column} {} | {}", d.message, d.help.as_deref().unwrap_or("-"))
        })
        .collect()
}

/// The diagnostics of a text as users see them.
fn rendered(text: &str) -> String {
    let mut sources = SourceMap::new();
    let source = sources.add("t.sts", text);
    parse(source, text).1.iter().map(|d| render(d, &sources, false)).collect()
}

fn accept(text: &str) -> File {
    let (file, diagnostics) = parse(SourceId(0), text);
    assert!(diagnostics.is_empty(), "{}", rendered(text));
    file
}

fn accept_expression(text: &str) -> AstExpr {
    let (expr, diagnostics) = parse_expression(SourceId(0), text);
    assert!(diagnostics.is_empty(), "{text}: {:?}", summaries(text, &diagnostics));
    expr.expect("an expression without mistakes")
}

/// A tree as text without its spans, to compare what two texts say.
fn without_spans(tree: &impl std::fmt::Debug) -> String {
    let text = format!("{tree:?}");
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(at) = rest.find("Span {") {
        out.push_str(&rest[..at]);
        // `Span { source: SourceId(0), start: 1, end: 2 }`
        rest = rest[at..].split_once('}').map_or("", |(_, after)| after);
    }
    out.push_str(rest);
    out
}

/// An expression with all parentheses, to check how operators bind.
fn grouped(e: &AstExpr) -> String {
    let list = |exprs: &[AstExpr]| exprs.iter().map(grouped).collect::<Vec<_>>().join(", ");
    match &e.kind {
        AstExprKind::Binary(op, a, b) => format!("({} {op:?} {})", grouped(a), grouped(b)),
        AstExprKind::Not(a) => format!("(not {})", grouped(a)),
        AstExprKind::Neg(a) => format!("(- {})", grouped(a)),
        AstExprKind::Range(a, b) => format!("({}..{})", grouped(a), grouped(b)),
        AstExprKind::Is { expr, test } => {
            let test = match test {
                AstTest::Some => "some",
                AstTest::None => "none",
                AstTest::Constructor(name) => &name.name,
            };
            format!("({} is {test})", grouped(expr))
        }
        AstExprKind::At(a, b) => format!("({}@{})", grouped(a), grouped(b)),
        AstExprKind::Field(a, f) => format!("{}.{}", grouped(a), f.name),
        AstExprKind::Index(a, b) => format!("{}[{}]", grouped(a), grouped(b)),
        AstExprKind::With(a, fields) => format!("({} with {})", grouped(a), fields.len()),
        AstExprKind::If(a, b, c) => format!("(if {} {} {})", grouped(a), grouped(b), grouped(c)),
        AstExprKind::Quant { quantifier, vars, domain, body } => {
            let vars: Vec<&str> = vars.iter().map(|v| v.name.as_str()).collect();
            format!("({quantifier:?} {} in {}: {})", vars.join(" "), grouped(domain), grouped(body))
        }
        AstExprKind::Map { var, domain, body } => {
            format!("(map {} in {}: {})", var.name, grouped(domain), grouped(body))
        }
        AstExprKind::Filter { var, domain, cond } => {
            format!("{{{} in {}: {}}}", var.name, grouped(domain), grouped(cond))
        }
        AstExprKind::Let { bindings, body } => {
            let bindings: Vec<String> =
                bindings.iter().map(|(name, e)| format!("{} = {}", name.name, grouped(e))).collect();
            format!("(let {} in {})", bindings.join(", "), grouped(body))
        }
        AstExprKind::Aggregate { aggregate, vars, domain, body } => {
            let vars: Vec<&str> = vars.iter().map(|v| v.name.as_str()).collect();
            format!("({aggregate:?} {} in {}: {})", vars.join(" "), grouped(domain), grouped(body))
        }
        AstExprKind::Temporal(op, operands) => format!("{op:?}({})", list(operands)),
        AstExprKind::List(elements) => format!("[{}]", list(elements)),
        AstExprKind::Set(elements) => format!("{{{}}}", list(elements)),
        AstExprKind::Call { path, args } => {
            let path: Vec<&str> = path.iter().map(|p| p.name.as_str()).collect();
            format!("{}({})", path.join("."), list(args))
        }
        AstExprKind::Size(a) => format!("size({})", grouped(a)),
        AstExprKind::Some(a) => format!("some({})", grouped(a)),
        _ => lang::syntax::print_expression(e),
    }
}
