//! The value of expressions, and all states, from the definitions of the operators of TLA+: sequences, records and tuples are
//! functions; an operand is evaluated where its value is needed.

use super::tree::{Act, Expr, GREATEST, LEAST, LONGEST, Sort, Spec, WORDS};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Value {
    Bool(bool),
    Int(i64),
    Word(String),
    Set(BTreeSet<Value>),
    Fun(BTreeMap<Value, Value>),
}

/// An expression without a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fault;

type Found<T = Value> = Result<T, Fault>;
pub type State = BTreeMap<String, Value>;

/// Names bound around an expression, the latest first.
type Env = Option<Rc<(String, Found, Link)>>;
#[derive(Clone)]
pub struct Link(Env);

fn bind(env: &Link, name: &str, value: Found) -> Link {
    Link(Some(Rc::new((name.to_owned(), value, env.clone()))))
}

fn look(env: &Link, name: &str) -> Option<Found> {
    let (own, value, rest) = &**env.0.as_ref()?;
    if own == name { Some(value.clone()) } else { look(rest, name) }
}

fn word(text: &str) -> Value {
    Value::Word(text.to_owned())
}

fn sequence(elements: Vec<Value>) -> Value {
    Value::Fun((1..).map(Value::Int).zip(elements).collect())
}

fn elements(value: &Value) -> Found<Vec<Value>> {
    let Value::Fun(entries) = value else { return Err(Fault) };
    Ok(entries.values().cloned().collect())
}

fn int(value: &Value) -> i64 {
    let Value::Int(n) = value else { panic!("an integer is generated here, not {value:?}") };
    *n
}

fn set(value: Value) -> BTreeSet<Value> {
    let Value::Set(members) = value else { panic!("a set is generated here, not {value:?}") };
    members
}

/// All subsets of a set.
fn subsets(of: BTreeSet<Value>) -> BTreeSet<Value> {
    let empty: BTreeSet<Value> = [Value::Set(BTreeSet::new())].into();
    let add = |all: BTreeSet<Value>, member: Value| {
        let with = all.iter().cloned().map(|inner| {
            let mut inner = set(inner);
            inner.insert(member.clone());
            Value::Set(inner)
        });
        with.chain(all.iter().cloned()).collect()
    };
    of.into_iter().fold(empty, add)
}

/// All pairs of members of two sets.
fn pairs(a: &BTreeSet<Value>, b: &BTreeSet<Value>) -> BTreeSet<Value> {
    let row =
        |one: &Value| b.iter().map(|other| sequence(vec![one.clone(), other.clone()])).collect::<Vec<_>>();
    a.iter().flat_map(row).collect()
}

pub fn fits(value: &Value, sort: &Sort) -> bool {
    match (value, sort) {
        (Value::Bool(_), Sort::Bool) => true,
        (Value::Int(n), Sort::Int) => (LEAST..=GREATEST).contains(n),
        (Value::Word(own), Sort::Word) => WORDS.contains(&own.as_str()),
        (Value::Set(members), Sort::Set(of)) => members.iter().all(|member| fits(member, of)),
        (Value::Fun(entries), Sort::Fun(to)) => {
            entries.keys().eq(&[word("a"), word("b")]) && entries.values().all(|value| fits(value, to))
        }
        (Value::Fun(entries), Sort::Seq(of)) => {
            entries.len() <= LONGEST && entries.values().all(|value| fits(value, of))
        }
        (Value::Fun(entries), Sort::Rec) => {
            entries.keys().eq(&[word("n"), word("on")]) && fits(&entries[&word("n")], &Sort::Int)
        }
        (Value::Fun(entries), Sort::Pair) => entries.len() == 2 && fits(&entries[&Value::Int(1)], &Sort::Int),
        _ => panic!("the generator confuses sorts: {value:?} as {sort:?}"),
    }
}

