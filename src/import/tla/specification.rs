//! Specifications and properties: initial states, steps, fairness, formulas of linear time.

use super::actions::{Gives, few};
use crate::quint::alternative::StepAlternative;
use crate::quint::elaborate::{
    QuintBinding, QuintElaborator, QuintEnv, RECURSIVE, ReasonKind, Result, UntranslatableReason, inside,
};
use crate::quint::ir::QuintExpr;
use crate::quint::print_model::{Fair, PrintedLtl};
use crate::quint::term::{Node, QuintTerm};

/// A specification `Init /\ [][Next]_v /\ fairness`.
#[derive(Debug, Default)]
pub(super) struct TlaSpecification<'a> {
    pub initial: Vec<(&'a QuintExpr, QuintEnv<'a>)>,
    pub next: Option<(&'a QuintExpr, QuintEnv<'a>)>,
    /// Fairness, and other conditions on infinite traces.
    pub temporal: Vec<(&'a QuintExpr, QuintEnv<'a>)>,
    /// Variables that steps other than those of `next` may change, by the subscript.
    pub free: Vec<&'a str>,
}

/// A part of a property that is checked on its own.
#[derive(Debug)]
pub(super) enum PropertyPart {
    /// A formula about each state.
    State(QuintTerm),
    /// A formula about each alternative of a step.
    Steps(Vec<QuintTerm>),
    Linear(PrintedLtl),
    /// Fairness that cannot be translated.
    LeftOut(UntranslatableReason),
}

impl<'a> QuintElaborator<'a> {
    /// Takes a specification apart.
    pub(super) fn taken_apart(
        &mut self,
        expr: &'a QuintExpr,
        env: &QuintEnv<'a>,
        parts: &mut TlaSpecification<'a>,
    ) -> Result<()> {
        self.within(|inner| inner.apart(expr, env, parts))
    }

    fn apart(
        &mut self,
        expr: &'a QuintExpr,
        env: &QuintEnv<'a>,
        parts: &mut TlaSpecification<'a>,
    ) -> Result<()> {
        match expr {
            QuintExpr::App { opcode, args } => match (opcode.as_str(), &args[..]) {
                ("and", _) => args.iter().try_for_each(|arg| self.taken_apart(arg, env, parts)),
                ("tla:always", [QuintExpr::App { opcode, args }]) if opcode == "tla:square" => {
                    if parts.next.is_some() {
                        return Err("a specification has two formulas of steps".into());
                    }
                    parts.next = Some((&args[0], env.clone()));
                    if let Some(kept) = args.get(1).and_then(|over| self.places(over, env)) {
                        parts.free =
                            self.variables.keys().copied().filter(|own| !kept.contains(own)).collect();
                    }
                    Ok(())
                }
                _ if temporal(self, expr) => {
                    parts.temporal.push((expr, env.clone()));
                    Ok(())
                }
                _ => {
                    parts.initial.push((expr, env.clone()));
                    Ok(())
                }
            },
            QuintExpr::Name { name } if temporal(self, expr) => {
                match self.definitions.get(name.as_str()).copied() {
                    Some(definition) => self.taken_apart(&definition.expr, &QuintEnv::default(), parts),
                    None => Err(format!("`{}` is not known", name.trim_start_matches(':')).into()),
                }
            }
            _ => {
                parts.initial.push((expr, env.clone()));
                Ok(())
            }
        }
    }

    /// Takes a property apart, into conditions on states, on steps, and formulas of linear time.
    pub(super) fn property(
        &mut self,
        expr: &'a QuintExpr,
        env: &QuintEnv<'a>,
        steps: &[StepAlternative],
        parts: &mut Vec<PropertyPart>,
    ) -> Result<()> {
        self.within(|inner| inner.split(expr, env, steps, parts))
    }

