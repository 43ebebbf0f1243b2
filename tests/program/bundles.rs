//! Exchange bundles and stored results of others: what they ask for is verified, and nothing else is done.

use super::verify::{cladist, solvers, stored, verify};
use cladist::diagnostics::SourceId;
use cladist::smt_solver::ForeignScript;
use cladist::verify::sha256;
use serde_json::{Value as Json, json};
use std::fs;
use std::path::{Path, PathBuf};

#[path = "../common/random.rs"]
mod random;
use random::{Random, seeds};

/// A model whose only step violates the property.
const LAMP: &str = "model lamp;
    var on : bool;
    init { not on; }
    action press() { on' = true; }
    invariant dark: not on;
    pred pressed(i: pos) = action@i = press;
    vocabulary v = { pressed };
";

/// A bundle in a folder of its own.
struct Fixture {
    folder: tempfile::TempDir,
}

impl Fixture {
    /// A bundle about the lamp.
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let model = folder.path().join("lamp.sts");
        fs::write(&model, LAMP).expect("written");
        let model = model.to_str().expect("UTF-8");
        let file = stored(folder.path(), &["classify", model, "-k", "2"]);
        let own = Self { folder };
        let (code, text) = verify(&file, &["--exchange", own.text("bundle").as_str()], &["echo unsat"]);
        assert_eq!(code, 0, "{text}");
        own
    }

    /// A path in the folder.
    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        self.path(name).to_str().expect("UTF-8").to_owned()
    }

    fn manifest(&self) -> Json {
        serde_json::from_slice(&fs::read(self.path("bundle/manifest.json")).expect("a manifest"))
            .expect("JSON")
    }

    /// Writes the manifest after a change, with the digests of the files that are there.
    fn change(&self, change: impl FnOnce(&mut Json)) {
        let mut manifest = self.manifest();
        change(&mut manifest);
        for file in manifest["files"].as_array_mut().expect("a list") {
            let path = self.path("bundle").join(file["path"].as_str().expect("a path"));
            if let Ok(bytes) = fs::read(path) {
                file["sha256"] = json!(sha256(&bytes));
            }
        }
        fs::write(self.path("bundle/manifest.json"), manifest.to_string()).expect("written");
    }

    /// The path of a script in the bundle.
    fn script(&self) -> String {
        let manifest = self.manifest();
        let listed = manifest["obligations"].as_array().expect("a list");
        listed.iter().find_map(|one| one["script"].as_str()).expect("a script").to_owned()
    }

    /// Puts a script in the place of one of the bundle.
    fn with_script(&self, text: &[u8]) {
        fs::write(self.path("bundle").join(self.script()), text).expect("written");
        self.change(|_| {});
    }

    /// A solver that leaves a mark before it does what another one does.
    fn spy(&self, solver: &str) -> String {
        format!("sh -c \"echo run >> {}; exec {solver}\"", self.text("mark"))
    }

    fn was_run(&self) -> bool {
        self.path("mark").exists()
    }
}

/// Bundles of any producer say what they are, and other scripts than the program's own are asked about.
#[test]
fn bundles_stand_for_themselves() {
    let solvers = solvers();
    if solvers.is_empty() {
        return;
    }
    let temporary = tempfile::tempdir().expect("a folder");
    let bundle = temporary.path().join("bundle");
    let file = stored(temporary.path(), &["classify", "specs/ns_public_key.sts", "-V", "attacks", "-k", "6"]);
    let (code, text) = verify(&file, &["--exchange", bundle.to_str().expect("UTF-8")], &solvers[..1]);
    assert_eq!(code, 0, "{text}");
    fs::remove_file(&file).expect("removed");
    let manifest = fs::read(bundle.join("manifest.json")).expect("a manifest");
    let manifest: Json = serde_json::from_slice(&manifest).expect("JSON");
    let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/schema/exchange-1.json");
    let schema: Json = serde_json::from_slice(&fs::read(schema).expect("a schema")).expect("JSON");
    let errors: Vec<String> = jsonschema::validator_for(&schema)
        .expect("a schema")
        .iter_errors(&manifest)
        .map(|error| error.to_string())
        .collect();
    assert!(errors.is_empty(), "{errors:?}");
    let (code, text) = verify(&bundle, &[], &solvers[..1]);
    assert!(code == 0 && text.contains("checked as written: 0"), "{code}\n{text}");
}

