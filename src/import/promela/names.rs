//! Names of a program and what they stand for; expressions.

use super::program::{
    CExpr, Channel, PromelaProgram, PromelaTarget, PromelaVariable, ReceivePattern, ScalarType,
};
use super::term::Whose;
use super::text::tree::{self, Initial, Name, PlaceSyntax, PromelaDeclaration, PromelaExprKind, TypeName};
use kit::diagnostics::{Diagnostic, Span, nearest};
use std::collections::HashMap;

/// The largest arrays, and the longest channels that collections can be.
const MOST_ELEMENTS: i64 = 4096;
const MOST_MESSAGES: i64 = 64;

/// A variable with its parts.
#[derive(Debug, Clone)]
pub(super) struct VariableShape {
    /// The number of elements of an array.
    pub size: Option<usize>,
    pub kind: ShapeKind,
}

/// The parts of a variable.
#[derive(Debug, Clone)]
pub(super) enum ShapeKind {
    Leaf(usize),
    Parts(Vec<(String, VariableShape)>),
}

/// The names that are known while a program is read.
#[derive(Debug, Default)]
pub(super) struct ProgramNames<'t> {
    pub program: PromelaProgram,
    pub mistakes: Vec<Diagnostic>,
    pub typedefs: HashMap<&'t str, &'t [PromelaDeclaration]>,
    /// The enumeration and number of each message.
    pub values: HashMap<&'t str, (usize, usize)>,
    /// The variables of all blocks around, the outermost first.
    pub scopes: Vec<HashMap<&'t str, VariableShape>>,
    /// The number of each type of processes.
    pub types: HashMap<&'t str, usize>,
    /// The names of the local variables of each type, for references from formulas.
    pub locals: HashMap<(usize, &'t str), VariableShape>,
    /// The type of the processes that are being read.
    pub owner: Option<usize>,
    /// Expressions are those of a formula.
    pub formula: bool,
    /// How many structures are around.
    pub depth: usize,
}

/// The bounds of a type of integers.
fn bounds(ty: &TypeName, width: Option<u32>) -> (i64, i64) {
    match (ty, width) {
        (TypeName::Bit, _) => (0, 1),
        (TypeName::Short, None) => (-(1 << 15), (1 << 15) - 1),
        (TypeName::Int, None) => super::term::INT,
        (_, Some(width)) => (0, (1 << width) - 1),
        _ => (0, 255),
    }
}

impl<'t> ProgramNames<'t> {
    pub fn wrong(&mut self, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.mistakes.push(Diagnostic::error(span, message).with_help(help));
    }

    /// The value of an expression that has to be a constant.
    pub fn constant(&mut self, expr: &'t tree::PromelaExpr) -> i64 {
        let lowered = self.expr(expr);
        match value(&lowered, &self.program) {
            Some(value) => value,
            None => {
                self.wrong(expr.span, "this is not constant", "write a number");
                1
            }
        }
    }

    /// Declares variables; the indices of those that need an assignment here are given back with their values.
    pub fn declare(&mut self, declaration: &'t PromelaDeclaration) -> VariableShape {
        let PromelaDeclaration { ty, name, width, size, initial } = declaration;
        let size = size.as_ref().map(|size| (self.constant(size), size.span));
        if let Some((size, span)) = size
            && !(1..=MOST_ELEMENTS).contains(&size)
        {
            self.wrong(
                span,
                format!("an array has between 1 and {MOST_ELEMENTS} elements, not {size}"),
                "use another size",
            );
        }
        let size = size.map(|(size, _)| usize::try_from(size.clamp(1, MOST_ELEMENTS)).expect("it is small"));
        let shape = self.shape(&name.text, name.span, ty, *width, size, &mut Vec::new(), initial);
        let scope = self.scopes.last_mut().expect("there is a scope");
        if scope.insert(&name.text, shape.clone()).is_some() {
            self.wrong(name.span, format!("`{}` is declared twice", name.text), "use another name");
        }
        if let Some(owner) = self.owner {
            self.locals.entry((owner, &name.text)).or_insert_with(|| shape.clone());
        }
        shape
    }

