//! Translates expressions to terms: expands definitions, infers types, and evaluates constants.

use super::ir::{Definition, Expr, Lambda, Row, Type};
use super::names::{Names, short};
use super::term::{Bound, Node, Term};
use super::types::{Ty, Types, WIDEST};
use super::value::Value;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

/// The greatest number of terms; definitions that call each other can create exponentially many.
const MOST_TERMS: usize = 1_000_000;

/// The greatest nesting depth of expressions. Exceeded only by recursive definitions in practice.
const MOST_NESTED: usize = 500;

/// The reason why an expression cannot be translated, without a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unsupported {
    /// A sentence in lower case, without a full stop.
    pub message: String,
    /// Advice, if any.
    pub help: Option<&'static str>,
}

impl From<String> for Unsupported {
    fn from(message: String) -> Self {
        Self { message, help: None }
    }
}

impl From<&str> for Unsupported {
    fn from(message: &str) -> Self {
        message.to_owned().into()
    }
}

pub(crate) type Result<T> = std::result::Result<T, Unsupported>;

/// The meaning of a local name.
#[derive(Debug, Clone)]
pub(crate) enum Binding<'a> {
    Value(Term),
    /// An operator, or an action, with its environment.
    Operator(&'a Expr, Env<'a>),
}

/// The environment: local names, the latest first.
#[derive(Debug, Clone, Default)]
pub(crate) struct Env<'a>(Option<Rc<(String, Binding<'a>, Env<'a>)>>);

impl<'a> Env<'a> {
    pub fn with(&self, name: &str, binding: Binding<'a>) -> Self {
        Self(Some(Rc::new((name.to_owned(), binding, self.clone()))))
    }

    pub fn get(&self, name: &str) -> Option<Binding<'a>> {
        let mut at = self;
        while let Some(entry) = &at.0 {
            if entry.0 == name {
                return Some(entry.1.clone());
            }
            at = &entry.2;
        }
        None
    }
}

#[derive(Debug)]
pub(crate) struct Elaborator<'a> {
    pub types: Types,
    /// The definitions of the module, by full name.
    pub definitions: HashMap<&'a str, &'a Definition>,
    /// The state variables, by full name: their names in the model, with their types.
    pub variables: BTreeMap<&'a str, (String, Ty)>,
    pub sums: HashMap<&'a str, Vec<(&'a str, &'a Type)>>,
    /// The constants, with the values given for them.
    pub constants: BTreeMap<&'a str, Option<Value>>,
    /// The strings that occur, as names.
    pub words: BTreeSet<String>,
    pub names: Names,
    /// The problems in alternatives that were omitted because of them.
    pub problems: Vec<Unsupported>,
    /// The values of variables in the next state, as far as they are known, where it can be read.
    pub next: Option<BTreeMap<String, Term>>,
    /// True while a value is chosen from a set: all its members are values then.
    pub chosen: bool,
    /// True while a condition gives the bounds of variables: values one beyond them are in the type, so that the condition can be violated.
    pub typing: bool,
    made: usize,
    nested: usize,
    /// True if expressions were nested too deeply; then elaboration stops.
    too_deep: bool,
}

impl<'a> Elaborator<'a> {
    pub fn new(types: Types) -> Self {
        Self {
            types,
            definitions: HashMap::new(),
            variables: BTreeMap::new(),
            sums: HashMap::new(),
            constants: BTreeMap::new(),
            words: BTreeSet::new(),
            names: Names::default(),
            problems: Vec::new(),
            next: None,
            chosen: false,
            typing: false,
            made: 0,
            nested: 0,
            too_deep: false,
        }
    }

    /// Creates a term, within the limit on their number.
    pub fn make(&mut self, node: Node, ty: Ty) -> Result<Term> {
        self.made += 1;
        if self.made > MOST_TERMS {
            return Err("its definitions are too many once they are written out".into());
        }
        Ok(Term::new(node, ty))
    }

