//! Formulas as systems of equations: one-step modalities, conjunctions, disjunctions, and fixpoints with priorities.
//!
//! Regular formulas become fixpoints: `<R*> f` is `mu Z . f or <R> Z`, and `[R*] f` is `nu Z . f and [R] Z`. Negations are pushed
//! inwards. A formula and its negation have equations of the same shape, each the dual of the other.

use super::expr::{DataExpr, DataSlot, DataSlots, slots_of};
use super::formula::{ActionFormula, Fixpoint, FixpointId, RegularFormula, ResolvedFormula, StateFormula};
use super::print;
use super::value::DataValue;
use kit::diagnostics::{Diagnostic, Span};
use kit::index;
use std::rc::Rc;

index! {
    /// The right-hand side of an equation.
    FormId
}

const MOST_FORMS: usize = 1 << 20;

#[derive(Debug)]
pub struct EquationForm {
    pub kind: EquationKind,
    pub text: Rc<str>,
    /// The variables on which it depends.
    pub slots: DataSlots,
}

#[derive(Debug)]
pub enum EquationKind {
    Constant(bool),
    /// The truth of an expression, or its negation.
    Val {
        expr: DataExpr,
        span: Span,
        /// True if it is its negation.
        negated: bool,
    },
    /// All of these, or one of them.
    Join {
        all: bool,
        of: Vec<FormId>,
    },
    /// After all steps with such labels, or after one.
    Modal {
        /// True if after all.
        all: bool,
        /// The labels: an index of [`Equations::actions`].
        action: usize,
        then: FormId,
    },
    /// For all values of a variable, or for one.
    Quantifier {
        all: bool,
        slot: DataSlot,
        values: Vec<DataValue>,
        of: FormId,
    },
    /// A fixpoint; the greater the priority, the further outside; even ones are greatest.
    Fixpoint {
        /// The priority, at least 1.
        priority: u32,
        of: FormId,
    },
    /// A fixpoint with values for its parameters.
    Call {
        of: FormId,
        arguments: Vec<(DataSlot, DataExpr)>,
    },
}

#[derive(Debug)]
pub struct Equations {
    pub forms: Vec<EquationForm>,
    pub root: FormId,
    /// The sets of labels of its modalities.
    pub actions: Vec<ActionFormula>,
    pub slots: Vec<String>,
}

impl Equations {
    /// The equations of a formula, or of its negation.
    ///
    /// # Errors
    /// If there would be too many.
    pub fn new(formula: &ResolvedFormula, negated: bool) -> Result<Self, Diagnostic> {
        let mut builder = EquationBuilder {
            formula,
            forms: Vec::new(),
            actions: Vec::new(),
            around: Vec::new(),
            known: vec![None; formula.fixpoints.len()],
            fixpoints: Vec::new(),
        };
        let root = builder.state(&formula.root, negated);
        if builder.forms.len() >= MOST_FORMS {
            let message = format!("the formula has more than {MOST_FORMS} parts");
            let help = "nested counted repetitions R{n} make it large: split it";
            return Err(Diagnostic::error_without_place(message).with_help(help));
        }
        builder.prioritise();
        let EquationBuilder { forms, actions, .. } = builder;
        let mut equations = Self { forms, root, actions, slots: formula.slots.clone() };
        equations.find_slots();
        Ok(equations)
    }

    pub fn form(&self, id: FormId) -> &EquationForm {
        &self.forms[id.index()]
    }

    /// Finds the variables on which each right-hand side depends: the least solution.
    fn find_slots(&mut self) {
        let mut changed = true;
        while changed {
            changed = false;
            for at in (0..self.forms.len()).rev() {
                let slots = self.slots_of(&self.forms[at].kind);
                changed |= slots != self.forms[at].slots;
                self.forms[at].slots = slots;
            }
        }
    }

    fn slots_of(&self, kind: &EquationKind) -> DataSlots {
        let of = |id: FormId| self.form(id).slots;
        match kind {
            EquationKind::Constant(_) => 0,
            EquationKind::Val { expr, .. } => expr.slots(),
            EquationKind::Join { of: parts, .. } => parts.iter().fold(0, |all, &part| all | of(part)),
            EquationKind::Modal { action, then, .. } => self.actions[*action].slots() | of(*then),
            EquationKind::Quantifier { slot, of: body, .. } => of(*body) & !(1 << slot),
            EquationKind::Fixpoint { of: body, .. } => of(*body),
            EquationKind::Call { of: called, arguments } => {
                let own = arguments.iter().fold(0, |all, (slot, _)| all | 1 << slot);
                let given: Vec<DataExpr> = arguments.iter().map(|(_, value)| value.clone()).collect();
                slots_of(&given) | (of(*called) & !own)
            }
        }
    }
}

/// A fixpoint among the right-hand sides.
struct FixpointForm {
    form: FormId,
    greatest: bool,
    around: Option<usize>,
}

struct EquationBuilder<'a> {
    formula: &'a ResolvedFormula,
    forms: Vec<EquationForm>,
    actions: Vec<ActionFormula>,
    /// The fixpoints around the place that is translated, as indices of `fixpoints`.
    around: Vec<usize>,
    /// For each fixpoint of the formula its right-hand side.
    known: Vec<Option<FormId>>,
    /// Fixpoints, outer ones first.
    fixpoints: Vec<FixpointForm>,
}

