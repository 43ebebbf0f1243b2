//! Published examples of the µ-calculus, with the verdicts that those who publish them state. The systems are made anew.

use crate::lts_common::{data, file};
use cladist::budget::Budget;
use cladist::diagnostics::SourceMap;
use cladist::lts::{Lts, LtsBuilder, StateId};
use cladist::mucalc::{DeclaredSort, LabelParts, Language, check, parse, resolve};
use std::collections::HashMap;
use std::hash::Hash;
use std::io::ErrorKind;

/// A system by its initial state and the steps of each state.
fn system<S: Clone + Eq + Hash>(first: S, steps: impl Fn(&S) -> Vec<(String, S)>) -> Lts {
    let mut builder = LtsBuilder::new();
    let mut numbers = HashMap::from([(first.clone(), 0)]);
    let mut states = vec![first];
    let mut at = 0;
    while at < states.len() {
        for (label, to) in steps(&states[at]) {
            let fresh = states.len();
            let number = *numbers.entry(to.clone()).or_insert(fresh);
            if number == fresh {
                states.push(to);
            }
            let label = builder.labels.intern(label.as_bytes());
            builder.add(StateId::new(at), label, StateId::new(number));
        }
        at += 1;
    }
    builder.finish(StateId::FIRST, states.len() as u32)
}

fn holds(lts: &Lts, language: Language, sorts: &[DeclaredSort], text: &str) -> bool {
    let parts = LabelParts::of(lts);
    let mut sources = SourceMap::new();
    let source = sources.add("formula", text);
    let load = |_: &str| Err(ErrorKind::NotFound.into());
    let tree = parse(&mut sources, (source, text), Some(language), &load);
    let formula = tree.and_then(|tree| resolve(&tree, lts.labels(), &parts, sorts));
    let formula = formula.unwrap_or_else(|found| panic!("{text}: {found:?}")).formula;
    check(&formula, lts, &parts, false, &Budget::unlimited()).expect("no limit").holds
}

fn have_verdicts(lts: &Lts, sorts: &[&str], formulas: &[(&str, bool)]) {
    let sorts: Vec<DeclaredSort> =
        sorts.iter().map(|sort| DeclaredSort::read(sort).expect("a sort")).collect();
    for (text, expected) in formulas {
        assert_eq!(holds(lts, Language::Mcrl2, &sorts, text), *expected, "{text}");
    }
}

/// The seven cases that come with the tool CLEAR, whose authors give a counterexample for each.
#[test]
fn the_cases_of_clear_are_violated() {
    let Some(folder) = data() else { return };
    for name in ["ALLBAD", "INTERLEAVING", "INTERLEAVINGV2", "ISOLATED", "ITERATION", "UNIQUECHOICE", "EX153"]
    {
        let case = folder.join("aut/clear").join(name);
        let property = std::fs::read_to_string(case.with_extension("mcl")).expect("readable");
        let theirs = folder.join("aut/clear-results").join(format!("{name}.counterexamples.aut"));
        let theirs = file(&theirs);
        assert!(theirs.all_transitions().next().is_some(), "{name}: there is a counterexample");
        let system = file(&case.with_extension("aut"));
        assert!(!holds(&system, Language::Mcl, &[], &property), "{name}");
        // What their counterexamples begin with is violated by these alone, too.
        assert!(!holds(&theirs, Language::Mcl, &[], &property), "{name}");
    }
}

/// The vending machine of the tutorial of mCRL2: a coin, then a product.
#[test]
fn the_vending_machine_is_always_ready_again() {
    let machine = system(false, |&paid| vec![(if paid { "ready" } else { "coin" }.to_owned(), !paid)]);
    let formulas = [
        ("[true*] <true* . ready> true", true),
        ("[true* . ready . !coin] false", true),
        ("[true* . ready . !coin] false && [true* . ready . true . !ready] false", true),
    ];
    have_verdicts(&machine, &[], &formulas);
}

/// Four adventurers, who take 1, 2, 5 and 10 minutes, cross a bridge at night, two at a time and with one light (G. Rote, *Crossing
/// the bridge at night*, 2002): 17 minutes are enough, and fewer are not. Report and parameters are those of mCRL2's tutorial.
#[test]
fn the_bridge_is_crossed_in_seventeen_minutes() {
    const MINUTES: [u32; 4] = [1, 2, 5, 10];
    // Who is across, where the light is, and the time so far.
    let steps = |&(across, light, time): &(u32, bool, u32)| {
        let mut steps = Vec::new();
        if across == 15 {
            return vec![(format!("report({time})"), (16, light, time))];
        }
        if across == 16 {
            return steps;
        }
        for (one, minutes) in MINUTES.iter().enumerate() {
            for (other, more) in MINUTES.iter().enumerate().skip(one) {
                let pair = (1 << one) | (1 << other);
                if if light { across & pair == pair } else { across & pair == 0 } {
                    let after = time + minutes.max(more);
                    if after <= 30 {
                        steps.push(("cross".to_owned(), (across ^ pair, !light, after)));
                    }
                }
            }
        }
        steps
    };
    let formulas = [
        ("<true* . report(17)> true", true),
        ("forall n: Nat . val(n < 17) => [true* . report(n)] false", true),
        ("exists n: Nat . val(n < 17) && <true* . report(n)> true", false),
    ];
    have_verdicts(&system((0, false, 0), steps), &[], &formulas);
}