/// What is as harmless as the program's own scripts reaches every solver, and means there what it means.
#[test]
fn harmless_scripts_are_asked_about() {
    let unsat = [
        "(set-logic QF_BV)(assert false)(check-sat)",
        "; (set-option :regular-output-channel \"f\")\n(set-info :source |a\n; (b|)\n(set-info :status unsat)\n\
         (set-option :produce-models true)\n(set-logic QF_BV)\n(declare-fun |a b; ( \"| () Bool)(declare-const c Bool)\n\
         (assert (! (let ((d (and c (not c)))) (or d |a b; ( \"|)) :named |e|))(assert (not |a b; ( \"|))\n\
         (check-sat) ; asked\n(exit)\n",
        "(set-info :notes \"it says \"\"echo\"\" (echo \"\"x\"\")\")\n(set-logic QF_BV)\n(define-sort Byte () (_ BitVec 8))\n\
         (declare-const x Byte)(define-fun f ((y Byte)) Byte (bvadd y #x01))(assert (= (f x) x))(assert (= #b1 #b1))\n(check-sat)",
    ];
    // yices knows no recursive functions and data types.
    let unsat_for_most =
        ["(set-logic ALL)(declare-datatypes ((T 0)) (((c (s Int)) (d))))(declare-const t T)\n\
         (define-fun-rec f ((n Int)) Int (ite (<= n 0) 0 (f (- n 1))))(declare-const u String)\n\
         (assert (and (distinct t d) (= u \"a\\\\u{62}\"\"\") (= (f 1) 1) (> 1.5 2.0)))(check-sat)"];
    let fixture = Fixture::new();
    for solver in solvers() {
        let more = unsat_for_most.iter().filter(|_| !solver.starts_with("yices"));
        for script in unsat.iter().chain(more) {
            fixture.with_script(script.as_bytes());
            // The way that is fast with bit vectors is one of these only.
            let solver =
                if script.contains("QF_BV") { solver } else { solver.trim_end_matches(" --bitblast=eager") };
            let (code, text) = verify(&fixture.path("bundle"), &[], &[solver]);
            assert!(
                code == 0 && text.contains("checked as written: 1"),
                "{solver}: {script}\n{code}\n{text}"
            );
        }
        fixture.with_script(b"(set-logic QF_BV)(check-sat)");
        let (code, text) = verify(&fixture.path("bundle"), &[], &[solver]);
        let says = "(as written): the bundle says: ";
        assert!(code == 13 && text.contains(says), "{solver}: {code}\n{text}");
    }
}

