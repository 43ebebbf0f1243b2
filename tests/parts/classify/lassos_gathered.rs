//! Tests of `classify::search::gathered`, for infinite traces.

use classify::facts::fact::Assignment;
use classify::lassos::constraint::LassoConstraint;
use classify::lassos::result::{Infinite, OpenClaims};
use classify::results::result::{
    Class, Classification, DecisionPoints, ImageOf, Unbounded, UnknownReason, Verdict, Why,
};
use kit::budget::Exhausted;
use lang::model::Position;
use lang::model::permutation::Permutation;
use lang::trace::{Lasso, Trace};
use solvers::unroll::Lengths;

/// A class with a representative of so many steps.
fn class(steps: usize) -> Class<Infinite> {
    let start = Position::new(steps);
    let representative = Lasso { trace: Trace { moments: Vec::new() }, start };
    Class::of(LassoConstraint::default(), representative, Assignment::default())
}

#[test]
fn what_is_said_of_classes_is_said_of_the_first_ones() {
    let why = Exhausted::Time;
    let verdict = Verdict::Partial(Why::Exhausted(why));
    let mut flat: Classification<Infinite> =
        Classification::new(verdict, Lengths::UpTo(6), "a solver".into());
    flat.classes = (0..5).map(class).collect();
    let image = |class, of| ImageOf { class, of, by: Permutation::default() };
    // The first class, two images of it between which there is another class, and an image of that.
    flat.images = vec![image(1, 0), image(3, 0), image(4, 2)];
    let positions = (0..5).map(|n| Some(Position::new(n))).collect();
    flat.decisions = Some(DecisionPoints { positions, is_of_all: true });
    let firsts: Vec<Position> = flat.firsts().map(|class| class.representative.start).collect();
    assert_eq!(firsts, [Position::new(0), Position::new(2)]);
    for (sufficient, of_kinds) in [(0, 0), (1, 1), (2, 1), (3, 2), (5, 2)] {
        let open = |sufficient, classes| {
            Some(Unbounded::Open(UnknownReason::Obstacle(OpenClaims { why, sufficient, classes })))
        };
        flat.unbounded = open(sufficient, 5);
        let gathered = flat.clone().gathered();
        assert_eq!(gathered.unbounded, open(of_kinds, 2));
    }
    let gathered = flat.gathered();
    let starts = |class: &Class<Infinite>| -> Vec<Position> {
        class.with_images().map(|class| class.representative.start).collect()
    };
    let starts: Vec<Vec<Position>> = gathered.classes.iter().map(starts).collect();
    assert_eq!(starts, [[0, 1, 3].map(Position::new).to_vec(), [2, 4].map(Position::new).to_vec()]);
    let decisions = gathered.decisions.expect("they were there");
    assert_eq!(decisions.positions, [0, 2].map(|n| Some(Position::new(n))));
    assert!(gathered.images.is_empty());
}
