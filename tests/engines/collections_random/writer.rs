//! Random models about collections that exceed their limits.

use super::reference::{Decl, Definition, Kind, NAMES, Term, Val};
use crate::random::Random;

/// What a term is, limits apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    Bool,
    Int,
    Enum,
    Pair,
    /// A small set of truth values.
    Inner,
    /// A collection of elements of the model's one kind.
    Of(Kind),
}

/// Something that an action assigns.
pub enum Target {
    Whole,
    Field(usize, &'static str),
    Entry(Term),
}

/// How a variable gets its new value.
pub struct Assigned {
    pub var: usize,
    pub target: Target,
    /// The value; of several, one of them.
    pub values: Vec<Term>,
    /// Whether it is said by `constrain` of a variable that is left free.
    pub constrained: bool,
}

/// An action of at most one parameter, an element.
pub struct Action {
    pub name: String,
    pub param: bool,
    pub require: Term,
    pub assigned: Vec<Assigned>,
}

/// A random model.
pub struct Written {
    pub element: Decl,
    pub vars: Vec<(&'static str, Decl)>,
    pub definitions: Vec<Definition>,
    /// For each variable what it equals at first, if that is said.
    pub init: Vec<Option<Term>>,
    pub actions: Vec<Action>,
    pub good: Term,
    pub text: String,
}

/// The most combinations of values that initial states leave open.
const MOST_FIRST: usize = 60;

/// Writes terms of one model.
pub struct Writer {
    pub rng: Random,
    element: Decl,
    shape: Shape,
    vars: Vec<(&'static str, Decl)>,
    definitions: Vec<Definition>,
    /// Names that are bound around, with what they are.
    bound: Vec<(String, Shape)>,
    names: usize,
}

fn inner() -> Decl {
    Decl::Collection(Kind::Set, Box::new(Decl::Bool), 1)
}

fn boxed(a: Term, b: Term) -> (Box<Term>, Box<Term>) {
    (Box::new(a), Box::new(b))
}

fn infix(op: &'static str, a: Term, b: Term) -> Term {
    let (a, b) = boxed(a, b);
    Term::Infix(op, a, b)
}

impl Writer {
    pub fn new(seed: u64) -> Self {
        let mut rng = Random::new(seed);
        let pair = Decl::Record("Pair", vec![("e", Decl::Bool), ("k", Decl::Int(0, 1))]);
        let choices = [
            (Decl::Enum, Shape::Enum),
            (Decl::Enum, Shape::Enum),
            (Decl::Int(0, 2), Shape::Int),
            (Decl::Bool, Shape::Bool),
            (pair, Shape::Pair),
            (inner(), Shape::Inner),
        ];
        let (element, shape) = rng.pick(&choices).clone();
        let mut writer = Self {
            rng,
            element,
            shape,
            vars: Vec::new(),
            definitions: Vec::new(),
            bound: Vec::new(),
            names: 0,
        };
        writer.vars = writer.variables();
        writer.definitions = writer.defined();
        writer
    }

    fn of(&mut self, kind: Kind) -> Decl {
        let most = 1 + self.rng.below(2);
        Decl::Collection(kind, Box::new(self.element.clone()), most)
    }

    fn kind(&mut self) -> Kind {
        *self.rng.pick(&[Kind::Seq, Kind::Bag, Kind::Set, Kind::Set])
    }

    fn variables(&mut self) -> Vec<(&'static str, Decl)> {
        let (f, g, w) = (self.kind(), self.kind(), self.kind());
        let one = |kind: Kind, element: &Decl| Decl::Collection(kind, Box::new(element.clone()), 1);
        let element = self.element.clone();
        let first = self.kind();
        let mut all = vec![("s", self.of(Kind::Set)), ("t", self.of(Kind::Set)), ("x", self.of(first))];
        if first == Kind::Set {
            all.remove(1);
        }
        let others = [
            ("b", self.of(Kind::Bag)),
            ("q", self.of(Kind::Seq)),
            ("n", Decl::Int(0, 3)),
            ("r", Decl::Record("R", vec![("f", one(f, &element)), ("n", Decl::Int(0, 1))])),
            ("v", Decl::Variant("V", vec![("X", vec![("g", one(g, &element))]), ("Y", vec![])])),
            ("w", Decl::Map(Box::new(one(w, &element)))),
            ("o", Decl::Option(Box::new(self.of(Kind::Bag)))),
            ("p", Decl::Collection(Kind::Plain, Box::new(element.clone()), 0)),
        ];
        let mut others: Vec<_> = others.into_iter().collect();
        if matches!(self.shape, Shape::Pair) {
            others.retain(|(name, _)| *name != "w");
        }
        self.rng.shuffle(&mut others);
        all.extend(others.into_iter().take(1 + self.rng.below(2)));
        all
    }

