//! Names in formulas about actions.

use super::{MissingAction, Resolver};
use crate::lts::property::Atom;
use crate::mucalc::formula::{Action, Regular};
use crate::mucalc::text::pattern;
use crate::mucalc::text::tree::{self, Single};
use kit::diagnostics::Span;

impl Resolver<'_> {
    pub fn regular(&mut self, tree: &tree::Regular) -> Regular {
        tree.map(&mut |action| self.action(action))
    }

    fn action(&mut self, tree: &tree::Action) -> Action {
        match tree {
            tree::Action::Bool(value) => Action::Bool(*value),
            tree::Action::Val(data) => Action::Val(self.data(data), data.span),
            tree::Action::Invisible(span) => Action::Atom(Atom::Invisible, *span),
            tree::Action::Label(text, span) => self.atom(Atom::Label(text.clone()), *span),
            tree::Action::Pattern(text, span) => match pattern(text, *span) {
                Ok(pattern) => self.atom(pattern, *span),
                Err(mistake) => {
                    self.mistakes.push(mistake);
                    Action::Bool(false)
                }
            },
            tree::Action::Multi(actions) => self.multi(actions),
            tree::Action::Not(of) => Action::Not(Box::new(self.action(of))),
            tree::Action::And(parts) => Action::And(parts.iter().map(|part| self.action(part)).collect()),
            tree::Action::Or(parts) => Action::Or(parts.iter().map(|part| self.action(part)).collect()),
            tree::Action::Quantifier { all, variables, body } => {
                let slots = self.declare(variables);
                let mut action = self.action(body);
                self.scope.leave(variables.len());
                for (variable, slot) in variables.iter().zip(slots).rev() {
                    if action.slots() >> slot & 1 == 1 {
                        let known = self.question(slot).action(&action, *all);
                        let others = || self.question(slot).action(&action, !*all);
                        if known.is_none() && self.sorts[slot].is_infinite() && others().is_some() {
                            action = Action::Bool(!*all);
                            continue;
                        }
                        let bind = self.bind(variable, slot, *all, known);
                        action = Action::Bind(bind, Box::new(action));
                    }
                }
                action
            }
        }
    }

    fn atom(&mut self, atom: Atom, span: Span) -> Action {
        if !self.labels.ids().any(|label| atom.matches(self.labels, label)) {
            self.without_labels.push((atom.clone(), span));
        }
        Action::Atom(atom, span)
    }

    /// Actions with data; a name alone is a whole label.
    fn multi(&mut self, tree: &[Single]) -> Action {
        if let [Single { name, arguments: None }] = tree {
            return self.atom(Atom::Label(name.text.clone()), name.span);
        }
        let mut actions = Vec::new();
        let mut span = tree[0].name.span;
        for Single { name, arguments } in tree {
            span = span.to(name.span);
            let arguments = arguments.iter().flatten().map(|argument| self.data(argument));
            let arguments: Vec<_> = arguments.collect();
            if self.parts.with_name(&name.text, arguments.len(), tree.len()).next().is_none() {
                let action =
                    MissingAction { name: name.text.clone(), values: arguments.len(), span: name.span };
                self.without_actions.push(action);
            }
            actions.push((name.text.clone(), arguments));
        }
        actions.sort_by(|a, b| a.0.cmp(&b.0));
        Action::Multi(actions, span)
    }
}
