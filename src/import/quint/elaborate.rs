//! Translates expressions to terms: expands definitions, infers types, and evaluates constants.

use super::alternative::StepAlternative;
use super::ir::{Lambda, QuintDefinition, QuintExpr, QuintRow, QuintType};
use super::names::{QuintNames, short};
use super::term::{Node, QuintBinder, QuintTerm};
use super::types::{Ty, TypeTable, WIDEST};
use super::value::QuintValue;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

/// The greatest number of terms; definitions that call each other can create exponentially many.
const MOST_TERMS: usize = 1_000_000;

/// The greatest nesting depth of expressions. Exceeded only by recursive definitions in practice.
const MOST_NESTED: usize = 500;

/// The qualifier of definitions that may use themselves.
pub(crate) const RECURSIVE: &str = "recursive";

/// The reason why an expression cannot be translated, without a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UntranslatableReason {
    /// A sentence in lower case, without a full stop.
    pub message: String,
    /// Advice, if any.
    pub help: Option<&'static str>,
    pub kind: ReasonKind,
}

/// The kinds of reasons that something can be done about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ReasonKind {
    /// Integers have no limits, and need some.
    EndlessIntegers,
    /// Lists have no greatest length, and need one.
    EndlessLists,
    /// There are more values of a type than can be listed.
    TooManyValues,
    /// A variable of the next state is read before it gets a value.
    ReadBefore,
    Other,
}

impl UntranslatableReason {
    /// A reason with advice.
    pub fn helped(message: impl Into<String>, help: &'static str) -> Self {
        Self { message: message.into(), help: Some(help), kind: ReasonKind::Other }
    }

    /// The reason as one of a kind.
    pub fn of(self, kind: ReasonKind) -> Self {
        Self { kind, ..self }
    }
}

impl From<String> for UntranslatableReason {
    fn from(message: String) -> Self {
        Self { message, help: None, kind: ReasonKind::Other }
    }
}

impl From<&str> for UntranslatableReason {
    fn from(message: &str) -> Self {
        message.to_owned().into()
    }
}

pub(crate) type Result<T> = std::result::Result<T, UntranslatableReason>;

/// The meaning of a local name.
#[derive(Debug, Clone)]
pub(crate) enum QuintBinding<'a> {
    Value(QuintTerm),
    /// An operator, or an action, with its environment.
    Operator(&'a QuintExpr, QuintEnv<'a>),
    /// An operator that may use itself; its environment is that of the binding.
    Recursive(&'a QuintExpr),
}

/// The environment: local names, the latest first.
#[derive(Debug, Clone, Default)]
pub(crate) struct QuintEnv<'a>(Option<Rc<(String, QuintBinding<'a>, QuintEnv<'a>)>>);

impl<'a> QuintEnv<'a> {
    pub fn with(&self, name: &str, binding: QuintBinding<'a>) -> Self {
        Self(Some(Rc::new((name.to_owned(), binding, self.clone()))))
    }

    pub fn get(&self, name: &str) -> Option<QuintBinding<'a>> {
        let mut at = self;
        while let Some(entry) = &at.0 {
            if entry.0 == name {
                return Some(match &entry.1 {
                    QuintBinding::Recursive(operator) => QuintBinding::Operator(operator, at.clone()),
                    binding => binding.clone(),
                });
            }
            at = &entry.2;
        }
        None
    }
}

