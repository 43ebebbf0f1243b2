//! Long texts: what is made of them grows with their length, and means the same as short ones.

use crate::model_common::{good, load};
use crate::random::Random;
use cladist::model::eval::Scope;
use cladist::model::expr::Expr;
use cladist::model::value::{State, Value};
use cladist::model::{Model, PropertyKind};

const BEGIN: &str = "model m;\nvar x : 0..9;\nvar b : bool;\ninit { x = 0; b = false; }\n\
                     action more { require x < 9; x' = x + 1; }\naction other { b' = not b; }\n";

/// A model with these definitions, and an invariant about the last one.
fn with_definitions(definitions: &[String], invariant: &str) -> Model {
    // What is always so may well be said.
    let text = format!("{BEGIN}{}invariant p: {invariant};\n", definitions.concat());
    let loaded = load(&text, &[]);
    loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics))
}

fn invariant(model: &Model) -> &Expr {
    match &model.properties[0].kind {
        PropertyKind::Invariant(formula) => formula,
        other => panic!("{other:?}"),
    }
}

/// How many expressions there are in one, and how deep it is.
fn size(expr: &Expr) -> (usize, usize) {
    let parts = expr.children().into_iter().map(size);
    parts.fold((1, 1), |(all, deepest), (size, depth)| (all + size, deepest.max(depth + 1)))
}

#[test]
fn chained_definitions_are_said_once_each() {
    let length = 10_000;
    let links: [fn(usize) -> String; 4] = [
        |n| format!("def d{n}: 0..{} = d{} + 1;\n", n + 10, n - 1),
        |n| format!("def d{n}: 0..9 = if x = {} and b then {} else d{};\n", n % 10, n % 7, n - 1),
        |n| format!("def d{n}: 0..9 = (if b then d{0} else 9 - d{0});\n", n - 1),
        |n| format!("def d{n}: 0..9 = let y = d{} in min(y, {} + y / 2);\n", n - 1, n % 10),
    ];
    for link in links {
        let first = "def d0: 0..9 = x;\n".to_owned();
        let mut definitions: Vec<String> = std::iter::once(first).chain((1..=length).map(link)).collect();
        let invariant_text = format!("d{length} >= 0 or d{} >= 0", length - 1);
        for _ in 0..2 {
            let model = with_definitions(&definitions, &invariant_text);
            let (size, depth) = size(invariant(&model));
            assert!((length..40 * length).contains(&size), "{size} expressions");
            assert!(depth < 1000, "{depth} levels");
            // The order of declaration does not matter.
            definitions.reverse();
        }
    }
}

#[test]
fn definitions_that_double_are_said_once_each() {
    let first = "def d0: 0..9 = x;\n".to_owned();
    let twice = |n: usize| format!("def d{n}: 0..9 = (d{0} + d{0} + 1) mod 10;\n", n - 1);
    let definitions: Vec<String> = std::iter::once(first).chain((1..=40).map(twice)).collect();
    let model = with_definitions(&definitions, "d40 < 10");
    assert!(size(invariant(&model)).0 < 200_000);
}

#[test]
fn recursive_definitions_are_refused_however_long_the_way() {
    let mut definitions: Vec<String> = (1..=80).map(|n| format!("def d{n}: bool = d{};\n", n - 1)).collect();
    definitions.push("def d0: bool = d80 or b;\n".into());
    let text = format!("{BEGIN}{}invariant p: d80;\n", definitions.concat());
    let loaded = load(&text, &[]);
    assert!(loaded.model.is_none());
    assert!(loaded.diagnostics[0].message.contains("is recursive"), "{:?}", loaded.diagnostics[0]);
}

/// A link of a chain of numbers from 0 to 9.
struct Link {
    kind: usize,
    by: i64,
    /// An earlier definition; the one before is the other operand.
    from: usize,
    /// What the argument is.
    argument: usize,
}

impl Link {
    fn random(rng: &mut Random, number: usize) -> Self {
        let from = if rng.percent(80) { number - 1 } else { rng.below(number) };
        // Not too many different arguments: each makes another value.
        let argument = if number.is_multiple_of(40) { 0 } else { 1 + rng.below(4) };
        Self { kind: rng.below(4), by: rng.below(10) as i64, from, argument }
    }

    /// The definition with this number, of a parameter y if it `is_function`.
    fn text(&self, number: usize, is_function: bool) -> String {
        let Self { kind, by, from, argument } = self;
        let argument = match argument {
            0 => format!("((y + {by}) mod 10)"),
            1 => format!("({by})"),
            2 => "(x)".to_owned(),
            _ => "(y)".to_owned(),
        };
        let (params, argument, plain) =
            if is_function { ("(y: 0..9)", argument, "(y)") } else { ("", String::new(), "") };
        let (of, last) = (format!("d{from}{argument}"), format!("d{}{plain}", number - 1));
        let body = match kind {
            0 => format!("({of} + {by}) mod 10"),
            1 => format!("if b then {of} else {by}"),
            2 => format!("max({of}, {last})"),
            _ => format!("if {of} < {by} then 9 - {of} else {last}"),
        };
        format!("def d{number}{params}: 0..9 = {body};\n")
    }

