//! Translates expressions to terms: resolves names, computes types, and substitutes arguments of modules.

mod names;
mod operators;
mod types;
mod words;

use super::scopes::{ModuleEntity, ModuleInstance, ScopeId};
use super::system::{FlatSystem, SmvDefinition};
use super::term::{SmvNode, SmvTerm, SmvType, SymbolId, Traits, VariableId};
use super::text::tree::{SmvExpr, SmvExprKind, Unary};
use kit::diagnostics::{Diagnostic, Span};
use kit::number::to_i64;
use std::collections::{BTreeMap, HashMap};

/// The greatest nesting depth of terms, through definitions.
const DEEPEST: u32 = 1_000;

/// The greatest number of mistakes kept.
const MOST_MISTAKES: usize = 1_000;

/// A failure that is already reported.
#[derive(Debug, Clone, Copy)]
pub(super) struct ReportedFailure;

/// A result whose failure is already reported.
pub(super) type SmvResult<T> = Result<T, ReportedFailure>;

#[derive(Debug, Clone, Copy)]
pub(super) struct SmvMoment {
    pub scope: ScopeId,
    /// True in the state after the step.
    pub next: bool,
}

/// A name of an instance of a module.
type InstanceName<'f> = (ScopeId, &'f str);

/// The memoised terms of a name that stands for an expression.
#[derive(Debug, Clone, Default)]
struct TermMemo {
    /// The terms in the state before the step, and in the one after it.
    terms: [Option<SmvResult<SmvTerm>>; 2],
    /// True while the term is being computed.
    busy: [bool; 2],
}

#[derive(Debug)]
pub(super) struct SmvElaborator<'f> {
    pub scopes: Vec<ModuleInstance<'f>>,
    pub system: FlatSystem,
    pub mistakes: Vec<Diagnostic>,
    /// The variables with known types, by instance and name.
    variables: HashMap<InstanceName<'f>, VariableId>,
    keys: Vec<InstanceName<'f>>,
    /// The assignment in every state of a variable other than an array.
    pub always: HashMap<VariableId, (&'f SmvExpr, ScopeId)>,
    known: HashMap<InstanceName<'f>, TermMemo>,
    /// The input that chooses the process that moves, and the symbols of processes, by their instances.
    pub selector: Option<(VariableId, BTreeMap<ScopeId, SymbolId>)>,
    /// The number of sets made of sets with cases.
    sets: usize,
    depth: u32,
}

