//! Classifications of infinite traces of random models against all of their lassos.

use crate::linked_model::linked_text;
use crate::ltl_random::{fairness, formula, lassos};
use crate::random::{Random, seeds};
use crate::random_model::{STEPS, random_model};
use crate::symmetric_model::symmetric_text;
use cladist::budget::Budget;
use cladist::classify::facts::collect::Collector;
use cladist::classify::lassos::{
    AtomLiteral, AtomRef, Infinite, LassoBasis, LassoConstraint, LassoContext, LassoFact, LassoProblem,
    LassoProof, classify_lassos, classify_lassos_unbounded, classify_lassos_within, usable,
};
use cladist::classify::{
    AtomId, Atoms, Classification, Mode, Necessity, Options, SharedFact, Unbounded, UnknownReason, Verdict,
};
use cladist::explore::Graph;
use cladist::ltl::{Fairness, ListedSystem, LtlTruth, is_fair, satisfies};
use cladist::model::expr::Formula;
use cladist::model::value::Value;
use cladist::model::{Model, Position, PropertyKind, Recurrence, Vocabulary, load_text};
use cladist::trace::Lasso;
use itertools::Itertools;
use std::cell::RefCell;
use std::collections::HashMap;
use std::io::ErrorKind;
use std::rc::Rc;
use std::time::Duration;

const MODELS: u64 = 20;

/// The first of them: formulas with several classes are rare.
const FIRST: u64 = 20;
const FORMULAS: u64 = 4;

/// Models of sessions that are mostly alike, and the lassos of these that are compared.
const SESSIONS: u64 = 50;
const FEW_STEPS: usize = 3;

/// Models in which it matters what comes first.
const WALKS: u64 = 40;

/// Some proofs take too long.
const PATIENCE: Duration = Duration::from_secs(5);

/// If there are not more of them than this.
const MOST_LASSOS: usize = 3_000;

/// What is said of sessions.
const ABOUT_SESSIONS: [&str; 7] = [
    "forall s in Session: always (phase[s] = Busy => eventually phase[s] != Busy)",
    "forall s in Session: always eventually s not in held",
    "forall s in Session: eventually always (s in held => last = s)",
    "forall s, t in Session: s != t => always eventually not (phase[s] = Busy and phase[t] = Busy)",
    "always eventually exists s in Session: phase[s] = Over and last != s",
    "(always eventually last is none) => eventually exists s in Session: phase[s] = Over",
    "always (last = S1 => eventually last != S1)",
];

/// Models of sessions and tokens that are looked at; most of them have too many lassos.
const TOKENS: u64 = 10;

/// What is said of sessions and the tokens that belong to them.
const ABOUT_TOKENS: [&str; 5] = [
    "forall s in Session: always not (phase[s] = Busy and token(s) in seen)",
    "forall s in Session: eventually always not (phase[s] = Busy and token(s) in seen)",
    "forall s in Session: always (s in held => eventually token(s) not in seen)",
    "not exists s in Session: eventually always (s in held and last = token(s))",
    "forall s in Session: always eventually (last != token(s) or s not in held)",
];

/// Classes that are proved for all infinite traces are tried on lassos of up to so many steps.
const LONGER: usize = STEPS + 2;

/// If there are not more of them than this.
const MOST_LONGER: usize = 1_000;

/// What is said of a lasso, by looking at the trace up to the end of its third round.
struct Look<'a> {
    of: (&'a Model, &'a Atoms),
    /// For each lasso, by its address, what was found out about atoms: their truth at each position for these values.
    #[allow(clippy::type_complexity)]
    known: RefCell<HashMap<(*const Lasso, AtomId, Vec<Value>), Rc<Vec<bool>>>>,
}

impl<'a> Look<'a> {
    fn new(model: &'a Model, atoms: &'a Atoms) -> Self {
        Self { of: (model, atoms), known: RefCell::default() }
    }

    /// Where an atom holds.
    fn truth(&self, lasso: &Lasso, about: &AtomRef, values: &[Value]) -> Rc<Vec<bool>> {
        let own = about.individuals.iter().map(|individual| values[individual.index()].clone()).collect();
        let mut known = self.known.borrow_mut();
        let entry = known.entry((std::ptr::from_ref(lasso), about.atom, own));
        let moments = &lasso.trace.moments;
        let holds = |at: Position| about.holds(self.of, moments, &[at], values);
        Rc::clone(entry.or_insert_with(|| Rc::new(lasso.trace.positions().map(holds).collect())))
    }

