//! The functions of `cpp/solver.cpp`, and those that it calls back.
//!
//! Each takes a live handle, and runs to its end before the next one is called with this handle. Literals are numbers of
//! variables from 1, negated by their sign.

use std::ffi::{c_char, c_int, c_void};

/// A solver with what it calls back. Its size is that of C++.
#[repr(C)]
pub struct Handle {
    opaque: [u8; 0],
}

/// Asked during a call whether it shall end.
pub type Terminate = unsafe extern "C" fn(data: *mut c_void) -> bool;

/// The functions that take the steps of a proof.
#[repr(C)]
pub struct TracerFunctions {
    /// A clause of the formula, `restored` if it was told before.
    pub original:
        unsafe extern "C" fn(data: *mut c_void, id: i64, literals: *const c_int, size: usize, restored: bool),
    /// A clause that follows from its antecedents.
    pub derived: unsafe extern "C" fn(
        data: *mut c_void,
        id: i64,
        literals: *const c_int,
        size: usize,
        antecedents: *const i64,
        count: usize,
    ),
    /// A clause that is not used any more.
    pub deleted: unsafe extern "C" fn(data: *mut c_void, id: i64),
}

unsafe extern "C" {
    /// Name and version, a constant.
    pub fn cladist_cadical_signature() -> *const c_char;
    /// A solver without clauses, to be deleted.
    pub fn cladist_cadical_new() -> *mut Handle;
    /// Frees a solver. Nothing is called back after that, nor during it.
    pub fn cladist_cadical_delete(handle: *mut Handle);
    /// Sets an option before the first clause; `false` if there is none of this name.
    pub fn cladist_cadical_set(handle: *mut Handle, option: *const c_char, value: c_int) -> bool;
    /// Sets many options before the first clause; `false` if there is no configuration of this name.
    pub fn cladist_cadical_configure(handle: *mut Handle, name: *const c_char) -> bool;
    /// Limits the next call; `false` if there is no limit of this name.
    pub fn cladist_cadical_limit(handle: *mut Handle, name: *const c_char, value: c_int) -> bool;
    /// Adds a clause of `size` literals.
    pub fn cladist_cadical_add_clause(handle: *mut Handle, literals: *const c_int, size: usize);
    /// Assumes a literal in the next call.
    pub fn cladist_cadical_assume(handle: *mut Handle, literal: c_int);
    /// 10 if the clauses are satisfiable, 20 if they are not, 0 if that is not known.
    pub fn cladist_cadical_solve(handle: *mut Handle) -> c_int;
    /// The literal or its negation, of which one holds. After 10 only, before any other change.
    pub fn cladist_cadical_value(handle: *mut Handle, literal: c_int) -> c_int;
    /// True for an assumption of the last call that is in its core. After 20 only, before any other change.
    pub fn cladist_cadical_failed(handle: *mut Handle, literal: c_int) -> bool;
    /// Sets the function that calls ask whether to end.
    pub fn cladist_cadical_connect_terminator(handle: *mut Handle, function: Terminate, data: *mut c_void);
    /// Removes that function.
    pub fn cladist_cadical_disconnect_terminator(handle: *mut Handle);
    /// Sets the functions that take the proof, before the first clause and once.
    pub fn cladist_cadical_connect_tracer(handle: *mut Handle, functions: TracerFunctions, data: *mut c_void);
}
