//! Types of expressions. A name can mean several things, so each expression has a set of types that it can have; what
//! is around it decides.

use super::ProcessChecker;
use super::names::{ScopedVariable, variable};
use super::types::{CallSignature, Callee};
use crate::process::program::{INT, NAT, ProcessExpr, ProcessExprKind, ProcessTypeKind, TypeId};
use crate::process::text::tree::{self, ExprId, ProcessName};
use crate::process::value::ProcessValue;
use kit::number::to_u32;
use rustc_hash::FxHashMap;

/// The possible types of each expression.
type Readings = FxHashMap<ExprId, Vec<TypeId>>;

impl ProcessChecker {
    /// Checks an expression against a wanted type, or finds its only possible one; `None` after a mistake.
    pub(super) fn typed(
        &mut self,
        expr: &tree::ExprSyntax,
        wanted: Option<TypeId>,
        variables: &[ScopedVariable],
    ) -> Option<ProcessExpr> {
        let mut readings = Readings::default();
        self.read(expr, variables, &mut readings);
        let found = &readings[&expr.id];
        let of = match wanted {
            _ if found.is_empty() => {
                self.explain(expr, variables, &readings);
                return None;
            }
            Some(wanted) if found.contains(&wanted) => wanted,
            Some(wanted) if self.is_vague(wanted) || found.iter().any(|&of| self.is_vague(of)) => {
                return None;
            }
            Some(wanted) => {
                let message =
                    format!("this is {}, but {} is needed here", self.list(found), self.type_name(wanted));
                let help = match (&expr.kind, &self.types[wanted.index()].kind) {
                    (tree::ExprSyntaxKind::Number(_), ProcessTypeKind::Number { low, high, only }) => {
                        let name = self.type_name(wanted);
                        let more = if only.is_some() { " and satisfy a condition" } else { "" };
                        format!("numbers of {name} are between {low} and {high}{more}")
                    }
                    _ => format!("write an expression of type {}", self.type_name(wanted)),
                };
                self.mistake(expr.span, message, help);
                return None;
            }
            None => match found.as_slice() {
                [only] => *only,
                several if several.contains(&NAT) => NAT,
                several if several.contains(&INT) => INT,
                several => {
                    let message = format!("this could have type {}", self.list(several));
                    self.mistake(expr.span, message, "state the type: `(E) of T`");
                    return None;
                }
            },
        };
        self.build(expr, of, variables, &readings)
    }

    /// The possible types of an expression.
    pub(super) fn types_of(&self, expr: &tree::ExprSyntax, variables: &[ScopedVariable]) -> Vec<TypeId> {
        let mut readings = Readings::default();
        self.read(expr, variables, &mut readings);
        readings.remove(&expr.id).unwrap_or_default()
    }

    fn list(&self, types: &[TypeId]) -> String {
        types.iter().map(|&of| self.type_name(of)).collect::<Vec<_>>().join(" or ")
    }

    fn candidates(&self, name: &ProcessName, arguments: usize) -> &[CallSignature] {
        self.signatures.get(&(name.key.clone(), arguments)).map_or(&[], Vec::as_slice)
    }