    fn split(
        &mut self,
        expr: &'a QuintExpr,
        env: &QuintEnv<'a>,
        steps: &[StepAlternative],
        parts: &mut Vec<PropertyPart>,
    ) -> Result<()> {
        if !temporal(self, expr) {
            let initially = PrintedLtl::State(self.expression(expr, env)?);
            parts.push(PropertyPart::Linear(initially));
            return Ok(());
        }
        match expr {
            QuintExpr::App { opcode, args } => match (opcode.as_str(), &args[..]) {
                ("and", _) => args.iter().try_for_each(|arg| self.property(arg, env, steps, parts)),
                ("tla:always", [QuintExpr::App { opcode, args }]) if opcode == "tla:square" => {
                    let [action, over] = &args[..] else { return Err("`[A]_v` needs A and v".into()) };
                    let mut terms = Vec::new();
                    for step in steps {
                        self.next = Some(step.assigned.iter().cloned().collect());
                        let same = self.unmoved(over, env)?;
                        let action = self.expression(action, env)?;
                        terms.push(QuintTerm::any(vec![same, action]));
                    }
                    parts.push(PropertyPart::Steps(terms));
                    Ok(())
                }
                ("tla:always", [inner]) if !temporal(self, inner) => {
                    parts.push(PropertyPart::State(self.expression(inner, env)?));
                    Ok(())
                }
                ("tla:weak" | "tla:strong" | "forall", _) if is_fairness(expr) => {
                    let problems = self.problems.len();
                    let formula = self.linear(expr, env);
                    let others = self.problems.split_off(problems);
                    let part = match (formula, others.into_iter().next()) {
                        (Ok(formula), None) => PropertyPart::Linear(formula),
                        (Err(reason), _) | (_, Some(reason)) => match reason.kind {
                            ReasonKind::ReadBefore | ReasonKind::Other => PropertyPart::LeftOut(reason),
                            _ => return Err(reason),
                        },
                    };
                    parts.push(part);
                    Ok(())
                }
                (name, _) if self.definitions.contains_key(name) => {
                    let definition = self.definitions[name];
                    let (lambda, entered) =
                        self.entered(&definition.expr, args, &QuintEnv::default(), env)?;
                    self.property(&lambda.expr, &entered, steps, parts).map_err(|found| inside(name, found))
                }
                _ => {
                    parts.push(PropertyPart::Linear(self.linear(expr, env)?));
                    Ok(())
                }
            },
            QuintExpr::Name { name } if self.definitions.contains_key(name.as_str()) => {
                let definition = self.definitions[name.as_str()];
                self.property(&definition.expr, &QuintEnv::default(), steps, parts)
                    .map_err(|found| inside(name, found))
            }
            _ => {
                parts.push(PropertyPart::Linear(self.linear(expr, env)?));
                Ok(())
            }
        }
    }

    /// Returns the condition that an expression has one value in two states of a step.
    pub(super) fn unmoved(&mut self, over: &'a QuintExpr, env: &QuintEnv<'a>) -> Result<QuintTerm> {
        let Some(places) = self.places(over, env) else {
            let (old, new) = (self.expression(over, env)?, self.prime(over, env)?);
            return self.comparison("=", &new, &old);
        };
        let mut same = Vec::new();
        for place in places {
            let Some((own, ty)) = self.variables.get(place).cloned() else { continue };
            let new = self.next.as_ref().and_then(|next| next.get(&own)).cloned();
            let Some(new) = new.filter(|new| !new.is_name(&own)) else { continue };
            let old = self.make(Node::Name(own), ty)?;
            same.push(self.comparison("=", &new, &old)?);
        }
        Ok(QuintTerm::all(same))
    }

    /// Returns the groups of steps that a part of a specification treats fairly. The names of definitions in `wholes` stand for all steps.
    pub(super) fn fair(
        &mut self,
        expr: &'a QuintExpr,
        env: &QuintEnv<'a>,
        steps: &[StepAlternative],
        wholes: &[String],
    ) -> Result<Vec<Fair>> {
        self.within(|inner| inner.fair_groups(expr, env, steps, wholes))
    }

