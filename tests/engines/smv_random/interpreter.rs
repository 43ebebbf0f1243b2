//! A naive interpreter of syntax trees of SMV: every expression gives the set of values that it can have, and every state, step and input is
//! tried.

use cladist::smv::text::tree::{
    Assign, AssignKind, ConstraintKind, SmvBinary, SmvExpr, SmvExprKind, SmvFile, SmvItem, SmvModule, SmvOp,
    SmvTypeKind, SmvTypeSyntax, Unary, VariableKind,
};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Value {
    Bool(bool),
    Int(i64),
    Symbol(String),
}

/// Values of variables by their names: `x`, `u.x`, `a[0]`.
pub type State = BTreeMap<String, Value>;

/// Something has no value, or one that does not fit.
#[derive(Debug)]
pub struct Misfit;

type Values = Result<BTreeSet<Value>, Misfit>;

/// An instance of a module.
struct Instance<'f> {
    module: &'f SmvModule,
    path: String,
    arguments: BTreeMap<&'f str, (&'f SmvExpr, usize)>,
    inner: BTreeMap<&'f str, usize>,
}

pub struct Interpreter<'f> {
    instances: Vec<Instance<'f>>,
    /// Variables with their values: of states, and of inputs.
    pub variables: Vec<(String, Vec<Value>)>,
    pub inputs: Vec<(String, Vec<Value>)>,
    frozen: Vec<String>,
}

/// Where an expression is evaluated.
#[derive(Clone, Copy)]
struct At<'s> {
    instance: usize,
    now: &'s State,
    next: Option<&'s State>,
    input: &'s State,
    /// Whether it is read in the next state.
    later: bool,
}

impl<'f> Interpreter<'f> {
    pub fn new(file: &'f SmvFile) -> Self {
        let mut new =
            Self { instances: Vec::new(), variables: Vec::new(), inputs: Vec::new(), frozen: Vec::new() };
        let main = file.modules.iter().find(|module| module.name.text == "main").expect("a main module");
        new.instance(file, main, String::new(), BTreeMap::new());
        new
    }

