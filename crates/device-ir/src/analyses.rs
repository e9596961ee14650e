//! LLVM's analyses of a module, as values.

use std::ffi::{c_char, c_void};
use std::marker::PhantomData;

use llvm_sys::prelude::LLVMValueRef;
use weft_artifact::{Guid, Hotness, VirtualCall};

use crate::handles::{Function, Global, Value, Variable};
use crate::layout::layout;
use crate::module::{Module, Shared};
use crate::text;

#[expect(improper_ctypes, reason = "C++ only hands the list on to the visitor")]
unsafe extern "C" {
    /// Analyses of the module, which must outlive them. Bodies must not change meanwhile.
    safe fn weft_analyses_create(module: Shared<'_>) -> Raw<'_>;

    /// Frees what was computed for a function.
    safe fn weft_analyses_forget(analyses: Raw<'_>, function: Function<'_>);

    /// Ends the analyses.
    fn weft_analyses_dispose(analyses: Raw<'_>);

    /// Facts of every block of a defined function, in its order. `facts` has room for all.
    fn weft_analyses_blocks(analyses: Raw<'_>, function: Function<'_>, facts: *mut BlockFacts);

    /// Facts of a function from the module's profile.
    safe fn weft_analyses_profile(analyses: Raw<'_>, function: Function<'_>) -> ProfileFacts;

    /// Calls `visit` for every function that a profile or metadata says a function calls, or is to
    /// be given, without a call by name: the symbol if the module has one, LLVM's GUID, and the
    /// number of the hotness.
    safe fn weft_analyses_distant_calls<'m>(
        analyses: Raw<'m>,
        function: Function<'m>,
        visit: DistantVisitor<'m>,
        found: &mut Vec<Distant<'m>>,
    );

    /// Calls `visit` for every type test of a function whose result has other uses than
    /// virtual calls, and for every virtual call that a test vouches for.
    safe fn weft_analyses_type_tests(
        analyses: Raw<'_>,
        function: Function<'_>,
        visit: Visitor,
        found: &mut Vec<Found>,
    );

    /// Calls `visit` for every type identifier of a variable, with its address point's offset.
    safe fn weft_type_ids(variable: Variable<'_>, visit: Visitor, found: &mut Vec<Found>);
}

/// Takes the text of a type identifier with its length, an offset, and whether the test outlives
/// its virtual calls. The first argument is the visited function's last one.
type Visitor = unsafe extern "C" fn(
    found: &mut Vec<Found>,
    id: *const c_char,
    length: usize,
    offset: u64,
    outlives: bool,
);

/// Takes a symbol or null, a GUID, and the number of a hotness. The first argument is the visited
/// function's last one.
type DistantVisitor<'m> =
    unsafe extern "C" fn(&mut Vec<Distant<'m>>, symbol: LLVMValueRef, guid: u64, hotness: u32);

/// Facts of one block.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub(crate) struct BlockFacts {
    /// Executions per execution of the function, in units of 1/256.
    pub(crate) frequency: u32,
    /// Temperature by the profile: 0 unknown, 1 cold, 2 neither, 3 hot.
    pub(crate) temperature: u32,
}

layout! {
    BlockFacts: frequency, temperature;
    constexpr size_t BlockFactsLayout[] = {8, 0, 4};
}

/// Facts of a function from a profile.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub(crate) struct ProfileFacts {
    /// Whether there is a profile, and it knows the function.
    pub(crate) is_known: bool,
    /// Whether the entry count is hot.
    pub(crate) is_hot: bool,
    /// Count of entries.
    pub(crate) entry_count: u64,
    /// Count from which the profile calls something hot.
    pub(crate) hot_threshold: u64,
}

layout! {
    ProfileFacts: is_known, is_hot, entry_count, hot_threshold;
    constexpr size_t ProfileFactsLayout[] = {24, 0, 1, 8, 16};
}

/// The shim's analyses of a module that is borrowed for `'m`.
#[derive(Clone, Copy)]
#[repr(transparent)]
struct Raw<'m> {
    raw: *mut c_void,
    module: PhantomData<&'m ()>,
}

