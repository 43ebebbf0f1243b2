//! Classes of infinite traces that symmetries make of each other, in random models of rings and rows, against all of their lassos.

use crate::ltl_random::lassos;
use crate::random::{Random, seeds};
use cladist::budget::Budget;
use cladist::classify::lassos::{Infinite, LassoProblem, classify_lassos, usable};
use cladist::classify::{Class, Classification, Options, Verdict};
use cladist::explore::Graph;
use cladist::ltl::{Fairness, is_fair, satisfies};
use cladist::model::{Model, PropertyKind, load_text};
use cladist::trace::Lasso;
use std::collections::HashSet;
use std::io::ErrorKind;

const STEPS: usize = 3;

/// What is said of nodes that are beside each other.
const ABOUT_NODES: [&str; 9] = [
    "forall a, b in Node: beside(a, b) => always eventually not (lit[a] and lit[b])",
    "eventually always not exists a, b in Node: beside(a, b) and lit[a] and not lit[b]",
    "forall a, b in Node: beside(a, b) => ((always eventually lit[a]) => always eventually lit[b])",
    "not exists a, b in Node: beside(a, b) and (always eventually lit[a]) and eventually always not lit[b]",
    "eventually always not exists a in Node: lit[a] and not lit[AFTER]",
    "always eventually forall a in Node: lit[a] => not lit[AFTER]",
    "forall a, b in Node: beside(a, b) => not (lit[a] until (lit[b] and next not lit[a]))",
    "forall a, b in Node: beside(a, b) => ((always eventually lit[a]) <=> always eventually lit[b])",
    "forall a in Node: if eventually always lit[a] then exists b in Node: beside(a, b) and always eventually lit[b] \
     else always eventually not lit[a]",
];

const FAIRNESS: [&str; 5] = [
    "",
    "",
    "fairness action douse(n);",
    "fairness strong action light(n);",
    "fairness exists a in Node: lit[a];",
];