    fn defined(&mut self) -> Vec<Definition> {
        let element = self.element.clone();
        let most = 1 + self.rng.below(2);
        let of = |kind, most| Decl::Collection(kind, Box::new(element.clone()), most);
        let name = |name: &str| Term::Name(name.to_owned());
        let one = |called, kind, result: usize, op| Definition {
            name: called,
            params: vec![("c", of(kind, 1)), ("e", element.clone())],
            result: of(kind, result),
            body: Term::Call(op, vec![name("c"), name("e")]),
        };
        let same = |called, kind| Definition {
            name: called,
            params: vec![("c", of(kind, most))],
            result: of(kind, most),
            body: name("c"),
        };
        vec![
            one("put_seq", Kind::Seq, 2, "append"),
            one("put_bag", Kind::Bag, 1, "insert"),
            one("put_set", Kind::Set, 1, "insert"),
            same("the_seq", Kind::Seq),
            same("the_bag", Kind::Bag),
            same("the_set", Kind::Set),
            Definition {
                name: "inner",
                params: vec![("c", inner())],
                result: inner(),
                body: Term::Name("c".into()),
            },
        ]
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("v{}", self.names)
    }

    fn under<T>(&mut self, names: &[String], shape: Shape, write: impl FnOnce(&mut Self) -> T) -> T {
        let depth = self.bound.len();
        self.bound.extend(names.iter().map(|name| (name.clone(), shape)));
        let written = write(self);
        self.bound.truncate(depth);
        written
    }

    fn calling(&self, name: &str, args: Vec<Term>) -> Term {
        let found = self.definitions.iter().find(|definition| definition.name == name).expect("a definition");
        Term::Defined(Box::new(found.clone()), args)
    }

    /// A bound name of a shape.
    fn known(&mut self, shape: Shape) -> Option<Term> {
        let fitting: Vec<&String> = self.bound.iter().filter(|b| b.1 == shape).map(|b| &b.0).collect();
        let count = fitting.len();
        (count > 0).then(|| Term::Name(fitting[self.rng.below(count)].clone()))
    }

    pub fn term(&mut self, shape: Shape, depth: usize) -> Term {
        if self.rng.percent(30)
            && let Some(known) = self.known(shape)
        {
            return known;
        }
        match shape {
            Shape::Bool => self.truth(depth),
            Shape::Int => self.int(depth),
            Shape::Enum => self.scalar(depth),
            Shape::Pair => self.pair(depth),
            Shape::Inner => self.inner(depth),
            Shape::Of(kind) => self.collection(kind, depth),
        }
    }

    fn element(&mut self, depth: usize) -> Term {
        match (depth, self.shape) {
            (0, Shape::Bool) => Term::Const(Val::Bool(self.rng.percent(50))),
            (0, Shape::Pair) => {
                let (e, k) = (Val::Bool(self.rng.percent(50)), Val::Int(self.rng.below(3) as i64));
                Term::Record("Pair", vec![("e", Term::Const(e)), ("k", Term::Const(k))])
            }
            _ => self.term(self.shape, depth),
        }
    }

    /// A value that is often `none`, with a default.
    fn element_of(&mut self, depth: usize, default: Term) -> Option<Term> {
        let ordered = matches!(self.shape, Shape::Bool | Shape::Int | Shape::Enum);
        let kind = if ordered { self.kind() } else { Kind::Seq };
        let of = self.collection(kind, depth);
        let found = match (kind, self.rng.below(3)) {
            (Kind::Seq, 0) => Term::Call(["first", "last"][self.rng.below(2)], vec![of]),
            (_, 1) if matches!(self.shape, Shape::Int | Shape::Enum) => {
                let name = self.name();
                let body = Box::new(Term::Name(name.clone()));
                Term::Over(["min", "max"][self.rng.below(2)], vec![name], Box::new(of), body)
            }
            _ => Term::Index(Box::new(of), Box::new(Term::Const(Val::Int(self.rng.below(4) as i64)))),
        };
        Some(infix("otherwise", found, default))
    }

