//! Tests of `engines::explore::packed::bits`.

use engines::explore::packed::bits::*;

#[test]
fn ranges_are_read_as_they_were_written() {
    for offset in 0..130 {
        for width in [0, 1, 7, 63, 64] {
            let bits = 0x9E37_79B9_7F4A_7C15 & mask(width);
            for background in [0, u64::MAX] {
                let mut words = [background; 4];
                write(&mut words, offset, width, bits);
                assert_eq!(read(&words, offset, width), bits);
                write(&mut words, offset, width, background & mask(width));
                assert_eq!(words, [background; 4]);
            }
        }
    }
}

#[test]
fn long_ranges_are_copied_and_compared() {
    let from = [0x0123_4567_89AB_CDEF, 0xFEDC_BA98_7654_3210, 0x5555_AAAA_5555_AAAA, 7];
    for (offset, target, width) in [(0, 3, 130), (5, 0, 190), (60, 61, 64), (1, 1, 1)] {
        let mut to = [u64::MAX; 5];
        copy(&from, offset, &mut to, target, width);
        assert!(equal(&from, offset, &to, target, width));
        clear(&mut to, target, width);
        assert!(equal(&[0; 4], 0, &to, target, width));
        assert_eq!(to.iter().map(|w| w.count_zeros()).sum::<u32>(), width);
    }
}

#[test]
fn widths_and_members() {
    assert_eq!([0, 1, 2, 3, 4, 5, 256, 257].map(width_of), [0, 0, 1, 2, 2, 3, 8, 9]);
    assert_eq!(ones(0b1010_0001).collect::<Vec<_>>(), [0, 5, 7]);
    assert_eq!(ones(u64::MAX).count(), 64);
}
