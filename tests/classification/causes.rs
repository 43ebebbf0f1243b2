//! Kinds by their causes of models of well-known bugs, as experts name them, at several bounds, with the constants that stop them.

use crate::all_traces::all_traces;
use cladist::budget::Budget;
use cladist::classify::Problem;
use cladist::classify::causes::defences::Defence;
use cladist::classify::causes::kinds::CausalKind;
use cladist::classify::causes::pattern::ArgumentParts;
use cladist::classify::causes::question::{CausalProblem, CausalQuestion, ChangedProperty, EveryTrace};
use cladist::classify::causes::tree::CausalTree;
use cladist::classify::lassos::LassoProblem;
use cladist::ltl::Fairness;
use cladist::model::expr::Expr;
use cladist::model::{Model, load};
use cladist::report::causes::words::causal_title;
use cladist::sat::{Backend, Setup};
use std::path::{Path, PathBuf};

/// A model, one of its properties, and the titles of the kinds.
type Case = (&'static str, &'static str, &'static [&'static str]);

/// Models of new users, whose kinds were written down before; from the folder `CLADIST_TEST_DATA`.
const OF_USERS: &[Case] = &[
    ("overdraft.sts", "nonNegative", &["withdraw(n) where n > bal"]),
    (
        "dao.sts",
        "no_theft",
        &[
            "withdraw(a) where taken + balance[a] > paid_in, after withdraw(a)",
            "withdraw(a) where taken + balance[a] > paid_in, after withdraw(a=a') and transfer(a=a', b=a)",
        ],
    ),
    (
        "fob.sts",
        "not_stolen",
        &[
            "relay",
            "replay(n) where n > car and n <= car + 3, after press_far(n)",
            "replay(n) where n > car and n <= car + 3, after jam(n)",
            "replay(n) where n <= car and n = refused + 1, after replay",
        ],
    ),
    (
        "heap.sts",
        "memory_safe",
        &[
            "use(p) where p not in valid, after free(p)",
            "use(p) where p not in valid, after free(p=other)",
            "use(p) where p not in valid, after realloc(p=other)",
            "malloc(b) where b in allocated, after malloc(b)",
            "malloc(b) where b in allocated, after realloc(b)",
        ],
    ),
    (
        "iso2.sts",
        "serialisable",
        &[
            "commit(t), after read(t, k), write(t, k) and commit(t=other)",
            "commit(t), after read(t=t', k), read(t), write(t, k) and commit(t=t')",
            "commit(t), after read(t, k), write(t, k=k'), write(t=t', k), write(t=t', k=k') and commit(t=t')",
        ],
    ),
];

/// Models of `specs/`.
const OF_SPECS: &[Case] = &[
    (
        "running_example.sts",
        "no_secret_seen",
        &[
            "send(kind=Plaintext, secret=true)",
            "send(secret=true) where EveKey = Key_AB, after send(kind=Encrypted)",
        ],
    ),
    ("ns_public_key.sts", "secrecy", &["learn(n=Nb) where peer[Bob] = Alice, after answer(a=Alice, n=Na)"]),
    (
        "mutex.sts",
        "exclusion",
        &["enter(p), for instance where p = P and location[Q] = Critical, after enter(p=other)"],
    ),
    (
        "web_shop.sts",
        "consent",
        &[
            "forged_pay(s), after visit(u=Victim, s) and log_in(u=Victim, s, t=s)",
            "steal_pay(s), after log_in(u=Victim, s, t=s) and xss(s)",
            "steal_pay(s), after xss(s) and log_in(u=Victim, s, t=s)",
            "steal_pay(s), after visit(u=Mallory, s) and log_in(u=Victim, s, t=s)",
        ],
    ),
];

/// Models with properties of linear time, with or without their fairness.
const LINEAR_OF_USERS: &[(Case, bool)] = &[(
    (
        "pump.sts",
        "air_stops",
        &[
            "bolus and bolus_ends again and again, after air_enters",
            "rest for ever, after air_enters and service",
            "silence and silence_ends again and again",
        ],
    ),
    true,
)];

