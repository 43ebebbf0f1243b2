//! A question whose answer is read: from the values of a script's symbols to the trace that they stand for.

use super::Theory;
use super::print::{print, width};
use super::question::QuestionFrame;
use super::script::{Script, ScriptCommand};
use super::symbolic::{Body, TermValue};
use super::term::{Number, NumberForm, SymbolId, Term, Terms, Truth, TruthForm};
use crate::smt_solver::{ScriptSymbol, SymbolSort};
use lang::model::Model;
use lang::model::types::{Type, Types};
use lang::model::value::{Label, Moment, State, Value};
use rustc_hash::FxHashMap;

/// A script that asks for a trace, with what is needed to read that trace from an answer.
#[derive(Debug)]
pub struct TraceScript<'m> {
    model: &'m Model,
    script: Script,
    positions: Vec<QuestionFrame>,
    theory: Theory,
}

impl<'m> TraceScript<'m> {
    pub(super) fn new(
        model: &'m Model,
        script: Script,
        positions: Vec<QuestionFrame>,
        theory: Theory,
    ) -> Self {
        Self { model, script, positions, theory }
    }

    /// The script.
    pub fn text(&self) -> String {
        print(&self.script, self.theory)
    }

    /// The symbols whose values tell the trace, in the order in which [`TraceScript::trace`] wants the values.
    pub fn symbols(&self) -> Vec<ScriptSymbol> {
        self.declared().map(|(symbol, term)| self.symbol(symbol, term)).collect()
    }

    fn symbol(&self, symbol: SymbolId, term: Term) -> ScriptSymbol {
        let terms = &self.script.terms;
        let sort = match (term, self.theory) {
            (Term::Truth(_), _) => SymbolSort::Bool,
            (Term::Number(_), Theory::Int) => SymbolSort::Int,
            (Term::Number(number), Theory::Bv) => SymbolSort::Bits(width(terms.range(number))),
        };
        ScriptSymbol { name: terms.name(symbol).to_owned(), sort }
    }

    /// The symbols that are declared and not defined.
    fn declared(&self) -> impl Iterator<Item = (SymbolId, Term)> {
        self.script.commands.iter().filter_map(|command| match command {
            ScriptCommand::Declare(term) => Some((symbol_of(&self.script.terms, *term), *term)),
            _ => None,
        })
    }

    /// The trace for these values of the symbols; `None` if they stand for none. Whether it is a trace of the model is for
    /// the reference semantics to say.
    pub fn trace(&self, values: &[i128]) -> Option<Vec<Moment>> {
        let mut reader = AnswerReader {
            terms: &self.script.terms,
            types: &self.model.types,
            symbols: FxHashMap::default(),
            truths: FxHashMap::default(),
            numbers: FxHashMap::default(),
        };
        reader.symbols = self.declared().map(|(symbol, _)| symbol).zip(values.iter().copied()).collect();
        for command in &self.script.commands {
            let ScriptCommand::Define(symbol, value) = *command else { continue };
            let value = match value {
                Term::Truth(truth) => i128::from(reader.truth(truth)?),
                Term::Number(number) => reader.number(number)?,
            };
            reader.symbols.insert(symbol_of(&self.script.terms, symbol), value);
        }
        let mut moments = Vec::new();
        for position in &self.positions {
            if !reader.truth(position.alive)? {
                break;
            }
            moments.push(reader.moment(self.model, position)?);
        }
        Some(moments)
    }
}

/// The symbol that a declaration or definition is about.
fn symbol_of(terms: &Terms, term: Term) -> SymbolId {
    match term {
        Term::Truth(truth) => match terms.truth(truth) {
            TruthForm::Symbol(symbol) => *symbol,
            _ => unreachable!("only symbols are declared"),
        },
        Term::Number(number) => match terms.number(number) {
            NumberForm::Symbol(symbol) => symbol,
            _ => unreachable!("only symbols are declared"),
        },
    }
}

struct AnswerReader<'s> {
    terms: &'s Terms,
    types: &'s Types,
    symbols: FxHashMap<SymbolId, i128>,
    truths: FxHashMap<Truth, bool>,
    numbers: FxHashMap<Number, i128>,
}

