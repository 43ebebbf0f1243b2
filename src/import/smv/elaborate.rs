//! Translates expressions to terms: resolves names, computes types, and substitutes arguments of modules.

mod names;
mod operators;
mod types;
mod words;

use super::scopes::{Entity, Scope, ScopeId};
use super::system::{Definition, System};
use super::term::{Node, SymbolId, Term, Traits, Ty, VariableId};
use super::text::tree::{Expr, ExprKind, Unary};
use kit::diagnostics::{Diagnostic, Span};
use std::collections::{BTreeMap, HashMap};

/// The greatest nesting depth of terms, through definitions.
const DEEPEST: u32 = 1_000;

/// The greatest number of mistakes kept.
const MOST_MISTAKES: usize = 1_000;

/// A failure that is already reported.
#[derive(Debug, Clone, Copy)]
pub(super) struct Failed;

/// A result whose failure is already reported.
pub(super) type Result<T> = std::result::Result<T, Failed>;

#[derive(Debug, Clone, Copy)]
pub(super) struct Moment {
    pub scope: ScopeId,
    /// True in the state after the step.
    pub next: bool,
}

/// A name of an instance of a module.
type Key<'f> = (ScopeId, &'f str);

/// The memoised terms of a name that stands for an expression.
#[derive(Debug, Clone, Default)]
struct Known {
    /// The terms in the state before the step, and in the one after it.
    terms: [Option<Result<Term>>; 2],
    /// True while the term is being computed.
    busy: [bool; 2],
}

#[derive(Debug)]
pub(super) struct Elaborator<'f> {
    pub scopes: Vec<Scope<'f>>,
    pub system: System,
    pub mistakes: Vec<Diagnostic>,
    /// The variables with known types, by instance and name.
    variables: HashMap<Key<'f>, VariableId>,
    keys: Vec<Key<'f>>,
    /// The assignment in every state of a variable other than an array.
    pub always: HashMap<VariableId, (&'f Expr, ScopeId)>,
    known: HashMap<Key<'f>, Known>,
    /// The input that chooses the process that moves, and the symbols of processes, by their instances.
    pub selector: Option<(VariableId, BTreeMap<ScopeId, SymbolId>)>,
    /// The number of sets made of sets with cases.
    sets: usize,
    depth: u32,
}

impl<'f> Elaborator<'f> {
    pub fn new(scopes: Vec<Scope<'f>>) -> Self {
        Self {
            scopes,
            system: System::default(),
            mistakes: Vec::new(),
            variables: HashMap::new(),
            keys: Vec::new(),
            always: HashMap::new(),
            known: HashMap::new(),
            selector: None,
            sets: 0,
            depth: 0,
        }
    }

    pub fn wrong(&mut self, span: Span, message: impl Into<String>, help: impl Into<String>) -> Failed {
        self.report(Diagnostic::error(span, message).with_help(help))
    }

    fn report(&mut self, mistake: Diagnostic) -> Failed {
        // A mistake in a module occurs in all of its instances.
        if self.mistakes.len() < MOST_MISTAKES && !self.mistakes.contains(&mistake) {
            self.mistakes.push(mistake);
        }
        Failed
    }

    /// Translates an expression of `scope` in the state before a step.
    pub fn term(&mut self, expr: &'f Expr, scope: ScopeId) -> Result<Term> {
        self.at(expr, Moment { scope, next: false })
    }

    /// Translates an expression of boolean type.
    pub fn condition(&mut self, expr: &'f Expr, scope: ScopeId) -> Result<Term> {
        let term = self.term(expr, scope)?;
        self.expect(&term, &Ty::Bool)?;
        Ok(term)
    }

