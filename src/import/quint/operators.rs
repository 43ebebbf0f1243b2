//! Quint's operators on truth values, integers, records, sum types and lists.

use super::elaborate::{QuintElaborator, QuintEnv, Result, UntranslatableReason};
use super::ir::QuintExpr;
use super::term::{Node, QuintTerm};
use super::types::{Flow, Ty, TypeSlot};
use super::value::QuintValue;
use kit::number::to_i64;

/// The most elements of a list of numbers.
const LONGEST: i64 = 4096;

/// The greatest length of lists that grow.
const LONGEST_GROWN: usize = 64;

/// Operators that are rejected before their operands are translated.
const UNSUPPORTED: &[&str] = &["select", "foldr", "allLists", "allListsUpTo", "chooseSome", "assign"];

impl<'a> QuintElaborator<'a> {
    pub fn built_in(&mut self, op: &'a str, args: &'a [QuintExpr], env: &QuintEnv<'a>) -> Result<QuintTerm> {
        if let Some(term) = self.unchosen(|this| this.lazily(op, args, env))? {
            return Ok(term);
        }
        if let Some(term) = self.with_operator(op, args, env)? {
            return Ok(term);
        }
        if op.starts_with("tla:") || op.starts_with("::") {
            return self.tla(op, args, env);
        }
        if UNSUPPORTED.contains(&op) {
            return Err(unsupported(op));
        }
        let mut given = args.iter().map(|arg| self.expression(arg, env)).collect::<Result<Vec<_>>>()?;
        if matches!(
            op,
            "union" | "intersect" | "exclude" | "size" | "powerset" | "tuples" | "flatten" | "setOfMaps"
        ) {
            given = given.iter().map(|set| self.of_sort(set, "Set")).collect::<Result<_>>()?;
        }
        if let Some(term) = self.of_collections(op, &given)? {
            return Ok(term);
        }
        match (op, &given[..]) {
            ("not", [a]) => Ok(a.clone().negation()),
            ("iff", [a, b]) => self.comparison("=", a, b),
            ("eq", [a, b]) => self.comparison("=", a, b),
            ("neq", [a, b]) => Ok(self.comparison("=", a, b)?.negation()),
            ("ilt", [a, b]) => self.comparison("<", a, b),
            ("ilte", [a, b]) => self.comparison("<=", a, b),
            ("igt", [a, b]) => self.comparison(">", a, b),
            ("igte", [a, b]) => self.comparison(">=", a, b),
            ("iadd" | "isub" | "imul" | "idiv" | "imod" | "ipow", [a, b]) => self.arithmetic(op, a, b),
            ("iuminus", [a]) => self.negative(a),
            ("Tup", _) => self.tuple_of(given),
            ("Rec", _) => {
                let field = |pair: &[QuintTerm]| match pair {
                    [name, part] => Ok((label(name)?, part.clone())),
                    _ => Err("a record has a field without a value".into()),
                };
                let fields = given.chunks(2).map(field).collect::<Result<_>>()?;
                self.record_of(fields)
            }
            ("field", [a, name]) => self.field(a, &label(name)?),
            ("item", [a, index]) => match index.value() {
                Some(QuintValue::Int(n)) => self.field(a, &format!("_{n}")),
                _ => Err("the part of a tuple is computed".into()),
            },
            ("with", [a, name, value]) => self.with_field(a, &label(name)?, value),
            ("variant", [name, payload]) => self.variant_of(&label(name)?, payload.clone()),
            ("List", _) => self.list_of(given),
            ("append", [list, element]) => self.append(list, element),
            ("head", [list]) => {
                let first = self.literal(&QuintValue::Int(0))?;
                self.nth(list, &first)
            }
            ("nth", [list, at]) => self.nth(list, at),
            ("range", [from, to]) => self.range_list(from, to),
            ("concat", [a, b]) => match &*b.node {
                Node::List(elements) => {
                    let elements = elements.clone();
                    elements.iter().try_fold(a.clone(), |list, element| self.append(&list, element))
                }
                _ => Err("a list that is not written out is joined to another one".into()),
            },
            ("slice", [list, from, to]) => self.slice(list, from, to),
            ("replaceAt", [list, at, value]) => self.replaced(list, at, value),
            ("tail", [list]) => self.make(Node::Rest(list.clone()), list.ty.clone()),
            ("length", [list]) => self.length(list),
            ("indices", [list]) => {
                let slot = self.lengths(list)?;
                let (first, length) = (self.literal(&QuintValue::Int(0))?, self.length(list)?);
                let one = self.literal(&QuintValue::Int(1))?;
                let last = self.arithmetic("isub", &length, &one)?;
                let ty = Ty::Set(Box::new(self.types.flowing(Flow::Length(slot, true))));
                self.make(Node::Range(first, last), ty)
            }
            ("oneOf", [set]) if self.choices.is_some() => self.chosen_member(set),
            _ => Err(unsupported(op)),
        }
    }

