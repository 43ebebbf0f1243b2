//! Checked conversions between numbers, in place of `as` where that could cut something off.

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
            number.try_into().unwrap_or_else(|_| panic!("a number that a {} can hold", stringify!($to)))
        }
    )*};
}

conversions! {
    /// A number as 8 bits.
    to_u8, u8;
    /// A number as 32 bits, as the indices of things are stored.
    to_u32, u32;
    /// A number as an integer of the modelling language.
    to_i64, i64;
    /// A number of things.
    to_usize, usize;
}
