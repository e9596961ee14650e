//! Removes a machine's folders from the source file name in bitcode.
//!
//! Compilers write the given source path into a module, and build systems pass absolute ones. A
//! step that reads the bitcode would have a different key in each checkout.

use weft_artifact::ModuleId;

use crate::context::Context;
use crate::error::IrError;
use crate::module::{Module, Reading};
use crate::source_file;

/// Returns `bitcode` of the module `module_id` with the name of its source file as a path below the
/// workspace, or only the last part of the path where nothing tells which folders are the
/// workspace's.
pub fn with_source_below_workspace(
    bitcode: &[u8],
    module_id: &ModuleId,
) -> Result<Vec<u8>, IrError> {
    let context = Context::new();
    let mut module = Module::read_any(&context, bitcode, Reading::Whole)?;
    let name = source_file::below_workspace(&module.source_name(), module_id);
    module.set_source_name(name.as_deref().unwrap_or_default());
    module.to_bitcode()
}