    /// Applies an operator that may not need all of its operands.
    fn lazily(&mut self, op: &str, args: &'a [QuintExpr], env: &QuintEnv<'a>) -> Result<Option<QuintTerm>> {
        Ok(Some(match (op, args) {
            ("in", [element, QuintExpr::Name { name }])
            | ("contains", [QuintExpr::Name { name }, element])
                if is_endless(name) =>
            {
                let element = self.expression(element, env)?;
                self.in_endless(&element, name)?
            }
            ("subseteq", [set, QuintExpr::Name { name }]) if is_endless(name) => {
                let set = self.expression(set, env)?;
                let like = self.names.ranging("n");
                let (bound, element) = self.ranging(like, set)?;
                let inside = self.in_endless(&element, name)?;
                self.make(Node::Quantified("forall", bound, inside), Ty::Bool)?
            }
            ("and" | "actionAll", _) => QuintTerm::all(self.until(args, env, false)?),
            ("or" | "actionAny", _) => QuintTerm::any(self.until(args, env, true)?),
            ("implies", [a, b]) => {
                let a = self.expression(a, env)?;
                match &*a.node {
                    Node::Bool(false) => QuintTerm::bool(true),
                    _ => a.implies(self.expression(b, env)?),
                }
            }
            ("ite", [c, a, b]) => {
                let c = self.expression(c, env)?;
                match &*c.node {
                    Node::Bool(true) => self.expression(a, env)?,
                    Node::Bool(false) => self.expression(b, env)?,
                    _ => {
                        let (a, b) = (self.expression(a, env)?, self.expression(b, env)?);
                        self.choice(c, a, b)?
                    }
                }
            }
            ("matchVariant", [value, cases @ ..]) => {
                let value = self.expression(value, env)?;
                self.cases(&value, cases, env)?
            }
            _ => return Ok(None),
        }))
    }

    /// Returns the condition that an integer is in `Int` or `Nat`: `--int` limits iteration, not membership.
    pub fn in_endless(&mut self, element: &QuintTerm, name: &str) -> Result<QuintTerm> {
        match name {
            "Nat" => {
                let zero = self.literal(&QuintValue::Int(0))?;
                self.comparison("<=", &zero, element)
            }
            _ => self.comparison("=", element, element),
        }
    }

    /// Translates the operands up to one that decides.
    fn until(&mut self, args: &'a [QuintExpr], env: &QuintEnv<'a>, decides: bool) -> Result<Vec<QuintTerm>> {
        let mut parts = Vec::new();
        for arg in args {
            let part = self.expression(arg, env)?;
            let last = matches!(&*part.node, Node::Bool(value) if *value == decides);
            parts.push(part);
            if last {
                break;
            }
        }
        Ok(parts)
    }

    /// Returns `if c then a else b`.
    pub fn choice(&mut self, c: QuintTerm, a: QuintTerm, b: QuintTerm) -> Result<QuintTerm> {
        if matches!(self.types.resolve(&a.ty), Ty::Bool) {
            match (&*a.node, &*b.node) {
                (Node::Bool(true), _) => return Ok(QuintTerm::any(vec![c, b])),
                (Node::Bool(false), _) => return Ok(QuintTerm::all(vec![c.negation(), b])),
                (_, Node::Bool(false)) => return Ok(QuintTerm::all(vec![c, a])),
                (_, Node::Bool(true)) => return Ok(c.implies(a)),
                _ => {}
            }
        }
        let ty = self.types.open();
        self.types.flow(&a.ty, &ty)?;
        self.types.flow(&b.ty, &ty)?;
        let (a, b) = (self.fitted(a, &ty)?, self.fitted(b, &ty)?);
        self.make(Node::If(c, a, b), ty)
    }