    /// The values of the definition for each y, given those of the definitions before it.
    fn values(&self, before: &[Vec<i64>], x: i64, b: bool) -> Vec<i64> {
        let value = |y: i64| {
            let argument = match self.argument {
                0 => (y + self.by) % 10,
                1 => self.by,
                2 => x,
                _ => y,
            };
            let (of, last) = (before[self.from][argument as usize], before[before.len() - 1][y as usize]);
            match self.kind {
                0 => (of + self.by) % 10,
                1 => {
                    if b {
                        of
                    } else {
                        self.by
                    }
                }
                2 => of.max(last),
                _ => {
                    if of < self.by {
                        9 - of
                    } else {
                        last
                    }
                }
            }
        };
        (0..10).map(value).collect()
    }
}

/// Holds a chain against what its links are computed to be, in each state.
fn compare_chain(rng: &mut Random, length: usize, is_function: bool) {
    let links: Vec<Link> = (1..=length).map(|number| Link::random(rng, number)).collect();
    let first = if is_function { "def d0(y: 0..9): 0..9 = (x + y) mod 10;\n" } else { "def d0: 0..9 = x;\n" };
    let texts = links.iter().zip(1..).map(|(link, number)| link.text(number, is_function));
    let texts: Vec<String> = std::iter::once(first.to_owned()).chain(texts).collect();
    let (wanted, invariant_text) = match (is_function, rng.below(3)) {
        (false, _) => (None, format!("d{length} = 4")),
        (true, 0) => (Some(7), format!("d{length}(7) = 4")),
        (true, 1) => (None, format!("d{length}(x) = 4")),
        (true, _) => (Some(10), format!("exists y in 0..9: d{length}(y) = 4")),
    };
    let model = with_definitions(&texts, &invariant_text);
    for x in 0..10 {
        for b in [false, true] {
            let mut values: Vec<Vec<i64>> =
                vec![(0..10).map(|y| if is_function { (x + y) % 10 } else { x }).collect()];
            for link in &links {
                // Without parameters, all arguments are alike.
                let new = link.values(&values, x, b);
                values.push(new);
            }
            let last = &values[length];
            let expected = match wanted {
                Some(10) => last.contains(&4),
                Some(y) => last[y] == 4,
                None => last[x as usize] == 4,
            };
            let state = State(vec![Value::Int(x), Value::Bool(b)]);
            let scope = Scope::new(&model).with_state(&state);
            let found = scope.holds(invariant(&model));
            assert_eq!(found, expected, "x = {x}, b = {b}: {}{invariant_text}", texts.concat());
        }
    }
}

#[test]
fn chains_mean_what_they_say() {
    let mut rng = Random::new(48);
    for length in [3, 66, 130, 300] {
        for is_function in [false, true] {
            for _ in 0..2 {
                compare_chain(&mut rng, length, is_function);
            }
        }
    }
}

#[test]
fn chained_definitions_with_parameters_are_said_once_each() {
    let length = 10_000;
    let text =
        |n: usize| format!("def d{n}(y: 0..9, z: bool): bool = d{}(y, z) and x != {} or b;\n", n - 1, n % 10);
    let first = "def d0(y: 0..9, z: bool): bool = y = x and z;\n".to_owned();
    let definitions: Vec<String> = std::iter::once(first).chain((1..=length).map(text)).collect();
    for invariant_text in [
        format!("d{length}(x, b)"),
        format!("forall y in 0..9: y > 3 => d{length}(y, y > 5)"),
        format!("d{length}(3, not b) or d{}(3, not b)", length - 1),
    ] {
        let model = with_definitions(&definitions, &invariant_text);
        let (size, depth) = size(invariant(&model));
        assert!((length..40 * length).contains(&size), "{size} expressions");
        assert!(depth < 1000, "{depth} levels");
    }
    let action = format!("action take(k: 0..9) {{ require d{length}(k, k > 2); b' = true; }}\n");
    let model = with_definitions(&[definitions.concat(), action], "x <= 9");
    assert!(size(&model.actions[2].requires[0]).0 < 40 * length);
}

#[test]
fn long_lists_of_declarations_are_loaded() {
    let many = 5000;
    let all = |line: &dyn Fn(usize) -> String| (1..=many).map(line).collect::<String>();
    let texts = [
        all(&|n| format!("pred p{n}(t: pos) = x@t = {} and b@t;\n", n % 10)),
        all(&|n| format!("action a{n} {{ require x < 9; x' = x + 1; }}\n")),
        all(&|n| format!("action a{n}(k: 0..3, c: bool) {{ require k < x or c; b' = c; }}\n")),
        all(&|n| format!("invariant p{n}: x != {};\n", n % 10)),
        all(&|n| format!("def d{n}(y: 0..9): bool = x < y;\n"))
            + &all(&|n| format!("def d{n}: bool = x < 3;\n").replace("def d", "def e")),
    ];
    for text in texts {
        let model = good(&format!("{BEGIN}{text}"));
        assert!(
            model.predicates.len() + model.actions.len() + model.properties.len() + model.functions.len()
                >= 2
        );
    }
}