/// Scripts that write, read, run, or answer themselves, by ways of all solvers; `FILE` is what they write.
const ATTACKS: &[&str] = &[
    "(set-option :regular-output-channel \"FILE\")(echo \"x\")(set-option :regular-output-channel \"stdout\")(assert false)(check-sat)",
    "(set-option :diagnostic-output-channel \"FILE\")(assert false)(check-sat)",
    "(assert false)(check-sat)(set-option :regular-output-channel \"FILE\")(echo \"x\")",
    "(|set-option| :regular-output-channel \"FILE\")(assert false)(check-sat)",
    "( ; (\n set-option\n:regular-output-channel \"FILE\")(assert false)(check-sat)",
    "(set-option :dump-models true)(assert false)(check-sat)",
    "(set-option :trace true)(assert false)(check-sat)",
    "(set-option :produce-models \"FILE\")(assert false)(check-sat)",
    "(include \"/etc/passwd\")(assert false)(check-sat)",
    "(echo \"unsat\")(check-sat)",
    "(declare-oracle-fun f (Int) Int touch)(assert (= (f 1) 2))(check-sat)",
    "(declare-oracle-fun f (Int) Int |touch FILE|)(check-sat)",
    "(assert false)(check-sat)(get-model)",
    "(assert false)(get-unsat-core)(check-sat)",
    "(push 1)(assert false)(check-sat)",
    "(assert false)(check-sat)(reset)",
    "(assert false)(check-sat)(check-sat)",
    "(assert false)(check-sat)(assert true)",
    "(check-sat-assuming (false))",
    "(check-sat false)",
    "(eval (+ 1 1))(check-sat)",
    "(declare-rel r (Int))(check-sat)",
    "(set-info :source (set-option :regular-output-channel \"FILE\"))(check-sat)",
    "(set-info :source :regular-output-channel \"FILE\")(check-sat)",
    "(assert (! false :regular-output-channel \"FILE\"))(check-sat)",
    "(assert false :named a)(check-sat)",
    // What one reader takes for the end of a string or quoted symbol, and another does not.
    "(set-info :a \"\\\")(set-option :regular-output-channel \"FILE\")(echo \"x\")(check-sat)",
    "(set-info :a |\\|)(set-option :regular-output-channel |FILE|)(set-info :b |)(assert false)(check-sat)",
    "(set-info :a \"\\\"\" )(echo \" \")(check-sat)",
    "#| (assert true)(check-sat) |# (set-option :regular-output-channel \"FILE\")",
    "(assert #)(check-sat)",
    "(assert #b2)(check-sat)",
    "(assert 12ab)(check-sat)",
    "(assert \u{a0}false)(check-sat)",
    "(set-info :a |\u{0}|)(check-sat)",
    "(set-info :a \"\u{1b}[2J\")(check-sat)",
    "(assert false)(exit)(check-sat)",
    "(assert false)",
    "",
    "check-sat",
    "()(check-sat)",
    "((set-option :regular-output-channel \"FILE\"))(check-sat)",
    "(assert false)(check-sat))(set-option :regular-output-channel \"FILE\")",
    "(assert false)(check-sat",
    "(assert)(check-sat)",
];

#[test]
fn scripts_that_do_more_than_ask_are_refused_before_anything_is_run() {
    let fixture = Fixture::new();
    let solvers = solvers();
    for (number, attack) in ATTACKS.iter().enumerate() {
        let attack = attack.replace("FILE", &fixture.text("written"));
        fixture.with_script(attack.as_bytes());
        // One solver is enough where nothing is run, and the first attack is an attack with all of them.
        for solver in solvers.iter().take(if number == 0 { solvers.len() } else { 1 }) {
            let (code, text) = verify(&fixture.path("bundle"), &[], &[&fixture.spy(solver)]);
            let place = format!("{}:", fixture.script());
            assert!(
                code == 2 && text.contains(&place) && !text.contains("panicked"),
                "{attack}\n{code}\n{text}"
            );
            assert!(!fixture.was_run() && !fixture.path("written").exists(), "{attack}");
        }
    }
    for solver in solvers {
        // Each writes a file where it runs, if it is told to.
        let place = tempfile::tempdir().expect("a folder");
        let input = fixture.path("attack.smt2");
        fs::write(&input, ATTACKS[0].replace("FILE", "written")).expect("written");
        let line = format!("{solver} < {} > {}", input.display(), fixture.text("output"));
        let status = std::process::Command::new("sh").current_dir(&place).args(["-c", &line]).status();
        assert!(status.is_ok(), "{solver}");
        let written = fs::read_dir(&place).expect("a folder").count();
        assert!(written > 0, "{solver} does not write what it is told to: this test is worth nothing");
    }
}

