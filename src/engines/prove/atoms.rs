//! The atoms of invariants: the simplest statements about a state that together distinguish it from every other one.
//! `x` for a truth value, `x = c` for a scalar, `c in x` for a set, `x is some` for an optional composite; `x` is a
//! variable, or an entry or a field of one. For integers that are encoded as bits, `x < 0` and `x / 8 mod 2 = 1`
//! express the bits, and `x <= c`, for the constants that the model compares integers with, is often needed in an
//! invariant.

use kit::diagnostics::Span;
use kit::number::to_u32;
use lang::model::expr::{Expr, ExprKind, Op, VarId};
use lang::model::types::{Type, Types};
use lang::model::value::Value;
use lang::model::{Model, ModelNumbers};
use solvers::unroll::{IntegerForm, IntegerForms};
use std::ops::Range;

/// A statement about a state.
#[derive(Debug, Clone, PartialEq)]
pub struct StateAtom {
    /// The statement.
    pub expr: Expr,
    /// The texts of its negation and of itself in the language.
    texts: [String; 2],
}

impl StateAtom {
    /// Returns the text of the statement, or of its negation, in the language.
    pub fn text(&self, holds: bool) -> &str {
        &self.texts[usize::from(holds)]
    }
}

/// All atoms of a model.
#[derive(Debug, Clone, Default)]
pub struct StateAtoms {
    /// The atoms, variable by variable.
    pub list: Vec<StateAtom>,
    /// For each x with three or more scalar values, the atoms `x = c`, exactly one of which holds.
    pub choices: Vec<Range<usize>>,
    /// The numbers c of the atoms `x <= c`, ascending.
    thresholds: Vec<i64>,
}

/// The most thresholds of a model; with more, none are used.
const MOST_THRESHOLDS: usize = 32;

impl StateAtoms {
    /// Returns the atoms of a model.
    pub fn of(model: &Model) -> Self {
        let mut thresholds: Vec<i64> =
            ModelNumbers::of(model).thresholds.iter().map(|t| t.last_below()).collect();
        if thresholds.len() > MOST_THRESHOLDS {
            thresholds.clear();
        }
        let mut atoms = Self { thresholds, ..Self::default() };
        let forms = IntegerForms::of(model);
        for (index, variable) in model.variables.iter().enumerate() {
            let id = VarId(to_u32(index));
            let place = AtomPlace {
                expr: Expr { kind: ExprKind::Var(id), ty: variable.ty.clone(), span: variable.span },
                text: variable.name.clone(),
                certain: true,
                form: forms.variable(id),
            };
            atoms.read(&model.types, &place, &variable.ty);
        }
        atoms
    }

    /// Adds the atoms of a place of this declared type.
    fn read(&mut self, types: &Types, place: &AtomPlace, ty: &Type) {
        match ty {
            Type::Bool if place.certain => {
                self.push(place.expr.clone(), place.text.clone(), format!("not {}", place.text));
            }
            Type::Int { lo, hi } if place.form.is_binary(*lo, *hi) => self.bits(place, *lo, *hi, false),
            Type::Bool | Type::Int { .. } | Type::Enum(_) | Type::Pos | Type::Abstract(_) => {
                self.scalar(types, place, ty);
            }
            Type::Set(element) => {
                let set = if place.certain {
                    place.text.clone()
                } else {
                    format!("({} otherwise {{}})", place.text)
                };
                for value in types.values(element) {
                    let shown = types.show_value(&value);
                    let member = Expr::constant(value, Type::clone(element), place.span());
                    self.push(
                        Expr::binary_bool(Op::In, member, place.expr.clone()),
                        format!("{shown} in {set}"),
                        format!("{shown} not in {set}"),
                    );
                }
            }
            Type::Record(id) => {
                let decl = types.record(*id);
                for (field, (_, ty)) in decl.fields.iter().enumerate() {
                    let kind = ExprKind::Field(Box::new(place.expr.clone()), field);
                    let below = place.part(kind, ty, decl.part_text(&place.text, field));
                    self.read(types, &below, ty);
                }
            }
            Type::Map(key, ty) => {
                for value in types.values(key) {
                    let text = format!("{}[{}]", place.text, types.show_value(&value));
                    let at = Expr::constant(value, Type::clone(key), place.span());
                    let kind = ExprKind::Index(Box::new(place.expr.clone()), Box::new(at));
                    let below = place.part(kind, ty, text);
                    self.read(types, &below, ty);
                }
            }
            Type::Option(inner) => match &**inner {
                composite @ (Type::Set(_) | Type::Record(_) | Type::Map(..)) => {
                    let kind = ExprKind::IsSome(Box::new(place.expr.clone()));
                    self.push(
                        Expr { kind, ty: Type::Bool, span: place.span() },
                        format!("{} is some", place.text),
                        format!("{} is none", place.text),
                    );
                    let inside = AtomPlace { certain: false, ..place.clone() };
                    self.read(types, &inside, composite);
                }
                Type::Int { lo, hi } if place.form.is_binary(*lo, *hi) => self.bits(place, *lo, *hi, true),
                _ => self.scalar(types, place, ty),
            },
        }
    }

