//! Exports: a file is complete or not there, whatever ends its writing.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// A chain of so many transitions.
fn chain(path: &Path, length: u32) {
    let mut text = format!("des (0, {length}, {})\n", length + 1);
    for state in 0..length {
        let _ = writeln!(text, "({state}, \"A !{}\", {})", state % 100, state + 1);
    }
    fs::write(path, text).expect("written");
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// Runs a line of shell in which `$cladist` is the program.
fn shell(folder: &Path, line: &str) -> Output {
    let mut command = Command::new("sh");
    command.args(["-c", line]).current_dir(folder).env("cladist", env!("CARGO_BIN_EXE_cladist"));
    command.output().expect("a shell")
}

const EXPORTS: [&str; 7] = [
    "lts convert x.aut -o OUT.aut",
    "lts convert x.aut -o OUT.aut.gz",
    "lts convert x.aut -o OUT.dot",
    "lts minimize x.aut -o OUT.aut",
    "lts tag x.aut --formula '[true* . \"A !99\"] false' --counterexample-lts OUT.aut",
    "lts tag x.aut --formula '[true* . \"A !99\"] false' --autx OUT.autx",
    "lts tag x.aut --formula '[true* . \"A !99\"] false' --dot OUT.dot",
];

#[cfg(unix)]
#[test]
fn a_file_that_may_not_grow_is_removed() {
    let folder = tempfile::tempdir().expect("a folder");
    chain(&folder.path().join("x.aut"), 30_000);
    for export in EXPORTS {
        // Files may have four blocks, of 512 or 1024 bytes.
        let output =
            shell(folder.path(), &format!("ulimit -f 4; \"$cladist\" {}", export.replace("OUT", "out")));
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{export}: {message}");
        assert!(message.contains("cannot write out."), "{export}: {message}");
        assert_eq!(names(folder.path()), ["x.aut"], "{export}");
    }
}

#[cfg(unix)]
#[test]
fn an_unwritable_place_is_said_and_an_earlier_file_stays() {
    let folder = tempfile::tempdir().expect("a folder");
    chain(&folder.path().join("x.aut"), 30_000);
    for export in EXPORTS {
        let output = shell(folder.path(), &format!("\"$cladist\" {}", export.replace("OUT", "there/is/no")));
        assert_eq!(output.status.code(), Some(2), "{export}");
        fs::write(folder.path().join("out.aut"), "earlier").expect("written");
    }
    let output = shell(folder.path(), "ulimit -f 4; \"$cladist\" lts convert x.aut -o out.aut");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(fs::read(folder.path().join("out.aut")).expect("there"), b"earlier");
    assert_eq!(names(folder.path()), ["out.aut", "x.aut"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_device_is_said() {
    let folder = tempfile::tempdir().expect("a folder");
    chain(&folder.path().join("x.aut"), 1000);
    fs::create_dir(folder.path().join("full")).expect("a folder");
    std::os::unix::fs::symlink("/dev/full", folder.path().join("full/out.aut")).expect("linked");
    let output = shell(folder.path(), "\"$cladist\" lts convert x.aut -o full/out.aut");
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.contains("cannot write full/out.aut: No space left"), "{message}");
    let output = shell(folder.path(), "\"$cladist\" lts convert x.aut -o - > /dev/full");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(names(&folder.path().join("full")), ["out.aut"]);
}