#[derive(Debug)]
pub(crate) struct QuintElaborator<'a> {
    pub types: TypeTable,
    /// The definitions of the module, by full name.
    pub definitions: HashMap<&'a str, &'a QuintDefinition>,
    /// The state variables, by full name: their names in the model, with their types.
    pub variables: BTreeMap<&'a str, (String, Ty)>,
    pub sums: HashMap<&'a str, Vec<(&'a str, &'a QuintType)>>,
    /// The constants, with the values given for them.
    pub constants: BTreeMap<&'a str, Option<QuintValue>>,
    /// The strings that occur, as names.
    pub words: BTreeSet<String>,
    pub names: QuintNames,
    /// The problems in alternatives that were omitted because of them.
    pub problems: Vec<UntranslatableReason>,
    /// The values of variables in the next state, as far as they are known, where it can be read.
    pub next: Option<BTreeMap<String, QuintTerm>>,
    /// The alternatives of a step, once they are known.
    pub steps: Vec<StepAlternative>,
    /// Conditions on steps that temporal formulas are about, for each alternative.
    pub marks: Vec<Vec<QuintTerm>>,
    /// The number of conjunctions and conditions around a formula of a step: its steps are only some of those that it allows.
    pub restricted: usize,
    /// True while a value is chosen from a set: all its members are values then.
    pub chosen: bool,
    /// The values chosen in an expression of an action; `None` where it may be evaluated never, or several times.
    pub choices: Option<StepAlternative>,
    /// True while a condition gives the bounds of variables: values one beyond them are in the type, so that the condition can be violated.
    pub typing: bool,
    /// The number of recursive definitions that are being written out: quantifiers over constants are, too.
    pub recursing: usize,
    made: usize,
    nested: usize,
    /// True if expressions were nested too deeply; then elaboration stops.
    pub too_deep: bool,
}

impl<'a> QuintElaborator<'a> {
    pub fn new(types: TypeTable) -> Self {
        Self {
            types,
            definitions: HashMap::new(),
            variables: BTreeMap::new(),
            sums: HashMap::new(),
            constants: BTreeMap::new(),
            words: BTreeSet::new(),
            names: QuintNames::default(),
            problems: Vec::new(),
            next: None,
            steps: Vec::new(),
            marks: Vec::new(),
            restricted: 0,
            chosen: false,
            choices: None,
            typing: false,
            recursing: 0,
            made: 0,
            nested: 0,
            too_deep: false,
        }
    }

    /// Creates a term, within the limit on their number.
    pub fn make(&mut self, node: Node, ty: Ty) -> Result<QuintTerm> {
        self.made += 1;
        if self.made > MOST_TERMS {
            return Err("its definitions are too many once they are written out".into());
        }
        Ok(QuintTerm::new(node, ty))
    }

    pub fn literal(&mut self, value: &QuintValue) -> Result<QuintTerm> {
        match value {
            QuintValue::Bool(b) => Ok(QuintTerm::bool(*b)),
            QuintValue::Int(n) if i128::from(n.unsigned_abs()) > WIDEST => {
                Err(format!("{n} is not in -2^48..2^48").into())
            }
            QuintValue::Int(n) => {
                let ty = self.types.range(*n, *n);
                self.make(Node::Int(*n), ty)
            }
            QuintValue::Str(s) => {
                let ty = self.types.word(s);
                self.make(Node::Str(s.clone()), ty)
            }
            QuintValue::Set(members) => {
                let members = members.iter().map(|v| self.literal(v)).collect::<Result<_>>()?;
                self.set_of(members)
            }
            QuintValue::List(elements) => {
                let elements = elements.iter().map(|v| self.literal(v)).collect::<Result<_>>()?;
                self.list_of(elements)
            }
            QuintValue::Tup(parts) => {
                let parts = parts.iter().map(|v| self.literal(v)).collect::<Result<_>>()?;
                self.tuple_of(parts)
            }
            QuintValue::Rec(fields) => {
                let field = |(n, v): (&String, &QuintValue)| Ok((n.clone(), self.literal(v)?));
                let fields = fields.iter().map(field).collect::<Result<_>>()?;
                self.record_of(fields)
            }
            QuintValue::Sum(label, payload) => {
                let payload = self.literal(payload)?;
                self.variant_of(label, payload)
            }
            QuintValue::Map(entries) => {
                let entry = |(k, v): (&QuintValue, &QuintValue)| Ok((self.literal(k)?, self.literal(v)?));
                let entries = entries.iter().map(entry).collect::<Result<_>>()?;
                self.map_of(entries)
            }
        }
    }

    /// Returns the common type of terms; integers flow there.
    fn common(&mut self, terms: &[QuintTerm]) -> Result<Ty> {
        let ty = self.types.open();
        for term in terms {
            self.types.flow(&term.ty, &ty)?;
        }
        Ok(ty)
    }

    /// Returns terms in the form of a type.
    fn alike(&mut self, terms: Vec<QuintTerm>, ty: &Ty) -> Result<Vec<QuintTerm>> {
        terms.into_iter().map(|term| self.fitted(term, ty)).collect()
    }