/// Those of `specs/`.
const LINEAR_OF_SPECS: &[(Case, bool)] = &[
    (
        (
            "liveness/cache_thrash.sts",
            "p_writes",
            &[
                "pause for ever, after want",
                "want(p=Q) and write(p=Q) again and again, after want",
                "fetch(p=P) and fetch(p=Q) again and again",
            ],
        ),
        false,
    ),
    (("liveness/cache_thrash.sts", "p_writes", &["fetch(p=P) and fetch(p=Q) again and again"]), true),
    (
        (
            "liveness/split_vote.sts",
            "elects",
            &["pause for ever", "stand(n), stand(n=other) and new_term again and again"],
        ),
        false,
    ),
    (
        (
            "liveness/lossy_transfer.sts",
            "arrives",
            &["pause for ever, after submit", "send and lose again and again"],
        ),
        false,
    ),
    (
        (
            "liveness/blocking_commit.sts",
            "a_learns",
            &["ask(m=A) for ever", "crash and recover again and again, after prepare"],
        ),
        false,
    ),
    (("liveness/blocking_commit.sts", "a_learns", &["ask for ever, after prepare and crash"]), true),
    (
        (
            "liveness/starvation.sts",
            "all_enter",
            &["pause for ever, after begin", "enter(p), leave(p) and begin(p) again and again, after begin"],
        ),
        false,
    ),
    (("liveness/pinned_address.sts", "reaches", &["connect for ever, after connect and move"]), true),
];

