//! Lifting: facts about certain values become facts about arbitrary individuals.
//!
//! A ground fact names values of the model in keys of maps (`phase[R1]@i = Waiting`), as the value compared
//! with (`answer.s@i = R1`, `R1 in heard@i`) and inside payloads. If such a value is of a liftable type,
//! an individual can take its place. Values in the body of a user's predicate stay.

use crate::facts::atom::{Atom, Atoms, Compared, Origin, Passed, ValueParam};
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
pub struct Named {
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
    pub individuals: Vec<Named>,
}

/// A relation between two values that holds in every trace.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Relation {
    /// They are different values of one type.
    Distinct(Named, Named),
    /// A link of the model relates them.
    Tied(Tie),
}

/// A pair of values related by an injective link of the model.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Tie {
    /// Index of the link in the lifter.
    link: usize,
    /// The argument of the link.
    pub from: Named,
    /// The value of the link.
    pub to: Named,
}

/// The values that become individuals.
pub struct Freed<'a> {
    /// True if a value does.
    pub is_freed: &'a dyn Fn(&Named) -> bool,
    /// For some of these values, the tie by which they are written as the value of a total link. They are not
    /// individuals of their own.
    pub ties: &'a [Tie],
}

impl<'a> Freed<'a> {
    /// Frees the values that satisfy the predicate, each an individual of its own.
    pub fn all(is_freed: &'a dyn Fn(&Named) -> bool) -> Self {
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
    observed: FxHashSet<(Said, String)>,
    /// The injective links between liftable types.
    links: Vec<Link>,
}

/// The use of an observable in an item of a vocabulary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Said {
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
struct Places<'a> {
    freed: &'a Freed<'a>,
    found: Vec<Named>,
}

