//! Tests of `explicit::lts::aut::packing`.

use explicit::lts::aut::packing::*;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use std::io::{self, Read, Write};

fn packed(text: &str) -> Vec<u8> {
    compress_to_vec(text.as_bytes(), CompressionLevel::Fastest)
}

fn content(bytes: &[u8]) -> io::Result<String> {
    assert_eq!(Packing::of(bytes), Some(Packing::Zstd));
    let mut text = String::new();
    ZstdFrames::new(bytes).read_to_string(&mut text).map(|_| text)
}

#[test]
fn all_frames_are_read() {
    let long = "(0, \"SEND !1\", 1)\n".repeat(40_000);
    let skipped: Vec<u8> = [&[0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0][..], b"abc"].concat();
    let all = [skipped.clone(), packed(&long), packed(""), skipped, packed("end")].concat();
    assert_eq!(content(&all).expect("content"), format!("{long}end"));
}

#[test]
fn what_is_written_is_read_again() {
    let (line, lines) = ("(0, \"SEND !1\", 1)\n", FRAME / 18 + 1000);
    for text in [String::new(), line.to_owned(), line.repeat(lines)] {
        let mut output = Packed::new(Vec::new());
        // Pieces that end anywhere.
        text.as_bytes().chunks(1000).for_each(|piece| output.write_all(piece).expect("to memory"));
        let bytes = output.finish().expect("to memory");
        assert_eq!(content(&bytes).expect("content"), text);
        assert!(text.len() < 1000 || bytes.len() < text.len() / 10, "{} bytes", bytes.len());
    }
}

#[test]
fn what_is_damaged_is_refused() {
    let whole = packed(&"(0, A, 1)\n(1, B, 2)\n".repeat(100));
    assert!(content(&whole).is_ok());
    for length in 4..whole.len() {
        assert!(content(&whole[..length]).is_err(), "{length} of {} bytes", whole.len());
    }
    let mut changed = whole.clone();
    let last = changed.len() - 1;
    changed[last] ^= 1;
    assert!(content(&changed).is_err(), "a wrong checksum");
}