    /// Elaborates a definition, used or not.
    pub fn define(&mut self, scope: ScopeId, name: &'f str, body: (&'f Expr, ScopeId)) -> Result<()> {
        match &body.0.kind {
            ExprKind::Array(elements) => {
                elements.iter().try_for_each(|element| self.define_element(body.1, element))
            }
            _ => self.definition((scope, name), body, false, body.0.span).map(|_| ()),
        }
    }

    fn define_element(&mut self, scope: ScopeId, element: &'f Expr) -> Result<()> {
        match &element.kind {
            ExprKind::Array(inner) => {
                inner.iter().try_for_each(|element| self.define_element(scope, element))
            }
            _ => self.term(element, scope).map(|_| ()),
        }
    }

    /// Returns the value of a variable that is always assigned.
    pub fn always_value(&mut self, variable: VariableId, span: Span) -> Result<Term> {
        let body = self.always.get(&variable).copied().ok_or(Failed)?;
        let term = self.definition(self.keys[variable], body, false, span)?;
        Ok(match &*term.node {
            // The definition itself shows what it reads.
            Node::Definition(id) => self.system.definitions[*id].value.clone(),
            _ => term,
        })
    }

    fn at(&mut self, expr: &'f Expr, place: Moment) -> Result<Term> {
        self.depth += 1;
        let term = match self.depth > DEEPEST {
            true => Err(self.too_deep(expr.span)),
            false => self.inner(expr, place),
        };
        self.depth -= 1;
        let term = term?;
        if term.height > DEEPEST {
            return Err(self.too_deep(expr.span));
        }
        Ok(Term { span: expr.span, ..term })
    }

    fn too_deep(&mut self, span: Span) -> Failed {
        let message = format!("more than {DEEPEST} expressions are nested here, through definitions");
        self.wrong(span, message, "make a variable of some definition")
    }

    fn inner(&mut self, expr: &'f Expr, place: Moment) -> Result<Term> {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Bool(value) => Ok(Term::new(Node::Bool(*value), Ty::Bool, span)),
            ExprKind::Number(value) => self.number(*value, span),
            ExprKind::Word(ty, value) => self.constant_word(*value, *ty, span),
            ExprKind::Bits(of, high, low) => {
                let (of, high, low) = (self.at(of, place)?, self.at(high, place)?, self.at(low, place)?);
                self.selected(&of, (&high, &low), span)
            }
            ExprKind::Call(function, arguments) => {
                let terms = arguments.iter().map(|argument| self.at(argument, place)).collect::<Vec<_>>();
                self.call(*function, &terms.into_iter().collect::<Result<Vec<_>>>()?, span)
            }
            ExprKind::Bounded(operator, bounds, inner) => {
                let term = self.at(inner, place)?;
                self.bounded(*operator, *bounds, &term, span)
            }
            ExprKind::BoundedUntil(operator, bounds, f, g) => {
                let (f, g) = (self.at(f, place)?, self.at(g, place)?);
                self.bounded_until(*operator, *bounds, (&f, &g), span)
            }
            ExprKind::Name(_) | ExprKind::Itself | ExprKind::Dot(..) | ExprKind::Index(..) => {
                self.named(expr, place)
            }
            ExprKind::Unary(Unary::Not, inner) => {
                let term = self.at(inner, place)?;
                if matches!(term.ty, Ty::Word(_)) {
                    return self.inverted(&term, span);
                }
                self.expect(&term, &Ty::Bool)?;
                Ok(Term::new(Node::Not(term), Ty::Bool, span))
            }
            ExprKind::Unary(Unary::Minus, inner) => self.minus(inner, place, span),
            ExprKind::Unary(operator, inner) => {
                let term = self.at(inner, place)?;
                self.temporal(*operator, term, span)
            }
            ExprKind::Binary(operator, a, b) => self.binary(*operator, (a, b), place, span),
            ExprKind::If(condition, then, otherwise) => {
                let always = Term::new(Node::Bool(true), Ty::Bool, otherwise.span);
                let condition = self.at(condition, place)?;
                let cases = vec![(condition, self.at(then, place)?), (always, self.at(otherwise, place)?)];
                self.case(cases, span)
            }
            ExprKind::Case(cases) => {
                let mut all = Vec::new();
                for (condition, value) in cases {
                    all.push((self.at(condition, place)?, self.at(value, place)?));
                }
                self.case(all, span)
            }
            ExprKind::Set(members) => {
                let members = members.iter().map(|member| self.at(member, place)).collect::<Vec<_>>();
                self.set(members.into_iter().collect::<Result<Vec<_>>>()?, span)
            }
            ExprKind::Array(_) => {
                Err(self.wrong(span, "an array is no value", "define it with `DEFINE`, and use its elements"))
            }
            ExprKind::Next(_) if place.next => {
                let help = "a step has one next state; leave out the inner `next`";
                Err(self.wrong(span, "`next` is inside `next`", help))
            }
            ExprKind::Next(inner) => self.at(inner, Moment { next: true, ..place }),
            ExprKind::Count(all) => {
                let mut terms = Vec::new();
                for part in all {
                    let term = self.at(part, place)?;
                    self.expect(&term, &Ty::Bool)?;
                    self.plain(&term)?;
                    terms.push(term);
                }
                let most = terms.len() as i64;
                Ok(Term::new(Node::Count(terms), Ty::Int(0, most), span))
            }
            ExprKind::ToInt(inner) => self.number_of(inner, place, span),
            ExprKind::ToBool(inner) => self.truth_of(inner, place, span),
        }
    }

    /// Returns the term of a definition, an argument or a variable that is always assigned.
    fn definition(
        &mut self,
        key: Key<'f>,
        body: (&'f Expr, ScopeId),
        next: bool,
        span: Span,
    ) -> Result<Term> {
        let at = usize::from(next);
        let known = self.known.entry(key).or_default();
        if known.busy[at] {
            let message = format!("`{}{}` depends on itself", self.scopes[key.0].path, key.1);
            return Err(self.wrong(
                span,
                message,
                "break the circle with a variable that is assigned with `next`",
            ));
        }
        if let Some(term) = known.terms[at].clone() {
            return term.map(|term| Term { span, ..term });
        }
        known.busy[at] = true;
        let term = self.at(body.0, Moment { scope: body.1, next });
        let term = term.and_then(|term| self.defined(key, term, next));
        let known = self.known.entry(key).or_default();
        known.busy[at] = false;
        known.terms[at] = Some(term.clone());
        term.map(|term| Term { span, ..term })
    }

    /// Returns the term for uses of a definition: its name, unless it must be expanded.
    fn defined(&mut self, key: Key<'f>, term: Term, next: bool) -> Result<Term> {
        if term.is_temporal() {
            let culprit = term.culprit(|traits| traits.ltl || traits.ctl).span;
            let help = "temporal operators belong in `LTLSPEC` and `CTLSPEC`";
            return Err(self.wrong(culprit, "a temporal operator is in a definition", help));
        }
        let is_set = matches!(term.ty, Ty::Set(_));
        let is_argument = matches!(self.scopes[key.0].names.get(key.1), Some((Entity::Parameter(..), _)));
        let is_simple = matches!(
            &*term.node,
            Node::Bool(_) | Node::Int(_) | Node::Symbol(_) | Node::Read { .. } | Node::Definition(_)
        );
        if next || term.traits.next || term.traits.input || is_set || (is_argument && is_simple) {
            return Ok(term);
        }
        let id = self.system.definitions.len();
        let traits = Traits { partial: term.traits.partial, ..Traits::default() };
        let (ty, span, height) = (term.ty.clone(), term.span, term.height);
        let name = format!("{}{}", self.scopes[key.0].path, key.1);
        self.system.definitions.push(Definition { name, value: term });
        Ok(Term { height: height + 1, ..Term::with_traits(Node::Definition(id), ty, traits, span) })
    }
}
