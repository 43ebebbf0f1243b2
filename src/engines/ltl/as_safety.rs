//! Linear time as safety: a model whose states record enough of a trace to detect a closed loop that violates a
//! formula.
//!
//! The construction of A. Biere, C. Artho and V. Schuppan, *Liveness checking as safety checking* (2002), with the
//! parts of the formula as in the bounded search ([`super::LassoEncoding`]). The initial state guesses and keeps the
//! state in which a loop begins; a step from that state may begin the loop. A state is *closed* if the loop has begun,
//! the state is the guessed one, and every event demanded infinitely often has happened since. Models have finitely
//! many states; hence if no closed state is reachable, no fair infinite trace violates the formula.

use super::fairness::{Fairness, FairnessDemand, FairnessEvent};
use super::formula::{LtlFormula, LtlOp, LtlPart};
use kit::diagnostics::Span;
use kit::number::to_u32;
use lang::model::expr::{Expr, ExprKind, Formula, Op, VarId};
use lang::model::types::Type;
use lang::model::{ActionFairness, Assumption, Model, Variable};

/// A model extended by an observer of its loops, with an invariant that holds iff no fair lasso violates the formula.
pub struct LoopSafety {
    /// The extended model.
    pub model: Model,
    /// The invariant: no state is closed.
    pub never_closed: Expr,
}

impl LoopSafety {
    /// Builds the model for a formula and fairness conditions. It has no properties, vocabularies, predicates or
    /// symmetries.
    pub fn new(model: &Model, formula: &Formula, fairness: &[Fairness]) -> Self {
        let demands = Fairness::demands(fairness);
        LoopModelBuilder::new(model, LtlFormula::new(formula, false)).built(&demands)
    }
}

/// The model under construction.
struct LoopModelBuilder {
    model: Model,
    formula: LtlFormula,
    /// The parts whose truth depends on later positions, with the variables that stand for them.
    temporal: Vec<(LtlPart, VarId)>,
    /// The variable that is true once the loop has begun.
    begun: VarId,
    /// The variables of the model, each with the copy that keeps its value at the beginning of the loop.
    kept: Vec<(VarId, VarId)>,
}

impl LoopModelBuilder {
    fn new(model: &Model, formula: LtlFormula) -> Self {
        let mut model = Model {
            properties: Vec::new(),
            fairness: Vec::new(),
            action_fairness: Vec::new(),
            environment: None,
            predicates: Vec::new(),
            fates: Vec::new(),
            vocabularies: Vec::new(),
            diagrams: Vec::new(),
            definitions: Vec::new(),
            symmetric: Vec::new(),
            wishes: Vec::new(),
            ..model.clone()
        };
        let parts: Vec<LtlPart> = formula.temporal().collect();
        let own = |model: &mut Model, name: String| add_variable(model, name, Type::Bool);
        let temporal: Vec<(LtlPart, VarId)> =
            parts.iter().map(|&part| (part, own(&mut model, format!("demanded {}", part.index())))).collect();
        let of_state: Vec<VarId> = (0..to_u32(model.variables.len())).map(VarId).collect();
        let kept = of_state.into_iter().map(|of| {
            let Variable { name, ty, .. } = &model.variables[of.0 as usize];
            let (name, ty) = (format!("{name} kept"), ty.clone());
            (of, add_variable(&mut model, name, ty))
        });
        let kept = kept.collect();
        let begun = own(&mut model, "loop begun".to_owned());
        model.init.push(truth(begun).negated());
        let mut builder = Self { model, formula, temporal, begun, kept };
        builder.free(begun);
        for (_, variable) in builder.temporal.clone() {
            builder.free(variable);
        }
        builder
    }