#[test]
fn mistakes_in_scripts_have_their_places_and_help() {
    let fixture = Fixture::new();
    for (script, parts) in [
        ("(set-logic QF_BV)\n  (ech \"x\")\n", ["smt2:2:4", "`ech` is not passed on"]),
        (
            "(assert true)\n(set-option :produce-model true)(check-sat)\n",
            ["smt2:2:13", "did you mean `:produce-models`?"],
        ),
        ("(asserts true)(check-sat)\n", ["smt2:1:2", "did you mean `assert`?"]),
        ("(assert true)(check-sat)\n(check-sat)\n", ["smt2:2:2", "needs a script of its own"]),
        ("(assert (and true)\n", ["smt2:1:1", "is not closed"]),
        ("(assert \"a)\n", ["smt2:1:9", "strings and quoted symbols end"]),
    ] {
        fixture.with_script(script.as_bytes());
        let (code, text) = verify(&fixture.path("bundle"), &[], &["echo unsat"]);
        assert!(code == 2 && parts.iter().all(|part| text.contains(part)), "{script}\n{code}\n{text}");
    }
}

/// The names of commands in a text of one command a line.
fn heads(text: &str) -> Vec<&str> {
    text.lines()
        .map(|line| line.trim_start_matches('(').split([' ', ')']).next().unwrap_or_default())
        .collect()
}

#[test]
fn no_random_script_has_another_command() {
    const PIECES: &[&str] = &[
        "(",
        "(",
        ")",
        ")",
        "(set-option :regular-output-channel \"f\")",
        "(echo \"x\")",
        "|",
        "\"",
        "\\",
        ";",
        "\n",
        " ",
        "#|",
        "|#",
        "(assert false)",
        "(check-sat)",
        "(exit)",
        "a",
        ":named",
        "!",
        "#b0",
        "12",
        "\"\"",
        "(set-info :a ",
        "\r",
        "\u{0}",
        "é",
    ];
    const KNOWN: &[&str] = &["assert", "check-sat", "exit"];
    let read = |text: &str| ForeignScript::read(text, SourceId(0));
    let mut taken = 0;
    for seed in seeds(20_000) {
        let random = &mut Random::new(seed);
        let pieces: Vec<&str> = (0..random.below(8)).map(|_| *random.pick(PIECES)).collect();
        let text = format!("(assert false){}(check-sat)", pieces.concat());
        let Ok(script) = read(&text) else { continue };
        taken += 1;
        // Quoted texts may have several lines.
        if !script.text().contains(['|', '"']) {
            assert!(
                heads(script.text()).iter().all(|head| KNOWN.contains(head)),
                "{text}\n{}",
                script.text()
            );
        }
        assert_eq!(read(script.text()).ok().as_ref(), Some(&script), "{text}");
    }
    assert!(taken > 200, "{taken}");
}

#[test]
fn deep_scripts_and_long_ones_are_read() {
    let deep = format!("(assert {}true{})(check-sat)", "(not ".repeat(200_000), ")".repeat(200_000));
    assert!(ForeignScript::read(&deep, SourceId(0)).is_ok());
    let open = "(".repeat(1_000_000);
    assert!(ForeignScript::read(&open, SourceId(0)).is_err());
}

/// What a change to a manifest is, the change, and what is said of it.
type Change = (&'static str, fn(&mut Json), &'static str);