    fn scalar(&mut self, depth: usize) -> Term {
        let constant = Term::Const(Val::Enum(self.rng.below(NAMES.len())));
        match self.rng.below(4) {
            0 if depth > 0 && self.shape == Shape::Enum => {
                self.element_of(depth - 1, constant).expect("an element")
            }
            _ => constant,
        }
    }

    fn int(&mut self, depth: usize) -> Term {
        let constant = Term::Const(Val::Int(self.rng.below(4) as i64));
        if depth == 0 {
            return constant;
        }
        let d = depth - 1;
        match self.rng.below(7) {
            0 => constant,
            1 => infix("+", self.int(d), Term::Const(Val::Int(1))),
            2 if self.shape == Shape::Int => self.element_of(d, constant).expect("an element"),
            2 | 3 => {
                let kind = self.kind();
                Term::Call("size", vec![self.collection(kind, d)])
            }
            4 | 5 => {
                let kind = self.kind();
                let (of, name) = (Box::new(self.collection(kind, d)), self.name());
                let names = if self.rng.percent(30) { vec![name, self.name()] } else { vec![name] };
                match self.rng.below(2) {
                    0 => {
                        let body = self.under(&names, self.shape, |w| w.truth(d.min(1)));
                        Term::Over("count", names, of, Box::new(body))
                    }
                    _ => {
                        let body = self.under(&names, self.shape, |w| w.int(d.min(1)));
                        Term::Over("sum", names, of, Box::new(body))
                    }
                }
            }
            _ => match self.vars.iter().position(|(name, _)| *name == "n") {
                Some(at) => Term::Var(at, "n"),
                None => constant,
            },
        }
    }

    fn pair(&mut self, depth: usize) -> Term {
        if depth == 0 {
            return self.element(0);
        }
        let d = depth - 1;
        let made = Term::Record("Pair", vec![("e", self.truth(d.min(1))), ("k", self.int(d.min(1)))]);
        match self.rng.below(3) {
            0 => self.element_of(d, made).expect("an element"),
            _ => made,
        }
    }

    /// A small set of truth values.
    fn inner(&mut self, depth: usize) -> Term {
        let count = self.rng.below(3);
        let elements = (0..count).map(|_| Term::Const(Val::Bool(self.rng.percent(50)))).collect();
        let literal = self.calling("inner", vec![Term::Literal(Kind::Set, elements)]);
        if depth == 0 {
            return literal;
        }
        let d = depth - 1;
        match self.rng.below(6) {
            0 => Term::Call("insert", vec![self.inner(d), self.truth(d.min(1))]),
            1 => Term::Call("remove", vec![self.inner(d), self.truth(d.min(1))]),
            2 => infix(["union", "minus", "intersect"][self.rng.below(3)], self.inner(d), self.inner(d)),
            3 | 4 if self.shape == Shape::Inner => self.element_of(d, literal).expect("an element"),
            _ => literal,
        }
    }

    /// A variable, a part of one, or a literal, of a kind of collections.
    fn place(&mut self, kind: Kind) -> Term {
        let is = |decl: &Decl| matches!(decl, Decl::Collection(k, _, _) if *k == kind);
        let mut found = Vec::new();
        for (at, (name, decl)) in self.vars.iter().enumerate() {
            let var = Term::Var(at, name);
            match decl {
                decl if is(decl) => found.push(var),
                Decl::Record(_, fields) if is(&fields[0].1) => found.push(Term::Field(Box::new(var), 0, "f")),
                Decl::Map(entry) if is(entry) => {
                    let key = Box::new(Term::Const(Val::Enum(self.rng.below(NAMES.len()))));
                    found.push(Term::Index(Box::new(var), key));
                }
                _ => {}
            }
        }
        let literal = self.literal(kind, 3);
        match found.is_empty() || self.rng.percent(15) {
            true if kind == Kind::Plain => literal,
            true => self.calling(["the_seq", "the_bag", "the_set"][kind as usize], vec![literal]),
            false => self.rng.pick(&found).clone(),
        }
    }

