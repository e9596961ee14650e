//! What the thin link found out about the whole program, applied to one module.

use std::ffi::{CString, c_char};

use weft_artifact::{Plan, VirtualCallOutcome};

use crate::error::IrError;
use crate::global::GlobalKind;
use crate::module::Module;
use crate::shim::{VirtualCallFacts, weft_add_attributes, weft_resolve_virtual_calls};

/// Makes virtual calls direct, and adds attributes to functions, as `plan` says. Attributes come
/// last, so that functions which only a virtual call led to get theirs, too.
pub(crate) fn apply(module: &Module<'_>, plan: &Plan) -> Result<(), IrError> {
    resolve_virtual_calls(module, plan)?;
    for symbol in &plan.attributes {
        // A body that names the function may have gone since the thin link saw it: then no
        // declaration of it is left.
        let Some(global) = module.global(&symbol.name) else { continue };
        if global.kind() != GlobalKind::Function {
            continue;
        }
        let known = symbol.attributes;
        // SAFETY: a function.
        unsafe {
            weft_add_attributes(
                global.raw(),
                known.no_unwind,
                known.no_recurse,
                known.will_return,
                known.memory.0,
            );
        }
    }
    Ok(())
}

fn resolve_virtual_calls(module: &Module<'_>, plan: &Plan) -> Result<(), IrError> {
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
    // SAFETY: the module is valid; outcomes and names outlive the call.
    unsafe { weft_resolve_virtual_calls(module.raw(), outcomes.as_ptr(), outcomes.len()) }
    Ok(())
}
