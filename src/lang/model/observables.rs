//! Observables of a model, and the leaves that facts refer to.

use super::expr::{Expr, ExprKind, Op, VarId};
use super::types::{RecordDecl, Type, Types};
use super::value::Value;
use super::{Model, Observable};

/// Integers with more values than this have many.
const MANY_VALUES: u64 = 32;

impl Observable {
    /// The action of the step that led to a state: `action`.
    pub fn of_action(model: &Model) -> Self {
        let span = model.actions.first().map(|action| action.span).unwrap_or_default();
        let expr = Expr { kind: ExprKind::ActionLabel, ty: Type::Enum(model.action_enum).optional(), span };
        Self { text: "action".to_owned(), expr, span }
    }

    /// An argument of the step that led to a state, by the indices of action and parameter: `forge.k`.
    pub fn of_argument(model: &Model, action: usize, param: usize) -> Self {
        let declared = &model.actions[action];
        let taken = &declared.params[param];
        let (kind, ty) = (ExprKind::LabelArg { action, param }, taken.ty.clone().optional());
        let text = format!("{}.{}", declared.name, taken.name);
        Self { text, expr: Expr { kind, ty, span: declared.span }, span: declared.span }
    }

    /// The label of a step: its action, then all arguments of all actions.
    pub fn of_labels(model: &Model) -> Vec<Self> {
        let params = |action: usize| 0..model.actions[action].params.len();
        let arguments = (0..model.actions.len())
            .flat_map(|action| params(action).map(move |param| Self::of_argument(model, action, param)));
        [Self::of_action(model)].into_iter().chain(arguments).collect()
    }

    /// A whole variable.
    pub fn of_variable(model: &Model, variable: VarId) -> Self {
        let declared = &model.variables[variable.0 as usize];
        let expr = Expr { kind: ExprKind::Var(variable), ty: declared.ty.clone(), span: declared.span };
        Self { text: declared.name.clone(), expr, span: declared.span }
    }

    /// The value whose constructor an observable with this text is.
    pub fn constructed(text: &str) -> Option<&str> {
        text.strip_suffix(RecordDecl::CONSTRUCTOR)?.strip_suffix('.')
    }

    /// True if it is an integer, or an optional one.
    pub fn is_integer(&self) -> bool {
        matches!(self.expr.ty.inner(), Type::Int { .. })
    }

    /// True if it is an integer with so many values that facts say on which side of the model's thresholds it is, rather than
    /// which value it has.
    pub fn has_many_values(&self) -> bool {
        matches!(self.expr.ty.inner(), Type::Int { lo, hi } if hi.abs_diff(*lo) >= MANY_VALUES)
    }

    /// The parts of its value that facts can refer to: truth values, integers, enumeration values, options of these, and
    /// sets.
    pub fn leaves(&self, types: &Types) -> Vec<Self> {
        self.parts(types).into_iter().filter(|part| is_leaf(&part.expr.ty)).collect()
    }

    /// The observable, if it has exactly this type, and the parts of it that have.
    pub fn parts_of_type(&self, types: &Types, ty: &Type) -> Vec<Self> {
        self.parts(types).into_iter().filter(|part| part.expr.ty == *ty).collect()
    }

    /// The observable and everything below it. An optional set is represented by a set that is empty where
    /// the option is `none`; an optional composite gets a part `is some` unless another part tells whether
    /// it is present.
    fn parts(&self, types: &Types) -> Vec<Self> {
        let span = self.span;
        let below =
            |text: String, kind: ExprKind, ty: Type| Self { text, expr: Expr { kind, ty, span }, span };
        let optional = self.expr.ty.is_option();
        let lifted = |ty: &Type| if optional { ty.clone().optional() } else { ty.clone() };
        let base = || Box::new(self.expr.clone());
        let mut parts = vec![self.clone()];
        match self.expr.ty.inner() {
            Type::Record(id) => {
                let decl = types.record(*id);
                for (index, (_, ty)) in decl.fields.iter().enumerate() {
                    let kind = ExprKind::Field(base(), index);
                    parts.extend(below(decl.part_text(&self.text, index), kind, lifted(ty)).parts(types));
                }
            }
            Type::Map(key, ty) => {
                for value in types.values(key) {
                    let text = format!("{}[{}]", self.text, types.show_value(&value));
                    let kind = ExprKind::Index(base(), Box::new(Expr::element(value, key, span)));
                    parts.extend(below(text, kind, lifted(ty)).parts(types));
                }
            }
            ty @ Type::Set(_) if optional => {
                let empty = Expr::constant(Value::Set(Default::default()), ty.clone(), span);
                let kind = ExprKind::Binary(Op::Otherwise, base(), Box::new(empty));
                return vec![below(self.text.clone(), kind, ty.clone())];
            }
            _ => return parts,
        }
        if optional && !tells_presence(types, self.expr.ty.inner()) {
            let text = format!("({} is some)", self.text);
            parts.push(below(text, ExprKind::IsSome(base()), Type::Bool));
        }
        parts
    }
}

/// True if facts refer to values of this type directly.
fn is_leaf(ty: &Type) -> bool {
    matches!(ty, Type::Set(_)) || matches!(ty.inner(), Type::Bool | Type::Int { .. } | Type::Enum(_))
}

/// True if a leaf of this type is never `none` or a set, so that it tells whether the whole is present.
fn tells_presence(types: &Types, ty: &Type) -> bool {
    match ty {
        Type::Record(id) => types.record(*id).fields.iter().any(|(_, ty)| tells_presence(types, ty)),
        Type::Map(_, value) => tells_presence(types, value),
        Type::Bool | Type::Int { .. } | Type::Enum(_) => true,
        _ => false,
    }
}
