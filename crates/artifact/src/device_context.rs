//! The six lists of symbols that a function uses, in the form of NVIDIA's summary.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::{Body, DeviceModule, FunctionSummary, SymbolIndex};

/// Shared memory among NVPTX's address spaces.
const SHARED: u32 = 3;
/// Constant memory among NVPTX's address spaces.
const CONSTANT: u32 = 4;

/// The six lists of NVIDIA's summary. They are views of a function's calls and references, so a
/// summary need not hold them twice.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct DeviceContext {
    /// Device functions that the function calls.
    pub direct_calls: Vec<SymbolIndex>,
    /// Variables in shared memory that the function refers to.
    pub shared: Vec<SymbolIndex>,
    /// Texture, surface and sampler references that the function refers to.
    pub handles: Vec<SymbolIndex>,
    /// Variables in constant memory that the function refers to.
    pub constants: Vec<SymbolIndex>,
    /// Kernels that the function refers to: device code names a kernel to launch it.
    pub kernel_launches: Vec<SymbolIndex>,
    /// Other symbols that the function refers to, by address space.
    pub others: BTreeMap<u32, Vec<SymbolIndex>>,
}

impl DeviceModule {
    /// Returns the device context of one of the module's functions.
    pub fn context(&self, function: &FunctionSummary) -> DeviceContext {
        let mut context = DeviceContext::default();
        for call in &function.calls {
            match self.symbol(call.callee) {
                Some(callee) if callee.is_kernel() => context.kernel_launches.push(call.callee),
                _ => context.direct_calls.push(call.callee),
            }
        }
        for target in function.references.iter().copied() {
            let Some(symbol) = self.symbol(target) else { continue };
            let is_handle =
                matches!(&symbol.body, Body::Variable(variable) if variable.handle.is_some());
            let list = match symbol.address_space {
                _ if is_handle => &mut context.handles,
                _ if symbol.is_kernel() => &mut context.kernel_launches,
                SHARED => &mut context.shared,
                CONSTANT => &mut context.constants,
                other => context.others.entry(other).or_default(),
            };
            list.push(target);
        }
        context
    }
}
