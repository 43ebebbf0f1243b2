//! A plan as arrays of a real Slurm, with a killed task and a second submission, gives what `--jobs 2` gives.
//! Where there is no Slurm the test says so and does nothing. It mostly waits, and its name makes it start first, beside
//! the others.

use crate::plans;

use plans::{assert_valid, folder, read_json, timeless};
use std::io::Write;
use std::path::Path;
use std::process::Command;

/// Three models, two vocabularies each, six bounds, of which three are taken.
const PLAN: &str = include_str!("../../plans/bounds.toml");
const JOBS: u32 = 18;

/// The bounds in the plan, and those of them that are taken.
const BOUNDS: [(&str, &str); 3] = [
    ("[4, 5, 6, 7, 8, 10]", "[4, 6, 8]"),
    ("{ from = 2, to = 7 }", "[2, 4, 5]"),
    ("{ from = 5, to = 10 }", "[5, 6, 7]"),
];

/// The exit code of `tests/slurm/node` where it cannot work.
const NO_SLURM: i32 = 77;

#[test]
fn of_slurm_give_the_same_tables() {
    let plan = BOUNDS.iter().fold(PLAN.replace("../specs/", ""), |plan, (all, some)| {
        assert!(plan.contains(all), "{all}");
        plan.replace(all, some)
    });
    let folder = folder(&plan);
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/slurm");
    let output = Command::new(scripts.join("node"))
        .arg(scripts.join("array"))
        .args([Path::new(env!("CARGO_BIN_EXE_cladist")), folder.path()])
        .output()
        .expect("the script runs");
    let said =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    if output.status.code() == Some(NO_SLURM) {
        // Past the test harness, which keeps what successful tests print.
        let _ = write!(std::io::stderr(), "skipped: {said}");
        return;
    }
    assert!(output.status.success(), "{said}");
    let merged = |out: &str| {
        let document = read_json(&folder.path().join(out).join("merged.json"));
        assert_valid("batch-1", &document);
        assert_eq!((&document["done"], &document["partial"]), (&JOBS.into(), &0.into()), "{out}");
        timeless(document)
    };
    let local = merged("local");
    assert_eq!(merged("array"), local);
    assert_eq!(merged("chunks"), local);
}
