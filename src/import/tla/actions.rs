//! Actions as TLC evaluates them: from left to right, with values for variables of the next state.

use crate::quint::actions::titled;
use crate::quint::alternative::StepAlternative;
use crate::quint::elaborate::{
    QuintBinding, QuintElaborator, QuintEnv, RECURSIVE, ReasonKind, Result, UntranslatableReason, inside,
};
use crate::quint::ir::{Lambda, QuintExpr};
use crate::quint::names::QuintNames;
use crate::quint::term::{Node, QuintTerm};
use crate::quint::types::Ty;
use std::collections::{HashSet, VecDeque};

/// The greatest number of alternatives of a step.
const MOST_ALTERNATIVES: usize = 1024;

/// `A \cdot B`, unless modules define it.
const COMPOSED: &str = "::\\cdot";

/// The state that a formula gives values to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gives {
    Initial,
    Next,
}

impl<'a> QuintElaborator<'a> {
    /// Continues an alternative with a formula.
    pub(super) fn steps(
        &mut self,
        expr: &'a QuintExpr,
        env: &QuintEnv<'a>,
        so_far: &StepAlternative,
        gives: Gives,
    ) -> Result<Vec<StepAlternative>> {
        let mut found = self.within(|inner| inner.continued(expr, env, so_far, gives))?;
        found.retain(|alternative| {
            !alternative.conditions.iter().any(|condition| matches!(&*condition.node, Node::Bool(false)))
        });
        few(&found)?;
        Ok(found)
    }

    fn continued(
        &mut self,
        expr: &'a QuintExpr,
        env: &QuintEnv<'a>,
        so_far: &StepAlternative,
        gives: Gives,
    ) -> Result<Vec<StepAlternative>> {
        if !self.acts_on(expr, env, gives, &mut HashSet::new()) {
            return self.required(expr, env, so_far, gives);
        }
        match expr {
            QuintExpr::App { opcode, args } => match (opcode.as_str(), &args[..]) {
                ("and", _) => self.restricted(|this| this.all_of(args, env, so_far, gives)),
                ("or", _) => self.one_of(args, env, so_far, gives),
                ("ite", [condition, then, other]) => {
                    self.know(so_far, gives);
                    let condition = self.expression(condition, env)?;
                    let mut found = Vec::new();
                    for (condition, branch) in [(condition.clone(), then), (condition.negation(), other)] {
                        if matches!(&*condition.node, Node::Bool(false)) {
                            continue;
                        }
                        let mut one = so_far.clone();
                        one.conditions.push(condition);
                        found.extend(self.restricted(|this| this.steps(branch, env, &one, gives))?);
                    }
                    Ok(found)
                }
                ("tla:only", [condition, value]) => {
                    self.know(so_far, gives);
                    let condition = self.expression(condition, env)?;
                    let mut one = so_far.clone();
                    one.conditions.push(self.given(condition, QuintTerm::bool(true))?);
                    self.restricted(|this| this.steps(value, env, &one, gives))
                }
                ("exists", [set, QuintExpr::Lambda(body)]) => {
                    self.chosen_from((set, body), env, so_far, gives)
                }
                ("tla:eq", [place, value]) => match self.place(place, env, so_far, gives) {
                    Some(variable) => {
                        self.know(so_far, gives);
                        let value = self.expression(value, env)?;
                        Ok(vec![self.assigned(so_far, variable, &value)?])
                    }
                    None => self.required(expr, env, so_far, gives),
                },
                ("tla:in", [place, set]) => match self.place(place, env, so_far, gives) {
                    Some(variable) => self.any_of(variable, set, env, so_far, gives),
                    None => self.required(expr, env, so_far, gives),
                },
                ("tla:unchanged", [place]) => self.unchanged(place, env, so_far),
                ("tla:square", [action, places]) => {
                    let mut found = self.steps(action, env, so_far, gives)?;
                    found.extend(self.unchanged(places, env, so_far)?);
                    Ok(found)
                }
                ("tla:part", [QuintExpr::Name { name }, number]) => match self.part(name, number) {
                    Some(part) => self.steps(part, &QuintEnv::default(), so_far, gives),
                    None => self.required(expr, env, so_far, gives),
                },
                ("tla:angle", _) => Err("`<<A>>_v` is a part of a step".into()),
                (name, _) => self.operation(expr, (name, args), env, so_far, gives),
            },
            QuintExpr::Name { name } => {
                let (body, inner) = match (env.get(name), self.definitions.get(name.as_str()).copied()) {
                    (Some(QuintBinding::Operator(body, inner)), _) => (body, inner),
                    (None, Some(found)) => (&found.expr, QuintEnv::default()),
                    _ => return self.required(expr, env, so_far, gives),
                };
                let found = self.steps(body, &inner, so_far, gives).map_err(|e| inside(name, e))?;
                Ok(self.called(found, name, &[]))
            }
            QuintExpr::Let { opdef, expr } => {
                self.know(so_far, gives);
                let binding = match opdef.qualifier == RECURSIVE {
                    true => QuintBinding::Recursive(&opdef.expr),
                    false => match self.acts_on(&opdef.expr, env, gives, &mut HashSet::new()) {
                        true => QuintBinding::Operator(&opdef.expr, env.clone()),
                        false => self.binding(&opdef.expr, env)?,
                    },
                };
                self.steps(expr, &env.with(&opdef.name, binding), so_far, gives)
            }
            _ => self.required(expr, env, so_far, gives),
        }
    }

