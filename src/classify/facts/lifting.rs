//! Lifting: facts about certain values become facts about arbitrary individuals.
//!
//! A ground fact names values of the model in keys of maps (`phase[R1]@i = Waiting`), as the value compared
//! with (`answer.s@i = R1`, `R1 in heard@i`) and inside payloads. If such a value is of a liftable type,
//! an individual can take its place. Values in the body of a user's predicate stay.

use crate::facts::atom::{Atom, AtomOrigin, Atoms, ComparisonOperand, Passed, ValueParam};
use crate::facts::grounding::{Grounding, mentions};
use crate::facts::index::{AtomId, DomainId};
use crate::facts::phrase::Phrase;
use kit::diagnostics::Span;
use lang::model::expr::{Expr, ExprKind, LocalId, Op};
use lang::model::links::Link;
use lang::model::types::{Collection, CollectionKind, Type};
use lang::model::value::Value;
use lang::model::{Model, Observable, Vocabulary, VocabularyItem};
use rustc_hash::FxHashSet;

/// A value of a liftable type.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct LiftedValue {
    /// The type.
    pub domain: DomainId,
    /// The value.
    pub value: Value,
}

/// An atom with individuals, and the values that they replaced.
#[derive(Debug, Clone, PartialEq)]
pub struct Lifted {
    /// The atom.
    pub atom: AtomId,
    /// For each of its value parameters, the replaced value.
    pub individuals: Vec<LiftedValue>,
}

/// A relation between two values that holds in every trace.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum ValueRelation {
    /// They are different values of one type.
    Distinct(LiftedValue, LiftedValue),
    /// A link of the model relates them.
    Tied(Tie),
}

/// A pair of values related by an injective link of the model.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Tie {
    /// Index of the link in the lifter.
    link: usize,
    /// The argument of the link.
    pub from: LiftedValue,
    /// The value of the link.
    pub to: LiftedValue,
}

/// The values that become individuals.
pub struct Freed<'a> {
    /// True if a value does.
    pub is_freed: &'a dyn Fn(&LiftedValue) -> bool,
    /// For some of these values, the tie by which they are written as the value of a total link. They are not
    /// individuals of their own.
    pub ties: &'a [Tie],
}

impl<'a> Freed<'a> {
    /// Frees the values that satisfy the predicate, each an individual of its own.
    pub fn all(is_freed: &'a dyn Fn(&LiftedValue) -> bool) -> Self {
        Self { is_freed, ties: &[] }
    }
}

/// Lifts the atoms of one vocabulary.
pub struct Lifter<'m> {
    model: &'m Model,
    atoms: &'m Atoms,
    /// The types whose values are lifted.
    domains: Vec<Type>,
    /// For each of these types, the number of occurrences of its values in the model.
    mentions: Vec<usize>,
    /// The observables of the vocabulary, each with its uses.
    observed: FxHashSet<(ObservableUse, String)>,
    /// The injective links between liftable types.
    links: Vec<Link>,
}

/// The use of an observable in an item of a vocabulary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum ObservableUse {
    Value,
    Lack,
    Absence,
    Pair,
    /// Compared with the numbers of the model.
    Number,
    /// Compared with another integer.
    Difference,
    /// Passed to a predicate, as the argument with this index.
    Argument(u32, usize),
}

/// The parameters of one atom: each lifted value gets one.
struct LiftedParams<'a> {
    freed: &'a Freed<'a>,
    found: Vec<LiftedValue>,
}

impl LiftedParams<'_> {
    /// Returns the parameter for a value.
    fn param(&mut self, named: &LiftedValue) -> usize {
        self.found.iter().position(|known| known == named).unwrap_or_else(|| {
            self.found.push(named.clone());
            self.found.len() - 1
        })
    }
}

/// Returns the name of a value parameter inside its atom, counted down from the maximum; names of the
/// model count up from 0.
fn local(param: usize) -> LocalId {
    LocalId(u32::MAX - u32::try_from(param).expect("few parameters"))
}