    fn fair_groups(
        &mut self,
        expr: &'a QuintExpr,
        env: &QuintEnv<'a>,
        steps: &[StepAlternative],
        wholes: &[String],
    ) -> Result<Vec<Fair>> {
        match expr {
            QuintExpr::App { opcode, args } => match (opcode.as_str(), &args[..]) {
                ("and", _) => {
                    let all = args
                        .iter()
                        .map(|arg| self.fair(arg, env, steps, wholes))
                        .collect::<Result<Vec<_>>>()?;
                    Ok(all.concat())
                }
                ("forall", [set, QuintExpr::Lambda(lambda)]) => {
                    let set = self.expression(set, env)?;
                    let (Some(members), [param]) = (set.members(), &lambda.params[..]) else {
                        return Err("fairness is about a set that is not constant".into());
                    };
                    let mut found = Vec::new();
                    for member in members {
                        let value = self.literal(&member)?;
                        let inner = env.with(&param.name, QuintBinding::Value(value));
                        found.extend(self.fair(&lambda.expr, &inner, steps, wholes)?);
                    }
                    Ok(found)
                }
                ("tla:weak" | "tla:strong", [action, over]) => {
                    let over =
                        self.places(over, env).ok_or("fairness is about something other than variables")?;
                    let over =
                        over.iter().filter_map(|place| Some(self.variables.get(place)?.0.clone())).collect();
                    let strong = opcode == "tla:strong";
                    let mut fair = Fair { strong, over, ..Fair::default() };
                    if self.steps_of(action, env, steps, wholes, &mut fair).is_err() {
                        // The action is no part of Next, or has other arguments there: its steps are told by its formula.
                        let mark = self.mark(action, &args[1], env, true)?;
                        let able = self.enabled_over(action, Some(&args[1]), env)?;
                        fair = Fair { strong, formula: Some((mark, able)), ..Fair::default() };
                    }
                    Ok(vec![fair])
                }
                _ => Err("this part of a specification is no fairness".into()),
            },
            QuintExpr::Name { name } => match self.definitions.get(name.as_str()).copied() {
                Some(definition) => self.fair(&definition.expr, &QuintEnv::default(), steps, wholes),
                None => Err(format!("`{}` is not known", name.trim_start_matches(':')).into()),
            },
            _ => Err("this part of a specification is no fairness".into()),
        }
    }

    /// Finds the alternatives that an action consists of.
    fn steps_of(
        &mut self,
        action: &'a QuintExpr,
        env: &QuintEnv<'a>,
        steps: &[StepAlternative],
        wholes: &[String],
        fair: &mut Fair,
    ) -> Result<()> {
        self.within(|inner| inner.steps_within(action, env, steps, wholes, fair))
    }

    fn steps_within(
        &mut self,
        action: &'a QuintExpr,
        env: &QuintEnv<'a>,
        steps: &[StepAlternative],
        wholes: &[String],
        fair: &mut Fair,
    ) -> Result<()> {
        let (name, args) = match action {
            QuintExpr::Name { name } => (name.as_str(), &[][..]),
            QuintExpr::App { opcode, args } if opcode == "or" => {
                return args.iter().try_for_each(|arg| self.steps_of(arg, env, steps, wholes, fair));
            }
            QuintExpr::App { opcode, args } if opcode == "exists" => {
                let [set, QuintExpr::Lambda(lambda)] = &args[..] else {
                    return Err("`\\E` needs a set and a formula".into());
                };
                let set = self.expression(set, env)?;
                let (Some(members), [param]) = (set.members(), &lambda.params[..]) else {
                    return Err("fairness is about a set that is not constant".into());
                };
                for member in members {
                    let value = self.literal(&member)?;
                    let inner = env.with(&param.name, QuintBinding::Value(value));
                    self.steps_of(&lambda.expr, &inner, steps, wholes, fair)?;
                }
                return Ok(());
            }
            QuintExpr::App { opcode, args } => (opcode.as_str(), &args[..]),
            _ => ("", &[][..]),
        };
        if wholes.iter().any(|whole| whole == name) {
            fair.steps.extend((0..steps.len()).map(|at| (at, Vec::new())));
            return Ok(());
        }
        let given = args.iter().map(|arg| self.expression(arg, env)).collect::<Result<Vec<_>>>();
        let mut found = false;
        for (at, step) in steps.iter().enumerate() {
            let Some((_, own)) = step.actions.iter().find(|(other, _)| other == name) else { continue };
            let mut fixed = Vec::new();
            let mut same = own.len() == args.len();
            for (own, given) in own.iter().zip(given.clone()?) {
                match (&*own.node, own.value(), given.value()) {
                    (_, Some(own), Some(given)) => same &= own == given,
                    (Node::Name(name), _, Some(_)) if step.params.iter().any(|param| param.is_name(name)) => {
                        self.types.flow(&given.ty, &own.ty)?;
                        fixed.push((own.clone(), self.fitted(given.clone(), &own.ty)?));
                    }
                    _ => return Err("fairness is about an action with other arguments than in Next".into()),
                }
            }
            if same {
                found = true;
                fair.steps.push((at, fixed));
            }
        }
        match (found, self.definitions.get(name).copied()) {
            (true, _) => Ok(()),
            // A definition that Next does not use, of actions that it uses.
            (false, Some(definition)) if args.is_empty() => {
                self.steps_of(&definition.expr, &QuintEnv::default(), steps, wholes, fair)
            }
            _ => Err(UntranslatableReason::helped(
                "fairness is about an action that is no part of Next",
                "give the action a name, and use it in Next",
            )),
        }
    }

