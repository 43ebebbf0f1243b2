//! Real systems with known results, from the folder that `CLADIST_TEST_DATA` names; skipped without it.

use crate::lts_common;

use cladist::budget::Budget;
use cladist::lts::aut::ReadError;
use cladist::lts::property::Closure;
use cladist::lts::safety::{
    CounterexampleLts, Counts, Incorrect, Keep, ProductPosition, SafetyAnalysis, shortest,
};
use cladist::lts::{LabelId, Lts, facts, inevitable, quotient};
use lts_common::philosophers::philosophers;
use lts_common::{actions, automaton, data, file, try_read};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

const CASES: &[&str] =
    &["ALLBAD", "INTERLEAVING", "INTERLEAVINGV2", "ISOLATED", "ITERATION", "UNIQUECHOICE", "EX153"];

fn analysed<T>(lts: &Lts, property: &str, use_it: impl FnOnce(&SafetyAnalysis<'_>) -> T) -> T {
    let automaton = automaton(property, lts, Closure::Prefix);
    let analysis =
        SafetyAnalysis::new(lts, &automaton, Incorrect::NoWayOut, &Budget::unlimited()).expect("no limit");
    use_it(&analysis)
}

fn case(folder: &Path, name: &str) -> (Lts, String) {
    let folder = folder.join("aut/clear");
    let property = std::fs::read_to_string(folder.join(name).with_extension("mcl")).expect("readable");
    (file(&folder.join(name).with_extension("aut")), property)
}

/// A graph with marked edges and states; the state 0 is the initial one.
#[derive(Debug, Default)]
struct Graph {
    marks: BTreeMap<i64, String>,
    edges: BTreeSet<(i64, String, i64)>,
}

impl Graph {
    /// Reads AUT or CLEAR's `.autx` line by line.
    fn read(text: &str) -> Self {
        let mut graph = Self::default();
        graph.marks.insert(0, String::new());
        for line in text.lines().skip(1) {
            let inner = line.trim().strip_prefix('(').and_then(|l| l.strip_suffix(')')).expect(line);
            let (from, rest) = inner.split_once(',').expect(line);
            let (label, to) = rest.rsplit_once(',').expect(line);
            let (from, mark) = from.split_once(':').unwrap_or((from, ""));
            let (from, to) = (from.trim().parse().expect(line), to.trim().parse().expect(line));
            graph.marks.insert(from, mark.to_owned());
            graph.marks.entry(to).or_default();
            graph.edges.insert((from, label.trim().replace('"', ""), to));
        }
        graph
    }

    /// A colour for each state that isomorphic states of isomorphic graphs share, starting from given colours:
    /// refined by the colours around it until no state is told apart any more.
    fn colours(&self, mut colours: BTreeMap<i64, String>) -> BTreeMap<i64, String> {
        let distinct = |c: &BTreeMap<i64, String>| c.values().collect::<BTreeSet<_>>().len();
        loop {
            let next: BTreeMap<i64, String> = colours
                .keys()
                .map(|&s| {
                    let out =
                        self.edges.iter().filter(|e| e.0 == s).map(|e| format!(">{} {}", e.1, colours[&e.2]));
                    let into =
                        self.edges.iter().filter(|e| e.2 == s).map(|e| format!("<{} {}", e.1, colours[&e.0]));
                    let mut around: Vec<String> = out.chain(into).collect();
                    around.sort();
                    (s, hash(&format!("{} {around:?}", colours[&s])))
                })
                .collect();
            if distinct(&next) == distinct(&colours) {
                return next;
            }
            colours = next;
        }
    }
}

fn hash(text: &str) -> String {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    format!("{:x}", hasher.finish())
}

/// Whether two graphs are isomorphic: refined colours, and where these leave a choice, every choice.
fn isomorphic(a: &Graph, b: &Graph) -> bool {
    let start = |g: &Graph| g.marks.iter().map(|(s, m)| (*s, format!("{m} {}", (*s).min(1)))).collect();
    a.edges.len() == b.edges.len() && matching(a, b, start(a), start(b))
}

fn matching(a: &Graph, b: &Graph, of_a: BTreeMap<i64, String>, of_b: BTreeMap<i64, String>) -> bool {
    let (of_a, of_b) = (a.colours(of_a), b.colours(of_b));
    let sorted = |c: &BTreeMap<i64, String>| {
        let mut all: Vec<String> = c.values().cloned().collect();
        all.sort();
        all
    };
    let all = sorted(&of_a);
    if all != sorted(&of_b) {
        return false;
    }
    let Some(twice) = all.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| &pair[0]) else {
        let by_colour: BTreeMap<&String, i64> = of_b.iter().map(|(s, c)| (c, *s)).collect();
        let image = |s: i64| by_colour[&of_a[&s]];
        return a.edges.iter().all(|(f, l, t)| b.edges.contains(&(image(*f), l.clone(), image(*t))));
    };
    let with = |colours: &BTreeMap<i64, String>, s: i64| {
        let mut colours = colours.clone();
        colours.insert(s, "chosen".into());
        colours
    };
    let one = *of_a.iter().find(|(_, c)| *c == twice).expect("twice").0;
    let others = of_b.iter().filter(|(_, c)| *c == twice).map(|(s, _)| *s);
    others.into_iter().any(|other| matching(a, b, with(&of_a, one), with(&of_b, other)))
}