    /// Continues an alternative with all formulas, one after the other.
    fn all_of(
        &mut self,
        args: &'a [QuintExpr],
        env: &QuintEnv<'a>,
        so_far: &StepAlternative,
        gives: Gives,
    ) -> Result<Vec<StepAlternative>> {
        let mut all = vec![so_far.clone()];
        let mut waiting: VecDeque<&'a QuintExpr> = args.iter().collect();
        // The number of formulas that wait for values, one after the other.
        let mut late = 0;
        while let Some(arg) = waiting.pop_front() {
            let mut next = Vec::new();
            let (problems, names) = (self.problems.len(), self.names.clone());
            let mut failed = None;
            for one in &all {
                match self.steps(arg, env, one, gives) {
                    Ok(found) => next.extend(found),
                    Err(found) => failed = Some(found),
                }
                few(&next)?;
            }
            let is_early = |found: &UntranslatableReason| found.kind == ReasonKind::ReadBefore;
            let early =
                failed.as_ref().is_some_and(is_early) || self.problems[problems..].iter().any(is_early);
            if early && late < waiting.len() {
                self.problems.truncate(problems);
                self.names = names;
                waiting.push_back(arg);
                late += 1;
                continue;
            }
            if let Some(found) = failed {
                return Err(found);
            }
            late = 0;
            if let [only] = &mut next[..] {
                only.part = only.name.take().or(only.part.take());
            }
            all = next;
        }
        Ok(all)
    }

    /// Continues an alternative with each of the formulas.
    fn one_of(
        &mut self,
        args: &'a [QuintExpr],
        env: &QuintEnv<'a>,
        so_far: &StepAlternative,
        gives: Gives,
    ) -> Result<Vec<StepAlternative>> {
        let before = self.names.clone();
        let (mut found, mut taken) = (Vec::new(), QuintNames::default());
        for arg in args {
            taken.extend(std::mem::replace(&mut self.names, before.clone()));
            match self.steps(arg, env, so_far, gives) {
                Ok(alternatives) => found.extend(alternatives),
                Err(problem) => self.problems.push(problem),
            }
        }
        self.names.extend(taken);
        Ok(found)
    }

    /// Continues with a step of one action and then one of another, from the state that the first leads to.
    fn composed(
        &mut self,
        (first, then): (&'a QuintExpr, &'a QuintExpr),
        env: &QuintEnv<'a>,
        so_far: &StepAlternative,
    ) -> Result<Vec<StepAlternative>> {
        if !so_far.assigned.is_empty() {
            return Err("`A \\cdot B` stands beside a formula that gives values".into());
        }
        let mut found = Vec::new();
        for one in self.steps(first, env, so_far, Gives::Next)? {
            for next in self.steps(then, env, &StepAlternative::default(), Gives::Next)? {
                self.next = Some(one.assigned.iter().cloned().collect());
                let conditions = next.conditions.iter().map(|condition| self.after(condition.clone()));
                let conditions = conditions.collect::<Result<Vec<_>>>()?;
                let assigned =
                    next.assigned.iter().map(|(own, value)| Ok((own.clone(), self.after(value.clone())?)));
                let assigned = assigned.collect::<Result<Vec<_>>>()?;
                let before = StepAlternative { assigned: Vec::new(), ..one.clone() };
                found.push(before.then(&StepAlternative { conditions, assigned, ..next }));
            }
            few(&found)?;
        }
        Ok(found)
    }