    pub fn literal(&mut self, value: &Value) -> Result<Term> {
        match value {
            Value::Bool(b) => Ok(Term::bool(*b)),
            Value::Int(n) if i128::from(n.unsigned_abs()) > WIDEST => {
                Err(format!("{n} is not in -2^48..2^48").into())
            }
            Value::Int(n) => {
                let ty = self.types.range(*n, *n);
                self.make(Node::Int(*n), ty)
            }
            Value::Str(s) => {
                let ty = self.types.word(s);
                self.make(Node::Str(s.clone()), ty)
            }
            Value::Set(members) => {
                let members = members.iter().map(|v| self.literal(v)).collect::<Result<_>>()?;
                self.set_of(members)
            }
            Value::List(elements) => {
                let elements = elements.iter().map(|v| self.literal(v)).collect::<Result<_>>()?;
                self.list_of(elements)
            }
            Value::Tup(parts) => {
                let parts = parts.iter().map(|v| self.literal(v)).collect::<Result<_>>()?;
                self.tuple_of(parts)
            }
            Value::Rec(fields) => {
                let field = |(n, v): (&String, &Value)| Ok((n.clone(), self.literal(v)?));
                let fields = fields.iter().map(field).collect::<Result<_>>()?;
                self.record_of(fields)
            }
            Value::Sum(label, payload) => {
                let payload = self.literal(payload)?;
                self.variant_of(label, payload)
            }
            Value::Map(entries) => {
                let entry = |(k, v): (&Value, &Value)| Ok((self.literal(k)?, self.literal(v)?));
                let entries = entries.iter().map(entry).collect::<Result<_>>()?;
                self.map_of(entries)
            }
        }
    }

    /// Returns the common type of terms; integers flow there.
    fn common(&mut self, terms: &[Term]) -> Result<Ty> {
        let ty = self.types.open();
        for term in terms {
            self.types.flow(&term.ty, &ty)?;
        }
        Ok(ty)
    }

    pub fn set_of(&mut self, members: Vec<Term>) -> Result<Term> {
        let element = self.common(&members)?;
        self.make(Node::Set(members), Ty::Set(Box::new(element)))
    }

    pub fn list_of(&mut self, elements: Vec<Term>) -> Result<Term> {
        let element = self.common(&elements)?;
        let ty = self.types.list(element, elements.len());
        self.make(Node::List(elements), ty)
    }

    pub fn tuple_of(&mut self, parts: Vec<Term>) -> Result<Term> {
        let ty = Ty::Tup(parts.iter().map(|part| self.types.fresh(&part.ty)).collect());
        self.make(Node::Tup(parts), ty)
    }

    pub fn record_of(&mut self, mut fields: Vec<(String, Term)>) -> Result<Term> {
        fields.sort_by(|a, b| a.0.cmp(&b.0));
        let ty =
            Ty::Rec(fields.iter().map(|(name, part)| (name.clone(), self.types.fresh(&part.ty))).collect());
        self.make(Node::Rec(fields), ty)
    }

    pub fn map_of(&mut self, entries: Vec<(Term, Term)>) -> Result<Term> {
        let (keys, values): (Vec<Term>, Vec<Term>) = entries.iter().cloned().unzip();
        let (key, value) = (self.common(&keys)?, self.common(&values)?);
        let known = keys.iter().map(Term::value).collect::<Option<BTreeSet<_>>>();
        let ty = self.types.map(key, value, known);
        self.make(Node::Map(entries), ty)
    }

    pub fn variant_of(&mut self, label: &str, payload: Term) -> Result<Term> {
        let Some(constructors) = self.sums.get(label).cloned() else {
            return Err(format!("the type of the constructor `{label}` is not in the file").into());
        };
        let mut open = HashMap::new();
        let mut parts = Vec::new();
        for (name, ty) in constructors {
            parts.push((name.to_owned(), self.of_type(ty, &mut open)?));
        }
        self.order(&mut parts);
        if let Some((_, ty)) = parts.iter().find(|(name, _)| name == label) {
            self.types.flow(&payload.ty, ty)?;
        }
        self.make(Node::Sum(label.to_owned(), payload), Ty::Sum(parts))
    }

    /// Translates a declared type, with new slots. `open` maps the variables of an open type.
    pub fn of_type(&mut self, ty: &'a Type, open: &mut HashMap<&'a str, Ty>) -> Result<Ty> {
        Ok(match ty {
            Type::Bool => Ty::Bool,
            Type::Int => Ty::Int(self.types.slot()),
            Type::Str => Ty::Str(self.types.slot()),
            Type::Set { elem } => Ty::Set(Box::new(self.of_type(elem, open)?)),
            Type::List { elem } => {
                let element = self.of_type(elem, open)?;
                self.types.list(element, 0)
            }
            Type::Fun { arg, res } => {
                let (key, value) = (self.of_type(arg, open)?, self.of_type(res, open)?);
                Ty::Map(Box::new(key), Box::new(value), self.types.slot())
            }
            Type::Tup { fields } => {
                let parts = self.of_row(fields, open)?;
                Ty::Tup(parts.into_iter().map(|(_, ty)| ty).collect())
            }
            Type::Rec { fields } => {
                let mut parts = self.of_row(fields, open)?;
                parts.sort_by(|a, b| a.0.cmp(&b.0));
                Ty::Rec(parts)
            }
            Type::Sum { fields } => {
                let mut parts = self.of_row(fields, open)?;
                self.order(&mut parts);
                Ty::Sum(parts)
            }
            Type::Var { name } => {
                if let Some(known) = open.get(name.as_str()) {
                    return Ok(known.clone());
                }
                let ty = self.types.open();
                open.insert(name, ty.clone());
                ty
            }
            Type::Other => return Err("it has a type that is abstract".into()),
        })
    }

