//! Tests of `lang::model::root`.

use lang::model::root::*;
use std::{fs, io};

#[test]
fn imports_stay_inside_of_the_root() {
    let folder = tempfile::tempdir().expect("a folder");
    let (models, predicates) = (folder.path().join("specs/deep"), folder.path().join("predicates"));
    fs::create_dir_all(&models).expect("made");
    fs::write(folder.path().join("specs/up.pred"), "library up;").expect("written");
    let model = models.join("m.sts");
    let up = models.join("../up.pred");
    let outside = |root: io::Result<ImportRoot>| root.expect("a root").read(&up).is_err();
    assert!(outside(ImportRoot::of_model(&model)), "only the folder of the model");
    fs::create_dir(&predicates).expect("made");
    assert!(!outside(ImportRoot::of_model(&model)), "as far as the folder with `predicates`");
    assert!(outside(ImportRoot::at(&models)));
    assert!(!outside(ImportRoot::at(folder.path())));
    assert!(ImportRoot::at(&up).is_err() && ImportRoot::at(&models.join("none")).is_err());
}

#[cfg(unix)]
#[test]
fn symbolic_links_lead_nowhere_else() {
    let folder = tempfile::tempdir().expect("a folder");
    let inside = folder.path().join("inside");
    fs::create_dir(&inside).expect("made");
    fs::write(folder.path().join("secret"), "library s;").expect("written");
    std::os::unix::fs::symlink(folder.path().join("secret"), inside.join("link.pred")).expect("made");
    let error =
        ImportRoot::at(&inside).expect("a root").read(&inside.join("link.pred")).expect_err("outside");
    assert!(error.to_string().starts_with("it is outside "), "{error}");
}