/// A place for one item, with one condition variable for a producer and two consumers: the signal comes before the producer sleeps, or a consumer
/// wakes another consumer instead of the producer.
const CONDITION_VARIABLE: &str = "model condition_variable;
    type Thread = enum { Producer, C1, C2 };
    type Phase = enum { Ready, Decided, Asleep };
    var full : bool;
    var phase : map Thread to Phase;
    init { not full; forall t in Thread: phase[t] = Ready; }
    action look(t: Thread) {
      require phase[t] = Ready and (if t = Producer then full else not full);
      phase'[t] = Decided;
    }
    action sleep(t: Thread) { require phase[t] = Decided; phase'[t] = Asleep; }
    action put {
      require phase[Producer] = Ready and not full and forall t in Thread: phase[t] != Asleep;
      full' = true;
    }
    action put_and_wake(w: Thread) {
      require phase[Producer] = Ready and not full and phase[w] = Asleep;
      full' = true; phase'[w] = Ready;
    }
    action get(t: Thread) {
      require t != Producer and phase[t] = Ready and full and forall u in Thread: phase[u] != Asleep;
      full' = false;
    }
    action get_and_wake(t: Thread, w: Thread) {
      require t != Producer and phase[t] = Ready and full and phase[w] = Asleep;
      full' = false; phase'[w] = Ready;
    }
    action rest {}
    fairness action put; fairness action put_and_wake; fairness action get; fairness action get_and_wake;
    fairness action sleep(t);
    ltl progress: always eventually full;";

fn check_linear(path: &Path, property: &str, expected: &[&str], is_fair: bool) {
    let model = loaded(path, &[]).expect("a model without mistakes");
    let found = model.properties.iter().find(|other| other.name == property);
    let formula = found.and_then(|property| property.linear()).expect("a property of linear time");
    let fairness = if is_fair { Fairness::of_model(&model) } else { Vec::new() };
    let problem = CausalProblem::Linear(LassoProblem { model: &model, formula, fairness: &fairness });
    let parts = problem.parts();
    let (solver, budget) = (Setup { backend: Backend::Cadical, seed: 0 }, Budget::unlimited());
    for bound in [8, 10, 12] {
        let question =
            CausalQuestion { problem, parts: &parts, bound, solver, most: usize::MAX, budget: &budget };
        let tree = CausalTree::new(&question, Backend::Varisat, &mut ());
        let title = |kind: &CausalKind| causal_title(problem, &parts, &tree, kind).line();
        let titles: Vec<String> = tree.kinds.iter().map(title).collect();
        assert_eq!(titles, expected, "{} at {bound}", path.display());
        assert!(tree.ended.is_none() && tree.checked_by.is_some());
    }
}

#[test]
fn kinds_of_infinite_violation_are_those_of_experts() {
    for ((file, property, expected), is_fair) in LINEAR_OF_SPECS {
        check_linear(&Path::new("specs").join(file), property, expected, *is_fair);
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("condition_variable.sts");
    std::fs::write(&path, CONDITION_VARIABLE).expect("written");
    let expected = ["rest for ever, after get and sleep", "rest for ever, after sleep and get_and_wake"];
    check_linear(&path, "progress", &expected, true);
    let Some(data) = std::env::var_os("CLADIST_TEST_DATA") else {
        eprintln!("the models of users are skipped: CLADIST_TEST_DATA is not set");
        return;
    };
    for ((file, property, expected), is_fair) in LINEAR_OF_USERS {
        check_linear(&PathBuf::from(&data).join("models").join(file), property, expected, *is_fair);
    }
}

fn invariant(model: &Model, property: &str) -> Expr {
    let found = model.properties.iter().find(|other| other.name == property);
    found.and_then(|property| property.invariant()).expect("an invariant").clone()
}

fn loaded(path: &Path, set: &[Defence]) -> Option<Model> {
    let overrides: Vec<(String, String)> =
        set.iter().map(|defence| (defence.constant.clone(), defence.value.to_string())).collect();
    load(path, &overrides).model
}

/// The tree with what constants do.
fn tree_of(
    path: &Path,
    property: &str,
    problem: Problem<'_>,
    parts: &ArgumentParts,
    bound: usize,
) -> CausalTree {
    let solver = Setup { backend: Backend::Cadical, seed: 0 };
    let budget = Budget::unlimited();
    let problem = CausalProblem::Invariant(problem);
    let question = CausalQuestion { problem, parts, bound, solver, most: usize::MAX, budget: &budget };
    let mut tree = CausalTree::new(&question, Backend::Cadical, &mut ());
    let change = |set: &[Defence]| {
        let model = loaded(path, set)?;
        let invariant = invariant(&model, property);
        Some((model, ChangedProperty::Invariant(invariant)))
    };
    tree.find_defences(&question, &change);
    tree
}

fn check(path: &Path, property: &str, expected: &[&str]) {
    let model = loaded(path, &[]).expect("a model without mistakes");
    let invariant = invariant(&model, property);
    let problem = Problem::new(&model, &invariant);
    let parts = ArgumentParts::new(problem);
    for bound in [8, 10, 12] {
        let tree = tree_of(path, property, problem, &parts, bound);
        let title =
            |kind: &CausalKind| causal_title(CausalProblem::Invariant(problem), &parts, &tree, kind).line();
        let titles: Vec<String> = tree.kinds.iter().map(title).collect();
        assert_eq!(titles, expected, "{} at {bound}", path.display());
        assert!(tree.ended.is_none() && tree.checked_by.is_some());
    }
}

#[test]
fn kinds_of_specs_are_those_of_experts() {
    for (file, property, expected) in OF_SPECS {
        check(&Path::new("specs").join(file), property, expected);
    }
}

#[test]
fn kinds_of_models_of_new_users_are_those_of_experts() {
    let Some(data) = std::env::var_os("CLADIST_TEST_DATA") else {
        eprintln!("skipped: CLADIST_TEST_DATA is not set");
        return;
    };
    for (file, property, expected) in OF_USERS {
        check(&PathBuf::from(&data).join("models").join(file), property, expected);
    }
}

/// Stopped kinds do not happen: of all traces of the changed model, none with the actions of one of the kind violates the property.
#[test]
fn stopped_kinds_do_not_happen() {
    let path = Path::new("specs/web_shop.sts");
    let model = loaded(path, &[]).expect("a model without mistakes");
    let invariant_of_model = invariant(&model, "consent");
    let problem = Problem::new(&model, &invariant_of_model);
    let parts = ArgumentParts::new(problem);
    let tree = tree_of(path, "consent", problem, &parts, 6);
    let found = tree.defences.as_ref().expect("constants");
    assert_eq!((found.defences.len(), found.ended), (4, None));
    let mut stopped = 0;
    for (number, defence) in found.defences.iter().enumerate() {
        let changed = loaded(path, std::slice::from_ref(defence)).expect("a model without mistakes");
        let invariant = invariant(&changed, "consent");
        let traces = all_traces(&changed, 4, 1_000_000).expect("few");
        let violates = |trace: &&cladist::trace::Trace| {
            let first = cladist::model::eval::first_violation(&changed, &invariant, &trace.moments);
            first.is_some_and(|at| at.steps() == trace.len())
        };
        let words: Vec<Vec<usize>> = traces
            .iter()
            .filter(violates)
            .map(|trace| trace.labels().map(|label| label.action).collect())
            .collect();
        for (kind, stops) in tree.kinds.iter().zip(&found.stopping) {
            let own: Vec<usize> = kind.ways[0].actions();
            let happens = words.contains(&own);
            assert_eq!(stops.contains(&number), !happens, "{defence:?} and {own:?}");
            stopped += usize::from(!happens);
        }
    }
    assert_eq!(stopped, 6);
    for set in &found.sufficient {
        let with: Vec<Defence> = set.iter().map(|&number| found.defences[number].clone()).collect();
        let changed = loaded(path, &with).expect("a model without mistakes");
        let invariant = invariant(&changed, "consent");
        for trace in all_traces(&changed, 4, 1_000_000).expect("few") {
            let first = cladist::model::eval::first_violation(&changed, &invariant, &trace.moments);
            assert_eq!(first, None, "{with:?}");
        }
    }
    assert_eq!(found.sufficient.len(), 2);
}

/// A difficulty, a small model with it, the titles of its kinds, and the kinds that each constant stops.
type SmallCase = (&'static str, &'static str, &'static [&'static str], &'static [&'static [usize]]);

