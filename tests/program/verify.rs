//! `cladist verify`: what the program stores is accepted, what was changed afterwards is refused.

use itertools::Itertools;
use serde_json::{Value as Json, json};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

pub const ROOT: &str = env!("CARGO_MANIFEST_DIR");

pub fn cladist(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_cladist")).current_dir(ROOT).args(args).output().expect("runs")
}

const CVC5: &str = "cvc5 --lang smt2 --bitblast=eager";

/// The commands of the SMT solvers that are installed.
pub fn solvers() -> Vec<&'static str> {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&folders).collect();
    let is_there = |command: &&str| {
        let program = command.split(' ').next().expect("a word");
        folders.iter().any(|folder| folder.join(program).is_file())
    };
    let found: Vec<&str> = ["z3 -in", "yices-smt2", CVC5].into_iter().filter(is_there).collect();
    if found.is_empty() {
        eprintln!("skipped: none of z3, yices-smt2 and cvc5 is in PATH");
    }
    found
}

/// Stores the result of a command line.
pub fn stored(folder: &Path, args: &[&str]) -> PathBuf {
    let output = cladist(&[args, &["--json"]].concat());
    let file = folder.join("result.json");
    assert!(output.stdout.starts_with(b"{"), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    std::fs::write(&file, &output.stdout).expect("written");
    file
}

/// The exit code of verifying a file, and what is printed.
pub fn verify(file: &Path, args: &[&str], solvers: &[&str]) -> (i32, String) {
    let mut line = vec!["verify", file.to_str().expect("UTF-8")];
    line.extend(solvers.iter().flat_map(|solver| ["--solver", solver]));
    line.extend(args);
    let output = cladist(&line);
    let text = [output.stdout, output.stderr].concat();
    (output.status.code().expect("a code"), String::from_utf8_lossy(&text).into_owned())
}

/// The models of `specs/` with the bounds of their classifications: at the first one the invariants that can be violated are.
/// cvc5 takes far longer than the other solvers for some of them, and verifies results of the second bound.
const MODELS: &[(&str, &str, &str)] = &[
    ("specs/dining_philosophers.sts", "4", "3"),
    ("specs/increment_decrement.sts", "5", "5"),
    ("specs/lossy_link.sts", "7", "7"),
    ("specs/mutex.sts", "6", "6"),
    ("specs/ns_public_key.sts", "8", "6"),
    ("specs/ns_sessions.sts", "6", "5"),
    ("specs/ns_symmetric.sts", "8", "6"),
    ("specs/primary_backup.sts", "5", "5"),
    ("specs/remote_call.sts", "7", "7"),
    ("specs/replay_window.sts", "6", "5"),
    ("specs/ring_election.sts", "5", "5"),
    ("specs/running_example.sts", "5", "5"),
    ("specs/tcp_handshake.sts", "4", "4"),
    ("specs/spin_lock.sts", "5", "4"),
    ("specs/token_ring.sts", "5", "5"),
    ("specs/two_phase_commit.sts", "7", "5"),
    ("specs/vote.sts", "8", "8"),
    ("specs/web_shop.sts", "4", "4"),
    ("specs/paper/ns_public_key.sts", "5", "4"),
    ("specs/paper/ns_symmetric.sts", "5", "4"),
    ("specs/paper/public_channel.sts", "6", "6"),
    ("specs/paper/tcp.sts", "6", "5"),
];

/// What was refunded before is forgotten.
const REFUND: &str = "model refund;
    var paid     : int;
    var refunded : int;
    init { paid >= 0; refunded = 0; }
    action refund(amount: int) {
      require amount > 0 and amount <= paid;
      refunded' = refunded + amount;
    }
    invariant covered: refunded <= paid;
    pred twice(i: pos, j: pos) = i < j and refund.amount@i + refund.amount@j > paid@j;
    vocabulary v = { twice };
";

/// A classification by an SMT solver, of a model with integers without bounds.
#[test]
fn what_an_smt_solver_classified_is_accepted() {
    // As many bits as such integers have take cvc5 too long.
    let solvers = ["z3 -in"];
    if !self::solvers().contains(&solvers[0]) {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let model = folder.path().join("refund.sts");
    std::fs::write(&model, REFUND).expect("written");
    let model = model.to_str().expect("UTF-8");
    let file = stored(folder.path(), &["classify", model, "-k", "2", "--solver", "z3 -in"]);
    let (code, text) = verify(&file, &[], &solvers);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("accepted") && text.contains("class-1-sufficient"), "{text}");
}

/// Models without an invariant, of which nothing can be classified.
const WITHOUT: &[&str] = &[
    "specs/musical_chairs.sts",
    "specs/mutual_exclusion.sts",
    "specs/reliable_data_transfer.sts",
    "specs/three_states.sts",
    "specs/traffic_lights.sts",
];

#[test]
fn every_model_has_a_bound() {
    let mut missing = Vec::new();
    for folder in ["specs", "specs/paper"] {
        for entry in std::fs::read_dir(Path::new(ROOT).join(folder)).expect("a folder") {
            let name = format!("{folder}/{}", entry.expect("an entry").file_name().to_string_lossy());
            let known = MODELS.iter().any(|(model, ..)| *model == name) || WITHOUT.contains(&name.as_str());
            if name.ends_with(".sts") && !known {
                missing.push(name);
            }
        }
    }
    assert!(missing.is_empty(), "{missing:?}");
}

/// Verifies the results of these models by the solvers in turn; with `CLADIST_CASES` above 1, all by all.
fn results_are_accepted<'m>(models: impl Iterator<Item = &'m (&'m str, &'m str, &'m str)>) {
    let solvers = solvers();
    if solvers.is_empty() {
        return;
    }
    let all_by_all =
        std::env::var("CLADIST_CASES").is_ok_and(|times| times.parse::<f64>().is_ok_and(|t| t > 1.0));
    let mut verdicts = Vec::new();
    let mut turn = solvers.iter().cycle();
    let temporary = tempfile::tempdir().expect("a folder");
    for (model, bound, bound_for_cvc5) in models {
        let loaded = cladist::model::load(&Path::new(ROOT).join(model), &[]).model.expect("no mistakes");
        let names = loaded.vocabularies.iter().map(|vocabulary| vocabulary.name.as_str());
        let vocabularies: Vec<&str> = names.chain(loaded.vocabularies.is_empty().then_some("auto")).collect();
        for property in loaded.properties.iter().filter(|property| property.invariant().is_some()) {
            for vocabulary in &vocabularies {
                let asked = if all_by_all { solvers.len() } else { 1 };
                let solvers = turn.by_ref().take(asked);
                let bound_for = |solver: &&str| if *solver == CVC5 { bound_for_cvc5 } else { bound };
                for (bound, solvers) in solvers.map(|solver| (bound_for(solver), solver)).into_group_map() {
                    let args = ["classify", model, "-p", &property.name, "-V", vocabulary, "-k", bound];
                    let file = stored(temporary.path(), &args);
                    for solver in solvers {
                        let (code, text) = verify(&file, &["--timeout", "100"], &[solver]);
                        assert_eq!(code, 0, "{args:?}\n{text}");
                    }
                    let result: Json =
                        serde_json::from_slice(&std::fs::read(&file).expect("a file")).expect("JSON");
                    verdicts.push(result["verdict"].as_str().expect("a text").to_owned());
                }
            }
        }
    }
    for verdict in ["complete", "holds", "too_weak"] {
        assert!(verdicts.iter().any(|found| found == verdict), "{verdict}: {verdicts:?}");
    }
}

// Three tests, so that they run side by side.
#[test]
fn every_result_of_the_first_models_is_accepted() {
    results_are_accepted(MODELS.iter().step_by(3));
}

#[test]
fn every_result_of_the_second_models_is_accepted() {
    results_are_accepted(MODELS.iter().skip(1).step_by(3));
}

#[test]
fn every_result_of_the_third_models_is_accepted() {
    results_are_accepted(MODELS.iter().skip(2).step_by(3));
}

#[test]
fn options_change_what_has_to_be_so() {
    let shop = ["classify", "specs/web_shop.sts", "-V", "own", "-k", "4"];
    let cases: &[Case<'_>] = &[
        (&["classify", "specs/running_example.sts", "-k", "4", "--exact"], 0, ""),
        (&["classify", "specs/paper/tcp.sts", "-k", "8", "--exact"], 0, ""),
        (
            &["classify", "specs/increment_decrement.sts", "-V", "all", "-k", "6", "--keep-redundant"],
            0,
            "-redundant",
        ),
        (&["classify", "specs/running_example.sts", "-k", "4", "--max-classes", "1"], 0, "unclassified"),
        (&[&shop[..], &["--cover"]].concat(), 0, "combination-1"),
        (&[&shop[..], &["--necessary"]].concat(), 0, "always-1"),
        (&[&shop[..], &["--tree"]].concat(), 0, "class-2-kinds"),
        (&[&shop[..], &["--set", "XSS=false"]].concat(), 0, ""),
        (&[&shop[..], &["--within", "2"]].concat(), 0, "within"),
        (&[&shop[..], &["--omit", "paid"]].concat(), 5, "--omit"),
        (&["classify", "tests/cli/codes.sts", "-V", "auto", "-k", "5"], 0, "class-2-sufficient"),
        (&["classify", "specs/mutex.sts", "--set", "FIXED=true", "--unbounded"], 5, "stores no certificate"),
        (
            &["classify", "specs/protocols/needham-schroeder-public-key.spdl", "--claim", "B1", "-k", "5"],
            0,
            "",
        ),
        (&["check", "specs/mutex.sts", "-k", "7", "-p", "exclusion"], 0, "shortest-exclusion"),
        (&["check", "specs/mutex.sts", "-k", "4", "-p", "exclusion"], 0, "holds-exclusion"),
        (
            &["check", "specs/token_ring.sts", "--unbounded", "--proof", "ic3"],
            0,
            "every-length-exclusion-inductive",
        ),
        (
            &[
                "check",
                "specs/mutex.sts",
                "-p",
                "exclusion",
                "--set",
                "FIXED=true",
                "--unbounded",
                "--proof",
                "k-induction",
            ],
            0,
            "every-length-exclusion-inductive",
        ),
        (&["check", "specs/token_ring.sts", "--unbounded"], 5, "leaves no certificate"),
        // A violation after more steps than the bound, and no proof within the time.
        (&["check", "specs/mutex.sts", "--unbounded", "-k", "3", "-p", "exclusion"], 0, "shortest-exclusion"),
        (
            &[
                "check",
                "specs/ring_election.sts",
                "--unbounded",
                "-k",
                "2",
                "--proof",
                "k-induction",
                "--timeout",
                "500ms",
            ],
            0,
            "holds-",
        ),
    ];
    are_decided(cases);
}

#[test]
fn results_about_infinite_traces_have_obligations_of_their_own() {
    let cases: &[Case<'_>] = &[
        (&["check", "specs/liveness/starvation.sts", "-p", "p_enters", "-k", "6"], 0, "shortest-p_enters"),
        (&["check", "specs/liveness/starvation.sts", "-p", "p_enters", "-k", "4"], 0, "holds-p_enters"),
        (
            &["classify", "specs/liveness/pinned_address.sts", "-V", "labels", "-k", "6"],
            0,
            "class-1-needed-3",
        ),
        (
            &[
                "classify",
                "specs/liveness/pinned_address.sts",
                "-V",
                "labels",
                "-k",
                "5",
                "--ignore-fairness",
            ],
            0,
            "class-2-needed-5",
        ),
        (
            &["check", "specs/liveness/starvation.sts", "-p", "p_enters", "-k", "6", "--ignore-fairness"],
            0,
            "violated-p_enters",
        ),
        (
            &[
                "check",
                "specs/liveness/starvation.sts",
                "-p",
                "p_enters",
                "--unbounded",
                "--set",
                "TURN=true",
            ],
            5,
            "leaves no certificate",
        ),
    ];
    are_decided(cases);
}

/// A command line, the exit code of `verify` for its result, and what is printed.
type Case<'a> = (&'a [&'a str], i32, &'a str);

fn are_decided(cases: &[Case<'_>]) {
    let solvers = solvers();
    if solvers.is_empty() {
        return;
    }
    let temporary = tempfile::tempdir().expect("a folder");
    for (args, expected, part) in cases {
        let file = stored(temporary.path(), args);
        let (code, text) = verify(&file, &["--timeout", "100"], &solvers[..1]);
        assert!(code == *expected && text.contains(part), "{args:?}: {code}\n{text}");
    }
}

/// A change to a result, what it is, and the obligation that fails.
type Mutation = (&'static str, fn(&mut Json), &'static str);

fn class(result: &mut Json, index: usize) -> &mut Json {
    &mut result["classes"][index]
}

fn remove(list: &mut Json, index: usize) {
    list.as_array_mut().expect("a list").remove(index);
}

fn swap_traces(result: &mut Json, one: &str, other: &str) {
    let found = result["classes"][1][other].clone();
    result["classes"][0][one] = found;
}

/// Of `specs/running_example.sts` with the vocabulary `messages`, whose two classes are found with up to four steps.
const MUTATIONS: &[Mutation] = &[
    ("a fact is dropped from the facts", |r| remove(&mut class(r, 0)["facts"], 0), "class-1-texts"),
    (
        "a fact is dropped everywhere",
        |r| {
            let class = class(r, 1);
            remove(&mut class["facts"], 0);
            remove(&mut class["formula"]["facts"], 0);
            let kept: Vec<String> = class["facts"]
                .as_array()
                .expect("facts")
                .iter()
                .map(|f| f["text"].as_str().expect("a text").to_owned())
                .collect();
            let before =
                class["constraint"].as_str().expect("a text").split(" : ").next().expect("it").to_owned();
            class["constraint"] = json!(format!(
                "{before} : {}",
                if kept.is_empty() { "true".into() } else { kept.join(" ∧ ") }
            ));
        },
        "class-2-sufficient",
    ),
    ("a class is dropped", |r| remove(&mut r["classes"], 1), "complete"),
    ("a class is called redundant", |r| class(r, 1)["redundant"] = json!(true), "class-2-redundant"),
    (
        "a class is shown twice",
        |r| {
            let copy = class(r, 0).clone();
            *class(r, 1) = copy;
            class(r, 1)["id"] = json!(2);
        },
        "class-1-alone",
    ),
    (
        "the numbers of classes are exchanged",
        |r| {
            class(r, 0)["id"] = json!(2);
            class(r, 1)["id"] = json!(1);
        },
        "document",
    ),
    (
        "the fact of a formula is weaker",
        |r| class(r, 0)["formula"]["facts"][0]["holds"] = json!("true"),
        "class-1-texts",
    ),
    ("the text of a fact is another", |r| class(r, 0)["facts"][0]["text"] = json!("i < i"), "class-1-texts"),
    (
        "the constraint is another",
        |r| class(r, 0)["constraint"] = json!("∃ i ∈ [0..len(ρ)] : true"),
        "class-1-texts",
    ),
    (
        "a formula is no formula",
        |r| class(r, 0)["formula"]["facts"][0]["holds"] = json!("nobody@i = 3"),
        "class-1",
    ),
    (
        "a formula brings more along",
        |r| class(r, 0)["formula"]["facts"][0]["holds"] = json!("true; pred more(i: pos) = true"),
        "class-1",
    ),
    (
        "the trace of a class is another one",
        |r| swap_traces(r, "representative", "representative"),
        "class-1-trace",
    ),
    ("a position is another", |r| class(r, 0)["positions"]["i"] = json!(0), "class-1-trace"),
    (
        "a label of a trace is another",
        |r| class(r, 0)["representative"]["states"][1]["label"]["text"] = json!("nothing"),
        "class-1-trace",
    ),
    (
        "a step of a trace is missing",
        |r| {
            remove(&mut class(r, 0)["canonical"]["states"], 1);
            let n = class(r, 0)["canonical"]["steps"].as_u64().expect("n");
            class(r, 0)["canonical"]["steps"] = json!(n - 1);
        },
        "class-1-alone",
    ),
    (
        "a trace goes on after the violation",
        |r| {
            let trace = &mut class(r, 0)["representative"];
            let last = trace["states"].as_array().expect("states").last().expect("one").clone();
            trace["states"].as_array_mut().expect("states").push(last);
            let n = trace["steps"].as_u64().expect("n");
            trace["steps"] = json!(n + 1);
        },
        "class-1-trace",
    ),
    (
        "the trace of another class is canonical",
        |r| swap_traces(r, "canonical", "canonical"),
        "class-1-alone",
    ),
    (
        "a witness violates the property",
        |r| {
            let trace = class(r, 0)["representative"].clone();
            class(r, 0)["facts"][0]["needed"] = trace;
        },
        "class-1-needed-1",
    ),
    (
        "the number of steps of a trace is another",
        |r| class(r, 0)["representative"]["steps"] = json!(77),
        "class-1-trace",
    ),
    ("the lengths are meant otherwise", |r| r["lengths"] = json!("exactly"), "class-1-trace"),
    (
        "violated becomes holds",
        |r| {
            r["verdict"] = json!("holds");
            r["classes"] = json!([]);
            r["necessary_facts"] = Json::Null;
        },
        "holds",
    ),
    ("complete becomes proved", |r| r["verdict"] = json!("complete_unbounded"), "document"),
    ("complete becomes holds", |r| r["verdict"] = json!("holds"), "document"),
    ("the property is another", |r| r["property"] = json!("something"), "document"),
    ("the model is another", |r| r["model"] = json!("something"), "document"),
    ("a constant is made up", |r| r["constants"]["N"] = json!(3), "document"),
    (
        "what all violations have is made up",
        |r| {
            let formula =
                json!({"parameters": [{"name": "i", "type": "pos"}], "facts": [{"holds": "i > 2"}]});
            r["necessary_facts"]["always"] =
                json!([{"constraint": "∃ i ∈ [0..len(ρ)] : i > 2", "formula": formula, "telling": true}]);
        },
        "always-1",
    ),
    (
        "what no violation has is made up",
        |r| {
            let formula =
                json!({"parameters": [{"name": "i", "type": "pos"}], "facts": [{"holds": "i > 2"}]});
            r["necessary_facts"]["never"] =
                json!([{"constraint": "∃ i ∈ [0..len(ρ)] : i > 2", "formula": formula, "telling": true}]);
        },
        "never-1",
    ),
];

fn proof(method: &str, k: Option<u32>, invariant: &[&str]) -> Json {
    json!({
        "method": method, "states": null, "visited": null, "symmetric": [], "k": k, "invariant": invariant,
        "checked_by": "cadical",
    })
}

/// Of a check of `specs/mutex.sts` with up to five steps, after one step less than it takes to violate the property.
const OF_A_CHECK: &[Mutation] = &[
    ("the bound is raised", |r| r["bound"] = json!(9), "holds-exclusion"),
    (
        "nothing is known becomes much",
        |r| r["properties"][0]["proof"] = proof("ic3", None, &["true"]),
        "every-length-exclusion-safe",
    ),
    (
        "it holds after one state that is good",
        |r| r["properties"][0]["proof"] = proof("k_induction", Some(1), &[]),
        "every-length-exclusion-inductive",
    ),
    (
        "holds becomes violated",
        |r| {
            r["verdict"] = json!("violated");
            r["properties"][0]["verdict"] = json!("violated");
        },
        "violated-exclusion",
    ),
    ("the verdict alone is another", |r| r["verdict"] = json!("violated"), "document"),
    ("one property was not examined", |r| r["properties"][0]["verdict"] = json!("types_only"), "document"),
    (
        "much was found out before the time ran out",
        |r| {
            r["verdict"] = json!("undecided");
            let property = &mut r["properties"][0];
            property["verdict"] = json!("undecided");
            (property["reason"], property["depth"]) = (json!("time"), json!(1000));
        },
        "document",
    ),
    (
        "more was found out than is so",
        |r| {
            (r["verdict"], r["bound"]) = (json!("undecided"), json!(9));
            let property = &mut r["properties"][0];
            property["verdict"] = json!("undecided");
            (property["reason"], property["depth"]) = (json!("time"), json!(7));
        },
        "depth-exclusion",
    ),
];

/// Of a classification of `specs/mutex.sts` without counterexample within the bound.
const OF_NONE: &[Mutation] = &[(
    "much was found out before the time ran out",
    |r| {
        (r["verdict"], r["reason"]) = (json!("undecided"), json!("time"));
        (r["depth"], r["horizon"]) = (json!(1000), Json::Null);
    },
    "document",
)];

/// Of a classification of traces of one length.
const OF_ONE_LENGTH: &[Mutation] = &[(
    "longer traces were looked at",
    |r| r["horizon"] = json!({ "steps": 6, "sufficient_up_to": 6, "uncovered": null }),
    "document",
)];

/// Of `specs/liveness/starvation.sts` without fairness: nobody moves any more, or the other one enters again and again.
const OF_INFINITE_TRACES: &[Mutation] = &[
    ("a class is dropped", |r| remove(&mut r["classes"], 1), "complete"),
    (
        "a class is shown twice",
        |r| {
            let copy = class(r, 0).clone();
            *class(r, 1) = copy;
            class(r, 1)["id"] = json!(2);
        },
        "class-1-alone",
    ),
    ("fairness is left out", |r| r["ignore_fairness"] = json!(false), "document"),
    (
        "fairness is that of the model",
        |r| {
            r["ignore_fairness"] = json!(false);
            r["fairness"] = json!(4);
        },
        "class-1-trace",
    ),
    ("a condition of fairness is made up", |r| r["fair"] = json!(["nothing"]), "document"),
    ("the loop begins elsewhere", |r| class(r, 0)["representative"]["loop"] = json!(0), "class-1-trace"),
    (
        "there is no loop",
        |r| {
            class(r, 0)["representative"].as_object_mut().expect("a trace").remove("loop");
        },
        "class-1-trace",
    ),
    (
        "the trace of a class is another one",
        |r| swap_traces(r, "representative", "representative"),
        "class-1-trace",
    ),
    ("the canonical trace is another one", |r| swap_traces(r, "canonical", "canonical"), "class-1-alone"),
    (
        "what is needed is shown by a violation",
        |r| class(r, 0)["needed"][0]["trace"] = class(r, 0)["representative"].clone(),
        "class-1-needed-1",
    ),
    ("a reason why a part is needed is missing", |r| remove(&mut class(r, 1)["needed"], 0), "class-2-needed"),
    (
        "a fact happens again and not for ever",
        |r| class(r, 0)["formula"]["facts"][0]["when"] = json!("again"),
        "class-1-texts",
    ),
    (
        "a fact happens again and not for ever, as it says",
        |r| {
            let class = class(r, 0);
            class["formula"]["facts"][0]["when"] = json!("again");
            class["facts"][0]["when"] = json!("again");
            class["facts"][0]["text"] = json!("again standstill");
            class["constraint"] = json!("again standstill");
        },
        "class-1-sufficient",
    ),
    (
        "something fails that holds",
        |r| class(r, 0)["formula"]["facts"][0]["at"][0][0]["holds"] = json!(false),
        "class-1-texts",
    ),
    (
        "a formula is about another position",
        |r| class(r, 0)["formula"]["facts"][0]["at"][0][0]["text"] = json!("t > 1"),
        "class-1",
    ),
    (
        "a formula is none",
        |r| class(r, 0)["formula"]["facts"][0]["at"][0][0]["text"] = json!("nobody@t = 3"),
        "class-1",
    ),
    ("the bound is raised", |r| r["bound"] = json!(0), "document"),
    (
        "violated becomes holds",
        |r| {
            r["verdict"] = json!("holds");
            r["classes"] = json!([]);
        },
        "holds",
    ),
    ("complete becomes proved", |r| r["verdict"] = json!("complete_unbounded"), "document"),
    ("the property is another", |r| r["property"] = json!("exclusion"), "document"),
];

/// Of `specs/liveness/pinned_address.sts`: connecting, and moving after that.
const IN_ORDER: &[Mutation] = &[
    (
        "what comes first is not said",
        |r| {
            let class = class(r, 0);
            class["constraint"] = json!("∃ i, j : action@i = connect ∧ action@j = move");
            class["facts"][0]["text"] = json!("action@i = connect ∧ action@j = move");
        },
        "class-1-texts",
    ),
    (
        "both positions have one name",
        |r| {
            let class = class(r, 0);
            class["constraint"] = json!("∃ i, i : action@i = connect ∧ action@i = move ∧ i < i");
            class["facts"][0]["text"] = json!("action@i = connect ∧ action@i = move ∧ i < i");
        },
        "class-1-texts",
    ),
    (
        "a fact says nothing",
        |r| {
            let class = class(r, 0);
            let mut more = class["facts"][0].clone();
            (more["when"], more["text"]) = (json!("forever"), json!("forever "));
            class["facts"].as_array_mut().expect("facts").push(more);
            let nothing = json!({ "when": "forever", "at": [[]] });
            class["formula"]["facts"].as_array_mut().expect("facts").push(nothing);
            let longer = format!("{} ∧ forever ", class["constraint"].as_str().expect("a text"));
            class["constraint"] = json!(longer);
        },
        "class-1-texts",
    ),
    (
        "the second comes first",
        |r| {
            let class = class(r, 0);
            class["formula"]["facts"][0]["at"].as_array_mut().expect("positions").reverse();
            class["constraint"] = json!("∃ i, j : action@i = move ∧ action@j = connect ∧ i < j");
            class["facts"][0]["text"] = json!("action@i = move ∧ action@j = connect ∧ i < j");
        },
        "class-1-sufficient",
    ),
];

/// Of a check of `specs/liveness/starvation.sts` with up to six steps and without fairness.
const OF_AN_INFINITE_TRACE: &[Mutation] = &[
    ("fairness is that of the model", |r| r["fairness"]["ignored"] = json!(false), "violated-p_enters"),
    ("a condition is made up", |r| r["fairness"]["fair"] = json!(["nothing"]), "decided-p_enters"),
    (
        "the loop begins elsewhere",
        |r| r["properties"][0]["counterexample"]["loop"] = json!(0),
        "violated-p_enters",
    ),
    (
        "violated becomes holds",
        |r| {
            r["verdict"] = json!("holds");
            r["properties"][0]["verdict"] = json!("holds");
        },
        "holds-p_enters",
    ),
];

/// Of `tests/cli/codes.sts` with predicates that the model lacks.
const OF_ADDED_PREDICATES: &[Mutation] = &[
    (
        "an added predicate is true everywhere",
        |r| {
            let first = &mut r["chosen"]["predicates"][0];
            let text = first.as_str().expect("a text");
            *first = json!(text.replace(" = exists", " = t1 < t2 or exists"));
        },
        "class-1-sufficient",
    ),
    (
        "an added predicate has another title",
        |r| {
            let first = &mut r["chosen"]["predicates"][0];
            *first = json!(first.as_str().expect("a text").replace("/// inject", "/// reject"));
        },
        "class-1-texts",
    ),
];

/// Every change of a stored result is refused because of the obligation that it breaks.
fn are_refused(args: &[&str], mutations: &[Mutation], solver: &str) {
    let temporary = tempfile::tempdir().expect("a folder");
    let file = stored(temporary.path(), args);
    let (code, text) = verify(&file, &[], &[solver]);
    assert_eq!(code, 0, "{text}");
    let original: Json = serde_json::from_slice(&std::fs::read(&file).expect("a file")).expect("JSON");
    for (what, mutate, name) in mutations {
        let mut changed = original.clone();
        mutate(&mut changed);
        assert_ne!(changed, original, "{what}");
        std::fs::write(&file, changed.to_string()).expect("written");
        let (code, text) = verify(&file, &["--json"], &[solver]);
        assert_eq!(code, 13, "{what}\n{text}");
        let document: Json = serde_json::from_str(&text).expect("JSON");
        assert_eq!(document["decision"], "refused", "{what}");
        let obligations = document["obligations"].as_array().expect("obligations");
        let refused = obligations.iter().filter(|of| of["standing"] == "refused");
        let refused: Vec<&str> = refused.filter_map(|of| of["name"].as_str()).collect();
        assert!(refused.contains(name), "{what}: {name} is not among {refused:?}\n{text}");
    }
}

#[test]
fn changed_results_are_refused() {
    let solvers = solvers();
    let Some(solver) = solvers.first() else { return };
    assert!(MUTATIONS.len() + OF_A_CHECK.len() >= 30);
    let classified = ["classify", "specs/running_example.sts", "-V", "messages", "-k", "4"];
    are_refused(&classified, MUTATIONS, solver);
    are_refused(&["check", "specs/mutex.sts", "-p", "exclusion", "-k", "5"], OF_A_CHECK, solver);
    are_refused(&["classify", "specs/mutex.sts", "-V", "steps", "-k", "4"], OF_NONE, solver);
    are_refused(&["classify", "tests/cli/codes.sts", "-V", "auto", "-k", "5"], OF_ADDED_PREDICATES, solver);
    let exact = ["classify", "specs/running_example.sts", "-k", "4", "--exact"];
    are_refused(&exact, OF_ONE_LENGTH, solver);
    let infinite =
        ["classify", "specs/liveness/starvation.sts", "-p", "p_enters", "-k", "6", "--ignore-fairness"];
    are_refused(&[&infinite[..], &["-V", "kinds"]].concat(), OF_INFINITE_TRACES, solver);
    are_refused(
        &["classify", "specs/liveness/pinned_address.sts", "-V", "labels", "-k", "6"],
        IN_ORDER,
        solver,
    );
    let checked = [&["check"], &infinite[1..]].concat();
    are_refused(&checked, OF_AN_INFINITE_TRACE, solver);
}

#[test]
fn another_model_is_refused_with_the_file_that_changed() {
    let temporary = tempfile::tempdir().expect("a folder");
    let file = stored(temporary.path(), &["classify", "specs/ns_public_key.sts", "-V", "attacks", "-k", "6"]);
    let copy = |name: &str, change: fn(String) -> String| {
        let target = temporary.path().join(name);
        std::fs::create_dir_all(target.parent().expect("a folder")).expect("created");
        let text = std::fs::read_to_string(Path::new(ROOT).join(name)).expect("a file");
        std::fs::write(target, change(text)).expect("written");
    };
    let model = temporary.path().join("specs/ns_public_key.sts");
    let model = model.to_str().expect("UTF-8");
    for folder in ["specs/ns_public_key.sts", "predicates/knowledge.pred"] {
        copy(folder, |text| text);
    }
    copy("predicates/messages.pred", |text| text + "// more\n");
    let (code, text) = verify(&file, &["--model", model], &["true"]);
    assert!(code == 2 && text.contains("predicates/messages.pred has changed"), "{code}\n{text}");
    copy("predicates/messages.pred", |text| text);
    let (code, text) = verify(&file, &["--model", model], &["true"]);
    assert!(code == 5 && !text.contains("has changed"), "{code}\n{text}");
}

#[cfg(unix)]
#[test]
fn without_an_answer_nothing_is_accepted() {
    let temporary = tempfile::tempdir().expect("a folder");
    let file = stored(temporary.path(), &["classify", "specs/running_example.sts", "-k", "4"]);
    for (solver, reason) in [
        ("echo unknown", "gave up"),
        ("true", "it ended without output"),
        ("sh -c 'printf \"\\033[2Jodd\\n\"'", "it said: \\u001b[2Jodd"),
        ("printf '(error \"no such logic\")\\nunsat\\n'", "no such logic"),
    ] {
        let (code, text) = verify(&file, &[], &[solver]);
        assert!(code == 5 && text.contains(reason), "{solver}: {code}\n{text}");
    }
    let (code, text) = verify(&file, &["--timeout", "300ms"], &["sleep 60"]);
    assert!(code == 5 && text.contains("the time limit was reached"), "{code}\n{text}");
    // One solver that finds a trace is enough.
    let (code, text) = verify(&file, &[], &["echo unsat", "echo sat"]);
    assert!(code == 13 && text.contains("echo sat finds such a trace"), "{code}\n{text}");
    let (code, text) = verify(&file, &[], &["z3 'in"]);
    assert!(code == 2 && text.contains("the quote ' is not closed"), "{code}\n{text}");
    let line = ["verify", file.to_str().expect("UTF-8")];
    let output = Command::new(env!("CARGO_BIN_EXE_cladist"))
        .current_dir(ROOT)
        .args(line)
        .env("PATH", temporary.path())
        .output()
        .expect("runs");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(2) && text.contains("apt-get install z3"), "{text}");
}

#[test]
fn what_does_not_end_in_time_has_the_document_of_a_verification() {
    let temporary = tempfile::tempdir().expect("a folder");
    let file = stored(temporary.path(), &["classify", "specs/ns_sessions.sts", "-V", "answering", "-k", "6"]);
    let mut result: Json =
        serde_json::from_str(&std::fs::read_to_string(&file).expect("read")).expect("a document");
    let class = result["classes"][0].clone();
    // Their traces are evaluated for longer than the time limit and what is granted beyond it.
    let classes = (1..=300).map(|id| {
        let mut class = class.clone();
        class["id"] = id.into();
        class
    });
    result["classes"] = classes.collect();
    std::fs::write(&file, result.to_string()).expect("written");
    let name = file.to_str().expect("UTF-8");
    let line = ["verify", name, "--solver", "sleep 60", "--timeout", "1s", "--json"];
    let output = cladist(&line);
    let document: Json = serde_json::from_slice(&output.stdout).expect("a document");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(document["schema"], "cladist/verify-1", "{document} {said}");
    assert_eq!(document["model"], "ns_sessions");
    assert!(document["not_checked"].as_array().expect("a list").len() > 300, "{document}");
    match output.status.code() {
        Some(5) => assert_eq!(document["decision"], "undecided"),
        // The machine was fast enough: classes that are the same are not right.
        code => assert_eq!((code, &document["decision"]), (Some(13), &"refused".into()), "{said}"),
    }
}

#[test]
fn what_is_no_result_is_bad_input() {
    let temporary = tempfile::tempdir().expect("a folder");
    let file = temporary.path().join("result.json");
    for (text, reason) in [
        ("", "not JSON"),
        ("[]", "not a stored result"),
        ("{\"schema\": \"cladist/classify-1\", \"file\": \"x\"}", "an earlier version of the program"),
        (
            "{\"schema\": \"cladist/error-1\", \"error\": \"there is no such file\"}",
            "not a stored result, but an error message: there is no such file",
        ),
        (
            "{\"schema\": \"x\", \"file\": \"x\", \"sources\": [{\"file\": \"x\", \"sha256\": \"0\"}]}",
            "its schema is x",
        ),
    ] {
        std::fs::write(&file, text).expect("written");
        let (code, said) = verify(&file, &[], &["true"]);
        assert!(code == 2 && said.contains(reason), "{text}: {code}\n{said}");
    }
    let (code, said) = verify(&temporary.path().join("nothing.json"), &[], &["true"]);
    assert!(code == 2 && said.contains("cannot read"), "{said}");
}
