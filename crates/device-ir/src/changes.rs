//! Changes that remove, move or replace parts of a module. Each takes the module by `&mut`, so no
//! handle to a removed part survives.
//!
//! If such a change applies to some global values, a function chooses them: it gets the module and
//! returns handles into it, which live until the change is made.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;

use llvm_sys::core::LLVMSetSourceFileName;
use llvm_sys::linker::LLVMLinkModules2;
use llvm_sys::prelude::{LLVMModuleRef, LLVMValueRef};

use crate::error::IrError;
use crate::handles::{Function, Global};
use crate::layout::layout;
use crate::module::{Exclusive, Module};
use crate::text::{Bytes, ShimText};

/// One of the parts of equal numbers of functions that a module is read in.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Share {
    index: usize,
    count: usize,
}

layout! {
    Share: index, count;
    constexpr size_t ShareLayout[] = {16, 0, 8};
}

impl Share {
    /// The share that is everything.
    pub(crate) const WHOLE: Self = Self { index: 0, count: 1 };

    /// All shares of a module that is read in `count` of them.
    pub(crate) fn all(count: NonZeroUsize) -> Vec<Self> {
        let count = count.get();
        (0..count).map(|index| Self { index, count }).collect()
    }
}

unsafe extern "C" {
    /// Reads the rest of a module that was read lazily from `size` bytes, and checks it. The
    /// definitions `dropped`, all of the module, become declarations as by `weft_drop_definition`,
    /// and their bodies are not read. No text, or the reason for the failure. When LLVM crashed,
    /// the context must not be used or disposed of any more.
    fn weft_load(
        module: Exclusive<'_>,
        size: usize,
        dropped: *const LLVMValueRef,
        count: usize,
        has_crashed: &mut bool,
    ) -> ShimText;

    /// Reads what is neither a symbol nor in a body of a module that was read lazily from `size`
    /// bytes, and checks it. No text, or the reason for the failure. When LLVM crashed, the context
    /// must not be used or disposed of any more.
    safe fn weft_read_metadata(
        module: Exclusive<'_>,
        size: usize,
        has_crashed: &mut bool,
    ) -> ShimText;

    /// Reads bodies of the share of a module that was read lazily from `size` bytes until it has
    /// read `limit` instructions or, as `is_last` says, the whole share, and checks the module. No
    /// text, or the reason for the failure. When LLVM crashed, the context must not be used or
    /// disposed of any more.
    safe fn weft_read_bodies(
        module: Exclusive<'_>,
        size: usize,
        limit: usize,
        share: Share,
        is_last: &mut bool,
        has_crashed: &mut bool,
    ) -> ShimText;

    /// Makes each body that has been read, but for those that `weft_content` can print and those
    /// with a block whose address is taken, a single `unreachable`.
    safe fn weft_empty_bodies(module: Exclusive<'_>);

    /// Makes a declaration of a definition. An alias is replaced, so `value` is dead after the
    /// call.
    fn weft_drop_definition(value: LLVMValueRef);

    /// Makes all direct calls of `function` in its module go to an internal function with its body.
    /// That is `function` itself where nothing but calls uses it. Otherwise it becomes available
    /// externally, and the internal function is a copy with the given name. Constants that use the
    /// function, and are themselves unused, are removed.
    fn weft_localize(function: LLVMValueRef, name: Bytes<'_>);

    /// Text of the definition `value` and of the local symbols that it names, for comparison with
    /// other definitions of the name. Bodies lose metadata and names of values by that.
    fn weft_content(value: LLVMValueRef) -> ShimText;

    /// Removes the module's named metadata but for its flags.
    safe fn weft_forget_metadata(module: Exclusive<'_>);

    /// Takes all but local definitions out of `llvm.used` and `llvm.compiler.used`, and erases
    /// `__clang_gpu_used_external`.
    safe fn weft_forget_used(module: Exclusive<'_>);

    /// Erases `llvm.used` and `llvm.compiler.used`.
    safe fn weft_erase_used_lists(module: Exclusive<'_>);

    /// Adds globals of the module to `llvm.compiler.used`.
    fn weft_append_to_compiler_used(
        module: LLVMModuleRef,
        values: *const LLVMValueRef,
        count: usize,
    );

    /// Removes the module flags whose names begin with `prefix`.
    safe fn weft_forget_flags(module: Exclusive<'_>, prefix: Bytes<'_>);

    /// Removes from the module what the later phases cannot observe: unused declarations, comdats,
    /// identification strings, names of local values and of types.
    safe fn weft_canonicalize(module: Exclusive<'_>);

    /// Removes the declarations of the module that nothing uses.
    safe fn weft_drop_unused_declarations(module: Exclusive<'_>);
}

impl Module<'_> {
    /// Reads the rest of a module that was read lazily, and checks it. The chosen definitions
    /// become declarations, and their bodies are not read.
    pub(crate) fn load_without(
        &mut self,
        choose: impl for<'m> FnOnce(&'m Module<'_>) -> Result<Vec<Global<'m>>, IrError>,
    ) -> Result<(), IrError> {
        let dropped = once(choose(self)?);
        let (context, size) = (self.context(), self.bitcode_size());
        let loaded = context.guard(|has_crashed| {
            // SAFETY: the values are the module's, because the choice can return no others, and
            // each occurs once. The context notes a crash.
            unsafe {
                weft_load(self.exclusive(), size, dropped.as_ptr(), dropped.len(), has_crashed)
            }
        });
        loaded.map_err(|reason| IrError::Malformed { reason })
    }

    /// Reads the metadata of a module that was read lazily, and checks what has been read.
    pub(crate) fn read_metadata(&mut self) -> Result<(), IrError> {
        let (context, size) = (self.context(), self.bitcode_size());
        let read =
            context.guard(|has_crashed| weft_read_metadata(self.exclusive(), size, has_crashed));
        read.map_err(|reason| IrError::Malformed { reason })
    }

    /// Reads more bodies of a share of a module that was read lazily, until they have `limit`
    /// instructions or none is left, and checks what has been read. Whether none is left.
    pub(crate) fn read_bodies(&mut self, limit: usize, share: Share) -> Result<bool, IrError> {
        let (context, size, mut is_last) = (self.context(), self.bitcode_size(), false);
        let read = context.guard(|has_crashed| {
            weft_read_bodies(self.exclusive(), size, limit, share, &mut is_last, has_crashed)
        });
        read.map_err(|reason| IrError::Malformed { reason })?;
        Ok(is_last)
    }

    /// Frees the bodies that have been read. They are definitions still, which do nothing. Bodies
    /// that [`Module::content_digests`] reads stay.
    pub(crate) fn empty_bodies(&mut self) {
        weft_empty_bodies(self.exclusive());
    }

    /// Makes declarations of the chosen definitions.
    pub(crate) fn drop_definitions(
        &mut self,
        choose: impl for<'m> FnOnce(&'m Module<'_>) -> Vec<Global<'m>>,
    ) {
        for global in once(choose(self)) {
            // SAFETY: the value is the module's, as the choice can return no other, and it is
            // dropped once. No other value is removed with it.
            unsafe { weft_drop_definition(global) }
        }
    }

    /// Makes direct calls of the chosen function go to an internal one, which is a copy called
    /// `copy_name` where the function's address is used, too.
    pub(crate) fn localize(
        &mut self,
        choose: impl for<'m> FnOnce(&'m Module<'_>) -> Result<Function<'m>, IrError>,
        copy_name: &str,
    ) -> Result<(), IrError> {
        let function = choose(self)?.raw();
        // SAFETY: the value is a function of the module, as the choice can return no other.
        unsafe { weft_localize(function, Bytes::of(copy_name)) }
        Ok(())
    }

    /// Digest of the meaning of each chosen definition, the same for all compilations of the same
    /// code under the same options. Their bodies lose metadata and names of values by that.
    pub(crate) fn content_digests(
        &mut self,
        choose: impl for<'m> FnOnce(&'m Module<'_>) -> Vec<Option<Global<'m>>>,
    ) -> Vec<Option<u64>> {
        let digest = |global: Global<'_>| {
            // SAFETY: the value is the module's, as the choice can return no other. Values inside
            // bodies are removed by that, but no global value.
            let text = unsafe { weft_content(global.raw()) }.into_string().unwrap_or_default();
            let digest = weft_artifact::digest(text.as_bytes());
            digest.as_bytes().iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte))
        };
        choose(self).into_iter().map(|global| global.map(digest)).collect()
    }

    /// Links another module of the same context into this one by LLVM's linker, which keeps the
    /// first definition of each name. `None` if it refused.
    pub(crate) fn link_in(&mut self, other: Module<'_>) -> Option<()> {
        if !std::ptr::eq(self.context(), other.context()) {
            return None;
        }
        // SAFETY: both modules are of one context, and the second one is given away.
        let failed = unsafe { LLVMLinkModules2(self.raw(), other.into_raw()) } != 0;
        (!failed).then_some(())
    }

    /// Forgets metadata that is not of a definition, but for the module's flags.
    pub(crate) fn forget_metadata(&mut self) {
        weft_forget_metadata(self.exclusive());
    }

    /// Forgets the flags whose names begin with `prefix`.
    pub(crate) fn forget_flags(&mut self, prefix: &str) {
        weft_forget_flags(self.exclusive(), Bytes::of(prefix));
    }

    /// Forgets clang's and the user's lists of used symbols, but for local symbols.
    pub(crate) fn forget_used(&mut self) {
        weft_forget_used(self.exclusive());
    }

    /// Erases the lists of used symbols, which only earlier phases read.
    pub(crate) fn erase_used_lists(&mut self) {
        weft_erase_used_lists(self.exclusive());
    }

    /// Lists the symbols called `names` among those that LLVM must keep. The list is replaced.
    pub(crate) fn append_to_compiler_used(&mut self, names: &[String]) {
        let values: Vec<_> =
            names.iter().filter_map(|name| self.global(name)).map(|global| global.raw()).collect();
        // SAFETY: all values are global values of the module.
        unsafe { weft_append_to_compiler_used(self.raw(), values.as_ptr(), values.len()) }
    }

    /// Removes declarations that nothing uses.
    pub(crate) fn drop_unused_declarations(&mut self) {
        weft_drop_unused_declarations(self.exclusive());
    }

    /// Sets the name of the source file.
    pub(crate) fn set_source_name(&mut self, name: &str) {
        // SAFETY: the module is alive, and LLVM copies the name, which has the given length.
        unsafe { LLVMSetSourceFileName(self.raw(), name.as_ptr().cast(), name.len()) }
    }

    /// Removes what the later phases cannot observe, and sets the source's name to `name`.
    pub(crate) fn canonicalize(&mut self, name: &str) {
        self.set_source_name(name);
        weft_canonicalize(self.exclusive());
    }
}

/// The values without those that were there before.
fn once(globals: Vec<Global<'_>>) -> Vec<LLVMValueRef> {
    let mut seen = BTreeSet::new();
    let values = globals.into_iter().map(|global| global.raw());
    values.filter(|value| seen.insert(*value)).collect()
}
