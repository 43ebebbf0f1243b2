//! Tests of `kit::diagnostics::text_file`.

use kit::diagnostics::*;
use std::path::Path;

fn why(path: &Path, limit: u64) -> String {
    why_unreadable(&read_text(path, limit).expect_err("it is refused"))
}

#[test]
fn only_regular_files_up_to_the_limit_are_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("file");
    std::fs::write(&file, "twelve bytes").expect("written");
    assert_eq!(read_text(&file, 12).expect("read"), "twelve bytes");
    assert_eq!(why(&file, 11), "it is larger than 11 bytes");
    assert_eq!(why(folder.path(), 12), "it is a directory");
    assert_eq!(why(&folder.path().join("other"), 12), "there is no such file");
    std::fs::write(&file, [0xff, 0xfe]).expect("written");
    assert_eq!(why(&file, 12), "it is not UTF-8 text");
}

#[cfg(target_os = "linux")]
#[test]
fn devices_and_endless_files_are_refused() {
    assert_eq!(why(Path::new("/dev/zero"), TEXT_LIMIT), "it is not a regular file");
    assert_eq!(why(Path::new("/proc/self/status"), 10), "it is larger than 10 bytes");
    assert!(read_text(Path::new("/proc/self/status"), TEXT_LIMIT).is_ok());
}
