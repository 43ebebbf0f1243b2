//! Names in formulas about actions.

use super::{MissingAction, Resolver};
use crate::lts::property::LabelAtom;
use crate::mucalc::formula::{ActionFormula, RegularFormula};
use crate::mucalc::text::pattern;
use crate::mucalc::text::tree::{self, Single};
use kit::diagnostics::Span;

impl Resolver<'_> {
    pub fn regular(&mut self, tree: &tree::RegularSyntax) -> RegularFormula {
        tree.map(&mut |action| self.action(action))
    }

    fn action(&mut self, tree: &tree::LabelSetSyntax) -> ActionFormula {
        match tree {
            tree::LabelSetSyntax::Bool(value) => ActionFormula::Bool(*value),
            tree::LabelSetSyntax::Val(data) => ActionFormula::Val(self.data(data), data.span),
            tree::LabelSetSyntax::Invisible(span) => ActionFormula::Atom(LabelAtom::Invisible, *span),
            tree::LabelSetSyntax::Label(text, span) => self.atom(LabelAtom::Label(text.clone()), *span),
            tree::LabelSetSyntax::Pattern(text, span) => match pattern(text, *span) {
                Ok(pattern) => self.atom(pattern, *span),
                Err(mistake) => {
                    self.mistakes.push(mistake);
                    ActionFormula::Bool(false)
                }
            },
            tree::LabelSetSyntax::Multi(actions) => self.multi(actions),
            tree::LabelSetSyntax::Not(of) => ActionFormula::Not(Box::new(self.action(of))),
            tree::LabelSetSyntax::And(parts) => {
                ActionFormula::And(parts.iter().map(|part| self.action(part)).collect())
            }
            tree::LabelSetSyntax::Or(parts) => {
                ActionFormula::Or(parts.iter().map(|part| self.action(part)).collect())
            }
            tree::LabelSetSyntax::Quantifier { all, variables, body } => {
                let slots = self.declare(variables);
                let mut action = self.action(body);
                self.scope.leave(variables.len());
                for (variable, slot) in variables.iter().zip(slots).rev() {
                    if action.slots() >> slot & 1 == 1 {
                        let known = self.question(slot).action(&action, *all);
                        let others = || self.question(slot).action(&action, !*all);
                        if known.is_none() && self.sorts[slot].is_infinite() && others().is_some() {
                            action = ActionFormula::Bool(!*all);
                            continue;
                        }
                        let bind = self.bind(variable, slot, *all, known);
                        action = ActionFormula::Bind(bind, Box::new(action));
                    }
                }
                action
            }
        }
    }

    fn atom(&mut self, atom: LabelAtom, span: Span) -> ActionFormula {
        if !self.labels.ids().any(|label| atom.matches(self.labels, label)) {
            self.without_labels.push((atom.clone(), span));
        }
        ActionFormula::Atom(atom, span)
    }

    /// Actions with data; a name alone is a whole label.
    fn multi(&mut self, tree: &[Single]) -> ActionFormula {
        if let [Single { name, arguments: None }] = tree {
            return self.atom(LabelAtom::Label(name.text.clone()), name.span);
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
        ActionFormula::Multi(actions, span)
    }
}