impl<'m> Lifter<'m> {
    /// Creates a lifter for the atoms of a vocabulary.
    pub fn new(model: &'m Model, vocabulary: &Vocabulary, atoms: &'m Atoms, grounding: &Grounding) -> Self {
        let mut observed = FxHashSet::default();
        for item in &vocabulary.items {
            let mut add = |said, of: &Observable| observed.insert((said, of.text.clone()));
            match item {
                VocabularyItem::Equal(of) => {
                    add(ObservableUse::Value, of);
                    add(ObservableUse::Number, of);
                }
                VocabularyItem::Bounded(of) => _ = add(ObservableUse::Number, of),
                VocabularyItem::Lacks(of) => _ = add(ObservableUse::Lack, of),
                VocabularyItem::Absent(of) => _ = add(ObservableUse::Absence, of),
                VocabularyItem::Across(left, right) => {
                    add(ObservableUse::Pair, left);
                    add(ObservableUse::Pair, right);
                }
                VocabularyItem::Ordered(left, right) | VocabularyItem::Shifted(left, right) => {
                    add(ObservableUse::Difference, left);
                    add(ObservableUse::Difference, right);
                }
                VocabularyItem::Predicate(id, args) => {
                    for (index, arg) in args.iter().enumerate() {
                        arg.observed()
                            .into_iter()
                            .for_each(|of| _ = add(ObservableUse::Argument(id.0, index), of));
                    }
                }
                VocabularyItem::Before | VocabularyItem::Next | VocabularyItem::Ground(_) => {}
            }
        }
        let domains = grounding.lifted(model, vocabulary);
        let mentions = domains.iter().map(|ty| mentions(model, ty)).collect();
        let is_name = |ty: &Type| domains.contains(ty);
        let links = Link::definitions(model, &is_name).into_iter().chain(Link::maps(model, &is_name));
        let links = links.filter(|link| link.is_injective(&model.types)).collect();
        Self { model, atoms, domains, mentions, observed, links }
    }

    /// True if nothing can be lifted.
    pub fn is_idle(&self) -> bool {
        self.domains.is_empty()
    }

    /// Returns the number of values of a domain.
    pub fn cardinality(&self, domain: DomainId) -> u64 {
        self.model.types.cardinality(self.atoms.type_of(domain))
    }

    /// Returns the number of occurrences of values of a domain in initial states and actions: named values
    /// are rarely interchangeable.
    pub fn mentions(&self, domain: DomainId) -> usize {
        let ty = self.atoms.type_of(domain);
        self.domains.iter().position(|known| known == ty).map_or(0, |index| self.mentions[index])
    }

    /// Returns the values of liftable types that a ground atom names, in order.
    pub fn values_of(&self, atom: AtomId, absent: bool) -> Vec<LiftedValue> {
        self.lifted(atom, absent, &|_| true).map(|lifted| lifted.individuals).unwrap_or_default()
    }

    /// Replaces the freed values in a ground atom by individuals; `None` if it contains none. `absent` is
    /// true for the atom of an absence.
    pub fn lifted(&self, id: AtomId, absent: bool, freed: &dyn Fn(&LiftedValue) -> bool) -> Option<Lifted> {
        self.lifted_with(id, absent, &Freed::all(freed))
    }