    fn read(&self, expr: &tree::ExprSyntax, variables: &[ScopedVariable], readings: &mut Readings) {
        let mut types: Vec<TypeId> = match &expr.kind {
            tree::ExprSyntaxKind::Number(number) => {
                let fits = |of: &TypeId| self.types[of.index()].kind.has_number(*number);
                self.type_ids().filter(fits).collect()
            }
            tree::ExprSyntaxKind::Text(_) => {
                let fits = |of: &TypeId| matches!(self.types[of.index()].kind, ProcessTypeKind::Text);
                self.type_ids().filter(fits).collect()
            }
            tree::ExprSyntaxKind::Named(name, fields) => {
                fields.iter().for_each(|(_, value)| self.read(value, variables, readings));
                let found = self.with_fields(&name.key, &names_of(fields)).into_iter();
                let fits = |found: &WithFields| {
                    let mut typed = found.order.iter().zip(&found.types);
                    typed.all(|(&at, of)| readings[&fields[at].1.id].contains(of))
                };
                found.filter(fits).map(|found| found.of).collect()
            }
            tree::ExprSyntaxKind::Name(name) => match variable(variables, &name.key) {
                Some(variable) => vec![variable.of],
                None => self.candidates(name, 0).iter().map(|signature| signature.result).collect(),
            },
            tree::ExprSyntaxKind::Call(name, arguments) => {
                arguments.iter().for_each(|argument| self.read(argument, variables, readings));
                let fits = |s: &&CallSignature| {
                    arguments.iter().zip(&s.parameters).all(|(a, of)| readings[&a.id].contains(of))
                };
                self.candidates(name, arguments.len()).iter().filter(fits).map(|s| s.result).collect()
            }
            tree::ExprSyntaxKind::Of(inner, name) => {
                self.read(inner, variables, readings);
                let of = self.type_names.get(&name.key);
                of.filter(|of| readings[&inner.id].contains(of)).into_iter().copied().collect()
            }
            tree::ExprSyntaxKind::Field(inner, field) => {
                self.read(inner, variables, readings);
                let getter = self.getter(field);
                let fits = |s: &&CallSignature| readings[&inner.id].contains(&s.parameters[0]);
                getter.iter().filter(fits).map(|s| s.result).collect()
            }
            tree::ExprSyntaxKind::Update(inner, fields) => {
                self.read(inner, variables, readings);
                fields.iter().for_each(|(_, value)| self.read(value, variables, readings));
                let mut types = readings[&inner.id].clone();
                types.retain(|of| {
                    fields.iter().all(|(name, value)| {
                        let fits = |s: &CallSignature| {
                            s.parameters[0] == *of && readings[&value.id].contains(&s.result)
                        };
                        self.getter(name).iter().any(fits)
                    })
                });
                types
            }
            tree::ExprSyntaxKind::List(items) => {
                items.iter().for_each(|item| self.read(item, variables, readings));
                let fits = |of: &TypeId| {
                    let element = self.element(*of);
                    element.is_some_and(|e| items.iter().all(|item| readings[&item.id].contains(&e)))
                };
                self.type_ids().filter(fits).collect()
            }
        };
        types.sort_unstable();
        types.dedup();
        readings.insert(expr.id, types);
    }

    fn getter(&self, field: &ProcessName) -> &[CallSignature] {
        self.signatures.get(&(format!("GET_{}", field.key), 1)).map_or(&[], Vec::as_slice)
    }

    /// Builds the expression with one of its possible types.
    fn build(
        &mut self,
        expr: &tree::ExprSyntax,
        of: TypeId,
        variables: &[ScopedVariable],
        readings: &Readings,
    ) -> Option<ProcessExpr> {
        let kind = match &expr.kind {
            tree::ExprSyntaxKind::Number(number) => ProcessExprKind::Value(ProcessValue::Number(*number)),
            tree::ExprSyntaxKind::Text(text) => {
                ProcessExprKind::Value(ProcessValue::Text(text.as_str().into()))
            }
            tree::ExprSyntaxKind::Named(name, fields) => {
                let all = self.with_fields(&name.key, &names_of(fields));
                let found = all.into_iter().find(|found| found.of == of)?;
                let typed = found.order.iter().zip(&found.types);
                let typed: Option<Vec<ProcessExpr>> =
                    typed.map(|(&at, of)| self.build(&fields[at].1, *of, variables, readings)).collect();
                ProcessExprKind::Construct(found.constructor, typed?)
            }
            tree::ExprSyntaxKind::Name(name) => match variable(variables, &name.key) {
                Some(variable) => ProcessExprKind::Variable(variable.slot),
                None => {
                    let signature = self.choose(expr, name, &[], of, readings)?;
                    apply(signature.callee, Vec::new())
                }
            },
            tree::ExprSyntaxKind::Call(name, arguments) => {
                let signature = self.choose(expr, name, arguments, of, readings)?;
                let typed = arguments.iter().zip(&signature.parameters);
                let typed: Option<Vec<ProcessExpr>> =
                    typed.map(|(argument, of)| self.build(argument, *of, variables, readings)).collect();
                apply(signature.callee, typed?)
            }
            tree::ExprSyntaxKind::Of(inner, _) => return self.build(inner, of, variables, readings),
            tree::ExprSyntaxKind::Field(inner, field) => {
                let fits =
                    |s: &&CallSignature| s.result == of && readings[&inner.id].contains(&s.parameters[0]);
                let signature = self.getter(field).iter().find(fits).cloned()?;
                let inner = self.build(inner, signature.parameters[0], variables, readings)?;
                apply(signature.callee, vec![inner])
            }
            tree::ExprSyntaxKind::Update(inner, fields) => {
                let mut built = self.build(inner, of, variables, readings)?;
                for (name, value) in fields {
                    let setter = self.signatures.get(&(format!("SET_{}", name.key), 2));
                    let fits = |s: &&CallSignature| {
                        s.parameters[0] == of && readings[&value.id].contains(&s.parameters[1])
                    };
                    let signature = setter?.iter().find(fits).cloned()?;
                    let value = self.build(value, signature.parameters[1], variables, readings)?;
                    built = ProcessExpr {
                        kind: apply(signature.callee, vec![built, value]),
                        of,
                        span: expr.span,
                    };
                }
                return Some(built);
            }
            tree::ExprSyntaxKind::List(items) => {
                let element = self.element(of)?;
                let items: Option<Vec<ProcessExpr>> =
                    items.iter().map(|item| self.build(item, element, variables, readings)).collect();
                ProcessExprKind::List(items?)
            }
        };
        Some(ProcessExpr { kind, of, span: expr.span })
    }

