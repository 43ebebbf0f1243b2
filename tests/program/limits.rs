//! Limits of time, memory and size while models are read and loaded.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

/// Runs the program in a folder; it has to end within a generous time.
fn cladist(folder: &Path, args: &[&str]) -> Output {
    let began = Instant::now();
    let output =
        Command::new(env!("CARGO_BIN_EXE_cladist")).current_dir(folder).args(args).output().expect("runs");
    assert!(began.elapsed() < Duration::from_secs(30), "{args:?} took {:?}", began.elapsed());
    output
}

/// What `check` says on standard error about a model, with its exit code.
fn checked(folder: &Path, text: &str, options: &[&str]) -> (Option<i32>, String) {
    fs::write(folder.join("m.sts"), text).expect("written");
    let output = cladist(folder, &[&["check", "m.sts"], options].concat());
    assert!(output.stdout.len() + output.stderr.len() < 1 << 20);
    (output.status.code(), String::from_utf8(output.stderr).expect("UTF-8"))
}

#[test]
fn large_quantifiers_end_in_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "model big;\nvar a : 0..299;\ninit { a = 0; }\naction go() { a' = 1; }\n\
                invariant i: forall x, y, u in 0..299: x + y + u + a >= 0;\n";
    let (code, _) = checked(folder.path(), text, &["-k", "1", "--timeout", "1s"]);
    assert_eq!(code, Some(5));
}

#[cfg(target_os = "linux")]
#[test]
fn memory_ends_loading() {
    let folder = tempfile::tempdir().expect("a folder");
    // Constant, so that it is evaluated when it is loaded; the limit is reached before it begins.
    let text = "model big;\nvar a : bool;\ninit { a = true; }\naction go() { a' = false; }\n\
                invariant i: forall x, y, u in 0..299: x + y + u >= 0;\n";
    let (code, said) = checked(folder.path(), text, &["-k", "1", "--memory", "1M"]);
    assert_eq!(code, Some(5), "{said}");
    assert!(said.starts_with("error: memory limit reached while loading\n"), "{said}");
}

#[cfg(target_os = "linux")]
#[test]
fn memory_ends_a_search_without_end() {
    let model = concat!(env!("CARGO_MANIFEST_DIR"), "/specs/mutex.sts");
    let args = ["check", model, "-k", "1000000", "--exact", "--memory", "100M"];
    let output = cladist(Path::new("."), &args);
    assert_eq!(output.status.code(), Some(5), "{output:?}");
    let said = String::from_utf8(output.stdout).expect("UTF-8");
    // Of an invariant and of a property of linear time.
    assert_eq!(said.matches("undecided: the memory ran out; nothing is known yet").count(), 2, "{said}");
}

#[test]
fn sums_end_in_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "model sums;\nvar a : 0..2000;\nvar b : 0..2000;\ninit { true; }\n\
                action add() { require a + b <= 2000; a' = a + b; }\n\
                action subtract() { require a >= b; a' = a - b; b' = a; }\n\
                invariant i: a * b != 1999 * 1997;\n";
    for options in [&["-k", "30"][..], &["--unbounded"], &["--unbounded", "--proof", "ic3"]] {
        let (code, said) = checked(folder.path(), text, &[options, &["--timeout", "2s"]].concat());
        assert!(matches!(code, Some(0 | 5 | 10)), "{options:?}: {said}");
    }
}

#[test]
fn large_types_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut text = String::from("model m;\ntype R0 = record { f: bool, g: bool };\n");
    for n in 1..=24 {
        text += &format!("type R{n} = record {{ f: R{0}, g: R{0} }};\n", n - 1);
    }
    text += "var v : R24;\naction go() { v' = v; }\ninvariant i: true;\n";
    let (code, said) = checked(folder.path(), &text, &["--memory", "100M"]);
    assert_eq!(code, Some(2));
    assert!(said.starts_with("error: a value of this type has 131072 parts"), "{said}");
    assert_eq!(said.matches("error:").count(), 1, "{said}");
}