const CHANGES: &[Change] = &[
    ("the result lies above", |m| m["result"] = json!("../result.json"), "does not lie in the bundle"),
    ("the model is absolute", |m| m["model"] = json!("/etc/passwd"), "does not lie in the bundle"),
    ("the root lies above", |m| m["root"] = json!("model/../.."), "does not lie in the bundle"),
    ("the root is here", |m| m["root"] = json!("."), "does not lie in the bundle"),
    ("a file lies above", |m| m["files"][0]["path"] = json!("model/../../x"), "does not lie in the bundle"),
    (
        "a script is not listed",
        |m| first_script(m)["script"] = json!("obligations/x.smt2"),
        "not among its files",
    ),
    (
        "a script is absolute",
        |m| first_script(m)["script"] = json!("/etc/passwd"),
        "does not lie in the bundle",
    ),
    ("a solver is named", |m| m["solver"] = json!("touch x"), "unknown field `solver`"),
    (
        "an obligation has a command",
        |m| first_script(m)["solver"] = json!("touch x"),
        "unknown field `solver`",
    ),
    ("an answer is another", |m| first_script(m)["answer"] = json!("sat"), "an answer other than `unsat`"),
    ("a kind is unknown", |m| first_script(m)["kind"] = json!("run"), "of an unknown kind"),
    ("a reason is missing", |m| m["obligations"][0]["kind"] = json!("open"), "lacks one of its own"),
    ("a name is odd", |m| m["obligations"][0]["name"] = json!("a\u{1b}[2J"), "other characters than letters"),
    ("a name is there twice", |m| m["obligations"][1] = m["obligations"][0].clone(), "there twice"),
    (
        "the schema is another",
        |m| m["result_schema"] = json!("cladist/check-1"),
        "has the schema cladist/classify-1",
    ),
    ("a constant is another", |m| m["set"]["x"] = json!("1"), "about other values"),
    (
        "a file is not there",
        |m| {
            m["files"].as_array_mut().expect("a list").push(json!({ "path": "nothing", "sha256": "0" }));
        },
        "cannot read",
    ),
];

#[test]
fn manifests_name_only_what_is_in_the_bundle() {
    for (what, change, reason) in CHANGES {
        let fixture = Fixture::new();
        fixture.change(change);
        let (code, text) = verify(&fixture.path("bundle"), &[], &[&fixture.spy("echo unsat")]);
        assert!(code == 2 && text.contains(reason), "{what}: {code}\n{text}");
        assert!(!fixture.was_run(), "{what}");
    }
    let fixture = Fixture::new();
    fs::write(fixture.path("bundle").join(fixture.script()), "(check-sat)\n").expect("written");
    let (code, text) = verify(&fixture.path("bundle"), &[], &["echo unsat"]);
    assert!(code == 2 && text.contains("it has another digest"), "{code}\n{text}");
}

/// The first obligation with a script.
fn first_script(manifest: &mut Json) -> &mut Json {
    let listed = manifest["obligations"].as_array_mut().expect("a list");
    listed.iter_mut().find(|one| one["kind"] == "script").expect("a script")
}

const SECRET: &str = "hunter2 is the password\n";

#[cfg(unix)]
#[test]
fn links_in_a_bundle_are_not_followed() {
    use std::os::unix::fs::symlink;
    for name in ["manifest.json", "result.json", "model", "model/lamp.sts", "obligations"] {
        let fixture = Fixture::new();
        let (at, elsewhere) = (fixture.path("bundle").join(name), fixture.path("elsewhere"));
        fs::rename(&at, &elsewhere).expect("moved");
        symlink(&elsewhere, &at).expect("linked");
        let (code, text) = verify(&fixture.path("bundle"), &[], &[&fixture.spy("echo unsat")]);
        assert!(
            code == 2 && text.contains("is a symbolic link, and bundles have none"),
            "{name}: {code}\n{text}"
        );
        assert!(!fixture.was_run(), "{name}");
    }
    // A link to the bundle as a whole is one of the user.
    let fixture = Fixture::new();
    symlink(fixture.path("bundle"), fixture.path("link")).expect("linked");
    let (code, text) = verify(&fixture.path("link"), &[], &["echo unsat"]);
    assert_eq!(code, 0, "{text}");
}

/// The model of a bundle, in its result and its manifest, is another text.
fn with_model(fixture: &Fixture, text: &str) {
    fs::write(fixture.path("bundle/model/lamp.sts"), text).expect("written");
    let path = fixture.path("bundle/result.json");
    let mut result: Json = serde_json::from_slice(&fs::read(&path).expect("a result")).expect("JSON");
    result["sources"][0]["sha256"] = json!(sha256(text.as_bytes()));
    fs::write(path, result.to_string()).expect("written");
    fixture.change(|_| {});
}

