//! Declarations that follow the program's definitions.
//!
//! Two modules may disagree about a symbol that one of them only declares, and the definition
//! decides. That is settled after the import: LLVM's IR mover accepts a declaration of either kind
//! for the other, and leaves a cast between the address spaces of a variable's two declarations,
//! which no GPU can compute. So the uses of such a cast become uses of the variable itself.

use weft_artifact::{DefinitionKind, PlannedDefinition};

use crate::error::IrError;
use crate::module::{Exclusive, Module};
use crate::text::Bytes;

/// Constant memory among NVPTX's address spaces.
const CONSTANT: u32 = 4;

unsafe extern "C" {
    /// Declares the variable `name` in the address space `space`, unless it is defined there, and
    /// has all uses of its address follow. Whether all could.
    safe fn weft_declare_in_space(module: Exclusive<'_>, name: Bytes<'_>, space: u32) -> bool;
}

/// Gives the declarations in `module` the kinds of the program's `definitions`.
pub(crate) fn apply(
    module: &mut Module<'_>,
    definitions: &[PlannedDefinition],
) -> Result<(), IrError> {
    for PlannedDefinition { name, kind } in definitions {
        match *kind {
            DefinitionKind::Kernel => {
                let declared = module.function(name).filter(|function| function.is_declaration());
                if let Some(function) = declared {
                    function.make_kernel();
                }
            }
            DefinitionKind::Variable(space) => {
                if !weft_declare_in_space(module.exclusive(), Bytes::of(name), space) {
                    let defined = if space == CONSTANT {
                        "defined in constant memory"
                    } else {
                        "defined in global memory"
                    };
                    return Err(IrError::AddressSpace { symbol: name.clone(), defined });
                }
            }
        }
    }
    Ok(())
}
