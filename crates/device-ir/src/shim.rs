//! The contracts of `shim/shim.cpp`, `shim/content.cpp`, `shim/program.cpp`,
//! `shim/localise.cpp` and `shim/environment.cpp`.

use std::ffi::{c_char, c_void};

use llvm_sys::prelude::{LLVMContextRef, LLVMMemoryBufferRef, LLVMModuleRef, LLVMValueRef};

unsafe extern "C" {
    /// Whether this process has one thread; true where the C library does not tell.
    pub(crate) fn weft_is_single_threaded() -> bool;

    /// Name and version of the LLVM that wrote the bitcode at `data`, or null when there is no
    /// identification block to read. The text is the caller's, to be given to [`weft_free`].
    pub(crate) fn weft_bitcode_producer(data: *const c_char, size: usize) -> *mut c_char;

    /// Makes a fatal error of LLVM's end the process with the exit code for a defect, or the read that
    /// it happened in.
    pub(crate) fn weft_end_on_fatal_errors();

    /// Reads a module, whole and verified, or lazily. Null on failure, with a text for [`weft_free`].
    /// When LLVM crashed, the context is not to be used or disposed of any more.
    pub(crate) fn weft_read(
        context: LLVMContextRef,
        data: *const c_char,
        size: usize,
        lazily: bool,
        failure: *mut *mut c_char,
        has_crashed: *mut bool,
    ) -> LLVMModuleRef;

    /// Frees a text that the shim returned.
    pub(crate) fn weft_free(text: *mut c_char);

    /// Teaches a new context the names that clang uses in CUDA code, so that every context knows the
    /// same ones.
    pub(crate) fn weft_prepare_context(context: LLVMContextRef);

    /// Bitcode of the module, without the names of metadata kinds, operand bundles and
    /// synchronisation scopes that only other modules of its context use. LLVM writes all names that
    /// a context knows; when there are unusual ones, the module goes through its text form into a
    /// context of its own. Null on failure, with a text for [`weft_free`].
    pub(crate) fn weft_write(
        module: LLVMModuleRef,
        failure: *mut *mut c_char,
    ) -> LLVMMemoryBufferRef;

    /// The text of the definition `value` and of the locals that it names, for comparison with
    /// other definitions of the name. Bodies lose metadata and names of values by that. The text is
    /// the caller's, to be given to [`weft_free`].
    pub(crate) fn weft_content(value: LLVMValueRef) -> *mut c_char;

    /// Makes a declaration of a definition. An alias is replaced, so `value` is dead after the call.
    pub(crate) fn weft_drop_definition(value: LLVMValueRef);

    /// Makes all direct calls of `function` in its module go to an internal function with its body.
    /// That is `function` itself where nothing but calls uses it. Otherwise it becomes available
    /// externally, and the internal function is a copy with the name of `length` bytes at `name`.
    pub(crate) fn weft_localise(function: LLVMValueRef, name: *const c_char, length: usize);

    /// Reads what is left of a module that was read lazily from `size` bytes, and checks it. The
    /// definitions `dropped` become declarations, as by [`weft_drop_definition`], and their bodies are
    /// not read. Null, or why it cannot be done, as a text for [`weft_free`]. When LLVM crashed, the
    /// context is not to be used or disposed of any more.
    pub(crate) fn weft_load(
        module: LLVMModuleRef,
        size: usize,
        dropped: *mut LLVMValueRef,
        count: usize,
        has_crashed: *mut bool,
    ) -> *mut c_char;

    /// Removes the module's named metadata but for its flags.
    pub(crate) fn weft_forget_metadata(module: LLVMModuleRef);

    /// Takes all but local definitions out of `llvm.used` and `llvm.compiler.used`, and erases
    /// `__clang_gpu_used_external`.
    pub(crate) fn weft_forget_used(module: LLVMModuleRef);

    /// Adds `values`, globals of the module, to `llvm.compiler.used`.
    pub(crate) fn weft_append_to_compiler_used(
        module: LLVMModuleRef,
        values: *mut LLVMValueRef,
        count: usize,
    );

    /// Removes the module flags whose names begin with `prefix`, a terminated text.
    pub(crate) fn weft_forget_flags(module: LLVMModuleRef, prefix: *const c_char);

    /// LLVM's IR mover into `destination`, which must outlive it.
    pub(crate) fn weft_mover_create(destination: LLVMModuleRef) -> *mut c_void;

    /// Ends a mover.
    pub(crate) fn weft_mover_dispose(mover: *mut c_void);

    /// Moves `values`, all of `source`, into the mover's destination, reading their bodies on demand,
    /// and what they refer to as declarations, or as copies where it is local. Consumes `source`,
    /// which must be of the destination's context and was read from `size` bytes of bitcode. Null on
    /// success, else a text for [`weft_free`].
    /// When LLVM crashed, the context is not to be used or disposed of any more.
    pub(crate) fn weft_mover_move(
        mover: *mut c_void,
        source: LLVMModuleRef,
        size: usize,
        values: *mut LLVMValueRef,
        count: usize,
        has_crashed: *mut bool,
    ) -> *mut c_char;

    /// Removes from the module what the later phases cannot observe: unused declarations, comdats,
    /// identification strings, names of local values and of types.
    pub(crate) fn weft_canonicalise(module: LLVMModuleRef);

    /// Removes the declarations of the module that nothing uses.
    pub(crate) fn weft_drop_unused_declarations(module: LLVMModuleRef);

    /// Analyses of the module, which must outlive them and not change meanwhile.
    pub(crate) fn weft_analyses_create(module: LLVMModuleRef) -> *mut c_void;

    /// Ends the analyses.
    pub(crate) fn weft_analyses_dispose(analyses: *mut c_void);

    /// Facts of every block of a defined function, in its order. `facts` has room for all.
    pub(crate) fn weft_analyses_blocks(
        analyses: *mut c_void,
        function: LLVMValueRef,
        facts: *mut BlockFacts,
    );

    /// What a profile in the module says of a defined function.
    pub(crate) fn weft_analyses_profile(
        analyses: *mut c_void,
        function: LLVMValueRef,
    ) -> ProfileFacts;

    /// Calls `visit` for every type test of a defined function whose result has other uses than
    /// virtual calls, and for every virtual call that a test vouches for.
    pub(crate) fn weft_analyses_type_tests(
        analyses: *mut c_void,
        function: LLVMValueRef,
        visit: TypeTestVisitor,
        data: *mut c_void,
    );

    /// Calls `visit` for every type identifier of a variable, with its address point's offset.
    pub(crate) fn weft_type_ids(variable: LLVMValueRef, visit: TypeTestVisitor, data: *mut c_void);

    /// Whether the module has the flag `name`, an integer, written to `value`.
    pub(crate) fn weft_module_flag(
        module: LLVMModuleRef,
        name: *const c_char,
        length: usize,
        value: *mut u64,
    ) -> bool;

    /// Whether a global value is known to be defined in the image it is used in.
    pub(crate) fn weft_is_dso_local(value: LLVMValueRef) -> bool;

    /// Name of a global value's comdat, LLVM's, or null.
    pub(crate) fn weft_comdat_name(value: LLVMValueRef, length: *mut usize) -> *const c_char;

    /// Facts of a defined function that concern the whole program.
    pub(crate) fn weft_function_facts(function: LLVMValueRef) -> FunctionFacts;

    /// Adds to a function what is known of it. `memory` limits what it may touch.
    pub(crate) fn weft_add_attributes(
        function: LLVMValueRef,
        no_unwind: bool,
        no_recurse: bool,
        will_return: bool,
        memory: u8,
    );

    /// Replaces the virtual calls that `outcomes` speak of, and removes type tests that nothing but
    /// assumptions use.
    pub(crate) fn weft_resolve_virtual_calls(
        module: LLVMModuleRef,
        outcomes: *const VirtualCallFacts,
        count: usize,
    );

    /// Whether a compile unit of the module has line numbers.
    pub(crate) fn weft_has_line_information(module: LLVMModuleRef) -> bool;
}

