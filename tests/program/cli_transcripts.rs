//! Command lines with what they print and how they end, as recorded in `tests/cli/*.txt`.
//!
//! ```text
//! # a remark
//! $ CLADIST_SOLVER=varisat cladist check model.sts -k 3     words as in a shell, single quotes only
//! ? 10                                                      the exit code, 0 if not given
//! what is printed on standard output, `[..]` for anything in a line, a line `...` for any lines
//! ! what is printed on standard error; nothing if there is no such line
//! json check-1                                              standard output is one document of this schema
//! json /verdict = "holds"                                   and has this value there
//! ```
//! Commands run in the root of the repository; `{tmp}` is a folder of the file's own. After a change that
//! is meant, `CLADIST_RECORD=1 cargo test --test program cli_transcripts` writes what is printed now; lines that
//! still match keep their `[..]`.

use serde_json::Value;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

#[derive(Default, Debug)]
struct Case {
    line: usize,
    command: String,
    code: i32,
    stdout: Vec<String>,
    stderr: Vec<String>,
    json: Vec<String>,
}

#[test]
fn transcripts() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("tests/cli").map(|e| e.expect("an entry").path()).collect();
    files.retain(|f| f.extension().is_some_and(|e| e == "txt"));
    files.sort();
    assert!(!files.is_empty());
    let mut failures = String::new();
    for file in files {
        let temporary = tempfile::tempdir().expect("a folder");
        let text = std::fs::read_to_string(&file).expect("a transcript");
        let mut recorded: Vec<String> = text.lines().map(str::to_owned).collect();
        let cases = read(&text);
        let outputs: Vec<Output> = cases.iter().map(|case| run(case, temporary.path())).collect();
        // Recorded from the end, so that line numbers stay right.
        for (index, (case, output)) in cases.iter().zip(&outputs).enumerate().rev() {
            let problems = problems(case, output);
            if !problems.is_empty() {
                let _ = writeln!(failures, "{}:{}: {}\n{problems}", file.display(), case.line, case.command);
                let next = cases.get(index + 1).map_or(recorded.len(), |next| next.line - 1);
                let end = end_of_record(&recorded[case.line..next]);
                recorded.splice(case.line..case.line + end, record(case, output));
            }
        }
        if std::env::var_os("CLADIST_RECORD").is_some() {
            std::fs::write(&file, recorded.join("\n").trim_end().to_owned() + "\n").expect("written");
        }
    }
    assert!(failures.is_empty(), "\n{failures}");
}

/// How many of the lines between two commands are what the first one prints. The remarks before the second one, and
/// empty lines between and after them, are not.
fn end_of_record(lines: &[String]) -> usize {
    let layout = lines.iter().rev().take_while(|line| line.is_empty() || line.starts_with("# ")).count();
    let layout = lines.len() - layout..lines.len();
    layout.clone().find(|&at| lines[at].starts_with("# ")).unwrap_or(layout.end)
}

#[test]
fn remarks_before_the_next_command_stay() {
    let end = |lines: &[&str]| end_of_record(&lines.iter().map(|&line| line.to_owned()).collect::<Vec<_>>());
    assert_eq!(end(&["out", ""]), 2);
    assert_eq!(end(&["out", "", "# remark"]), 2);
    assert_eq!(end(&["out", "", "# remark", "# more", ""]), 2);
    assert_eq!(end(&["out", "", "# remark", "", "# another", "", ""]), 2);
    assert_eq!(end(&["# not printed", "out", "", "out"]), 4);
    assert_eq!(end(&[]), 0);
}

fn read(text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        if let Some(command) = line.strip_prefix("$ ") {
            cases.push(Case { line: number + 1, command: command.to_owned(), ..Case::default() });
            continue;
        }
        let Some(case) = cases.last_mut() else { continue };
        if let Some(code) = line.strip_prefix("? ") {
            case.code = code.parse().expect("an exit code");
        } else if line == "!" {
            case.stderr.push(String::new());
        } else if let Some(text) = line.strip_prefix("! ") {
            case.stderr.push(text.to_owned());
        } else if let Some(check) = line.strip_prefix("json ") {
            case.json.push(check.to_owned());
        } else if !line.starts_with("# ") {
            case.stdout.push(line.to_owned());
        }
    }
    for case in &mut cases {
        // Empty lines before the next command are layout.
        while case.stdout.last().is_some_and(String::is_empty) {
            case.stdout.pop();
        }
    }
    cases
}

/// The lines that would have matched.
fn record(case: &Case, output: &Output) -> Vec<String> {
    let kept = |patterns: &[String], line: &str| {
        patterns.iter().find(|p| matches(p, line)).cloned().unwrap_or_else(|| line.to_owned())
    };
    let mut lines = Vec::new();
    if output.code != 0 {
        lines.push(format!("? {}", output.code));
    }
    lines.extend(output.stderr.trim_end().lines().map(|line| match kept(&case.stderr, line).as_str() {
        "" => "!".to_owned(),
        line => format!("! {line}"),
    }));
    if case.json.is_empty() {
        lines.extend(output.stdout.trim_end().lines().map(|line| kept(&case.stdout, line)));
    }
    lines.extend(case.json.iter().map(|check| format!("json {check}")));
    lines.push(String::new());
    lines
}

struct Output {
    code: i32,
    stdout: String,
    stderr: String,
}