    fn cases(&mut self, value: &QuintTerm, cases: &'a [QuintExpr], env: &QuintEnv<'a>) -> Result<QuintTerm> {
        let [QuintExpr::Str { value: label }, body, others @ ..] = cases else {
            return Err("a `match` has no case for some constructor".into());
        };
        let payload = self.payload(value, label)?;
        if label == "_" || others.is_empty() {
            return self.apply(body, env, &[payload]);
        }
        let condition = self.is(value, label)?;
        match &*condition.node {
            Node::Bool(true) => self.apply(body, env, &[payload]),
            Node::Bool(false) => self.cases(value, others, env),
            _ => {
                let (a, b) = (self.apply(body, env, &[payload])?, self.cases(value, others, env)?);
                self.choice(condition, a, b)
            }
        }
    }

    /// Returns the condition that a value has a constructor.
    pub fn is(&mut self, value: &QuintTerm, label: &str) -> Result<QuintTerm> {
        match &*value.node {
            Node::Sum(own, _) => Ok(QuintTerm::bool(own == label)),
            _ => self.make(Node::Is(value.clone(), label.to_owned()), Ty::Bool),
        }
    }

    /// Returns the payload of a constructor.
    pub fn payload(&mut self, value: &QuintTerm, label: &str) -> Result<QuintTerm> {
        if let Node::Sum(own, payload) = &*value.node
            && own == label
        {
            return Ok(payload.clone());
        }
        let Ty::Sum(constructors) = self.types.resolve(&value.ty) else {
            return Err("`match` is about a value whose type is not known".into());
        };
        match constructors.into_iter().find(|(name, _)| name == label) {
            Some((_, ty)) => self.make(Node::Payload(value.clone(), label.to_owned()), ty),
            None => self.tuple_of(Vec::new()),
        }
    }

    /// Returns a comparison: `=` or an order of integers.
    pub fn comparison(&mut self, op: &'static str, a: &QuintTerm, b: &QuintTerm) -> Result<QuintTerm> {
        if let (Some(a), Some(b)) = (a.value(), b.value()) {
            return Ok(QuintTerm::bool(match op {
                "=" => a == b,
                "<" => a < b,
                "<=" => a <= b,
                ">" => a > b,
                _ => a >= b,
            }));
        }
        let (a, b) = match op {
            "=" => (&self.fitted(a.clone(), &b.ty)?, &self.fitted(b.clone(), &a.ty)?),
            _ => (&self.of_sort(a, "Int")?, &self.of_sort(b, "Int")?),
        };
        if op == "=" && self.are_apart(&a.ty, &b.ty) {
            return Ok(QuintTerm::bool(false));
        }
        self.comparable(&a.ty, &b.ty)?;
        if let (true, Node::Length(list), Some(QuintValue::Int(most))) = (self.typing, &*a.node, b.value())
            && let ("<" | "<=", Ok(most), Ty::List(_, slot)) =
                (op, usize::try_from(most), self.types.resolve(&list.ty))
        {
            self.types.limit_length(slot, (most + 1).min(LONGEST_GROWN));
        }
        match (op, &*a.node, &*b.node) {
            ("=", Node::Bool(true), _) => Ok(b.clone()),
            ("=", _, Node::Bool(true)) => Ok(a.clone()),
            ("=", Node::Bool(false), _) => Ok(b.clone().negation()),
            ("=", _, Node::Bool(false)) => Ok(a.clone().negation()),
            ("=", Node::List(a), Node::List(b)) if a.len() != b.len() => Ok(QuintTerm::bool(false)),
            ("=", Node::List(a), Node::List(b)) => {
                let each = a.iter().zip(b).map(|(a, b)| self.comparison("=", a, b));
                Ok(QuintTerm::all(each.collect::<Result<_>>()?))
            }
            _ => self.make(Node::Infix(op, a.clone(), b.clone()), Ty::Bool),
        }
    }

    /// Unifies two types whose values are compared, except that integers of all ranges can be compared.
    pub fn comparable(&mut self, a: &Ty, b: &Ty) -> Result<()> {
        if matches!((self.types.resolve(a), self.types.resolve(b)), (Ty::Int(_), Ty::Int(_))) {
            return Ok(());
        }
        // A comparison gives no place another sort.
        let unions = std::mem::take(&mut self.types.unions);
        let unified = self.types.unify(a, b);
        self.types.unions = unions;
        Ok(unified?)
    }

    pub fn integer(&mut self, term: &QuintTerm) -> Result<TypeSlot> {
        match self.types.resolve(&term.ty) {
            Ty::Int(slot) => Ok(slot),
            Ty::Open(_) => {
                let slot = self.types.slot();
                self.types.unify(&term.ty, &Ty::Int(slot))?;
                Ok(slot)
            }
            _ => Err("arithmetic on a value that is not an integer".into()),
        }
    }

