//! The obligations of a causal tree.

use super::claims::NoFormula;
use super::consistent::together;
use super::document::{
    CausesDocument, CausesVerdict, ClassifyDocument, DocumentKind, LengthsWord, StoredClass,
    StoredEveryTrace, StoredFairness, StoredKind, StoredPattern, StoredTrace, StoredWay,
};
use super::finite::{question, read};
use super::lassos::{LassoSubject, fairness_of, formula_of};
use super::obligation::{Obligation, Question};
use super::replay::{OMITTED, Subject, constants, lacks_variables, shown};
use lang::model::{
    FactText, LassoFactText, LassoFormula, LassoFormulaText, Model, ParameterText, Recurrence, SaidText,
    TraceFormula, TraceFormulaText,
};
use solvers::smt::{LassoQuestion, TraceQuestion, Violation};
use std::sync::Arc;

/// The property of a tree, by the traces that can violate it.
enum CausalProperty<'a> {
    Invariant(Subject<'a>),
    Linear(LassoSubject<'a>),
}

enum ReadPattern {
    Finite(Arc<TraceFormula>),
    Infinite(Arc<LassoFormula>),
}

struct CausalClaims<'a> {
    model: &'a Model,
    document: &'a CausesDocument,
    property: CausalProperty<'a>,
}

/// Returns the obligations of a causal tree.
pub(super) fn obligations(model: &Model, document: &CausesDocument) -> Vec<Obligation> {
    let claims = CausalClaims::new(model, document);
    let about = claims
        .as_ref()
        .map_err(Clone::clone)
        .and_then(|_| constants(model, &document.constants).and_then(|()| consistent(document)));
    let mut list =
        vec![Obligation::evaluated("document", "the result is about this model, and consistent", about)];
    if let Ok(claims) = claims {
        claims.kinds(&mut list);
        claims.whole(&mut list);
        claims.always(&mut list);
    }
    list
}

/// Returns the obligations of the causal tree of a classification: its own, and that each class has traces of the kinds that it lists. A formula
/// of a class is a pattern in the same words.
pub(super) fn of_classes<K: DocumentKind>(
    model: &Model,
    document: &ClassifyDocument<K>,
    fairness: Option<&StoredFairness>,
    pattern: impl Fn(K::Formula) -> StoredPattern,
) -> Vec<Obligation> {
    let classes = &document.classes;
    let Some(tree) = &document.tree else {
        let has_none = classes.iter().all(|class| class.kinds.is_none());
        let claim = "there are kinds in classes only with a causal tree";
        let wrong = || Obligation::evaluated("tree", claim, Err("there is no causal tree".into()));
        return if has_none { Vec::new() } else { vec![wrong()] };
    };
    let CausesDocument { schema, model: name, sources, set, constants, property, bound, .. } = tree;
    let is_same = schema == "cladist/causes-1"
        && *name == document.model
        && *sources == document.sources
        && *set == document.set
        && *constants == document.constants
        && *property == document.property
        && *bound == document.bound
        && tree.fairness.as_ref() == fairness;
    let about = if is_same { Ok(()) } else { Err("it is about another question".to_owned()) };
    let mut list = vec![Obligation::evaluated("tree", "the causal tree is about the same question", about)];
    list.extend(
        obligations(model, tree)
            .into_iter()
            .map(|own| Obligation { name: format!("tree-{}", own.name), ..own }),
    );
    let Ok(claims) = CausalClaims::new(model, tree) else { return list };
    for class in classes {
        let name = format!("class-{}-kinds", class.id);
        let claim = format!("class {} has traces of the kinds that it lists, and of no others", class.id);
        let mut ways = claims.ways();
        list.push(match ways.any(|(_, way)| lacks_variables(model, &way.trace)) {
            true => Obligation::open(name, claim, OMITTED),
            false => match claims.kinds_in(class, &pattern) {
                Ok(kinds) if class.kinds.as_ref() == Some(&kinds) => {
                    Obligation::evaluated(name, claim, Ok(()))
                }
                Ok(kinds) => Obligation::evaluated(name, claim, Err(format!("they are {kinds:?}"))),
                Err(none) => none.obligation(name, claim),
            },
        });
    }
    list
}