    fn instance(
        &mut self,
        file: &'f SmvFile,
        module: &'f SmvModule,
        path: String,
        arguments: BTreeMap<&'f str, (&'f SmvExpr, usize)>,
    ) -> usize {
        let own = self.instances.len();
        self.instances.push(Instance { module, path: path.clone(), arguments, inner: BTreeMap::new() });
        for item in &module.items {
            let SmvItem::Variable(kind, name, ty) = item else { continue };
            let full = format!("{path}{}", name.text);
            if let SmvTypeKind::Instance(of, arguments) = &ty.kind {
                let of = file.modules.iter().find(|module| module.name.text == of.text).expect("a module");
                let given = of.parameters.iter().zip(arguments);
                let given = given.map(|(name, argument)| (name.text.as_str(), (argument, own))).collect();
                let inner = self.instance(file, of, format!("{full}."), given);
                self.instances[own].inner.insert(&name.text, inner);
                continue;
            }
            let all = elements(full, ty);
            if *kind == VariableKind::Frozen {
                self.frozen.extend(all.iter().map(|(name, _)| name.clone()));
            }
            if *kind == VariableKind::Input { &mut self.inputs } else { &mut self.variables }.extend(all);
        }
        own
    }

    /// All values that an expression can have.
    fn values(&self, expr: &'f SmvExpr, at: At<'_>) -> Values {
        let one = |value| Ok(BTreeSet::from([value]));
        match &expr.kind {
            SmvExprKind::Bool(value) => one(Value::Bool(*value)),
            SmvExprKind::Number(value) => one(Value::Int(*value)),
            SmvExprKind::Name(_) | SmvExprKind::Dot(..) | SmvExprKind::Index(..) => self.named(expr, at),
            SmvExprKind::Unary(Unary::Not, inner) => one(Value::Bool(!self.truth(inner, at)?)),
            SmvExprKind::Unary(Unary::Minus, inner) => one(Value::Int(-self.integer(inner, at)?)),
            SmvExprKind::Binary(operator, a, b) => self.binary(*operator, a, b, at),
            SmvExprKind::If(c, a, b) => self.values(if self.truth(c, at)? { a } else { b }, at),
            SmvExprKind::Case(cases) => {
                for (condition, value) in cases {
                    if self.truth(condition, at)? {
                        return self.values(value, at);
                    }
                }
                Err(Misfit)
            }
            SmvExprKind::Set(members) => {
                let mut all = BTreeSet::new();
                for member in members {
                    all.extend(self.values(member, at)?);
                }
                Ok(all)
            }
            SmvExprKind::Next(inner) => self.values(inner, At { later: true, ..at }),
            SmvExprKind::Count(parts) => {
                let mut count = 0;
                for part in parts {
                    count += i64::from(self.truth(part, at)?);
                }
                one(Value::Int(count))
            }
            SmvExprKind::ToInt(inner) => one(Value::Int(i64::from(self.truth(inner, at)?))),
            SmvExprKind::ToBool(inner) => one(Value::Bool(self.integer(inner, at)? != 0)),
            other => panic!("not generated: {other:?}"),
        }
    }

    fn named(&self, expr: &'f SmvExpr, at: At<'_>) -> Values {
        match &expr.kind {
            SmvExprKind::Name(name) => self.of_name(name, at),
            SmvExprKind::Dot(of, part) => {
                let SmvExprKind::Name(of) = &of.kind else { panic!("not generated") };
                let instance = self.instances[at.instance].inner[of.as_str()];
                self.of_name(&part.text, At { instance, ..at })
            }
            SmvExprKind::Index(of, index) => {
                let SmvExprKind::Name(of) = &of.kind else { panic!("not generated") };
                let name = format!("{}{of}[{}]", self.instances[at.instance].path, self.integer(index, at)?);
                Ok(BTreeSet::from([read(&name, at).ok_or(Misfit)?]))
            }
            _ => panic!("not a name"),
        }
    }

    fn of_name(&self, name: &str, at: At<'_>) -> Values {
        let instance = &self.instances[at.instance];
        if let Some((argument, outer)) = instance.arguments.get(name) {
            return self.values(argument, At { instance: *outer, ..at });
        }
        for item in &instance.module.items {
            if let SmvItem::Define(own, body) = item
                && own.text == name
            {
                return self.values(body, at);
            }
        }
        let full = format!("{}{name}", instance.path);
        // What is nothing else is a symbol.
        Ok(BTreeSet::from([read(&full, at).unwrap_or_else(|| Value::Symbol(name.to_owned()))]))
    }

    fn only(&self, expr: &'f SmvExpr, at: At<'_>) -> Result<Value, Misfit> {
        let all = self.values(expr, at)?;
        assert_eq!(all.len(), 1, "a set is used as a value");
        all.into_iter().next().ok_or(Misfit)
    }

    fn truth(&self, expr: &'f SmvExpr, at: At<'_>) -> Result<bool, Misfit> {
        match self.only(expr, at)? {
            Value::Bool(value) => Ok(value),
            other => panic!("{other:?} is no truth value"),
        }
    }

    fn integer(&self, expr: &'f SmvExpr, at: At<'_>) -> Result<i64, Misfit> {
        match self.only(expr, at)? {
            Value::Int(value) => Ok(value),
            other => panic!("{other:?} is no integer"),
        }
    }

    fn binary(&self, operator: SmvBinary, a: &'f SmvExpr, b: &'f SmvExpr, at: At<'_>) -> Values {
        let (truth, integer) = (|e| self.truth(e, at), |e| self.integer(e, at));
        let holds = match operator {
            SmvBinary::Value(SmvOp::And) => truth(a)? && truth(b)?,
            SmvBinary::Value(SmvOp::Or) => truth(a)? || truth(b)?,
            SmvBinary::Value(SmvOp::Implies) => !truth(a)? || truth(b)?,
            SmvBinary::Value(SmvOp::Xor) => truth(a)? != truth(b)?,
            SmvBinary::Value(SmvOp::Iff) => truth(a)? == truth(b)?,
            SmvBinary::Value(SmvOp::Equal) => self.only(a, at)? == self.only(b, at)?,
            SmvBinary::Value(SmvOp::NotEqual) => self.only(a, at)? != self.only(b, at)?,
            SmvBinary::Value(SmvOp::Less) => integer(a)? < integer(b)?,
            SmvBinary::Value(SmvOp::LessEqual) => integer(a)? <= integer(b)?,
            SmvBinary::Value(SmvOp::Greater) => integer(a)? > integer(b)?,
            SmvBinary::Value(SmvOp::GreaterEqual) => integer(a)? >= integer(b)?,
            SmvBinary::Value(SmvOp::In) => {
                let value = self.only(a, at)?;
                self.values(b, at)?.contains(&value)
            }
            SmvBinary::Union => return Ok(&self.values(a, at)? | &self.values(b, at)?),
            SmvBinary::Range => return Ok((integer(a)?..=integer(b)?).map(Value::Int).collect()),
            SmvBinary::Value(SmvOp::Plus) => {
                return Ok(BTreeSet::from([Value::Int(integer(a)? + integer(b)?)]));
            }
            SmvBinary::Value(SmvOp::Minus) => {
                return Ok(BTreeSet::from([Value::Int(integer(a)? - integer(b)?)]));
            }
            SmvBinary::Value(SmvOp::Times) => {
                return Ok(BTreeSet::from([Value::Int(integer(a)? * integer(b)?)]));
            }
            SmvBinary::Value(SmvOp::Divide) => {
                return Ok(BTreeSet::from([Value::Int(integer(a)? / integer(b)?)]));
            }
            SmvBinary::Value(SmvOp::Mod) => {
                return Ok(BTreeSet::from([Value::Int(integer(a)? % integer(b)?)]));
            }
            other => panic!("not generated: {other:?}"),
        };
        Ok(BTreeSet::from([Value::Bool(holds)]))
    }

    /// All items of all instances.
    fn items(&self) -> impl Iterator<Item = (usize, &'f SmvItem)> + '_ {
        let all = self.instances.iter().enumerate();
        all.flat_map(|(number, instance)| instance.module.items.iter().map(move |item| (number, item)))
    }

    fn target(&self, assign: &'f Assign, instance: usize) -> String {
        let path = &self.instances[instance].path;
        match &assign.target.kind {
            SmvExprKind::Name(name) => format!("{path}{name}"),
            SmvExprKind::Index(of, index) => match (&of.kind, &index.kind) {
                (SmvExprKind::Name(of), SmvExprKind::Number(index)) => format!("{path}{of}[{index}]"),
                _ => panic!("not generated"),
            },
            _ => panic!("not generated"),
        }
    }

    /// Whether what is assigned, if anything, can be the value of the variable in `of`.
    fn is_assigned(&self, assign: &'f Assign, of: &State, at: At<'_>) -> Result<bool, Misfit> {
        let name = self.target(assign, at.instance);
        let values = self.values(&assign.value, at)?;
        let (_, domain) = self.variables.iter().find(|(other, _)| *other == name).expect("a variable");
        if values.iter().any(|value| !domain.contains(value)) {
            return Err(Misfit);
        }
        Ok(values.contains(&of[&name]))
    }

    /// Whether a state exists, as a first one if `first`.
    pub fn is_state(&self, now: &State, first: bool) -> Result<bool, Misfit> {
        let none = State::new();
        let mut all = true;
        for (instance, item) in self.items() {
            let at = At { instance, now, next: None, input: &none, later: false };
            all &= match item {
                SmvItem::Assign(assign) if assign.kind == AssignKind::Always => {
                    self.is_assigned(assign, now, at)?
                }
                SmvItem::Assign(assign) if assign.kind == AssignKind::Init => {
                    self.is_assigned(assign, now, at)? || !first
                }
                SmvItem::Constraint(ConstraintKind::Invar, formula) => self.truth(formula, at)?,
                SmvItem::Constraint(ConstraintKind::Init, formula) => self.truth(formula, at)? || !first,
                _ => true,
            };
        }
        Ok(all)
    }

    /// Whether a step exists between two states with an input.
    pub fn is_step(&self, now: &State, next: &State, input: &State) -> Result<bool, Misfit> {
        // A frozen variable has no other next value that could be read.
        if self.frozen.iter().any(|name| now[name] != next[name]) {
            return Ok(false);
        }
        let mut all = true;
        for (instance, item) in self.items() {
            let at = At { instance, now, next: Some(next), input, later: false };
            all &= match item {
                SmvItem::Assign(assign) if assign.kind == AssignKind::Next => {
                    self.is_assigned(assign, next, at)?
                }
                SmvItem::Constraint(ConstraintKind::Trans, formula) => self.truth(formula, at)?,
                _ => true,
            };
        }
        Ok(all)
    }

    /// Whether a formula of `main` about one state holds.
    pub fn holds(&self, formula: &'f SmvExpr, now: &State) -> Result<bool, Misfit> {
        self.truth(formula, At { instance: 0, now, next: None, input: &State::new(), later: false })
    }
}