    /// Returns the place of a condition on steps: they change a value, and satisfy an action, or do not.
    fn mark(
        &mut self,
        action: &'a QuintExpr,
        over: &'a QuintExpr,
        env: &QuintEnv<'a>,
        wanted: bool,
    ) -> Result<usize> {
        let terms = self.steps.clone().into_iter().map(|step| {
            self.next = Some(step.assigned.into_iter().collect());
            let moved = self.unmoved(over, env)?.negation();
            if matches!(&*moved.node, Node::Bool(false)) {
                return Ok(moved);
            }
            let action = self.expression(action, env)?;
            Ok(QuintTerm::all(vec![moved, if wanted { action } else { action.negation() }]))
        });
        let terms: Result<Vec<QuintTerm>> = terms.collect();
        self.next = None;
        self.marks.push(terms?);
        Ok(self.marks.len() - 1)
    }

    /// Returns a temporal formula.
    pub(super) fn linear(&mut self, expr: &'a QuintExpr, env: &QuintEnv<'a>) -> Result<PrintedLtl> {
        if !temporal(self, expr) {
            return Ok(PrintedLtl::State(self.expression(expr, env)?));
        }
        self.within(|inner| inner.temporal_formula(expr, env))
    }

    fn temporal_formula(&mut self, expr: &'a QuintExpr, env: &QuintEnv<'a>) -> Result<PrintedLtl> {
        let not = |formula| PrintedLtl::Not(Box::new(formula));
        match expr {
            QuintExpr::App { opcode, args } => match (opcode.as_str(), &args[..]) {
                ("and", _) => {
                    Ok(PrintedLtl::All(args.iter().map(|arg| self.linear(arg, env)).collect::<Result<_>>()?))
                }
                ("or", _) => {
                    Ok(PrintedLtl::Any(args.iter().map(|arg| self.linear(arg, env)).collect::<Result<_>>()?))
                }
                ("not", [inner]) => Ok(not(self.linear(inner, env)?)),
                ("implies", [a, b]) => {
                    Ok(PrintedLtl::Any(vec![not(self.linear(a, env)?), self.linear(b, env)?]))
                }
                ("ite", [condition, then, other]) => {
                    let condition = PrintedLtl::State(self.expression(condition, env)?);
                    let then = PrintedLtl::Any(vec![not(condition.clone()), self.linear(then, env)?]);
                    Ok(PrintedLtl::All(vec![
                        then,
                        PrintedLtl::Any(vec![condition, self.linear(other, env)?]),
                    ]))
                }
                ("tla:always", [inner]) => Ok(PrintedLtl::Always(Box::new(self.linear(inner, env)?))),
                ("tla:eventually", [inner]) => Ok(PrintedLtl::Eventually(Box::new(self.linear(inner, env)?))),
                ("tla:leads", [a, b]) => {
                    let then = PrintedLtl::Eventually(Box::new(self.linear(b, env)?));
                    Ok(PrintedLtl::Always(Box::new(PrintedLtl::Any(vec![not(self.linear(a, env)?), then]))))
                }
                ("forall" | "exists", [set, QuintExpr::Lambda(lambda)]) => {
                    let set = self.expression(set, env)?;
                    let (Some(members), [param]) = (set.members(), &lambda.params[..]) else {
                        return Err("a temporal formula is about a set that is not constant".into());
                    };
                    let mut parts = Vec::new();
                    for member in members {
                        let inner = env.with(&param.name, QuintBinding::Value(self.literal(&member)?));
                        parts.push(self.linear(&lambda.expr, &inner)?);
                    }
                    Ok(if opcode == "forall" { PrintedLtl::All(parts) } else { PrintedLtl::Any(parts) })
                }
                ("tla:angle", [action, over]) => Ok(PrintedLtl::Step(self.mark(action, over, env, true)?)),
                ("tla:square", [action, over]) => {
                    Ok(not(PrintedLtl::Step(self.mark(action, over, env, false)?)))
                }
                ("tla:weak" | "tla:strong", [action, over]) => {
                    let often =
                        |formula| PrintedLtl::Always(Box::new(PrintedLtl::Eventually(Box::new(formula))));
                    let able = PrintedLtl::State(self.enabled_over(action, Some(over), env)?);
                    let taken = often(PrintedLtl::Step(self.mark(action, over, env, true)?));
                    let premise = if opcode == "tla:weak" { often(not(able)) } else { not(often(able)) };
                    Ok(PrintedLtl::Any(vec![premise, taken]))
                }
                (name @ ("tla:prime" | "tla:unchanged"), _) => Err(UntranslatableReason::helped(
                    format!("`{}` is not supported in a property", written(name)),
                    "write actions as [A]_v or <<A>>_v",
                )),
                (name, _) => match self.definitions.get(name).copied() {
                    Some(definition) => {
                        let (lambda, entered) =
                            self.entered(&definition.expr, args, &QuintEnv::default(), env)?;
                        self.linear(&lambda.expr, &entered).map_err(|found| inside(name, found))
                    }
                    None => Err("a temporal formula is a part of another formula".into()),
                },
            },
            QuintExpr::Name { name } => match self.definitions.get(name.as_str()).copied() {
                Some(definition) => {
                    self.linear(&definition.expr, &QuintEnv::default()).map_err(|found| inside(name, found))
                }
                None => Err(format!("`{}` is not known", name.trim_start_matches(':')).into()),
            },
            QuintExpr::Let { opdef, expr } => {
                let binding = match opdef.qualifier == RECURSIVE {
                    true => QuintBinding::Recursive(&opdef.expr),
                    false => self.binding(&opdef.expr, env)?,
                };
                self.linear(expr, &env.with(&opdef.name, binding))
            }
            _ => Err("a temporal formula is a part of another formula".into()),
        }
    }