/// Checks the fields of a document against each other.
fn consistent(document: &CausesDocument) -> Result<(), String> {
    let CausesDocument { verdict, kinds, reason, complete_to, bound, narrowed_from, always, .. } = document;
    let is_whole = matches!(verdict, CausesVerdict::Holds | CausesVerdict::Complete);
    let has_kinds = matches!(verdict, CausesVerdict::Complete | CausesVerdict::Partial);
    let all = || kinds.iter().flat_map(StoredKind::with_variants);
    together([
        (has_kinds != kinds.is_empty(), "the kinds"),
        (is_whole == reason.is_none(), "the reason"),
        (!is_whole || *complete_to == Some(*bound), "the number of steps to which it is complete"),
        (complete_to.is_none_or(|steps| steps <= *bound), "the number of steps to which it is complete"),
        (
            narrowed_from.is_none_or(|steps| steps <= *bound),
            "the number of steps from which traces were left out",
        ),
        (always.is_empty() || *verdict == CausesVerdict::Complete, "facts of every violating trace"),
        (document.every_length.is_none() || is_whole, "traces of every length"),
        (
            !matches!(document.every_length, Some(StoredEveryTrace::Longer(steps)) if steps <= *bound),
            "traces of every length",
        ),
        (all().all(|kind| !kind.ways.is_empty()), "the ways of a kind"),
        (all().all(|kind| kind.ways.iter().all(|way| way.trace.steps >= kind.steps)), "the steps of a kind"),
        (
            all().all(|kind| kind.ways.first().is_some_and(|way| way.trace.steps == kind.steps)),
            "the steps of a kind",
        ),
        (
            all().all(|kind| kind.variants.iter().all(|variant| variant.variants.is_empty())),
            "the variants of a kind",
        ),
    ])
}

impl<'a> CausalClaims<'a> {
    fn new(model: &'a Model, document: &'a CausesDocument) -> Result<Self, String> {
        if model.name != document.model {
            return Err(format!("the model is called {}", model.name));
        }
        let property = model.properties.iter().find(|property| property.name == document.property);
        let property = property.ok_or_else(|| format!("the model has no property {}", document.property))?;
        let property = match (&document.fairness, property.invariant(), property.linear()) {
            (None, Some(invariant), _) => CausalProperty::Invariant(Subject {
                model,
                invariant,
                lengths: LengthsWord::UpTo,
                bound: document.bound,
            }),
            (Some(given), _, Some(formula)) => CausalProperty::Linear(LassoSubject {
                model,
                name: &document.property,
                formula,
                fairness: fairness_of(model, given.ignored, &given.fair, &given.strongly_fair)?,
            }),
            _ => return Err(format!("the property {} is one of another sort", document.property)),
        };
        Ok(Self { model, document, property })
    }

    fn read(&self, pattern: &StoredPattern) -> Result<ReadPattern, NoFormula> {
        match (pattern, &self.property) {
            (StoredPattern::Finite(text), CausalProperty::Invariant(_)) => {
                read(self.model, text).map(ReadPattern::Finite)
            }
            (StoredPattern::Infinite(text), CausalProperty::Linear(_)) => {
                let formula = formula_of(self.model, text).map_err(NoFormula::Wrong)?;
                Ok(ReadPattern::Infinite(Arc::new(formula)))
            }
            _ => Err(NoFormula::Wrong("a pattern is about traces of another sort".into())),
        }
    }

    /// True if a trace of a document, which has to be a counterexample within the bound, has a pattern.
    fn has(&self, pattern: &StoredPattern, document: &StoredTrace) -> Result<bool, NoFormula> {
        match (self.read(pattern)?, &self.property) {
            (ReadPattern::Finite(formula), CausalProperty::Invariant(subject)) => {
                let trace = subject.counterexample(document, &[]).map_err(NoFormula::Wrong)?;
                Ok(formula.matches(self.model, &trace.moments).is_some())
            }
            (ReadPattern::Infinite(formula), CausalProperty::Linear(infinite)) => {
                let lasso = infinite.found(document, false, self.document.bound).map_err(NoFormula::Wrong)?;
                Ok(formula.holds(self.model, &lasso.trace.moments, lasso.start))
            }
            _ => Err(NoFormula::Wrong("a pattern is about traces of another sort".into())),
        }
    }

    /// The traces of all kinds and their variants, each with the number of the kind.
    fn ways(&self) -> impl Iterator<Item = (usize, &StoredWay)> {
        let of_kind = |(number, kind): (usize, &'a StoredKind)| {
            kind.with_variants().flat_map(|part| &part.ways).map(move |way| (number, way))
        };
        (1..).zip(&self.document.kinds).flat_map(of_kind)
    }

    /// The patterns of all kinds and their variants, one of which every violating trace has, each with the number of the kind.
    fn told(&self) -> impl Iterator<Item = (usize, &StoredPattern)> {
        let of_part = |part: &'a StoredKind| -> Vec<&'a StoredPattern> {
            match self.document.narrowed_from {
                Some(_) => vec![&part.pattern],
                None => part.ways.iter().map(|way| &way.pattern).collect(),
            }
        };
        let of_kind = move |(number, kind): (usize, &'a StoredKind)| {
            let of_kind = kind.with_variants().flat_map(of_part);
            of_kind.map(move |pattern| (number, pattern)).collect::<Vec<_>>()
        };
        (1..).zip(&self.document.kinds).flat_map(of_kind)
    }

