//! Options that NVIDIA's or LLVM's programs have and that Weft refuses, with the reasons. An option
//! that would be taken and do nothing is worse than one that is missing.

use anyhow::Error;

use crate::fault::{Fault, failure};

/// Why nothing takes `inline-info`.
pub const INLINE_INFO: &str = "neither LLVM's code generator nor ptxas records inlining; libnvvm \
                               (backend-job --codegen=libnvvm) does for every unit with line \
                               numbers, and backend-job --profuse-inline prints all decisions";

/// Why nothing takes `import-declaration`.
pub const IMPORT_DECLARATION: &str = "a module declares all that its own and imported bodies call \
                                      already, and its plan has the attributes of what it only \
                                      declares";

/// Returns the error of an option that is refused for a reason.
pub fn not_taken(option: &str, reason: &str) -> Error {
    failure(Fault::Usage, format!("{option} is not taken: {reason}"))
}
