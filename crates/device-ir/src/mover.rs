//! LLVM's IR mover into one module.

use std::ffi::c_void;

use llvm_sys::prelude::{LLVMModuleRef, LLVMValueRef};

use crate::error::IrError;
use crate::module::{Exclusive, Module};
use crate::text::ShimText;

unsafe extern "C" {
    /// LLVM's IR mover into `destination`, which must outlive it.
    safe fn weft_mover_create(destination: Exclusive<'_>) -> *mut c_void;

    /// Ends a mover.
    fn weft_mover_dispose(mover: *mut c_void);

    /// Moves `values`, all of `source`, into the mover's destination, reading their bodies on
    /// demand, and what they refer to as declarations, or as copies where it is local. If it
    /// `imports`, the assembly of `source` and its lists stay behind. Consumes `source`, which must
    /// be of the destination's context and was read from `size` bytes of bitcode. No text, or the
    /// reason for the failure. When LLVM crashed, the context must not be used or disposed of any
    /// more.
    fn weft_mover_move(
        mover: *mut c_void,
        source: LLVMModuleRef,
        size: usize,
        values: *const LLVMValueRef,
        count: usize,
        imports: bool,
        has_crashed: &mut bool,
    ) -> ShimText;
}

/// A mover, with the module that it moves definitions into. Between moves it holds types and
/// metadata alone, which the context owns, so the destination can be changed.
pub(crate) struct Mover<'m, 'context> {
    raw: *mut c_void,
    destination: &'m mut Module<'context>,
}

impl<'m, 'context> Mover<'m, 'context> {
    pub(crate) fn into(destination: &'m mut Module<'context>) -> Self {
        Self { raw: weft_mover_create(destination.exclusive()), destination }
    }

    /// The module that definitions are moved into.
    pub(crate) fn destination(&mut self) -> &mut Module<'context> {
        self.destination
    }

    /// Moves the definitions called `names`, and what they need, out of `source`.
    pub(crate) fn move_in(&mut self, source: Module<'_>, names: &[String]) -> Result<(), IrError> {
        let globals = names.iter().filter_map(|name| source.global(name));
        let values: Vec<_> = globals.map(|global| global.raw()).collect();
        self.move_values(source, &values, true)
    }

    /// Moves all definitions out of `source`, and its assembly.
    pub(crate) fn move_all(&mut self, source: Module<'_>) -> Result<(), IrError> {
        let globals = source.globals().into_iter().filter(|global| global.is_definition());
        let values: Vec<_> = globals.map(|global| global.raw()).collect();
        self.move_values(source, &values, false)
    }

    /// Moves `values`, which must be global values of `source`, and what they need.
    fn move_values(
        &mut self,
        source: Module<'_>,
        values: &[LLVMValueRef],
        imports: bool,
    ) -> Result<(), IrError> {
        let context = self.destination.context();
        if !std::ptr::eq(context, source.context()) {
            let reason = "the modules are of different contexts".to_owned();
            return Err(IrError::Import { reason });
        }
        let (count, size) = (values.len(), source.bitcode_size());
        let moved = context.guard(|has_crashed| {
            // SAFETY: the mover lives as long as `self`. The values are the source's, as both
            // callers took them from it. It is of the destination's context and is given away. The
            // context notes a crash.
            unsafe {
                let source = source.into_raw();
                let values = values.as_ptr();
                weft_mover_move(self.raw, source, size, values, count, imports, has_crashed)
            }
        });
        moved.map_err(|reason| IrError::Import { reason })
    }
}

impl Drop for Mover<'_, '_> {
    fn drop(&mut self) {
        if !self.destination.context().is_broken() {
            // SAFETY: `into` made the mover, this is its only owner, and the destination is alive.
            unsafe { weft_mover_dispose(self.raw) }
        }
    }
}