impl EquationBuilder<'_> {
    fn add(&mut self, kind: EquationKind, text: Rc<str>) -> FormId {
        // Beyond the limit there is nothing more to remember: the result is refused.
        if self.forms.len() < MOST_FORMS {
            self.forms.push(EquationForm { kind, text, slots: 0 });
        }
        FormId::new(self.forms.len() - 1)
    }

    fn text(&self, id: FormId) -> Rc<str> {
        Rc::clone(&self.forms[id.index()].text)
    }

    fn state(&mut self, state: &StateFormula, negated: bool) -> FormId {
        let text = || print::state(self.formula, state, negated);
        match state {
            StateFormula::Bool(value) => {
                let text = text();
                self.add(EquationKind::Constant(*value != negated), text)
            }
            StateFormula::Val(expr, span) => {
                let text = text();
                self.add(EquationKind::Val { expr: expr.clone(), span: *span, negated }, text)
            }
            StateFormula::Not(of) => self.state(of, !negated),
            StateFormula::And(parts) | StateFormula::Or(parts) => {
                let text = text();
                let all = matches!(state, StateFormula::And(_)) != negated;
                let of = parts.iter().map(|part| self.state(part, negated)).collect();
                self.add(EquationKind::Join { all, of }, text)
            }
            StateFormula::Modal(all, regular, then) => {
                let then = self.state(then, negated);
                self.modal(*all != negated, regular, then)
            }
            StateFormula::Fixpoint(fixpoint) => {
                let text = text();
                self.fixpoint(fixpoint, negated, text)
            }
            StateFormula::Call(id, arguments) => self.call(*id, arguments, text()),
            StateFormula::Bind(bind, of) => {
                let text = text();
                let of = self.state(of, negated);
                let (all, values) = (bind.all != negated, bind.values.clone());
                self.add(EquationKind::Quantifier { all, slot: bind.slot, values, of }, text)
            }
        }
    }

    fn call(&mut self, id: FixpointId, arguments: &[(DataSlot, DataExpr)], text: Rc<str>) -> FormId {
        let Some(of) = self.known[id] else { unreachable!("a fixpoint is only mentioned inside itself") };
        match arguments {
            [] => of,
            _ => self.add(EquationKind::Call { of, arguments: arguments.to_vec() }, text),
        }
    }

    fn fixpoint(&mut self, fixpoint: &Fixpoint, negated: bool, text: Rc<str>) -> FormId {
        let form = self.begin(fixpoint.greatest != negated, Rc::clone(&text));
        self.known[fixpoint.id] = Some(form);
        let of = self.state(&fixpoint.body, negated);
        self.end(form, of);
        self.call(fixpoint.id, &fixpoint.parameters, text)
    }

    /// A fixpoint whose body is yet to come.
    fn begin(&mut self, greatest: bool, text: Rc<str>) -> FormId {
        let form = self.add(EquationKind::Fixpoint { priority: 0, of: FormId::FIRST }, text);
        self.fixpoints.push(FixpointForm { form, greatest, around: self.around.last().copied() });
        self.around.push(self.fixpoints.len() - 1);
        form
    }

    fn end(&mut self, form: FormId, body: FormId) {
        self.around.pop();
        if let EquationKind::Fixpoint { of, .. } = &mut self.forms[form.index()].kind {
            *of = body;
        }
    }

    /// `[R] then` if `all`, else `<R> then`
    fn modal(&mut self, all: bool, regular: &RegularFormula, then: FormId) -> FormId {
        let text = print::after(self.formula, all, regular, &self.text(then));
        match regular {
            RegularFormula::Action(action) => {
                self.actions.push(action.clone());
                self.add(EquationKind::Modal { all, action: self.actions.len() - 1, then }, text)
            }
            RegularFormula::Empty(_) => then,
            RegularFormula::Sequence(parts) => {
                parts.iter().rev().fold(then, |then, part| self.modal(all, part, then))
            }
            RegularFormula::Choice(parts) => {
                let of = parts.iter().map(|part| self.modal(all, part, then)).collect();
                self.add(EquationKind::Join { all, of }, text)
            }
            RegularFormula::Optional(part) => {
                let once = self.modal(all, part, then);
                self.add(EquationKind::Join { all, of: vec![then, once] }, text)
            }
            RegularFormula::Star(part) => self.repeated(all, part, then, text),
            RegularFormula::Plus(part) => {
                let star = RegularFormula::Star(part.clone());
                let text = print::after(self.formula, all, &star, &self.text(then));
                let more = self.repeated(all, part, then, text);
                self.modal(all, part, more)
            }
            RegularFormula::Times(part, times) => {
                let mut then = then;
                for _ in 0..*times {
                    if self.forms.len() >= MOST_FORMS {
                        break;
                    }
                    then = self.modal(all, part, then);
                }
                then
            }
        }
    }

    fn repeated(&mut self, all: bool, part: &RegularFormula, then: FormId, text: Rc<str>) -> FormId {
        let star = self.begin(all, Rc::clone(&text));
        let once = self.modal(all, part, star);
        let of = self.add(EquationKind::Join { all, of: vec![then, once] }, text);
        self.end(star, of);
        star
    }

    /// Gives each fixpoint the least priority of its kind that is not below those inside it.
    fn prioritise(&mut self) {
        let mut priorities = vec![1u32; self.fixpoints.len()];
        for at in (0..self.fixpoints.len()).rev() {
            let FixpointForm { form, greatest, around } = self.fixpoints[at];
            priorities[at] += u32::from(priorities[at].is_multiple_of(2) != greatest);
            let own = priorities[at];
            if let Some(around) = around {
                priorities[around] = priorities[around].max(own);
            }
            if let Some(EquationForm { kind: EquationKind::Fixpoint { priority, .. }, .. }) =
                self.forms.get_mut(form.index())
            {
                *priority = own;
            }
        }
    }
}