/// The seven bridges of Königsberg (L. Euler, 1736): no walk crosses each once; without one of them, there is such a walk.
#[test]
fn no_walk_crosses_each_bridge_of_koenigsberg_once() {
    const BRIDGES: [(u32, u32); 7] = [(0, 1), (0, 1), (0, 2), (0, 2), (0, 3), (1, 3), (2, 3)];
    // The initial state chooses where the walk begins.
    let town = |bridges: usize| {
        system(4, move |&place| match place {
            4 => (0..4).map(|first| (format!("begin({first})"), first)).collect(),
            _ => {
                let here =
                    BRIDGES.iter().take(bridges).enumerate().filter(|(_, b)| b.0 == place || b.1 == place);
                here.map(|(at, b)| (format!("bridge({})", at + 1), b.0 + b.1 - place)).collect()
            }
        })
    };
    let walk = |bridges: usize| {
        format!(
            "exists p: Nat . <begin(p)> mu X(crossed: Set(Pos) = {{}}) .
               (forall n: Pos . val(n > {bridges} || n in crossed))
               || (exists n: Pos . val(n <= {bridges} && !(n in crossed)) && <bridge(n)> X(crossed + {{n}}))"
        )
    };
    have_verdicts(&town(7), &[], &[(&walk(7), false)]);
    have_verdicts(&town(6), &[], &[(&walk(6), true)]);
}

/// The marks of a board of three times three, row by row: none, cross or naught; `true` at the end if a player has won.
type Board = ([u8; 9], bool);

/// Steps of tic-tac-toe: `put(cross,1,2)`, then `win(cross)` if that makes a row of three.
fn tic_tac_toe(&(board, over): &Board) -> Vec<(String, Board)> {
    const ROWS: [[usize; 3]; 8] =
        [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
    const NAMES: [&str; 3] = ["", "cross", "naught"];
    if over {
        return Vec::new();
    }
    let full = |player: u8| ROWS.iter().any(|row| row.iter().all(|&at| board[at] == player));
    if let Some(winner) = [1, 2].into_iter().find(|&player| full(player)) {
        return vec![(format!("win({})", NAMES[winner as usize]), (board, true))];
    }
    let marks = board.iter().filter(|&&mark| mark != 0).count();
    let player = 1 + (marks % 2) as u8;
    let free = (0..9).filter(|&at| board[at] == 0);
    free.map(|at| {
        let mut after = board;
        after[at] = player;
        (format!("put({},{},{})", NAMES[player as usize], at / 3 + 1, at % 3 + 1), (after, false))
    })
    .collect()
}

#[test]
fn cross_wins_only_against_a_wrong_move() {
    let game = system(([0; 9], false), tic_tac_toe);
    assert_eq!(game.states(), 5478 + 626 + 316, "positions, and those after a win of cross or naught");
    let strategy =
        "mu X . exists i, j: Pos . val(i <= 3 && j <= 3) && (<put(cross, i, j)> (<win(cross)> true ||
        (<true> true && forall k, l: Pos . (val(k <= 3 && l <= 3) => [put(naught, k, l)] X))))";
    let wrong_move = format!(
        "<exists i, j: Pos . val(i <= 3 && j <= 3) && put(cross, i, j)>
         <exists i, j: Pos . val(i <= 3 && j <= 3) && put(naught, i, j)> {strategy}"
    );
    have_verdicts(&game, &[], &[(strategy, false), (&wrong_move, true)]);
}

/// Three philosophers who take their left forks first, and those of whom one takes the right one first (E. W. Dijkstra, 1965).
#[test]
fn philosophers_starve_if_all_are_left_handed() {
    // For each philosopher how many forks he has; `lefty` is who takes the right one first.
    let table = |righty: bool| {
        system([0u8; 3], move |forks| {
            let holds = |who: usize, fork: usize| {
                let first_left = !(righty && who == 2);
                let (first, second) = if first_left { (who, (who + 1) % 3) } else { ((who + 1) % 3, who) };
                (forks[who] >= 1 && first == fork) || (forks[who] >= 2 && second == fork)
            };
            let mut steps = Vec::new();
            for who in 0..3 {
                let first_left = !(righty && who == 2);
                let (first, second) = if first_left { (who, (who + 1) % 3) } else { ((who + 1) % 3, who) };
                let next = [first, second].get(forks[who] as usize).copied();
                let mut after = *forks;
                match next {
                    Some(fork) if (0..3).all(|other| !holds(other, fork)) => {
                        after[who] += 1;
                        steps.push((format!("get(p{who},f{fork})"), after));
                    }
                    None => {
                        after[who] = 0;
                        steps.push((format!("eat(p{who})"), after));
                    }
                    _ => {}
                }
            }
            steps
        })
    };
    let starvation = "[true*] forall p: Phil . mu Y . ([!eat(p)] Y && <true> true)";
    let stuffing = "forall p: Phil . nu X . mu Y . [eat(p)] Y && [!eat(p)] X";
    let sorts = ["Phil={p0,p1,p2}"];
    have_verdicts(
        &table(false),
        &sorts,
        &[("[true*] <true> true", false), (starvation, false), (stuffing, true)],
    );
    have_verdicts(
        &table(true),
        &sorts,
        &[("[true*] <true> true", true), (starvation, false), (stuffing, true)],
    );
}
