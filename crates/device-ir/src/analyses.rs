//! LLVM's analyses of a module, as values.

use std::ffi::{c_char, c_void};

use llvm_sys::core::LLVMCountBasicBlocks;
use weft_artifact::{Guid, VirtualCall};

use crate::global::Global;
use crate::module::Module;
use crate::shim::{
    BlockFacts, ProfileFacts, weft_analyses_blocks, weft_analyses_create, weft_analyses_dispose,
    weft_analyses_profile, weft_analyses_type_tests, weft_type_ids,
};

/// The analyses of one module, computed when asked for.
pub(crate) struct Analyses<'module> {
    raw: *mut c_void,
    module: std::marker::PhantomData<&'module ()>,
}

impl<'module> Analyses<'module> {
    pub(crate) fn of(module: &'module Module<'_>) -> Self {
        // SAFETY: the module outlives the analyses by their lifetime.
        let raw = unsafe { weft_analyses_create(module.raw()) };
        Self { raw, module: std::marker::PhantomData }
    }

    /// Facts of each block of a defined function, in its order.
    pub(crate) fn blocks(&self, function: Global<'_>) -> Vec<BlockFacts> {
        // SAFETY: the function is of the module; there is room for every block.
        unsafe {
            let count = LLVMCountBasicBlocks(function.raw()) as usize;
            let mut facts = vec![BlockFacts::default(); count];
            weft_analyses_blocks(self.raw, function.raw(), facts.as_mut_ptr());
            facts
        }
    }

    pub(crate) fn profile(&self, function: Global<'_>) -> ProfileFacts {
        // SAFETY: the function is of the module.
        unsafe { weft_analyses_profile(self.raw, function.raw()) }
    }

    /// Type identifiers that a defined function tests for, and its virtual calls, each sorted and
    /// once.
    pub(crate) fn type_tests(&self, function: Global<'_>) -> (Vec<Guid>, Vec<VirtualCall>) {
        let mut found: Vec<Found> = Vec::new();
        // SAFETY: the function is of the module; `collect` is given the vector that it expects.
        unsafe {
            let data = (&raw mut found).cast();
            weft_analyses_type_tests(self.raw, function.raw(), collect, data);
        }
        let (tests, calls): (Vec<Found>, Vec<Found>) =
            found.into_iter().partition(|it| it.outlives);
        let mut tests: Vec<_> = tests.into_iter().map(|it| it.type_id).collect();
        let mut calls: Vec<_> = calls
            .into_iter()
            .map(|it| VirtualCall { type_id: it.type_id, offset: it.offset })
            .collect();
        tests.sort_unstable();
        tests.dedup();
        calls.sort_unstable();
        calls.dedup();
        (tests, calls)
    }
}

impl Drop for Analyses<'_> {
    fn drop(&mut self) {
        // SAFETY: made in `of`.
        unsafe { weft_analyses_dispose(self.raw) }
    }
}

/// Type identifiers of a variable with the offsets of their address points.
pub(crate) fn type_ids(variable: Global<'_>) -> Vec<(Guid, u64)> {
    let mut found: Vec<Found> = Vec::new();
    // SAFETY: a variable; `collect` is given the vector that it expects.
    unsafe { weft_type_ids(variable.raw(), collect, (&raw mut found).cast()) }
    found.into_iter().map(|it| (it.type_id, it.offset)).collect()
}

struct Found {
    type_id: Guid,
    offset: u64,
    outlives: bool,
}

unsafe extern "C" fn collect(
    data: *mut c_void,
    id: *const c_char,
    length: usize,
    offset: u64,
    outlives: bool,
) {
    // SAFETY: the callers in this file pass a vector of `Found`; the text is LLVM's and has its
    // length.
    unsafe {
        let id = std::slice::from_raw_parts(id.cast::<u8>(), length);
        let type_id = Guid::of_global(&String::from_utf8_lossy(id));
        (*data.cast::<Vec<Found>>()).push(Found { type_id, offset, outlives });
    }
}
