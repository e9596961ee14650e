//! The units of nvcc's relocatable device code in host objects.
//!
//! To register its kernels and variables, such a unit calls a function that the device link must
//! define: `__cudaRegisterLinkedBinary_` followed by an id of the unit. The unit provides its
//! unlinked device code as `__fatbinwrap_` followed by the id.

use std::collections::BTreeSet;

use object::{Object as _, ObjectSymbol as _};

use crate::object_file::ObjectError;

/// Name of the function, without the unit's id, which starts with `_`.
const FUNCTION: &str = "__cudaRegisterLinkedBinary";

/// Returns the ids of the units of nvcc in `file` that wait for a registration. A file that is no
/// object has none.
pub fn nvcc_units(file: &[u8]) -> Result<BTreeSet<String>, ObjectError> {
    ids_of(file, |symbol| symbol.is_undefined())
}

/// Whether `file` is an object that registers units of nvcc, as the output of a device link is.
pub fn registers_units(file: &[u8]) -> Result<bool, ObjectError> {
    Ok(!ids_of(file, |symbol| symbol.is_definition())?.is_empty())
}

/// Returns the ids of the units whose function is among the symbols that `is_wanted` accepts.
fn ids_of(
    file: &[u8],
    is_wanted: impl Fn(&object::Symbol<'_, '_>) -> bool,
) -> Result<BTreeSet<String>, ObjectError> {
    let Ok(object) = object::File::parse(file) else { return Ok(BTreeSet::new()) };
    let mut ids = BTreeSet::new();
    for symbol in object.symbols().filter(|symbol| is_wanted(symbol)) {
        let id = symbol.name()?.strip_prefix(FUNCTION);
        ids.extend(id.filter(|id| is_identifier(id)).map(str::to_owned));
    }
    Ok(ids)
}

fn is_identifier(id: &str) -> bool {
    id.starts_with('_') && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