    /// Like [`Lifter::lifted`], with some of the values tied to others.
    pub fn lifted_with(&self, id: AtomId, absent: bool, freed: &Freed<'_>) -> Option<Lifted> {
        if self.is_idle() {
            return None;
        }
        let ground = self.atoms.get(id);
        let mut expr = ground.expr.clone();
        let mut places = LiftedParams { freed, found: Vec::new() };
        let said = |other| if absent { ObservableUse::Absence } else { other };
        let origin = match &ground.origin {
            AtomOrigin::Equal { observable, value: ComparisonOperand::Constant(_) } => {
                let ExprKind::Binary(Op::Eq, read, constant) = &mut expr.kind else { return None };
                let ty = read.ty.inner().clone();
                let observable =
                    self.observable(read, &observable.show(&[]), said(ObservableUse::Value), &mut places);
                let value = self.payload(constant, &ty, &mut places);
                AtomOrigin::Equal { observable, value }
            }
            AtomOrigin::Member { observable, value: ComparisonOperand::Constant(_) } => {
                let (observable, value) =
                    self.member(&mut expr, observable, said(ObservableUse::Value), &mut places)?;
                AtomOrigin::Member { observable, value }
            }
            AtomOrigin::NotMember { observable, value: ComparisonOperand::Constant(_) } => {
                let ExprKind::Not(inner) = &mut expr.kind else { return None };
                let (observable, value) = self.member(inner, observable, ObservableUse::Lack, &mut places)?;
                AtomOrigin::NotMember { observable, value }
            }
            AtomOrigin::Across { left, right } => {
                let ExprKind::Binary(Op::Eq, a, b) = &mut expr.kind else { return None };
                let left = self.observable(a, &left.show(&[]), ObservableUse::Pair, &mut places);
                let right = self.observable(b, &right.show(&[]), ObservableUse::Pair, &mut places);
                AtomOrigin::Across { left, right }
            }
            about_numbers @ (AtomOrigin::Bounded { .. }
            | AtomOrigin::Ordered { .. }
            | AtomOrigin::Shifted { .. }) => self.comparison(about_numbers, &mut expr, &mut places)?,
            AtomOrigin::Predicate { predicate, args } => {
                let mut lifted = args.clone();
                let mut inside = &mut expr;
                let mut passed = Vec::new();
                // The last argument was bound last, so its binding is outermost.
                for (index, arg) in args.iter().enumerate().rev() {
                    if *arg == Passed::Position {
                        continue;
                    }
                    let ExprKind::Let { bindings, body } = &mut inside.kind else { return None };
                    let [(_, value)] = &mut bindings[..] else { return None };
                    passed.push((index, value));
                    inside = body;
                }
                for (index, value) in passed.into_iter().rev() {
                    lifted[index] = match &args[index] {
                        Passed::Observed(text) => {
                            let said = ObservableUse::Argument(predicate.0, index);
                            Passed::Observed(self.observable(value, &text.show(&[]), said, &mut places))
                        }
                        Passed::Value { any: true, .. } => {
                            let ty = value.ty.clone();
                            Passed::Value { text: self.term(value, &ty, &mut places), any: true }
                        }
                        fixed => fixed.clone(),
                    };
                }
                AtomOrigin::Predicate { predicate: *predicate, args: lifted }
            }
            _ => return None,
        };
        if places.found.is_empty() {
            return None;
        }
        let values =
            places.found.iter().enumerate().map(|(n, v)| ValueParam { local: local(n), domain: v.domain });
        let atom = Atom::new(origin, ground.item, ground.params.clone(), values.collect(), expr);
        Some(Lifted { atom: self.atoms.derive(atom), individuals: places.found })
    }

    /// Lifts all liftable values of an atom: atoms that differ only in these values have equal results.
    /// Returns the atom itself if there are none.
    pub fn shape(&self, atom: AtomId) -> AtomId {
        self.lifted(atom, false, &|_| true).map_or(atom, |lifted| lifted.atom)
    }