    pub fn set_of(&mut self, members: Vec<QuintTerm>) -> Result<QuintTerm> {
        let element = self.common(&members)?;
        let members = self.alike(members, &element)?;
        self.make(Node::Set(members), Ty::Set(Box::new(element)))
    }

    pub fn list_of(&mut self, elements: Vec<QuintTerm>) -> Result<QuintTerm> {
        let element = self.common(&elements)?;
        let elements = self.alike(elements, &element)?;
        let ty = self.types.list(element, elements.len());
        self.make(Node::List(elements), ty)
    }

    pub fn tuple_of(&mut self, parts: Vec<QuintTerm>) -> Result<QuintTerm> {
        let ty = Ty::Tup(parts.iter().map(|part| self.types.fresh(&part.ty)).collect());
        self.make(Node::Tup(parts), ty)
    }

    pub fn record_of(&mut self, mut fields: Vec<(String, QuintTerm)>) -> Result<QuintTerm> {
        fields.sort_by(|a, b| a.0.cmp(&b.0));
        let ty =
            Ty::Rec(fields.iter().map(|(name, part)| (name.clone(), self.types.fresh(&part.ty))).collect());
        self.make(Node::Rec(fields), ty)
    }

    pub fn map_of(&mut self, entries: Vec<(QuintTerm, QuintTerm)>) -> Result<QuintTerm> {
        let (keys, values): (Vec<QuintTerm>, Vec<QuintTerm>) = entries.iter().cloned().unzip();
        let (key, value) = (self.common(&keys)?, self.common(&values)?);
        let known = keys.iter().map(QuintTerm::value).collect::<Option<BTreeSet<_>>>();
        let (keys, values) = (self.alike(keys, &key)?, self.alike(values, &value)?);
        let entries = keys.into_iter().zip(values).collect();
        let ty = self.types.map(key, value, known);
        self.make(Node::Map(entries), ty)
    }