impl AnswerReader<'_> {
    /// A truth value; `None` if a symbol in it has no value.
    fn truth(&mut self, term: Truth) -> Option<bool> {
        if let Some(&known) = self.truths.get(&term) {
            return Some(known);
        }
        let value = match self.terms.truth(term) {
            TruthForm::Const(value) => *value,
            TruthForm::Symbol(symbol) => *self.symbols.get(symbol)? != 0,
            TruthForm::Not(inner) => !self.truth(*inner)?,
            TruthForm::And(parts) => self.all(parts, true)?,
            TruthForm::Or(parts) => !self.all(parts, false)?,
            TruthForm::Ite(c, a, b) => {
                let chosen = if self.truth(*c)? { *a } else { *b };
                self.truth(chosen)?
            }
            TruthForm::Iff(a, b) => self.truth(*a)? == self.truth(*b)?,
            TruthForm::Equal(a, b) => self.number(*a)? == self.number(*b)?,
            TruthForm::AtMost(a, b) => self.number(*a)? <= self.number(*b)?,
        };
        self.truths.insert(term, value);
        Some(value)
    }

    /// True if all of these are so.
    fn all(&mut self, parts: &[Truth], value: bool) -> Option<bool> {
        for &part in parts {
            if self.truth(part)? != value {
                return Some(false);
            }
        }
        Some(true)
    }

    /// A number; `None` if a symbol in it has no value.
    fn number(&mut self, term: Number) -> Option<i128> {
        if let Some(&known) = self.numbers.get(&term) {
            return Some(known);
        }
        let value = match self.terms.number(term) {
            NumberForm::Const(value) => value,
            NumberForm::Symbol(symbol) => *self.symbols.get(&symbol)?,
            NumberForm::Ite(c, a, b) => {
                let chosen = if self.truth(c)? { a } else { b };
                self.number(chosen)?
            }
            NumberForm::Add(a, b) => self.number(a)?.checked_add(self.number(b)?)?,
            NumberForm::Sub(a, b) => self.number(a)?.checked_sub(self.number(b)?)?,
            NumberForm::Mul(a, b) => self.number(a)?.checked_mul(self.number(b)?)?,
        };
        self.numbers.insert(term, value);
        Some(value)
    }

    fn moment(&mut self, model: &Model, position: &QuestionFrame) -> Option<Moment> {
        let label = match &position.label {
            None => None,
            Some(label) => {
                let action = usize::try_from(self.number(label.action)?).ok()?;
                let params = &model.actions.get(action)?.params;
                let args = params.iter().zip(&label.args[action]);
                let args = args.map(|(param, arg)| self.value(&param.ty, arg)).collect::<Option<_>>()?;
                Some(Label { action, args })
            }
        };
        let state = model.variables.iter().zip(&position.state);
        let state = state.map(|(variable, value)| self.value(&variable.ty, value)).collect::<Option<_>>()?;
        Some(Moment { label, state: State(state) })
    }

    /// The value of a type that a symbolic one stands for.
    fn value(&mut self, ty: &Type, symbolic: &TermValue) -> Option<Value> {
        if !self.truth(symbolic.present)? {
            return Some(Value::None);
        }
        Some(match (&symbolic.body, ty.inner()) {
            (Body::Nothing, _) => Value::None,
            (Body::Bool(truth), _) => Value::Bool(self.truth(*truth)?),
            (Body::Int(number), _) => Value::Int(i64::try_from(self.number(*number)?).ok()?),
            (Body::Enum(id, number), _) => Value::Enum(*id, u32::try_from(self.number(*number)?).ok()?),
            (Body::Set(members), _) => {
                let mut kept = Vec::new();
                for (member, inside) in &**members {
                    if self.truth(*inside)? {
                        kept.push(member.clone());
                    }
                }
                Value::Set(kept.into_iter().collect())
            }
            (Body::Record(id, fields), _) => {
                let declared = &self.types.record(*id).fields;
                let fields = declared.iter().zip(&**fields);
                let fields = fields.map(|((_, ty), field)| self.value(ty, field)).collect::<Option<_>>()?;
                Value::Record(*id, fields)
            }
            (Body::Map(entries), Type::Map(_, ty)) => {
                let entries = entries.iter();
                let entries = entries.map(|(key, entry)| Some((key.clone(), self.value(ty, entry)?)));
                Value::Map(entries.collect::<Option<_>>()?)
            }
            (Body::Map(_), _) => return None,
        })
    }
}
