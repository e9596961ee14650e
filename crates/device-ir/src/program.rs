//! Applies to one module the facts that the thin link found out about the whole program.

use std::ffi::{CString, c_char};

use weft_artifact::{Plan, VirtualCallOutcome};

use crate::error::IrError;
use crate::layout::layout;
use crate::module::{Exclusive, Module};

unsafe extern "C" {
    /// Replaces the virtual calls that `outcomes` are about, and removes type tests that nothing
    /// but assumptions use.
    fn weft_resolve_virtual_calls(
        module: Exclusive<'_>,
        outcomes: *const VirtualCallFacts,
        count: usize,
    );
}

/// Outcome of virtual calls of a type through a slot.
#[repr(C)]
struct VirtualCallFacts {
    /// Identifier of the type.
    type_id: u64,
    /// Offset of the slot in bytes.
    offset: u64,
    /// Terminated names of the functions that may be called.
    names: *const *const c_char,
    /// Number of names; with none, the call gives `result`.
    name_count: usize,
    /// Result of a call without names.
    result: u64,
}

layout! {
    VirtualCallFacts: type_id, offset, names, name_count, result;
    constexpr size_t VirtualCallFactsLayout[] = {40, 0, 8, 16, 24, 32};
}

/// Makes virtual calls direct, and adds attributes to functions, as `plan` says. Attributes come
/// last, so that functions which only a virtual call led to get theirs, too.
pub(crate) fn apply(module: &mut Module<'_>, plan: &Plan) -> Result<(), IrError> {
    resolve_virtual_calls(module, plan)?;
    for symbol in &plan.attributes {
        // A body that names the function may have gone since the thin link saw it: then no
        // declaration of it is left.
        if let Some(function) = module.function(&symbol.name) {
            function.add_attributes(symbol.attributes);
        }
    }
    Ok(())
}

fn resolve_virtual_calls(module: &mut Module<'_>, plan: &Plan) -> Result<(), IrError> {
    let terminated = |name: &String| {
        CString::new(name.as_str()).map_err(|_| IrError::MissingSymbol { symbol: name.clone() })
    };
    let names = plan
        .virtual_calls
        .iter()
        .map(|resolution| match &resolution.outcome {
            VirtualCallOutcome::Calls(names) => names.iter().map(terminated).collect(),
            VirtualCallOutcome::Returns(_) => Ok(Vec::new()),
        })
        .collect::<Result<Vec<Vec<CString>>, _>>()?;
    let pointers: Vec<Vec<*const c_char>> =
        names.iter().map(|names| names.iter().map(|name| name.as_ptr()).collect()).collect();
    let outcomes: Vec<VirtualCallFacts> = plan
        .virtual_calls
        .iter()
        .zip(&pointers)
        .map(|(resolution, names)| VirtualCallFacts {
            type_id: resolution.call.type_id.0,
            offset: resolution.call.offset,
            names: names.as_ptr(),
            name_count: names.len(),
            result: match resolution.outcome {
                VirtualCallOutcome::Returns(result) => result,
                VirtualCallOutcome::Calls(_) => 0,
            },
        })
        .collect();
    // SAFETY: there are so many outcomes, each has so many names, and `names` keeps the names,
    // which are terminated, until the end of this function.
    unsafe { weft_resolve_virtual_calls(module.exclusive(), outcomes.as_ptr(), outcomes.len()) }
    Ok(())
}
