//! Formulas as text, negations pushed inwards.

use super::expr::{DataExpr, DataFunction};
use super::formula::{ActionFormula, Bind, RegularFormula, ResolvedFormula, StateFormula};
use crate::lts::property::LabelAtom;
use std::rc::Rc;

/// Longer texts are cut, in characters.
const LONGEST: usize = 240;

/// A text that is cut where it becomes too long.
#[derive(Default)]
struct BoundedText {
    text: String,
    characters: usize,
}

impl BoundedText {
    fn push(&mut self, piece: &str) {
        if self.full() {
            return;
        }
        for c in piece.chars() {
            if self.full() {
                self.text.push('…');
                return;
            }
            self.text.push(c);
            self.characters += 1;
        }
    }

    fn full(&self) -> bool {
        self.characters >= LONGEST
    }

    fn list<T>(&mut self, parts: &[T], separator: &str, mut each: impl FnMut(&mut Self, &T)) {
        for (at, part) in parts.iter().enumerate() {
            if self.full() {
                return;
            }
            if at > 0 {
                self.push(separator);
            }
            each(self, part);
        }
    }
}

/// A text after brackets with what comes before it: `[R] f`.
pub fn after(formula: &ResolvedFormula, all: bool, regular: &RegularFormula, then: &str) -> Rc<str> {
    let mut text = BoundedText::default();
    text.push(if all { "[" } else { "<" });
    formula.regular(regular, &mut text);
    text.push(if all { "] " } else { "> " });
    text.push(then);
    text.text.into()
}

pub fn state(formula: &ResolvedFormula, state: &StateFormula, negated: bool) -> Rc<str> {
    let mut text = BoundedText::default();
    formula.state(state, negated, &mut text);
    text.text.into()
}

impl ResolvedFormula {
    fn state(&self, state: &StateFormula, negated: bool, out: &mut BoundedText) {
        if out.full() {
            return;
        }
        match state {
            StateFormula::Bool(value) => out.push(if *value != negated { "true" } else { "false" }),
            StateFormula::Val(expr, _) => {
                out.push(if negated { "val(not " } else { "val(" });
                self.expr(expr, out);
                out.push(")");
            }
            StateFormula::Not(of) => self.state(of, !negated, out),
            StateFormula::And(parts) | StateFormula::Or(parts) => {
                let word = if matches!(state, StateFormula::And(_)) != negated { " and " } else { " or " };
                out.push("(");
                out.list(parts, word, |out, part| self.state(part, negated, out));
                out.push(")");
            }
            StateFormula::Modal(all, regular, then) => {
                let all = *all != negated;
                out.push(if all { "[" } else { "<" });
                self.regular(regular, out);
                out.push(if all { "] " } else { "> " });
                self.state(then, negated, out);
            }
            StateFormula::Fixpoint(fixpoint) => {
                out.push(if fixpoint.greatest != negated { "nu " } else { "mu " });
                out.push(&self.fixpoints[fixpoint.id]);
                if !fixpoint.parameters.is_empty() {
                    out.push("(");
                    out.list(&fixpoint.parameters, ", ", |out, (slot, first)| {
                        out.push(&self.slots[*slot]);
                        out.push(" = ");
                        self.expr(first, out);
                    });
                    out.push(")");
                }
                out.push(" . ");
                self.state(&fixpoint.body, negated, out);
            }
            StateFormula::Call(id, arguments) => {
                out.push(&self.fixpoints[*id]);
                if !arguments.is_empty() {
                    out.push("(");
                    out.list(arguments, ", ", |out, (_, value)| self.expr(value, out));
                    out.push(")");
                }
            }
            StateFormula::Bind(bind, of) => {
                self.bind(bind, bind.all != negated, out);
                self.state(of, negated, out);
            }
        }
    }

    fn bind(&self, bind: &Bind, all: bool, out: &mut BoundedText) {
        out.push(if all { "forall " } else { "exists " });
        out.push(&self.slots[bind.slot]);
        out.push(" . ");
    }