    /// Returns the alternatives of a formula about the initial states or a step.
    pub(super) fn every(
        &mut self,
        all: &[(&'a QuintExpr, QuintEnv<'a>)],
        gives: Gives,
    ) -> Result<Vec<StepAlternative>> {
        let mut found = vec![StepAlternative::default()];
        for (expr, env) in all {
            let mut next = Vec::new();
            for one in &found {
                next.extend(self.steps(expr, env, one, gives)?);
                few(&next)?;
            }
            found = next;
        }
        Ok(found)
    }

    /// Adds the condition on states that are left, from a constraint.
    pub(super) fn under_constraints(&mut self, steps: &mut [StepAlternative], constraints: &[QuintTerm]) {
        for step in steps {
            step.conditions.splice(0..0, constraints.iter().cloned());
        }
    }
}

/// Returns how an operator about steps is written.
pub(super) fn written(op: &str) -> &str {
    match op {
        "tla:always" => "[]",
        "tla:eventually" => "<>",
        "tla:leads" => "~>",
        "tla:square" => "[A]_v",
        "tla:angle" => "<<A>>_v",
        "tla:weak" => "WF_v(A)",
        "tla:strong" => "SF_v(A)",
        "tla:unchanged" => "UNCHANGED",
        _ => "'",
    }
}

/// True if a formula is weak or strong fairness, also several, or of all members of sets.
pub(super) fn is_fairness(expr: &QuintExpr) -> bool {
    match expr {
        QuintExpr::App { opcode, args } => match (opcode.as_str(), &args[..]) {
            ("tla:weak" | "tla:strong", _) => true,
            ("forall", [_, QuintExpr::Lambda(lambda)]) => is_fairness(&lambda.expr),
            ("and", _) => args.iter().all(is_fairness),
            _ => false,
        },
        _ => false,
    }
}

/// True if a formula has a temporal operator.
fn temporal(elaborator: &QuintElaborator<'_>, expr: &QuintExpr) -> bool {
    fn within<'e>(elaborator: &QuintElaborator<'e>, expr: &QuintExpr, seen: &mut Vec<String>) -> bool {
        let mut known = |name: &str| match elaborator.definitions.get(name) {
            Some(definition) if !seen.iter().any(|other| other == name) => {
                seen.push(name.to_owned());
                within(elaborator, &definition.expr, seen)
            }
            _ => false,
        };
        match expr {
            QuintExpr::App { opcode, args } => {
                opcode != "tla:enabled"
                    && (matches!(
                        opcode.as_str(),
                        "tla:always"
                            | "tla:eventually"
                            | "tla:leads"
                            | "tla:weak"
                            | "tla:strong"
                            | "tla:square"
                            | "tla:angle"
                            | "tla:prime"
                            | "tla:unchanged"
                    ) || known(opcode)
                        || args.iter().any(|arg| within(elaborator, arg, seen)))
            }
            QuintExpr::Name { name } => known(name),
            QuintExpr::Lambda(lambda) => within(elaborator, &lambda.expr, seen),
            QuintExpr::Let { opdef, expr } => {
                within(elaborator, &opdef.expr, seen) || within(elaborator, expr, seen)
            }
            _ => false,
        }
    }
    within(elaborator, expr, &mut Vec::new())
}