#[cfg(unix)]
#[test]
fn models_of_a_bundle_import_nothing_from_elsewhere() {
    let fixture = Fixture::new();
    fs::write(fixture.path("secret.pred"), SECRET).expect("written");
    std::os::unix::fs::symlink(fixture.path("secret.pred"), fixture.path("bundle/model/link.pred"))
        .expect("linked");
    let absolute = fixture.text("secret.pred");
    for import in ["../../secret.pred", "link.pred", absolute.as_str()] {
        let text = LAMP.replace("model lamp;", &format!("model lamp;\n    import \"{import}\" as s;"));
        with_model(&fixture, &text);
        let (code, text) = verify(&fixture.path("bundle"), &[], &[&fixture.spy("echo unsat")]);
        assert!(code == 2 && !text.contains("hunter2") && !fixture.was_run(), "{import}: {code}\n{text}");
        assert!(text.contains("secret.pred") || text.contains("link.pred"), "{import}: {code}\n{text}");
    }
    // What the bundle has itself is shown: whoever wrote it knows it.
    with_model(&fixture, &LAMP.replace("not on;", "not off;"));
    let (code, text) = verify(&fixture.path("bundle"), &[], &["echo unsat"]);
    assert!(code == 2 && text.contains("lamp.sts:3:") && text.contains("`off`"), "{code}\n{text}");
}

#[test]
fn results_show_nothing_of_the_files_that_they_name() {
    let fixture = Fixture::new();
    let read = || -> Json {
        serde_json::from_slice(&fs::read(fixture.path("result.json")).expect("it")).expect("JSON")
    };
    let with_file = |file: &str| {
        let mut result = read();
        result["file"] = json!(file);
        fs::write(fixture.path("result.json"), result.to_string()).expect("written");
    };
    for name in ["secret", "secret.sts", "secret.smv", "secret.spdl", "secret.qnt.json", "secret.aag"] {
        fs::write(fixture.path(name), SECRET).expect("written");
        with_file(&fixture.text(name));
        let (code, text) = verify(&fixture.path("result.json"), &[], &[&fixture.spy("echo unsat")]);
        assert!(
            code == 2 && !text.contains("hunter2") && !text.contains("password"),
            "{name}: {code}\n{text}"
        );
        assert!(text.contains("is about") && !fixture.was_run(), "{name}: {code}\n{text}");
    }
    // With --root, the model has to be there.
    let root = fixture.path("inner");
    fs::create_dir(&root).expect("created");
    with_file(&fixture.text("lamp.sts"));
    let root = root.to_str().expect("UTF-8");
    let (code, text) = verify(&fixture.path("result.json"), &["--root", root], &["echo unsat"]);
    assert!(code == 2 && text.contains("is outside"), "{code}\n{text}");
    with_file(&format!("{root}/../lamp.sts"));
    let (code, text) = verify(&fixture.path("result.json"), &["--root", root], &["echo unsat"]);
    assert!(code == 2 && text.contains("is outside"), "{code}\n{text}");
    let (code, text) = verify(&fixture.path("result.json"), &[], &["echo unsat"]);
    assert_eq!(code, 0, "{text}");
}

#[test]
fn solvers_that_a_document_names_are_not_run() {
    let fixture = Fixture::new();
    let spy = json!(fixture.spy("echo unsat"));
    let mut result: Json =
        serde_json::from_slice(&fs::read(fixture.path("bundle/result.json")).expect("it")).expect("JSON");
    for pointer in ["/solver", "/request/solver", "/statistics/solver", "/again", "/command"] {
        let (parent, name) = pointer.rsplit_once('/').expect("a name");
        if let Some(fields) = result.pointer_mut(parent).and_then(Json::as_object_mut) {
            fields.insert(name.to_owned(), spy.clone());
        }
    }
    fs::write(fixture.path("bundle/result.json"), result.to_string()).expect("written");
    fixture.change(|manifest| manifest["producer"] = spy.clone());
    let (_, text) = verify(&fixture.path("bundle"), &[], &["echo unsat"]);
    assert!(!fixture.was_run(), "{text}");
    let output = cladist(&["verify", &fixture.text("bundle"), "--solver", "nosuch"]);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert_eq!(text, "error: `nosuch`: it cannot be started: there is no program nosuch in PATH\n");
}