    #[expect(clippy::too_many_arguments, reason = "a declaration has as many parts")]
    fn shape(
        &mut self,
        name: &str,
        span: Span,
        ty: &'t TypeName,
        width: Option<u32>,
        size: Option<usize>,
        dims: &mut Vec<usize>,
        initial: &'t Initial,
    ) -> VariableShape {
        dims.extend(size);
        let kind = match ty {
            TypeName::Defined(own) => match self.typedefs.get(own.as_str()).copied() {
                Some(fields) if self.depth < 20 && self.program.variables.len() < 50_000 => {
                    self.depth += 1;
                    let mut part = |names: &mut Self, field: &'t PromelaDeclaration| {
                        let size =
                            field.size.as_ref().map(|size| names.constant(size).clamp(1, MOST_ELEMENTS));
                        let size = size.and_then(|size| usize::try_from(size).ok());
                        let whole = format!("{name}_{}", field.name.text);
                        let span = field.name.span;
                        let shape =
                            names.shape(&whole, span, &field.ty, field.width, size, dims, &field.initial);
                        (field.name.text.clone(), shape)
                    };
                    let parts = fields.iter().map(|field| part(self, field)).collect();
                    self.depth -= 1;
                    ShapeKind::Parts(parts)
                }
                _ => {
                    let known = nearest(own, self.typedefs.keys().copied());
                    let help = known.map_or("declare it with `typedef`".to_owned(), |name| {
                        format!("did you mean `{name}`?")
                    });
                    self.wrong(span, format!("`{own}` is no type that can be used here"), help);
                    ShapeKind::Parts(Vec::new())
                }
            },
            _ => ShapeKind::Leaf(self.leaf(name, span, ty, width, dims, initial)),
        };
        if size.is_some() {
            dims.pop();
        }
        VariableShape { size, kind }
    }

    fn leaf(
        &mut self,
        name: &str,
        span: Span,
        ty: &'t TypeName,
        width: Option<u32>,
        dims: &[usize],
        initial: &'t Initial,
    ) -> usize {
        let own = self.ty(ty, width, span);
        let zero = match own {
            ScalarType::Bool => CExpr::Bool(false),
            ScalarType::Message(set) => CExpr::Message(set, 0),
            _ => CExpr::Int(0),
        };
        let variable = self.program.variables.len();
        let initial = match initial {
            Initial::None => vec![zero],
            Initial::Value(value) => vec![self.expr(value)],
            Initial::Values(all) => {
                let mut all: Vec<CExpr> = all.iter().map(|value| self.expr(value)).collect();
                all.resize(dims.iter().product::<usize>().max(1), zero);
                all
            }
            Initial::Channel { capacity, message } => {
                let size = self.constant(capacity);
                if !(0..=MOST_MESSAGES).contains(&size) {
                    let help = "a smaller channel shows the same kinds of mistakes, as a rule";
                    self.wrong(
                        capacity.span,
                        format!("a channel has room for 0 to {MOST_MESSAGES} messages, not {size}"),
                        help,
                    );
                }
                let fields = message.iter().flat_map(|ty| self.fields(ty, span)).collect();
                let channel = self.program.channels.len();
                let capacity = usize::try_from(size.clamp(0, MOST_MESSAGES)).expect("it is small");
                self.program.channels.push(Channel { variable, capacity, fields });
                (0..dims.iter().product::<usize>().max(1))
                    .map(|element| CExpr::Channel(channel, element))
                    .collect()
            }
        };
        let (name, owner, dims) = (name.to_owned(), self.owner, dims.to_vec());
        self.program.variables.push(PromelaVariable {
            name,
            owner,
            ty: own,
            dims,
            initial,
            changes: false,
            span,
        });
        variable
    }

    fn ty(&mut self, ty: &TypeName, width: Option<u32>, span: Span) -> ScalarType {
        match ty {
            TypeName::Bool => ScalarType::Bool,
            TypeName::Channel => ScalarType::Channel,
            TypeName::Message(set) => {
                let name = set.as_deref().unwrap_or("mtype");
                match self.program.messages.iter().position(|(own, _)| own == name) {
                    Some(set) => ScalarType::Message(set),
                    None if set.is_none() => {
                        self.program.messages.push((name.to_owned(), Vec::new()));
                        ScalarType::Message(self.program.messages.len() - 1)
                    }
                    None => {
                        self.wrong(
                            span,
                            format!("`mtype:{name}` is not declared"),
                            "declare its values with `mtype`",
                        );
                        ScalarType::Int(0, 255)
                    }
                }
            }
            ty => {
                let (low, high) = bounds(ty, width);
                ScalarType::Int(low, high)
            }
        }
    }

    /// The types of the fields of a message that a type is part of.
    fn fields(&mut self, ty: &'t TypeName, span: Span) -> Vec<ScalarType> {
        let TypeName::Defined(name) = ty else { return vec![self.ty(ty, None, span)] };
        let before = self.program.variables.len();
        let shape = self.shape(name, span, ty, None, None, &mut Vec::new(), &Initial::None);
        let all = self.leaves(&shape).iter().map(|(leaf, _)| self.program.variables[*leaf].ty).collect();
        // These variables only showed which fields there are.
        self.program.variables.truncate(before);
        all
    }

    /// The variables that a variable consists of, with the indices of elements.
    pub fn leaves(&self, shape: &VariableShape) -> Vec<(usize, Vec<CExpr>)> {
        let inner = match &shape.kind {
            ShapeKind::Leaf(leaf) => vec![(*leaf, Vec::new())],
            ShapeKind::Parts(parts) => parts.iter().flat_map(|(_, part)| self.leaves(part)).collect(),
        };
        let Some(size) = shape.size else { return inner };
        let element = |index: usize| {
            let index = CExpr::Int(i64::try_from(index).unwrap_or(0));
            inner.iter().map(move |(leaf, rest)| (*leaf, [vec![index.clone()], rest.clone()].concat()))
        };
        (0..size).flat_map(element).collect()
    }

    /// The variables at a place: one, or all of a structure.
    pub fn place(&mut self, place: &'t PlaceSyntax) -> Vec<PromelaTarget> {
        let (first, _) = &place.parts[0];
        let found = self.scopes.iter().rev().find_map(|scope| scope.get(first.text.as_str())).cloned();
        match found {
            Some(shape) => self.inside(shape, place),
            None => {
                let names = self.scopes.iter().flat_map(|scope| scope.keys().copied());
                let help = match nearest(&first.text, names.chain(self.values.keys().copied())) {
                    Some(name) => format!("did you mean `{name}`?"),
                    None => "declare it before it is used".to_owned(),
                };
                self.wrong(first.span, format!("`{}` is not declared", first.text), help);
                Vec::new()
            }
        }
    }

    fn inside(&mut self, mut shape: VariableShape, place: &'t PlaceSyntax) -> Vec<PromelaTarget> {
        let mut indices = Vec::new();
        for (number, (name, index)) in place.parts.iter().enumerate() {
            if number > 0 {
                let ShapeKind::Parts(parts) = &shape.kind else {
                    self.wrong(
                        name.span,
                        format!("there is no field `{}` here", name.text),
                        "this is no structure",
                    );
                    return Vec::new();
                };
                let Some((_, part)) = parts.iter().find(|(own, _)| *own == name.text) else {
                    let all: Vec<&str> = parts.iter().map(|(own, _)| own.as_str()).collect();
                    let help = format!("fields are {}", all.join(", "));
                    self.wrong(name.span, format!("there is no field `{}` here", name.text), help);
                    return Vec::new();
                };
                shape = part.clone();
            }
            match (shape.size.take(), index) {
                (Some(_), Some(index)) => indices.push(self.expr(index)),
                (None, Some(index)) => {
                    self.wrong(index.span, format!("`{}` is no array", name.text), "leave out the index")
                }
                (Some(_), None) => {
                    self.wrong(name.span, format!("the array `{}` needs an index", name.text), "write `a[i]`")
                }
                (None, None) => {}
            }
        }
        let leaves = self.leaves(&shape);
        leaves.into_iter().map(|(leaf, rest)| (leaf, [indices.clone(), rest].concat())).collect()
    }

    /// The one variable at a place.
    pub fn leaf_at(&mut self, place: &'t PlaceSyntax) -> Option<PromelaTarget> {
        let before = self.mistakes.len();
        let mut all = self.place(place);
        if all.len() != 1 && self.mistakes.len() == before {
            self.wrong(place.span, "a structure has no value as a whole", "use its fields");
        }
        (all.len() == 1).then(|| all.remove(0))
    }

    /// The channel at a place.
    pub fn channel(&mut self, place: &'t PlaceSyntax) -> CExpr {
        match self.leaf_at(place) {
            Some((leaf, indices)) if self.program.variables[leaf].ty == ScalarType::Channel => {
                self.read(leaf, indices)
            }
            found => {
                if found.is_some() {
                    self.wrong(place.span, "this is no channel", "channels are declared with `chan`");
                }
                CExpr::Int(0)
            }
        }
    }

    fn read(&self, leaf: usize, indices: Vec<CExpr>) -> CExpr {
        let whose = if self.program.variables[leaf].owner.is_some() { Whose::Own } else { Whose::Everyone };
        CExpr::Read(leaf, indices, whose)
    }

    /// The expressions of a message, structures written out.
    pub fn message(&mut self, values: &'t [tree::PromelaExpr]) -> Vec<CExpr> {
        let mut all = Vec::new();
        for value in values {
            match &value.kind {
                PromelaExprKind::Read(place) if self.special(place).is_none() => {
                    let leaves = self.place(place);
                    all.extend(leaves.into_iter().map(|(leaf, indices)| self.read(leaf, indices)));
                }
                _ => all.push(self.expr(value)),
            }
        }
        all
    }

    /// The treatment of each field by a receive statement.
    pub fn pattern(&mut self, items: &'t [tree::PromelaExpr]) -> Vec<ReceivePattern> {
        let mut all = Vec::new();
        for item in items {
            match &item.kind {
                PromelaExprKind::Eval(inner) => all.push(ReceivePattern::Match(self.expr(inner))),
                PromelaExprKind::Read(place) if place.parts[0].0.text == "_" => {
                    all.push(ReceivePattern::Ignore)
                }
                PromelaExprKind::Read(place) if self.special(place).is_none() => {
                    for target in self.place(place) {
                        self.program.variables[target.0].changes = true;
                        all.push(ReceivePattern::Store(target));
                    }
                }
                _ => all.push(ReceivePattern::Match(self.expr(item))),
            }
        }
        all
    }

    /// A name with a meaning of its own: a message, `_pid`, `_nr_pr`.
    fn special(&self, place: &PlaceSyntax) -> Option<CExpr> {
        let (Name { text, .. }, None) = place.parts.first()? else { return None };
        if place.parts.len() > 1 || self.scopes.iter().any(|scope| scope.contains_key(text.as_str())) {
            return None;
        }
        match text.as_str() {
            "_pid" => Some(CExpr::Pid),
            "_nr_pr" => Some(CExpr::Processes),
            _ => self.values.get(text.as_str()).map(|(set, value)| CExpr::Message(*set, *value)),
        }
    }

    /// An expression.
    pub fn expr(&mut self, expr: &'t tree::PromelaExpr) -> CExpr {
        let boxed = |names: &mut Self, e| Box::new(names.expr(e));
        match &expr.kind {
            PromelaExprKind::Number(value) if *value > super::term::INT.1 => {
                self.wrong(expr.span, "this number is larger than `int`", "numbers are at most 2147483647");
                CExpr::Int(0)
            }
            PromelaExprKind::Number(value) => CExpr::Int(*value),
            PromelaExprKind::Bool(value) => CExpr::Bool(*value),
            PromelaExprKind::Read(place) if matches!(place.parts[0].0.text.as_str(), "_last" | "_") => {
                let message = format!("`{}` is not supported here", place.parts[0].0.text);
                self.wrong(expr.span, message, "use a variable of your own");
                CExpr::Int(0)
            }
            PromelaExprKind::Read(place) => match self.special(place) {
                Some(special) => special,
                None => self.leaf_at(place).map_or(CExpr::Int(0), |(leaf, indices)| self.read(leaf, indices)),
            },
            PromelaExprKind::Unary(sign, operand) => CExpr::Unary(sign, boxed(self, operand)),
            PromelaExprKind::Binary(sign, left, right) => {
                CExpr::Binary(sign, boxed(self, left), boxed(self, right))
            }
            PromelaExprKind::If(condition, then, otherwise) => {
                CExpr::If(boxed(self, condition), boxed(self, then), boxed(self, otherwise))
            }
            PromelaExprKind::Channel("last", place) => CExpr::Int(self.last_index(place)),
            PromelaExprKind::Channel(word, place) => {
                let channel = Box::new(self.channel(place));
                let none =
                    || CExpr::Binary("==", Box::new(CExpr::Length(channel.clone())), Box::new(CExpr::Int(0)));
                match *word {
                    "len" => CExpr::Length(channel),
                    "full" => CExpr::Full(channel),
                    "nfull" => CExpr::Unary("!", Box::new(CExpr::Full(channel))),
                    "empty" => none(),
                    _ => CExpr::Unary("!", Box::new(none())),
                }
            }
            PromelaExprKind::Poll { channel, pattern, any } => {
                let (channel, any) = (Box::new(self.channel(channel)), *any);
                let pattern = self.pattern(pattern);
                let pattern = pattern.into_iter().map(|item| match item {
                    // Variables are ignored there.
                    ReceivePattern::Store(_) => ReceivePattern::Ignore,
                    item => item,
                });
                CExpr::Poll { channel, pattern: pattern.collect(), any }
            }
            PromelaExprKind::Eval(inner) => self.expr(inner),
            PromelaExprKind::Timeout => CExpr::Timeout,
            PromelaExprKind::Run(..) => {
                self.wrong(
                    expr.span,
                    "`run` is not supported inside an expression",
                    "write it as a statement, or as `x = run p()`",
                );
                CExpr::Int(0)
            }
            PromelaExprKind::Label { process, index, label } => {
                let pid = index.as_ref().map(|index| self.constant(index));
                let Some(process) = self.remote(process) else { return CExpr::Bool(true) };
                CExpr::At { process, pid, label: label.text.clone() }
            }
            PromelaExprKind::Remote { process, index, place } => {
                let pid = index.as_ref().map(|index| self.constant(index));
                let Some(process) = self.remote(process) else { return CExpr::Int(0) };
                let (name, _) = &place.parts[0];
                let Some(shape) = self.locals.get(&(process, name.text.as_str())).cloned() else {
                    self.wrong(
                        name.span,
                        format!("`{}` is no variable of this process", name.text),
                        "see its declarations",
                    );
                    return CExpr::Int(0);
                };
                let Some((leaf, indices)) = self.inside(shape, place).into_iter().next() else {
                    return CExpr::Int(0);
                };
                CExpr::Remote { process, pid, read: Box::new(CExpr::Read(leaf, indices, Whose::Own)) }
            }
        }
    }

    /// The last index of an array as a whole.
    fn last_index(&mut self, place: &'t PlaceSyntax) -> i64 {
        let (name, _) = &place.parts[0];
        let shape = self.scopes.iter().rev().find_map(|scope| scope.get(name.text.as_str()));
        let size = shape
            .and_then(|shape| shape.size)
            .filter(|_| place.parts.len() == 1 && place.parts[0].1.is_none());
        if size.is_none() {
            self.wrong(
                place.span,
                "`for` is read over arrays only",
                "write `for (i : 0 .. N - 1)`, and `len` for channels",
            );
        }
        size.map_or(0, |size| i64::try_from(size).unwrap_or(1) - 1)
    }

    fn remote(&mut self, process: &Name) -> Option<usize> {
        let found = self.types.get(process.text.as_str()).copied();
        if found.is_none() {
            self.wrong(process.span, format!("there is no process `{}`", process.text), "see `proctype`");
        } else if !self.formula {
            let help = "share the variable, or set a global one where the label is";
            self.wrong(
                process.span,
                "references to other processes are read in `ltl` and `never` only",
                help,
            );
        }
        found
    }
}

