//! Checked conversions between numbers, in place of `as` where that could cut something off, and digits in groups.

/// Defines conversions of any numbers to one type.
macro_rules! conversions {
    ($($(#[$doc:meta])* $name:ident, $to:ty;)*) => {$(
        $(#[$doc])*
        ///
        /// # Panics
        /// If the number is none of that type.
        #[track_caller]
        #[inline]
        pub fn $name<N: TryInto<$to>>(number: N) -> $to {
            match number.try_into() {
                Ok(number) => number,
                Err(_) => panic!("a number that a {} can hold", stringify!($to)),
            }
        }
    )*};
}

conversions! {
    /// A number as 8 bits.
    to_u8, u8;
    /// A number as 16 bits.
    to_u16, u16;
    /// A number as 32 bits, the width of stored indices.
    to_u32, u32;
    /// A number as 32 signed bits, the width of literals.
    to_i32, i32;
    /// A number as an integer of the modelling language.
    to_i64, i64;
    /// A number as a count or an index.
    to_usize, usize;
}

/// The integer nearest to a number: the least or greatest one for a number beyond these, 0 for NaN.
#[expect(clippy::cast_possible_truncation, reason = "this conversion saturates")]
pub fn rounded(number: f64) -> i64 {
    number.round() as i64
}

/// `1 class`, `12 properties`, `1,200 states`.
pub fn counted(number: impl ToString, noun: &str) -> String {
    let number = number.to_string();
    match noun.strip_suffix('y') {
        _ if number == "1" => format!("1 {noun}"),
        Some(stem) => format!("{} {stem}ies", grouped(&number)),
        None if noun.ends_with('s') => format!("{} {noun}es", grouped(&number)),
        None => format!("{} {noun}s", grouped(&number)),
    }
}

/// `1234567` as `1,234,567`.
pub fn thousands(number: impl ToString) -> String {
    grouped(&number.to_string())
}

/// `1234567` as `1,234,567`.
pub fn grouped(digits: &str) -> String {
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