    /// Replaces the freed values in a relation by individuals; `None` if neither is freed.
    pub fn related(&self, relation: &ValueRelation, freed: &Freed<'_>) -> Option<Lifted> {
        let mut places = LiftedParams { freed, found: Vec::new() };
        let mut term = |named: &LiftedValue| {
            let ty = self.atoms.type_of(named.domain);
            let mut expr = Expr::constant(named.value.clone(), ty.clone(), Span::default());
            let phrase = self.term(&mut expr, ty, &mut places);
            (expr, phrase)
        };
        let (origin, expr) = match relation {
            ValueRelation::Distinct(left, right) => {
                let ((a, left), (b, right)) = (term(left), term(right));
                (AtomOrigin::Distinct { left, right }, Expr::binary_bool(Op::Eq, a, b).negated())
            }
            ValueRelation::Tied(tie) => {
                let ((a, argument), (b, value)) = (term(&tie.from), term(&tie.to));
                let link = &self.links[tie.link];
                let application = applied(link, argument);
                (AtomOrigin::Related { application, value }, Expr::binary_bool(Op::Eq, link.applied(a), b))
            }
        };
        if places.found.is_empty() {
            return None;
        }
        let values =
            places.found.iter().enumerate().map(|(n, v)| ValueParam { local: local(n), domain: v.domain });
        let atom = Atom::new(origin, usize::MAX, Vec::new(), values.collect(), expr);
        Some(Lifted { atom: self.atoms.derive(atom), individuals: places.found })
    }

    /// Returns all ties between a value and other values of liftable types.
    pub fn ties_of(&self, named: &LiftedValue) -> Vec<Tie> {
        let ty = self.atoms.type_of(named.domain);
        let mut ties = Vec::new();
        for (index, link) in self.links.iter().enumerate() {
            let of = |ty: &Type, value: &Value| LiftedValue {
                domain: self.atoms.domain(ty),
                value: value.clone(),
            };
            let tie = |(from, to): (&Value, &Value)| Tie {
                link: index,
                from: of(&link.from, from),
                to: of(&link.to, to),
            };
            let concerns = |(from, to): &(&Value, &Value)| {
                let is_other = link.from != link.to || from != to;
                **to != Value::None
                    && is_other
                    && (link.from == *ty && **from == named.value || link.to == *ty && **to == named.value)
            };
            ties.extend(link.values.iter().filter(concerns).map(tie));
        }
        ties
    }

    /// Returns the ties between two of these values.
    pub fn ties(&self, values: &[LiftedValue]) -> Vec<Tie> {
        let all =
            values.iter().flat_map(|value| self.ties_of(value).into_iter().filter(|tie| tie.from == *value));
        all.filter(|tie| values.contains(&tie.to)).collect()
    }

    /// Returns the value of a tie's link for another argument; `None` if the link has none.
    pub fn linked(&self, tie: &Tie, from: &Value) -> Option<Value> {
        let mut values = self.links[tie.link].values.iter();
        values.find(|(of, to)| *of == from && **to != Value::None).map(|(_, to)| to.clone())
    }

    /// True if the value of a tie can be written as what its link makes of the other one, whatever that is.
    pub fn is_total(&self, tie: &Tie) -> bool {
        !self.links[tie.link].is_partial
    }

    /// Returns the value of a liftable type, both given by name.
    pub fn named(&self, ty: &str, value: &str) -> Option<LiftedValue> {
        let types = &self.model.types;
        let domain = self.domains.iter().find(|domain| types.name(domain) == ty)?;
        let value = types.values(domain).into_iter().find(|v| types.show_value(v) == value)?;
        Some(LiftedValue { domain: self.atoms.domain(domain), value })
    }

    /// Returns the other values of the same domain; none unless there are 2 to 8.
    pub fn others(&self, named: &LiftedValue) -> Vec<LiftedValue> {
        const MANY: usize = 8;
        let mut all = self.model.types.values(self.atoms.type_of(named.domain));
        all.retain(|value| *value != named.value);
        all.truncate(if (2..=MANY).contains(&all.len()) { MANY } else { 0 });
        all.into_iter().map(|value| LiftedValue { value, ..named.clone() }).collect()
    }

