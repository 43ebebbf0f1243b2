//! Unpacks the sources of CaDiCaL and compiles them together with `solver.cpp`, some twenty files at a time: one by one, most of the
//! time goes into the headers, which all of them read.

use std::env;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use sha2::{Digest, Sha256};
use std::io::Read;

/// The sources, and the name of the folder in them.
const ARCHIVE: &str = "cadical-3.0.1.tar.gz";
const FOLDER: &str = "cadical-3.0.1";

/// SHA-256 of the archive.
const CHECKSUM: &str = "3bf1b9255eb92668ac434e8223d5a418a1df007cebc4da5686f14c88142e9fbf";

/// Compiled files, of as many sources each as any other, give or take one.
const GROUPS: usize = 8;

/// Sources of programs, and interfaces for C that nothing uses.
const UNUSED: [&str; 4] = ["cadical.cpp", "ccadical.cpp", "ipasir.cpp", "mobical.cpp"];

/// Settings of CaDiCaL: no assertions, no data about the build, plain C functions for output, no traces of calls, no messages.
const SETTINGS: [&str; 6] = ["NDEBUG", "NBUILD", "NUNLOCKED", "NTRACING", "QUIET", "NCLOSEFROM"];

fn main() -> Result<(), Box<dyn Error>> {
    for file in [ARCHIVE, "build.rs", "solver.cpp"] {
        println!("cargo::rerun-if-changed={file}");
    }
    let out = PathBuf::from(env::var("OUT_DIR")?);
    unpack(&out)?;
    compile(&out)
}

/// Unpacks the archive, a tar file in its oldest form, into a folder.
fn unpack(out: &Path) -> Result<(), Box<dyn Error>> {
    let archive = fs::read(ARCHIVE)?;
    let checksum: String = Sha256::digest(&archive).iter().map(|byte| format!("{byte:02x}")).collect();
    if checksum != CHECKSUM {
        return Err(format!("{ARCHIVE} has the SHA-256 {checksum} instead of {CHECKSUM}").into());
    }
    let mut bytes = Vec::new();
    GzDecoder::new(&archive[..]).read_to_end(&mut bytes)?;
    let mut rest = &bytes[..];
    while let Some((header, after)) = rest.split_first_chunk::<512>() {
        let name = text(&header[..100])?;
        if name.is_empty() {
            break;
        }
        let size = usize::from_str_radix(text(&header[124..136])?.trim(), 8)?;
        let path = out.join(name);
        if header[156] == b'5' {
            fs::create_dir_all(path)?;
        } else {
            fs::write(path, &after[..size])?;
        }
        rest = &after[size.next_multiple_of(512)..];
    }
    Ok(())
}

/// A field of a header, up to its first zero.
fn text(field: &[u8]) -> Result<&str, Box<dyn Error>> {
    let end = field.iter().position(|&byte| byte == 0).unwrap_or(field.len());
    Ok(std::str::from_utf8(&field[..end])?)
}

/// Compiles the unpacked sources into one static library.
fn compile(out: &Path) -> Result<(), Box<dyn Error>> {
    let folder = out.join(FOLDER);
    let sources = folder.join("src");
    let version = format!("\"{}\"", fs::read_to_string(folder.join("VERSION"))?.trim());
    // Builds that are made quickly get a solver that is a little slower.
    let optimisation = if matches!(env::var("OPT_LEVEL")?.as_str(), "2" | "3") { 3 } else { 1 };
    let mut c = cc::Build::new();
    let mut cpp = cc::Build::new();
    cpp.cpp(true).std("c++11").define("VERSION", version.as_str()).include(&sources).file("solver.cpp");
    for build in [&mut c, &mut cpp] {
        build.warnings(false).debug(false).opt_level(optimisation);
        for setting in SETTINGS {
            build.define(setting, None);
        }
    }
    for (number, group) in groups(&sources)?.iter().enumerate() {
        let path = out.join(format!("group_{number}.cpp"));
        fs::write(&path, group)?;
        cpp.file(path);
    }
    cpp.objects(c.file(sources.join("kitten.c")).try_compile_intermediates()?);
    cpp.try_compile("cladist_cadical")?;
    Ok(())
}

/// The texts of files that include the C++ sources, dealt out one by one in alphabetical order, so that sources that take long, which
/// have similar names, are in different ones.
fn groups(sources: &Path) -> Result<Vec<String>, Box<dyn Error>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(sources)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name.ends_with(".cpp") && !UNUSED.contains(&name.as_str()) {
            names.push(name);
        }
    }
    names.sort_unstable();
    let mut groups = vec![String::new(); GROUPS];
    for (number, name) in names.iter().enumerate() {
        groups[number % GROUPS].push_str(&format!("#include \"{name}\"\n"));
    }
    Ok(groups)
}