#[test]
fn libraries_are_loaded_once_for_each_set_of_bindings() {
    let folder = tempfile::tempdir().expect("a folder");
    let last = 25;
    for n in 0..=last {
        let mut text = format!("library l{n};\n");
        for alias in ["a", "b"].iter().filter(|_| n < last) {
            text += &format!("import \"l{}.pred\" as {alias};\n", n + 1);
        }
        text += match n == last {
            true => "pred p(t: pos) = 1 = 1;\n",
            false => "pred p(t: pos) = a.p(t) and b.p(t);\n",
        };
        // Predicates that double, too, meet the limit on definitions.
        if n < 20 {
            text = text.replace("a.p(t) and b.p(t)", "1 = 1");
        }
        fs::write(folder.path().join(format!("l{n}.pred")), text).expect("written");
    }
    let text = "model m;\nimport \"l0.pred\" as a;\nimport \"l0.pred\" as b;\nvar x : bool;\n\
                init { x = true; }\naction go() { x' = x; }\ninvariant i: x;\n\
                vocabulary v = { a.p, b.p };\n";
    let (code, said) = checked(folder.path(), text, &["-k", "1"]);
    assert_eq!(code, Some(0), "{said}");
}

#[test]
fn mistakes_are_counted_and_lines_cut() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = format!("model m;\nvar x : bool;\n{}\n", ";".repeat(5000));
    let (code, said) = checked(folder.path(), &text, &[]);
    assert_eq!(code, Some(2));
    assert_eq!(said.matches("error:").count(), 20);
    assert!(said.ends_with("note: 4980 more errors in m.sts\n"), "{said}");
    assert!(said.len() < 20_000);
}

#[test]
fn very_long_texts_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = fs::File::create(folder.path().join("m.sts")).expect("made");
    file.set_len((16 << 20) + 1).expect("sparse");
    let output = cladist(folder.path(), &["check", "m.sts"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "error: cannot read m.sts: it is larger than 16 MiB\n"
    );
    let variables: String = (0..120_000).map(|n| format!("var x{n} : bool;\n")).collect();
    let (code, said) = checked(folder.path(), &format!("model m;\n{variables}"), &[]);
    assert_eq!(code, Some(2));
    assert!(said.contains("has more than 500,000 tokens"), "{said}");
}

#[test]
fn imports_stay_where_they_belong() {
    let folder = tempfile::tempdir().expect("a folder");
    let models = folder.path().join("models");
    fs::create_dir(&models).expect("made");
    fs::write(folder.path().join("secret"), "root:x:0:0\npassword\n").expect("written");
    fs::write(models.join("notes.txt"), "my notes\n").expect("written");
    fs::write(folder.path().join("l.pred"), "library l;\npred p(t: pos) = 1 = 1;\n").expect("written");
    let text = |file: &str| format!("model m;\nimport \"{file}\" as s;\nvar x : bool;\ninvariant i: x;\n");
    let (code, said) = checked(&models, &text("../secret"), &["--root", ".."]);
    assert_eq!(code, Some(2));
    assert!(
        said.starts_with("error: ../secret is neither a library nor a component\n")
            && !said.contains("password"),
        "{said}"
    );
    let (_, said) = checked(&models, &text("notes.txt"), &[]);
    assert!(
        said.starts_with("error: notes.txt is neither a library nor a component\n")
            && !said.contains("my notes"),
        "{said}"
    );
    let (_, said) = checked(&models, &text("../l.pred"), &[]);
    assert!(said.starts_with("error: cannot read ../l.pred: it is outside "), "{said}");
    let (code, said) = checked(&models, &text("../l.pred"), &["--root", ".."]);
    assert_eq!(code, Some(0), "{said}");
}

#[cfg(target_os = "linux")]
#[test]
fn devices_are_not_read() {
    let folder = tempfile::tempdir().expect("a folder");
    for args in [["check", "/dev/zero"], ["classify", "/dev/zero"], ["trace", "show"]] {
        let args = if args[0] == "trace" { vec!["trace", "show", "/dev/zero"] } else { args.to_vec() };
        let output = cladist(folder.path(), &args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(said, "error: cannot read /dev/zero: it is not a regular file\n");
    }
}

/// What `lts info` says on standard error about a model that it cannot list within its limits.
fn not_listed(folder: &Path, model: &str, limits: &[&str]) -> String {
    let output = cladist(folder, &[&["lts", "info", model], limits].concat());
    assert_eq!(output.status.code(), Some(5), "{limits:?}");
    String::from_utf8(output.stderr).expect("UTF-8")
}

#[test]
fn a_model_with_many_first_states_is_not_listed_beyond_its_limits() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let limits = ["--max-states", "10", "--timeout", "1s", "--memory", "100M"];
    let said = not_listed(root, "specs/paper/ns_symmetric.sts", &limits);
    assert!(said.contains("has more than 10 reachable states"), "{said}");
}