    /// Returns the relations between these values, or between one of them and any other value.
    pub fn relations(&self, values: &[LiftedValue]) -> Vec<ValueRelation> {
        let others = |named: &LiftedValue| -> Vec<LiftedValue> {
            let mut all = self.model.types.values(self.atoms.type_of(named.domain));
            all.retain(|value| *value != named.value);
            all.into_iter().map(|value| LiftedValue { value, ..named.clone() }).collect()
        };
        let both = |named: &LiftedValue| {
            let related = |other: LiftedValue| {
                [(named.clone(), other.clone()), (other, named.clone())]
                    .map(|(a, b)| ValueRelation::Distinct(a, b))
            };
            let distinct: Vec<ValueRelation> = others(named).into_iter().flat_map(related).collect();
            let tied = self.ties_of(named).into_iter().map(ValueRelation::Tied);
            distinct.into_iter().chain(tied).collect::<Vec<_>>()
        };
        values.iter().flat_map(both).collect()
    }

    /// Returns the ways to express a value by individuals with these values: as one of them, or as the value
    /// of a chain of total links. Each way is a list of ties.
    pub fn ways_to_tell(&self, named: &LiftedValue, individuals: &[LiftedValue]) -> Vec<Vec<Tie>> {
        let mut ways = Vec::new();
        if individuals.contains(named) {
            ways.push(Vec::new());
        }
        self.add_ways(named, individuals, &mut Vec::new(), &mut ways);
        ways
    }

    /// Returns these values, and all values reached from them by links.
    pub fn tellable(&self, values: &[LiftedValue]) -> Vec<LiftedValue> {
        let mut all = values.to_vec();
        let mut next = 0;
        while let Some(value) = all.get(next).cloned() {
            next += 1;
            for tie in self.ties_of(&value) {
                if tie.from == value && !all.contains(&tie.to) {
                    all.push(tie.to);
                }
            }
        }
        all
    }

    fn add_ways(
        &self,
        named: &LiftedValue,
        from: &[LiftedValue],
        so_far: &mut Vec<Tie>,
        ways: &mut Vec<Vec<Tie>>,
    ) {
        for tie in self.ties_of(named) {
            let goes_round = tie.from == *named || so_far.iter().any(|other| other.to == tie.from);
            if tie.to != *named || goes_round || !self.is_total(&tie) {
                continue;
            }
            so_far.push(tie.clone());
            if from.contains(&tie.from) {
                ways.push(so_far.clone());
            }
            self.add_ways(&tie.from, from, so_far, ways);
            so_far.pop();
        }
    }

    /// Lifts a fact about numbers, of the form that `classify/facts/collect/comparisons.rs` creates.
    fn comparison(
        &self,
        origin: &AtomOrigin,
        expr: &mut Expr,
        places: &mut LiftedParams<'_>,
    ) -> Option<AtomOrigin> {
        Some(match origin {
            AtomOrigin::Bounded { observable, threshold, below } => {
                let ExprKind::Binary(_, left, right) = &mut expr.kind else { return None };
                let read = if *below { left } else { right };
                let observable = self.observable(read, &observable.show(&[]), ObservableUse::Number, places);
                AtomOrigin::Bounded { observable, threshold: *threshold, below: *below }
            }
            AtomOrigin::Ordered { left, right, strict } => {
                let ExprKind::Binary(_, a, b) = &mut expr.kind else { return None };
                let left = self.observable(a, &left.show(&[]), ObservableUse::Difference, places);
                let right = self.observable(b, &right.show(&[]), ObservableUse::Difference, places);
                AtomOrigin::Ordered { left, right, strict: *strict }
            }
            AtomOrigin::Shifted { left, right, by } => {
                let (shown, other) = (left.show(&[]), right.show(&[]));
                let (equation, is_some) = match &mut expr.kind {
                    ExprKind::Binary(Op::And, equation, is_some) => (&mut equation.kind, Some(is_some)),
                    equation => (equation, None),
                };
                let ExprKind::Binary(Op::Eq, sum, b) = equation else { return None };
                let ExprKind::Binary(Op::Add, a, _) = &mut sum.kind else { return None };
                let left = self.observable(a, &shown, ObservableUse::Difference, places);
                let right = self.observable(b, &other, ObservableUse::Difference, places);
                if let Some(ExprKind::IsSome(read)) = is_some.map(|is_some| &mut is_some.kind) {
                    self.observable(read, &shown, ObservableUse::Difference, places);
                }
                AtomOrigin::Shifted { left, right, by: *by }
            }
            _ => return None,
        })
    }