    /// The truth of a fact: what happens in the last round goes on happening, and nothing new comes after it. Each position that a fact
    /// names has a round of its own.
    fn is_true(&self, fact: &LassoFact, lasso: &Lasso, values: &[Value]) -> bool {
        let (start, round) = (lasso.start.steps(), lasso.round());
        let end = lasso.len() + 1 + (2 + fact.before.len()) * round;
        let place =
            |at: usize| if at <= lasso.len() { at } else { start + 1 + (at - lasso.len() - 1) % round };
        let truths = |said: &Vec<AtomLiteral>| -> Vec<(Rc<Vec<bool>>, bool)> {
            said.iter().map(|said| (self.truth(lasso, &said.about, values), said.holds)).collect()
        };
        let (what, after) = (truths(&fact.what), truths(&fact.after));
        let before: Vec<_> = fact.before.iter().map(truths).collect();
        let so = |said: &[(Rc<Vec<bool>>, bool)], at: usize| {
            said.iter().all(|(truth, holds)| truth[place(at)] == *holds)
        };
        let mut last = end - round..end;
        match fact.when {
            Recurrence::Again => last.any(|at| so(&what, at)),
            Recurrence::Forever => last.all(|at| so(&what, at)),
            Recurrence::Once => {
                let ends = |at: usize| so(&what, at) && (at + 1..end).all(|later| so(&after, later));
                let places = (0..end - round).combinations(before.len() + 1);
                let mut in_order = places.filter(|places| {
                    ends(places[before.len()]) && before.iter().zip(places).all(|(what, &at)| so(what, at))
                });
                in_order.next().is_some()
            }
        }
    }

    /// Whether some choice of individuals makes all of it true.
    fn is_in(&self, constraint: &LassoConstraint, lasso: &Lasso) -> bool {
        self.choices(constraint).iter().any(|values| self.is_so(constraint, lasso, values))
    }

    /// Whether a fact is as it is said to be shared: of some individuals, or of each.
    fn is_shared(&self, fact: &SharedFact<Infinite>, lasso: &Lasso) -> bool {
        let choices = self.choices(&fact.constraint);
        let mut so = choices.iter().map(|values| self.is_so(&fact.constraint, lasso, values));
        if fact.of_each { so.all(|so| so) } else { so.any(|so| so) }
    }

    /// All choices of individuals.
    fn choices(&self, constraint: &LassoConstraint) -> Vec<Vec<Value>> {
        let (model, atoms) = self.of;
        let domains = constraint.individuals.iter().map(|&domain| model.types.values(atoms.type_of(domain)));
        let mut choices = vec![Vec::new()];
        for values in domains {
            let with = |choice: &Vec<Value>| {
                values
                    .iter()
                    .map(|value| [&choice[..], std::slice::from_ref(value)].concat())
                    .collect::<Vec<_>>()
            };
            choices = choices.iter().flat_map(with).collect();
        }
        choices
    }

    /// Whether a choice of individuals makes all of it true.
    fn is_so(&self, constraint: &LassoConstraint, lasso: &Lasso, values: &[Value]) -> bool {
        constraint.distinct.iter().all(|about| about.holds(self.of, &[], &[], values))
            && constraint.facts.iter().all(|fact| self.is_true(fact, lasso, values))
    }
}

/// The lassos of a model that violate a formula, and those that satisfy it.
struct Sorted<'l> {
    violating: Vec<&'l Lasso>,
    accepting: Vec<&'l Lasso>,
}

impl<'l> Sorted<'l> {
    fn new(model: &Model, formula: &Formula, fairness: &[Fairness], all: &'l [Lasso]) -> Self {
        let fair = all.iter().filter(|lasso| is_fair(model, fairness, lasso));
        let (accepting, violating) = fair.partition(|lasso| satisfies(model, formula, lasso));
        Self { violating, accepting }
    }
}

/// The numbers of steps, all and those of the stem.
fn size(lasso: &Lasso) -> (usize, usize) {
    (lasso.len(), lasso.start.steps())
}

/// That classes suffice, and leave out none of these lassos.
fn check_claims(model: &Model, result: &Classification<Infinite>, sorted: &Sorted<'_>, context: &str) {
    let look = Look::new(model, &result.atoms);
    for class in &result.classes {
        let text = class.constraint.show(model, &result.atoms);
        let accepted = sorted.accepting.iter().find(|lasso| look.is_in(&class.constraint, lasso));
        assert_eq!(accepted, None, "{context}: {text}");
    }
    for lasso in &sorted.violating {
        let covered = result.classes.iter().any(|class| look.is_in(&class.constraint, lasso));
        assert!(covered, "{context}: {lasso:?}");
    }
}