    /// The numbers of the kinds with a trace in a class, or in an image of it; if there are none, of those whose steps its representative has.
    fn kinds_in<K: DocumentKind>(
        &self,
        class: &StoredClass<K>,
        pattern: impl Fn(K::Formula) -> StoredPattern,
    ) -> Result<Vec<usize>, NoFormula> {
        let mut kinds = Vec::new();
        for class in class.with_images() {
            let pattern = pattern(class.formula.clone());
            for (number, way) in self.ways() {
                if self.has(&pattern, &way.trace)? {
                    kinds.push(number);
                }
            }
        }
        if kinds.is_empty() {
            let mut representative = class.representative.clone();
            representative.states.iter_mut().for_each(|moment| moment.positions.clear());
            for (number, pattern) in self.told() {
                if self.has(pattern, &representative)? {
                    kinds.push(number);
                }
            }
        }
        kinds.sort_unstable();
        kinds.dedup();
        Ok(kinds)
    }

    /// Adds the obligations about traces: each violates the property and has its own pattern and that of its kind.
    fn kinds(&self, list: &mut Vec<Obligation>) {
        for (number, kind) in (1..).zip(&self.document.kinds) {
            for (variant, part) in kind.with_variants().enumerate() {
                for (way, of) in (1..).zip(&part.ways) {
                    let name = match variant {
                        0 => format!("kind-{number}-way-{way}"),
                        _ => format!("kind-{number}-variant-{variant}-way-{way}"),
                    };
                    let claim = "a counterexample that is shown has the steps of its kind";
                    list.push(shown(self.model, name, claim, &of.trace, |trace| self.way(part, of, trace)));
                }
            }
        }
    }

    fn way(&self, kind: &StoredKind, way: &StoredWay, document: &StoredTrace) -> Result<(), String> {
        let has = |pattern| self.has(pattern, document).map_err(|none| none.why());
        match (has(&way.pattern)?, has(&kind.pattern)?) {
            (true, true) => Ok(()),
            (false, _) => Err("it has not the steps of its pattern".into()),
            (_, false) => Err("it has not the deciding steps of its kind".into()),
        }
    }

    /// Returns the question for violating traces that have none of these patterns.
    fn outside(&self, patterns: Vec<(String, ReadPattern)>) -> Question {
        match &self.property {
            CausalProperty::Invariant(subject) => {
                let asked = question(subject, &self.document.property, subject.steps(), Violation::Last);
                let finite = |(name, pattern)| match pattern {
                    ReadPattern::Finite(formula) => Some((name, formula)),
                    ReadPattern::Infinite(_) => None,
                };
                TraceQuestion { outside: patterns.into_iter().filter_map(finite).collect(), ..asked }.into()
            }
            CausalProperty::Linear(infinite) => {
                let asked = infinite.question(self.document.bound, false);
                let of_loop = |(name, pattern)| match pattern {
                    ReadPattern::Infinite(formula) => Some((name, formula)),
                    ReadPattern::Finite(_) => None,
                };
                LassoQuestion { outside: patterns.into_iter().filter_map(of_loop).collect(), ..asked }.into()
            }
        }
    }

    /// Adds the claims of the verdict about all traces.
    fn whole(&self, list: &mut Vec<Obligation>) {
        let CausesDocument { verdict, kinds, property, .. } = self.document;
        let (name, claim) = match verdict {
            CausesVerdict::Holds => ("holds", format!("nothing within the bound violates {property}")),
            CausesVerdict::Complete => {
                ("complete", "every counterexample within the bound has the steps of a kind".to_owned())
            }
            CausesVerdict::Partial | CausesVerdict::Undecided => return,
        };
        let mut patterns = Vec::new();
        for (number, pattern) in self.told() {
            match self.read(pattern) {
                Ok(read) => patterns.push((kinds[number - 1].title.clone(), read)),
                Err(none) => return list.push(none.obligation(name, claim)),
            }
        }
        list.push(Obligation::ask(name, claim, self.outside(patterns)));
    }

    /// Adds the obligations about actions of which every violating trace has a step.
    fn always(&self, list: &mut Vec<Obligation>) {
        // A name that no action has.
        let mut at = "step".to_owned();
        while self.model.actions.iter().any(|action| action.name == at) {
            at.push('_');
        }
        for action in &self.document.always {
            let (name, claim) =
                (format!("always-{action}"), format!("every counterexample has a step of {action}"));
            let pattern = match &self.property {
                CausalProperty::Invariant(_) => StoredPattern::Finite(TraceFormulaText {
                    parameters: vec![ParameterText { name: at.clone(), ty: "pos".into() }],
                    facts: vec![FactText { holds: format!("action@{at} = {action}"), nowhere: None }],
                    of_each: false,
                }),
                CausalProperty::Linear(_) => StoredPattern::Infinite(LassoFormulaText {
                    individuals: Vec::new(),
                    position: at.clone(),
                    facts: vec![LassoFactText {
                        when: Recurrence::Once,
                        at: vec![vec![SaidText { text: format!("action@{at} = {action}"), holds: true }]],
                        after: Vec::new(),
                    }],
                    distinct: Vec::new(),
                }),
            };
            list.push(match self.read(&pattern) {
                Ok(read) => Obligation::ask(name, claim, self.outside(vec![(action.clone(), read)])),
                Err(none) => none.obligation(name, claim),
            });
        }
    }
}
