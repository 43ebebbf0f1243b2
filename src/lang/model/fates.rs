//! The words `lost`, `safe`, `open` and `decisive` of vocabularies: predicates whose meaning depends on all states of the
//! model and on the property asked for, and is put in once these are known.

use super::expr::{Expr, ExprKind, Op};
use super::types::{EnumId, Type};
use super::value::Value;
use super::{Local, Model, PredicateId, Vocabulary, VocabularyItem};
use kit::number::to_u32;

/// The meaning of such a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FateWord {
    /// `lost`: at a position, the violation is unavoidable.
    Lost,
    /// `safe`: at a position, no violation is possible any more.
    Safe,
    /// `open`: at a position, neither is so.
    Open,
    /// `decisive`: the step from a position to the next one leads from an open state to a lost one.
    Decisive,
    /// `decisive(action)`: a decisive step of an action.
    DecisiveAction,
    /// `decisive(forward)`: a decisive step of this action (an index into [`Model::actions`]), with these arguments.
    DecisiveOf(usize),
}

/// A predicate of a model that stands for such a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FatePredicate {
    /// Its meaning.
    pub word: FateWord,
    /// The predicate. Until the fates are put in ([`Model::set_fates`]), it holds nowhere.
    pub predicate: PredicateId,
}

/// The lost and the safe states as formulas over one state. They need to be right in reachable states only.
#[derive(Debug, Clone, PartialEq)]
pub struct FateFormulas {
    /// True of lost states.
    pub lost: Expr,
    /// True of safe states.
    pub safe: Expr,
}

impl FateWord {
    /// The documentation of its predicate.
    pub fn doc(self) -> &'static str {
        match self {
            FateWord::Lost => "The violation can no longer be avoided.",
            FateWord::Safe => "No violation is possible any more.",
            FateWord::Open => "A violation is possible and can be avoided.",
            FateWord::Decisive => "A step after which the violation can no longer be avoided.",
            FateWord::DecisiveAction => {
                "A step of this action, after which the violation can no longer be avoided."
            }
            FateWord::DecisiveOf(_) => {
                "A step with these arguments, after which the violation can no longer be avoided."
            }
        }
    }

    /// How many positions it speaks of.
    pub fn positions(self) -> usize {
        match self {
            FateWord::Lost | FateWord::Safe | FateWord::Open => 1,
            FateWord::Decisive | FateWord::DecisiveAction | FateWord::DecisiveOf(_) => 2,
        }
    }
}

impl Model {
    /// True if a vocabulary has such words.
    pub fn speaks_of_fates(&self, vocabulary: &Vocabulary) -> bool {
        vocabulary.items.iter().any(|item| match item {
            VocabularyItem::Predicate(id, _) => self.is_about_fates(*id),
            _ => false,
        })
    }

    /// True if a predicate stands for such a word.
    pub fn is_about_fates(&self, predicate: PredicateId) -> bool {
        self.fates.iter().any(|known| known.predicate == predicate)
    }

    /// True if a predicate speaks of decisive steps: its second position is the one that such a step leads to.
    pub fn is_about_decisive_steps(&self, predicate: PredicateId) -> bool {
        self.fates.iter().any(|known| known.predicate == predicate && known.word.positions() == 2)
    }

    /// Gives the words their meaning for one property.
    pub fn set_fates(&mut self, formulas: &FateFormulas) {
        for FatePredicate { word, predicate } in self.fates.clone() {
            let predicate = &mut self.predicates[predicate.0 as usize];
            predicate.body = body(word, &predicate.params, formulas, self.action_enum);
        }
    }
}

/// The body of the predicate that stands for a word.
fn body(word: FateWord, params: &[Local], formulas: &FateFormulas, actions: EnumId) -> Expr {
    let span = formulas.lost.span;
    let expr = |kind, ty| Expr { kind, ty, span };
    let at = |value: Expr, param: &Local| Expr { span, ..value.at(param.local) };
    let local = |param: &Local| expr(ExprKind::Local(param.local), param.ty.clone());
    let open = || {
        let parts = vec![formulas.lost.clone().negated(), formulas.safe.clone().negated()];
        Expr::all(parts, span)
    };
    match (word, params) {
        (FateWord::Lost, [t]) => at(formulas.lost.clone(), t),
        (FateWord::Safe, [t]) => at(formulas.safe.clone(), t),
        (FateWord::Open, [t]) => at(open(), t),
        (FateWord::Decisive | FateWord::DecisiveAction | FateWord::DecisiveOf(_), [t, u, rest @ ..]) => {
            let one = Expr::constant(Value::Int(1), Type::Int { lo: 1, hi: 1 }, span);
            let after = expr(ExprKind::Binary(Op::Add, Box::new(local(t)), Box::new(one)), Type::Pos);
            let mut parts =
                vec![Expr::binary_bool(Op::Eq, local(u), after), at(open(), t), at(formulas.lost.clone(), u)];
            let taken = || at(expr(ExprKind::ActionLabel, Type::Enum(actions).optional()), u);
            match word {
                FateWord::DecisiveOf(action) => {
                    let value = Value::Enum(actions, to_u32(action));
                    let action_taken = Expr::constant(value, Type::Enum(actions), span);
                    parts.push(Expr::binary_bool(Op::Eq, taken(), action_taken));
                    parts.extend(rest.iter().enumerate().map(|(param, value)| {
                        let kind = ExprKind::LabelArg { action, param };
                        let argument = at(expr(kind, value.ty.clone().optional()), u);
                        Expr::binary_bool(Op::Eq, argument, local(value))
                    }));
                }
                _ => parts.extend(rest.iter().map(|a| Expr::binary_bool(Op::Eq, taken(), local(a)))),
            }
            Expr::all(parts, span)
        }
        _ => unreachable!("the checker declares it with the parameters of its word"),
    }
}