/// That classes are what they should be: no part can be left out, and their lassos are shortest ones.
fn check_classes(model: &Model, result: &Classification<Infinite>, sorted: &Sorted<'_>, context: &str) {
    let atoms = &result.atoms;
    let look = Look::new(model, atoms);
    for (index, class) in result.classes.iter().enumerate() {
        let weaker = class.constraint.weaker();
        assert_eq!(weaker.len(), class.needed.len(), "{context}");
        for (weaker, needed) in weaker.iter().zip(&class.needed) {
            let accepted = sorted.accepting.iter().filter(|lasso| look.is_in(weaker, lasso));
            let sizes: Vec<_> = accepted.map(|&lasso| (size(lasso), lasso == needed)).collect();
            assert!(sizes.iter().any(|(_, same)| *same), "{context}: {}", weaker.show(model, atoms));
            assert_eq!(sizes.into_iter().map(|(size, _)| size).min(), Some(size(needed)), "{context}");
        }
        let own = |lasso: &&&Lasso| look.is_in(&class.constraint, lasso);
        let alone = |lasso: &&&Lasso| {
            let mut others = result.classes.iter().enumerate().filter(|(other, _)| *other != index);
            others.all(|(_, other)| !look.is_in(&other.constraint, lasso))
        };
        let least = sorted.violating.iter().filter(own).map(|lasso| lasso.len()).min();
        assert_eq!(least, Some(class.representative.len()), "{context}");
        let canonical = class.canonical.as_ref().expect("the budget is unlimited");
        let least = sorted.violating.iter().filter(own).filter(alone).map(|lasso| size(lasso)).min();
        assert_eq!(least, Some(size(canonical)), "{context}");
        assert!(own(&&canonical) && alone(&&canonical) && sorted.violating.contains(&canonical), "{context}");
    }
}

/// That what is said to be necessary is so of these lassos.
fn check_shared(model: &Model, result: &Classification<Infinite>, violating: &[&Lasso], context: &str) {
    let look = Look::new(model, &result.atoms);
    let necessary = result.necessary.as_ref().expect("it was asked for");
    for (facts, have) in [(&necessary.always, true), (&necessary.never, false)] {
        for fact in facts {
            // What none has is so of none of the individuals.
            let has = |lasso: &&&Lasso| match have {
                true => look.is_shared(fact, lasso),
                false => look.is_in(&fact.constraint, lasso),
            };
            let other = violating.iter().find(|lasso| has(lasso) != have);
            assert_eq!(other, None, "{context}: {}", fact.constraint.show(model, &result.atoms));
        }
    }
}

/// The same, and that everything that is necessary follows from it; returns how many facts tell violating lassos from others.
fn check_necessary(question: &Question, result: &Classification<Infinite>, sorted: &Sorted<'_>) -> usize {
    let Question { model, vocabulary, context, .. } = question;
    check_shared(model, result, &sorted.violating, context);
    let look = Look::new(model, &result.atoms);
    let necessary = result.necessary.as_ref().expect("it was asked for");
    assert_eq!(necessary.undecided, [], "{context}");
    let mut telling = 0;
    for (facts, have) in [(&necessary.always, true), (&necessary.never, false)] {
        for fact in facts {
            let differs = |lasso: &&&Lasso| look.is_shared(fact, lasso) != have;
            let tells = sorted.accepting.iter().any(|lasso| differs(&lasso));
            // Of facts about each individual, one of them is enough to tell.
            assert!(fact.telling == tells || fact.of_each, "{context}: {fact:?}");
            telling += usize::from(tells);
        }
    }
    let mut collector = Collector::new(model, vocabulary, &result.atoms);
    let atoms =
        (0..vocabulary.items.len()).filter_map(|item| collector.atoms_of(item, 64)).flatten().unique();
    for (atom, when) in atoms.cartesian_product([Recurrence::Once, Recurrence::Again, Recurrence::Forever]) {
        let fact = LassoConstraint::ground(vec![LassoFact::single(when, AtomRef::ground(atom))]);
        let has = |lasso: &Lasso| look.is_in(&fact, lasso);
        let all = || sorted.violating.iter().chain(&sorted.accepting);
        if sorted.violating.iter().all(|lasso| has(lasso)) {
            let follows = |lasso: &&Lasso| necessary.always.iter().all(|fact| look.is_shared(fact, lasso));
            let other = all().filter(|lasso| follows(lasso)).find(|lasso| !has(lasso));
            assert_eq!(other, None, "{context}: {}", fact.show(model, &result.atoms));
        }
        if !sorted.violating.iter().any(|lasso| has(lasso)) {
            let follows =
                |lasso: &&Lasso| necessary.never.iter().all(|fact| !look.is_in(&fact.constraint, lasso));
            let other = all().filter(|lasso| follows(lasso)).find(|lasso| has(lasso));
            assert_eq!(other, None, "{context}: {}", fact.show(model, &result.atoms));
        }
    }
    telling
}

