//! Actions: alternatives with parameters, conditions and assignments.

use super::alternative::StepAlternative;
use super::elaborate::{QuintBinding, QuintElaborator, QuintEnv, Result, UntranslatableReason, inside};
use super::ir::{QuintDefinition, QuintExpr};
use super::names::{QuintNames, short};
use super::term::{Node, QuintTerm};

/// The greatest number of alternatives of a step.
const MOST_ALTERNATIVES: usize = 1024;

impl<'a> QuintElaborator<'a> {
    pub fn action(&mut self, expr: &'a QuintExpr, env: &QuintEnv<'a>) -> Result<Vec<StepAlternative>> {
        let mut found = self.within(|inner| inner.alternatives(expr, env))?;
        found.retain(|alternative| {
            !alternative.conditions.iter().any(|c| matches!(&*c.node, Node::Bool(false)))
        });
        if found.len() > MOST_ALTERNATIVES {
            return Err(format!("a step has more than {MOST_ALTERNATIVES} alternatives").into());
        }
        Ok(found)
    }

    fn alternatives(&mut self, expr: &'a QuintExpr, env: &QuintEnv<'a>) -> Result<Vec<StepAlternative>> {
        match expr {
            QuintExpr::App { opcode, args } => match (opcode.as_str(), &args[..]) {
                ("actionAny", _) => self.any(args, env),
                ("actionAll", _) => self.all(args, env),
                ("assign", [QuintExpr::Name { name }, value]) => {
                    let Some((variable, ty)) = self.variables.get(name.as_str()).cloned() else {
                        return Err(format!("`{name}` is assigned, and is no variable").into());
                    };
                    let (value, chosen) = self.choosing(|this| this.expression(value, env))?;
                    self.types.flow(&value.ty, &ty)?;
                    Ok(vec![StepAlternative { assigned: vec![(variable, value)], ..chosen }])
                }
                ("ite", [c, a, b]) if self.acts(a, env) || self.acts(b, env) => {
                    let (c, chosen) = self.choosing(|this| this.expression(c, env))?;
                    let branches = [self.under(c.clone(), a, env)?, self.under(c.negation(), b, env)?];
                    Ok(after(&chosen, decided(branches.into())))
                }
                ("matchVariant", [value, cases @ ..]) if cases.iter().any(|case| self.acts(case, env)) => {
                    self.matched(value, cases, env)
                }
                (name, _) => {
                    let (operator, inner, named) = match (env.get(name), self.definitions.get(name).copied())
                    {
                        (Some(QuintBinding::Operator(operator, inner)), _) => (operator, inner, name),
                        (None, Some(found)) if found.qualifier == "action" => {
                            (&found.expr, QuintEnv::default(), found.name.as_str())
                        }
                        _ => return self.requirement(expr, env),
                    };
                    let ((lambda, entered), chosen) =
                        self.choosing(|this| this.entered(operator, args, &inner, env))?;
                    let found = self.action(&lambda.expr, &entered).map_err(|e| inside(named, e))?;
                    Ok(titled(after(&chosen, found), named))
                }
            },
            QuintExpr::Name { name } => {
                let (body, inner) = match (env.get(name), self.definitions.get(name.as_str()).copied()) {
                    (Some(QuintBinding::Operator(body, inner)), _) => (body, inner),
                    (None, Some(found)) if found.qualifier == "action" => (&found.expr, QuintEnv::default()),
                    _ => return self.requirement(expr, env),
                };
                let found = self.action(body, &inner).map_err(|e| inside(name, e))?;
                Ok(titled(found, name))
            }
            QuintExpr::Let { opdef, expr } if opdef.qualifier == "nondet" => self.chosen(opdef, expr, env),
            QuintExpr::Let { opdef, expr } => {
                let (binding, chosen) = match self.acts(&opdef.expr, env) {
                    true => (QuintBinding::Operator(&opdef.expr, env.clone()), StepAlternative::default()),
                    false => self.choosing(|this| this.binding(&opdef.expr, env))?,
                };
                Ok(after(&chosen, self.action(expr, &env.with(&opdef.name, binding))?))
            }
            _ => self.requirement(expr, env),
        }
    }