/// All values of a sort that is small.
fn all_of(sort: &Sort) -> BTreeSet<Value> {
    match sort {
        Sort::Bool => [false, true].map(Value::Bool).into(),
        Sort::Int => (LEAST..=GREATEST).map(Value::Int).collect(),
        Sort::Word => WORDS.iter().map(|w| word(w)).collect(),
        Sort::Fun(to) => {
            let to = all_of(to);
            let entries = |a: &Value| {
                let a = a.clone();
                to.iter().map(move |b| Value::Fun([(word("a"), a.clone()), (word("b"), b.clone())].into()))
            };
            to.iter().flat_map(entries).collect()
        }
        _ => panic!("not generated"),
    }
}

/// The states that an expression is about.
#[derive(Clone, Copy)]
pub struct Scene<'s> {
    pub spec: &'s Spec,
    pub now: &'s State,
    pub next: Option<&'s State>,
}

impl Scene<'_> {
    pub fn truth(&self, expr: &Expr, env: &Link) -> Found<bool> {
        match self.value(expr, env)? {
            Value::Bool(value) => Ok(value),
            other => panic!("a formula is generated here, not {other:?}"),
        }
    }

    fn called(&self, name: &str, args: &[Expr], env: &Link) -> Found {
        let (_, params, body) = self.spec.operators.iter().find(|(own, ..)| own == name).expect("defined");
        let none = Link(None);
        let inner = params
            .iter()
            .zip(args)
            .fold(none, |inner, (param, arg)| bind(&inner, param, self.value(arg, env)));
        self.value(body, &inner)
    }

    pub fn value(&self, expr: &Expr, env: &Link) -> Found {
        match expr {
            Expr::Bool(value) => Ok(Value::Bool(*value)),
            Expr::Int(value) => Ok(Value::Int(*value)),
            Expr::Word(value) => Ok(word(value)),
            Expr::Name(name) if name == "Few" => Ok(Value::Set([word("a"), word("b")].into())),
            Expr::Name(name) => look(env, name).unwrap_or_else(|| Ok(self.now[name].clone())),
            Expr::Primed(name) => Ok(self.next.expect("a next state")[name].clone()),
            Expr::Set(members) => {
                let members = members.iter().map(|member| self.value(member, env));
                Ok(Value::Set(members.collect::<Found<_>>()?))
            }
            Expr::Seq(elements) => {
                let elements = elements.iter().map(|element| self.value(element, env));
                Ok(sequence(elements.collect::<Found<_>>()?))
            }
            Expr::Case(cases, other) => {
                for (condition, value) in cases {
                    if self.truth(condition, env)? {
                        return self.value(value, env);
                    }
                }
                other.as_ref().map_or(Err(Fault), |other| self.value(other, env))
            }
            Expr::Let(name, value, body) => {
                let value = self.value(value, env);
                self.value(body, &bind(env, name, value))
            }
            Expr::Call(name, args) => self.called(name, args, env),
            Expr::Fits(value, sort) => Ok(Value::Bool(fits(&self.value(value, env)?, sort))),
            Expr::Except(old, changes) => {
                let mut value = self.value(old, env)?;
                for (places, new) in changes {
                    value = self.changed(&value, places, new, env)?;
                }
                Ok(value)
            }
            Expr::Over(op, name, domain, body) => {
                let domain = set(self.value(domain, env)?);
                let each = domain.into_iter().map(|member| {
                    let result = self.value(body, &bind(env, name, Ok(member.clone())))?;
                    Ok((member, result))
                });
                let each: Vec<(Value, Value)> = each.collect::<Found<_>>()?;
                let holds = |(_, result): &(Value, Value)| *result == Value::Bool(true);
                Ok(match *op {
                    "(\\A 1 \\in 2 : 3)" => Value::Bool(each.iter().all(holds)),
                    "(\\E 1 \\in 2 : 3)" => Value::Bool(each.iter().any(holds)),
                    "{1 \\in 2 : 3}" => {
                        Value::Set(each.into_iter().filter(holds).map(|(member, _)| member).collect())
                    }
                    "{3 : 1 \\in 2}" => Value::Set(each.into_iter().map(|(_, result)| result).collect()),
                    "[1 \\in 2 |-> 3]" => Value::Fun(each.into_iter().collect()),
                    "(CHOOSE 1 \\in 2 : 3)" => {
                        let chosen: Vec<Value> =
                            each.into_iter().filter(holds).map(|(member, _)| member).collect();
                        assert!(chosen.len() < 2, "only one member is to be chosen from");
                        chosen.into_iter().next().ok_or(Fault)?
                    }
                    op => panic!("no meaning of {op}"),
                })
            }
            Expr::Op(op, operands) => self.operation(op, operands, env),
        }
    }

    fn changed(&self, old: &Value, places: &[Expr], new: &Expr, env: &Link) -> Found {
        let Some((place, rest)) = places.split_first() else {
            return self.value(new, &bind(env, "@", Ok(old.clone())));
        };
        let Value::Fun(entries) = old else { panic!("a function is generated here, not {old:?}") };
        let place = self.value(place, env)?;
        let part = entries.get(&place).ok_or(Fault)?;
        let mut entries = entries.clone();
        entries.insert(place, self.changed(part, rest, new, env)?);
        Ok(Value::Fun(entries))
    }

    fn operation(&self, op: &str, operands: &[Expr], env: &Link) -> Found {
        let truth = |at: usize| self.truth(&operands[at], env);
        match op {
            "(_ /\\ _)" => return Ok(Value::Bool(truth(0)? && truth(1)?)),
            "(_ \\/ _)" => return Ok(Value::Bool(truth(0)? || truth(1)?)),
            "(_ => _)" => return Ok(Value::Bool(!truth(0)? || truth(1)?)),
            "(IF _ THEN _ ELSE _)" => {
                return self.value(&operands[if truth(0)? { 1 } else { 2 }], env);
            }
            _ => {}
        }
        let given: Vec<Value> = operands.iter().map(|e| self.value(e, env)).collect::<Found<_>>()?;
        let number = |at: usize| int(&given[at]);
        let members = |at: usize| set(given[at].clone());
        let flag = Value::Bool;
        let part = |key: Value| match &given[0] {
            Value::Fun(entries) => entries.get(&key).cloned().ok_or(Fault),
            other => panic!("a function is generated here, not {other:?}"),
        };
        Ok(match op {
            "(~_)" => flag(given[0] == flag(false)),
            "(_ <=> _)" | "(_ = _)" => flag(given[0] == given[1]),
            "(_ # _)" => flag(given[0] != given[1]),
            "(_ > 0)" => flag(number(0) > 0),
            "(_ < _)" => flag(number(0) < number(1)),
            "(_ <= _)" => flag(number(0) <= number(1)),
            "(_ >= _)" => flag(number(0) >= number(1)),
            "(_ \\in _)" => flag(members(1).contains(&given[0])),
            "(_ \\notin _)" => flag(!members(1).contains(&given[0])),
            "(_ \\subseteq _)" => flag(members(0).is_subset(&members(1))),
            "(_ \\in [Few -> BOOLEAN])" => {
                flag(elements(&given[0])?.iter().all(|value| matches!(value, Value::Bool(_))))
            }
            "(-_)" => Value::Int(-number(0)),
            "(_ + _)" => Value::Int(number(0) + number(1)),
            "(_ - _)" => Value::Int(number(0) - number(1)),
            "(_ * _)" => Value::Int(number(0) * number(1)),
            // a = b * q + r and 0 <= r < b.
            "(_ \\div _)" | "(_ % _)" if number(1) < 1 => return Err(Fault),
            "(_ \\div _)" => Value::Int(number(0).div_euclid(number(1))),
            "(_ % _)" => Value::Int(number(0).rem_euclid(number(1))),
            "Cardinality(_)" => Value::Int(i64::try_from(members(0).len()).expect("a small set")),
            "(_ \\cup _)" => Value::Set(members(0).union(&members(1)).cloned().collect()),
            "(_ \\cap _)" => Value::Set(members(0).intersection(&members(1)).cloned().collect()),
            "(_ \\ _)" => Value::Set(members(0).difference(&members(1)).cloned().collect()),
            "(_.._)" => Value::Set((number(0)..=number(1)).map(Value::Int).collect()),
            "(SUBSET _)" => Value::Set(subsets(members(0))),
            "BOOLEAN" => Value::Set(all_of(&Sort::Bool)),
            "[Few -> BOOLEAN]" => Value::Set(all_of(&Sort::Fun(Box::new(Sort::Bool)))),
            "[Few -> 0..3]" => Value::Set(all_of(&Sort::Fun(Box::new(Sort::Int)))),
            "(_ \\X _)" => Value::Set(pairs(&members(0), &members(1))),
            "DOMAIN _" => match &given[0] {
                Value::Fun(entries) => Value::Set(entries.keys().cloned().collect()),
                other => panic!("a function is generated here, not {other:?}"),
            },
            "_[_]" => part(given[1].clone())?,
            "(_).n" => part(word("n"))?,
            "(_).on" => part(word("on"))?,
            "[n |-> _, on |-> _]" => {
                Value::Fun([(word("n"), given[0].clone()), (word("on"), given[1].clone())].into())
            }
            "(\"a\" :> _ @@ \"b\" :> _)" => {
                Value::Fun([(word("a"), given[0].clone()), (word("b"), given[1].clone())].into())
            }
            "Len(_)" => Value::Int(i64::try_from(elements(&given[0])?.len()).expect("a short one")),
            "Head(_)" => elements(&given[0])?.first().cloned().ok_or(Fault)?,
            "Tail(_)" => match &elements(&given[0])?[..] {
                [] => return Err(Fault),
                [_, rest @ ..] => sequence(rest.to_vec()),
            },
            "Append(_, _)" => sequence([elements(&given[0])?, vec![given[1].clone()]].concat()),
            "(_ \\o <<_>>)" => sequence([elements(&given[0])?, vec![given[1].clone()]].concat()),
            op => panic!("no meaning of {op}"),
        })
    }
}

