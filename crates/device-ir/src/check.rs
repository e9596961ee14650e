//! Checks that bytes are a module of Weft's own making.

use crate::context::Context;
use crate::error::IrError;
use crate::module::{Module, Reading};
use crate::options;
use crate::target::Target;

/// Says what is wrong with `bitcode` as a linked or an optimized module: it is read whole, obeys
/// LLVM's rules, and says itself what it is for.
pub fn check(bitcode: &[u8]) -> Result<(), IrError> {
    let context = Context::new();
    let module = Module::read(&context, bitcode, Reading::Whole)?;
    options::recorded(&module)?;
    Target::recorded(&module).map(drop).ok_or(IrError::NoArchitecture)
}