/// That a cover has what happens in these lassos, as little as possible, and leaves over what has nothing; returns a name of the verdict.
fn check_cover(question: &Question, all: &[Lasso]) -> &'static str {
    let Question { model, formula, fairness, vocabulary, steps, context } = question;
    let budget = Budget::unlimited();
    let options = Options { mode: Mode::Cover, ..Options::of_lassos(*steps, *steps) };
    let result = classify_lassos(question.problem(), vocabulary, &options, &budget, &mut ());
    let sorted = Sorted::new(model, formula, fairness, all);
    let Some(cover) = &result.cover else {
        assert_eq!(result.verdict, Verdict::Holds, "{context}");
        assert_eq!(sorted.violating, [] as [&Lasso; 0], "{context}");
        return "holds";
    };
    assert!(!sorted.violating.is_empty(), "{context}");
    let look = Look::new(model, &result.atoms);
    let classes: Vec<&LassoConstraint> = result.classes.iter().map(|class| &class.constraint).collect();
    let things: Vec<&LassoConstraint> = classes.iter().copied().chain(&cover.others).collect();
    let in_any = |of: &[&LassoConstraint], lasso: &Lasso| of.iter().any(|thing| look.is_in(thing, lasso));
    let (within, over): (Vec<&Lasso>, Vec<&Lasso>) =
        sorted.violating.iter().partition(|lasso| in_any(&things, lasso));
    let covered = |of: &[&LassoConstraint]| within.iter().all(|lasso| in_any(of, lasso));
    assert!(covered(&classes), "{context}");
    let fewer = things.iter().copied().combinations(classes.len().saturating_sub(1));
    assert!(classes.is_empty() || !result.minimum || !fewer.into_iter().any(|of| covered(&of)), "{context}");
    let left = cover.remainder.as_ref();
    assert_eq!(over.iter().map(|lasso| size(lasso)).min(), left.map(size), "{context}");
    assert_eq!(result.verdict == Verdict::Remainder, left.is_some(), "{context}");
    for necessary in &cover.necessary {
        assert!(sorted.violating.iter().all(|lasso| look.is_in(necessary, lasso)), "{context}");
    }
    let mut together: Vec<Vec<usize>> = Vec::new();
    for lasso in &within {
        together.push((0..classes.len()).filter(|&class| look.is_in(classes[class], lasso)).collect());
    }
    assert!(cover.all, "{context}");
    let found = cover.combinations.iter().map(|combination| combination.classes.clone());
    assert_eq!(
        found.sorted().collect_vec(),
        together.into_iter().unique().sorted().collect_vec(),
        "{context}"
    );
    for class in &result.classes {
        let own = |lassos: &[&Lasso]| -> Option<usize> {
            let own = lassos.iter().filter(|lasso| look.is_in(&class.constraint, lasso));
            own.map(|lasso| lasso.len()).min()
        };
        assert_eq!(own(&sorted.violating), Some(class.representative.len()), "{context}");
        assert_eq!(own(&sorted.accepting), class.accepted.as_ref().map(Lasso::len), "{context}");
    }
    match (left, classes.len()) {
        (Some(_), _) => "left over",
        (None, 1) => "covered by one",
        (None, _) => "covered by several",
    }
}

/// Covers of classes have every counterexample of the class, or one that is left over.
fn check_within(question: &Question, result: &Classification<Infinite>, sorted: &Sorted<'_>) {
    let Question { vocabulary, steps, context, .. } = question;
    let (options, budget) = (Options::of_lassos(*steps, *steps), Budget::unlimited());
    for class in &result.classes {
        let of = LassoContext { constraint: class.constraint.clone(), atoms: result.atoms.clone() };
        let cover = classify_lassos_within(question.problem(), vocabulary, &of, &options, &budget, &mut ());
        let look = Look::new(&question.model, &cover.atoms);
        let own = sorted.violating.iter().filter(|lasso| look.is_in(&class.constraint, lasso)).collect_vec();
        let is_covered =
            |lasso: &Lasso| cover.classes.iter().any(|class| look.is_in(&class.constraint, lasso));
        let of_all = cover.cover.as_ref().expect("a cover");
        match &of_all.remainder {
            Some(other) => assert!(own.iter().any(|lasso| **lasso == other), "{context}"),
            None => assert!(own.iter().all(|lasso| is_covered(lasso)), "{context}"),
        }
        for necessary in &of_all.necessary {
            assert!(own.iter().all(|lasso| look.is_in(necessary, lasso)), "{context}");
        }
        for class in &cover.classes {
            assert!(own.iter().any(|lasso| **lasso == &class.representative), "{context}");
        }
    }
}