/// Facts of a function that concern the whole program; effects as bits of `MemoryEffects`.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct FunctionFacts {
    /// What memory it may touch.
    pub(crate) memory: u8,
    /// The same without what the functions do that it calls by name.
    pub(crate) own_memory: u8,
    /// It does nothing but return an integer of at most 64 bits.
    pub(crate) has_constant_result: bool,
    /// That integer.
    pub(crate) constant_result: u64,
}

/// What becomes of virtual calls of a type through a slot.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct VirtualCallFacts {
    /// The type.
    pub(crate) type_id: u64,
    /// The slot.
    pub(crate) offset: u64,
    /// Terminated names of what it may call.
    pub(crate) names: *const *const c_char,
    /// Number of names; with none, the call gives `result`.
    pub(crate) name_count: usize,
    /// See there.
    pub(crate) result: u64,
}

/// Facts of one block.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub(crate) struct BlockFacts {
    /// Executions per execution of the function, in units of 1/256.
    pub(crate) frequency: u32,
    /// Loops around the block.
    pub(crate) loop_depth: u32,
    /// By profile: 0 unknown, 1 cold, 2 neither, 3 hot.
    pub(crate) temperature: u32,
}

/// What a profile says of a function.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct ProfileFacts {
    /// There is a profile, and it knows the function.
    pub(crate) is_known: bool,
    /// Its entry count is hot.
    pub(crate) is_hot: bool,
    /// Its entry count.
    pub(crate) entry_count: u64,
    /// The count from which the profile calls something hot.
    pub(crate) hot_threshold: u64,
}

/// Takes the text of a type identifier with its length, an offset, and whether the test outlives its
/// virtual calls.
pub(crate) type TypeTestVisitor =
    unsafe extern "C" fn(data: *mut c_void, id: *const c_char, length: usize, offset: u64, bool);
