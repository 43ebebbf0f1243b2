//! Terms of the specification language, built with simplification.

use std::rc::Rc;

/// The type of a term, with the bounds of an integer, which are never too narrow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sort {
    Bool,
    Int(i64, i64),
    /// A value of an enumeration of messages.
    Message(usize),
    Channel,
}

/// The process that a variable belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Whose {
    /// None: it is global.
    Everyone,
    /// The process that takes the step.
    Own,
    /// The process that receives in a rendezvous.
    Partner,
    /// A process, by its number among those of its type.
    Number(usize),
}

/// A place that can be assigned.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Cell {
    pub root: CellRoot,
    pub whose: Whose,
    pub indices: Vec<PromelaTerm>,
}

/// The variable that a place is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum CellRoot {
    Variable(usize),
    /// The content of a channel, by its number.
    Queue(usize),
    /// The control location of a process of this type.
    Location(usize),
    /// The process number of a process of this type.
    Pid(usize),
    /// Some process is inside an atomic sequence.
    Locked,
}

/// A term. Copies share what is in it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct PromelaTerm {
    pub node: Rc<PromelaNode>,
    pub sort: Sort,
    /// How many nodes it has, shared ones counted each time.
    pub size: usize,
}

/// The forms of terms.
#[derive(Debug, PartialEq)]
pub(super) enum PromelaNode {
    Bool(bool),
    Int(i64),
    /// A value of an enumeration of messages; 0 is that of a variable without a value.
    Message(usize, usize),
    /// A channel by its number, from 1; 0 is none.
    Channel(usize),
    Read(Cell),
    /// The process number of a process of this type.
    Pid(usize, Whose),
    /// The number of processes.
    Processes,
    /// Nothing else can happen.
    Stuck,
    /// The process is at one of these places; without a process type number, of the never claim.
    At(usize, Whose, Vec<usize>),
    /// The process, which the term is a parameter of, is this one of its type.
    Is(usize, Whose, usize),
    Not(PromelaTerm),
    And(PromelaTerm, PromelaTerm),
    Or(PromelaTerm, PromelaTerm),
    Compare(&'static str, PromelaTerm, PromelaTerm),
    Arithmetic(&'static str, PromelaTerm, PromelaTerm),
    If(PromelaTerm, PromelaTerm, PromelaTerm),
    /// `length(q)`
    Length(PromelaTerm),
    /// `[…]` is there: the element at an index.
    Filled(PromelaTerm, usize),
    /// A field of the element at an index.
    Field(PromelaTerm, usize, usize),
    /// `append(q, message)`, for the channel with this number.
    Append(PromelaTerm, usize, Vec<PromelaTerm>),
    Without(PromelaTerm, usize),
    /// A temporal operator with one or two operands.
    Temporal(&'static str, Vec<PromelaTerm>),
}

/// The bounds of `int`.
pub(super) const INT: (i64, i64) = (-(1 << 31), (1 << 31) - 1);

impl PromelaTerm {
    pub fn new(node: PromelaNode, sort: Sort) -> Self {
        let size = 1 + node.parts().iter().map(|part| part.size).sum::<usize>();
        Self { node: Rc::new(node), sort, size }
    }

    pub fn int(value: i64) -> Self {
        Self::new(PromelaNode::Int(value), Sort::Int(value, value))
    }

    pub fn bool(value: bool) -> Self {
        Self::new(PromelaNode::Bool(value), Sort::Bool)
    }

    pub fn truth(&self) -> Option<bool> {
        if let PromelaNode::Bool(value) = *self.node { Some(value) } else { None }
    }

    pub fn constant(&self) -> Option<i64> {
        if let PromelaNode::Int(value) = *self.node { Some(value) } else { None }
    }

    /// The bounds, if it is an integer.
    pub fn range(&self) -> (i64, i64) {
        match self.sort {
            Sort::Int(low, high) => (low, high),
            Sort::Bool => (0, 1),
            _ => (0, 255),
        }
    }

    /// True of what has one value.
    pub fn is_value(&self) -> bool {
        matches!(
            *self.node,
            PromelaNode::Int(_) | PromelaNode::Bool(_) | PromelaNode::Message(..) | PromelaNode::Channel(_)
        )
    }

    pub fn not(self) -> Self {
        match &*self.node {
            PromelaNode::Bool(value) => Self::bool(!value),
            PromelaNode::Not(inner) => inner.clone(),
            PromelaNode::Compare(sign, left, right) => {
                let other = match *sign {
                    "=" => "!=",
                    "!=" => "=",
                    "<" => ">=",
                    ">=" => "<",
                    ">" => "<=",
                    _ => ">",
                };
                Self::new(PromelaNode::Compare(other, left.clone(), right.clone()), Sort::Bool)
            }
            _ => Self::new(PromelaNode::Not(self), Sort::Bool),
        }
    }

    pub fn and(self, other: Self) -> Self {
        match (self.truth(), other.truth()) {
            (Some(true), _) | (_, Some(false)) => other,
            (_, Some(true)) | (Some(false), _) => self,
            _ if self == other => self,
            _ => Self::new(PromelaNode::And(self, other), Sort::Bool),
        }
    }

    pub fn or(self, other: Self) -> Self {
        match (self.truth(), other.truth()) {
            (Some(false), _) | (_, Some(true)) => other,
            (_, Some(false)) | (Some(true), _) => self,
            _ if self == other => self,
            _ => Self::new(PromelaNode::Or(self, other), Sort::Bool),
        }
    }

    pub fn choose(condition: Self, then: Self, otherwise: Self) -> Self {
        if then == otherwise {
            return then;
        }
        match condition.truth() {
            Some(true) => return then,
            Some(false) => return otherwise,
            None => {}
        }
        let sort = match (then.sort, otherwise.sort) {
            (Sort::Bool, Sort::Bool) => match (then.truth(), otherwise.truth()) {
                (Some(true), Some(false)) => return condition,
                (Some(false), Some(true)) => return condition.not(),
                (Some(false), _) => return condition.not().and(otherwise),
                (_, Some(false)) => return condition.and(then),
                (Some(true), _) => return condition.or(otherwise),
                _ => Sort::Bool,
            },
            (Sort::Int(a, b), Sort::Int(c, d)) => Sort::Int(a.min(c), b.max(d)),
            (sort, _) => sort,
        };
        Self::new(PromelaNode::If(condition, then, otherwise), sort)
    }

    /// There is an element at an index of the contents of a channel.
    pub fn filled(contents: Self, index: usize) -> Self {
        match (&*contents.node, index) {
            (PromelaNode::Append(..), 0) => Self::bool(true),
            (PromelaNode::Append(inner, ..), _) => Self::filled(inner.clone(), index - 1),
            (PromelaNode::Without(inner, _), _) => Self::filled(inner.clone(), index + 1),
            _ => Self::new(PromelaNode::Filled(contents, index), Sort::Bool),
        }
    }

    /// A field of the element at an index of the contents of a channel.
    pub fn field(contents: Self, index: usize, field: usize, sort: Sort) -> Self {
        match &*contents.node {
            PromelaNode::Append(inner, _, values) => Self::choose(
                Self::filled(inner.clone(), index),
                Self::field(inner.clone(), index, field, sort),
                values[field].clone(),
            ),
            PromelaNode::Without(inner, without) => {
                Self::field(inner.clone(), index + usize::from(*without <= index), field, sort)
            }
            _ => Self::new(PromelaNode::Field(contents, index, field), sort),
        }
    }

    /// A comparison of two terms of one sort.
    pub fn compare(sign: &'static str, left: Self, right: Self) -> Self {
        let reflexive = matches!(sign, "=" | "<=" | ">=");
        if left == right {
            return Self::bool(reflexive);
        }
        if left.is_value() && right.is_value() && matches!(sign, "=" | "!=") {
            return Self::bool(sign == "!=");
        }
        if left.sort == Sort::Bool && matches!(sign, "=" | "!=") {
            let same = |value: bool, term: Self| if value == (sign == "=") { term } else { term.not() };
            match (left.truth(), right.truth()) {
                (Some(value), _) => return same(value, right),
                (_, Some(value)) => return same(value, left),
                _ => {}
            }
        }
        if let (Sort::Int(a, b), Sort::Int(c, d)) = (left.sort, right.sort) {
            let known = match sign {
                "=" | "!=" => (b < c || d < a).then_some(sign == "!="),
                "<" => (b < c).then_some(true).or((a >= d).then_some(false)),
                "<=" => (b <= c).then_some(true).or((a > d).then_some(false)),
                ">" => (a > d).then_some(true).or((b <= c).then_some(false)),
                _ => (a >= d).then_some(true).or((b < c).then_some(false)),
            };
            if let Some(known) = known {
                return Self::bool(known);
            }
        }
        Self::new(PromelaNode::Compare(sign, left, right), Sort::Bool)
    }

    /// `+ - *`, and `/ mod` by a positive constant, as the specification language has them, exactly.
    pub fn arithmetic(sign: &'static str, left: Self, right: Self) -> Self {
        let ((a, b), (c, d)) = (left.range(), right.range());
        let (low, high) = match sign {
            "+" => (a + c, b + d),
            "-" => (a - d, b - c),
            "*" => {
                let all =
                    [a.saturating_mul(c), a.saturating_mul(d), b.saturating_mul(c), b.saturating_mul(d)];
                (all.into_iter().min().unwrap_or(0), all.into_iter().max().unwrap_or(0))
            }
            "/" => (a.div_euclid(c), b.div_euclid(c)),
            _ if a >= 0 && b < c => return left,
            _ => (0, c - 1),
        };
        if low == high {
            return Self::int(low);
        }
        match (sign, left.constant(), right.constant()) {
            ("mod", Some(value), _) => return Self::int(value.rem_euclid(c)),
            ("+" | "-", _, Some(0)) | ("*" | "/", _, Some(1)) => return left,
            ("+", Some(0), _) | ("*", Some(1), _) => return right,
            _ => {}
        }
        // `(e + 1) - 1`, `(e + 1) + 1`
        if let ("+" | "-", Some(value), PromelaNode::Arithmetic(inner @ ("+" | "-"), first, second)) =
            (sign, right.constant(), &*left.node)
            && let Some(other) = second.constant()
        {
            let signed = |sign: &str, value: i64| if sign == "+" { value } else { -value };
            let sum = signed(sign, value) + signed(inner, other);
            let (sign, sum) = if sum < 0 { ("-", -sum) } else { ("+", sum) };
            return Self::arithmetic(sign, first.clone(), Self::int(sum));
        }
        Self::new(PromelaNode::Arithmetic(sign, left, right), Sort::Int(low, high))
    }

    /// The value that a variable of `bits` bits keeps of an integer.
    pub fn wrapped(self, (low, high): (i64, i64)) -> Self {
        let (a, b) = self.range();
        if low <= a && b <= high {
            return self;
        }
        let modulus = Self::int(high - low + 1);
        let moved = Self::arithmetic("-", self, Self::int(low));
        Self::arithmetic("+", Self::arithmetic("mod", moved, modulus), Self::int(low))
    }
}

impl PromelaNode {
    /// The terms inside.
    pub fn parts(&self) -> Vec<&PromelaTerm> {
        match self {
            PromelaNode::Read(cell) => cell.indices.iter().collect(),
            PromelaNode::Not(a)
            | PromelaNode::Length(a)
            | PromelaNode::Filled(a, _)
            | PromelaNode::Field(a, ..)
            | PromelaNode::Without(a, _) => vec![a],
            PromelaNode::And(a, b)
            | PromelaNode::Or(a, b)
            | PromelaNode::Compare(_, a, b)
            | PromelaNode::Arithmetic(_, a, b) => {
                vec![a, b]
            }
            PromelaNode::If(a, b, c) => vec![a, b, c],
            PromelaNode::Append(a, _, values) => std::iter::once(a).chain(values).collect(),
            PromelaNode::Temporal(_, all) => all.iter().collect(),
            _ => Vec::new(),
        }
    }
}

/// Values that were assigned, in order, over those before the step.
#[derive(Debug, Clone, Default)]
pub(super) struct StepStore {
    pub writes: Vec<(Cell, PromelaTerm)>,
}

impl StepStore {
    pub fn write(&mut self, cell: Cell, value: PromelaTerm) {
        self.writes.retain(|(known, _)| *known != cell);
        self.writes.push((cell, value));
    }

    /// The value of a place; `before` is the one before the step.
    pub fn read(&self, cell: &Cell, before: PromelaTerm) -> PromelaTerm {
        self.writes.iter().fold(before, |value, (written, new)| match same(written, cell) {
            Some(condition) => PromelaTerm::choose(condition, new.clone(), value),
            None => value,
        })
    }
}

/// The condition under which two places are the same, `None` if they never are.
pub(super) fn same(left: &Cell, right: &Cell) -> Option<PromelaTerm> {
    if left.root != right.root || left.whose != right.whose {
        return None;
    }
    let pairs = left.indices.iter().zip(&right.indices);
    let equal = pairs.map(|(a, b)| PromelaTerm::compare("=", a.clone(), b.clone()));
    let all = equal.fold(PromelaTerm::bool(true), PromelaTerm::and);
    (all.truth() != Some(false)).then_some(all)
}
