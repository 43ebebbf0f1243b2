//! The words `lost`, `safe`, `open` and `decisive` in vocabularies, where the model has no names like these.

use super::Checker;
use super::components::dotted;
use super::entity::Entity;
use super::types::LIMIT;
use super::vocabularies::VocabularySources;
use crate::model::expr::{Expr, LocalId};
use crate::model::fates::{FatePredicate, FateWord};
use crate::model::types::Type;
use crate::model::value::Value;
use crate::model::{Local, Predicate, PredicateArgument, PredicateId, VocabularyItem};
use crate::syntax::ast::{AstExpr, Ident};
use itertools::Itertools;
use kit::diagnostics::{Diagnostic, Span};
use kit::number::to_u32;

impl<'a> Checker<'a> {
    /// The items of such a word; `None` if the item is none.
    pub(super) fn fate_items(
        &mut self,
        sources: &VocabularySources<'a, '_>,
        path: &'a [Ident],
        args: Option<&'a [AstExpr]>,
        span: Span,
    ) -> Option<Vec<VocabularyItem>> {
        let [name] = path else { return None };
        if self.entity(sources.unit, &name.name).is_some() {
            return None;
        }
        let word = match (name.name.as_str(), args) {
            ("lost", None) => FateWord::Lost,
            ("safe", None) => FateWord::Safe,
            ("open", None) => FateWord::Open,
            ("decisive", None) => FateWord::Decisive,
            ("decisive", Some(args)) => return Some(self.decisive_items(sources, args, span)),
            ("lost" | "safe" | "open", Some(_)) => {
                let error = Diagnostic::error(span, format!("`{}` describes a whole state", name.name));
                self.report(error.with_help(format!("write `{}`", name.name)));
                return Some(Vec::new());
            }
            _ => return None,
        };
        let predicate = self.fate_predicate(sources, word, &name.name, Vec::new(), span);
        Some(vec![VocabularyItem::Predicate(predicate, positions(word))])
    }

    /// The items of `decisive(action)`, `decisive(forward)`.
    fn decisive_items(
        &mut self,
        sources: &VocabularySources<'a, '_>,
        args: &'a [AstExpr],
        span: Span,
    ) -> Vec<VocabularyItem> {
        let argument = match args {
            [only] => dotted(only),
            _ => None,
        };
        let ty = Type::Enum(self.action_enum);
        let argument = argument.as_deref().map(|name| (name, self.entity(sources.unit, name)));
        let (word, name, params) = match argument {
            Some(("action", None)) => {
                let param = self.fate_parameter("a", ty.clone());
                (FateWord::DecisiveAction, "decisive".to_owned(), vec![param])
            }
            Some((name, Some(Entity::Action(action)))) => {
                let declared = self.action_params(action);
                let params = declared.iter().map(|p| self.fate_parameter(&p.name, p.ty.clone())).collect();
                (FateWord::DecisiveOf(action), format!("decisive.{name}"), params)
            }
            _ => {
                let error = Diagnostic::error(span, "`decisive` describes steps and actions");
                let help = "write `decisive`, `decisive(action)` for the actions taken, or `decisive(a)` for an action a \
                            with its arguments";
                self.report(error.with_help(help));
                return Vec::new();
            }
        };
        let types: Vec<Type> = params.iter().map(|p: &Local| p.ty.clone()).collect();
        let rows = types.iter().fold(1u64, |n, ty| n.saturating_mul(self.types.cardinality(ty)));
        if rows > LIMIT {
            let error = Diagnostic::error(span, "this would stand for too many labels");
            self.report(error.with_help("write `decisive(action)`"));
            return Vec::new();
        }
        let any = matches!(word, FateWord::DecisiveOf(_));
        let predicate = self.fate_predicate(sources, word, &name, params, span);
        let value = |value: Value, ty: &Type| PredicateArgument::Value {
            value: Expr::constant(value, ty.clone(), span),
            any,
        };
        let columns = types.iter().map(|ty| self.types.values(ty).into_iter().map(|v| value(v, ty)));
        let columns: Vec<Vec<PredicateArgument>> = columns.map(Iterator::collect).collect();
        let rows: Vec<Vec<PredicateArgument>> = match columns.is_empty() {
            true => vec![Vec::new()],
            false => columns.into_iter().multi_cartesian_product().collect(),
        };
        let item = |row: Vec<PredicateArgument>| {
            VocabularyItem::Predicate(predicate, [positions(word), row].concat())
        };
        rows.into_iter().map(item).collect()
    }

    fn fate_parameter(&mut self, name: &str, ty: Type) -> Local {
        self.locals += 1;
        Local { name: name.to_owned(), local: LocalId(self.locals - 1), ty }
    }

    /// The predicate of a word, which is declared when the word is first written: over positions and these values.
    fn fate_predicate(
        &mut self,
        sources: &VocabularySources<'a, '_>,
        word: FateWord,
        name: &str,
        values: Vec<Local>,
        span: Span,
    ) -> PredicateId {
        if let Some(known) = self.fates.iter().find(|known| known.word == word) {
            return known.predicate;
        }
        let positions = ["t", "u"].into_iter().take(word.positions());
        let mut params: Vec<Local> = positions.map(|name| self.fate_parameter(name, Type::Pos)).collect();
        params.extend(values);
        self.fate_predicates.push(Predicate {
            name: name.to_owned(),
            doc: Some(word.doc().to_owned()),
            params,
            body: Expr::bool(false, span),
            library: None,
            added: None,
            span,
        });
        let predicate = PredicateId(to_u32(sources.predicates.len() + self.fates.len()));
        self.fates.push(FatePredicate { word, predicate });
        predicate
    }
}

fn positions(word: FateWord) -> Vec<PredicateArgument> {
    vec![PredicateArgument::Position; word.positions()]
}