/// The ways to continue a state that is known in part, and those without a value.
#[derive(Default)]
struct Ways {
    found: Vec<State>,
    faults: usize,
}

impl Ways {
    fn add(&mut self, other: Self) {
        self.found.extend(other.found);
        self.faults += other.faults;
    }
}

/// From left to right, as the values of variables are needed; `now` is `None` for initial states.
fn ways(spec: &Spec, act: &Act, now: Option<&State>, so_far: &State, env: &Link) -> Ways {
    let scene = Scene { spec, now: now.unwrap_or(so_far), next: now.map(|_| so_far) };
    let known = |variable: &str, values: Vec<Value>| {
        let with = |value: Value| match so_far.get(variable) {
            Some(old) => (*old == value).then(|| so_far.clone()),
            None => {
                let mut state = so_far.clone();
                state.insert(variable.to_owned(), value);
                Some(state)
            }
        };
        Ways { found: values.into_iter().filter_map(with).collect(), faults: 0 }
    };
    let result = match act {
        Act::Is(formula) => scene
            .truth(formula, env)
            .map(|truth| Ways { found: if truth { vec![so_far.clone()] } else { Vec::new() }, faults: 0 }),
        Act::Gives(variable, value) => scene.value(value, env).map(|value| known(variable, vec![value])),
        Act::GivesAny(variable, domain) => {
            scene.value(domain, env).map(|domain| known(variable, set(domain).into_iter().collect()))
        }
        Act::Unchanged(variables) => {
            let mut state = Some(so_far.clone());
            for variable in variables {
                let old = now.expect("a step")[variable].clone();
                state = state.filter(|state| state.get(variable).is_none_or(|new| *new == old));
                state.iter_mut().for_each(|state| {
                    state.insert(variable.clone(), old.clone());
                });
            }
            Ok(Ways { found: state.into_iter().collect(), faults: 0 })
        }
        Act::And(parts) => {
            let mut all = Ways { found: vec![so_far.clone()], faults: 0 };
            for part in parts {
                let before = std::mem::take(&mut all.found);
                before.iter().for_each(|state| all.add(ways(spec, part, now, state, env)));
            }
            Ok(all)
        }
        Act::Or(parts) => {
            let mut all = Ways::default();
            parts.iter().for_each(|part| all.add(ways(spec, part, now, so_far, env)));
            Ok(all)
        }
        Act::If(condition, then, other) => scene
            .truth(condition, env)
            .map(|truth| ways(spec, if truth { then } else { other }, now, so_far, env)),
        Act::Exists(name, domain, body) => scene.value(domain, env).map(|domain| {
            let mut all = Ways::default();
            for member in set(domain) {
                all.add(ways(spec, body, now, so_far, &bind(env, name, Ok(member))));
            }
            all
        }),
        Act::Let(name, value, body) => {
            Ok(ways(spec, body, now, so_far, &bind(env, name, scene.value(value, env))))
        }
        Act::Call(name, args) => {
            let (_, params, body) = spec.actions.iter().find(|(own, ..)| own == name).expect("defined");
            let inner = params
                .iter()
                .zip(args)
                .fold(Link(None), |inner, (param, arg)| bind(&inner, param, scene.value(arg, env)));
            Ok(ways(spec, body, now, so_far, &inner))
        }
    };
    result.unwrap_or(Ways { found: Vec::new(), faults: 1 })
}