/// The analyses of one module, computed when asked for.
pub(crate) struct Analyses<'m>(Raw<'m>);

impl<'m> Analyses<'m> {
    pub(crate) fn of(module: &'m Module<'_>) -> Self {
        Self(weft_analyses_create(module.shared()))
    }

    /// Facts of each block of a function, in its order.
    pub(crate) fn blocks(&self, function: Function<'m>) -> Vec<BlockFacts> {
        let mut facts = vec![BlockFacts::default(); function.blocks().count()];
        if !facts.is_empty() {
            // SAFETY: the analyses live as long as `self`, the function has a body, and there is
            // room for every block.
            unsafe { weft_analyses_blocks(self.0, function, facts.as_mut_ptr()) }
        }
        facts
    }

    /// Frees what was computed for a function, which takes more memory than its body.
    pub(crate) fn forget(&self, function: Function<'m>) {
        weft_analyses_forget(self.0, function);
    }

    pub(crate) fn profile(&self, function: Function<'m>) -> ProfileFacts {
        weft_analyses_profile(self.0, function)
    }

    /// Functions that the function does not call by name, in no order, and perhaps repeated.
    pub(crate) fn distant_calls(&self, function: Function<'m>) -> Vec<Distant<'m>> {
        let mut found = Vec::new();
        weft_analyses_distant_calls(self.0, function, collect_distant, &mut found);
        found
    }

    /// Type identifiers that a function tests for, and its virtual calls, each sorted and once.
    pub(crate) fn type_tests(&self, function: Function<'m>) -> (Vec<Guid>, Vec<VirtualCall>) {
        let mut found: Vec<Found> = Vec::new();
        weft_analyses_type_tests(self.0, function, collect, &mut found);
        let (tests, calls): (Vec<Found>, Vec<Found>) =
            found.into_iter().partition(|test| test.outlives);
        let mut tests: Vec<_> = tests.into_iter().map(|test| test.type_id).collect();
        let mut calls: Vec<_> = calls
            .into_iter()
            .map(|call| VirtualCall { type_id: call.type_id, offset: call.offset })
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
        // SAFETY: `of` made the analyses, this is their only owner, and the module is still there.
        unsafe { weft_analyses_dispose(self.0) }
    }
}

/// Type identifiers of a variable with the offsets of their address points.
pub(crate) fn type_ids(variable: Variable<'_>) -> Vec<(Guid, u64)> {
    let mut found: Vec<Found> = Vec::new();
    weft_type_ids(variable, collect, &mut found);
    found.into_iter().map(|member| (member.type_id, member.offset)).collect()
}

/// A function that another one does not call by name.
pub(crate) struct Distant<'m> {
    /// The callee, if the module declares it.
    pub(crate) symbol: Option<Global<'m>>,
    /// LLVM's GUID of the callee.
    pub(crate) guid: Guid,
    pub(crate) hotness: Hotness,
}

unsafe extern "C" fn collect_distant(
    found: &mut Vec<Distant<'_>>,
    symbol: LLVMValueRef,
    guid: u64,
    hotness: u32,
) {
    // SAFETY: the shim passes a symbol of the module that the analyses borrow, or null.
    let symbol = (!symbol.is_null()).then(|| unsafe { Value::new(symbol) }).and_then(Global::of);
    let hotness = Hotness::ALL.get(hotness as usize).copied().unwrap_or_default();
    found.push(Distant { symbol, guid: Guid(guid), hotness });
}

/// A type identifier that a function or a variable names.
struct Found {
    type_id: Guid,
    offset: u64,
    outlives: bool,
}

unsafe extern "C" fn collect(
    found: &mut Vec<Found>,
    id: *const c_char,
    length: usize,
    offset: u64,
    outlives: bool,
) {
    // SAFETY: the shim passes a text of LLVM's with its length, which stays during the call.
    let id = unsafe { text::copied(id, length) }.unwrap_or_default();
    found.push(Found { type_id: Guid::of_global(&id), offset, outlives });
}