    /// The signature that a name refers to where a certain type is needed; ambiguity is a mistake.
    fn choose(
        &mut self,
        expr: &tree::ExprSyntax,
        name: &ProcessName,
        arguments: &[tree::ExprSyntax],
        of: TypeId,
        readings: &Readings,
    ) -> Option<CallSignature> {
        let fits = |s: &&CallSignature| {
            s.result == of && arguments.iter().zip(&s.parameters).all(|(a, of)| readings[&a.id].contains(of))
        };
        let mut found: Vec<CallSignature> =
            self.candidates(name, arguments.len()).iter().filter(fits).cloned().collect();
        // A literal on its own is a natural number, or else an integer.
        for usual in [NAT, INT] {
            if found.len() > 1 && found.iter().any(|s| s.parameters.contains(&usual)) {
                found.retain(|s| s.parameters.contains(&usual));
            }
        }
        if found.len() > 1 {
            let message = format!("{} is ambiguous here", name.shown);
            self.mistake(expr.span, message, "state the types of its arguments: `(E) of T`");
            return None;
        }
        found.pop()
    }

    /// Explains why an expression has no possible type.
    fn explain(&mut self, expr: &tree::ExprSyntax, variables: &[ScopedVariable], readings: &Readings) {
        let parts: Vec<&tree::ExprSyntax> = match &expr.kind {
            tree::ExprSyntaxKind::Call(_, arguments) => arguments.iter().collect(),
            tree::ExprSyntaxKind::List(items) => items.iter().collect(),
            tree::ExprSyntaxKind::Named(_, fields) => fields.iter().map(|(_, value)| value).collect(),
            tree::ExprSyntaxKind::Of(inner, _) | tree::ExprSyntaxKind::Field(inner, _) => vec![inner],
            tree::ExprSyntaxKind::Update(inner, fields) => {
                std::iter::once(&**inner).chain(fields.iter().map(|(_, value)| value)).collect()
            }
            _ => Vec::new(),
        };
        let wrong: Vec<&tree::ExprSyntax> =
            parts.into_iter().filter(|part| readings[&part.id].is_empty()).collect();
        if !wrong.is_empty() {
            wrong.into_iter().for_each(|part| self.explain(part, variables, readings));
            return;
        }
        let vague = |part: &tree::ExprSyntax| readings[&part.id].iter().any(|&of| self.is_vague(of));
        match &expr.kind {
            tree::ExprSyntaxKind::Call(name, arguments)
                if arguments.iter().any(vague)
                    || self.takes_vague(name, arguments.len())
                    || self.lacks_named(&["function"], &name.key) => {}
            tree::ExprSyntaxKind::Of(inner, _)
            | tree::ExprSyntaxKind::Field(inner, _)
            | tree::ExprSyntaxKind::Update(inner, _)
                if vague(inner) => {}
            tree::ExprSyntaxKind::Number(_)
            | tree::ExprSyntaxKind::List(_)
            | tree::ExprSyntaxKind::Named(..)
                if self.lacks(&["type"]) => {}
            tree::ExprSyntaxKind::Text(_) => {
                self.mistake(expr.span, "the type string is another one here", "name the own type otherwise");
            }
            tree::ExprSyntaxKind::Named(name, _) => {
                let message = format!("no constructor {} has fields with these names and types", name.shown);
                self.mistake(expr.span, message, "give all fields of the constructor, each once");
            }
            tree::ExprSyntaxKind::Number(number) => {
                let help = "`!nat_sup N` at the beginning of the module allows larger numbers";
                self.mistake(expr.span, format!("no number type contains {number}"), help);
            }
            tree::ExprSyntaxKind::Name(name) => self.explain_name(name, 0, variables),
            tree::ExprSyntaxKind::Call(name, arguments)
                if self.candidates(name, arguments.len()).is_empty() =>
            {
                self.explain_name(name, arguments.len(), variables);
            }
            tree::ExprSyntaxKind::Call(name, arguments) => {
                let types: Vec<String> = arguments.iter().map(|a| self.list(&readings[&a.id])).collect();
                let message = format!("{} is not defined for ({})", name.shown, types.join(", "));
                self.mistake(expr.span, message, "check the types of the operands or arguments");
            }
            tree::ExprSyntaxKind::Of(inner, name) => {
                let name = name.clone();
                if let Some(of) = self.type_of(&name) {
                    let found = self.list(&readings[&inner.id]);
                    let message = format!("this is {found}, not {}", self.type_name(of));
                    self.mistake(
                        expr.span,
                        message,
                        "`of` selects one of the possible types of an expression",
                    );
                }
            }
            tree::ExprSyntaxKind::Field(inner, field) => {
                let message = format!("{} has no field {}", self.list(&readings[&inner.id]), field.shown);
                self.mistake(field.span, message, "the constructors of a type declare its fields");
            }
            tree::ExprSyntaxKind::Update(..) => {
                let message = "the type of this value has no such fields";
                self.mistake(expr.span, message, "the constructors of a type declare its fields");
            }
            tree::ExprSyntaxKind::List(_) => {
                self.mistake(
                    expr.span,
                    "no list type has elements like these",
                    "define it: `type L is list of T end type`",
                );
            }
        }
    }

