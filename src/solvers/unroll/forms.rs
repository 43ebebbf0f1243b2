//! Which integers have a literal for each value, and which are bits.
//!
//! A literal for each value propagates best, and makes sums and products as large as all pairs of values. So integers that are
//! added to, multiplied by or ordered with others are bits unless they have few values; all others unless they have very many.

use lang::model::expr::{Expr, ExprKind, Fold, LocalId, Op, VarId};
use lang::model::types::{Type, Types};
use lang::model::{Action, IntegerEncoding, Model, PropertyKind, UpdateValue};
use rustc_hash::FxHashMap;

/// The encoding of the integers of a variable or parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IntegerForm {
    /// Integers with more possible values are bits.
    most_listed: u64,
}

impl IntegerForm {
    /// A literal for each value, however many there are.
    pub const ONE_HOT: Self = Self { most_listed: u64::MAX };
    /// Bits wherever there are two values.
    const BINARY: Self = Self { most_listed: 1 };
    /// Of integers that others are computed with.
    const COMPUTED: Self = Self { most_listed: 12 };
    /// Of integers that are copied and compared with constants.
    const PLAIN: Self = Self { most_listed: 256 };

    /// True if integers of a range are bits.
    pub fn is_binary(self, lo: i64, hi: i64) -> bool {
        i128::from(hi) - i128::from(lo) >= i128::from(self.most_listed)
    }

    /// True if a list of so many values should be bits.
    pub fn is_long(self, values: usize) -> bool {
        values as u64 > self.most_listed
    }
}

impl Default for IntegerForm {
    fn default() -> Self {
        Self::PLAIN
    }
}

/// The encodings of all variables and parameters of a model.
#[derive(Debug, Clone)]
pub struct IntegerForms {
    variables: Vec<IntegerForm>,
    params: Vec<Vec<IntegerForm>>,
}

impl IntegerForms {
    /// Those that suit the model, or those that it asks for.
    pub fn of(model: &Model) -> Self {
        let variables = model.variables.len();
        let all = |form: IntegerForm| Self {
            variables: vec![form; variables],
            params: model.actions.iter().map(|action| vec![form; action.params.len()]).collect(),
        };
        match model.integers {
            IntegerEncoding::OneHot => return all(IntegerForm::ONE_HOT),
            IntegerEncoding::Binary => return all(IntegerForm::BINARY),
            IntegerEncoding::Automatic => {}
        }
        let params = || model.actions.iter().flat_map(|action| action.params.iter().map(|param| &param.ty));
        let mut types = model.variables.iter().map(|variable| &variable.ty).chain(params());
        if !types.any(|ty| has_binary(&model.types, ty, IntegerForm::COMPUTED)) {
            return all(IntegerForm::default());
        }
        let computed = ValueFlow::of(model).computed();
        let form = |place: usize| if computed[place] { IntegerForm::COMPUTED } else { IntegerForm::PLAIN };
        let mut next = variables;
        let of_action = |action: &Action| {
            let first = next;
            next += action.params.len();
            (first..next).map(form).collect()
        };
        Self {
            variables: (0..variables).map(form).collect(),
            params: model.actions.iter().map(of_action).collect(),
        }
    }

    /// The form of the integers of a variable.
    pub fn variable(&self, variable: VarId) -> IntegerForm {
        self.variables[variable.0 as usize]
    }

    /// The form of a parameter of an action, both by index.
    pub fn param(&self, action: usize, param: usize) -> IntegerForm {
        self.params[action][param]
    }

    /// The names of the variables and parameters that have integers as bits, in the order of declaration.
    pub fn binary(&self, model: &Model) -> Vec<String> {
        let binary = self.places(model).filter(|(_, ty, form)| has_binary(&model.types, ty, *form));
        binary.map(|(name, ..)| name).collect()
    }

    /// The forms for those that have integers with one literal for each value.
    pub fn one_hot(&self, model: &Model) -> Vec<String> {
        let one_hot = self
            .places(model)
            .filter(|(_, ty, form)| has_integers(&model.types, ty, &|lo, hi| !form.is_binary(lo, hi)));
        one_hot.map(|(name, ..)| name).collect()
    }

    /// The variables and parameters with their types and forms, in the order of declaration.
    fn places<'a>(&'a self, model: &'a Model) -> impl Iterator<Item = (String, &'a Type, IntegerForm)> {
        let variables = model.variables.iter().zip(&self.variables);
        let variables = variables.map(|(variable, form)| (variable.name.clone(), &variable.ty, *form));
        let params = model.actions.iter().zip(&self.params).flat_map(|(action, forms)| {
            let params = action.params.iter().zip(forms);
            params.map(|(param, form)| (format!("{}.{}", action.name, param.name), &param.ty, *form))
        });
        variables.chain(params)
    }
}

/// True if values of a type have integers that are bits in this form.
fn has_binary(types: &Types, ty: &Type, form: IntegerForm) -> bool {
    has_integers(types, ty, &|lo, hi| form.is_binary(lo, hi))
}