/// That no lasso of these which satisfies the formula begins like a counterexample up to its decisive step, and that some do up to the
/// step before, if these are all that were asked about; returns how many steps decide.
fn check_decisions(
    result: &Classification<Infinite>,
    sorted: &Sorted<'_>,
    are_all: bool,
    context: &str,
) -> usize {
    let decisions = result.decisions.as_ref().expect("the budget is unlimited");
    for (class, &position) in result.classes.iter().zip(&decisions.positions) {
        let own = &class.representative;
        let state = |lasso: &Lasso, at: Position| lasso.trace.state(lasso.place(at)).clone();
        let begins = |to: Position| {
            let positions = Position::up_to(to);
            let like = |lasso: &&Lasso| positions.clone().all(|at| state(lasso, at) == state(own, at));
            sorted.accepting.iter().any(like)
        };
        if let Some(position) = position {
            assert!(!begins(position), "{context}: {position} of {own:?}");
        }
        let before = position.map_or(Some(own.trace.last()), Position::previous);
        assert!(!are_all || before.is_none_or(begins), "{context}: {position:?} of {own:?}");
    }
    decisions.positions.iter().flatten().count()
}

/// A question about a random model.
struct Question {
    model: Model,
    formula: Formula,
    fairness: Vec<Fairness>,
    vocabulary: Vocabulary,
    /// Lassos of up to so many steps are compared.
    steps: usize,
    context: String,
}

impl Question {
    fn new(seed: u64, number: u64, model: &Model, graph: &Graph) -> Self {
        let rng = &mut Random::new(seed * 1_000 + number);
        let depth = 1 + rng.below(3);
        let (formula, fairness) = (formula(rng, model, depth), fairness(rng, model, graph));
        let (mut vocabulary, _) = usable(model, &model.vocabularies[0]);
        let left_out = rng.below(vocabulary.items.len() + 1);
        vocabulary = vocabulary.without(&[left_out]);
        let context = format!("seed {seed}, {number}: {formula:?}, {fairness:?}");
        Self { model: model.clone(), formula, fairness, vocabulary, steps: STEPS, context }
    }

    /// A question about sessions that are mostly alike.
    fn about_sessions(seed: u64) -> Self {
        let rng = &mut Random::new(seed);
        let formula = *rng.pick(&ABOUT_SESSIONS);
        let fairness = *rng.pick(&["", "", "fairness action act0(s);", "fairness strong action act1(s);"]);
        let text = format!("{}action rest {{ }}\n{fairness}\nltl p: {formula};\n", symmetric_text(seed));
        Self::of_text(text)
    }

    /// A question about sessions and the tokens that belong to them.
    fn about_tokens(seed: u64) -> Self {
        let rng = &mut Random::new(seed);
        let formula = *rng.pick(&ABOUT_TOKENS);
        let fairness = *rng.pick(&["", "", "fairness action act0(s);", "fairness strong action act1(t);"]);
        let text = format!(
            "{}action rest {{ }}\naction enter(s: Session) {{ phase'[s] = Busy; held' = held union {{s}}; }}\n\
             action tell(t: Token) {{ seen' = seen union {{t}}; last' = t; }}\n{fairness}\nltl p: {formula};\n",
            linked_text(seed)
        );
        Self::of_text(text)
    }

    /// A question about the second property of a model.
    fn of_text(text: String) -> Self {
        let loaded = load_text("sessions.sts", &text, &[], &|_| Err(ErrorKind::NotFound.into()));
        let model = loaded.model.unwrap_or_else(|| panic!("{:?} in\n{text}", loaded.diagnostics));
        let PropertyKind::Ltl(formula) = &model.properties[1].kind else { panic!("a property of ltl") };
        let (vocabulary, _) = usable(&model, &model.vocabularies[0]);
        let (formula, fairness) = (formula.clone(), Fairness::of_model(&model));
        Self { model, formula, fairness, vocabulary, steps: FEW_STEPS, context: text }
    }