    /// True if a function with this name has a parameter of an unknown type.
    fn takes_vague(&self, name: &ProcessName, arguments: usize) -> bool {
        let candidates = self.candidates(name, arguments);
        candidates.iter().flat_map(|signature| &signature.parameters).any(|&of| self.is_vague(of))
    }

    fn explain_name(&mut self, name: &ProcessName, arguments: usize, variables: &[ScopedVariable]) {
        if name.key.starts_with("[]") {
            let help = "define a type: `type A is array [0 .. 3] of T end type`";
            self.mistake(name.span, "there is no type of arrays", help);
            return;
        }
        if self.called.iter().any(|called| called.key == name.key) {
            let message =
                format!("{} assigns parameters or has no result, so it is not an expression", name.shown);
            self.mistake(name.span, message, "call it as a statement: `eval x := f (e, ?y)`");
            return;
        }
        let others: Vec<usize> = self
            .signatures
            .keys()
            .filter(|(key, count)| *key == name.key && *count != arguments)
            .map(|(_, count)| *count)
            .collect();
        if let Some(count) = others.first() {
            if self.may_be_lost("function", &name.key) {
                return;
            }
            let message = format!("{} has {count} arguments, not {arguments}", name.shown);
            self.mistake(name.span, message, format!("give it {count}"));
            return;
        }
        let functions =
            self.signatures.keys().filter(|(_, count)| *count == arguments).map(|(key, _)| key.clone());
        let names = variables.iter().map(|variable| variable.key.clone()).filter(|_| arguments == 0);
        let known: Vec<String> = functions.chain(names).filter(|key| !key.starts_with("GET_")).collect();
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        let (what, help) = match arguments {
            0 => ("variable or constructor", "declare it: `var x : nat in ... end var`"),
            _ => ("function", "define it: `function f (x : nat) : nat is ... end function`"),
        };
        self.unknown(name, what, &known, help);
    }
}

/// A constructor whose fields have given names.
pub(super) struct WithFields {
    pub of: TypeId,
    pub constructor: u32,
    /// For each field, which of the given names is its own.
    pub order: Vec<usize>,
    pub types: Vec<TypeId>,
}

fn names_of(fields: &[(ProcessName, tree::ExprSyntax)]) -> Vec<&ProcessName> {
    fields.iter().map(|(name, _)| name).collect()
}

impl ProcessChecker {
    /// The constructors with this name and exactly these fields.
    pub(super) fn with_fields(&self, key: &str, names: &[&ProcessName]) -> Vec<WithFields> {
        let mut found = Vec::new();
        for of in self.type_ids() {
            let ProcessTypeKind::Constructed(constructors) = &self.types[of.index()].kind else { continue };
            for (index, constructor) in constructors.iter().enumerate() {
                if constructor.name != key || constructor.fields.len() != names.len() {
                    continue;
                }
                let place = |(field, _): &(String, TypeId)| names.iter().position(|name| name.key == *field);
                if let Some(order) = constructor.fields.iter().map(place).collect() {
                    let types = constructor.fields.iter().map(|(_, of)| *of).collect();
                    found.push(WithFields { of, constructor: to_u32(index), order, types });
                }
            }
        }
        found
    }
}

fn apply(callee: Callee, arguments: Vec<ProcessExpr>) -> ProcessExprKind {
    match callee {
        Callee::EmptyList => ProcessExprKind::List(Vec::new()),
        Callee::Constructor(index) if arguments.is_empty() => {
            ProcessExprKind::Value(ProcessValue::Constructed(index, Default::default()))
        }
        Callee::Constructor(index) => ProcessExprKind::Construct(index, arguments),
        Callee::Function(index) => ProcessExprKind::Call(index, arguments),
        Callee::Operation(operation) => ProcessExprKind::Apply(operation, arguments),
    }
}
