//! `cladist batch` as a process: the same results in every way of running, resuming, crashes, interrupts,
//! and what the tables say.

use crate::plans;

use plans::{assert_valid, folder, json, read_json, timeless};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

const PLAN: &str = "\
[settings]
max_classes = 10

[[classify]]
models = [\"mutex.sts\"]
vocabularies = [\"steps\", \"states\"]
bounds = [6, 7, 8]

[[classify]]
models = [\"increment_decrement.sts\"]
vocabularies = [\"both\", \"too_weak\"]
bounds = { from = 1, to = 3 }
constants = [[], [\"GREATEST=4\", \"LEAST = -1\"]]
";

fn command(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cladist"));
    command.current_dir(folder).args(["batch", "specs/plan.toml"]).args(args);
    for variable in
        ["CLADIST_SOLVER", "CLADIST_TIMEOUT", "CLADIST_THREADS", "SLURM_ARRAY_TASK_ID", "HQ_TASK_ID"]
    {
        command.env_remove(variable);
    }
    command
}

fn run(folder: &Path, args: &[&str]) -> Output {
    command(folder, args).output().expect("runs")
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap_or_else(|| panic!("{output:?}"))
}

fn results(out: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(out.join("results")) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries.map(|e| e.expect("an entry").path()).collect();
    files.sort();
    files
}

/// The lines of standard error that say that a job has ended.
fn ended(output: &Output) -> usize {
    String::from_utf8_lossy(&output.stderr).lines().filter(|line| line.contains(" k=")).count()
}

#[test]
fn every_way_of_running_gives_the_same_tables() {
    let folder = folder(PLAN);
    let at = folder.path();
    let all = run(at, &["--jobs", "2", "--out", "a"]);
    assert_eq!(code(&all), 0, "{all:?}");
    let merged = read_json(&at.join("a/merged.json"));
    assert_valid("batch-1", &merged);
    let jobs = merged["jobs"].as_array().expect("jobs").len();
    assert_eq!(jobs, 2 * 3 + 2 * 3 * 2);
    assert_eq!(ended(&all), jobs);

    // One by one, as a Slurm array; in chunks, as a HyperQueue array.
    for index in 0..jobs {
        let task =
            command(at, &["--job", "--out", "b"]).env("SLURM_ARRAY_TASK_ID", index.to_string()).output();
        assert_eq!(code(&task.expect("runs")), 0);
    }
    for index in 0..4 {
        let task = command(at, &["--chunk", "4", "--out", "c"]).env("HQ_TASK_ID", index.to_string()).output();
        assert_eq!(code(&task.expect("runs")), 0);
    }
    for out in ["b", "c"] {
        assert!(!at.join(out).join("merged.json").exists());
        let tables = run(at, &["--merge", "--out", out]);
        assert_eq!(code(&tables), 0);
        assert_eq!(timeless(read_json(&at.join(out).join("merged.json"))), timeless(merged.clone()), "{out}");
        let file = |out: &str, name: &str| std::fs::read_to_string(at.join(out).join(name)).expect(name);
        assert_eq!(file(out, "classes.txt"), file("a", "classes.txt"));
        let verdicts = |out: &str| -> Vec<String> {
            file(out, "table.csv")
                .lines()
                .map(|l| l.split(',').take(15).collect::<Vec<_>>().join(","))
                .collect()
        };
        assert_eq!(verdicts(out), verdicts("a"));
        assert_eq!(verdicts(out).len(), jobs + 1);
        assert_eq!(results(&at.join(out)).len(), jobs, "no other file is left behind");
    }
}

#[test]
fn a_job_is_the_classification_that_its_command_gives() {
    let folder = folder(PLAN);
    let at = folder.path();
    assert_eq!(code(&run(at, &["--out", "a"])), 0);
    let list = json(&run(at, &["--list", "--json", "--out", "a"]).stdout);
    assert_valid("jobs-1", &list);
    for job in list["jobs"].as_array().expect("jobs") {
        assert_eq!(job["state"], "done");
        let name = job["name"].as_str().expect("a name");
        let record = read_json(&at.join(format!("a/results/{name}.json")));
        assert_valid("job-1", &record);
        assert_valid("classify-1", &record["result"]);
        assert!(record["result"]["statistics"]["cpu_seconds"].is_number());
        assert_eq!(record["job"], job["job"]);
        let line = job["command"].as_str().expect("a command line");
        let words = line.split(' ').skip(1).map(|word| word.trim_matches('\''));
        let mut alone = Command::new(env!("CARGO_BIN_EXE_cladist"));
        let alone = alone.current_dir(at).args(words).arg("--json").output().expect("runs");
        assert_eq!(record["exit_code"], code(&alone), "{line}");
        assert_eq!(timeless(record["result"].clone()), timeless(json(&alone.stdout)), "{line}");
    }
}

#[test]
fn only_what_has_no_result_is_run() {
    let folder = folder(PLAN);
    let at = folder.path();
    let out = at.join("specs/plan.results");
    assert_eq!(code(&run(at, &[])), 0);
    let before = timeless(read_json(&out.join("merged.json")));
    let files = results(&out);
    std::fs::remove_file(&files[0]).expect("removed");
    std::fs::write(&files[1], "{ \"half").expect("written");
    std::fs::copy(&files[3], &files[2]).expect("copied");

    let merge = run(at, &["--merge"]);
    assert_eq!(code(&merge), 11);
    let merged = read_json(&out.join("merged.json"));
    assert_valid("batch-1", &merged);
    assert_eq!((&merged["missing"], &merged["failed"]), (&Value::from(3), &Value::from(0)));
    let said = String::from_utf8_lossy(&merge.stderr).into_owned();
    assert!(said.contains("it is the result of another job") && said.contains("EOF"), "{said}");

    let again = run(at, &["--jobs", "2"]);
    assert_eq!((code(&again), ended(&again)), (0, 3));
    assert_eq!(timeless(read_json(&out.join("merged.json"))), before);
    let nothing = run(at, &["--jobs", "2"]);
    assert_eq!((code(&nothing), ended(&nothing)), (0, 0));
}

#[test]
fn an_edited_result_is_refused() {
    let folder = folder(PLAN);
    let at = folder.path();
    let out = at.join("specs/plan.results");
    assert_eq!(code(&run(at, &[])), 0);
    let file = &results(&out)[0];
    let text = std::fs::read_to_string(file).expect("readable");
    let edited = text.replacen("\"verdict\": \"", "\"verdict\":  \"", 1);
    assert_ne!(edited, text);
    std::fs::write(file, edited).expect("written");
    let merge = run(at, &["--merge", "--json"]);
    assert_eq!(code(&merge), 11);
    assert_eq!(json(&merge.stdout)["missing"], 1);
    let said = String::from_utf8_lossy(&merge.stderr).into_owned();
    assert!(said.contains("its checksum does not match: it was edited or damaged"), "{said}");
    // The job is run again, and its result replaces the edited one.
    let again = run(at, &["--jobs", "2"]);
    assert_eq!((code(&again), ended(&again)), (0, 1));
}

#[test]
fn edits_do_not_mix_results_up() {
    let folder = folder(PLAN);
    let at = folder.path();
    assert_eq!(code(&run(at, &["--out", "a"])), 0);
    let missing = || json(&run(at, &["--merge", "--json", "--out", "a"]).stdout)["missing"].clone();
    assert_eq!(missing(), 0);
    // The order of jobs and of constants says nothing about them.
    let (first, second) = PLAN.split_once("\n\n[[classify]]\nmodels = [\"inc").expect("two groups");
    let (settings, first) = first.split_once("\n\n").expect("settings");
    let swapped = format!("{settings}\n\n[[classify]]\nmodels = [\"inc{second}\n{first}\n");
    let swapped = swapped.replace("\"GREATEST=4\", \"LEAST = -1\"", "\"LEAST=-1\",\"GREATEST=4\"");
    std::fs::write(at.join("specs/plan.toml"), swapped).expect("written");
    assert_eq!(missing(), 0);
    std::fs::write(at.join("specs/plan.toml"), PLAN.replace("max_classes = 10", "max_classes = 11"))
        .expect("written");
    assert_eq!(missing(), 18);
    std::fs::write(at.join("specs/plan.toml"), PLAN).expect("written");
    assert_eq!(missing(), 0);
    // Another text of a model, or of a library that it imports, makes other jobs.
    for (file, gone) in [("specs/increment_decrement.sts", 12), ("predicates/orderings.pred", 18)] {
        let text = std::fs::read_to_string(at.join(file)).expect("readable");
        std::fs::write(at.join(file), text + "\n// changed\n").expect("written");
        assert_eq!(missing(), gone, "{file}");
    }
}

/// Bounds and every length side by side, with numbers of traces.
const EVERY: &str = "\
[settings]
count = true

[[classify]]
models = [\"increment_decrement.sts\"]
vocabularies = [\"both\"]
bounds = [2, 3]

[[classify]]
models = [\"increment_decrement.sts\"]
vocabularies = [\"both\"]
unbounded = true

[[classify]]
models = [\"increment_decrement.sts\"]
vocabularies = [\"both\"]
bounds = [4]
unbounded = true
count = false
";

/// The sum over all lengths in the document of a classification.
fn sum(result: &Value, of: &str) -> u64 {
    let counts = result["counts"][of].as_array().expect("numbers");
    counts.iter().map(|c| c["total"].as_str().expect("a text").parse::<u64>().expect("a number")).sum()
}

#[test]
fn a_plan_asks_for_every_length_and_for_numbers() {
    let folder = folder(EVERY);
    let at = folder.path();
    let all = run(at, &["--out", "a", "--jobs", "2"]);
    assert_eq!(code(&all), 0, "{all:?}");
    let merged = read_json(&at.join("a/merged.json"));
    assert_valid("batch-1", &merged);
    let list = json(&run(at, &["--list", "--json", "--out", "a"]).stdout);
    assert_valid("jobs-1", &list);
    let jobs = merged["jobs"].as_array().expect("jobs");
    let asked: Vec<_> =
        jobs.iter().map(|j| (&j["job"]["bound"], &j["job"]["unbounded"], &j["job"]["count"])).collect();
    let (yes, no) = (Value::from(true), Value::from(false));
    let bounds = [2, 3, 4].map(Value::from);
    assert_eq!(
        asked,
        [
            (&bounds[0], &no, &yes),
            (&bounds[1], &no, &yes),
            (&Value::Null, &yes, &yes),
            (&bounds[2], &yes, &no)
        ]
    );
    let verdicts: Vec<_> = jobs.iter().map(|j| j["verdict"].as_str().expect("a verdict")).collect();
    assert_eq!(verdicts, ["complete", "complete", "complete_unbounded", "complete_unbounded"]);
    for (job, listed) in jobs.iter().zip(list["jobs"].as_array().expect("jobs")) {
        let name = job["name"].as_str().expect("a name");
        let record = read_json(&at.join(format!("a/results/{name}.json")));
        assert_valid("job-1", &record);
        assert_eq!((&record["job"], &record["job"]), (&job["job"], &listed["job"]));
        assert_eq!(record["result"]["bound"], job["bound"]);
        if record["job"]["count"] == true {
            for of in ["first_violations", "violating"] {
                assert_eq!(job["traces"][of], sum(&record["result"], of).to_string());
            }
            assert!(sum(&record["result"], "violating") > 0);
        } else {
            assert_eq!((&job["traces"], &record["result"]["counts"]), (&Value::Null, &Value::Null));
        }
        // The command of the job gives the same.
        let line = listed["command"].as_str().expect("a command line");
        assert_eq!(line.contains(" --unbounded"), job["job"]["unbounded"] == true, "{line}");
        assert_eq!(line.contains(" --count"), job["job"]["count"] == true, "{line}");
    }
    // The classes of every length are compared with those of the greatest bound.
    let series = merged["series"].as_array().expect("series");
    assert_eq!(series.len(), 2);
    let last = &series[0]["bounds"][2];
    assert_eq!((&last["unbounded"], &last["bound"], &last["against"]), (&yes, &Value::Null, &bounds[1]));
    let fates: Vec<_> = last["changes"].as_array().expect("changes").iter().map(|c| &c["fate"]).collect();
    assert!(!fates.is_empty() && fates.iter().all(|fate| *fate == "stays"), "{fates:?}");
    assert_eq!(
        (&series[1]["bounds"][0]["bound"], &series[1]["bounds"][0]["against"]),
        (&bounds[2], &Value::Null)
    );

    let table = String::from_utf8_lossy(&all.stdout).into_owned();
    assert!(table.contains("complete for every length") && table.contains("violating traces"), "{table}");
    assert!(table.contains("\n  every  complete for every length, 2 stay\n"), "{table}");
    let picture = std::fs::read_to_string(at.join("a/plot.svg")).expect("a picture");
    assert_eq!(
        (picture.matches("<circle").count(), picture.matches("l5 5l-5 5l-5 -5z").count()),
        (3 * 2, 3 * 2)
    );
    assert!(!picture.contains("NaN"));
}

#[test]
fn other_questions_make_other_jobs() {
    let folder = folder(EVERY);
    let at = folder.path();
    assert_eq!(code(&run(at, &["--out", "a"])), 0);
    let missing = |plan: &str| {
        std::fs::write(at.join("specs/plan.toml"), plan).expect("written");
        json(&run(at, &["--merge", "--json", "--out", "a"]).stdout)["missing"].clone()
    };
    assert_eq!(missing(EVERY), 0);
    assert_eq!(missing(&EVERY.replacen("count = true", "count = false", 1)), 3);
    assert_eq!(
        missing(
            &EVERY
                .replace("unbounded = true", "bounds = [7]")
                .replace("bounds = [4]\nbounds = [7]", "bounds = [4]")
        ),
        2
    );
    assert_eq!(missing(&EVERY.replacen("count = true", "count = true\nmax_states = 9000", 1)), 4);
    assert_eq!(missing(EVERY), 0);
}

#[test]
fn numbers_do_not_depend_on_how_many_states_may_be_listed() {
    let folder = folder(EVERY);
    let listed = json(&run(folder.path(), &["--json", "--out", "a"]).stdout);
    let few = EVERY.replacen("count = true", "count = true\nmax_states = 2", 1);
    std::fs::write(folder.path().join("specs/plan.toml"), few).expect("written");
    let output = run(folder.path(), &["--json", "--out", "b"]);
    assert_eq!(code(&output), 0);
    let document = json(&output.stdout);
    assert_valid("batch-1", &document);
    // The others are about every length, and end at another bound.
    for index in 0..2 {
        let traces = |document: &Value| document["jobs"][index]["traces"].clone();
        assert!(traces(&document)["violating"].is_string());
        assert_eq!(traces(&document), traces(&listed));
    }
}

#[test]
fn limits_are_results_but_not_complete_ones() {
    let plan = "[settings]\ntimeout = 0\n\n[[classify]]\nmodels = [\"mutex.sts\"]\nbounds = [6]\n";
    let undecided = folder(plan);
    let output = run(undecided.path(), &["--json"]);
    assert_eq!(code(&output), 11);
    let document = json(&output.stdout);
    assert_valid("batch-1", &document);
    assert_eq!(document["jobs"][0]["verdict"], "undecided");
    assert_eq!((&document["done"], &document["partial"]), (&Value::from(1), &Value::from(1)));
    let courses = "bounds = [7]\nvocabularies = [\"courses\"]";
    let partial = folder(&plan.replace("timeout = 0", "max_classes = 1").replace("bounds = [6]", courses));
    let output = run(partial.path(), &["--json"]);
    assert_eq!(code(&output), 11);
    let document = json(&output.stdout);
    assert_eq!(
        (&document["jobs"][0]["verdict"], &document["jobs"][0]["reason"]),
        (&"partial".into(), &"max_classes".into())
    );
}

#[test]
fn plans_ask_for_properties_of_linear_time() {
    const TEXT: &str = include_str!("../../specs/liveness/starvation.sts");
    let plan = "\
[[classify]]
models = [\"starvation.sts\"]
properties = [\"exclusion\", \"p_enters\"]
vocabularies = [\"kinds\"]
bounds = [4, 6, 8]

[[classify]]
models = [\"starvation.sts\"]
properties = [\"all_enter\"]
vocabularies = [\"anybody\"]
unbounded = true
";
    let folder = folder(plan);
    std::fs::write(folder.path().join("specs/starvation.sts"), TEXT).expect("written");
    let output = run(folder.path(), &["--json"]);
    assert_eq!(code(&output), 0, "{output:?}");
    let document = json(&output.stdout);
    assert_valid("batch-1", &document);
    let of = |property: &str| -> Vec<(String, usize)> {
        let jobs = document["jobs"].as_array().expect("jobs").iter();
        let own = jobs.filter(|job| job["job"]["property"] == property);
        own.map(|job| {
            let classes = job["classes"].as_array().map_or(0, Vec::len);
            (job["verdict"].as_str().expect("a verdict").to_owned(), classes)
        })
        .collect()
    };
    let row = |verdict: &str, classes| (verdict.to_owned(), classes);
    assert_eq!(of("exclusion"), [row("holds", 0), row("holds", 0), row("holds", 0)]);
    assert_eq!(of("p_enters"), [row("holds", 0), row("complete", 1), row("complete", 1)]);
    assert_eq!(of("all_enter"), [row("complete_unbounded", 1)]);
    let series = document["series"].as_array().expect("series").iter();
    let series = series.filter(|series| series["property"] == "p_enters").collect::<Vec<_>>();
    let fates = |entry: &Value| {
        entry["changes"].as_array().expect("changes").iter().map(|c| c["fate"].clone()).collect::<Vec<_>>()
    };
    let entries = series[0]["bounds"].as_array().expect("entries");
    assert_eq!(entries.iter().map(fates).collect::<Vec<_>>(), [vec![], vec!["new"], vec!["stays"]]);
    let page = folder.path().join("specs/plan.results/report.html");
    let page = std::fs::read_to_string(&page).expect("a page");
    assert!(page.contains("again overtaken ∧ forever not entered"), "{page}");

    // What is not asked of infinite traces is refused before anything runs.
    for (settings, key) in
        [("exact = true", "exact"), ("keep_redundant = true", "keep_redundant"), ("count = true", "count")]
    {
        let plan = plan.split("[[classify]]").nth(1).expect("a group");
        let plan = format!("[settings]\n{settings}\n[[classify]]{plan}");
        std::fs::write(folder.path().join("specs/plan.toml"), plan).expect("written");
        let output = run(folder.path(), &[]);
        assert_eq!(code(&output), 2, "{key}");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let expected = format!("`{key}` is not for infinite traces, which property `p_enters` is about");
        assert!(said.contains(&expected), "{said}");
    }
}

#[test]
fn a_class_of_infinite_traces_that_is_gone_is_followed_by_its_traces() {
    let of = |arguments: &[&str]| {
        let mut line = vec!["classify", "specs/liveness/starvation.sts", "-p", "all_enter", "-V", "anybody"];
        line.extend(arguments);
        let mut command = Command::new(env!("CARGO_BIN_EXE_cladist"));
        let output = command.current_dir(env!("CARGO_MANIFEST_DIR")).args(line).arg("--json").output();
        let document = json(&output.expect("runs").stdout);
        let classes: Vec<cladist::batch::FoundClass> =
            serde_json::from_value(document["classes"].clone()).expect("classes");
        classes
    };
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("specs/liveness/starvation.sts");
    let model = cladist::model::load(&path, &[]).model.expect("no mistakes");
    let vocabulary = &model.vocabularies[model.vocabulary("anybody").expect("it exists")];
    let general = of(&["-k", "6"]);
    let named = of(&["-k", "6", "--ground", "all"]);
    assert_eq!((general.len(), named.len()), (1, 2));
    let fates = |old: &[cladist::batch::FoundClass], new: &[cladist::batch::FoundClass]| {
        let changes = cladist::batch::changes(&model, vocabulary, old.iter(), new.iter());
        changes.into_iter().map(|change| (change.fate, change.after)).collect::<Vec<_>>()
    };
    use cladist::batch::Fate::{Gone, New, Replaced, Split};
    assert_eq!(fates(&general, &named), [(Split, vec![1, 2]), (New, vec![1]), (New, vec![2])]);
    let one_way = [(Replaced, vec![1]), (Replaced, vec![1]), (New, vec![1])];
    assert_eq!(fates(&named, &general), one_way);
    assert_eq!(fates(&named[..1], &named[1..]), [(Gone, vec![]), (New, vec![2])]);
}

#[test]
fn classes_never_vanish_between_complete_results() {
    let plan = "\
[[classify]]
models = [\"mutex.sts\"]
vocabularies = [\"steps\", \"states\", \"courses\"]
bounds = { from = 5, to = 8 }

[[classify]]
models = [\"mutex.sts\"]
vocabularies = [\"courses\"]
ground = \"all\"
bounds = { from = 5, to = 8 }

[[classify]]
models = [\"tcp_handshake.sts\"]
vocabularies = [\"generic\", \"ways\", \"no_state_of_b\"]
bounds = { from = 2, to = 5 }

[[classify]]
models = [\"running_example.sts\"]
vocabularies = [\"messages\", \"equality\"]
bounds = { from = 0, to = 4 }
";
    let folder = folder(plan);
    let document = json(&run(folder.path(), &["--jobs", "2", "--json"]).stdout);
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for series in document["series"].as_array().expect("series") {
        let mut known: Vec<&str> = Vec::new();
        for entry in series["bounds"].as_array().expect("bounds") {
            let job = &document["jobs"][entry["index"].as_u64().expect("a number") as usize];
            let verdict = job["verdict"].as_str().expect("a verdict");
            let Some(changes) = entry["changes"].as_array() else {
                assert_eq!(verdict, "too_weak");
                continue;
            };
            let of = |fates: &[&str]| -> Vec<&str> {
                let chosen = changes.iter().filter(|c| fates.contains(&c["fate"].as_str().expect("a fate")));
                chosen.map(|c| c["constraint"].as_str().expect("a constraint")).collect()
            };
            assert_eq!(of(&["stays", "replaced", "split", "gone"]), known);
            let mut now = of(&["stays", "new"]);
            let mut classes: Vec<&str> = job["classes"]
                .as_array()
                .expect("classes")
                .iter()
                .map(|c| c.as_str().expect("text"))
                .collect();
            known.clone_from(&classes);
            now.sort_unstable();
            classes.sort_unstable();
            assert_eq!(now, classes);
            for change in changes {
                let after = change["after"].as_array().expect("numbers");
                assert!(!after.is_empty(), "{change} at {entry}");
                *seen.entry(change["fate"].as_str().expect("a fate").to_owned()).or_default() += 1;
            }
        }
    }
    let fates: Vec<&str> = seen.keys().map(String::as_str).collect();
    assert_eq!(fates, ["new", "replaced", "split", "stays"], "{seen:?}");
}

#[test]
fn the_picture_is_well_formed_and_shows_every_series() {
    let folder = folder(PLAN);
    assert_eq!(code(&run(folder.path(), &["--out", "a"])), 0);
    let picture = std::fs::read_to_string(folder.path().join("a/plot.svg")).expect("a picture");
    assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
    for title in ["mutex exclusion steps", "increment_decrement always_one too_weak GREATEST=4 LEAST=-1"] {
        assert_eq!(picture.matches(&format!(">{title}</text>")).count(), 1, "{title}");
    }
    for head in ["classes", "CPU seconds", "peak memory, MB"] {
        assert!(picture.contains(&format!(">{head}</text>")), "{head}");
    }
    assert_eq!(picture.matches("<circle").count(), 3 * 18);
    assert!(!picture.contains("NaN") && !picture.contains("inf"));
    let table = std::fs::read_to_string(folder.path().join("a/table.md")).expect("a table");
    assert!(table.contains("![classes, time and memory over the bounds](plot.svg)"));
}

/// Two quick jobs, and one that nobody waits for.
#[cfg(target_os = "linux")]
const LONG: &str = "\
[[classify]]
models = [\"mutex.sts\"]
bounds = [5, 6]

[[classify]]
models = [\"tcp_handshake.sts\"]
bounds = [5000]
constants = [[\"ATTACKER=false\"]]
";

/// Waits until `ready` gives something.
#[cfg(target_os = "linux")]
fn wait_for<T>(what: &str, mut ready: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(value) = ready() {
            return value;
        }
        assert!(start.elapsed() < Duration::from_secs(120), "waited for {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// The processes that a process has started and that are still there.
#[cfg(target_os = "linux")]
fn children(parent: u32) -> Vec<u32> {
    let status = |pid: u32| std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let all =
        std::fs::read_dir("/proc").expect("/proc").filter_map(|e| e.ok()?.file_name().to_str()?.parse().ok());
    all.filter(|&pid| status(pid).contains(&format!("\nPPid:\t{parent}\n"))).collect()
}

#[cfg(target_os = "linux")]
fn kill(signal: &str, pid: u32) {
    assert!(Command::new("kill").args([signal, &pid.to_string()]).status().expect("kill runs").success());
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_keeps_what_is_done() {
    use std::process::Stdio;
    for signal in ["-INT", "-TERM"] {
        let folder = folder(LONG);
        let at = folder.path();
        let child = command(at, &["--jobs", "1", "--out", "a", "--json"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("runs");
        wait_for("two results", || (results(&at.join("a")).len() == 2).then_some(()));
        let long = wait_for("the long job", || children(child.id()).first().copied());
        kill(signal, child.id());
        let output = child.wait_with_output().expect("ends");
        assert_eq!(code(&output), 11);
        assert!(!Path::new(&format!("/proc/{long}")).exists(), "the job is still there");
        let document = json(&output.stdout);
        assert_valid("batch-1", &document);
        assert_eq!((&document["done"], &document["missing"]), (&Value::from(2), &Value::from(1)));
        assert_eq!(results(&at.join("a")).len(), 2);
        assert_eq!(read_json(&at.join("a/merged.json")), document);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn no_job_outlives_a_killed_batch() {
    use std::process::Stdio;
    let folder = folder(LONG);
    let at = folder.path();
    let mut child = command(at, &["--jobs", "2", "--out", "a"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("runs");
    wait_for("two results", || (results(&at.join("a")).len() == 2).then_some(()));
    let long = wait_for("the long job", || children(child.id()).first().copied());
    kill("-KILL", child.id());
    child.wait().expect("ends");
    // The orphan is a child of init, or a zombie that nobody waits for.
    let running = || {
        let status = std::fs::read_to_string(format!("/proc/{long}/status")).unwrap_or_default();
        status.contains("cladist") && !status.contains("State:\tZ")
    };
    wait_for("the end of the job", || (!running()).then_some(()));
}

#[test]
fn the_time_limit_stops_all_jobs() {
    let plan = "[[classify]]\nmodels = [\"tcp_handshake.sts\"]\nbounds = [5000, 5001]\nconstants = [[\"ATTACKER=false\"]]\n";
    let folder = folder(plan);
    let output = run(folder.path(), &["--jobs", "1", "--timeout", "2s", "--json"]);
    assert_eq!(code(&output), 5, "{output:?}");
    let document = json(&output.stdout);
    assert_valid("batch-1", &document);
    assert_eq!(document["missing"], 2);
}

#[cfg(target_os = "linux")]
#[test]
fn a_crash_is_recorded_and_stops_nothing() {
    use std::process::Stdio;
    // The job that dies is the first of two at a time; the others go on.
    let groups: Vec<&str> = LONG.split("\n\n").collect();
    let folder = folder(&format!("{}\n\n{}\n", groups[1].trim_end(), groups[0]));
    let at = folder.path();
    let child = command(at, &["--jobs", "2", "--out", "a", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("runs");
    wait_for("two results", || (results(&at.join("a")).len() == 2).then_some(()));
    let long = wait_for("the long job", || children(child.id()).first().copied());
    kill("-KILL", long);
    let output = child.wait_with_output().expect("ends");
    assert_eq!(code(&output), 11);
    let document = json(&output.stdout);
    assert_valid("batch-1", &document);
    assert_eq!((&document["done"], &document["failed"]), (&Value::from(2), &Value::from(1)));
    let job = &document["jobs"][0];
    assert_eq!(job["state"], "failed");
    assert!(job["error"].as_str().expect("a reason").contains("signal: 9"), "{job}");
    let record = read_json(&at.join(format!("a/results/{}.json", job["name"].as_str().expect("a name"))));
    assert_valid("job-1", &record);
    let table = std::fs::read_to_string(at.join("a/table.md")).expect("a table");
    assert!(table.contains("## Failures") && table.contains("signal: 9"));
    // A failure is no result: the job is run again, and a changed plan does not know it.
    let list = json(&run(at, &["--list", "--json", "--out", "a"]).stdout);
    assert_eq!(list["jobs"][0]["state"], "failed");
    std::fs::write(at.join("specs/plan.toml"), LONG.replace("5000", "4")).expect("written");
    let again = run(at, &["--out", "a"]);
    assert_eq!((code(&again), ended(&again)), (0, 1));
}

#[cfg(target_os = "linux")]
#[test]
fn a_model_that_changes_meanwhile_gives_no_result() {
    use std::process::Stdio;
    let plan = "[settings]\ntimeout = \"5s\"\n\n[[classify]]\nmodels = [\"tcp_handshake.sts\"]\nbounds = [5000]\n\
                constants = [[\"ATTACKER=false\"]]\n";
    let folder = folder(plan);
    let at = folder.path();
    let child =
        command(at, &["--out", "a"]).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("runs");
    wait_for("the job", || children(child.id()).first().copied());
    let model = at.join("specs/tcp_handshake.sts");
    let text = std::fs::read_to_string(&model).expect("readable");
    std::fs::write(&model, text + "\n// changed\n").expect("written");
    let output = child.wait_with_output().expect("ends");
    assert_eq!(code(&output), 11);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("the model changed during the run"), "{said}");
    assert_eq!(results(&at.join("a")), Vec::<PathBuf>::new());
}

#[test]
fn a_folder_of_protocols_gives_a_table_of_claims() {
    let plan = "[[classify]]\nmodels = [\"protocols\"]\nclaims = \"all\"\nconstants = [[\"RUNS=2\"], [\"RUNS=3\"]]\n";
    let folder = folder(plan);
    let at = folder.path();
    std::fs::create_dir(at.join("specs/protocols")).expect("created");
    for name in ["denning-sacco-public-key", "denning-sacco-public-key-fixed"] {
        let file = format!("specs/protocols/{name}.spdl");
        std::fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join(&file), at.join(&file)).expect("copied");
    }
    std::fs::write(at.join("specs/protocols/notes.txt"), "no protocol").expect("written");
    let output = run(at, &["--out", "a"]);
    assert_eq!(code(&output), 0, "{output:?}");
    let merged = read_json(&at.join("a/merged.json"));
    assert_valid("batch-1", &merged);
    assert_eq!(merged["jobs"][0]["job"]["claim"], "A1 Secret");
    let table = std::fs::read_to_string(at.join("a/claims.md")).expect("a table");
    let lines = table.lines().skip(2).map(|line| line.rsplit_once(" | ").expect("seconds are last").0);
    let expected = [
        "| denning-sacco-public-key-fixed | A1 Secret | holds | – | 2 | –",
        "| denning-sacco-public-key-fixed | B1 Secret | holds | – | 2 | –",
        "| denning-sacco-public-key-fixed | B2 Nisynch | holds | – | 2 | –",
        "| denning-sacco-public-key-fixed | A1 Secret | holds | – | 3 | –",
        "| denning-sacco-public-key-fixed | B1 Secret | holds | – | 3 | –",
        "| denning-sacco-public-key-fixed | B2 Nisynch | holds | – | 3 | –",
        "| denning-sacco-public-key | A1 Secret | holds | – | 2 | –",
        "| denning-sacco-public-key | B1 Secret | attacks | redirection | 2 | 2",
        "| denning-sacco-public-key | B2 Nisynch | attacks | redirection | 2 | 2",
        "| denning-sacco-public-key | A1 Secret | holds | – | 3 | –",
        "| denning-sacco-public-key | B1 Secret | attacks | redirection | 3 | 2",
        "| denning-sacco-public-key | B2 Nisynch | attacks | redirection | 3 | 2",
    ];
    assert_eq!(lines.collect::<Vec<_>>(), expected);
}
