//! Replaces names that PTX cannot spell: names with letters outside ASCII, which C++ allows.
//!
//! LLVM would give up without naming the symbol. A function, and everything that only its module
//! sees, gets a spelling that is the same in all modules. A kernel or a visible variable cannot get
//! another name, since the host looks it up by its own.

use std::fmt::Write as _;

use crate::error::IrError;
use crate::handles::{Function, Global};
use crate::module::Module;

/// Spells the names of `module` in ASCII.
pub(crate) fn spell(module: &Module<'_>) -> Result<(), IrError> {
    for global in module.globals() {
        let name = global.name();
        if name.is_ascii() {
            continue;
        }
        let spelled = spelled(&name);
        if is_looked_up(global) || module.global(&spelled).is_some() {
            return Err(IrError::Name { symbol: name });
        }
        global.set_name(&spelled);
    }
    Ok(())
}

/// Whether the host may look for the symbol by its name.
fn is_looked_up(global: Global<'_>) -> bool {
    let is_device_function = Function::of(global).is_some_and(|function| !function.is_kernel());
    !is_device_function && !global.linkage().is_local()
}

/// The name with `$` and two digits for each byte outside of ASCII.
fn spelled(name: &str) -> String {
    name.bytes().fold(String::new(), |mut text, byte| {
        if byte.is_ascii() {
            text.push(char::from(byte));
        } else {
            // Writing to a String cannot fail.
            let _ = write!(text, "${byte:x}");
        }
        text
    })
}