    /// A question about what happens in which order, with the labels of steps alone: mostly one of them leads farther from each place.
    fn about_order(seed: u64) -> Self {
        const PLACES: [&str; 4] = ["A", "B", "C", "D"];
        const ACTIONS: [&str; 3] = ["left", "right", "rest"];
        let rng = &mut Random::new(seed);
        let actions = &ACTIONS[..2 + rng.below(2)];
        let last = 2 + rng.below(2);
        let forward: Vec<&str> = (0..last).map(|_| *rng.pick(actions)).collect();
        let mut text = "model walk;
            type Place = enum { A, B, C, D };
            var at : Place;
            init { at = A; }
            vocabulary labels = { eq(action) };
            "
        .to_owned();
        for action in actions {
            let mut next = |place: usize| match forward.get(place) {
                _ if rng.percent(5) => *rng.pick(&PLACES),
                Some(forward) if forward == action => PLACES[place + 1],
                _ => PLACES[place],
            };
            let [a, b, c, d] = [next(0), next(1), next(2), next(3)];
            let fairness = if rng.percent(40) { format!("fairness action {action};") } else { String::new() };
            text += &format!(
                "action {action} {{ at' = if at = A then {a} else if at = B then {b} else if at = C then {c} else {d}; }}
                {fairness}
                "
            );
        }
        let goal = PLACES[last];
        text += &match rng.below(4) {
            0 => format!("ltl p: eventually always at = {goal};\n"),
            1 => format!("ltl p: always (at != {goal} or eventually at = {});\n", *rng.pick(&PLACES)),
            _ => format!("ltl p: always eventually at != {goal};\n"),
        };
        let loaded = load_text("walk.sts", &text, &[], &|_| Err(ErrorKind::NotFound.into()));
        let model = loaded.model.unwrap_or_else(|| panic!("{:?} in\n{text}", loaded.diagnostics));
        let PropertyKind::Ltl(formula) = &model.properties[0].kind else { panic!("a property of ltl") };
        let (vocabulary, _) = usable(&model, &model.vocabularies[0]);
        let (formula, fairness) = (formula.clone(), Fairness::of_model(&model));
        Self { model, formula, fairness, vocabulary, steps: STEPS, context: text }
    }

    fn problem(&self) -> LassoProblem<'_> {
        LassoProblem { model: &self.model, formula: &self.formula, fairness: &self.fairness }
    }
}

/// What a bounded classification found is what there is; returns a name of the verdict, and how many necessary facts tell violating
/// lassos from others, and how many steps decide.
fn check_bounded(question: &Question, all: &[Lasso]) -> (&'static str, usize, usize) {
    let Question { model, formula, fairness, vocabulary, steps, context } = question;
    let budget = Budget::unlimited();
    let options = Options { necessity: Necessity::Full, ..Options::of_lassos(*steps, *steps) };
    let mut result = classify_lassos(question.problem(), vocabulary, &options, &budget, &mut ());
    result.add_necessary(question.problem(), vocabulary, &options, None, &budget);
    result.add_decisions(question.problem(), &options, None, &budget);
    let sorted = Sorted::new(model, formula, fairness, all);
    let telling = match result.verdict {
        Verdict::Holds => 0,
        _ => check_necessary(question, &result, &sorted),
    };
    check_within(question, &result, &sorted);
    let decided = check_decisions(&result, &sorted, true, context);
    let verdict = match &result.verdict {
        Verdict::Holds => {
            assert_eq!(sorted.violating, [] as [&Lasso; 0], "{context}");
            "holds"
        }
        Verdict::Complete => {
            check_claims(model, &result, &sorted, context);
            check_classes(model, &result, &sorted, context);
            let is_lifted = result.classes.iter().any(|class| !class.constraint.individuals.is_empty());
            let mut facts = result.classes.iter().flat_map(|class| &class.constraint.facts);
            match result.classes.len() {
                _ if facts.any(|fact| !fact.before.is_empty()) => "in order",
                _ if is_lifted => "individuals",
                1 => "one",
                _ => "several",
            }
        }
        Verdict::TooWeak(weak) => {
            assert!(sorted.violating.contains(&&weak.counterexample), "{context}");
            assert!(sorted.accepting.contains(&&weak.accepting), "{context}");
            let look = Look::new(model, &result.atoms);
            assert!(look.is_in(&weak.constraint, &weak.counterexample), "{context}");
            assert!(look.is_in(&weak.constraint, &weak.accepting), "{context}");
            check_claims(model, &result, &Sorted { violating: Vec::new(), ..sorted }, context);
            "too weak"
        }
        other => panic!("{context}: {other:?}"),
    };
    (verdict, telling, decided)
}

