//! Links: functions of a model from the values of one finite type to those of another or the same, definitions of one parameter and constant
//! maps alike, as tables.

use super::eval::Scope;
use super::expr::{Expr, ExprKind};
use super::types::{Type, Types};
use super::value::Value;
use super::{Constant, Function, Model};
use kit::diagnostics::Span;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A function from the values of one type to those of another one or the same, perhaps `none` for some.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// The name of the definition or constant.
    pub name: String,
    /// True if it is a map, `f[x]`, and no definition, `f(x)`.
    pub is_map: bool,
    /// The type of what it is applied to, which is no option.
    pub from: Type,
    /// The type of its values, without `none`.
    pub to: Type,
    /// True if its values are options.
    pub is_partial: bool,
    /// The value for each value of `from`.
    pub values: BTreeMap<Value, Value>,
}

impl Link {
    /// The definitions of a model that are links between types of both of which `is_name` says that their values serve as names.
    pub fn definitions(model: &Model, is_name: &dyn Fn(&Type) -> bool) -> Vec<Self> {
        let link = |function: &Function| {
            let (from, to) = (&function.param.ty, function.ty.inner());
            (is_name(from) && is_name(to)).then(|| Self {
                name: function.name.clone(),
                is_map: false,
                from: from.clone(),
                to: to.clone(),
                is_partial: function.ty.is_option(),
                values: table(model, function),
            })
        };
        model.functions.iter().filter_map(link).collect()
    }

    /// The constant maps of a model that are.
    pub fn maps(model: &Model, is_name: &dyn Fn(&Type) -> bool) -> Vec<Self> {
        let link = |constant: &Constant| match (&constant.ty, &constant.value) {
            (Type::Map(from, to), Value::Map(entries)) if is_name(from) && is_name(to.inner()) => {
                Some(Self {
                    name: constant.name.clone(),
                    is_map: true,
                    from: (**from).clone(),
                    to: to.inner().clone(),
                    is_partial: to.is_option(),
                    values: entries.clone(),
                })
            }
            _ => None,
        };
        model.constants.iter().filter_map(link).collect()
    }

    /// True if no two things have the same value, of which there is at least one, and all values are of its type.
    pub fn is_injective(&self, types: &Types) -> bool {
        let images: Vec<&Value> = self.values.values().filter(|value| **value != Value::None).collect();
        let are_different = images.iter().collect::<BTreeSet<_>>().len() == images.len();
        are_different && !images.is_empty() && images.iter().all(|value| types.contains(&self.to, value))
    }

    /// The text before and after its argument: `f(`, `)`.
    pub fn brackets(&self) -> (String, &'static str) {
        let (open, close) = if self.is_map { ('[', "]") } else { ('(', ")") };
        (format!("{}{open}", self.name), close)
    }

    /// It, applied to a value of its first type.
    pub fn applied(&self, to: Expr) -> Expr {
        let value = if self.is_partial { self.to.clone().optional() } else { self.to.clone() };
        let map = Type::Map(Arc::new(self.from.clone()), Arc::new(value.clone()));
        let table = Expr::constant(Value::Map(self.values.clone()), map, Span::default());
        let kind = ExprKind::Index(Box::new(table), Box::new(to));
        Expr { kind, ty: value, span: Span::default() }
    }
}

fn table(model: &Model, function: &Function) -> BTreeMap<Value, Value> {
    let value = |of: Value| {
        let bound = [(function.param.local, of.clone())];
        let value = Scope::new(model).with_locals(&bound).value(&function.body);
        (of, value)
    };
    model.types.values(&function.param.ty).into_iter().map(value).collect()
}
