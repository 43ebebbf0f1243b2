//! What is packed: the archive of a release, and the package for Python.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
const PROGRAM: &str = env!("CARGO_BIN_EXE_cladist");

/// A command that knows which program is meant.
fn command(program: &str) -> Command {
    let mut command = Command::new(program);
    command.current_dir(ROOT).env("CLADIST", PROGRAM);
    command
}

/// Python with the package as it is in the sources; `None`, and why, where there is none that is recent enough.
fn python() -> Option<Command> {
    let recent = "import sys; sys.exit(sys.version_info < (3, 10))";
    if !Command::new("python3").args(["-c", recent]).status().is_ok_and(|status| status.success()) {
        skipped("there is no Python 3.10 or newer");
        return None;
    }
    let mut python = command("python3");
    python.env("PYTHONPATH", "python").env("PYTHONDONTWRITEBYTECODE", "1").env("PYTHONUTF8", "1");
    Some(python)
}

/// Tells why a test does nothing; past the test harness, which keeps what successful tests print.
fn skipped(why: &str) {
    let _ = writeln!(std::io::stderr(), "skipped: {why}");
}

fn succeeded(output: Output) -> String {
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn archive(folder: &Path) -> (Vec<u8>, String) {
    let said = succeeded(command("packaging/archive").arg(folder).output().expect("runs"));
    let archive = std::fs::read(said.trim_end()).expect("an archive");
    let sums = std::fs::read_to_string(folder.join("SHA256SUMS")).expect("sums");
    (archive, sums)
}

#[test]
fn archives_have_everything_and_are_reproducible() {
    if !cfg!(target_os = "linux") {
        return skipped("the script needs the tools of GNU");
    }
    let [one, other] = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
    let (packed, sums) = archive(one.path());
    assert!((packed, sums.clone()) == archive(other.path()), "two runs differ");
    let said = succeeded(
        Command::new("sha256sum").arg("--check").arg("SHA256SUMS").current_dir(&one).output().expect("runs"),
    );
    assert!(said.trim_end().ends_with(": OK"), "{said}");

    // Unpacked elsewhere, the program does its main job, and imports find their libraries.
    let name = sums.split_whitespace().last().expect("a name").to_owned();
    succeeded(Command::new("tar").args(["-xzf", &name]).current_dir(&one).output().expect("runs"));
    let root = one.path().join(name.trim_end_matches(".tar.gz"));
    let classify = ["classify", "specs/ns_public_key.sts", "-V", "attacks", "--brief"];
    let output =
        Command::new(root.join("bin/cladist")).args(classify).current_dir(&root).output().expect("runs");
    assert_eq!(output.status.code(), Some(10), "{output:?}");
    for file in ["README.md", "LICENSE-MIT", "LICENSE-APACHE", "docs/language.md", "predicates/messages.pred"]
    {
        let packed = std::fs::read(root.join(file)).expect(file);
        assert_eq!(packed, std::fs::read(Path::new(ROOT).join(file)).expect(file), "{file}");
    }
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = std::fs::read_to_string(root.join(format!("completions/cladist.{shell}"))).expect(shell);
        assert!(script.contains("CLADIST_COMPLETE"), "{shell}");
    }
    assert!(std::fs::read_to_string(root.join("man/cladist-classify.1")).expect("a page").contains(".TH"));
}

/// What the image is built from is there, and its Rust is the oldest one that is supported.
#[test]
fn the_image_is_built_from_what_there_is() {
    let read = |file: &str| std::fs::read_to_string(Path::new(ROOT).join(file)).expect(file);
    let manifest = read("Cargo.toml");
    let oldest = env!("CARGO_PKG_RUST_VERSION");
    let dockerfile = read("packaging/Dockerfile");
    assert!(dockerfile.contains(&format!("FROM rust:{oldest}-slim-bookworm AS build\n")), "{oldest}");
    let profile = dockerfile.lines().find_map(|line| line.strip_prefix("ARG PROFILE=")).expect("a profile");
    assert!(manifest.contains(&format!("\n[profile.{profile}]\n")), "{profile}");
    let copied = dockerfile.lines().filter_map(|line| line.strip_prefix("COPY "));
    for line in copied.filter(|line| !line.starts_with("--from")) {
        let (files, _) = line.rsplit_once(' ').expect("a destination");
        for file in files.split(' ') {
            assert!(Path::new(ROOT).join(file).exists(), "{file}");
        }
    }
}

#[test]
fn results_are_read_from_python() {
    let Some(mut python) = python() else { return };
    let tests = ["-m", "unittest", "discover", "--start-directory", "python/tests"];
    succeeded(python.args(tests).output().expect("runs"));
}

#[test]
fn the_example_of_the_page_prints_what_the_page_shows() {
    let page = std::fs::read_to_string(Path::new(ROOT).join("docs/packaging.md")).expect("the page");
    let block = |language: &str| {
        let (_, from) = page.split_once(&format!("```{language}\n")).expect("a block");
        from.split_once("```").expect("its end").0.to_owned()
    };
    let Some(mut python) = python() else { return };
    assert_eq!(succeeded(python.args(["-c", &block("python")]).output().expect("runs")), block("text"));
}

#[test]
fn the_citation_and_the_changes_are_those_of_this_version() {
    let read = |file: &str| std::fs::read_to_string(Path::new(ROOT).join(file)).expect("readable");
    let version = env!("CARGO_PKG_VERSION");
    assert!(read("CITATION.cff").lines().any(|line| line == format!("version: {version}")));
    assert!(read("CHANGELOG.md").lines().any(|line| line.starts_with("## ") && line.contains(version)));
}

#[test]
fn the_package_for_the_registry_has_every_file_of_the_command_line() {
    let mut cargo = Command::new(env!("CARGO"));
    let list = cargo.current_dir(ROOT).args([
        "package",
        "--list",
        "--allow-dirty",
        "--offline",
        "--package",
        "cladist",
    ]);
    let packed = succeeded(list.output().expect("runs"));
    let mut folders = vec![Path::new(ROOT).join("src/cli")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("readable") {
            let path = entry.expect("readable").path();
            let name = path.strip_prefix(ROOT).expect("below the root").to_string_lossy().replace('\\', "/");
            match path.is_dir() {
                true => folders.push(path),
                false => assert!(packed.lines().any(|line| line == name), "{name}"),
            }
        }
    }
    assert!(packed.lines().any(|line| line == "build.rs"));
}