/// True if values of a type have integers with such bounds.
fn has_integers(types: &Types, ty: &Type, such: &dyn Fn(i64, i64) -> bool) -> bool {
    match ty {
        Type::Int { lo, hi } => such(*lo, *hi),
        Type::Option(inner) | Type::Map(_, inner) => has_integers(types, inner, such),
        Type::Record(id) => types.record(*id).fields.iter().any(|(_, ty)| has_integers(types, ty, such)),
        Type::Bool | Type::Enum(_) | Type::Set(_) | Type::Pos | Type::Abstract(_) => false,
    }
}

/// Where integers come from. Places are the variables, and then the parameters of all actions.
#[derive(Default)]
struct ValueFlow {
    /// The places that a bound name has its value from; names without any are constants where they are encoded.
    locals: FxHashMap<LocalId, Vec<usize>>,
    /// For each action the place of its first parameter.
    params: Vec<usize>,
    /// Places whose integers are computed with.
    computed: Vec<bool>,
    /// From a place to one that its integers are assigned to, perhaps after operations.
    assigned: Vec<(usize, usize)>,
}

impl ValueFlow {
    fn of(model: &Model) -> Self {
        let mut flow = Self::default();
        let mut places = model.variables.len();
        for action in &model.actions {
            flow.params.push(places);
            for param in &action.params {
                flow.locals.insert(param.local, vec![places]);
                places += 1;
            }
        }
        flow.computed = vec![false; places];
        let invariants = model.properties.iter().filter_map(|property| match &property.kind {
            PropertyKind::Invariant(formula) | PropertyKind::DeadlockFree(formula) => Some(formula),
            _ => property.invariant(),
        });
        let assumptions = model.assumptions.iter().map(|assumption| &assumption.expr);
        model.init.iter().chain(invariants).chain(assumptions).for_each(|formula| flow.read(formula));
        for action in &model.actions {
            action.requires.iter().chain(&action.constraints).for_each(|formula| flow.read(formula));
            for update in &action.updates {
                update.guard.iter().for_each(|guard| flow.read(guard));
                let (UpdateValue::Is(value) | UpdateValue::In(value)) = &update.value;
                flow.read(value);
                let sources = flow.sources(value).into_iter();
                flow.assigned.extend(sources.map(|source| (source, update.var.0 as usize)));
            }
        }
        flow
    }

    /// The places whose integers are computed with, or come from such places.
    fn computed(mut self) -> Vec<bool> {
        loop {
            let mut changed = false;
            for &(from, to) in &self.assigned {
                changed |= self.computed[from] && !std::mem::replace(&mut self.computed[to], true);
            }
            if !changed {
                return self.computed;
            }
        }
    }

    /// Notes what is computed in an expression, and what the names in it stand for.
    fn read(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Let { bindings, .. } => {
                for (local, value) in bindings {
                    let sources = self.sources(value);
                    self.locals.insert(*local, sources);
                }
            }
            ExprKind::Binary(Op::Add | Op::Sub | Op::Mul | Op::Lt | Op::Le, a, b)
                if self.varies(a) && self.varies(b) =>
            {
                for place in self.sources(a).into_iter().chain(self.sources(b)) {
                    self.computed[place] = true;
                }
            }
            ExprKind::Fold { fold: Fold::Sum, body, .. } => {
                for place in self.sources(body) {
                    self.computed[place] = true;
                }
            }
            _ => {}
        }
        expr.children().into_iter().for_each(|child| self.read(child));
    }

    /// True if an expression is encoded as anything but a constant.
    fn varies(&self, expr: &Expr) -> bool {
        let mut varies = false;
        expr.walk(&mut |e| {
            varies |= match &e.kind {
                ExprKind::Var(_) | ExprKind::Next(_) | ExprKind::LabelArg { .. } | ExprKind::ActionLabel => {
                    true
                }
                ExprKind::Local(local) => self.locals.get(local).is_some_and(|places| !places.is_empty()),
                _ => false,
            };
        });
        varies
    }

    /// The places whose integers are those of the expression, or operands of it.
    fn sources(&self, expr: &Expr) -> Vec<usize> {
        let mut found = Vec::new();
        self.add_sources(expr, &mut found);
        found.sort_unstable();
        found.dedup();
        found
    }

    fn add_sources(&self, expr: &Expr, found: &mut Vec<usize>) {
        let mut below = |parts: &[&Expr]| parts.iter().for_each(|part| self.add_sources(part, found));
        match &expr.kind {
            ExprKind::Var(variable) | ExprKind::Next(variable) => found.push(variable.0 as usize),
            ExprKind::LabelArg { action, param } => found.push(self.params[*action] + param),
            ExprKind::Local(local) => found.extend(self.locals.get(local).into_iter().flatten()),
            ExprKind::Field(a, _)
            | ExprKind::Index(a, _)
            | ExprKind::Neg(a)
            | ExprKind::At { value: a, .. }
            | ExprKind::Previous(a)
            | ExprKind::MapOf { body: a, .. }
            | ExprKind::Let { body: a, .. }
            | ExprKind::Fold { body: a, .. } => below(&[a]),
            ExprKind::If(_, a, b)
            | ExprKind::Binary(Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Mod | Op::Otherwise, a, b) => {
                below(&[a, b]);
            }
            ExprKind::With(base, changes) => {
                below(&[base]);
                changes.iter().for_each(|(_, change)| self.add_sources(change, found));
            }
            ExprKind::Record(parts) => parts.iter().for_each(|part| self.add_sources(part, found)),
            _ => {}
        }
    }
}