impl<'f> SmvElaborator<'f> {
    pub fn new(scopes: Vec<ModuleInstance<'f>>) -> Self {
        Self {
            scopes,
            system: FlatSystem::default(),
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

    pub fn wrong(
        &mut self,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> ReportedFailure {
        self.report(Diagnostic::error(span, message).with_help(help))
    }

    fn report(&mut self, mistake: Diagnostic) -> ReportedFailure {
        // A mistake in a module occurs in all of its instances.
        if self.mistakes.len() < MOST_MISTAKES && !self.mistakes.contains(&mistake) {
            self.mistakes.push(mistake);
        }
        ReportedFailure
    }

    /// Translates an expression of `scope` in the state before a step.
    pub fn term(&mut self, expr: &'f SmvExpr, scope: ScopeId) -> SmvResult<SmvTerm> {
        self.at(expr, SmvMoment { scope, next: false })
    }

    /// Translates an expression of boolean type.
    pub fn condition(&mut self, expr: &'f SmvExpr, scope: ScopeId) -> SmvResult<SmvTerm> {
        let term = self.term(expr, scope)?;
        self.expect(&term, &SmvType::Bool)?;
        Ok(term)
    }

    /// Elaborates a definition, used or not.
    pub fn define(&mut self, scope: ScopeId, name: &'f str, body: (&'f SmvExpr, ScopeId)) -> SmvResult<()> {
        match &body.0.kind {
            SmvExprKind::Array(elements) => {
                elements.iter().try_for_each(|element| self.define_element(body.1, element))
            }
            _ => self.definition((scope, name), body, false, body.0.span).map(|_| ()),
        }
    }

    fn define_element(&mut self, scope: ScopeId, element: &'f SmvExpr) -> SmvResult<()> {
        match &element.kind {
            SmvExprKind::Array(inner) => {
                inner.iter().try_for_each(|element| self.define_element(scope, element))
            }
            _ => self.term(element, scope).map(|_| ()),
        }
    }

    /// Returns the value of a variable that is always assigned.
    pub fn always_value(&mut self, variable: VariableId, span: Span) -> SmvResult<SmvTerm> {
        let body = self.always.get(&variable).copied().ok_or(ReportedFailure)?;
        let term = self.definition(self.keys[variable], body, false, span)?;
        Ok(match &*term.node {
            // The definition itself shows what it reads.
            SmvNode::Definition(id) => self.system.definitions[*id].value.clone(),
            _ => term,
        })
    }

    fn at(&mut self, expr: &'f SmvExpr, place: SmvMoment) -> SmvResult<SmvTerm> {
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
        Ok(SmvTerm { span: expr.span, ..term })
    }

    fn too_deep(&mut self, span: Span) -> ReportedFailure {
        let message = format!("more than {DEEPEST} expressions are nested here, through definitions");
        self.wrong(span, message, "make a variable of some definition")
    }

    fn inner(&mut self, expr: &'f SmvExpr, place: SmvMoment) -> SmvResult<SmvTerm> {
        let span = expr.span;
        match &expr.kind {
            SmvExprKind::Bool(value) => Ok(SmvTerm::new(SmvNode::Bool(*value), SmvType::Bool, span)),
            SmvExprKind::Number(value) => self.number(*value, span),
            SmvExprKind::Word(ty, value) => self.constant_word(*value, *ty, span),
            SmvExprKind::Bits(of, high, low) => {
                let (of, high, low) = (self.at(of, place)?, self.at(high, place)?, self.at(low, place)?);
                self.selected(&of, (&high, &low), span)
            }
            SmvExprKind::Call(function, arguments) => {
                let terms = arguments.iter().map(|argument| self.at(argument, place)).collect::<Vec<_>>();
                self.call(*function, &terms.into_iter().collect::<SmvResult<Vec<_>>>()?, span)
            }
            SmvExprKind::Bounded(operator, bounds, inner) => {
                let term = self.at(inner, place)?;
                self.bounded(*operator, *bounds, &term, span)
            }
            SmvExprKind::BoundedUntil(operator, bounds, f, g) => {
                let (f, g) = (self.at(f, place)?, self.at(g, place)?);
                self.bounded_until(*operator, *bounds, (&f, &g), span)
            }
            SmvExprKind::Name(_) | SmvExprKind::Itself | SmvExprKind::Dot(..) | SmvExprKind::Index(..) => {
                self.named(expr, place)
            }
            SmvExprKind::Unary(Unary::Not, inner) => {
                let term = self.at(inner, place)?;
                if matches!(term.ty, SmvType::Word(_)) {
                    return self.inverted(&term, span);
                }
                self.expect(&term, &SmvType::Bool)?;
                Ok(SmvTerm::new(SmvNode::Not(term), SmvType::Bool, span))
            }
            SmvExprKind::Unary(Unary::Minus, inner) => self.minus(inner, place, span),
            SmvExprKind::Unary(Unary::Temporal(operator), inner) => {
                let term = self.at(inner, place)?;
                self.formula(*operator, vec![term], span)
            }
            SmvExprKind::Binary(operator, a, b) => self.binary(*operator, (a, b), place, span),
            SmvExprKind::If(condition, then, otherwise) => {
                let always = SmvTerm::new(SmvNode::Bool(true), SmvType::Bool, otherwise.span);
                let condition = self.at(condition, place)?;
                let cases = vec![(condition, self.at(then, place)?), (always, self.at(otherwise, place)?)];
                self.case(cases, span)
            }
            SmvExprKind::Case(cases) => {
                let mut all = Vec::new();
                for (condition, value) in cases {
                    all.push((self.at(condition, place)?, self.at(value, place)?));
                }
                self.case(all, span)
            }
            SmvExprKind::Set(members) => {
                let members = members.iter().map(|member| self.at(member, place)).collect::<Vec<_>>();
                self.set(members.into_iter().collect::<SmvResult<Vec<_>>>()?, span)
            }
            SmvExprKind::Array(_) => {
                Err(self.wrong(span, "an array is no value", "define it with `DEFINE`, and use its elements"))
            }
            SmvExprKind::Next(_) if place.next => {
                let help = "a step has one next state; leave out the inner `next`";
                Err(self.wrong(span, "`next` is inside `next`", help))
            }
            SmvExprKind::Next(inner) => self.at(inner, SmvMoment { next: true, ..place }),
            SmvExprKind::Count(all) => {
                let mut terms = Vec::new();
                for part in all {
                    let term = self.at(part, place)?;
                    self.expect(&term, &SmvType::Bool)?;
                    self.plain(&term)?;
                    terms.push(term);
                }
                let most = to_i64(terms.len());
                Ok(SmvTerm::new(SmvNode::Count(terms), SmvType::Int(0, most), span))
            }
            SmvExprKind::ToInt(inner) => self.number_of(inner, place, span),
            SmvExprKind::ToBool(inner) => self.truth_of(inner, place, span),
        }
    }

    /// Returns the term of a definition, an argument or a variable that is always assigned.
    fn definition(
        &mut self,
        key: InstanceName<'f>,
        body: (&'f SmvExpr, ScopeId),
        next: bool,
        span: Span,
    ) -> SmvResult<SmvTerm> {
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
            return term.map(|term| SmvTerm { span, ..term });
        }
        known.busy[at] = true;
        let term = self.at(body.0, SmvMoment { scope: body.1, next });
        let term = term.and_then(|term| self.defined(key, term, next));
        let known = self.known.entry(key).or_default();
        known.busy[at] = false;
        known.terms[at] = Some(term.clone());
        term.map(|term| SmvTerm { span, ..term })
    }

    /// Returns the term for uses of a definition: its name, unless it must be expanded.
    fn defined(&mut self, key: InstanceName<'f>, term: SmvTerm, next: bool) -> SmvResult<SmvTerm> {
        if term.is_temporal() {
            let culprit = term.culprit(|traits| traits.ltl || traits.ctl).span;
            let help = "temporal operators belong in `LTLSPEC` and `CTLSPEC`";
            return Err(self.wrong(culprit, "a temporal operator is in a definition", help));
        }
        let is_set = matches!(term.ty, SmvType::Set(_));
        let is_argument =
            matches!(self.scopes[key.0].names.get(key.1), Some((ModuleEntity::Parameter(..), _)));
        let is_simple = matches!(
            &*term.node,
            SmvNode::Bool(_)
                | SmvNode::Int(_)
                | SmvNode::Symbol(_)
                | SmvNode::Read { .. }
                | SmvNode::Definition(_)
        );
        if next || term.traits.next || term.traits.input || is_set || (is_argument && is_simple) {
            return Ok(term);
        }
        let id = self.system.definitions.len();
        let traits = Traits { partial: term.traits.partial, ..Traits::default() };
        let (ty, span, height) = (term.ty.clone(), term.span, term.height);
        let name = format!("{}{}", self.scopes[key.0].path, key.1);
        self.system.definitions.push(SmvDefinition { name, value: term });
        Ok(SmvTerm { height: height + 1, ..SmvTerm::with_traits(SmvNode::Definition(id), ty, traits, span) })
    }
}
