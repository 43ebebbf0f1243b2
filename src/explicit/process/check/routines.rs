//! Calls of functions and processes with parameters that they assign; assertions and exceptions.

use super::CalledFunction;
use super::ProcessChecker;
use super::names::{RoutineScope, variable};
use crate::process::program::{BOOL, BehaviourOp, CodeId, ProcessExpr, ProcessExprKind, Slot, TypeId};
use crate::process::text::tree::{
    self, ActionSyntax, OfferSyntax, ParameterMode, PatternSyntaxKind, ProcessName,
};
use kit::diagnostics::Span;

/// The actual parameters of a call.
pub(super) struct Actual {
    /// The values; parameters that are only assigned have none.
    pub values: Vec<Option<ProcessExpr>>,
    /// Parameters with the variables of the caller that get their values.
    pub outs: Vec<(Slot, Slot)>,
}

impl ProcessChecker {
    /// `eval x := F (e, ?y, !?z)`
    pub(super) fn eval(
        &mut self,
        target: Option<&ProcessName>,
        call: &ActionSyntax,
        span: Span,
        scope: &RoutineScope,
    ) -> BehaviourOp {
        let target = match target {
            Some(name) => match self.variable(name, scope) {
                Some(found) => Some(found),
                None => return BehaviourOp::Null,
            },
            None => None,
        };
        let named: Vec<CalledFunction> =
            self.called.iter().filter(|called| called.key == call.name.key).cloned().collect();
        let fits = |called: &&CalledFunction| {
            let result = target.is_none_or(|(_, of)| called.result == Some(of));
            result
                && called.parameters.len() == call.offers.len()
                && called.parameters.iter().zip(&call.offers).all(|(p, offer)| self.fits(*p, offer, scope))
        };
        let found: Vec<&CalledFunction> = named.iter().filter(fits).collect();
        match found.as_slice() {
            [] if named.is_empty() => {
                let known: Vec<String> = self.called.iter().map(|called| called.key.clone()).collect();
                let known: Vec<&str> = known.iter().map(String::as_str).collect();
                let help = "define it: `function f (in out x : nat) is ... end function`";
                self.unknown(&call.name, "function", &known, help);
                BehaviourOp::Null
            }
            [only] => {
                let Some(actual) = self.actual(&call.offers, &only.parameters, scope) else {
                    return BehaviourOp::Null;
                };
                BehaviourOp::Eval {
                    function: only.index,
                    arguments: actual.values,
                    outs: actual.outs.into_iter().map(|(_, to)| to).collect(),
                    result: target.map(|(slot, _)| slot),
                }
            }
            [] => {
                let shown: Vec<String> = named.iter().map(|called| self.shown(called)).collect();
                let message = format!("{} cannot be called like this", call.name.shown);
                let help = format!(
                    "its parameters are {}; `in` takes a value, `out` takes `?x`, `in out` takes `!?x`",
                    shown.join(" or ")
                );
                self.mistake(span, message, help);
                BehaviourOp::Null
            }
            _ => {
                let message = format!("{} is ambiguous here", call.name.shown);
                self.mistake(span, message, "state the types of its arguments: `(E) of T`");
                BehaviourOp::Null
            }
        }
    }

    /// `(nat, out bool) : nat`
    fn shown(&self, called: &CalledFunction) -> String {
        let parameter = |(of, mode): &(TypeId, ParameterMode)| {
            let mode = match mode {
                ParameterMode::In => "",
                ParameterMode::Out => "out ",
                ParameterMode::InOut => "in out ",
            };
            format!("{mode}{}", self.type_name(*of))
        };
        let all: Vec<String> = called.parameters.iter().map(parameter).collect();
        let result = called.result.map(|of| format!(" : {}", self.type_name(of))).unwrap_or_default();
        format!("({}){result}", all.join(", "))
    }

    /// True if something can be an actual parameter.
    fn fits(&self, (of, mode): (TypeId, ParameterMode), offer: &OfferSyntax, scope: &RoutineScope) -> bool {
        match (mode, offer) {
            (ParameterMode::In, OfferSyntax::Send(value)) => {
                self.types_of(value, &scope.variables).contains(&of)
            }
            (ParameterMode::Out | ParameterMode::InOut, _) => assigned(mode, offer)
                .and_then(|name| variable(&scope.variables, &name.key))
                .is_some_and(|variable| variable.of == of),
            _ => false,
        }
    }

    /// Checks the actual parameters of a call; as many as there are both of actual and of formal ones.
    pub(super) fn actual(
        &mut self,
        offers: &[OfferSyntax],
        formal: &[(TypeId, ParameterMode)],
        scope: &RoutineScope,
    ) -> Option<Actual> {
        let (mut values, mut outs, mut right) = (Vec::new(), Vec::new(), true);
        for (at, (offer, (of, mode))) in offers.iter().zip(formal).enumerate() {
            let mut value = None;
            match (mode, offer, assigned(*mode, offer)) {
                (ParameterMode::In, OfferSyntax::Send(given), _) => {
                    value = self.typed(given, Some(*of), &scope.variables);
                    right &= value.is_some();
                }
                (ParameterMode::Out | ParameterMode::InOut, _, Some(name)) => {
                    match self.variable(name, scope) {
                        Some((slot, own)) if own == *of => {
                            outs.push((Slot::new(at), slot));
                            let kind = ProcessExprKind::Variable(slot);
                            value = (*mode == ParameterMode::InOut).then_some(ProcessExpr {
                                kind,
                                of: own,
                                span: name.span,
                            });
                        }
                        Some((_, own)) => {
                            let (own, of) = (self.type_name(own), self.type_name(*of));
                            let message = format!("this is {own}, but {of} is needed here");
                            self.mistake(name.span, message, "use a variable of this type");
                            right = false;
                        }
                        None => right = false,
                    }
                }
                _ => {
                    self.wrong_way(*mode, offer);
                    right = false;
                }
            }
            values.push(value);
        }
        right.then_some(Actual { values, outs })
    }