    /// Sorts constructors by declaration, because the compiler writes them in various orders.
    fn order(&self, parts: &mut [(String, Ty)]) {
        parts.sort_by(|a, b| a.0.cmp(&b.0));
        let known = parts.iter().find_map(|(label, _)| {
            let known = self.sums.get(label.as_str())?;
            let same = known.len() == parts.len()
                && known.iter().all(|(label, _)| parts.iter().any(|(own, _)| own == label));
            same.then(|| known.iter().map(|(label, _)| (*label).to_owned()).collect::<Vec<_>>())
        });
        if let Some(known) = known {
            parts.sort_by_key(|(label, _)| known.iter().position(|other| other == label));
        }
    }

    fn of_row(&mut self, row: &'a Row, open: &mut HashMap<&'a str, Ty>) -> Result<Vec<(String, Ty)>> {
        let (fields, _) = row.fields();
        fields.into_iter().map(|f| Ok((f.field_name.clone(), self.of_type(&f.field_type, open)?))).collect()
    }

    /// Runs a nested translation, within the limit on depth.
    pub fn within<T>(&mut self, run: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.too_deep |= self.nested >= MOST_NESTED;
        if self.too_deep {
            return Err("it is nested too deeply, or uses itself".into());
        }
        self.nested += 1;
        let found = run(self);
        self.nested -= 1;
        found
    }

    /// Translates an expression that is no action.
    pub fn expression(&mut self, expr: &'a Expr, env: &Env<'a>) -> Result<Term> {
        self.within(|inner| inner.evaluated(expr, env))
    }

    fn evaluated(&mut self, expr: &'a Expr, env: &Env<'a>) -> Result<Term> {
        match expr {
            Expr::Bool { value } => Ok(Term::bool(*value)),
            Expr::Int { value } => match value.as_i64() {
                Some(n) => self.literal(&Value::Int(n)),
                None => Err(format!("{value} is not in -2^48..2^48").into()),
            },
            Expr::Str { value } => self.literal(&Value::Str(value.clone())),
            Expr::Name { name } => self.named(name, env),
            Expr::Lambda(_) => Err("an operator is used as a value".into()),
            Expr::Let { opdef, expr } => {
                if opdef.qualifier == "nondet" {
                    return Err("`nondet` stands where no action is".into());
                }
                let binding = self.binding(&opdef.expr, env)?;
                self.expression(expr, &env.with(&opdef.name, binding))
            }
            Expr::App { opcode, args } => {
                if let Some(Binding::Operator(operator, inner)) = env.get(opcode) {
                    return self.call(operator, args, &inner, env);
                }
                match self.definitions.get(opcode.as_str()).copied() {
                    Some(definition) => self
                        .call(&definition.expr, args, &Env::default(), env)
                        .map_err(|e| inside(&definition.name, e)),
                    None => self.built_in(opcode, args, env),
                }
            }
        }
    }

