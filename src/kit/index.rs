//! Index types: a separate type for each kind of numbered item.

/// Defines index types over `u32`, numbered from 0: as small as the bare number, and distinct from other kinds.
#[doc(hidden)]
#[macro_export]
macro_rules! index {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
        #[serde(transparent)]
        pub struct $name(u32);

        // Not every kind needs all of them.
        #[allow(dead_code, reason = "the same for every index type")]
        impl $name {
            /// The first one.
            pub const FIRST: Self = Self(0);

            /// Returns the index with this number.
            ///
            /// # Panics
            /// If the number does not fit into 32 bits.
            #[inline]
            pub fn new(index: usize) -> Self {
                Self(u32::try_from(index).expect("fewer than 2^32 of them"))
            }

            /// Returns the index with this number.
            #[inline]
            pub const fn from_u32(index: u32) -> Self {
                Self(index)
            }

            /// Returns the number as an index into a vector.
            #[inline]
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            /// Returns the number as stored.
            #[inline]
            pub const fn to_u32(self) -> u32 {
                self.0
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}