    /// Reports an actual parameter that goes the wrong way.
    fn wrong_way(&mut self, mode: ParameterMode, offer: &OfferSyntax) {
        let place = match offer {
            OfferSyntax::Send(value) => value.span,
            OfferSyntax::Receive(pattern) => pattern.span,
            OfferSyntax::Change(name) => name.span,
        };
        let (message, help) = match mode {
            ParameterMode::In => {
                ("this argument must be a value", "`?` is for actions and for parameters with `out`")
            }
            ParameterMode::Out => ("this argument must be a variable to be assigned", "write `?x`"),
            ParameterMode::InOut => ("this argument must be a variable to be changed", "write `!?x`"),
        };
        self.mistake(place, message, help);
    }

    /// `assert E raise X`
    pub(super) fn assert(
        &mut self,
        condition: &tree::ExprSyntax,
        exception: Option<&ProcessName>,
        span: Span,
        scope: &mut RoutineScope,
    ) -> BehaviourOp {
        let condition = self.typed(condition, Some(BOOL), &scope.variables);
        let failure = match exception {
            Some(name) => self.raise(name, span, scope),
            None => BehaviourOp::Fail("this assertion does not hold".to_owned()),
        };
        let (done, failure) = (self.push(BehaviourOp::Null, span), self.push(failure, span));
        match condition {
            Some(condition) => BehaviourOp::If { cases: vec![(condition, done)], otherwise: failure },
            None => BehaviourOp::Null,
        }
    }

    /// `raise X`; in a process, a gate on which the exception is offered for ever.
    pub(super) fn raise(&mut self, name: &ProcessName, span: Span, scope: &mut RoutineScope) -> BehaviourOp {
        if scope.gate(&name.key).is_none() {
            let what = if scope.function { "function" } else { "process" };
            let message = format!("the {what} does not declare the exception {}", name.shown);
            let help =
                format!("declare it after the name of the {what}: `{what} f [{} : none] (...)`", name.shown);
            self.mistake(name.span, message, help);
            return BehaviourOp::Null;
        }
        if scope.function {
            return BehaviourOp::Fail(format!("the exception {} is raised", name.shown));
        }
        let action = ActionSyntax { name: name.clone(), gates: None, offers: Vec::new(), condition: None };
        let act = self.action(&action, span, scope);
        let (act, stop) = (self.push(act, span), self.push(BehaviourOp::Stop, span));
        BehaviourOp::Sequence(act, stop)
    }

    /// `return E`
    pub(super) fn returned(
        &mut self,
        value: &tree::ExprSyntax,
        span: Span,
        scope: &mut RoutineScope,
    ) -> BehaviourOp {
        let Some(of) = scope.result else {
            let (message, help) = match scope.function {
                true => (
                    "this function has no result",
                    "give it one, `function f (...) : T`, or an `out` parameter",
                ),
                false => ("a process cannot return a value", "offer the value on a gate"),
            };
            self.mistake(span, message, help);
            return BehaviourOp::Null;
        };
        let Some(value) = self.typed(value, Some(of), &scope.variables) else { return BehaviourOp::Null };
        let Some(result) = scope.result_slot else { return BehaviourOp::Return(value) };
        let kept = ProcessExpr { kind: ProcessExprKind::Variable(result), of, span: value.span };
        let (assign, back) =
            (self.push(BehaviourOp::Assign(result, value), span), self.push(BehaviourOp::Return(kept), span));
        let checks = self.ensured(back, span, scope);
        BehaviourOp::Sequence(assign, checks)
    }

    /// The conditions that hold at the end, and then `last`.
    pub(super) fn ensured(&mut self, last: CodeId, span: Span, scope: &mut RoutineScope) -> CodeId {
        let mut code = last;
        for condition in scope.ensured.clone().iter().rev() {
            let check = self.assert(condition, None, condition.span, scope);
            let check = self.push(check, condition.span);
            code = self.push(BehaviourOp::Sequence(check, code), span);
        }
        code
    }
}

/// The variable that an actual parameter assigns, if that is what it does.
fn assigned(mode: ParameterMode, offer: &OfferSyntax) -> Option<&ProcessName> {
    match (mode, offer) {
        (ParameterMode::Out, OfferSyntax::Receive(pattern)) => match &pattern.kind {
            PatternSyntaxKind::Name(name) => Some(name),
            _ => None,
        },
        (ParameterMode::InOut, OfferSyntax::Change(name)) => Some(name),
        _ => None,
    }
}