    /// Returns the meaning of a local definition or an argument.
    pub fn binding(&mut self, expr: &'a Expr, env: &Env<'a>) -> Result<Binding<'a>> {
        match expr {
            Expr::Lambda(_) => Ok(Binding::Operator(expr, env.clone())),
            Expr::Name { name } => match (env.get(name), self.definitions.get(name.as_str())) {
                (Some(binding), _) => Ok(binding),
                (None, Some(definition)) if matches!(definition.expr, Expr::Lambda(_)) => {
                    Ok(Binding::Operator(&definition.expr, Env::default()))
                }
                _ => Ok(Binding::Value(self.named(name, env)?)),
            },
            _ => Ok(Binding::Value(self.expression(expr, env)?)),
        }
    }

    fn named(&mut self, name: &'a str, env: &Env<'a>) -> Result<Term> {
        match env.get(name) {
            Some(Binding::Value(term)) => return Ok(term),
            Some(Binding::Operator(expr, inner)) => return self.expression(expr, &inner),
            None => {}
        }
        if let Some((variable, ty)) = self.variables.get(name).cloned() {
            return self.make(Node::Name(variable), ty);
        }
        if let Some(definition) = self.definitions.get(name).copied() {
            return self
                .expression(&definition.expr, &Env::default())
                .map_err(|e| inside(&definition.name, e));
        }
        if let Some(given) = self.constants.get(name).cloned() {
            if let Some(value) = given {
                return self.literal(&value);
            }
            return Err(Unsupported {
                message: format!("the constant `{}` has no value", short(name)),
                help: Some(
                    "give it one with --const NAME=VALUE, or import an instance of the module in Quint",
                ),
            });
        }
        match name {
            "Bool" => {
                let both = [false, true].map(Value::Bool).into_iter().collect();
                self.literal(&Value::Set(both))
            }
            "Int" | "Nat" => {
                let Some((lo, hi)) = self.types.integers else {
                    return Err(Unsupported {
                        message: format!("`{name}` has no end"),
                        help: Some("say which integers are meant: --int 0..9"),
                    });
                };
                let lo = if name == "Nat" { lo.max(0) } else { lo };
                let (lo, hi) = (self.literal(&Value::Int(lo))?, self.literal(&Value::Int(hi))?);
                self.interval(lo, hi)
            }
            _ => Err(format!("`{name}` is not known").into()),
        }
    }

    /// Calls an operator with expressions of the caller.
    pub fn call(
        &mut self,
        operator: &'a Expr,
        args: &'a [Expr],
        inner: &Env<'a>,
        outer: &Env<'a>,
    ) -> Result<Term> {
        let (lambda, env) = self.entered(operator, args, inner, outer)?;
        self.expression(&lambda.expr, &env)
    }

    /// Returns the environment of an operator after binding its arguments.
    pub fn entered(
        &mut self,
        operator: &'a Expr,
        args: &'a [Expr],
        inner: &Env<'a>,
        outer: &Env<'a>,
    ) -> Result<(&'a Lambda, Env<'a>)> {
        let Expr::Lambda(lambda) = operator else {
            return Err("a value that is not an operator is called".into());
        };
        let mut env = inner.clone();
        for (param, arg) in lambda.params.iter().zip(args) {
            let binding = self.binding(arg, outer)?;
            env = env.with(&param.name, binding);
        }
        Ok((lambda, env))
    }

    /// Applies an operator that is given as an argument to values.
    pub fn apply(&mut self, operator: &'a Expr, env: &Env<'a>, given: &[Term]) -> Result<Term> {
        match operator {
            Expr::Lambda(lambda) => {
                let parts = self.unpacked(lambda.params.len(), given)?;
                let mut inner = env.clone();
                for (param, part) in lambda.params.iter().zip(parts) {
                    inner = inner.with(&param.name, Binding::Value(part));
                }
                self.expression(&lambda.expr, &inner)
            }
            Expr::Name { name } => match (env.get(name), self.definitions.get(name.as_str()).copied()) {
                (Some(Binding::Operator(operator, inner)), _) => self.apply(operator, &inner, given),
                (None, Some(definition)) => self
                    .apply(&definition.expr, &Env::default(), given)
                    .map_err(|e| inside(&definition.name, e)),
                _ => Err(format!("the operator `{name}` is not supported as an argument").into()),
            },
            _ => Err("an operator is computed".into()),
        }
    }

    /// Splits a single tuple into `wanted` arguments.
    fn unpacked(&mut self, wanted: usize, given: &[Term]) -> Result<Vec<Term>> {
        let [tuple] = given else { return Ok(given.to_vec()) };
        if wanted <= 1 {
            return Ok(given.to_vec());
        }
        (1..=wanted).map(|at| self.field(tuple, &format!("_{at}"))).collect()
    }

    /// Returns a bound name like the parameter of an operator.
    pub fn parameter(&mut self, operator: &Expr) -> String {
        match operator {
            Expr::Lambda(Lambda { params, .. }) if params.len() == 1 => self.names.ranging(&params[0].name),
            _ => self.names.ranging("e"),
        }
    }

    /// Creates a name that ranges over a set, and the name as a term.
    pub fn ranging(&mut self, name: String, domain: Term) -> Result<(Bound, Term)> {
        let Ty::Set(element) = self.types.resolve(&domain.ty) else {
            return Err("a value that is not a set is used as a set".into());
        };
        let term = self.make(Node::Name(name.clone()), *element)?;
        Ok((Bound { name, domain }, term))
    }
}

pub(crate) fn inside(definition: &str, found: Unsupported) -> Unsupported {
    if found.message.starts_with("in `") {
        return found;
    }
    Unsupported { message: format!("in `{}`: {}", short(definition), found.message), ..found }
}