/// The text of the model of a seed: nodes in a ring or a row that can be lit, and a property about neighbours. In some of them a node is
/// singled out, by a step, the property or a condition of fairness.
pub fn text_of(seed: u64) -> String {
    let mut rng = Random::new(seed ^ 0x001a_550b);
    let all: &[&str] = if rng.percent(50) { &["1", "2", "3", "4"] } else { &["Ada", "Bea", "Cia", "Dea"] };
    let nodes = &all[..3 + usize::from(rng.percent(80))];
    let ty = match nodes[0] {
        "1" => format!("1..{}", nodes.len()),
        _ => format!("enum {{ {} }}", nodes.join(", ")),
    };
    let row = rng.percent(30);
    let sides: &[[&str; 2]] = if row || rng.percent(20) { &[["a", "b"], ["b", "a"]] } else { &[["a", "b"]] };
    let pairs = (0..nodes.len() - usize::from(row)).map(|n| (nodes[n], nodes[(n + 1) % nodes.len()]));
    let pairs =
        pairs.flat_map(|(from, to)| sides.iter().map(move |[a, b]| format!("{a} = {from} and {b} = {to}")));
    let beside = pairs.collect::<Vec<_>>().join(" or ");
    let light = *rng.pick(&["not lit[n]", "true", "forall b in Node: beside(n, b) => not lit[b]"]);
    let douse = *rng.pick(&["lit[n]", "lit[n]", "lit[n] and exists b in Node: beside(b, n) and lit[b]"]);
    let (mut formula, mut fairness) = (rng.pick(&ABOUT_NODES).to_string(), rng.pick(&FAIRNESS).to_string());
    let mut light = light.to_owned();
    match rng.below(14) {
        0 => light += &format!(" and n != {}", nodes[1]),
        1 => formula = format!("({formula}) and always eventually not lit[{}]", nodes[0]),
        2 => formula = format!("({formula}) or always eventually lit[{}]", nodes[2]),
        3 => fairness += &format!(" fairness not lit[{}];", nodes[1]),
        _ => {}
    }
    let words = *rng.pick(&["eq(lit)", "eq(lit)", "eq(lit, light.n)", "eq(lit, douse.n, action)"]);
    // In a row, the first one comes after the last one.
    let steps = nodes.windows(2).map(|pair| format!("if a = {} then {} else ", pair[0], pair[1]));
    let after = format!("({}{})", steps.collect::<String>(), nodes[0]);
    let formula = formula.replace("AFTER", &after);
    format!(
        "model nodes;
         type Node = {ty};
         var lit : map Node to bool;
         def beside(a: Node, b: Node): bool = {beside};
         init {{ forall a in Node: not lit[a]; }}
         action light(n: Node) {{ require {light}; lit'[n] = true; }}
         action douse(n: Node) {{ require {douse}; lit'[n] = false; }}
         action rest {{ }}
         {fairness}
         ltl p: {formula};
         vocabulary words = {{ {words} }};"
    )
}

/// The lassos in a class and its images.
fn inside<'l>(
    model: &Model,
    result: &Classification<Infinite>,
    class: &Class<Infinite>,
    all: &'l [Lasso],
) -> HashSet<&'l Lasso> {
    let holds = |class: &Class<Infinite>, lasso: &Lasso| class.constraint.holds(model, &result.atoms, lasso);
    all.iter().filter(|lasso| class.with_images().any(|class| holds(class, lasso))).collect()
}

#[test]
fn images_are_what_symmetries_make_of_classes() {
    let (mut complete, mut with_images, mut images, mut restless) = (0, 0, 0, 0);
    for seed in seeds(200) {
        let text = text_of(seed);
        let loaded = load_text("nodes.sts", &text, &[], &|_| Err(ErrorKind::NotFound.into()));
        let model = loaded.model.unwrap_or_else(|| panic!("{:?} in\n{text}", loaded.diagnostics));
        let PropertyKind::Ltl(formula) = &model.properties[0].kind else { panic!("a property of ltl") };
        let fairness = Fairness::of_model(&model);
        let problem = LassoProblem { model: &model, formula, fairness: &fairness };
        let (words, _) = usable(&model, &model.vocabularies[0]);
        let mut options = Options::of_lassos(STEPS, STEPS);
        options.max_classes = Some(12);
        let flat = classify_lassos(problem, &words, &options, &Budget::unlimited(), &mut ());
        complete += u32::from(flat.verdict == Verdict::Complete);
        if flat.images.is_empty() {
            continue;
        }
        let graph = Graph::explore(&model, None, 100_000, &Budget::unlimited()).expect("few states");
        let all = lassos(&graph, STEPS, usize::MAX).expect("no limit");
        let every: HashSet<&Lasso> = all.iter().collect();
        for image in &flat.images {
            let context = format!("seed {seed}, {}:\n{text}", image.by.show(&model.types));
            for lasso in &all {
                let moved = lasso.permuted(&model, &image.by);
                assert!(every.contains(&moved), "{context}");
                let kept = |it: &Lasso| (is_fair(&model, &fairness, it), satisfies(&model, formula, it));
                assert_eq!(kept(lasso), kept(&moved), "{context}");
            }
            let [of, class] = [image.of, image.class].map(|index| &flat.classes[index]);
            let of = inside(&model, &flat, of, &all);
            let moved: HashSet<Lasso> = of.iter().map(|lasso| lasso.permuted(&model, &image.by)).collect();
            assert_eq!(moved.iter().collect::<HashSet<_>>(), inside(&model, &flat, class, &all), "{context}");
            assert!(!moved.is_empty(), "{context}");
        }
        let gathered = flat.clone().gathered();
        assert_eq!(gathered.classes.len(), flat.classes.len() - flat.images.len(), "seed {seed}");
        assert!(gathered.images.is_empty(), "seed {seed}");
        let union = |result: &Classification<Infinite>| -> HashSet<&Lasso> {
            result.classes.iter().flat_map(|class| inside(&model, result, class, &all)).collect()
        };
        assert_eq!(union(&flat), union(&gathered), "seed {seed}");
        if flat.verdict == Verdict::Complete {
            let violates =
                |lasso: &&Lasso| is_fair(&model, &fairness, lasso) && !satisfies(&model, formula, lasso);
            let missed = all.iter().filter(violates).find(|lasso| !union(&gathered).contains(lasso));
            assert_eq!(missed, None, "seed {seed}:\n{text}");
        }
        with_images += u32::from(!flat.images.is_empty());
        images += flat.images.len();
        restless += u32::from(!fairness.is_empty());
    }
    let found = (complete, with_images, images, restless);
    assert!(complete > 75 && with_images > 5 && images > 15 && restless > 1, "{found:?}");
}