impl Places<'_> {
    /// Returns the parameter for a value.
    fn param(&mut self, named: &Named) -> usize {
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
                    add(Said::Value, of);
                    add(Said::Number, of);
                }
                VocabularyItem::Bounded(of) => _ = add(Said::Number, of),
                VocabularyItem::Lacks(of) => _ = add(Said::Lack, of),
                VocabularyItem::Absent(of) => _ = add(Said::Absence, of),
                VocabularyItem::Across(left, right) => {
                    add(Said::Pair, left);
                    add(Said::Pair, right);
                }
                VocabularyItem::Ordered(left, right) | VocabularyItem::Shifted(left, right) => {
                    add(Said::Difference, left);
                    add(Said::Difference, right);
                }
                VocabularyItem::Predicate(id, args) => {
                    for (index, arg) in args.iter().enumerate() {
                        arg.observed().into_iter().for_each(|of| _ = add(Said::Argument(id.0, index), of));
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
    pub fn values_of(&self, atom: AtomId, absent: bool) -> Vec<Named> {
        self.lifted(atom, absent, &|_| true).map(|lifted| lifted.individuals).unwrap_or_default()
    }

    /// Replaces the freed values in a ground atom by individuals; `None` if it contains none. `absent` is
    /// true for the atom of an absence.
    pub fn lifted(&self, id: AtomId, absent: bool, freed: &dyn Fn(&Named) -> bool) -> Option<Lifted> {
        self.lifted_with(id, absent, &Freed::all(freed))
    }

    /// Like [`Lifter::lifted`], with some of the values tied to others.
    pub fn lifted_with(&self, id: AtomId, absent: bool, freed: &Freed<'_>) -> Option<Lifted> {
        if self.is_idle() {
            return None;
        }
        let ground = self.atoms.get(id);
        let mut expr = ground.expr.clone();
        let mut places = Places { freed, found: Vec::new() };
        let said = |other| if absent { Said::Absence } else { other };
        let origin = match &ground.origin {
            Origin::Equal { observable, value: Compared::Constant(_) } => {
                let ExprKind::Binary(Op::Eq, read, constant) = &mut expr.kind else { return None };
                let ty = read.ty.inner().clone();
                let observable = self.observable(read, &observable.show(&[]), said(Said::Value), &mut places);
                let value = self.payload(constant, &ty, &mut places);
                Origin::Equal { observable, value }
            }
            Origin::Member { observable, value: Compared::Constant(_) } => {
                let (observable, value) =
                    self.member(&mut expr, observable, said(Said::Value), &mut places)?;
                Origin::Member { observable, value }
            }
            Origin::NotMember { observable, value: Compared::Constant(_) } => {
                let ExprKind::Not(inner) = &mut expr.kind else { return None };
                let (observable, value) = self.member(inner, observable, Said::Lack, &mut places)?;
                Origin::NotMember { observable, value }
            }
            Origin::Across { left, right } => {
                let ExprKind::Binary(Op::Eq, a, b) = &mut expr.kind else { return None };
                let left = self.observable(a, &left.show(&[]), Said::Pair, &mut places);
                let right = self.observable(b, &right.show(&[]), Said::Pair, &mut places);
                Origin::Across { left, right }
            }
            about_numbers @ (Origin::Bounded { .. } | Origin::Ordered { .. } | Origin::Shifted { .. }) => {
                self.comparison(about_numbers, &mut expr, &mut places)?
            }
            Origin::Predicate { predicate, args } => {
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
                            let said = Said::Argument(predicate.0, index);
                            Passed::Observed(self.observable(value, &text.show(&[]), said, &mut places))
                        }
                        Passed::Value { any: true, .. } => {
                            let ty = value.ty.clone();
                            Passed::Value { text: self.term(value, &ty, &mut places), any: true }
                        }
                        fixed => fixed.clone(),
                    };
                }
                Origin::Predicate { predicate: *predicate, args: lifted }
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
    pub fn related(&self, relation: &Relation, freed: &Freed<'_>) -> Option<Lifted> {
        let mut places = Places { freed, found: Vec::new() };
        let mut term = |named: &Named| {
            let ty = self.atoms.type_of(named.domain);
            let mut expr = Expr::constant(named.value.clone(), ty.clone(), Span::default());
            let phrase = self.term(&mut expr, ty, &mut places);
            (expr, phrase)
        };
        let (origin, expr) = match relation {
            Relation::Distinct(left, right) => {
                let ((a, left), (b, right)) = (term(left), term(right));
                (Origin::Distinct { left, right }, Expr::binary_bool(Op::Eq, a, b).negated())
            }
            Relation::Tied(tie) => {
                let ((a, argument), (b, value)) = (term(&tie.from), term(&tie.to));
                let link = &self.links[tie.link];
                let application = applied(link, argument);
                (Origin::Related { application, value }, Expr::binary_bool(Op::Eq, link.applied(a), b))
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
    pub fn ties_of(&self, named: &Named) -> Vec<Tie> {
        let ty = self.atoms.type_of(named.domain);
        let mut ties = Vec::new();
        for (index, link) in self.links.iter().enumerate() {
            let of = |ty: &Type, value: &Value| Named { domain: self.atoms.domain(ty), value: value.clone() };
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
    pub fn ties(&self, values: &[Named]) -> Vec<Tie> {
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
    pub fn named(&self, ty: &str, value: &str) -> Option<Named> {
        let types = &self.model.types;
        let domain = self.domains.iter().find(|domain| types.name(domain) == ty)?;
        let value = types.values(domain).into_iter().find(|v| types.show_value(v) == value)?;
        Some(Named { domain: self.atoms.domain(domain), value })
    }

    /// Returns the other values of the same domain; none unless there are 2 to 8.
    pub fn others(&self, named: &Named) -> Vec<Named> {
        const MANY: usize = 8;
        let mut all = self.model.types.values(self.atoms.type_of(named.domain));
        all.retain(|value| *value != named.value);
        all.truncate(if (2..=MANY).contains(&all.len()) { MANY } else { 0 });
        all.into_iter().map(|value| Named { value, ..named.clone() }).collect()
    }

    /// Returns the relations between these values, or between one of them and any other value.
    pub fn relations(&self, values: &[Named]) -> Vec<Relation> {
        let others = |named: &Named| -> Vec<Named> {
            let mut all = self.model.types.values(self.atoms.type_of(named.domain));
            all.retain(|value| *value != named.value);
            all.into_iter().map(|value| Named { value, ..named.clone() }).collect()
        };
        let both = |named: &Named| {
            let related = |other: Named| {
                [(named.clone(), other.clone()), (other, named.clone())]
                    .map(|(a, b)| Relation::Distinct(a, b))
            };
            let distinct: Vec<Relation> = others(named).into_iter().flat_map(related).collect();
            let tied = self.ties_of(named).into_iter().map(Relation::Tied);
            distinct.into_iter().chain(tied).collect::<Vec<_>>()
        };
        values.iter().flat_map(both).collect()
    }

    /// Returns the ways to express a value by individuals with these values: as one of them, or as the value
    /// of a chain of total links. Each way is a list of ties.
    pub fn ways_to_tell(&self, named: &Named, individuals: &[Named]) -> Vec<Vec<Tie>> {
        let mut ways = Vec::new();
        if individuals.contains(named) {
            ways.push(Vec::new());
        }
        self.add_ways(named, individuals, &mut Vec::new(), &mut ways);
        ways
    }

    /// Returns these values, and all values reached from them by links.
    pub fn tellable(&self, values: &[Named]) -> Vec<Named> {
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

    fn add_ways(&self, named: &Named, from: &[Named], so_far: &mut Vec<Tie>, ways: &mut Vec<Vec<Tie>>) {
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
    fn comparison(&self, origin: &Origin, expr: &mut Expr, places: &mut Places<'_>) -> Option<Origin> {
        Some(match origin {
            Origin::Bounded { observable, threshold, below } => {
                let ExprKind::Binary(_, left, right) = &mut expr.kind else { return None };
                let read = if *below { left } else { right };
                let observable = self.observable(read, &observable.show(&[]), Said::Number, places);
                Origin::Bounded { observable, threshold: *threshold, below: *below }
            }
            Origin::Ordered { left, right, strict } => {
                let ExprKind::Binary(_, a, b) = &mut expr.kind else { return None };
                let left = self.observable(a, &left.show(&[]), Said::Difference, places);
                let right = self.observable(b, &right.show(&[]), Said::Difference, places);
                Origin::Ordered { left, right, strict: *strict }
            }
            Origin::Shifted { left, right, by } => {
                let (shown, other) = (left.show(&[]), right.show(&[]));
                let (equation, is_some) = match &mut expr.kind {
                    ExprKind::Binary(Op::And, equation, is_some) => (&mut equation.kind, Some(is_some)),
                    equation => (equation, None),
                };
                let ExprKind::Binary(Op::Eq, sum, b) = equation else { return None };
                let ExprKind::Binary(Op::Add, a, _) = &mut sum.kind else { return None };
                let left = self.observable(a, &shown, Said::Difference, places);
                let right = self.observable(b, &other, Said::Difference, places);
                if let Some(ExprKind::IsSome(read)) = is_some.map(|is_some| &mut is_some.kind) {
                    self.observable(read, &shown, Said::Difference, places);
                }
                Origin::Shifted { left, right, by: *by }
            }
            _ => return None,
        })
    }

    /// Lifts `c in x@i`.
    fn member(
        &self,
        expr: &mut Expr,
        observable: &Phrase,
        said: Said,
        places: &mut Places<'_>,
    ) -> Option<(Phrase, Compared)> {
        let ExprKind::Binary(Op::In, constant, read) = &mut expr.kind else { return None };
        let Type::Set(element) = read.ty.inner() else { return None };
        let element = (**element).clone();
        let observable = self.observable(read, &observable.show(&[]), said, places);
        Some((observable, self.payload(constant, &element, places)))
    }

    /// Lifts the keys of an observable that is read at a position. A key stays if the vocabulary lacks the
    /// observable with some other key.
    fn observable(&self, read: &mut Expr, text: &str, said: Said, places: &mut Places<'_>) -> Phrase {
        let ExprKind::At { value, .. } = &mut read.kind else { return Phrase::text(text) };
        let mut keys = Vec::new();
        keys_of(value, &mut keys);
        let Some(ranges) = self.places_of_keys(text, &keys) else { return Phrase::text(text) };
        let mut phrase = Phrase::default();
        let mut done = 0;
        for (key, (from, to)) in keys.into_iter().zip(ranges) {
            let Key { expr, ty } = key;
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
    fn places_of_keys(&self, text: &str, keys: &[Key<'_>]) -> Option<Vec<(usize, usize)>> {
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

    /// Lifts the constant in a comparison.
    fn payload(&self, constant: &mut Expr, ty: &Type, places: &mut Places<'_>) -> Compared {
        let ExprKind::Const(value) = &constant.kind else { return Compared::Lifted(Phrase::default()) };
        let value = value.clone();
        let before = constant.kind.clone();
        let phrase = self.term(constant, ty, places);
        if constant.kind == before { Compared::Constant(value) } else { Compared::Lifted(phrase) }
    }

    /// Lifts a constant, or the scalars in it.
    fn term(&self, constant: &mut Expr, ty: &Type, places: &mut Places<'_>) -> Phrase {
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
                let named = Named { domain: self.atoms.domain(ty), value: value.clone() };
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
    fn individual(&self, named: &Named, places: &mut Places<'_>) -> (Expr, Phrase) {
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
struct Key<'e> {
    expr: &'e mut Expr,
    /// The type of the map's keys.
    ty: Type,
}

/// Returns the keys of an observable, in the order of the text: the innermost map's first.
fn keys_of<'e>(expr: &'e mut Expr, keys: &mut Vec<Key<'e>>) {
    match &mut expr.kind {
        ExprKind::Index(base, key) => {
            let ty = match base.ty.inner() {
                Type::Map(key, _) => (**key).clone(),
                _ => return,
            };
            keys_of(base, keys);
            keys.push(Key { expr: key, ty });
        }
        ExprKind::Field(base, _) | ExprKind::IsSome(base) => keys_of(base, keys),
        ExprKind::Binary(Op::Otherwise, base, _) => keys_of(base, keys),
        _ => {}
    }
}