    /// Translates a condition of an action.
    fn requirement(&mut self, expr: &'a QuintExpr, env: &QuintEnv<'a>) -> Result<Vec<StepAlternative>> {
        let (condition, chosen) = self.choosing(|this| this.expression(expr, env))?;
        Ok(vec![chosen.then(&StepAlternative::requiring(condition))])
    }

    /// Translates a part of an action that is evaluated once, with the values chosen in it.
    fn choosing<T>(&mut self, run: impl FnOnce(&mut Self) -> Result<T>) -> Result<(T, StepAlternative)> {
        let before = self.choices.replace(StepAlternative::default());
        let found = run(self);
        let chosen = std::mem::replace(&mut self.choices, before);
        Ok((found?, chosen.unwrap_or_default()))
    }

    /// Translates what may be evaluated never, or several times, where nothing can be chosen for it.
    pub fn unchosen<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.choices.take();
        let found = run(self);
        self.choices = before;
        found
    }

    /// Returns a parameter for a member of a set.
    pub fn any_member(&mut self, set: &QuintTerm, like: &str) -> Result<QuintTerm> {
        let element = self.element(set)?;
        let ty = self.types.fresh(&element);
        let name = self.names.chosen(like);
        self.make(Node::Name(name), ty)
    }

    /// Returns a member of a set that is chosen.
    pub fn chosen_member(&mut self, set: &QuintTerm) -> Result<QuintTerm> {
        let param = self.any_member(set, "choice")?;
        let condition = self.member(&param, set)?;
        self.chooses(&param, set, condition);
        Ok(param)
    }

    /// Adds a parameter with its condition to what is chosen.
    pub fn chooses(&mut self, param: &QuintTerm, set: &QuintTerm, condition: QuintTerm) {
        if let Some(choices) = &mut self.choices {
            choices.choose(std::slice::from_ref(param), Some(set), condition);
        }
    }

    /// True if an expression is an action: it assigns, or chooses.
    fn acts(&self, expr: &QuintExpr, env: &QuintEnv<'a>) -> bool {
        let known = |name: &str| match env.get(name) {
            Some(QuintBinding::Operator(body, inner)) => self.acts(body, &inner),
            Some(QuintBinding::Value(_) | QuintBinding::Recursive(_)) => false,
            None => self.definitions.get(name).is_some_and(|found| found.qualifier == "action"),
        };
        match expr {
            QuintExpr::App { opcode, args } => {
                matches!(opcode.as_str(), "assign" | "actionAny" | "actionAll")
                    || known(opcode)
                    || args.iter().any(|arg| self.acts(arg, env))
            }
            QuintExpr::Name { name } => known(name),
            QuintExpr::Lambda(lambda) => self.acts(&lambda.expr, env),
            QuintExpr::Let { opdef, expr } => opdef.qualifier == "nondet" || self.acts(expr, env),
            _ => false,
        }
    }

    fn any(&mut self, args: &'a [QuintExpr], env: &QuintEnv<'a>) -> Result<Vec<StepAlternative>> {
        let before = self.names.clone();
        let (mut found, mut all_taken): (Vec<StepAlternative>, _) = (Vec::new(), QuintNames::default());
        for arg in args {
            // Alternatives are separate actions, whose parameters may have equal names.
            all_taken.extend(std::mem::replace(&mut self.names, before.clone()));
            match self.action(arg, env) {
                Ok(alternatives) => found.extend(alternatives),
                Err(problem) => self.problems.push(problem),
            }
        }
        if args.len() > 1 {
            found.iter_mut().for_each(|alternative| alternative.is_decided = false);
        }
        self.names.extend(all_taken);
        Ok(found)
    }

    fn all(&mut self, args: &'a [QuintExpr], env: &QuintEnv<'a>) -> Result<Vec<StepAlternative>> {
        let mut so_far = vec![StepAlternative::default()];
        let mut are_decided = true;
        for arg in args {
            let mut next = self.action(arg, env)?;
            are_decided &= next.len() <= 1 || next.iter().all(|one| one.is_decided);
            if let [only] = &mut next[..] {
                only.part = only.name.take().or(only.part.take());
            }
            if so_far.len() * next.len() > MOST_ALTERNATIVES {
                return Err(format!("a step has more than {MOST_ALTERNATIVES} alternatives").into());
            }
            let pairs = so_far.iter().flat_map(|first| next.iter().map(|second| first.then(second)));
            so_far = pairs.collect();
        }
        so_far.iter_mut().for_each(|alternative| alternative.is_decided &= are_decided);
        Ok(so_far)
    }

    fn under(
        &mut self,
        condition: QuintTerm,
        expr: &'a QuintExpr,
        env: &QuintEnv<'a>,
    ) -> Result<Vec<StepAlternative>> {
        if matches!(&*condition.node, Node::Bool(false)) {
            return Ok(Vec::new());
        }
        let first = StepAlternative::requiring(condition);
        Ok(self.action(expr, env)?.iter().map(|next| first.then(next)).collect())
    }

    fn matched(
        &mut self,
        value: &'a QuintExpr,
        cases: &'a [QuintExpr],
        env: &QuintEnv<'a>,
    ) -> Result<Vec<StepAlternative>> {
        let (value, chosen) = self.choosing(|this| this.expression(value, env))?;
        let mut branches = Vec::new();
        let mut others = QuintTerm::bool(true);
        for case in cases.chunks(2) {
            let [QuintExpr::Str { value: label }, QuintExpr::Lambda(lambda)] = case else {
                return Err("a case of `match` is no operator".into());
            };
            let payload = self.payload(&value, label)?;
            let inner = match &lambda.params[..] {
                [param] => env.with(&param.name, QuintBinding::Value(payload)),
                _ => env.clone(),
            };
            let condition = match label.as_str() {
                "_" => others.clone(),
                _ => self.is(&value, label)?,
            };
            branches.push(self.under(condition.clone(), &lambda.expr, &inner)?);
            others = QuintTerm::all(vec![others, condition.negation()]);
        }
        Ok(after(&chosen, decided(branches)))
    }

    /// Translates `nondet x = oneOf(S) …` to a parameter.
    fn chosen(
        &mut self,
        choice: &'a QuintDefinition,
        expr: &'a QuintExpr,
        env: &QuintEnv<'a>,
    ) -> Result<Vec<StepAlternative>> {
        let set = match &choice.expr {
            QuintExpr::App { opcode, args } if opcode == "oneOf" && args.len() == 1 => {
                self.expression(&args[0], env)?
            }
            _ => {
                return Err(UntranslatableReason::helped(
                    format!("`nondet {}` is not chosen by `oneOf`", short(&choice.name)),
                    "write `nondet x = S.oneOf()`",
                ));
            }
        };
        let param = self.any_member(&set, &choice.name)?;
        let mut first = StepAlternative::default();
        first.choose(std::slice::from_ref(&param), Some(&set), self.member(&param, &set)?);
        let next = self.action(expr, &env.with(&choice.name, QuintBinding::Value(param)))?;
        Ok(next.iter().map(|next| first.then(next)).collect())
    }
}

/// Puts choices before alternatives.
fn after(chosen: &StepAlternative, found: Vec<StepAlternative>) -> Vec<StepAlternative> {
    found.iter().map(|next| chosen.then(next)).collect()
}

/// Joins the alternatives of branches, of which a condition decides which one is taken.
fn decided(branches: Vec<Vec<StepAlternative>>) -> Vec<StepAlternative> {
    let are_decided = branches.iter().all(|own| own.len() <= 1 || own.iter().all(|one| one.is_decided));
    let mut found = branches.concat();
    found.iter_mut().for_each(|alternative| alternative.is_decided = are_decided);
    found
}

/// Names alternatives after the action that they come from: in any case where nothing is chosen between them, and otherwise if they have no name yet.
pub(crate) fn titled(mut found: Vec<StepAlternative>, name: &str) -> Vec<StepAlternative> {
    let only = found.len() == 1 || found.iter().all(|alternative| alternative.is_decided);
    for alternative in &mut found {
        if only || alternative.name.is_none() {
            alternative.name = Some(short(name).to_owned());
        }
    }
    found
}