    /// Continues an alternative with a formula for some values of a set, its parameters.
    fn chosen_from(
        &mut self,
        (set, body): (&'a QuintExpr, &'a Lambda),
        env: &QuintEnv<'a>,
        so_far: &StepAlternative,
        gives: Gives,
    ) -> Result<Vec<StepAlternative>> {
        self.know(so_far, gives);
        let set = self.set(set, env)?;
        let (params, names) = (&body.params, &mut Vec::new());
        if let (Some([only]), [param]) = (set.members().as_deref(), &params[..]) {
            let value = self.literal(only)?;
            return self.steps(&body.expr, &env.with(&param.name, QuintBinding::Value(value)), so_far, gives);
        }
        let mut one = so_far.clone();
        let element = self.element(&set)?;
        let parts = match (params.len(), self.types.resolve(&element)) {
            (1, _) => vec![element],
            (_, Ty::Tup(parts)) => parts,
            _ => return Err("a tuple of names goes through a set of other values".into()),
        };
        for (param, ty) in params.iter().zip(parts) {
            let ty = self.types.fresh(&ty);
            let own = self.names.chosen(&param.name);
            names.push(self.make(Node::Name(own), ty)?);
        }
        let value = match &names[..] {
            [only] => only.clone(),
            _ => self.tuple_of(names.clone())?,
        };
        one.choose(names, Some(&set), self.member(&value, &set)?);
        let mut inner = env.clone();
        for (param, name) in params.iter().zip(names.iter()) {
            inner = inner.with(&param.name, QuintBinding::Value(name.clone()));
        }
        match set.members() {
            Some(_) => self.steps(&body.expr, &inner, &one, gives),
            None => self.restricted(|this| this.steps(&body.expr, &inner, &one, gives)),
        }
    }

    /// Continues with a formula beside others, which restrict its steps.
    fn restricted<T>(&mut self, continued: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.restricted += 1;
        let found = continued(self);
        self.restricted -= 1;
        found
    }

    /// Names alternatives after their definition, unless they are only some of its steps.
    fn called(&self, found: Vec<StepAlternative>, name: &str, given: &[QuintTerm]) -> Vec<StepAlternative> {
        let mut found = titled(found, name);
        if self.restricted == 0 {
            for alternative in &mut found {
                alternative.actions.push((name.to_owned(), given.to_vec()));
            }
        }
        found
    }

    /// Continues an alternative with an operator applied to arguments.
    fn operation(
        &mut self,
        expr: &'a QuintExpr,
        (name, args): (&'a str, &'a [QuintExpr]),
        env: &QuintEnv<'a>,
        so_far: &StepAlternative,
        gives: Gives,
    ) -> Result<Vec<StepAlternative>> {
        if let (COMPOSED, [first, then], Gives::Next, None) =
            (name, args, gives, self.definitions.get(COMPOSED))
        {
            return self.restricted(|this| this.composed((first, then), env, so_far));
        }
        let (operator, inner) = match (env.get(name), self.definitions.get(name).copied()) {
            (Some(QuintBinding::Operator(operator, inner)), _) => (operator, inner),
            (None, Some(found)) => (&found.expr, QuintEnv::default()),
            _ => return self.required(expr, env, so_far, gives),
        };
        self.know(so_far, gives);
        let (lambda, entered) = self.entered(operator, args, &inner, env)?;
        let given = lambda.params.iter().map(|param| match entered.get(&param.name) {
            Some(QuintBinding::Value(term)) => Some(term),
            _ => None,
        });
        let given = given.collect::<Option<Vec<_>>>();
        let found = self.steps(&lambda.expr, &entered, so_far, gives).map_err(|e| inside(name, e))?;
        Ok(self.called(found, name, &given.unwrap_or_default()))
    }

    fn unchanged(
        &mut self,
        place: &'a QuintExpr,
        env: &QuintEnv<'a>,
        so_far: &StepAlternative,
    ) -> Result<Vec<StepAlternative>> {
        let Some(variables) = self.places(place, env) else {
            return Err("UNCHANGED is about something other than variables".into());
        };
        let mut one = so_far.clone();
        for variable in variables {
            let Some((own, ty)) = self.variables.get(variable).cloned() else { continue };
            let old = self.make(Node::Name(own.clone()), ty)?;
            match one.assigned.iter().find(|(other, _)| *other == own).cloned() {
                Some((_, value)) => {
                    let same = self.comparison("=", &value, &old)?;
                    one.conditions.push(same);
                }
                None => one.assigned.push((own, old)),
            }
        }
        Ok(vec![one])
    }

    /// Lets formulas read the values of the next state that are known so far.
    fn know(&mut self, so_far: &StepAlternative, gives: Gives) {
        self.next = (gives == Gives::Next).then(|| so_far.assigned.iter().cloned().collect());
    }

    fn required(
        &mut self,
        expr: &'a QuintExpr,
        env: &QuintEnv<'a>,
        so_far: &StepAlternative,
        gives: Gives,
    ) -> Result<Vec<StepAlternative>> {
        self.know(so_far, gives);
        let condition = self.expression(expr, env)?;
        let mut one = so_far.clone();
        one.conditions.push(condition);
        Ok(vec![one])
    }

