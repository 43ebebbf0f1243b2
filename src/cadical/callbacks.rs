//! Closures that a solver calls back, behind functions that do not unwind into C++.

use crate::ffi;
use std::any::Any;
use std::ffi::{c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::slice;

/// A step of a proof. A clause has the same number in all steps about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProofStep<'a> {
    /// A clause of the formula.
    Original {
        /// Its number.
        id: i64,
        /// Its literals, each once.
        literals: &'a [i32],
        /// True for a clause that was eliminated before and is taken back.
        restored: bool,
    },
    /// A clause that follows from others by unit propagation.
    Derived {
        /// Its number.
        id: i64,
        /// Its literals.
        literals: &'a [i32],
        /// The numbers of the clauses that become unit, in this order.
        antecedents: &'a [i64],
    },
    /// A clause that is not used any more.
    Deleted {
        /// Its number.
        id: i64,
    },
}

type Tracer = Box<dyn FnMut(ProofStep<'_>)>;

/// The closures of a solver.
#[derive(Default)]
pub struct Callbacks {
    /// Says whether to stop.
    pub terminator: Option<Box<dyn FnMut() -> bool>>,
    /// Takes the proof.
    pub tracer: Option<Tracer>,
    /// The panic of a closure. No closure is called after it.
    panic: Option<Box<dyn Any + Send>>,
}

impl Callbacks {
    /// Goes on with a panic of a closure.
    pub fn resume_panic(&mut self) {
        if let Some(panic) = self.panic.take() {
            resume_unwind(panic);
        }
    }

    /// Stops after a panic.
    fn terminate(&mut self) -> bool {
        let Some(terminator) = &mut self.terminator else { return false };
        if self.panic.is_some() {
            return true;
        }
        catch_unwind(AssertUnwindSafe(terminator)).unwrap_or_else(|panic| {
            self.panic = Some(panic);
            true
        })
    }

    fn trace(&mut self, step: ProofStep<'_>) {
        if let (Some(tracer), None) = (&mut self.tracer, &self.panic)
            && let Err(panic) = catch_unwind(AssertUnwindSafe(|| tracer(step)))
        {
            self.panic = Some(panic);
        }
    }
}

/// The functions for a proof, with [`Callbacks`] as their data.
pub const TRACER: ffi::TracerFunctions = ffi::TracerFunctions { original, derived, deleted };

/// Asks the terminator.
///
/// # Safety
/// The data are [`Callbacks`] that nobody else refers to during the call. That holds for the following functions too.
pub unsafe extern "C" fn terminate(data: *mut c_void) -> bool {
    // SAFETY: see above.
    let callbacks = unsafe { callbacks(data) };
    callbacks.terminate()
}

unsafe extern "C" fn original(
    data: *mut c_void,
    id: i64,
    literals: *const c_int,
    size: usize,
    restored: bool,
) {
    // SAFETY: see `terminate`.
    let callbacks = unsafe { callbacks(data) };
    // SAFETY: the solver gives the elements of a vector that it does not change during the call.
    let literals = unsafe { elements(literals, size) };
    callbacks.trace(ProofStep::Original { id, literals, restored });
}

unsafe extern "C" fn derived(
    data: *mut c_void,
    id: i64,
    literals: *const c_int,
    size: usize,
    antecedents: *const i64,
    count: usize,
) {
    // SAFETY: see `terminate`.
    let callbacks = unsafe { callbacks(data) };
    // SAFETY: the solver gives the elements of a vector that it does not change during the call.
    let literals = unsafe { elements(literals, size) };
    // SAFETY: so it does here.
    let antecedents = unsafe { elements(antecedents, count) };
    callbacks.trace(ProofStep::Derived { id, literals, antecedents });
}

unsafe extern "C" fn deleted(data: *mut c_void, id: i64) {
    // SAFETY: see `terminate`.
    let callbacks = unsafe { callbacks(data) };
    callbacks.trace(ProofStep::Deleted { id });
}

/// The data of a call back.
///
/// # Safety
/// As for [`terminate`].
unsafe fn callbacks<'a>(data: *mut c_void) -> &'a mut Callbacks {
    // SAFETY: the data are these.
    unsafe { &mut *data.cast() }
}

/// The elements of a vector of C++, which may have no address if it is empty.
///
/// # Safety
/// There are so many elements at the address, which do not change during the lifetime.
unsafe fn elements<'a, T>(first: *const T, count: usize) -> &'a [T] {
    if count == 0 {
        return &[];
    }
    // SAFETY: there is at least one, and thus an address.
    unsafe { slice::from_raw_parts(first, count) }
}