#[test]
fn isomorphism_is_no_formality() {
    let triangle = Graph::read("des\n(0, A, 1)\n(1, A, 2)\n(2, A, 0)");
    assert!(isomorphic(&triangle, &Graph::read("des\n(0, A, 7)\n(7, A, 3)\n(3, A, 0)")));
    assert!(!isomorphic(&triangle, &Graph::read("des\n(0, A, 7)\n(7, A, 3)\n(3, A, 7)")));
    assert!(!isomorphic(&triangle, &Graph::read("des\n(0, A, 7)\n(7, B, 3)\n(3, A, 0)")));
    let twins = Graph::read("des\n(0, A, 1)\n(0, A, 2)\n(1, B, 3)\n(2, B, 3)");
    assert!(isomorphic(&twins, &Graph::read("des\n(0, A, 5)\n(0, A, 4)\n(5, B, 1)\n(4, B, 1)")));
}

#[test]
fn clear_gives_the_same() {
    let Some(folder) = data() else { return };
    for name in CASES {
        let (lts, property) = case(&folder, name);
        analysed(&lts, &property, |analysis| {
            let results = folder.join("aut/clear-results");
            let mut own = Vec::new();
            CounterexampleLts::new(analysis, &Budget::unlimited())
                .expect("no limit")
                .write_aut(&mut own)
                .expect("to memory");
            let text = String::from_utf8(own).expect("UTF-8");
            let theirs = std::fs::read_to_string(results.join(format!("{name}.counterexamples.aut")));
            let theirs = theirs.expect("readable");
            assert_eq!(text.lines().next(), theirs.lines().next(), "{name}");
            assert!(isomorphic(&Graph::read(&text), &Graph::read(&theirs)), "{name}");

            // There is no tagged result of EX153.
            let Ok(theirs) = std::fs::read_to_string(results.join(format!("{name}.autx"))) else {
                assert_eq!(*name, "EX153");
                return;
            };
            let mut own = Vec::new();
            CounterexampleLts::new(analysis, &Budget::unlimited())
                .expect("no limit")
                .write_autx(&mut own)
                .expect("to memory");
            let text = String::from_utf8(own).expect("UTF-8");
            assert_eq!(text.lines().next(), theirs.lines().next(), "{name}");
            let (own, mut theirs) = (Graph::read(&text), Graph::read(&theirs));
            if *name == "ALLBAD" {
                // CLEAR marks its initial state, although nothing but incorrect transitions leaves it.
                theirs.marks.insert(0, String::new());
            }
            assert!(isomorphic(&own, &theirs), "{name}");
        });
    }
}