fn read(name: &str, at: At<'_>) -> Option<Value> {
    let state = if at.later { at.next.expect("a step") } else { at.now };
    state.get(name).or_else(|| at.input.get(name)).cloned()
}

/// The names and values of a variable, or of the elements of an array.
fn elements(name: String, ty: &SmvTypeSyntax) -> Vec<(String, Vec<Value>)> {
    let number = |expr: &SmvExpr| match &expr.kind {
        SmvExprKind::Number(value) => *value,
        SmvExprKind::Unary(Unary::Minus, inner) => match inner.kind {
            SmvExprKind::Number(value) => -value,
            _ => panic!("not generated"),
        },
        _ => panic!("not generated"),
    };
    match &ty.kind {
        SmvTypeKind::Boolean => vec![(name, vec![Value::Bool(false), Value::Bool(true)])],
        SmvTypeKind::Range(low, high) => {
            vec![(name, (number(low)..=number(high)).map(Value::Int).collect())]
        }
        SmvTypeKind::Enumeration(members) => {
            let value = |member: &SmvExpr| match &member.kind {
                SmvExprKind::Name(name) => Value::Symbol(name.clone()),
                _ => Value::Int(number(member)),
            };
            vec![(name, members.iter().map(value).collect())]
        }
        SmvTypeKind::Array(low, high, of) => {
            (number(low)..=number(high)).flat_map(|index| elements(format!("{name}[{index}]"), of)).collect()
        }
        SmvTypeKind::Instance(..) | SmvTypeKind::Process(..) | SmvTypeKind::Word(..) => {
            panic!("not generated")
        }
    }
}

/// All valuations of variables.
pub fn valuations(variables: &[(String, Vec<Value>)]) -> Vec<State> {
    let mut all = vec![State::new()];
    for (name, values) in variables {
        let with = |state: &State| -> Vec<State> {
            values
                .iter()
                .map(|value| {
                    [state.clone(), State::from([(name.clone(), value.clone())])]
                        .into_iter()
                        .flatten()
                        .collect()
                })
                .collect()
        };
        all = all.iter().flat_map(with).collect();
    }
    all
}
