//! Classes that symmetries of the model make of each other: the same kind of violation, of other values.
//!
//! Where any values of a type can change places, classes have individuals. Where only some permutations of them are symmetries, as the
//! rotations of a ring, or where individuals cannot take the place of all values, classes name values, and there may be one for each
//! image of these. A symmetry takes violating traces to violating traces, so images of a class are known without any question.

use crate::facts::atom::Atoms;
use crate::facts::grounding::Grounding;
use crate::facts::index::{AtomId, IndividualVar, PositionVar};
use crate::facts::permuted::permuted;
use crate::facts::statements::{Statement, Statements};
use crate::results::result::ImageOf;
use engines::symmetry::{Group, Symmetries};
use lang::model::expr::{Expr, ExprKind, LocalId};
use lang::model::permutation::Permutation;
use lang::model::types::{Type, Types};
use lang::model::value::Value;
use lang::model::{Model, Vocabulary};
use rustc_hash::FxHashMap;
use std::borrow::Borrow;

/// True if some of these constraints could be images of others: equal up to values.
pub fn are_alike<S: Copy + Ord>(
    atoms: &Atoms,
    constraints: impl Iterator<Item = impl Borrow<Statements<S>>>,
) -> bool {
    let mut words = FormulaNumbers::new(atoms);
    let outlines: Vec<_> = constraints.map(|constraint| words.outline(constraint.borrow())).collect();
    (1..outlines.len()).any(|index| outlines[..index].contains(&outlines[index]))
}

/// Which of some classes symmetries make of others, if values may move. `find` looks for symmetries where that could be, and needs not find
/// those that are not of use. Beside what a class says stands what has to be so of its images as well.
pub(crate) fn images_among<S: Copy + Ord, R: PartialEq>(
    (model, atoms): (&Model, &Atoms),
    (grounding, vocabulary): (&Grounding, &Vocabulary),
    classes: &[(Statements<S>, R)],
    find: impl FnOnce(&dyn Fn(&Permutation) -> bool) -> Symmetries,
) -> Vec<ImageOf> {
    let statements = classes.iter().map(|(class, _)| class);
    if *grounding == Grounding::Everything || !are_alike(atoms, statements) {
        return Vec::new();
    }
    let is_of_use = |by: &Permutation| !grounding.forbids(vocabulary, by);
    let found = find(&is_of_use);
    let of_use: Vec<Permutation> = found.all().filter(|by| is_of_use(by)).cloned().collect();
    Images::new(&model.types, atoms, &of_use).among(classes)
}

/// The group that symmetries generate, and what it makes of constraints.
pub struct Images<'a> {
    types: &'a Types,
    /// The elements of the group, those first that move the fewest values.
    pub elements: Vec<Permutation>,
    /// True if these are all but the identity.
    pub whole: bool,
    words: FormulaNumbers<'a>,
    /// The numbers of what the elements make of formulas, as far as they were asked for.
    images: FxHashMap<(usize, AtomId), Option<usize>>,
}

impl<'a> Images<'a> {
    /// The orbits of constraints over some atoms, under the group that these symmetries generate.
    pub fn new(types: &'a Types, atoms: &'a Atoms, symmetries: &[Permutation]) -> Self {
        let Group { mut elements, whole } = Group::generated_by(types, symmetries);
        elements.sort_by_cached_key(|by| (by.moves().count(), by.clone()));
        Self { types, elements, whole, words: FormulaNumbers::new(atoms), images: FxHashMap::default() }
    }

    /// The element that takes one constraint to another, and moves as few values as any; `None` if none does.
    pub fn takes<S: Copy + Ord>(&mut self, of: &Statements<S>, to: &Statements<S>) -> Option<&Permutation> {
        if self.words.outline(of) != self.words.outline(to) {
            return None;
        }
        let there = formulas(to, &mut |atom| Some(self.number(atom)))?;
        let mut elements = 0..self.elements.len();
        let takes = |element: &usize| {
            let image = formulas(of, &mut |atom| self.image_of(*element, atom));
            image.is_some_and(|image| is_renamed((of, &image), (to, &there)))
        };
        let element = elements.find(takes)?;
        Some(&self.elements[element])
    }

    /// Which of some classes are images of earlier ones: those of one class after another, in the order of the values that move. Beside each
    /// class stands what has to be so of its images as well.
    pub fn among<S: Copy + Ord, R: PartialEq>(&mut self, classes: &[(Statements<S>, R)]) -> Vec<ImageOf> {
        let mut found: Vec<ImageOf> = Vec::new();
        let mut originals: Vec<usize> = Vec::new();
        for (index, (constraint, remarks)) in classes.iter().enumerate() {
            let image = originals.iter().filter(|&&of| classes[of].1 == *remarks).find_map(|&of| {
                let by = self.takes(&classes[of].0, constraint)?.clone();
                Some(ImageOf { class: index, of, by })
            });
            match image {
                Some(image) => found.push(image),
                None => originals.push(index),
            }
        }
        found.sort_by(|a, b| (a.of, &a.by).cmp(&(b.of, &b.by)));
        found
    }

    /// The number of what an element makes of the formula of an atom, the same as that of an atom that says so; `None` where it is not clear
    /// what it makes of it.
    pub fn image_of(&mut self, element: usize, atom: AtomId) -> Option<usize> {
        let Self { types, elements, words, images, .. } = self;
        *images.entry((element, atom)).or_insert_with(|| {
            let image = permuted(types, &elements[element], &plain(words.atoms, atom))?;
            Some(words.number(&image))
        })
    }

    /// The number of the formula of an atom.
    pub fn number(&mut self, atom: AtomId) -> usize {
        self.words.number_of(atom)
    }
}

