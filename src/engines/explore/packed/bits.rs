//! Ranges of bits in a slice of words.

const WORD: u32 = u64::BITS;

/// Returns the number of bits that distinguish `count` values; 0 for one value.
pub fn width_of(count: u64) -> u32 {
    count.checked_sub(1).map_or(0, |greatest| WORD - greatest.leading_zeros())
}

/// Returns a word whose lowest `width` bits are set; `width` is at most 64.
#[inline]
pub fn mask(width: u32) -> u64 {
    if width >= WORD { u64::MAX } else { (1 << width) - 1 }
}

/// Returns the bits from `offset` on, at most 64 of them.
#[inline]
pub fn read(words: &[u64], offset: u32, width: u32) -> u64 {
    if width == 0 {
        return 0;
    }
    let (at, shift) = ((offset / WORD) as usize, offset % WORD);
    let low = words[at] >> shift;
    let bits = if shift + width > WORD { low | words[at + 1] << (WORD - shift) } else { low };
    bits & mask(width)
}

/// Replaces the bits from `offset` on, at most 64 of them; `bits` has no others.
#[inline]
pub fn write(words: &mut [u64], offset: u32, width: u32, bits: u64) {
    if width == 0 {
        return;
    }
    let (at, shift) = ((offset / WORD) as usize, offset % WORD);
    words[at] = words[at] & !(mask(width) << shift) | bits << shift;
    if shift + width > WORD {
        let above = WORD - shift;
        words[at + 1] = words[at + 1] & !(mask(width) >> above) | bits >> above;
    }
}

/// Copies any number of bits between two slices.
pub fn copy(from: &[u64], from_offset: u32, to: &mut [u64], to_offset: u32, width: u32) {
    for done in (0..width).step_by(WORD as usize) {
        let part = (width - done).min(WORD);
        write(to, to_offset + done, part, read(from, from_offset + done, part));
    }
}

/// Clears any number of bits.
pub fn clear(words: &mut [u64], offset: u32, width: u32) {
    for done in (0..width).step_by(WORD as usize) {
        write(words, offset + done, (width - done).min(WORD), 0);
    }
}

/// True if two slices agree on a range of bits.
pub fn equal(a: &[u64], a_offset: u32, b: &[u64], b_offset: u32, width: u32) -> bool {
    (0..width).step_by(WORD as usize).all(|done| {
        let part = (width - done).min(WORD);
        read(a, a_offset + done, part) == read(b, b_offset + done, part)
    })
}

/// Returns the numbers of the set bits, ascending.
pub fn ones(mut bits: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let lowest = bits.trailing_zeros();
        (bits != 0).then(|| {
            bits &= bits - 1;
            lowest
        })
    })
}