    /// Lifts `c in x@i`.
    fn member(
        &self,
        expr: &mut Expr,
        observable: &Phrase,
        said: ObservableUse,
        places: &mut LiftedParams<'_>,
    ) -> Option<(Phrase, ComparisonOperand)> {
        let ExprKind::Binary(Op::In, constant, read) = &mut expr.kind else { return None };
        let Type::Set(element) = read.ty.inner() else { return None };
        let element = (**element).clone();
        let observable = self.observable(read, &observable.show(&[]), said, places);
        Some((observable, self.payload(constant, &element, places)))
    }

    /// Lifts the keys of an observable that is read at a position. A key stays if the vocabulary lacks the
    /// observable with some other key.
    fn observable(
        &self,
        read: &mut Expr,
        text: &str,
        said: ObservableUse,
        places: &mut LiftedParams<'_>,
    ) -> Phrase {
        let ExprKind::At { value, .. } = &mut read.kind else { return Phrase::text(text) };
        let mut keys = Vec::new();
        keys_of(value, &mut keys);
        let Some(ranges) = self.places_of_keys(text, &keys) else { return Phrase::text(text) };
        let mut phrase = Phrase::default();
        let mut done = 0;
        for (key, (from, to)) in keys.into_iter().zip(ranges) {
            let MapKey { expr, ty } = key;
            phrase.push(&text[done..from]);
            done = to;
            let with =
                |v: &Value| format!("{}{}{}", &text[..from], self.model.types.show_value(v), &text[to..]);
            if self.model.types.values(&ty).iter().all(|v| self.observed.contains(&(said, with(v)))) {
                phrase.append(self.term(expr, &ty, places));
            } else {
                phrase.push(&text[from..to]);
            }
        }
        phrase.push(&text[done..]);
        phrase
    }