/// For each statement the number of the formula of its atom, if it has one, which `number` gives; `None` if a formula has none.
fn formulas<S>(
    constraint: &Statements<S>,
    number: &mut dyn FnMut(AtomId) -> Option<usize>,
) -> Option<Vec<Option<usize>>> {
    let mut formulas = Vec::new();
    for statement in &constraint.all {
        formulas.push(match statement.atom {
            Some(atom) => Some(number(atom)?),
            None => None,
        });
    }
    Some(formulas)
}

/// Numbers of formulas, the same for equal ones.
struct FormulaNumbers<'a> {
    atoms: &'a Atoms,
    /// By their texts, which say everything.
    known: FxHashMap<String, usize>,
    /// Those of atoms, and of atoms with nothing in the place of values.
    of: FxHashMap<AtomId, [usize; 2]>,
}

impl<'a> FormulaNumbers<'a> {
    fn new(atoms: &'a Atoms) -> Self {
        Self { atoms, known: FxHashMap::default(), of: FxHashMap::default() }
    }

    fn number(&mut self, formula: &Expr) -> usize {
        let next = self.known.len();
        *self.known.entry(format!("{formula:?}")).or_insert(next)
    }

    fn numbers(&mut self, atom: AtomId) -> [usize; 2] {
        if let Some(&known) = self.of.get(&atom) {
            return known;
        }
        let formula = plain(self.atoms, atom);
        let numbers = [self.number(&formula), self.number(&without_values(&formula))];
        self.of.insert(atom, numbers);
        numbers
    }

    fn number_of(&mut self, atom: AtomId) -> usize {
        self.numbers(atom)[0]
    }

    /// The outline of a constraint, equal for all its images.
    fn outline<S: Copy + Ord>(&mut self, constraint: &Statements<S>) -> Vec<(S, Option<usize>)> {
        let outline = |statement: &Statement<S>| {
            let formula = statement.atom.map(|atom| self.numbers(atom)[1]);
            (statement.said, formula)
        };
        let mut outline: Vec<_> = constraint.all.iter().map(outline).collect();
        outline.sort_unstable();
        outline
    }
}

/// The formula of an atom, with the same names for parameters as all others, and without places.
fn plain(atoms: &Atoms, atom: AtomId) -> Expr {
    /// Further down than the names of values in atoms.
    const FIRST: u32 = u32::MAX - 1_000;
    let atom = atoms.get(atom);
    let mut expr = atom.expr.without_places();
    let params = atom.params.iter().copied().chain(atom.values.iter().map(|value| value.local));
    for (param, name) in params.zip((0..=FIRST).rev()) {
        expr.rename_local(param, LocalId(name));
    }
    expr
}

/// The formula with every constant replaced by a hole.
fn without_values(expr: &Expr) -> Expr {
    fn clear(expr: &mut Expr) {
        if let ExprKind::Const(value) = &mut expr.kind {
            (*value, expr.ty) = (Value::None, Type::Bool);
        }
        expr.for_each_child(&mut clear);
    }
    let mut expr = expr.clone();
    clear(&mut expr);
    expr
}

/// A constraint's statements, with the numbers of the formulas of its atoms.
type Numbered<'a, S> = (&'a Statements<S>, &'a [Option<usize>]);

/// True if two constraints are equal up to renaming of variables.
fn is_renamed<S: Copy + Ord>(of: Numbered<'_, S>, by: Numbered<'_, S>) -> bool {
    let counts = |(it, _): Numbered<'_, S>| (it.positions, it.individuals.len(), it.all.len());
    let used = vec![false; by.0.all.len()];
    let mut renaming = Renaming { of, by, used, positions: Vec::new(), individuals: Vec::new() };
    counts(of) == counts(by) && renaming.goes_on(0)
}

struct Renaming<'a, S> {
    of: Numbered<'a, S>,
    by: Numbered<'a, S>,
    /// Which statements of the second constraint one of the first is already the same as.
    used: Vec<bool>,
    positions: Vec<(PositionVar, PositionVar)>,
    individuals: Vec<(IndividualVar, IndividualVar)>,
}

impl<S: Copy + Ord> Renaming<'_, S> {
    /// True if the statements from an index on match others that are not used, under some renaming.
    fn goes_on(&mut self, index: usize) -> bool {
        let ((of, formulas), (by, others)) = (self.of, self.by);
        let Some(statement) = of.all.get(index) else { return true };
        for (number, other) in by.all.iter().enumerate() {
            let differ = (statement.said, formulas[index]) != (other.said, others[number]);
            if self.used[number] || differ {
                continue;
            }
            let before = (self.positions.len(), self.individuals.len());
            let agrees = statement.positions.len() == other.positions.len()
                && statement.individuals.len() == other.individuals.len()
                && statement
                    .positions
                    .iter()
                    .zip(&other.positions)
                    .all(|(&p, &q)| pair(&mut self.positions, p, q))
                && statement.individuals.iter().zip(&other.individuals).all(|(&p, &q)| {
                    of.individuals[p.index()] == by.individuals[q.index()]
                        && pair(&mut self.individuals, p, q)
                });
            self.used[number] = agrees;
            if agrees && self.goes_on(index + 1) {
                return true;
            }
            self.used[number] = false;
            self.positions.truncate(before.0);
            self.individuals.truncate(before.1);
        }
        false
    }
}

/// Notes that one variable is renamed to another; whether that agrees with what is known.
fn pair<V: PartialEq>(known: &mut Vec<(V, V)>, from: V, to: V) -> bool {
    match known.iter().find(|(a, b)| *a == from || *b == to) {
        Some((a, b)) => *a == from && *b == to,
        None => {
            known.push((from, to));
            true
        }
    }
}
