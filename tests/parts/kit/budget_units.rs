//! Tests of `kit::budget::units`.

use kit::budget::*;
use std::time::Duration;

#[test]
fn durations() {
    for (text, milliseconds) in
        [("90", 90_000), ("1.5", 1500), ("10s", 10_000), ("5m", 300_000), ("1h", 3_600_000), ("20 ms", 20)]
    {
        assert_eq!(parse_duration(text), Ok(Duration::from_millis(milliseconds)), "{text}");
    }
    for text in ["", "s", "10x", "-3", "1h30m", "1e9h"] {
        assert!(parse_duration(text).is_err(), "{text}");
    }
}

#[test]
fn sizes() {
    for (text, bytes) in
        [("4097B", 4097), ("500M", 500 << 20), ("2G", 2 << 30), ("1.5k", 1536), ("2GiB", 2 << 30)]
    {
        assert_eq!(parse_bytes(text), Ok(bytes), "{text}");
        assert_eq!(parse_bytes(&bytes_text(bytes)), Ok(bytes), "{text}");
    }
    assert_eq!([0, 1023, 2048, 3 << 40].map(bytes_text), ["0B", "1023B", "2K", "3T"]);
    assert!(parse_bytes("5").is_err_and(|help| help.contains("5G")));
    for text in ["", "M", "10X", "-1G"] {
        assert!(parse_bytes(text).is_err(), "{text}");
    }
}
