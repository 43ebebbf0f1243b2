//! Constraints as trace formulas, for modules that know only these.

use crate::facts::atom::{Atom, Atoms, Conjunct};
use crate::facts::constraint::Constraint;
use crate::facts::fact::{Fact, FactKind, OrderRelation, Stretch};
use kit::diagnostics::Span;
use lang::model::expr::{Expr, ExprKind, LocalId, Op};
use lang::model::types::Type;
use lang::model::value::Value;
use lang::model::{FormulaVariable, Model, OpenInterval, TraceConjunct, TraceFormula};

impl Constraint {
    /// Converts the constraint to a formula. Its variables are the positions, then the individuals.
    pub fn trace_formula(&self, model: &Model, atoms: &Atoms) -> TraceFormula {
        let names = self.names(model, atoms);
        let positions =
            names.positions.into_iter().map(|name| FormulaVariable { name, ty: Type::Pos, values: None });
        let individuals = names.individuals.into_iter().zip(&self.individuals).map(|(name, &domain)| {
            let ty = atoms.type_of(domain);
            FormulaVariable { name, ty: ty.clone(), values: Some(model.types.values(ty)) }
        });
        let facts = self.facts.iter().enumerate();
        let parts = facts.flat_map(|(number, fact)| self.parts(atoms, number, fact)).collect();
        TraceFormula { variables: positions.chain(individuals).collect(), parts, of_each: false }
    }

    fn parts(&self, atoms: &Atoms, number: usize, fact: &Fact) -> Vec<TraceConjunct> {
        match fact.kind {
            FactKind::Order(order) => vec![TraceConjunct {
                fact: number,
                reads: fact.positions.iter().map(|p| p.index()).zip([FIRST, SECOND]).collect(),
                expr: ordered(order),
                nowhere: None,
            }],
            FactKind::Atom(atom) => {
                let atom = atoms.get(atom);
                let part = |conjunct: &Conjunct| {
                    let positions =
                        conjunct.params.iter().map(|&p| (fact.positions[p].index(), atom.params[p]));
                    let values = conjunct.values.iter().map(|&v| self.individual(atom, fact, v));
                    TraceConjunct {
                        fact: number,
                        reads: positions.chain(values).collect(),
                        expr: conjunct.expr.clone(),
                        nowhere: None,
                    }
                };
                atom.conjuncts.iter().map(part).collect()
            }
            FactKind::Absent(atom, stretch) => {
                let atom = atoms.get(atom);
                let end = |at: usize| Some(fact.positions[at].index());
                let (after, before) = match stretch {
                    Stretch::Between => (end(0), end(1)),
                    Stretch::Before => (None, end(0)),
                    Stretch::After => (end(0), None),
                };
                let values = (0..atom.values.len()).map(|v| self.individual(atom, fact, v));
                // The bounds of the stretch are read as well; the expression has no names for them.
                let ends = fact.positions.iter().map(|p| (p.index(), UNUSED));
                vec![TraceConjunct {
                    fact: number,
                    reads: values.chain(ends).collect(),
                    expr: atom.expr.clone(),
                    nowhere: Some(OpenInterval { at: atom.params[0], after, before }),
                }]
            }
        }
    }

    /// Returns the variable of an individual, and its name in an atom.
    fn individual(&self, atom: &Atom, fact: &Fact, value: usize) -> (usize, LocalId) {
        (self.positions + fact.individuals[value].index(), atom.values[value].local)
    }
}

const FIRST: LocalId = LocalId(0);
const SECOND: LocalId = LocalId(1);
/// A name that occurs in no expression.
const UNUSED: LocalId = LocalId(u32::MAX);

/// Returns the formula of an order of two positions.
fn ordered(order: OrderRelation) -> Expr {
    let expr = |kind, ty| Expr { kind, ty, span: Span::default() };
    let at = |local| expr(ExprKind::Local(local), Type::Pos);
    let kind = match order {
        OrderRelation::Before => ExprKind::Binary(Op::Lt, Box::new(at(FIRST)), Box::new(at(SECOND))),
        OrderRelation::Next => {
            let one = expr(ExprKind::Const(Value::Int(1)), Type::Int { lo: 1, hi: 1 });
            let next = ExprKind::Binary(Op::Add, Box::new(at(FIRST)), Box::new(one));
            ExprKind::Binary(Op::Eq, Box::new(at(SECOND)), Box::new(expr(next, Type::Pos)))
        }
    };
    expr(kind, Type::Bool)
}