fn run(case: &Case, temporary: &Path) -> Output {
    let mut words =
        words(&case.command.replace("{tmp}", &temporary.to_string_lossy())).into_iter().peekable();
    let mut command = Command::new(env!("CARGO_BIN_EXE_cladist"));
    command.current_dir(env!("CARGO_MANIFEST_DIR"));
    let settings =
        ["NO_COLOR", "COLUMNS", "CLADIST_SOLVER", "CLADIST_TIMEOUT", "CLADIST_MEMORY", "CLADIST_THREADS"];
    for variable in settings.iter().chain(&["SLURM_ARRAY_TASK_ID", "HQ_TASK_ID"]) {
        command.env_remove(variable);
    }
    while let Some((name, value)) = words.peek().and_then(|w| w.split_once('=')) {
        command.env(name, value);
        words.next();
    }
    assert_eq!(words.next().as_deref(), Some("cladist"), "line {}", case.line);
    let output = command.args(words).output().expect("the program runs");
    let tmp = temporary.to_string_lossy();
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8").replace(&*tmp, "{tmp}");
    Output {
        code: output.status.code().unwrap_or(-1),
        stdout: whatever_the_speed(&text(output.stdout)),
        stderr: text(output.stderr),
    }
}

fn problems(case: &Case, output: &Output) -> String {
    let mut problems = String::new();
    if output.code != case.code {
        let _ = writeln!(problems, "  exit code {} instead of {}", output.code, case.code);
    }
    if case.json.is_empty() {
        compare("standard output", &case.stdout, &output.stdout, &mut problems);
    } else {
        problems.push_str(&json_problems(&case.json, &output.stdout, output.code));
    }
    compare("standard error", &case.stderr, &output.stderr, &mut problems);
    problems
}

fn compare(what: &str, expected: &[String], actual: &str, problems: &mut String) {
    // A last empty line is layout here too.
    let actual: Vec<&str> = actual.trim_end_matches('\n').lines().collect();
    let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
    if !lines_match(&expected, &actual) {
        let _ = writeln!(problems, "  {what} is\n{}", actual.join("\n"));
        let _ = writeln!(problems, "  instead of\n{}", expected.join("\n"));
    }
}

pub fn lines_match(expected: &[&str], actual: &[&str]) -> bool {
    match (expected.split_first(), actual.split_first()) {
        (None, None) => true,
        (Some((&"...", rest)), _) => (0..=actual.len()).any(|skip| lines_match(rest, &actual[skip..])),
        (Some((pattern, rest)), Some((line, others))) => matches(pattern, line) && lines_match(rest, others),
        _ => false,
    }
}

fn matches(pattern: &str, line: &str) -> bool {
    match pattern.split_once("[..]") {
        None => pattern == line,
        Some((head, rest)) => line.strip_prefix(head).is_some_and(|line| {
            line.char_indices().map(|(at, _)| at).chain([line.len()]).any(|at| matches(rest, &line[at..]))
        }),
    }
}

/// Without the line that depends on how fast the machine is.
fn whatever_the_speed(text: &str) -> String {
    let lines = text.split_inclusive('\n');
    lines.filter(|line| !line.starts_with("longer traces (")).collect()
}

fn json_problems(checks: &[String], stdout: &str, code: i32) -> String {
    let mut problems = String::new();
    let document: Value = match serde_json::from_str(stdout) {
        Ok(document) => document,
        Err(error) => return format!("  standard output is not one JSON document: {error}\n{stdout}\n"),
    };
    for check in checks {
        if let Some((pointer, expected)) = check.split_once(" = ") {
            let expected: Value = serde_json::from_str(expected).expect("JSON after =");
            let actual = document.pointer(pointer).unwrap_or(&Value::Null);
            if *actual != expected {
                let _ = writeln!(problems, "  {pointer} is {actual} instead of {expected}");
            }
        } else {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("docs/schema/{check}.json"));
            let schema = std::fs::read_to_string(path).expect("a schema");
            let schema: Value = serde_json::from_str(&schema).expect("JSON");
            let validator = jsonschema::validator_for(&schema).expect("a schema");
            for error in validator.iter_errors(&document) {
                let _ = writeln!(problems, "  {error} at {}", error.instance_path());
            }
        }
    }
    let allowed: &[i32] = match document["verdict"].as_str() {
        None if document["schema"] == "cladist/error-1" => &[2],
        None if document["equivalent"] == false => &[10],
        None => &[0, 11, 130],
        Some("holds" | "holds_unbounded" | "checked" | "passed") => &[0],
        Some("failed") => &[10, 11, 0],
        Some("complete" | "complete_unbounded" | "violated") => &[10, 0],
        Some("partial") => &[11, 0],
        Some("too_weak" | "remainder") => &[12, 0],
        Some("undecided") => &[5, 130],
        Some(other) => panic!("unknown verdict {other}"),
    };
    if !allowed.contains(&code) {
        let _ = writeln!(problems, "  exit code {code} does not fit the verdict {}", document["verdict"]);
    }
    problems
}

/// Words of a command line, single quotes around what has spaces in it.
pub fn words(line: &str) -> Vec<String> {
    let (mut words, mut quoted, mut word) = (Vec::new(), false, None::<String>);
    for c in line.chars() {
        match c {
            '\'' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            ' ' if !quoted => words.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}