/// The shortest numbers of steps to a violation.
#[derive(Debug, Default)]
pub struct Answers {
    pub states: usize,
    /// For each invariant, the property of steps, and deadlock, by name.
    pub depths: BTreeMap<String, Option<usize>>,
    /// The invariants and properties that have no value somewhere.
    pub unknown: BTreeSet<String>,
    /// The least number of steps to a state where a step has no value.
    pub fault: Option<usize>,
}

fn least(slot: &mut Option<usize>, depth: usize) {
    *slot = Some(slot.map_or(depth, |old| old.min(depth)));
}

impl Answers {
    /// Takes the value of an invariant in a state; without a value it is violated.
    fn judge(&mut self, name: &str, truth: Found<bool>, depth: usize) {
        if truth.is_err() {
            self.unknown.insert(name.to_owned());
        }
        if truth != Ok(true) {
            least(self.depths.get_mut(name).expect("a name of a property"), depth);
        }
    }
}

/// Goes through all states; `None` if there are more than `most`.
pub fn explore(spec: &Spec, most: usize) -> Option<Answers> {
    let none = Link(None);
    let first = ways(spec, &Act::And(spec.init.clone()), None, &State::new(), &none);
    let mut answers = Answers::default();
    if first.faults > 0 {
        answers.fault = Some(0);
    }
    let mut seen = BTreeSet::new();
    let mut open: VecDeque<(State, usize)> = VecDeque::new();
    for state in first.found {
        if seen.insert(state.clone()) {
            open.push_back((state, 0));
        }
    }
    let names = spec.invariants.iter().map(|(name, _)| name.as_str());
    let names = names.chain(spec.steps.as_ref().map(|_| "Steps")).chain(["no_deadlock"]);
    answers.depths = names.map(|name| (name.to_owned(), None)).collect();
    while let Some((state, depth)) = open.pop_front() {
        if seen.len() > most {
            return None;
        }
        let scene = Scene { spec, now: &state, next: None };
        for (name, formula) in &spec.invariants {
            answers.judge(name, scene.truth(formula, &none), depth);
        }
        if answers.depths["TypeOK"].is_some() {
            // Values beyond their bounds may have no end.
            continue;
        }
        if let Some(formula) = &spec.constraint {
            match scene.truth(formula, &none) {
                Ok(true) => {}
                Ok(false) => continue,
                Err(Fault) => {
                    least(&mut answers.fault, depth);
                    continue;
                }
            }
        }
        let after = ways(spec, &Act::Or(spec.next.clone()), Some(&state), &State::new(), &none);
        if after.faults > 0 {
            least(&mut answers.fault, depth);
        }
        let moves = !after.found.is_empty() || after.faults > 0;
        answers.judge("no_deadlock", Ok(moves), depth);
        for next in after.found {
            assert_eq!(next.len(), spec.variables.len(), "each variable has a value");
            if let Some(formula) = &spec.steps {
                let scene = Scene { spec, now: &state, next: Some(&next) };
                if next != state {
                    answers.judge("Steps", scene.truth(formula, &none), depth);
                }
            }
            if seen.insert(next.clone()) {
                open.push_back((next, depth + 1));
            }
        }
    }
    answers.states = seen.len();
    Some(answers)
}