#[test]
fn limits_hold_while_first_states_and_choices_are_enumerated() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = |init: &str, action: &str| {
        format!(
            "model m;\ntype K = record {{ a: 0..1000, b: 0..1000, c: 0..1000 }};\nvar k : K;\n\
             init {{ {init}; }}\naction go {action}\ninvariant i: k.a >= 0;\n"
        )
    };
    let models = [
        text("k.a * k.b + k.c >= 0", "{ k'.a = k.b; }"),
        text("k = K(a: 0, b: 0, c: 0)", "modifies k { constrain k'.a * k'.b + k'.c >= k.a; }"),
    ];
    for model in models {
        fs::write(folder.path().join("m.sts"), model).expect("written");
        for limits in [&["--timeout", "1s"][..], &["--memory", "50M", "--timeout", "20s"]] {
            // The number of tries grows with that of states, so that it is not what ends the search.
            let said =
                not_listed(folder.path(), "m.sts", &[&["--max-states", "1000000000"], limits].concat());
            assert!(said.contains("limit reached while exploring m.sts"), "{said}");
        }
    }
}

/// What is said on standard error, and printed, by a run that its limits end.
fn ended(folder: &Path, args: &[&str]) -> (String, String) {
    let output = cladist(folder, args);
    let [printed, said] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).expect("UTF-8"));
    assert_eq!(output.status.code(), Some(5), "{args:?} {said}");
    // It ends by itself.
    assert!(!said.contains("watchdog"), "{args:?} {said}");
    (said, printed)
}

#[cfg(target_os = "linux")]
#[test]
fn listed_states_are_no_values_once_the_budget_has_ended() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    // The memory ends while states are explored, and while the formula is evaluated.
    for memory in ["20M", "40M", "50M", "60M"] {
        let args = ["ctl", "specs/ns_sessions.sts", "AG EF true", "--memory", memory, "--timeout", "60s"];
        let (said, _) = ended(root, &args);
        assert!(said.contains("limit reached while "), "{said}");
    }
}

#[test]
fn scripts_that_repeat_themselves_end_in_time() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let protocol = "specs/protocols/tmn.spdl";
    let args = ["export", "smt2", protocol, "--claim", "A1", "--runs", "16", "--timeout", "4s"];
    let (said, printed) = ended(root, &args);
    assert!(said.contains("time limit"), "{said}");
    assert_eq!(printed, "");
}

#[cfg(target_os = "linux")]
#[test]
fn a_result_with_all_transitions_is_written_as_long_as_the_budget_lasts() {
    let folder = tempfile::tempdir().expect("a folder");
    let states = 100_000;
    let rows = (0..states).map(|from| format!("({from}, \"STEP\", {})\n", (from + 1) % states));
    let text = format!("des (0, {states}, {states})\n{}", rows.collect::<String>());
    fs::write(folder.path().join("ring.aut"), text).expect("written");
    let property = "[true* . \"NEVER\" . \"STEP\" . \"NEVER\"] false";
    for kind in [&["tag", "--property", property][..], &["inevitable", "--actions", "STEP"]] {
        let args = [&["lts"], kind, &["ring.aut", "--json", "--full", "--memory", "48M"]].concat();
        let (said, printed) = ended(folder.path(), &args);
        assert!(said.contains("memory limit reached while "), "{said}");
        assert!(printed.contains("\"schema\": \"cladist/lts-undecided-1\""), "{printed}");
    }
}

#[test]
fn long_documents_are_made_as_long_as_the_budget_lasts() {
    use cladist::budget::{Budget, Exhausted};
    use cladist::report::{to_json, to_json_within};
    let ended = Budget::unlimited();
    ended.interrupt();
    assert_eq!(to_json_within(&vec!["row"; 100_000], &ended), Err(Exhausted::Interrupt));
    // A short one is not worth a look.
    assert_eq!(to_json_within(&vec!["row"; 10], &ended), Ok(to_json(&vec!["row"; 10])));
    let rows = vec!["row \u{202e}"; 100_000];
    assert_eq!(to_json_within(&rows, &Budget::unlimited()), Ok(to_json(&rows)));
}

#[cfg(target_os = "linux")]
#[test]
fn a_claim_with_many_conjuncts_is_classified_within_the_limits() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    // The class of the claim is a formula whose conjuncts share hundreds of named values.
    let line = ["classify", "specs/protocols/tmn.spdl", "--claim", "A1", "--match", "full", "--runs", "6"];
    let output = cladist(root, &[&line[..], &["--timeout", "10s", "--memory", "800M"]].concat());
    let said = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(matches!(output.status.code(), Some(5 | 11)), "{said}");
    assert!(!said.contains("watchdog"), "{said}");
}