#[test]
fn the_sanitary_agency_is_as_published() {
    let Some(folder) = data() else { return };
    let (lts, property) = case(&folder, "EX153");
    analysed(&lts, &property, |analysis| {
        let counts = Counts::new(analysis, &Budget::unlimited()).expect("no limit");
        assert_eq!((counts.neighbourhoods, counts.counterexample_states), (7, 55));
        let shortest = shortest(analysis, Keep::Neighbourhoods, &Budget::unlimited())
            .expect("no limit")
            .expect("violated");
        assert_eq!(shortest.labels.len(), 19);

        // All shortest counterexamples: 579, and one keeps six actions around three neighbourhoods.
        let mut level: BTreeMap<ProductPosition, Vec<(usize, usize)>> = BTreeMap::new();
        level.insert(analysis.product.initial(), vec![(0, 0)]);
        for _ in 0..19 {
            let mut next: BTreeMap<ProductPosition, Vec<(usize, usize)>> = BTreeMap::new();
            for (position, paths) in level {
                for (_, after) in analysis.product.after(position).filter(|&(_, p)| analysis.is_violable(p)) {
                    let own = analysis.is_neighbourhood(position);
                    let kept = usize::from(own || analysis.is_neighbourhood(after));
                    let longer = paths.iter().map(|(k, n)| (k + kept, n + usize::from(own)));
                    next.entry(after).or_default().extend(longer);
                }
            }
            level = next;
        }
        let ends = level.iter().filter(|(p, _)| analysis.product.is_bad(**p));
        let paths: Vec<(usize, usize)> = ends.flat_map(|(_, paths)| paths.iter().copied()).collect();
        assert_eq!(paths.len(), 579);
        assert!(paths.contains(&(6, 3)));
        let kept: Vec<usize> = paths.iter().map(|p| p.0).collect();
        assert_eq!((kept.iter().min(), kept.iter().max()), (Some(&4), Some(&8)));
        assert_eq!(shortest.kept.len(), 4);
    });
}

#[test]
fn the_transport_of_the_sanitary_agency_is_not_inevitable() {
    let Some(folder) = data() else { return };
    let (lts, _) = case(&folder, "EX153");
    let steps = actions("REQ_EM,PROVT_REC", &lts);
    let unlimited = Budget::unlimited();
    let analysis = inevitable::InevitabilityAnalysis::new(&lts, &steps, &unlimited).expect("no limit");
    assert!(!analysis.holds());
    let counts = inevitable::InevitabilitySizes::new(
        &analysis,
        inevitable::NeighbourhoodEntry::ByNeutralOnly,
        &Budget::unlimited(),
    )
    .expect("no limit");
    assert_eq!(counts.neighbourhoods, 5);
    let found = inevitable::shortest(&analysis, |_| false, &unlimited).expect("no limit");
    assert_eq!(found.expect("violated").labels.len(), 8);
}

#[test]
fn dialects_are_accepted_or_refused() {
    let Some(folder) = data() else { return };
    let mut seen = 0;
    for entry in std::fs::read_dir(folder.join("aut/dialect")).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let bytes = std::fs::read(&path).expect("readable");
        let read = try_read(&bytes, false);
        assert_eq!(read.is_ok(), name.starts_with("ok_"), "{name}");
        if let Err(ReadError::Mistakes(found, sources)) = read {
            assert!(!found.is_empty() && found.iter().all(|d| d.help.is_some()), "{name}");
            let placed = found.iter().all(|d| d.span.is_some_and(|s| !sources.place(s).is_empty()));
            assert!(placed || name == "bad_empty.aut", "{name}");
        }
        let lenient =
            ["bad_count.aut", "bad_range.aut", "bad_unfinished_header.aut"].contains(&name.as_str());
        assert_eq!(
            try_read(&bytes, true).is_ok(),
            name.starts_with("ok_") || lenient || name == "bad_no_states.aut",
            "{name}"
        );
        seen += 1;
    }
    assert!(seen >= 21);
}

#[test]
fn vlts_reduces_to_its_classes() {
    let Some(folder) = data() else { return };
    for entry in std::fs::read_dir(folder.join("aut/vlts")).expect("a folder") {
        let path = entry.expect("an entry").path();
        let lts = file(&path);
        let quotient = quotient(&lts, &Budget::unlimited()).expect("no limit");
        let blocks = blocks_by_signatures(&lts);
        assert_eq!(quotient.lts.declared_states(), blocks, "{}", path.display());
        let facts = facts(&lts, &Budget::unlimited()).expect("no limit");
        assert_eq!(facts.reachable_states, lts.declared_states(), "{}", path.display());
    }
}