    /// Returns the variable that a formula `x' = e` gives a value, if it has none yet.
    fn place(
        &self,
        expr: &'a QuintExpr,
        env: &QuintEnv<'a>,
        so_far: &StepAlternative,
        gives: Gives,
    ) -> Option<&'a str> {
        if let QuintExpr::Name { name } = expr
            && let Some(QuintBinding::Operator(body, outer)) = env.get(name)
            && matches!(body, QuintExpr::App { opcode, .. } if opcode == "tla:prime")
        {
            return self.place(body, &outer, so_far, gives);
        }
        let inner = match (gives, expr) {
            (Gives::Next, QuintExpr::App { opcode, args }) if opcode == "tla:prime" => &args[0],
            (Gives::Initial, inner @ QuintExpr::Name { .. }) => inner,
            _ => return None,
        };
        let found = self.places(inner, env)?;
        let [variable] = found[..] else { return None };
        if !matches!(inner, QuintExpr::Name { .. }) {
            return None;
        }
        let (own, _) = self.variables.get(variable)?;
        so_far.assigned.iter().all(|(other, _)| other != own).then_some(variable)
    }

    fn assigned(
        &mut self,
        so_far: &StepAlternative,
        variable: &str,
        value: &QuintTerm,
    ) -> Result<StepAlternative> {
        let Some((own, ty)) = self.variables.get(variable).cloned() else {
            return Err(format!("`{variable}` is no variable").into());
        };
        let value = self.like(value, &ty)?;
        self.types.flow(&value.ty, &ty)?;
        let mut one = so_far.clone();
        one.assigned.push((own, value));
        Ok(one)
    }

    /// Continues with `x' \in S`: a parameter for the value.
    fn any_of(
        &mut self,
        variable: &'a str,
        set: &'a QuintExpr,
        env: &QuintEnv<'a>,
        so_far: &StepAlternative,
        gives: Gives,
    ) -> Result<Vec<StepAlternative>> {
        self.know(so_far, gives);
        if (self.types.integers.is_none() || self.types.guessed) && self.is_endless(set, env, 0) {
            return Err(UntranslatableReason::helped(
                format!("`{}` gets any value of an infinite set", variable.trim_start_matches(':')),
                "choose from a finite set, or limit integers: --int 0..9",
            )
            .of(ReasonKind::EndlessIntegers));
        }
        let (all, own) = self.unfiltered(set, env);
        let is_direct = self.bounded_sequences(all, &own)?.is_some();
        // A set that is only a condition, such as that of large records, has no term.
        let all = self.expression(set, env).ok().filter(|_| !is_direct);
        let (ty, known) = match &all {
            Some(set) => (self.element(set)?, true),
            None => (self.types.open(), false),
        };
        let own = self.names.chosen(&format!("new_{}", variable.trim_start_matches(':')));
        let ty = self.types.fresh(&ty);
        let param = self.make(Node::Name(own), ty)?;
        let before = std::mem::replace(&mut self.chosen, !known);
        let condition = self.within_set(&param, set, env);
        self.chosen = before;
        let condition = condition?;
        let mut one = self.assigned(so_far, variable, &param)?;
        one.choose(&[param], all.as_ref(), condition);
        Ok(vec![one])
    }

    /// True if a formula gives values to variables.
    fn acts_on(
        &self,
        expr: &'a QuintExpr,
        env: &QuintEnv<'a>,
        gives: Gives,
        seen: &mut HashSet<*const QuintExpr>,
    ) -> bool {
        if !seen.insert(std::ptr::from_ref(expr)) {
            return false;
        }
        let mut known = |name: &'a str, this: &Self| match env.get(name) {
            Some(QuintBinding::Operator(body, inner)) => this.acts_on(body, &inner, gives, seen),
            Some(QuintBinding::Value(_) | QuintBinding::Recursive(_)) => false,
            None => match this.definitions.get(name).copied() {
                Some(definition) => this.acts_on(&definition.expr, &QuintEnv::default(), gives, seen),
                None => gives == Gives::Initial && this.variables.contains_key(name),
            },
        };
        match expr {
            QuintExpr::App { opcode, args } => {
                matches!(opcode.as_str(), "tla:prime" | "tla:unchanged")
                    || known(opcode, self)
                    || args.iter().any(|arg| self.acts_on(arg, env, gives, seen))
            }
            QuintExpr::Name { name } => known(name, self),
            QuintExpr::Lambda(lambda) => self.acts_on(&lambda.expr, env, gives, seen),
            QuintExpr::Let { opdef, expr } => {
                self.acts_on(&opdef.expr, env, gives, seen) || self.acts_on(expr, env, gives, seen)
            }
            _ => false,
        }
    }
}

/// Rejects too many alternatives.
pub(super) fn few(found: &[StepAlternative]) -> Result<()> {
    match found.len() > MOST_ALTERNATIVES {
        true => Err(format!("a step has more than {MOST_ALTERNATIVES} alternatives").into()),
        false => Ok(()),
    }
}
