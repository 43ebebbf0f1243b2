//! Processes: solvers end with the program however it ends, and signals leave nothing half done.
#![cfg(target_os = "linux")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

fn cladist(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cladist"));
    command.args(args).current_dir(folder).stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    for variable in ["CLADIST_SOLVER", "CLADIST_TIMEOUT", "CLADIST_MEMORY", "CLADIST_THREADS"] {
        command.env_remove(variable);
    }
    command
}

/// Waits until something is so, but not for ever.
fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < Duration::from_secs(120), "{what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// The end of a process, which has to come.
fn end_of(mut child: Child) -> Output {
    until("it does not end", || child.try_wait().expect("it can be waited for").is_some());
    child.wait_with_output().expect("read")
}

fn signal(name: &str, pid: u32) {
    let status = Command::new("kill").arg(name).arg(pid.to_string()).status();
    assert!(status.expect("kill runs").success());
}

/// Whether a process is there and has not ended.
fn runs(pid: &str) -> bool {
    let status = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    status.rsplit_once(") ").is_some_and(|(_, state)| !state.starts_with('Z'))
}

/// A folder with a stored result, and a solver: a script that notes its process and two that it starts, which hold its standard
/// streams.
struct Solver {
    folder: tempfile::TempDir,
    script: PathBuf,
}

impl Solver {
    /// `first` is how the first process is started, `last` what the script does then.
    fn new(first: &str, last: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let script = folder.path().join("solver");
        let here = folder.path().display();
        let text = format!(
            "#!/bin/sh\n{first} sleep 1000 & echo $! >> {here}/pids\nsleep 1000 & echo $! >> {here}/pids\n\
             echo $$ >> {here}/pids\nmv {here}/pids {here}/started\n{last}\n"
        );
        fs::write(&script, text).expect("written");
        fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).expect("permitted");
        let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("specs/mutex.sts");
        let args = ["classify", model.to_str().expect("UTF-8"), "-V", "steps", "--json"];
        let output = cladist(folder.path(), &args).output().expect("runs");
        fs::write(folder.path().join("result.json"), output.stdout).expect("written");
        Self { folder, script }
    }

    /// Begins to verify the result with the solver.
    fn start(&self, args: &[&str]) -> Child {
        let solver = self.script.to_str().expect("UTF-8");
        let args = [&["verify", "result.json", "--solver", solver], args].concat();
        fs::create_dir_all(self.temporary()).expect("made");
        let mut command = cladist(self.folder.path(), &args);
        command.env("TMPDIR", self.temporary()).spawn().expect("runs")
    }

    /// Where temporary folders are made.
    fn temporary(&self) -> PathBuf {
        self.folder.path().join("temporary")
    }

    /// The processes, once they are there: the two that the script starts, and its own.
    fn processes(&self) -> Vec<String> {
        let file = self.folder.path().join("started");
        until("the solver does not start", || file.exists());
        fs::read_to_string(file).expect("readable").lines().map(str::to_owned).collect()
    }
}

fn all_end(processes: &[String]) {
    for pid in processes {
        until("a process of the solver goes on", || !runs(pid));
    }
}

#[test]
fn whatever_a_solver_starts_ends_with_the_limit() {
    let solver = Solver::new("", "wait");
    let child = solver.start(&["--timeout", "4s"]);
    let processes = solver.processes();
    let output = end_of(child);
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(5), "{printed}");
    // What needed no solver is established, and said.
    assert!(printed.contains("class-1-trace       true     true"), "{printed}");
    assert!(printed.contains("undecided: ") && printed.contains("the time limit was reached"), "{printed}");
    all_end(&processes);
}

#[test]
fn whatever_a_solver_starts_ends_with_the_program() {
    for signals in [&["-KILL"][..], &["-INT"], &["-TERM"], &["-HUP"], &["-INT", "-INT"]] {
        let solver = Solver::new("", "wait");
        let child = solver.start(&[]);
        let processes = solver.processes();
        assert!(processes.iter().all(|pid| runs(pid)));
        for one in signals {
            let _ = Command::new("kill").arg(one).arg(child.id().to_string()).stderr(Stdio::null()).status();
        }
        let output = end_of(child);
        let expected = if signals == ["-KILL"] { None } else { Some(130) };
        assert_eq!(output.status.code(), expected, "{signals:?}");
        all_end(&processes);
        let is_empty = || fs::read_dir(solver.temporary()).expect("a folder").next().is_none();
        until("a temporary folder is left", is_empty);
    }
}

