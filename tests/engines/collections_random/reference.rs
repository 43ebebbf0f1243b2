//! What terms about collections mean, after the reference of the language: vectors, multisets as vectors in order, sets.

use std::collections::BTreeSet;
use std::fmt;

/// A value.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Val {
    None,
    Bool(bool),
    Int(i64),
    /// A value of the enumeration, `A` to `C`.
    Enum(usize),
    /// Ascending.
    Bag(Vec<Val>),
    Seq(Vec<Val>),
    Set(BTreeSet<Val>),
    Record(Vec<Val>),
    /// Of the variant: the constructor with its payload.
    Variant(usize, Vec<Val>),
    /// An entry for each value of the enumeration.
    Map(Vec<Val>),
}

/// A kind of collection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Seq,
    Bag,
    Set,
    /// A set without a limit.
    Plain,
}

/// A declared type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decl {
    Bool,
    Int(i64, i64),
    Enum,
    Collection(Kind, Box<Decl>, usize),
    Option(Box<Decl>),
    /// A record with this name.
    Record(&'static str, Vec<(&'static str, Decl)>),
    /// The variant with this name and these constructors.
    Variant(&'static str, Vec<(&'static str, Vec<(&'static str, Decl)>)>),
    /// A map from the enumeration.
    Map(Box<Decl>),
}

/// The names of the values of the enumeration.
pub const NAMES: [&str; 3] = ["A", "B", "C"];

/// A term.
#[derive(Debug, Clone)]
pub enum Term {
    /// A variable.
    Var(usize, &'static str),
    /// A bound name.
    Name(String),
    Const(Val),
    /// A literal, in a place that says its type.
    Literal(Kind, Vec<Term>),
    /// An operation that is written like a call.
    Call(&'static str, Vec<Term>),
    /// A call of a definition, whose parameters are names.
    Defined(Box<Definition>, Vec<Term>),
    Infix(&'static str, Box<Term>, Box<Term>),
    Not(Box<Term>),
    IsNone(Box<Term>),
    If(Box<Term>, Box<Term>, Box<Term>),
    Let(String, Box<Term>, Box<Term>),
    /// `forall`, `exists`, `sum`, `count`, `min`, `max`, or `filter`.
    Over(&'static str, Vec<String>, Box<Term>, Box<Term>),
    Index(Box<Term>, Box<Term>),
    Field(Box<Term>, usize, &'static str),
    /// A record of the type with this name.
    Record(&'static str, Vec<(&'static str, Term)>),
    With(Box<Term>, usize, &'static str, Box<Term>),
    /// `map x in E: e`.
    MapOf(String, Box<Term>),
    /// A value of the variant.
    Constructed(usize, &'static str, Vec<(&'static str, Term)>),
    /// `match v { X(g) => a, Y => b }` of the variant's first field.
    Match(Box<Term>, String, Box<Term>, Box<Term>),
}

/// A definition.
#[derive(Debug, Clone)]
pub struct Definition {
    pub name: &'static str,
    pub params: Vec<(&'static str, Decl)>,
    pub result: Decl,
    pub body: Term,
}

/// What names and variables stand for.
#[derive(Clone)]
pub struct Env<'s> {
    pub state: &'s [Val],
    pub names: Vec<(String, Val)>,
}

impl Env<'_> {
    fn with(&self, name: &str, value: Val) -> Self {
        let mut env = self.clone();
        env.names.push((name.to_owned(), value));
        env
    }
}

impl Val {
    pub fn is_true(&self) -> bool {
        *self == Val::Bool(true)
    }

    /// The elements of a collection in order.
    pub fn elements(&self) -> Vec<Val> {
        match self {
            Val::Bag(list) | Val::Seq(list) => list.clone(),
            Val::Set(members) => members.iter().cloned().collect(),
            _ => panic!("{self:?} is no collection"),
        }
    }

    /// A collection of the same kind.
    fn like(&self, mut elements: Vec<Val>) -> Val {
        match self {
            Val::Seq(_) => Val::Seq(elements),
            Val::Bag(_) => {
                elements.sort();
                Val::Bag(elements)
            }
            _ => Val::Set(elements.into_iter().collect()),
        }
    }

    fn number(&self) -> i64 {
        match self {
            Val::Int(n) => *n,
            _ => panic!("{self:?} is no number"),
        }
    }

    /// Whether a value occurs in it.
    fn has(&self, part: &Val) -> bool {
        self == part
            || match self {
                Val::Bag(list)
                | Val::Seq(list)
                | Val::Record(list)
                | Val::Map(list)
                | Val::Variant(_, list) => list.iter().any(|inner| inner.has(part)),
                Val::Set(members) => members.iter().any(|inner| inner.has(part)),
                _ => false,
            }
    }

    /// Whether it can be stored in a place of a type.
    pub fn fits(&self, decl: &Decl) -> bool {
        match (self, decl) {
            (Val::None, Decl::Option(_)) => true,
            (_, Decl::Option(inner)) => self.fits(inner),
            (Val::Bool(_), Decl::Bool) | (Val::Enum(_), Decl::Enum) => true,
            (Val::Int(n), Decl::Int(lo, hi)) => lo <= n && n <= hi,
            (Val::Bag(_) | Val::Seq(_) | Val::Set(_), Decl::Collection(kind, element, most)) => {
                let elements = self.elements();
                (*kind == Kind::Plain || elements.len() <= *most) && elements.iter().all(|e| e.fits(element))
            }
            (Val::Record(values), Decl::Record(_, fields)) => {
                values.iter().zip(fields).all(|(value, (_, decl))| value.fits(decl))
            }
            (Val::Variant(at, values), Decl::Variant(_, constructors)) => {
                values.iter().zip(&constructors[*at].1).all(|(value, (_, decl))| value.fits(decl))
            }
            (Val::Map(values), Decl::Map(decl)) => values.iter().all(|value| value.fits(decl)),
            _ => panic!("{self:?} is no {decl}"),
        }
    }
}

impl Decl {
    /// All values.
    pub fn values(&self) -> Vec<Val> {
        match self {
            Decl::Bool => vec![Val::Bool(false), Val::Bool(true)],
            Decl::Int(lo, hi) => (*lo..=*hi).map(Val::Int).collect(),
            Decl::Enum => (0..NAMES.len()).map(Val::Enum).collect(),
            Decl::Collection(kind, element, most) => {
                let elements = element.values();
                let most = if *kind == Kind::Plain { elements.len() } else { *most };
                let mut all = BTreeSet::new();
                let mut rows = vec![Vec::new()];
                for _ in 0..=most {
                    all.extend(rows.iter().map(|row: &Vec<Val>| kind.of(row.clone())));
                    rows = rows
                        .iter()
                        .flat_map(|row| {
                            elements.iter().map(|e| [row.as_slice(), std::slice::from_ref(e)].concat())
                        })
                        .collect();
                }
                all.into_iter().collect()
            }
            Decl::Option(inner) => std::iter::once(Val::None).chain(inner.values()).collect(),
            Decl::Record(_, fields) => product(fields).into_iter().map(Val::Record).collect(),
            Decl::Variant(_, constructors) => {
                let of = |(at, (_, fields)): (usize, &(_, Vec<_>))| {
                    product(fields).into_iter().map(move |row| Val::Variant(at, row)).collect::<Vec<_>>()
                };
                constructors.iter().enumerate().flat_map(of).collect()
            }
            Decl::Map(decl) => {
                let entries = NAMES.map(|name| (name, (**decl).clone()));
                product(&entries).into_iter().map(Val::Map).collect()
            }
        }
    }
}

fn product(fields: &[(&'static str, Decl)]) -> Vec<Vec<Val>> {
    fields.iter().fold(vec![Vec::new()], |rows, (_, decl)| {
        let values = decl.values();
        rows.iter()
            .flat_map(|row| values.iter().map(|v| [row.as_slice(), std::slice::from_ref(v)].concat()))
            .collect()
    })
}

impl Kind {
    /// The collection with these elements.
    pub fn of(self, elements: Vec<Val>) -> Val {
        match self {
            Kind::Seq => Val::Seq(elements),
            Kind::Bag => Val::Bag(Vec::new()).like(elements),
            Kind::Set | Kind::Plain => Val::Set(elements.into_iter().collect()),
        }
    }
}

impl Term {
    /// Its value.
    pub fn value(&self, env: &Env<'_>) -> Val {
        match self {
            Term::Var(at, _) => env.state[*at].clone(),
            Term::Name(name) => {
                let found = env.names.iter().rev().find(|(known, _)| known == name);
                found.unwrap_or_else(|| panic!("{name} is not bound")).1.clone()
            }
            Term::Const(value) => value.clone(),
            Term::Literal(kind, elements) => kind.of(elements.iter().map(|e| e.value(env)).collect()),
            Term::Call(name, args) => call(name, args.iter().map(|arg| arg.value(env)).collect()),
            Term::Defined(definition, args) => {
                let given = definition.params.iter().zip(args);
                let names = given.map(|((name, _), arg)| ((*name).to_owned(), arg.value(env))).collect();
                definition.body.value(&Env { state: env.state, names })
            }
            Term::Infix(op, a, b) => infix(op, a.value(env), || b.value(env)),
            Term::Not(a) => Val::Bool(!a.value(env).is_true()),
            Term::IsNone(a) => Val::Bool(a.value(env) == Val::None),
            Term::If(c, a, b) => if c.value(env).is_true() { a } else { b }.value(env),
            Term::Let(name, a, b) => b.value(&env.with(name, a.value(env))),
            Term::Over(what, names, of, body) => over(what, names, &of.value(env), body, env),
            Term::Index(of, at) => match (of.value(env), at.value(env)) {
                (Val::Map(entries), Val::Enum(at)) => entries[at].clone(),
                (of, Val::Int(at)) => {
                    let found = usize::try_from(at).ok().and_then(|at| of.elements().get(at).cloned());
                    found.unwrap_or(Val::None)
                }
                (of, at) => panic!("{of:?}[{at:?}]"),
            },
            Term::Field(of, at, _) => match of.value(env) {
                Val::Record(fields) => fields[*at].clone(),
                of => panic!("a field of {of:?}"),
            },
            Term::Record(_, fields) => Val::Record(fields.iter().map(|(_, e)| e.value(env)).collect()),
            Term::With(of, at, _, e) => match of.value(env) {
                Val::Record(mut fields) => {
                    fields[*at] = e.value(env);
                    Val::Record(fields)
                }
                of => panic!("a field of {of:?}"),
            },
            Term::MapOf(name, e) => {
                Val::Map((0..NAMES.len()).map(|at| e.value(&env.with(name, Val::Enum(at)))).collect())
            }
            Term::Constructed(at, _, fields) => {
                Val::Variant(*at, fields.iter().map(|(_, e)| e.value(env)).collect())
            }
            Term::Match(of, name, a, b) => match of.value(env) {
                Val::Variant(0, payload) => a.value(&env.with(name, payload[0].clone())),
                _ => b.value(env),
            },
        }
    }
}

fn call(name: &str, mut args: Vec<Val>) -> Val {
    let second = if args.len() > 1 { args.pop() } else { None };
    let of = args.remove(0);
    if let ("occurs", Some(whole)) = (name, &second) {
        return Val::Bool(whole.has(&of));
    }
    let mut elements = of.elements();
    match (name, second) {
        ("append" | "insert", Some(e)) => {
            elements.push(e);
            of.like(elements)
        }
        ("remove", Some(e)) => {
            if let Some(at) = elements.iter().position(|known| *known == e) {
                elements.remove(at);
            }
            of.like(elements)
        }
        ("prepend", Some(e)) => {
            elements.insert(0, e);
            of.like(elements)
        }
        ("concat", Some(more)) => {
            elements.extend(more.elements());
            of.like(elements)
        }
        ("remove_at", Some(Val::Int(at))) => {
            if let Some(at) = usize::try_from(at).ok().filter(|at| *at < elements.len()) {
                elements.remove(at);
            }
            of.like(elements)
        }
        ("pop", None) => {
            elements.pop();
            of.like(elements)
        }
        ("rest", None) => of.like(elements.into_iter().skip(1).collect()),
        ("first", None) => elements.first().cloned().unwrap_or(Val::None),
        ("last", None) => elements.last().cloned().unwrap_or(Val::None),
        ("size" | "length", None) => Val::Int(elements.len() as i64),
        _ => panic!("no operation {name}"),
    }
}

fn infix(op: &str, a: Val, b: impl FnOnce() -> Val) -> Val {
    let sets = |a: Val, b: Val| match (a, b) {
        (Val::Set(a), Val::Set(b)) => (a, b),
        (a, b) => panic!("{a:?} and {b:?}"),
    };
    match op {
        "and" => Val::Bool(a.is_true() && b().is_true()),
        "or" => Val::Bool(a.is_true() || b().is_true()),
        "=" => Val::Bool(a == b()),
        "!=" => Val::Bool(a != b()),
        "<" => Val::Bool(a.number() < b().number()),
        "+" => Val::Int(a.number() + b().number()),
        "in" => Val::Bool(b().elements().contains(&a)),
        "otherwise" if a == Val::None => b(),
        "otherwise" => a,
        "union" | "minus" | "intersect" | "subset" => {
            let (a, b) = sets(a, b());
            match op {
                "union" => Val::Set(&a | &b),
                "minus" => Val::Set(&a - &b),
                "intersect" => Val::Set(&a & &b),
                _ => Val::Bool(a.is_subset(&b)),
            }
        }
        _ => panic!("no operator {op}"),
    }
}

fn over(what: &str, names: &[String], of: &Val, body: &Term, env: &Env<'_>) -> Val {
    let elements = of.elements();
    let mut envs = vec![env.clone()];
    for name in names {
        envs = envs.iter().flat_map(|env| elements.iter().map(|e| env.with(name, e.clone()))).collect();
    }
    let values: Vec<Val> = envs.iter().map(|env| body.value(env)).collect();
    match what {
        "forall" => Val::Bool(values.iter().all(Val::is_true)),
        "exists" => Val::Bool(values.iter().any(Val::is_true)),
        "count" => Val::Int(values.iter().filter(|value| value.is_true()).count() as i64),
        "sum" => Val::Int(values.iter().map(Val::number).sum()),
        "min" => values.into_iter().min().unwrap_or(Val::None),
        "max" => values.into_iter().max().unwrap_or(Val::None),
        "filter" => {
            let kept = elements.iter().zip(&values).filter(|(_, kept)| kept.is_true());
            of.like(kept.map(|(e, _)| e.clone()).collect())
        }
        _ => panic!("no form {what}"),
    }
}

fn list<T: fmt::Display>(parts: impl Iterator<Item = T>) -> String {
    parts.map(|part| part.to_string()).collect::<Vec<_>>().join(", ")
}

fn given<T: fmt::Display>(fields: &[(&str, T)]) -> String {
    list(fields.iter().map(|(name, e)| format!("{name}: {e}")))
}

impl fmt::Display for Decl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Decl::Bool => write!(f, "bool"),
            Decl::Int(lo, hi) => write!(f, "{lo}..{hi}"),
            Decl::Enum => write!(f, "E"),
            Decl::Collection(Kind::Plain, element, _) => write!(f, "set of {element}"),
            // A name of the type of the elements, whose own `max` would come first.
            Decl::Collection(kind, element, most) if matches!(**element, Decl::Collection(..)) => {
                write!(f, "{} of Inner max {most}", kind.word())
            }
            Decl::Collection(kind, element, most) => write!(f, "{} of {element} max {most}", kind.word()),
            Decl::Option(inner) => write!(f, "option {inner}"),
            Decl::Record(name, _) | Decl::Variant(name, _) => write!(f, "{name}"),
            Decl::Map(decl) => write!(f, "map E to {decl}"),
        }
    }
}

impl Kind {
    fn word(self) -> &'static str {
        match self {
            Kind::Seq => "seq",
            Kind::Bag => "bag",
            Kind::Set | Kind::Plain => "set",
        }
    }
}

impl fmt::Display for Val {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Val::None => write!(f, "none"),
            Val::Bool(b) => write!(f, "{b}"),
            Val::Int(n) => write!(f, "{n}"),
            Val::Enum(at) => write!(f, "{}", NAMES[*at]),
            Val::Seq(elements) => write!(f, "[{}]", list(elements.iter())),
            Val::Bag(elements) => write!(f, "{{{}}}", list(elements.iter())),
            Val::Set(elements) => write!(f, "{{{}}}", list(elements.iter())),
            // Other values are not written as constants.
            Val::Record(_) | Val::Variant(..) | Val::Map(_) => write!(f, "{self:?}"),
        }
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Term::Var(_, name) => write!(f, "{name}"),
            Term::Name(name) => write!(f, "{name}"),
            Term::Const(value) => write!(f, "{value}"),
            Term::Literal(Kind::Seq, elements) => write!(f, "[{}]", list(elements.iter())),
            Term::Literal(_, elements) => write!(f, "{{ {} }}", list(elements.iter())),
            Term::Call(name, args) => write!(f, "{name}({})", list(args.iter())),
            Term::Defined(definition, args) => write!(f, "{}({})", definition.name, list(args.iter())),
            Term::Infix(op, a, b) => write!(f, "({a} {op} {b})"),
            Term::Not(a) => write!(f, "(not {a})"),
            Term::IsNone(a) => write!(f, "({a} is none)"),
            Term::If(c, a, b) => write!(f, "(if {c} then {a} else {b})"),
            Term::Let(name, a, b) => write!(f, "(let {name} = ({a}) in {b})"),
            Term::Over("filter", names, of, body) => write!(f, "{{ {} in {of} : {body} }}", names[0]),
            Term::Over(what, names, of, body) => write!(f, "({what} {} in {of}: {body})", names.join(", ")),
            Term::Index(of, at) => write!(f, "({of})[{at}]"),
            Term::Field(of, _, name) => write!(f, "({of}).{name}"),
            Term::Record(name, fields) => write!(f, "{name}({})", given(fields)),
            Term::With(of, _, name, e) => write!(f, "(({of}) with ({name}: {e}))"),
            Term::MapOf(name, e) => write!(f, "(map {name} in E: {e})"),
            Term::Constructed(_, name, fields) if fields.is_empty() => write!(f, "{name}"),
            Term::Constructed(_, name, fields) => write!(f, "{name}({})", given(fields)),
            Term::Match(of, name, a, b) => write!(f, "(match {of} {{ X(g: {name}) => {a}, Y => {b} }})"),
        }
    }
}

impl fmt::Display for Definition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Definition { name, params, result, body } = self;
        write!(f, "def {name}({}): {result} = {body};", given(params))
    }
}