    /// Returns the ranges of the keys in the text of an observable; `None` if the text does not have the plain form.
    fn places_of_keys(&self, text: &str, keys: &[MapKey<'_>]) -> Option<Vec<(usize, usize)>> {
        if keys.is_empty() || text.matches('[').count() != keys.len() {
            return None;
        }
        let mut ranges = Vec::new();
        let mut from = 0;
        for key in keys {
            let ExprKind::Const(value) = &key.expr.kind else { return None };
            let shown = self.model.types.show_value(value);
            let start = from + text[from..].find('[')? + 1;
            let end = start + shown.len();
            if !(text[start..].starts_with(&shown) && text[end..].starts_with(']')) {
                return None;
            }
            ranges.push((start, end));
            from = end;
        }
        Some(ranges)
    }

    fn payload(&self, constant: &mut Expr, ty: &Type, places: &mut LiftedParams<'_>) -> ComparisonOperand {
        let ExprKind::Const(value) = &constant.kind else {
            return ComparisonOperand::Lifted(Phrase::default());
        };
        let value = value.clone();
        let before = constant.kind.clone();
        let phrase = self.term(constant, ty, places);
        if constant.kind == before {
            ComparisonOperand::Constant(value)
        } else {
            ComparisonOperand::Lifted(phrase)
        }
    }

    /// Lifts a constant, or the scalars in it.
    fn term(&self, constant: &mut Expr, ty: &Type, places: &mut LiftedParams<'_>) -> Phrase {
        let ExprKind::Const(value) = &constant.kind else { return Phrase::default() };
        let shown = self.model.types.show_value(value);
        let mut phrase = Phrase::default();
        match (value, ty.inner()) {
            (Value::Record(_, values), Type::Record(id)) => {
                let decl = self.model.types.record(*id);
                let (name, parts) = decl.parts(values);
                let (open, close) = match &decl.collection {
                    Some(Collection { kind: CollectionKind::Sequence, .. }) => ("[", "]"),
                    Some(_) => ("{", "}"),
                    None if parts.is_empty() => ("", ""),
                    None => ("(", ")"),
                };
                if decl.collection.is_none() {
                    phrase.push(name);
                }
                phrase.push(open);
                let span = constant.span;
                let field = |((_, ty), value): (&(String, Type), &Value)| {
                    Expr::constant(value.clone(), ty.clone(), span)
                };
                let mut fields: Vec<Expr> = decl.fields.iter().zip(values).map(field).collect();
                for (index, (name, ty, _)) in parts.iter().enumerate() {
                    phrase.push(if index > 0 { ", " } else { "" });
                    if decl.collection.is_none() {
                        phrase.push(&format!("{name}: "));
                    }
                    let at = decl.fields.iter().position(|(field, _)| field == name).expect("a field of it");
                    let of = self.term(&mut fields[at], ty, places);
                    phrase.append(of);
                }
                phrase.push(close);
                if fields.iter().any(|field| !matches!(field.kind, ExprKind::Const(_))) {
                    constant.kind = ExprKind::Record(fields);
                }
                phrase
            }
            (value, ty) if self.is_liftable(ty, value) => {
                let named = LiftedValue { domain: self.atoms.domain(ty), value: value.clone() };
                if !(places.freed.is_freed)(&named) {
                    return Phrase::text(shown);
                }
                let (expr, phrase) = self.individual(&named, places);
                *constant = Expr { span: constant.span, ..expr };
                phrase
            }
            _ => Phrase::text(shown),
        }
    }

    /// Returns the individual that replaces a value, or the application of a link to another one.
    fn individual(&self, named: &LiftedValue, places: &mut LiftedParams<'_>) -> (Expr, Phrase) {
        if let Some(tie) = places.freed.ties.iter().find(|tie| tie.to == *named) {
            let (expr, argument) = self.individual(&tie.from, places);
            let link = &self.links[tie.link];
            return (link.applied(expr), applied(link, argument));
        }
        let param = places.param(named);
        let mut phrase = Phrase::default();
        phrase.push_gap(param);
        let ty = self.atoms.type_of(named.domain).clone();
        (Expr { kind: ExprKind::Local(local(param)), ty, span: Span::default() }, phrase)
    }

    fn is_liftable(&self, ty: &Type, value: &Value) -> bool {
        *value != Value::None && self.domains.contains(ty)
    }
}

/// Returns the application of a link as text.
fn applied(link: &Link, argument: Phrase) -> Phrase {
    let (open, close) = link.brackets();
    let mut phrase = Phrase::text(open);
    phrase.append(argument);
    phrase.push(close);
    phrase
}

/// A key of a map in an observable.
struct MapKey<'e> {
    expr: &'e mut Expr,
    ty: Type,
}

/// Returns the keys of an observable, in the order of the text: the innermost map's first.
fn keys_of<'e>(expr: &'e mut Expr, keys: &mut Vec<MapKey<'e>>) {
    match &mut expr.kind {
        ExprKind::Index(base, key) => {
            let ty = match base.ty.inner() {
                Type::Map(key, _) => (**key).clone(),
                _ => return,
            };
            keys_of(base, keys);
            keys.push(MapKey { expr: key, ty });
        }
        ExprKind::Field(base, _) | ExprKind::IsSome(base) => keys_of(base, keys),
        ExprKind::Binary(Op::Otherwise, base, _) => keys_of(base, keys),
        _ => {}
    }
}