    /// Returns an arithmetic operation on two operands.
    pub fn arithmetic(&mut self, op: &str, a: &QuintTerm, b: &QuintTerm) -> Result<QuintTerm> {
        if let (Some(QuintValue::Int(a)), Some(QuintValue::Int(b))) = (a.value(), b.value()) {
            let result = match op {
                "iadd" => a.checked_add(b),
                "isub" => a.checked_sub(b),
                "imul" => a.checked_mul(b),
                "idiv" => a.checked_div(b),
                "imod" => a.checked_rem(b),
                _ => u32::try_from(b).ok().and_then(|b| a.checked_pow(b)),
            };
            let result = result.ok_or("a constant cannot be computed")?;
            return self.literal(&QuintValue::Int(result));
        }
        let (a, b) = (&self.of_sort(a, "Int")?, &self.of_sort(b, "Int")?);
        let (i, j) = (self.integer(a)?, self.integer(b)?);
        let (word, flow) = match (op, b.value()) {
            ("idiv" | "imod", Some(QuintValue::Int(..=0))) => {
                return Err("the divisor is not positive".into());
            }
            ("iadd", _) => ("+", Flow::Add(i, j)),
            ("isub", _) => ("-", Flow::Sub(i, j)),
            ("imul", _) => ("*", Flow::Mul(i, j)),
            ("idiv", _) => ("/", Flow::Div(i, j)),
            ("imod", _) => ("mod", Flow::Mod(j)),
            _ => return Err("a power is not constant".into()),
        };
        let ty = self.types.flowing(flow);
        self.make(Node::Infix(word, a.clone(), b.clone()), ty)
    }

    fn negative(&mut self, a: &QuintTerm) -> Result<QuintTerm> {
        if let Some(QuintValue::Int(n)) = a.value() {
            return self.literal(&QuintValue::Int(-n));
        }
        let a = &self.of_sort(a, "Int")?;
        let zero = self.literal(&QuintValue::Int(0))?;
        let (zero, slot) = (self.integer(&zero)?, self.integer(a)?);
        let ty = self.types.flowing(Flow::Sub(zero, slot));
        self.make(Node::Minus(a.clone()), ty)
    }

    /// Returns a part of a record or tuple: a field, or `_1`, `_2`, ….
    pub fn field(&mut self, a: &QuintTerm, name: &str) -> Result<QuintTerm> {
        let part = match &*a.node {
            Node::Rec(fields) => fields.iter().find(|(field, _)| field == name).map(|(_, part)| part),
            Node::Tup(parts) => position(name).and_then(|at| parts.get(at)),
            _ => None,
        };
        if let Some(part) = part {
            return Ok(part.clone());
        }
        if let Ty::Union(slot) = self.types.resolve(&a.ty) {
            return self.field_of_sorts(a, slot, name);
        }
        let ty = match self.types.resolve(&a.ty) {
            Ty::Rec(fields) => fields.into_iter().find(|(field, _)| field == name).map(|(_, ty)| ty),
            Ty::Tup(parts) => position(name).and_then(|at| parts.get(at).cloned()),
            _ => None,
        };
        let ty = ty.ok_or_else(|| format!("the type that has `{name}` is not known"))?;
        self.make(Node::Field(a.clone(), name.to_owned()), ty)
    }

    pub fn with_field(&mut self, a: &QuintTerm, name: &str, value: &QuintTerm) -> Result<QuintTerm> {
        let Ty::Rec(fields) = self.types.resolve(&a.ty) else {
            return Err("`with` is about a record whose type is not known".into());
        };
        let mut parts = Vec::new();
        for (field, _) in fields {
            let part = if field == name { value.clone() } else { self.field(a, &field)? };
            parts.push((field, part));
        }
        self.record_of(parts)
    }

    fn lengths(&mut self, list: &QuintTerm) -> Result<TypeSlot> {
        match self.types.resolve(&list.ty) {
            Ty::List(_, slot) => Ok(slot),
            _ => Err("the type of a list is not known".into()),
        }
    }

    pub fn length(&mut self, list: &QuintTerm) -> Result<QuintTerm> {
        if let Node::List(elements) = &*list.node
            && !list.may_not_exist()
        {
            return self.literal(&QuintValue::Int(to_i64(elements.len())));
        }
        let slot = self.lengths(list)?;
        let ty = self.types.flowing(Flow::Length(slot, false));
        self.make(Node::Length(list.clone()), ty)
    }

