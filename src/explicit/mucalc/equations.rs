//! Formulas as systems of equations: one-step modalities, conjunctions, disjunctions, and fixpoints with priorities.
//!
//! Regular formulas become fixpoints: `<R*> f` is `mu Z . f or <R> Z`, and `[R*] f` is `nu Z . f and [R] Z`. Negations are pushed
//! inwards. A formula and its negation have equations of the same shape, each the dual of the other.

use super::expr::{Expr, Slot, Slots, slots_of};
use super::formula::{Action, Fixpoint, FixpointId, Formula, Regular, State};
use super::print;
use super::value::Value;
use kit::diagnostics::{Diagnostic, Span};
use kit::index;
use std::rc::Rc;

index! {
    /// The right-hand side of an equation.
    FormId
}

const MOST_FORMS: usize = 1 << 20;

#[derive(Debug)]
pub struct Form {
    pub kind: Kind,
    pub text: Rc<str>,
    /// The variables on which it depends.
    pub slots: Slots,
}

#[derive(Debug)]
pub enum Kind {
    Constant(bool),
    /// The truth of an expression, or its negation.
    Val {
        expr: Expr,
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
        slot: Slot,
        values: Vec<Value>,
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
        arguments: Vec<(Slot, Expr)>,
    },
}

#[derive(Debug)]
pub struct Equations {
    pub forms: Vec<Form>,
    pub root: FormId,
    /// The sets of labels of its modalities.
    pub actions: Vec<Action>,
    pub slots: Vec<String>,
}

impl Equations {
    /// The equations of a formula, or of its negation.
    ///
    /// # Errors
    /// If there would be too many.
    pub fn new(formula: &Formula, negated: bool) -> Result<Self, Diagnostic> {
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

    pub fn form(&self, id: FormId) -> &Form {
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

    fn slots_of(&self, kind: &Kind) -> Slots {
        let of = |id: FormId| self.form(id).slots;
        match kind {
            Kind::Constant(_) => 0,
            Kind::Val { expr, .. } => expr.slots(),
            Kind::Join { of: parts, .. } => parts.iter().fold(0, |all, &part| all | of(part)),
            Kind::Modal { action, then, .. } => self.actions[*action].slots() | of(*then),
            Kind::Quantifier { slot, of: body, .. } => of(*body) & !(1 << slot),
            Kind::Fixpoint { of: body, .. } => of(*body),
            Kind::Call { of: called, arguments } => {
                let own = arguments.iter().fold(0, |all, (slot, _)| all | 1 << slot);
                let given: Vec<Expr> = arguments.iter().map(|(_, value)| value.clone()).collect();
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
    formula: &'a Formula,
    forms: Vec<Form>,
    actions: Vec<Action>,
    /// The fixpoints around the place that is translated, as indices of `fixpoints`.
    around: Vec<usize>,
    /// For each fixpoint of the formula its right-hand side.
    known: Vec<Option<FormId>>,
    /// Fixpoints, outer ones first.
    fixpoints: Vec<FixpointForm>,
}

impl EquationBuilder<'_> {
    fn add(&mut self, kind: Kind, text: Rc<str>) -> FormId {
        // Beyond the limit there is nothing more to remember: the result is refused.
        if self.forms.len() < MOST_FORMS {
            self.forms.push(Form { kind, text, slots: 0 });
        }
        FormId::new(self.forms.len() - 1)
    }

    fn text(&self, id: FormId) -> Rc<str> {
        Rc::clone(&self.forms[id.index()].text)
    }

    fn state(&mut self, state: &State, negated: bool) -> FormId {
        let text = || print::state(self.formula, state, negated);
        match state {
            State::Bool(value) => {
                let text = text();
                self.add(Kind::Constant(*value != negated), text)
            }
            State::Val(expr, span) => {
                let text = text();
                self.add(Kind::Val { expr: expr.clone(), span: *span, negated }, text)
            }
            State::Not(of) => self.state(of, !negated),
            State::And(parts) | State::Or(parts) => {
                let text = text();
                let all = matches!(state, State::And(_)) != negated;
                let of = parts.iter().map(|part| self.state(part, negated)).collect();
                self.add(Kind::Join { all, of }, text)
            }
            State::Modal(all, regular, then) => {
                let then = self.state(then, negated);
                self.modal(*all != negated, regular, then)
            }
            State::Fixpoint(fixpoint) => {
                let text = text();
                self.fixpoint(fixpoint, negated, text)
            }
            State::Call(id, arguments) => self.call(*id, arguments, text()),
            State::Bind(bind, of) => {
                let text = text();
                let of = self.state(of, negated);
                let (all, values) = (bind.all != negated, bind.values.clone());
                self.add(Kind::Quantifier { all, slot: bind.slot, values, of }, text)
            }
        }
    }

    fn call(&mut self, id: FixpointId, arguments: &[(Slot, Expr)], text: Rc<str>) -> FormId {
        let Some(of) = self.known[id] else { unreachable!("a fixpoint is only mentioned inside itself") };
        match arguments {
            [] => of,
            _ => self.add(Kind::Call { of, arguments: arguments.to_vec() }, text),
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
        let form = self.add(Kind::Fixpoint { priority: 0, of: FormId::FIRST }, text);
        self.fixpoints.push(FixpointForm { form, greatest, around: self.around.last().copied() });
        self.around.push(self.fixpoints.len() - 1);
        form
    }

    fn end(&mut self, form: FormId, body: FormId) {
        self.around.pop();
        if let Kind::Fixpoint { of, .. } = &mut self.forms[form.index()].kind {
            *of = body;
        }
    }

    /// `[R] then` if `all`, else `<R> then`
    fn modal(&mut self, all: bool, regular: &Regular, then: FormId) -> FormId {
        let text = print::after(self.formula, all, regular, &self.text(then));
        match regular {
            Regular::Action(action) => {
                self.actions.push(action.clone());
                self.add(Kind::Modal { all, action: self.actions.len() - 1, then }, text)
            }
            Regular::Empty(_) => then,
            Regular::Sequence(parts) => {
                parts.iter().rev().fold(then, |then, part| self.modal(all, part, then))
            }
            Regular::Choice(parts) => {
                let of = parts.iter().map(|part| self.modal(all, part, then)).collect();
                self.add(Kind::Join { all, of }, text)
            }
            Regular::Optional(part) => {
                let once = self.modal(all, part, then);
                self.add(Kind::Join { all, of: vec![then, once] }, text)
            }
            Regular::Star(part) => self.repeated(all, part, then, text),
            Regular::Plus(part) => {
                let star = Regular::Star(part.clone());
                let text = print::after(self.formula, all, &star, &self.text(then));
                let more = self.repeated(all, part, then, text);
                self.modal(all, part, more)
            }
            Regular::Times(part, times) => {
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

    fn repeated(&mut self, all: bool, part: &Regular, then: FormId, text: Rc<str>) -> FormId {
        let star = self.begin(all, Rc::clone(&text));
        let once = self.modal(all, part, star);
        let of = self.add(Kind::Join { all, of: vec![then, once] }, text);
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
            if let Some(Form { kind: Kind::Fixpoint { priority, .. }, .. }) = self.forms.get_mut(form.index())
            {
                *priority = own;
            }
        }
    }
}