/// What is proved of all infinite traces is so of longer lassos; returns whether it was proved without listing the states, and whether the
/// bound was raised. `None` if the proof takes too long.
fn check_every_length(
    question: &Question,
    graph: &Graph,
    longer: &[Lasso],
    max_states: usize,
) -> Option<(bool, bool)> {
    let Question { model, formula, fairness, vocabulary, context, .. } = question;
    let budget = Budget::unlimited();
    let patience = budget.at_most(PATIENCE);
    let options = Options { necessity: Necessity::Full, ..Options::of_lassos(2, 3) };
    let result =
        classify_lassos_unbounded(question.problem(), vocabulary, &options, max_states, &patience, &mut ());
    match (&result.verdict, &result.unbounded) {
        (Verdict::Undecided { .. } | Verdict::Partial(_), _) => return None,
        (_, Some(open @ Unbounded::Open(UnknownReason::Obstacle(_)))) => panic!("{context}: {open:?}"),
        _ => {}
    }
    let listed = ListedSystem { model, graph, fairness };
    let holds = listed.decide(formula, &budget).expect("a small formula") == LtlTruth::Holds;
    assert_eq!(result.verdict == Verdict::Holds, holds, "{context}");
    if matches!(result.verdict, Verdict::Holds | Verdict::Complete) {
        let Some(Unbounded::Proved(LassoProof { basis, bounds })) = &result.unbounded else {
            panic!("{context}: {result:?}")
        };
        let sorted = Sorted::new(model, formula, fairness, longer);
        check_claims(model, &result, &sorted, context);
        let is_of_all = result.decisions.as_ref().is_none_or(|decisions| decisions.is_of_all);
        // That all pairs of sessions are well has more operators than automata are made of.
        assert!(is_of_all || question.steps == FEW_STEPS || max_states < ALL_STATES, "{context}");
        if is_of_all && result.decisions.is_some() {
            check_decisions(&result, &sorted, false, context);
        }
        if result.verdict == Verdict::Complete {
            let is_meant = |lasso: &&&Lasso| {
                result.necessary.as_ref().is_some_and(|necessary| necessary.every_length)
                    || lasso.len() <= result.lengths.bound()
            };
            let violating: Vec<&Lasso> = sorted.violating.iter().filter(is_meant).copied().collect();
            check_shared(model, &result, &violating, context);
        }
        return Some((matches!(basis, LassoBasis::Proofs(_)), bounds.len() > 1));
    }
    Some((false, false))
}

/// More states than any of the models has.
const ALL_STATES: usize = 1_000;

#[test]
fn classes_of_lassos_are_right_complete_and_minimal() {
    let unlimited = Budget::unlimited();
    let mut verdicts: Vec<&'static str> = Vec::new();
    let mut covers: Vec<&'static str> = Vec::new();
    let (mut raised, mut proved, mut telling, mut decided) = (0, 0, 0, 0);
    for seed in seeds(MODELS).map(|seed| FIRST + seed) {
        let model = random_model(seed);
        let graph = Graph::explore(&model, None, 1_000, &unlimited).expect("few states");
        let all = lassos(&graph, STEPS, usize::MAX).expect("no limit");
        let longer = lassos(&graph, LONGER, MOST_LONGER);
        let longer = longer.as_ref().unwrap_or(&all);
        for number in 0..FORMULAS {
            let question = Question::new(seed, number, &model, &graph);
            let (verdict, told, steps) = check_bounded(&question, &all);
            decided += steps;
            verdicts.push(verdict);
            covers.push(check_cover(&question, &all));
            telling += told;
            let known = check_every_length(&question, &graph, longer, ALL_STATES);
            raised += usize::from(known == Some((false, true)));
            // Proofs take longer than lists.
            if seed % 3 == 0 {
                let known = check_every_length(&question, &graph, longer, 1);
                proved += usize::from(known.is_some_and(|(is_proof, _)| is_proof));
            }
        }
    }
    let count = |verdict: &str| verdicts.iter().filter(|other| **other == verdict).count();
    let counts = ["holds", "one", "several", "individuals", "in order", "too weak"]
        .map(|verdict| (verdict, count(verdict)));
    println!(
        "{} classifications: {counts:?}; bound raised in {raised}; {proved} proofs; {telling} facts tell",
        verdicts.len()
    );
    println!("{decided} steps decide");
    assert!(decided > 0);
    let covers = covers.into_iter().counts();
    println!("covers: {covers:?}");
    assert!(
        ["left over", "covered by one", "covered by several"].iter().all(|kind| covers.contains_key(kind))
    );
    // Individuals and order are rare here, and have tests of their own.
    let is_rare = |verdict: &str| ["individuals", "in order"].contains(&verdict);
    let is_there = |(verdict, count): &(&str, usize)| is_rare(verdict) || *count > 0;
    let figures = [raised, proved, telling];
    assert!(counts.iter().all(is_there) && figures.iter().all(|n| *n > 0), "{counts:?}, {figures:?}");
}