    pub fn append(&mut self, list: &QuintTerm, element: &QuintTerm) -> Result<QuintTerm> {
        let Ty::List(own, slot) = self.types.resolve(&list.ty) else {
            return Err("the type of a list is not known".into());
        };
        self.types.flow(&element.ty, &own)?;
        let element = &self.fitted(element.clone(), &own)?;
        if let Node::List(elements) = &*list.node {
            let mut elements = elements.clone();
            elements.push(element.clone());
            return self.list_of(elements);
        }
        self.types.grow(slot);
        self.make(Node::Append(list.clone(), element.clone()), list.ty.clone())
    }

    /// Returns the list of the constants from one to before another one.
    fn range_list(&mut self, from: &QuintTerm, to: &QuintTerm) -> Result<QuintTerm> {
        let (Some(QuintValue::Int(from)), Some(QuintValue::Int(to))) = (from.value(), to.value()) else {
            return Err("the bounds of a list of numbers are computed".into());
        };
        if to.saturating_sub(from) > LONGEST {
            return Err("a list of numbers is too long".into());
        }
        let elements = (from..to).map(|n| self.literal(&QuintValue::Int(n))).collect::<Result<_>>()?;
        self.list_of(elements)
    }

    /// Returns the elements of a list from a position to before another one.
    fn slice(&mut self, list: &QuintTerm, from: &QuintTerm, to: &QuintTerm) -> Result<QuintTerm> {
        let length = self.arithmetic("isub", to, from)?;
        let (zero, all) = (self.literal(&QuintValue::Int(0))?, self.length(list)?);
        let within = [(&zero, from), (from, to), (to, &all)].map(|(a, b)| self.comparison("<=", a, b));
        let within = QuintTerm::all(within.into_iter().collect::<Result<_>>()?);
        let part = self.build(length, list.ty.clone(), Some(list), |this, at| {
            let (one, at) = (this.literal(&QuintValue::Int(1))?, this.arithmetic("iadd", from, &at)?);
            let at = this.arithmetic("isub", &at, &one)?;
            this.nth(list, &at)
        })?;
        self.given(within, part)
    }

    /// Returns a list that is written out with another value at a constant position.
    fn replaced(&mut self, list: &QuintTerm, at: &QuintTerm, value: &QuintTerm) -> Result<QuintTerm> {
        let at = match at.value() {
            Some(QuintValue::Int(at)) => usize::try_from(at).ok(),
            _ => return Err("the position of a replaced element is computed".into()),
        };
        let (Node::List(elements), Some(at)) = (&*list.node, at) else {
            return Err("an element of a list that is not written out is replaced".into());
        };
        let mut replaced = elements.clone();
        *replaced.get_mut(at).ok_or("no element is at the replaced position")? = value.clone();
        self.list_of(replaced)
    }

    pub fn nth(&mut self, list: &QuintTerm, at: &QuintTerm) -> Result<QuintTerm> {
        if let (Node::List(elements), Some(QuintValue::Int(n))) = (&*list.node, at.value())
            && let Some(element) = usize::try_from(n).ok().and_then(|n| elements.get(n))
        {
            return Ok(element.clone());
        }
        let Ty::List(element, _) = self.types.resolve(&list.ty) else {
            return Err("the type of a list is not known".into());
        };
        self.make(Node::Nth(list.clone(), at.clone()), *element)
    }
}

fn is_endless(name: &str) -> bool {
    matches!(name, "Int" | "Nat")
}

fn position(name: &str) -> Option<usize> {
    name.strip_prefix('_')?.parse::<usize>().ok()?.checked_sub(1)
}

fn label(term: &QuintTerm) -> Result<String> {
    match &*term.node {
        Node::Str(text) => Ok(text.clone()),
        _ => Err("the name of a field or constructor is computed".into()),
    }
}

fn unsupported(op: &str) -> UntranslatableReason {
    let why = match op {
        "always" | "eventually" | "next" | "leadsTo" | "weakFair" | "strongFair" | "enabled"
        | "mustChange" | "orKeep" => "temporal operators are not read: add `ltl` properties to the text",
        "then" | "reps" | "expect" | "fail" | "assert" | "q::test" | "q::testOnce" => "it is for tests",
        "oneOf" => "write `nondet x = S.oneOf()` before",
        "assign" => "it belongs in an action",
        _ => "rewrite it with sets, maps and `if`",
    };
    UntranslatableReason::helped(format!("the operator `{op}` is not supported"), why)
}
