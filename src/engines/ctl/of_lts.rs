//! Formulas over an explicit system: labels name the transitions that leave a state.

use super::formula::{CtlBuilder, CtlFormula, Subformula};
use explicit::lts::property::{LabelAtom, LabelPattern};
use explicit::lts::{Bits, Lts, StateId};
use kit::diagnostics::{Diagnostic, SourceId, Span};
use lang::syntax::ast::{AstExpr, AstExprKind, BinaryOp};
use lang::syntax::parse_formula;

/// A formula over an explicit system.
#[derive(Debug)]
pub struct FormulaOfLts {
    /// The formula.
    pub formula: CtlFormula,
    /// For each of its labels the states that have it.
    pub labels: Vec<Bits>,
    /// Labels and patterns in the formula that no transition has.
    pub without_labels: Vec<(LabelAtom, Span)>,
    /// Warnings about its text.
    pub warnings: Vec<Diagnostic>,
}

/// Reads a formula over a system, with fairness conditions, which have no temporal operators.
///
/// # Errors
/// All errors in the formula and in the conditions, with the warnings.
pub fn formula_of_lts(
    lts: &Lts,
    (source, text): (SourceId, &str),
    fair: &[(SourceId, &str)],
) -> Result<FormulaOfLts, Vec<Diagnostic>> {
    let mut reader = LabelFormulaReader {
        lts,
        builder: CtlBuilder::new(),
        sets: Vec::new(),
        missing: Vec::new(),
        found: Vec::new(),
        plain: true,
    };
    let conditions = fair.iter().filter_map(|&(source, text)| reader.read(source, text)).collect();
    reader.builder.only_fair(conditions);
    reader.plain = false;
    let root = reader.read(source, text);
    match root {
        Some(root) if !reader.found.iter().any(Diagnostic::is_error) => Ok(FormulaOfLts {
            formula: reader.builder.finish(root),
            labels: reader.sets,
            without_labels: reader.missing,
            warnings: reader.found,
        }),
        _ => Err(reader.found),
    }
}

const HELP: &str = "atoms are `enabled(\"LABEL\")`, `matches(\"PATTERN\")`, `deadlock`, `true` and `false`";

struct LabelFormulaReader<'a> {
    lts: &'a Lts,
    builder: CtlBuilder,
    sets: Vec<Bits>,
    missing: Vec<(LabelAtom, Span)>,
    found: Vec<Diagnostic>,
    /// True if operators are not allowed, as in fairness conditions.
    plain: bool,
}

impl LabelFormulaReader<'_> {
    fn read(&mut self, source: SourceId, text: &str) -> Option<Subformula> {
        let (expr, found) = parse_formula(source, text);
        let good = !found.iter().any(Diagnostic::is_error);
        self.found.extend(found);
        self.part(&expr.filter(|_| good)?, text)
    }

    fn part(&mut self, expr: &AstExpr, text: &str) -> Option<Subformula> {
        let parts = |this: &mut Self, list: &[AstExpr]| -> Option<Vec<Subformula>> {
            let parts: Vec<Option<Subformula>> = list.iter().map(|e| this.part(e, text)).collect();
            parts.into_iter().collect()
        };
        match &expr.kind {
            AstExprKind::Bool(value) => {
                let yes = self.builder.yes();
                Some(if *value { yes } else { self.builder.not(yes) })
            }
            AstExprKind::Name(name) if name == "deadlock" => {
                Some(self.label("deadlock".to_owned(), |lts, state| lts.out(state).len() == 0))
            }
            AstExprKind::Call { path, args } if path.len() == 1 => {
                self.atom(&path[0].name, args, expr.span, text)
            }
            AstExprKind::Not(a) => {
                let a = self.part(a, text)?;
                Some(self.builder.not(a))
            }
            AstExprKind::Binary(op, a, b) => {
                let known = matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Implies | BinaryOp::Iff);
                if !known {
                    return self.refuse(expr.span);
                }
                let (a, b) = (self.part(a, text), self.part(b, text));
                let (a, b) = (a?, b?);
                Some(match op {
                    BinaryOp::And => self.builder.and(a, b),
                    BinaryOp::Or => self.builder.or(a, b),
                    BinaryOp::Implies => self.builder.implies(a, b),
                    _ => self.builder.iff(a, b),
                })
            }
            AstExprKind::Temporal(op, operands) => {
                if self.plain {
                    let message =
                        "a fairness condition is about one state: temporal operators are not allowed";
                    self.found.push(Diagnostic::error(expr.span, message).with_help(HELP));
                    return None;
                }
                if !op.is_branching() {
                    let message = "this operator belongs to ltl, but the formula is one of ctl";
                    let help =
                        "quantify over paths: `AG`, `EG`, `AF`, `EF`, `AX`, `EX`, `A[f U g]`, `E[f U g]`";
                    self.found.push(Diagnostic::error(expr.span, message).with_help(help));
                    return None;
                }
                let parts = parts(self, operands)?;
                Some(self.builder.operator(*op, &parts))
            }
            _ => self.refuse(expr.span),
        }
    }

    fn refuse(&mut self, span: Span) -> Option<Subformula> {
        let message = "an explicit system has no variables, only labels";
        self.found.push(Diagnostic::error(span, message).with_help(HELP));
        None
    }

    fn atom(&mut self, name: &str, args: &[AstExpr], span: Span, text: &str) -> Option<Subformula> {
        let [AstExpr { kind: AstExprKind::Text(argument), .. }] = args else {
            if !matches!(name, "enabled" | "matches") {
                return self.refuse(span);
            }
            let message = format!("`{name}` takes one string in double quotes");
            self.found.push(Diagnostic::error(span, message).with_help(HELP));
            return None;
        };
        let atom = match (name, LabelPattern::new(argument)) {
            ("enabled", _) => LabelAtom::Label(argument.clone()),
            ("matches", Ok(pattern)) => LabelAtom::Pattern(pattern),
            ("matches", Err(message)) => {
                self.found.push(Diagnostic::error(args[0].span, message));
                return None;
            }
            _ => return self.refuse(span),
        };
        let labels = self.lts.labels();
        let wanted: Vec<bool> = labels.ids().map(|label| atom.matches(labels, label)).collect();
        if !wanted.contains(&true) {
            self.missing.push((atom, args[0].span));
        }
        let shown = text.get(span.start as usize..span.end as usize).unwrap_or(name).to_owned();
        Some(self.label(shown, |lts, state| lts.out(state).any(|(label, _)| wanted[label.index()])))
    }

    fn label(&mut self, text: String, has: impl Fn(&Lts, StateId) -> bool) -> Subformula {
        let mut set = Bits::new(self.lts.states());
        let states = self.lts.state_ids();
        states.filter(|&s| has(self.lts, s)).for_each(|s| _ = set.insert(s.index()));
        self.sets.push(set);
        self.builder.label(text)
    }
}