#[test]
fn classes_about_individuals_are_right_complete_and_minimal() {
    let unlimited = Budget::unlimited();
    let (mut verdicts, mut covers): (Vec<&'static str>, Vec<&'static str>) = (Vec::new(), Vec::new());
    for seed in seeds(SESSIONS) {
        let question = Question::about_sessions(seed);
        let graph = Graph::explore(&question.model, None, 10_000, &unlimited).expect("few states");
        let Some(all) = lassos(&graph, FEW_STEPS, MOST_LASSOS) else { continue };
        verdicts.push(check_bounded(&question, &all).0);
        covers.push(check_cover(&question, &all));
        check_every_length(&question, &graph, &all, ALL_STATES);
    }
    let count = |verdict: &str| verdicts.iter().filter(|other| **other == verdict).count();
    let counts = ["holds", "one", "several", "individuals", "too weak"].map(|v| (v, count(v)));
    println!("{} classifications: {counts:?}; covers: {:?}", verdicts.len(), covers.into_iter().counts());
    assert!(count("individuals") > 2, "{counts:?}");
}

#[test]
fn classes_about_tied_individuals_are_right_complete_and_minimal() {
    let (unlimited, mut verdicts, mut tied) = (Budget::unlimited(), Vec::new(), 0);
    for seed in seeds(TOKENS) {
        let question = Question::about_tokens(seed);
        let Ok(graph) = Graph::explore(&question.model, None, 2_000, &unlimited) else { continue };
        let Some(all) = lassos(&graph, FEW_STEPS, MOST_LASSOS) else { continue };
        verdicts.push(check_bounded(&question, &all).0);
        check_every_length(&question, &graph, &all, ALL_STATES);
        let Question { model, vocabulary, .. } = &question;
        let options = Options::of_lassos(FEW_STEPS, FEW_STEPS);
        let result = classify_lassos(question.problem(), vocabulary, &options, &unlimited, &mut ());
        let is_tied = |text: &String| ["token(s", "OF[s", "owner(t"].iter().any(|f| text.contains(f));
        let texts: Vec<String> =
            result.classes.iter().map(|class| class.constraint.show(model, &result.atoms)).collect();
        tied += usize::from(texts.iter().any(is_tied));
    }
    println!("{} classifications: {:?}; {tied} with ties", verdicts.len(), verdicts.iter().counts());
    assert!(tied > 0, "{:?}", verdicts.iter().counts());
}

#[test]
fn classes_about_the_order_of_positions_are_right_complete_and_minimal() {
    let unlimited = Budget::unlimited();
    let mut verdicts: Vec<&'static str> = Vec::new();
    let (mut raised, mut proved) = (0, 0);
    for seed in seeds(WALKS) {
        let question = Question::about_order(seed);
        let graph = Graph::explore(&question.model, None, 1_000, &unlimited).expect("few states");
        let all = lassos(&graph, STEPS, usize::MAX).expect("no limit");
        let longer = lassos(&graph, LONGER, MOST_LASSOS);
        verdicts.push(check_bounded(&question, &all).0);
        let longer = longer.as_ref().unwrap_or(&all);
        check_every_length(&question, &graph, longer, ALL_STATES);
        let known = check_every_length(&question, &graph, longer, 1);
        proved += usize::from(known.is_some_and(|(is_proof, _)| is_proof));
        raised += usize::from(known == Some((true, true)));
    }
    let count = |verdict: &str| verdicts.iter().filter(|other| **other == verdict).count();
    let counts = ["holds", "one", "several", "in order", "too weak"].map(|v| (v, count(v)));
    println!("{} classifications: {counts:?}; {proved} proofs, bound raised in {raised}", verdicts.len());
    assert!(count("in order") > 2 && proved > 10 && raised > 0, "{counts:?}, {proved}, {raised}");
}