    pub fn literal(&mut self, kind: Kind, most: usize) -> Term {
        let least = usize::from(kind == Kind::Plain);
        let count = least + self.rng.below(most + 1 - least);
        Term::Literal(kind, (0..count).map(|_| self.element(0)).collect())
    }

    pub fn collection(&mut self, kind: Kind, depth: usize) -> Term {
        if self.rng.percent(20)
            && let Some(known) = self.known(Shape::Of(kind))
        {
            return known;
        }
        if depth == 0 {
            return self.place(kind);
        }
        let d = depth - 1;
        match self.rng.below(13) {
            0 => self.place(kind),
            1 if kind != Kind::Plain => {
                let (of, name) = (Box::new(self.collection(kind, d)), vec![self.name()]);
                let body = self.under(&name, self.shape, |w| w.truth(d.min(1)));
                Term::Over("filter", name, of, Box::new(body))
            }
            2 => {
                let (a, b) = boxed(self.collection(kind, d), self.collection(kind, d));
                Term::If(Box::new(self.truth(d.min(1))), a, b)
            }
            3 => {
                let (name, other) = (self.name(), self.kind());
                let value = self.collection(other, d);
                let body =
                    self.under(std::slice::from_ref(&name), Shape::Of(other), |w| w.collection(kind, d));
                let (value, body) = boxed(value, body);
                Term::Let(name, value, body)
            }
            4 | 5 if matches!(kind, Kind::Set | Kind::Plain) => self.set(kind, d),
            6 | 7 if kind != Kind::Plain => self.part(kind, d),
            8 if kind != Kind::Plain => {
                let name = ["put_seq", "put_bag", "put_set"][kind as usize];
                let args = vec![self.collection(kind, d), self.element(d.min(1))];
                self.calling(name, args)
            }
            9 if kind == Kind::Seq => {
                Term::Call(["rest", "pop"][self.rng.below(2)], vec![self.collection(kind, d)])
            }
            10 if kind == Kind::Seq => match self.rng.below(3) {
                0 => Term::Call("prepend", vec![self.collection(kind, d), self.element(d.min(1))]),
                1 => Term::Call("concat", vec![self.collection(kind, d), self.literal(kind, 2)]),
                _ => Term::Call("concat", vec![self.collection(kind, d), self.collection(kind, d)]),
            },
            11 if kind != Kind::Plain && self.rng.percent(60) => {
                Term::Call("remove_at", vec![self.collection(kind, d), self.int(d.min(1))])
            }
            9 | 10 if kind != Kind::Plain => {
                Term::Call("remove", vec![self.collection(kind, d), self.element(d.min(1))])
            }
            _ if kind == Kind::Plain => self.set(kind, d),
            _ => {
                let name = if kind == Kind::Seq { "append" } else { "insert" };
                Term::Call(name, vec![self.collection(kind, d), self.element(d.min(1))])
            }
        }
    }

    /// A set operation whose result has a limit, or none.
    fn set(&mut self, kind: Kind, d: usize) -> Term {
        let plain = matches!(self.shape, Shape::Enum | Shape::Bool);
        let op = ["union", "union", "minus", "intersect"][self.rng.below(4)];
        let (mut a, mut b) = (Kind::Set, if plain && self.rng.percent(30) { Kind::Plain } else { Kind::Set });
        if kind == Kind::Plain {
            (a, b) = match op {
                "minus" => (Kind::Plain, Kind::Set),
                _ => (Kind::Plain, Kind::Plain),
            };
        } else if op != "minus" && self.rng.percent(50) {
            (a, b) = (b, a);
        }
        infix(op, self.collection(a, d), self.collection(b, d))
    }