#[cfg(unix)]
#[test]
fn solvers_work_in_an_empty_folder_that_does_not_stay() {
    let fixture = Fixture::new();
    let log = fixture.text("log");
    // A script that is named with its folder is found from there, too.
    let script = format!("pwd >> {log}; ls -A >> {log}; touch left here; cat > /dev/null; echo unsat");
    fs::write(fixture.path("solver.sh"), script).expect("written");
    let solver = format!("sh {}", fixture.text("solver.sh"));
    let (code, text) = verify(&fixture.path("bundle"), &[], &[&solver]);
    assert_eq!(code, 0, "{text}");
    let log = fs::read_to_string(fixture.path("log")).expect("a log");
    let folders: Vec<&str> = log.lines().collect();
    assert!(folders.len() > 1 && folders.iter().all(|folder| folder.starts_with('/')), "{log}");
    assert!(folders.iter().all(|folder| !Path::new(folder).exists()), "{log}");
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_cladist"))
        .current_dir(fixture.folder.path())
        .args(["verify", "bundle", "--solver", "sh ./solver.sh"])
        .output()
        .expect("runs");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn bundles_replace_nothing_but_bundles() {
    let fixture = Fixture::new();
    let exchange = |folder: &str| {
        verify(&fixture.path("result.json"), &["--exchange", &fixture.text(folder)], &["echo unsat"])
    };
    let refused = |folder: &str, file: &str| {
        let before = fs::read(fixture.path(file)).ok();
        let (code, text) = exchange(folder);
        let says =
            text.contains("is no file of a bundle as it was written") && text.contains("new or empty folder");
        assert!(code == 2 && says, "{folder}: {code}\n{text}");
        assert_eq!(fs::read(fixture.path(file)).ok(), before, "{file}");
    };
    fs::create_dir_all(fixture.path("own/deep")).expect("created");
    fs::write(fixture.path("own/deep/notes.txt"), "mine").expect("written");
    refused("own", "own/deep/notes.txt");
    fs::rename(fixture.path("own/deep/notes.txt"), fixture.path("own/result.json")).expect("moved");
    refused("own", "own/result.json");
    fs::rename(fixture.path("own/result.json"), fixture.path("own/manifest.json")).expect("moved");
    refused("own", "own/manifest.json");
    fs::remove_file(fixture.path("own/manifest.json")).expect("removed");
    assert_eq!(exchange("own").0, 0, "an empty folder");
    // Another bundle takes the place of one: what only the old one had is gone.
    let stale = fixture.path("own").join(fixture.script());
    let manifest = fs::read_to_string(fixture.path("own/manifest.json")).expect("it");
    let longer = format!("{}.old", fixture.script());
    fs::rename(&stale, fixture.path("own").join(&longer)).expect("moved");
    fs::write(fixture.path("own/manifest.json"), manifest.replace(&fixture.script(), &longer))
        .expect("written");
    assert_eq!(exchange("own").0, 0, "another bundle");
    assert!(stale.exists() && !fixture.path("own").join(&longer).exists());
    fs::write(fixture.path("own/more.txt"), "mine").expect("written");
    refused("own", "own/more.txt");
    fs::remove_file(fixture.path("own/more.txt")).expect("removed");
    fs::write(fixture.path("own/model/lamp.sts"), "changed by hand").expect("written");
    refused("own", "own/model/lamp.sts");
    #[cfg(unix)]
    {
        fs::remove_dir_all(fixture.path("own/model")).expect("removed");
        fs::create_dir(fixture.path("elsewhere")).expect("created");
        std::os::unix::fs::symlink(fixture.path("elsewhere"), fixture.path("own/model")).expect("linked");
        refused("own", "own/manifest.json");
        assert_eq!(fs::read_dir(fixture.path("elsewhere")).expect("a folder").count(), 0);
    }
}
