//! The units of nvcc's relocatable device code in host objects.
//!
//! Such a unit registers its kernels and variables by code of its own, which calls a function that
//! the link of the device code has to define: `__cudaRegisterLinkedBinary_` and an id of the unit.
//! It offers its own device code, in the form before the link, as `__fatbinwrap_` and the id.

use std::collections::BTreeSet;

use object::{Object as _, ObjectSymbol as _};

use crate::object_file::ObjectError;

/// Name of the function, without the unit's id, which starts with `_`.
const FUNCTION: &str = "__cudaRegisterLinkedBinary";

/// Returns the ids of the units of nvcc in `file` that wait for a registration. A file that is no
/// object has none.
pub fn nvcc_units(file: &[u8]) -> Result<BTreeSet<String>, ObjectError> {
    let Ok(object) = object::File::parse(file) else { return Ok(BTreeSet::new()) };
    let mut ids = BTreeSet::new();
    for symbol in object.symbols().filter(object::ObjectSymbol::is_undefined) {
        let id = symbol.name()?.strip_prefix(FUNCTION);
        ids.extend(id.filter(|id| is_identifier(id)).map(str::to_owned));
    }
    Ok(ids)
}

/// Whether `file` is an object that registers units of nvcc, as the output of a device link is.
pub fn registers_units(file: &[u8]) -> Result<bool, ObjectError> {
    let Ok(object) = object::File::parse(file) else { return Ok(false) };
    for symbol in object.symbols().filter(object::ObjectSymbol::is_definition) {
        if symbol.name()?.strip_prefix(FUNCTION).is_some_and(is_identifier) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn is_identifier(id: &str) -> bool {
    id.starts_with('_') && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