/// How many classes of strong bisimulation there are, by refining signatures until nothing changes.
fn blocks_by_signatures(lts: &Lts) -> usize {
    let mut block = vec![0u32; lts.states()];
    let mut count = 1;
    loop {
        let mut numbers = std::collections::HashMap::new();
        let next: Vec<u32> = lts
            .state_ids()
            .map(|s| {
                let mut row: Vec<(LabelId, u32)> = lts.out(s).map(|(l, to)| (l, block[to.index()])).collect();
                row.sort_unstable();
                row.dedup();
                let fresh = numbers.len() as u32;
                *numbers.entry((block[s.index()], row)).or_insert(fresh)
            })
            .collect();
        let found = numbers.len();
        block = next;
        if found == count {
            return count;
        }
        count = found;
    }
}

#[test]
fn philosophers_are_counted_as_by_hand() {
    let property = "[ true* . \"EAT !0\" . true* . \"EAT !0\" ] false";
    for (n, size) in [(8, (3104, 15040)), (10, (23168, 140_320))] {
        let (lts, rows) = philosophers(n);
        assert_eq!((lts.states(), lts.transitions()), size);
        let expected = counted_by_hand(&rows);
        analysed(&lts, property, |analysis| {
            assert_eq!(Counts::new(analysis, &Budget::unlimited()).expect("no limit"), expected)
        });
        assert!(expected.neighbourhoods > 0);
    }
}

/// The automaton by hand: `EAT !0` twice is forbidden, so it counts up to two.
fn next(q: usize, label: &str) -> usize {
    if label == "EAT !0" { (q + 1).min(2) } else { q }
}

/// The least set of positions that contains `start` and all positions with a step into it.
fn fixpoint(rows: &Steps, start: &dyn Fn(usize, usize) -> bool) -> Vec<[bool; 3]> {
    let mut set: Vec<[bool; 3]> = (0..rows.len()).map(|s| std::array::from_fn(|q| start(s, q))).collect();
    loop {
        let mut changed = false;
        for s in (0..rows.len()).rev() {
            for q in 0..3 {
                if !set[s][q] && rows[s].iter().any(|(l, to)| set[*to][next(q, l)]) {
                    set[s][q] = true;
                    changed = true;
                }
            }
        }
        if !changed {
            return set;
        }
    }
}

/// The positions that can be reached.
fn reached(rows: &Steps) -> Vec<[bool; 3]> {
    let mut reached = vec![[false; 3]; rows.len()];
    let mut open = vec![(0, 0)];
    reached[0][0] = true;
    while let Some((s, q)) = open.pop() {
        for (label, to) in &rows[s] {
            let after = next(q, label);
            if !std::mem::replace(&mut reached[*to][after], true) {
                open.push((*to, after));
            }
        }
    }
    reached
}

/// For each state the labels with the states after them.
type Steps = [Vec<(String, usize)>];

fn counted_by_hand(rows: &Steps) -> Counts {
    let reached = reached(rows);
    let violable = fixpoint(rows, &|_, q| q == 2);
    let border =
        |s: usize, q: usize| violable[s][q] && rows[s].iter().any(|(l, to)| !violable[*to][next(q, l)]);
    let avoidable = fixpoint(rows, &border);
    let mut expected = Counts::default();
    for s in 0..rows.len() {
        let mut at_frontier = false;
        for q in (0..3).filter(|&q| reached[s][q]) {
            if !violable[s][q] {
                expected.beyond += rows[s].len();
                continue;
            }
            let mut tags = [0; 3];
            for (label, to) in &rows[s] {
                let after = next(q, label);
                tags[if !violable[*to][after] {
                    0
                } else if !avoidable[*to][after] {
                    1
                } else {
                    2
                }] += 1;
            }
            expected.counterexample_states += 1;
            expected.correct += tags[0];
            expected.incorrect += tags[1];
            expected.neutral += tags[2];
            let kind = match tags.map(|t| t > 0) {
                [true, false, true] => 0,
                [false, true, true] => 1,
                [true, true, false] => 2,
                [true, true, true] => 3,
                _ => 4,
            };
            if kind < 4 {
                expected.faulty += 1;
                expected.faulty_kinds[kind] += 1;
            }
            if border(s, q) {
                expected.neighbourhoods += 1;
                at_frontier = true;
            }
        }
        expected.frontier += usize::from(at_frontier);
    }
    expected.counterexample_transitions = expected.incorrect + expected.neutral;
    expected
}