const SMALL: &[SmallCase] = &[
    (
        "a step that is a kind by itself does not keep a constant from stopping another kind",
        "const WAIVES : bool = false;
        const HOLDS : bool = false;
        var bal : -10..10; var pending : 0..3;
        init { bal = 0; pending = 0; }
        action top_up { require pending = 0; bal' = bal + (if HOLDS then 0 else 1); pending' = 1; }
        action charge_back { require pending > 0; bal' = bal - (if HOLDS then 0 else pending); pending' = 0; }
        action fee { require not WAIVES or bal > 0; bal' = bal - 1; }
        invariant safe: bal >= 0;",
        &["fee where bal < 1", "charge_back where bal < pending, after fee"],
        &[&[0], &[1]],
    ),
    (
        "what breaks the property is told apart from what came before",
        "type Order = enum { O1, O2, O3 };
        const IDEMPOTENT : bool = false;
        const CHECKS : bool = false;
        var open : set of Order; var back : map Order to 0..3; var charged : set of Order; var refunded : set of Order;
        init { open = {}; charged = {}; refunded = {}; forall o in Order: back[o] = 0; }
        action pay(o: Order) { require o not in open; open' = open union {o}; }
        action refund(o: Order) {
          require o in open and (IDEMPOTENT => o not in refunded) and (CHECKS => o not in charged);
          refunded' = refunded union {o}; back'[o] = back[o] + 1;
        }
        action chargeback(o: Order) {
          require o in open and o not in charged and (CHECKS => o not in refunded);
          charged' = charged union {o}; back'[o] = back[o] + 1;
        }
        invariant safe: forall o in Order: back[o] <= 1;",
        &["refund(o), after refund(o)", "chargeback(o), after refund(o)", "refund(o), after chargeback(o)"],
        &[&[0], &[1, 2]],
    ),
    (
        "individuals that a step does not read are not told apart, and of several cases of one kind one is an instance",
        "type P = enum { A, B };
        const LOW : bool = true;
        const HIGH : bool = true;
        var n : 0..3; var at : 0..9;
        init { n = 0; at = 5; }
        action hit(p: P) { require n < 3; n' = n + 1; }
        action store(i: 0..9) { require n = 2 and (LOW or i > 2) and (HIGH or i < 7); at' = i; }
        invariant safe: at >= 3 and at <= 6;",
        &["store(i), for instance where i < 3, after hit twice"],
        &[&[]],
    ),
    (
        "orders of steps that do not decide are told apart by constants",
        "type File = enum { Public, Secret };
        const DEEP : bool = false;
        const ATOMIC : bool = false;
        var link : File; var checked : option File; var leaked : bool; var swapped : bool;
        init { link = Public; checked = none; not leaked; not swapped; }
        action swap { link' = Secret; swapped' = true; }
        action check { require checked is none; require DEEP => link = Public; checked' = link; }
        action use {
          require checked is some;
          checked' = none; leaked' = (leaked or (if ATOMIC then checked else link) = Secret);
        }
        invariant safe: not leaked;",
        &["use where link = Secret, after swap and check", "use where link = Secret, after check and swap"],
        &[&[0], &[1]],
    ),
    (
        "a key has its new value",
        "type N = enum { X, Y, Z };
        var bad : map N to bool; var cur : N;
        init { cur = X; forall n in N: not bad[n]; }
        action mark(n: N) { require n != cur; bad'[n] = true; }
        action go(n: N) { cur' = n; }
        invariant safe: not bad[cur];",
        &["go(n) where bad[n], after mark(n)"],
        &[],
    ),
    (
        "a violation in an initial state is one of several kinds",
        "var on : bool; var hot : bool;
        init { not hot or not on; }
        action start { on' = true; }
        action heat { hot' = true; }
        invariant safe: not hot;",
        &["an initial state", "heat"],
        &[],
    ),
    (
        "constants stop a violation together only",
        "const A : bool = false;
        const B : bool = false;
        var boom : bool;
        init { not boom; }
        action hit { require not (A and B); boom' = true; }
        invariant safe: not boom;",
        &["hit"],
        &[&[], &[]],
    ),
    (
        "an absent value is no false one",
        "type N = enum { X, Y, Z };
        var flag : map N to option bool; var z : map N to bool; var wrong : bool;
        init { not wrong; forall n in N: flag[n] = none and not z[n]; }
        action set_flag(n: N, b: bool) { flag'[n] = b; }
        action set_z(n: N) { z'[n] = true; }
        action touch(n: N) { if flag[n] = false or z[n] { wrong' = true; } }
        invariant safe: not wrong;",
        &["touch(n) where flag[n] = false, after set_flag(n, b=false)", "touch(n) where z[n], after set_z(n)"],
        &[],
    ),
    (
        "what a step leaves open is not what its assignments say",
        "type Dir = enum { NS, EW };
        var on : map Dir to bool; var stuck : set of Dir; var asked : set of Dir; var mode : 0..3;
        init { forall d in Dir: not on[d]; stuck = {}; asked = {}; mode = 0; }
        action press(d: Dir) { require asked = {}; asked' = asked union {d}; }
        action jam(d: Dir) { stuck' = stuck union {d}; }
        action start(d: Dir) { require d in asked; mode' in 1..2; if d not in stuck { asked' = asked minus {d}; } }
        action again(d: Dir) { require d in asked and mode > 0; on'[d] = true; }
        invariant safe: forall d in Dir: not on[d];",
        &["again(d), after press(d), jam(d) and start(d)", "again(d), after start and press(d)"],
        &[],
    ),
    (
        "a named value that matters in an earlier step makes the same actions another kind",
        "type Pay = enum { Shop, Me };
        var pool : option Pay; var sent : bool; var chain : option Pay;
        init { pool = none; not sent; chain = none; }
        action submit(x: Pay) { require pool is none; pool' = x; }
        action bump { require pool = Shop; pool' = Me; }
        action ship { sent' = true; }
        action mine { require pool is some; chain' = pool; }
        invariant safe: not (sent and chain = Me);",
        &[
            "mine where sent and pool = Me, after submit(x=Me) and ship",
            "ship where chain = Me, after mine",
            "mine where sent and pool = Me, after bump and ship",
        ],
        &[],
    ),
    (
        "a named value that makes no difference is not told",
        "type Way = enum { Idle, Up, Down };
        var open : bool; var blocked : bool; var shut : bool; var floor : 0..1; var way : Way;
        init { not open; not blocked; shut; floor = 0; way = Idle; }
        action button { require way = Idle; open' = true; shut' = false; }
        action block { require open; blocked' = true; }
        action close { shut' = true; if not blocked { open' = false; } }
        action start(w: Way) {
          require shut and way = Idle and w != Idle and (w = Up => floor < 1) and (w = Down => floor > 0);
          way' = w;
        }
        action arrive { require way != Idle; floor' = if way = Up then 1 else 0; way' = Idle; }
        invariant safe: way != Idle => not open;",
        &["start where open, after block"],
        &[],
    ),
    (
        "comparisons that an equality decides are not told",
        "type P = enum { A, B };
        var at : map P to 0..2; var n : 0..9; var big : bool;
        init { forall p in P: at[p] = 0; n = 1; not big; }
        action go(p: P) { at'[p] = 1; }
        action up { n' = n + 1; }
        action pour { require n > 0; big' = if n + n >= 2 then n + n = 4 else big; }
        invariant safe: not (at[A] = 0 and at[B] = 1) and not big;",
        &["go(p) where at[A] = 0 and p = B", "pour, for instance where n + n = 4, after up"],
        &[],
    ),
    (
        "a number within a value that equals another number by chance is another individual",
        "type Who = enum { Me, You }; type Id = 1..3; type Token = record { by: Who, number: Id };
        var runs : set of Id; var known : set of Token; var used : bool;
        init { runs = {}; known = {}; not used; }
        action start(run: Id) { runs' = runs union { run }; }
        action learn(t: Token) { known' = known union { t }; }
        action use(run: Id, t: Token) { require run in runs and t in known and t.by = You; used' = true; }
        invariant safe: not used;",
        &["use(run, t.by=You, t.number), after start(run) and learn(t.by=You, t.number)"],
        &[],
    ),
    (
        "constants stop different ways to one deciding step",
        "const GUARD : bool = false; const SEAL : bool = false;
        type Thief = enum { T1, T2 };
        var key : bool; var mould : bool; var has : set of Thief; var open : bool;
        init { key = false; mould = false; has = {}; open = false; }
        action steal { require not GUARD; key' = true; }
        action copy { require not SEAL; mould' = true; }
        action make(t: Thief) { require key or mould; has' = has union { t }; }
        action enter(t: Thief) { require t in has; open' = true; }
        invariant safe: not open;",
        &["enter(t), after steal and make(t)", "enter(t), after copy and make(t)"],
        &[&[0], &[1]],
    ),
    (
        "individuals have to differ in one kind and are the same in another one",
        "const STORED : bool = false; const OWN_KEYS : bool = false;
        type Station = enum { S1, S2 };
        var key : map Station to 1..2; var counter : map Station to 0..3;
        var used : map 1..2 to set of 0..3; var reused : bool;
        init {
          key[S1] = 1; key[S2] = (if OWN_KEYS then 2 else 1);
          counter = map s in Station: 0; used = map k in 1..2: {}; reused = false;
        }
        action send(s: Station) {
          used'[key[s]] = used[key[s]] union { counter[s] };
          if counter[s] in used[key[s]] { reused' = true; }
          counter'[s] = counter[s] + 1;
        }
        action restart(s: Station) { if not STORED { counter'[s] = 0; } }
        invariant safe: not reused;",
        &[
            "send(s) where counter[s] in used[key[s]], after send(s=other)",
            "send(s) where counter[s] in used[key[s]], after send(s) and restart(s)",
        ],
        &[&[1], &[0]],
    ),
    (
        "a condition has alternatives beside another part",
        "var x : 0..3; var y : 0..3; var z : 0..3; var s : set of 0..3;
        init { x = 0; y = 1; z = 0; s = {}; }
        action sety(n: 0..3) { y' = n; }
        action setz(n: 0..3) { z' = n; }
        action go { if z = 1 { x' = y; s' = s union { z }; } }
        invariant safe: x not in s;",
        &["go, for instance where z = 1 and (y in s or y = z), after setz"],
        &[],
    ),
];

#[test]
fn small_models_with_a_difficulty_have_their_kinds() {
    let folder = tempfile::tempdir().expect("a folder");
    for (difficulty, text, expected, stopped) in SMALL {
        let path = folder.path().join("small.sts");
        std::fs::write(&path, format!("model small;\n{text}\n")).expect("written");
        let model = loaded(&path, &[]).unwrap_or_else(|| panic!("mistakes: {difficulty}"));
        let invariant = invariant(&model, "safe");
        let problem = Problem::new(&model, &invariant);
        let parts = ArgumentParts::new(problem);
        let tree = tree_of(&path, "safe", problem, &parts, 6);
        let title =
            |kind: &CausalKind| causal_title(CausalProblem::Invariant(problem), &parts, &tree, kind).line();
        let titles: Vec<String> = tree.kinds.iter().map(title).collect();
        assert_eq!(titles, *expected, "{difficulty}");
        let stops = |number: usize| -> Vec<usize> {
            let found = tree.defences.as_ref().expect("constants");
            (0..tree.kinds.len()).filter(|&kind| found.stopping[kind].contains(&number)).collect()
        };
        let all: Vec<Vec<usize>> = (0..stopped.len()).map(stops).collect();
        assert_eq!(all, *stopped, "{difficulty}");
        if let Some(found) = &tree.defences {
            assert_eq!(found.sufficient, [[0, 1]], "{difficulty}");
        }
    }
}

/// A model with a property of linear time, the kinds that each constant stops, and the smallest sets that stop all.
type LinearDefences =
    (&'static str, &'static str, bool, &'static [&'static [usize]], &'static [&'static [usize]]);

const LINEAR_DEFENCES: &[LinearDefences] = &[
    ("starvation.sts", "p_enters", true, &[&[0]], &[&[0]]),
    ("starvation.sts", "p_enters", false, &[&[1]], &[]),
    ("pinned_address.sts", "reaches", true, &[&[0]], &[&[0]]),
    ("blocking_commit.sts", "a_learns", true, &[&[0]], &[&[0]]),
    ("blocking_commit.sts", "a_learns", false, &[&[1]], &[]),
];

#[test]
fn constants_stop_kinds_of_infinite_violation() {
    for (file, property, is_fair, stopped, sufficient) in LINEAR_DEFENCES {
        let path = Path::new("specs/liveness").join(file);
        let change = |set: &[Defence]| {
            let model = loaded(&path, set)?;
            let found = model.properties.iter().find(|other| other.name == *property);
            let formula =
                found.and_then(|property| property.linear()).expect("a property of linear time").clone();
            let fairness = if *is_fair { Fairness::of_model(&model) } else { Vec::new() };
            Some((model, ChangedProperty::Linear(formula, fairness)))
        };
        let (model, linear) = change(&[]).expect("a model without mistakes");
        let problem = linear.of(&model);
        let parts = problem.parts();
        let (solver, budget) = (Setup { backend: Backend::Cadical, seed: 0 }, Budget::unlimited());
        let question =
            CausalQuestion { problem, parts: &parts, bound: 8, solver, most: usize::MAX, budget: &budget };
        let mut tree = CausalTree::new(&question, Backend::Cadical, &mut ());
        tree.find_every_length(&question, 30_000);
        assert!(
            matches!(tree.every_length, Some(EveryTrace::Covered { .. })),
            "{file}: {:?}",
            tree.every_length
        );
        tree.find_defences(&question, &change);
        let found = tree.defences.as_ref().expect("constants");
        let stops = |number: usize| -> Vec<usize> {
            (0..tree.kinds.len()).filter(|&kind| found.stopping[kind].contains(&number)).collect()
        };
        let all: Vec<Vec<usize>> = (0..found.defences.len()).map(stops).collect();
        assert_eq!(all, *stopped, "{file}, fair: {is_fair}");
        assert_eq!(found.sufficient, *sufficient, "{file}, fair: {is_fair}");
    }
}

/// Of very many kinds those that are left out are known by their deciding steps, and the result is complete all the same.
#[test]
fn very_many_kinds_are_complete() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("many.sts");
    let text = "model many;
        type N = 0..63;
        var a : option N; var b : option N; var boom : bool; var fired : bool;
        init { a = none; b = none; not boom; not fired; }
        action zap(b1: bool, b2: bool, b3: bool, b4: bool, b5: bool, b6: bool, b7: bool) {
          require b1 = (b2 = (b3 = (b4 = (b5 = (b6 = b7)))));
          boom' = true;
        }
        action set_a(x: N) { a' = x; }
        action set_b(y: N) { b' = y; }
        action fire(q: N, p: N) { if a = p and b = q { fired' = true; } }
        action detonate { require fired; boom' = true; }
        invariant safe: not boom;";
    std::fs::write(&path, text).expect("written");
    let model = loaded(&path, &[]).expect("a model without mistakes");
    let invariant = invariant(&model, "safe");
    let problem = Problem::new(&model, &invariant);
    let tree = tree_of(&path, "safe", problem, &ArgumentParts::new(problem), 5);
    assert_eq!((tree.narrowed_from, tree.complete_to, tree.ended), (Some(1), Some(5), None));
    assert!(tree.kinds.len() > 64 && tree.checked_by.is_some());
}