    fn scalar(&mut self, types: &Types, place: &AtomPlace, ty: &Type) {
        let values = types.values(ty);
        let first = self.list.len();
        // Of two values, one atom distinguishes both.
        let two = place.certain && values.len() == 2;
        for value in values.iter().skip(if two { 1 } else { 0 }) {
            let shown = types.show_value(value);
            let text = format!("{} = {shown}", place.text);
            let negation = match values.first() {
                Some(other) if two => format!("{} = {}", place.text, types.show_value(other)),
                _ => format!("{} != {shown}", place.text),
            };
            let constant = Expr::constant(value.clone(), ty.clone(), place.span());
            self.push(Expr::binary_bool(Op::Eq, place.expr.clone(), constant), text, negation);
        }
        if place.certain && values.len() > 2 {
            self.choices.push(first..self.list.len());
        }
    }

    /// Adds the bits of an integer from `lo` to `hi` in two's complement. All bits of an absent integer are unset.
    fn bits(&mut self, place: &AtomPlace, lo: i64, hi: i64, optional: bool) {
        let span = place.span();
        let text = &place.text;
        if optional {
            let kind = ExprKind::IsSome(Box::new(place.expr.clone()));
            let some = Expr { kind, ty: Type::Bool, span };
            self.push(some, format!("{text} is some"), format!("{text} is none"));
        }
        let number = |n: i64| Expr::constant(Value::Int(n), Type::Int { lo: n, hi: n }, span);
        if lo < 0 && hi >= 0 {
            let negative = Expr::binary_bool(Op::Lt, place.expr.clone(), number(0));
            self.push(negative, format!("{text} < 0"), format!("not {text} < 0"));
        }
        for at in 0..self.thresholds.len() {
            let c = self.thresholds[at];
            if lo <= c && c < hi {
                let at_most = Expr::binary_bool(Op::Le, place.expr.clone(), number(c));
                self.push(at_most, format!("{text} <= {c}"), format!("not {text} <= {c}"));
            }
        }
        let width = |n: i64| 64 - if n < 0 { !n } else { n }.leading_zeros();
        for bit in (0..width(lo).max(width(hi))).rev() {
            let shifted = match bit {
                0 => place.expr.clone(),
                _ => place.computed(Op::Div, place.expr.clone(), number(1 << bit), lo >> bit, hi >> bit),
            };
            let odd = place.computed(Op::Mod, shifted, number(2), 0, 1);
            let quotient = if bit == 0 { text.clone() } else { format!("{text} / {}", 1_i64 << bit) };
            self.push(
                Expr::binary_bool(Op::Eq, odd, number(1)),
                format!("{quotient} mod 2 = 1"),
                format!("{quotient} mod 2 != 1"),
            );
        }
    }

    fn push(&mut self, expr: Expr, text: String, negation: String) {
        self.list.push(StateAtom { expr, texts: [negation, text] });
    }
}

/// A variable, or a part of one.
#[derive(Debug, Clone)]
struct AtomPlace {
    expr: Expr,
    text: String,
    /// True if it exists in every state: no composite around it is absent.
    certain: bool,
    /// The encoding of its integers.
    form: IntegerForm,
}

impl AtomPlace {
    fn span(&self) -> Span {
        self.expr.span
    }

    fn part(&self, kind: ExprKind, ty: &Type, text: String) -> AtomPlace {
        let ty = if self.certain { ty.clone() } else { ty.clone().optional() };
        AtomPlace { expr: Expr { kind, ty, span: self.span() }, text, certain: self.certain, form: self.form }
    }

    /// Returns an operation on the integer here, whose results lie between these bounds.
    fn computed(&self, op: Op, left: Expr, right: Expr, lo: i64, hi: i64) -> Expr {
        let ty = Type::Int { lo, hi };
        let ty = if self.expr.ty.is_option() { ty.optional() } else { ty };
        Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), ty, span: self.span() }
    }
}