    /// What is put into something and read from it again.
    fn part(&mut self, kind: Kind, d: usize) -> Term {
        let is = |decl: &Decl| matches!(decl, Decl::Collection(k, _, _) if *k == kind);
        let parts: Vec<(usize, &'static str, Decl)> =
            self.vars.iter().enumerate().map(|(at, (name, decl))| (at, *name, decl.clone())).collect();
        for (at, name, decl) in parts {
            let value = self.collection(kind, d);
            let var = Term::Var(at, name);
            match decl {
                Decl::Record(_, fields) if is(&fields[0].1) => {
                    let whole = match self.rng.below(2) {
                        0 => Term::Record("R", vec![("f", value), ("n", Term::Const(Val::Int(1)))]),
                        _ => Term::With(Box::new(var), 0, "f", Box::new(value)),
                    };
                    let whole = match self.rng.below(3) {
                        0 => {
                            Term::If(Box::new(self.truth(0)), Box::new(whole), Box::new(Term::Var(at, name)))
                        }
                        _ => whole,
                    };
                    return Term::Field(Box::new(whole), 0, "f");
                }
                Decl::Map(entry) if is(&entry) => {
                    let key = self.name();
                    let entry = self.under(std::slice::from_ref(&key), Shape::Enum, |w| {
                        let here =
                            infix("=", Term::Name(key.clone()), Term::Const(Val::Enum(w.rng.below(3))));
                        let other = Term::Index(Box::new(var), Box::new(Term::Name(key.clone())));
                        Term::If(Box::new(here), Box::new(value), Box::new(other))
                    });
                    let at = Box::new(Term::Const(Val::Enum(self.rng.below(3))));
                    return Term::Index(Box::new(Term::MapOf(key, Box::new(entry))), at);
                }
                Decl::Option(of) if is(&of) => return infix("otherwise", var, value),
                Decl::Variant(_, constructors) if is(&constructors[0].1[0].1) => {
                    let (name, own) = (self.name(), self.collection(kind, d));
                    let of = match self.rng.below(2) {
                        0 => var,
                        _ => Term::If(
                            Box::new(self.truth(0)),
                            Box::new(Term::Constructed(0, "X", vec![("g", value.clone())])),
                            Box::new(var),
                        ),
                    };
                    let first = Term::Call(
                        if kind == Kind::Seq { "append" } else { "insert" },
                        vec![Term::Name(name.clone()), self.element(0)],
                    );
                    let (first, own) = boxed(first, own);
                    return Term::Match(Box::new(of), name, first, own);
                }
                _ => {}
            }
        }
        self.place(kind)
    }

    pub fn truth(&mut self, depth: usize) -> Term {
        let d = depth.saturating_sub(1);
        let kind = self.kind();
        match self.rng.below(if depth == 0 { 4 } else { 13 }) {
            0 => Term::Const(Val::Bool(self.rng.percent(50))),
            1 => infix("in", self.element(d), self.collection(kind, d)),
            2 => {
                let size = Term::Call("size", vec![self.collection(kind, d)]);
                infix(["=", "<"][self.rng.below(2)], size, Term::Const(Val::Int(self.rng.below(5) as i64)))
            }
            3 | 4 => {
                infix(["=", "!="][self.rng.below(2)], self.collection(kind, d), self.collection(kind, d))
            }
            5 => {
                let other = if self.rng.percent(70) { Kind::Set } else { self.plain() };
                infix("subset", self.collection(Kind::Set, d), self.collection(other, d))
            }
            6 => infix(["=", "!="][self.rng.below(2)], self.collection(kind, d), self.literal(kind, 3)),
            7 => {
                let (of, name) = (Box::new(self.collection(kind, d)), self.name());
                let names = if self.rng.percent(30) { vec![name, self.name()] } else { vec![name] };
                let body = self.under(&names, self.shape, |w| w.truth(d));
                Term::Over(["forall", "exists"][self.rng.below(2)], names, of, Box::new(body))
            }
            8 => {
                let index = Box::new(Term::Const(Val::Int(self.rng.below(4) as i64)));
                Term::IsNone(Box::new(Term::Index(Box::new(self.collection(kind, d)), index)))
            }
            9 => infix(["and", "or"][self.rng.below(2)], self.truth(d), self.truth(d)),
            10 => Term::Not(Box::new(self.truth(d))),
            11 if self.shape != Shape::Inner => {
                Term::Call("occurs", vec![self.element(d), self.collection(kind, d)])
            }
            _ => infix("=", self.element(d), self.element(d)),
        }
    }

    fn plain(&self) -> Kind {
        if matches!(self.shape, Shape::Enum | Shape::Bool) { Kind::Plain } else { Kind::Set }
    }

    /// A value for a place of a type, which may be too large for it.
    fn stored(&mut self, at: usize, decl: &Decl, depth: usize) -> Term {
        let var = Term::Var(at, self.vars[at].0);
        match decl {
            Decl::Collection(Kind::Plain, ..) if self.plain() == Kind::Set => var,
            Decl::Collection(kind, ..) if self.rng.percent(15) => self.literal(*kind, 3),
            Decl::Collection(kind, ..) => self.collection(*kind, depth),
            Decl::Int(..) => self.int(depth),
            Decl::Option(of) if self.rng.percent(80) => self.stored(at, of, depth),
            Decl::Record(_, fields) => {
                let f = self.stored(at, &fields[0].1, depth);
                match self.rng.below(2) {
                    0 => Term::Record("R", vec![("f", f), ("n", self.int(1))]),
                    _ => Term::With(Box::new(var), 0, "f", Box::new(f)),
                }
            }
            Decl::Variant(_, constructors) => match self.rng.below(3) {
                0 => Term::Constructed(1, "Y", Vec::new()),
                _ => {
                    let g = self.stored(at, &constructors[0].1[0].1, depth);
                    Term::Constructed(0, "X", vec![("g", g)])
                }
            },
            Decl::Map(entry) => {
                let key = self.name();
                let body = self.under(std::slice::from_ref(&key), Shape::Enum, |w| {
                    let here = infix("=", Term::Name(key.clone()), Term::Const(Val::Enum(w.rng.below(3))));
                    let other = Term::Index(Box::new(var), Box::new(Term::Name(key.clone())));
                    Term::If(Box::new(here), Box::new(w.stored(at, entry, depth)), Box::new(other))
                });
                Term::MapOf(key, Box::new(body))
            }
            _ => Term::Const(Val::None),
        }
    }

    fn assigned(&mut self, var: usize, depth: usize) -> Assigned {
        let decl = self.vars[var].1.clone();
        let (target, decl) = match &decl {
            Decl::Record(_, fields) if self.rng.percent(40) => (Target::Field(0, "f"), fields[0].1.clone()),
            Decl::Map(entry) if self.rng.percent(50) => {
                let key = self.known(Shape::Enum).unwrap_or_else(|| self.scalar(0));
                (Target::Entry(key), (**entry).clone())
            }
            _ => (Target::Whole, decl.clone()),
        };
        let few = matches!((&target, &decl), (Target::Whole, Decl::Collection(Kind::Set, ..)));
        let chosen = few && matches!(self.shape, Shape::Enum | Shape::Bool) && self.rng.percent(15);
        let count = if chosen { 2 } else { 1 };
        let mut values: Vec<Term> = (0..count).map(|_| self.stored(var, &decl, depth)).collect();
        if chosen {
            // A literal is a set without a limit there.
            values.retain(|value| !matches!(value, Term::Literal(..)));
            values.push(Term::Var(var, self.vars[var].0));
        }
        let constrained = !chosen && matches!(target, Target::Whole) && self.rng.percent(15);
        Assigned { var, target, values, constrained }
    }

    fn action(&mut self, name: &str, depth: usize) -> Action {
        let param = self.rng.percent(50);
        let names: Vec<String> = if param { vec!["e".into()] } else { Vec::new() };
        self.under(&names, self.shape, |w| {
            let require = if w.rng.percent(50) { w.truth(depth) } else { Term::Const(Val::Bool(true)) };
            let mut assigned = Vec::new();
            for var in 0..w.vars.len() {
                if w.rng.percent(40) {
                    assigned.push(w.assigned(var, depth));
                }
            }
            Action { name: name.to_owned(), param, require, assigned }
        })
    }

    /// A value of a type, as what a variable is at first.
    fn fixed(&mut self, decl: &Decl) -> Term {
        match decl {
            Decl::Collection(kind, _, most) => match kind {
                Kind::Plain => self.literal(Kind::Plain, 2),
                _ => self.literal(*kind, *most),
            },
            Decl::Int(..) => Term::Const(Val::Int(self.rng.below(4) as i64)),
            Decl::Record(_, fields) => {
                let f = self.fixed(&fields[0].1);
                Term::Record("R", vec![("f", f), ("n", Term::Const(Val::Int(0)))])
            }
            Decl::Map(entry) => Term::MapOf(self.name(), Box::new(self.fixed(entry))),
            Decl::Variant(..) => Term::Constructed(1, "Y", Vec::new()),
            _ => Term::Const(Val::None),
        }
    }

    /// What is said of a variable at first: a value that is not too large, another one, or nothing.
    fn first(&mut self, at: usize, decl: &Decl) -> Option<Term> {
        match decl {
            Decl::Collection(kind, ..) if *kind != Kind::Plain && self.rng.percent(20) => {
                let literal = self.literal(*kind, 2);
                let of = match &self.vars[0] {
                    (name, Decl::Collection(first, ..)) if at > 0 && first == kind => Term::Var(0, name),
                    _ => self.calling(["the_seq", "the_bag", "the_set"][*kind as usize], vec![literal]),
                };
                let name = if *kind == Kind::Seq { "append" } else { "insert" };
                Some(Term::Call(name, vec![of, self.element(0)]))
            }
            _ if self.rng.percent(40) => None,
            _ => Some(self.fixed(decl)),
        }
    }

    /// A whole model with terms of this depth.
    pub fn model(mut self, depth: usize) -> Written {
        let (mut init, mut open) = (Vec::new(), 1);
        for (at, (_, decl)) in self.vars.clone().iter().enumerate() {
            let many = open * decl.values().len();
            let value = match self.first(at, decl) {
                None if many > MOST_FIRST => Some(self.fixed(decl)),
                None => {
                    open = many;
                    None
                }
                given => given,
            };
            init.push(value);
        }
        let actions = vec![self.action("one", depth), self.action("two", depth)];
        let good = self.truth(depth);
        let Self { element, vars, definitions, .. } = self;
        let mut written = Written { element, vars, definitions, init, actions, good, text: String::new() };
        written.text = written.print();
        written
    }
}

impl Written {
    fn print(&self) -> String {
        let mut text = String::from(
            "model random;\ntype E = enum { A, B, C };\ntype Inner = set of bool max 1;\ntype Pair = record { e: bool, k: 0..1 };\n",
        );
        for (name, decl) in &self.vars {
            match decl {
                Decl::Record(record, fields) => {
                    let fields: Vec<String> =
                        fields.iter().map(|(name, ty)| format!("{name}: {ty}")).collect();
                    text += &format!("type {record} = record {{ {} }};\n", fields.join(", "));
                }
                Decl::Variant(variant, constructors) => {
                    let g = &constructors[0].1[0].1;
                    text += &format!("type {variant} = variant {{ X(g: {g}), Y }};\n");
                }
                _ => {}
            }
            text += &format!("var {name} : {decl};\n");
        }
        for definition in &self.definitions {
            text += &format!("{definition}\n");
        }
        for ((name, _), value) in self.vars.iter().zip(&self.init) {
            if let Some(value) = value {
                text += &format!("init {{ {name} = {value}; }}\n");
            }
        }
        for action in &self.actions {
            text += &self.print_action(action);
        }
        text + &format!(
            "invariant good: {};\ninvariant can_one: enabled(one);\ninvariant can_two: enabled(two);\n",
            self.good
        )
    }

    fn print_action(&self, action: &Action) -> String {
        let mut lines = vec![format!("require {};", action.require)];
        let mut free = Vec::new();
        for Assigned { var, target, values, constrained } in &action.assigned {
            let name = self.vars[*var].0;
            let (first, place) = match target {
                Target::Whole => (&values[0], format!("{name}'")),
                Target::Field(_, field) => (&values[0], format!("{name}'.{field}")),
                Target::Entry(key) => (&values[0], format!("{name}'[{key}]")),
            };
            lines.push(match (values.len(), constrained) {
                (_, true) => {
                    free.push(name);
                    format!("constrain {place} = {first};")
                }
                (1, _) => format!("{place} = {first};"),
                _ => {
                    let all: Vec<String> = values.iter().map(Term::to_string).collect();
                    format!("{place} in {{ {} }};", all.join(", "))
                }
            });
        }
        let params = if action.param { format!("(e: {})", self.element) } else { String::new() };
        let modifies = if free.is_empty() { String::new() } else { format!(" modifies {}", free.join(", ")) };
        format!("action {}{params}{modifies} {{\n  {}\n}}\n", action.name, lines.join("\n  "))
    }
}