#[test]
fn whatever_a_solver_leaves_behind_ends_with_it() {
    let solver = Solver::new("", "cat > /dev/null; echo unsat");
    let output = end_of(solver.start(&[]));
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stdout));
    all_end(&solver.processes());
}

#[test]
fn a_process_that_left_the_group_does_not_hold_the_program_up() {
    let solver = Solver::new("setsid", "cat > /dev/null; echo unsat");
    let output = end_of(solver.start(&["--timeout", "4s"]));
    assert_eq!(output.status.code(), Some(5), "{}", String::from_utf8_lossy(&output.stdout));
    let processes = solver.processes();
    signal("-KILL", processes[0].parse().expect("a number"));
    all_end(&processes);
}

#[test]
fn a_solver_that_is_not_there_is_said_not_to_be_there() {
    let solver = Solver::new("", "wait");
    fs::set_permissions(&solver.script, fs::Permissions::from_mode(0o644)).expect("permitted");
    let printed = |output: Output| {
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
    };
    let said = printed(end_of(solver.start(&[])));
    assert!(said.contains("it cannot be started: Permission denied"), "{said}");
    let args = ["verify", "result.json", "--solver", "no-such-solver"];
    let said = printed(cladist(solver.folder.path(), &args).output().expect("runs"));
    assert!(said.contains("it cannot be started: there is no program no-such-solver in PATH"), "{said}");
}

/// Whether a process handles SIGINT.
fn handles_signals(pid: u32) -> bool {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    mask.is_some_and(|mask| u64::from_str_radix(mask.trim(), 16).is_ok_and(|mask| mask & 2 != 0))
}

/// Begins something that takes a while, sends it a signal and waits for the end. No temporary file is left.
fn interrupted(folder: &Path, args: &[&str], name: &str, after: Duration) {
    let child = cladist(folder, args).spawn().expect("runs");
    until("no signal is handled", || handles_signals(child.id()) || !runs(&child.id().to_string()));
    std::thread::sleep(after);
    let _ = Command::new("kill").arg(name).arg(child.id().to_string()).stderr(Stdio::null()).status();
    let output = end_of(child);
    assert!(matches!(output.status.code(), Some(0 | 130)), "{args:?} {output:?}");
    let mut names = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").file_name());
    let left = names.find(|name| name.to_string_lossy().starts_with('.'));
    assert_eq!(left, None, "{args:?}");
}

#[test]
fn signals_end_fmt_import_and_export() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    let flags: String = (0..6000).map(|n| format!("var  x{n} : bool;\n")).collect();
    let model = format!("model m;\n{flags}init {{ true; }}\ninvariant i: x0;\n");
    let laid_out = model.replace("var  ", "var ");
    let variables: String = (0..1000).map(|n| format!("  x{n} : boolean;\n")).collect();
    let next: String = (0..1000).map(|n| format!("  next(x{n}) := !x{n};\n")).collect();
    fs::write(at.join("m.smv"), format!("MODULE main\nVAR\n{variables}ASSIGN\n{next}")).expect("written");
    let protocol = Path::new(env!("CARGO_MANIFEST_DIR")).join("specs/protocols/kao-chow.spdl");
    let protocol = protocol.to_str().expect("UTF-8");
    let import = ["import", "smv", "m.smv", "-o", "out.sts"];
    let export = ["export", "sts", protocol, "p.sts", "--runs", "6"];
    for args in [&import[..], &export] {
        assert!(cladist(at, args).status().expect("runs").success(), "{args:?}");
    }
    let read = |name: &str| fs::read_to_string(at.join(name)).expect("readable");
    let whole = ["out.sts", "p.sts"].map(read);
    for (number, after) in [0, 10, 40, 150, 400].map(Duration::from_millis).into_iter().enumerate() {
        let name = ["-INT", "-TERM", "-HUP"][number % 3];
        fs::write(at.join("m.sts"), &model).expect("written");
        interrupted(at, &["fmt", "m.sts"], name, after);
        assert!([&model, &laid_out].contains(&&read("m.sts")), "half of m.sts");
        interrupted(at, &import, name, after);
        interrupted(at, &export, name, after);
        assert_eq!(["out.sts", "p.sts"].map(read), whole);
    }
}
