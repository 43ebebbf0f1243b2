//! CaDiCaL 3.0.1, with the functions that [`cladist-cadical`] declares, as a static library.
//!
//! There is nothing to call here. A program that calls `cladist-cadical` names this crate so that the library is linked into
//! it: `extern crate cladist_cadical_cpp as _;`. It comes before all other uses of crates, because linkers that read libraries
//! once, in order, find it after `cladist-cadical` then.
//!
//! [`cladist-cadical`]: https://docs.rs/cladist-cadical
#![no_std]