    pub fn variant_of(&mut self, label: &str, payload: QuintTerm) -> Result<QuintTerm> {
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
    pub fn of_type(&mut self, ty: &'a QuintType, open: &mut HashMap<&'a str, Ty>) -> Result<Ty> {
        Ok(match ty {
            QuintType::Bool => Ty::Bool,
            QuintType::Int => Ty::Int(self.types.slot()),
            QuintType::Str => Ty::Str(self.types.slot()),
            QuintType::Set { elem } => Ty::Set(Box::new(self.of_type(elem, open)?)),
            QuintType::List { elem } => {
                let element = self.of_type(elem, open)?;
                self.types.list(element, 0)
            }
            QuintType::Fun { arg, res } => {
                let (key, value) = (self.of_type(arg, open)?, self.of_type(res, open)?);
                Ty::Map(Box::new(key), Box::new(value), self.types.slot())
            }
            QuintType::Tup { fields } => {
                let parts = self.of_row(fields, open)?;
                Ty::Tup(parts.into_iter().map(|(_, ty)| ty).collect())
            }
            QuintType::Rec { fields } => {
                let mut parts = self.of_row(fields, open)?;
                parts.sort_by(|a, b| a.0.cmp(&b.0));
                Ty::Rec(parts)
            }
            QuintType::Sum { fields } => {
                let mut parts = self.of_row(fields, open)?;
                self.order(&mut parts);
                Ty::Sum(parts)
            }
            QuintType::Var { name } => {
                if let Some(known) = open.get(name.as_str()) {
                    return Ok(known.clone());
                }
                let ty = self.types.open();
                open.insert(name, ty.clone());
                ty
            }
            QuintType::Other => return Err("it has a type that is abstract".into()),
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

    fn of_row(&mut self, row: &'a QuintRow, open: &mut HashMap<&'a str, Ty>) -> Result<Vec<(String, Ty)>> {
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
    pub fn expression(&mut self, expr: &'a QuintExpr, env: &QuintEnv<'a>) -> Result<QuintTerm> {
        self.within(|inner| inner.evaluated(expr, env))
    }

    fn evaluated(&mut self, expr: &'a QuintExpr, env: &QuintEnv<'a>) -> Result<QuintTerm> {
        match expr {
            QuintExpr::Bool { value } => Ok(QuintTerm::bool(*value)),
            QuintExpr::Int { value } => match value.as_i64() {
                Some(n) => self.literal(&QuintValue::Int(n)),
                None => Err(format!("{value} is not in -2^48..2^48").into()),
            },
            QuintExpr::Str { value } => self.literal(&QuintValue::Str(value.clone())),
            QuintExpr::Name { name } => self.named(name, env),
            QuintExpr::Lambda(_) => Err("an operator is used as a value".into()),
            QuintExpr::Let { opdef, expr } => {
                if opdef.qualifier == "nondet" {
                    return Err("`nondet` stands where no action is".into());
                }
                let binding = match opdef.qualifier == RECURSIVE {
                    true => QuintBinding::Recursive(&opdef.expr),
                    false => self.binding(&opdef.expr, env)?,
                };
                self.expression(expr, &env.with(&opdef.name, binding))
            }
            QuintExpr::App { opcode, args } => {
                if let Some(QuintBinding::Operator(operator, inner)) = env.get(opcode) {
                    return self.call(operator, args, &inner, env);
                }
                match self.definitions.get(opcode.as_str()).copied() {
                    Some(definition) => self
                        .call(&definition.expr, args, &QuintEnv::default(), env)
                        .map_err(|e| inside(&definition.name, e)),
                    None => self.built_in(opcode, args, env),
                }
            }
        }
    }

    /// Returns the meaning of a local definition or an argument.
    pub fn binding(&mut self, expr: &'a QuintExpr, env: &QuintEnv<'a>) -> Result<QuintBinding<'a>> {
        match expr {
            QuintExpr::Lambda(_) => Ok(QuintBinding::Operator(expr, env.clone())),
            QuintExpr::Name { name } => match (env.get(name), self.definitions.get(name.as_str())) {
                (Some(binding), _) => Ok(binding),
                (None, Some(definition)) if matches!(definition.expr, QuintExpr::Lambda(_)) => {
                    Ok(QuintBinding::Operator(&definition.expr, QuintEnv::default()))
                }
                _ => Ok(QuintBinding::Value(self.named(name, env)?)),
            },
            _ => Ok(QuintBinding::Value(self.expression(expr, env)?)),
        }
    }

    fn named(&mut self, name: &'a str, env: &QuintEnv<'a>) -> Result<QuintTerm> {
        match env.get(name) {
            Some(QuintBinding::Value(term)) => return Ok(term),
            Some(QuintBinding::Operator(expr, inner)) => {
                return self.unchosen(|this| this.expression(expr, &inner));
            }
            Some(QuintBinding::Recursive(_)) | None => {}
        }
        if let Some((variable, ty)) = self.variables.get(name).cloned() {
            return self.make(Node::Name(variable), ty);
        }
        if let Some(definition) = self.definitions.get(name).copied() {
            return self
                .unchosen(|this| this.expression(&definition.expr, &QuintEnv::default()))
                .map_err(|e| inside(&definition.name, e));
        }
        if let Some(given) = self.constants.get(name).cloned() {
            if let Some(value) = given {
                return self.literal(&value);
            }
            return Err(UntranslatableReason::helped(
                format!("the constant `{}` has no value", short(name)),
                "give it one with --const NAME=VALUE, or import an instance of the module in Quint",
            ));
        }
        match name {
            "Bool" => {
                let both = [false, true].map(QuintValue::Bool).into_iter().collect();
                self.literal(&QuintValue::Set(both))
            }
            "Int" | "Nat" => {
                let Some((lo, hi)) = self.types.integers.filter(|_| !self.types.guessed) else {
                    return Err(UntranslatableReason::helped(
                        format!("`{name}` has no end"),
                        "say which integers are meant: --int 0..9",
                    )
                    .of(ReasonKind::EndlessIntegers));
                };
                self.types.cuts = true;
                let lo = if name == "Nat" { lo.max(0) } else { lo };
                let (lo, hi) = (self.literal(&QuintValue::Int(lo))?, self.literal(&QuintValue::Int(hi))?);
                self.interval(lo, hi)
            }
            _ => Err(format!("`{name}` is not known").into()),
        }
    }

    /// Calls an operator with expressions of the caller.
    pub fn call(
        &mut self,
        operator: &'a QuintExpr,
        args: &'a [QuintExpr],
        inner: &QuintEnv<'a>,
        outer: &QuintEnv<'a>,
    ) -> Result<QuintTerm> {
        let (lambda, env) = self.entered(operator, args, inner, outer)?;
        self.expression(&lambda.expr, &env)
    }

    /// Returns the environment of an operator after binding its arguments.
    pub fn entered(
        &mut self,
        operator: &'a QuintExpr,
        args: &'a [QuintExpr],
        inner: &QuintEnv<'a>,
        outer: &QuintEnv<'a>,
    ) -> Result<(&'a Lambda, QuintEnv<'a>)> {
        let QuintExpr::Lambda(lambda) = operator else {
            return Err("a value that is not an operator is called".into());
        };
        let mut env = inner.clone();
        for (param, arg) in lambda.params.iter().zip(args) {
            let by_name = match arg {
                QuintExpr::Name { name } => self.variables.contains_key(name.as_str()),
                QuintExpr::App { opcode, .. } => opcode == "tla:prime",
                _ => false,
            };
            let binding = match by_name {
                true => QuintBinding::Operator(arg, outer.clone()),
                false => match self.binding(arg, outer) {
                    Ok(binding) => binding,
                    // An argument without a value here may be an action, or one that is not used.
                    Err(_) if self.types.unions && !self.too_deep => {
                        QuintBinding::Operator(arg, outer.clone())
                    }
                    Err(found) => return Err(found),
                },
            };
            env = env.with(&param.name, binding);
        }
        Ok((lambda, env))
    }

    /// Applies an operator that is given as an argument to values.
    pub fn apply(
        &mut self,
        operator: &'a QuintExpr,
        env: &QuintEnv<'a>,
        given: &[QuintTerm],
    ) -> Result<QuintTerm> {
        match operator {
            QuintExpr::Lambda(lambda) => {
                let parts = self.unpacked(lambda.params.len(), given)?;
                let mut inner = env.clone();
                for (param, part) in lambda.params.iter().zip(parts) {
                    inner = inner.with(&param.name, QuintBinding::Value(part));
                }
                self.unchosen(|this| this.expression(&lambda.expr, &inner))
            }
            QuintExpr::Name { name } => match (env.get(name), self.definitions.get(name.as_str()).copied()) {
                (Some(QuintBinding::Operator(operator, inner)), _) => self.apply(operator, &inner, given),
                (None, Some(definition)) => self
                    .apply(&definition.expr, &QuintEnv::default(), given)
                    .map_err(|e| inside(&definition.name, e)),
                _ => Err(format!("the operator `{name}` is not supported as an argument").into()),
            },
            _ => Err("an operator is computed".into()),
        }
    }

    /// Splits a single tuple into `wanted` arguments.
    fn unpacked(&mut self, wanted: usize, given: &[QuintTerm]) -> Result<Vec<QuintTerm>> {
        let [tuple] = given else { return Ok(given.to_vec()) };
        if wanted <= 1 {
            return Ok(given.to_vec());
        }
        (1..=wanted).map(|at| self.field(tuple, &format!("_{at}"))).collect()
    }

    /// Returns a bound name like the parameter of an operator.
    pub fn parameter(&mut self, operator: &QuintExpr) -> String {
        match operator {
            QuintExpr::Lambda(Lambda { params, .. }) if params.len() == 1 => {
                self.names.ranging(&params[0].name)
            }
            _ => self.names.ranging("e"),
        }
    }

    /// Creates a name that ranges over a set, and the name as a term.
    pub fn ranging(&mut self, name: String, domain: QuintTerm) -> Result<(QuintBinder, QuintTerm)> {
        let Ty::Set(element) = self.types.resolve(&domain.ty) else {
            return Err("a value that is not a set is used as a set".into());
        };
        let term = self.make(Node::Name(name.clone()), *element)?;
        Ok((QuintBinder { name, domain }, term))
    }
}

pub(crate) fn inside(definition: &str, found: UntranslatableReason) -> UntranslatableReason {
    if found.message.starts_with("in `") {
        return found;
    }
    UntranslatableReason { message: format!("in `{}`: {}", short(definition), found.message), ..found }
}