/// The value of an expression that reads no variable that changes.
pub(super) fn value(expr: &CExpr, program: &PromelaProgram) -> Option<i64> {
    let inner = |e: &CExpr| value(e, program);
    Some(match expr {
        CExpr::Int(value) => *value,
        CExpr::Bool(value) => i64::from(*value),
        CExpr::Message(set, number) => number_of(program, *set, *number),
        // A variable as a size: its first value.
        CExpr::Read(variable, indices, _) if indices.is_empty() => {
            let own = &program.variables[*variable];
            match (&own.initial[..], own.dims.is_empty()) {
                ([CExpr::Int(value)], true) => *value,
                _ => return None,
            }
        }
        CExpr::Unary("-", a) => inner(a)?.checked_neg()?,
        CExpr::Binary(sign, a, b) => calculated(sign, inner(a)?, inner(b)?)?,
        CExpr::If(c, a, b) => {
            if inner(c)? != 0 {
                inner(a)?
            } else {
                inner(b)?
            }
        }
        _ => return None,
    })
}

/// The number that Spin gives a message: the last one that is declared is 1.
pub(super) fn number_of(program: &PromelaProgram, set: usize, value: usize) -> i64 {
    let all = program.messages[set].1.len();
    if value == 0 { 0 } else { i64::try_from(all + 1 - value).unwrap_or(0) }
}

/// The result of an operator on numbers, if there is one.
pub(super) fn calculated(sign: &str, a: i64, b: i64) -> Option<i64> {
    Some(match sign {
        "==" => i64::from(a == b),
        "!=" => i64::from(a != b),
        "<" => i64::from(a < b),
        "<=" => i64::from(a <= b),
        ">" => i64::from(a > b),
        ">=" => i64::from(a >= b),
        "+" => a.checked_add(b)?,
        "-" => a.checked_sub(b)?,
        "*" => a.checked_mul(b)?,
        "/" => a.checked_div(b)?,
        "%" => a.checked_rem(b)?,
        "<<" => a.checked_shl(u32::try_from(b).ok()?)?,
        _ => return None,
    })
}