    /// Returns the result, given the fairness conditions.
    fn built(mut self, demands: &[FairnessDemand<'_>]) -> LoopSafety {
        self.model.init.push(self.part(self.formula.root));
        self.pass_on();
        let begins = and(next_truth(self.begun), truth(self.begun).negated());
        let at_kept = self.at_kept();
        self.assume(implies(truth(self.begun), next_truth(self.begun)));
        self.assume(implies(begins, at_kept.clone()));

        let mut closed = vec![truth(self.begun), at_kept];
        for (part, variable) in self.temporal.clone() {
            if let LtlOp::Until(_, goal) = self.formula.nodes()[part.index()] {
                let seen = self.seen(FairnessEvent::Holds(&self.part(goal)));
                closed.push(implies(truth(variable), seen));
            }
        }
        for demand in demands {
            let when = demand.when.map(|event| self.seen(event).negated());
            let events: Vec<Expr> = demand.events.iter().map(|&event| self.seen(event)).collect();
            closed.extend(when.into_iter().chain(events).reduce(or));
        }
        LoopSafety { never_closed: Expr::all(closed, Span::default()).negated(), model: self.model }
    }

    /// Returns a part of the formula as an expression over the state and the variables of the temporal parts.
    fn part(&self, part: LtlPart) -> Expr {
        let variable = self.temporal.iter().find(|(temporal, _)| *temporal == part);
        match (self.formula.nodes()[part.index()], variable) {
            (_, Some((_, variable))) => truth(*variable),
            (LtlOp::Atom(atom, true), _) => self.formula.atoms()[atom].clone(),
            (LtlOp::Atom(atom, false), _) => self.formula.atoms()[atom].clone().negated(),
            (LtlOp::And(a, b), _) => and(self.part(a), self.part(b)),
            (LtlOp::Or(a, b), _) => or(self.part(a), self.part(b)),
            (node, _) => Expr::bool(node == LtlOp::Constant(true), Span::default()),
        }
    }

    /// Assumes of every step that it passes the demands of a state on to the next one.
    fn pass_on(&mut self) {
        for (part, variable) in self.temporal.clone() {
            let (own, later) = (truth(variable), next_truth(variable));
            let demanded = match self.formula.nodes()[part.index()] {
                LtlOp::Next(a) => primed(self.part(a)),
                LtlOp::Until(a, b) => or(self.part(b), and(self.part(a), later)),
                LtlOp::Release(a, b) => and(self.part(b), or(self.part(a), later)),
                _ => unreachable!("only these depend on later positions"),
            };
            self.assume(implies(own, demanded));
        }
    }

    /// Returns the condition that the state equals the kept one.
    fn at_kept(&self) -> Expr {
        let same = self.kept.iter().map(|&(of, copy)| {
            let ty = &self.model.variables[of.0 as usize].ty;
            let read = |variable| expr(ExprKind::Var(variable), ty.clone());
            Expr::binary_bool(Op::Eq, read(of), read(copy))
        });
        Expr::all(same.collect(), Span::default())
    }

    /// Returns the condition that an event has happened in the loop, which a new variable records.
    fn seen(&mut self, event: FairnessEvent<'_>) -> Expr {
        let name = format!("seen {}", self.model.variables.len());
        let seen = add_variable(&mut self.model, name, Type::Bool);
        self.model.init.push(truth(seen).negated());
        self.free(seen);
        let begun = next_truth(self.begun);
        let from_now = |happens: Expr| {
            let so_far = or(truth(seen), happens);
            Expr::binary_bool(Op::Eq, next_truth(seen), and(begun.clone(), so_far))
        };
        match event {
            FairnessEvent::Holds(expr) => self.assume(from_now(expr.clone())),
            FairnessEvent::Fails(expr) => self.assume(from_now(expr.clone().negated())),
            FairnessEvent::Taken(fairness) => {
                for (index, action) in self.model.actions.iter_mut().enumerate() {
                    let meant: Vec<Expr> = match index == fairness.action {
                        true => arguments(action.params.iter(), fairness),
                        false => vec![Expr::bool(false, Span::default())],
                    };
                    action.constraints.push(from_now(Expr::all(meant, Span::default())));
                }
            }
        }
        truth(seen)
    }

    /// Lets every action change a variable, restricted only by the assumptions about steps.
    fn free(&mut self, variable: VarId) {
        self.model.actions.iter_mut().for_each(|action| action.modifies.push(variable));
    }

    fn assume(&mut self, expr: Expr) {
        self.model.assumptions.push(Assumption { expr, step: true, span: Span::default() });
    }
}

fn add_variable(model: &mut Model, name: String, ty: Type) -> VarId {
    model.variables.push(Variable { name, ty, doc: None, span: Span::default() });
    VarId(to_u32(model.variables.len()) - 1)
}

/// Returns the conditions under which the arguments of a step match those of a fairness condition.
fn arguments<'p>(
    params: impl Iterator<Item = &'p lang::model::Local>,
    fairness: &ActionFairness,
) -> Vec<Expr> {
    let given = params.zip(&fairness.arguments).filter_map(|(param, wanted)| {
        let argument = expr(ExprKind::Local(param.local), param.ty.clone());
        let wanted = expr(ExprKind::Const(wanted.clone()?), param.ty.clone());
        Some(Expr::binary_bool(Op::Eq, argument, wanted))
    });
    given.collect()
}

/// Returns the expression over the next state.
fn primed(mut expr: Expr) -> Expr {
    fn change(expr: &mut Expr) {
        if let ExprKind::Var(variable) = expr.kind {
            expr.kind = ExprKind::Next(variable);
        }
        expr.for_each_child(&mut change);
    }
    change(&mut expr);
    expr
}

fn expr(kind: ExprKind, ty: Type) -> Expr {
    Expr { kind, ty, span: Span::default() }
}

fn truth(variable: VarId) -> Expr {
    expr(ExprKind::Var(variable), Type::Bool)
}

fn next_truth(variable: VarId) -> Expr {
    expr(ExprKind::Next(variable), Type::Bool)
}

fn and(a: Expr, b: Expr) -> Expr {
    Expr::binary_bool(Op::And, a, b)
}

fn or(a: Expr, b: Expr) -> Expr {
    Expr::binary_bool(Op::Or, a, b)
}

fn implies(a: Expr, b: Expr) -> Expr {
    or(a.negated(), b)
}