    fn regular(&self, regular: &RegularFormula, out: &mut BoundedText) {
        if out.full() {
            return;
        }
        let repeated = |part: &RegularFormula, sign: &str, out: &mut BoundedText| {
            let inner = matches!(
                part,
                RegularFormula::Sequence(_)
                    | RegularFormula::Choice(_)
                    | RegularFormula::Action(ActionFormula::Not(_))
            );
            out.push(if inner { "(" } else { "" });
            self.regular(part, out);
            out.push(if inner { ")" } else { "" });
            out.push(sign);
        };
        match regular {
            RegularFormula::Action(action) => self.action(action, out),
            RegularFormula::Empty(_) => out.push("nil"),
            RegularFormula::Sequence(parts) => out.list(parts, " . ", |out, part| match part {
                RegularFormula::Choice(_) => repeated(part, "", out),
                _ => self.regular(part, out),
            }),
            RegularFormula::Choice(parts) => out.list(parts, " | ", |out, part| self.regular(part, out)),
            RegularFormula::Star(part) => repeated(part, "*", out),
            RegularFormula::Plus(part) => repeated(part, "+", out),
            RegularFormula::Optional(part) => repeated(part, "?", out),
            RegularFormula::Times(part, times) => repeated(part, &format!("{{{times}}}"), out),
        }
    }

    fn action(&self, action: &ActionFormula, out: &mut BoundedText) {
        if out.full() {
            return;
        }
        match action {
            ActionFormula::Bool(value) => out.push(if *value { "true" } else { "false" }),
            ActionFormula::Val(expr, _) => {
                out.push("val(");
                self.expr(expr, out);
                out.push(")");
            }
            ActionFormula::Atom(LabelAtom::Label(label), _) => {
                let plain = label.chars().all(|c| c.is_alphanumeric() || c == '_');
                let quote = if plain { "" } else { "\"" };
                out.push(&format!("{quote}{label}{quote}"));
            }
            ActionFormula::Atom(LabelAtom::Pattern(pattern), _) => out.push(&format!("'{}'", pattern.text())),
            ActionFormula::Atom(LabelAtom::Invisible, _) => out.push("tau"),
            ActionFormula::Multi(actions, _) => out.list(actions, "|", |out, (name, arguments)| {
                out.push(name);
                if !arguments.is_empty() {
                    out.push("(");
                    out.list(arguments, ", ", |out, argument| self.expr(argument, out));
                    out.push(")");
                }
            }),
            ActionFormula::Not(of) => {
                out.push("not ");
                self.action(of, out);
            }
            ActionFormula::And(parts) | ActionFormula::Or(parts) => {
                let word = if matches!(action, ActionFormula::And(_)) { " and " } else { " or " };
                out.push("(");
                out.list(parts, word, |out, part| self.action(part, out));
                out.push(")");
            }
            ActionFormula::Bind(bind, of) => {
                out.push("(");
                self.bind(bind, bind.all, out);
                self.action(of, out);
                out.push(")");
            }
        }
    }

    fn expr(&self, expr: &DataExpr, out: &mut BoundedText) {
        match expr {
            DataExpr::Constant(value) => out.push(&value.to_string()),
            DataExpr::Variable(slot) => out.push(&self.slots[*slot]),
            DataExpr::Term(name, parts) => {
                out.push(name);
                out.push("(");
                out.list(parts, ", ", |out, part| self.expr(part, out));
                out.push(")");
            }
            DataExpr::List(parts) | DataExpr::Set(parts) => {
                let (open, close) = if matches!(expr, DataExpr::List(_)) { ("[", "]") } else { ("{", "}") };
                out.push(open);
                out.list(parts, ", ", |out, part| self.expr(part, out));
                out.push(close);
            }
            DataExpr::Apply(
                function @ (DataFunction::Not | DataFunction::Negate | DataFunction::Size),
                parts,
                _,
            ) => {
                out.push(function.name());
                out.push(" ");
                parts.iter().for_each(|part| self.expr(part, out));
            }
            DataExpr::Apply(function, parts, _)
                if function.name().starts_with(char::is_alphabetic) && parts.len() != 2 =>
            {
                out.push(function.name());
                out.push("(");
                out.list(parts, ", ", |out, part| self.expr(part, out));
                out.push(")");
            }
            DataExpr::Apply(function, parts, _) => {
                out.push("(");
                out.list(parts, &format!(" {} ", function.name()), |out, part| self.expr(part, out));
                out.push(")");
            }
        }
    }
}
