//! Line tables of imported bodies.
//!
//! LLVM drops the line information of a body that it inlines into a function without any. Not all
//! units have line information, so a function without it that calls one with it gets an artificial
//! entry of line 0, and the lines of the inlined body stay.

use weft_artifact::ModuleId;

use crate::module::{Module, Shared};
use crate::text::Bytes;

unsafe extern "C" {
    /// Gives each function without lines that calls one with lines, directly or through others, an
    /// entry of line 0 in the file `path`. Nothing changes in a module without lines.
    safe fn weft_complete_line_tables(module: Shared<'_>, path: Bytes<'_>);
}

/// Lets the lines of imported bodies stay where they are inlined. Functions without lines count to
/// a file with the name of the module.
pub(crate) fn complete(module: &Module<'_>, module_id: &ModuleId) {
    weft_complete_line_tables(module.shared(), Bytes::of(module_id.as_str()));
}
