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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Call, Comdat, Declaration, FunctionFlags, Guid, Handle, Linkage, Symbol, VariableSummary,
        Visibility,
    };

    fn symbol(name: &str, address_space: u32, body: Body) -> Symbol {
        Symbol {
            name: name.to_owned(),
            guid: Guid::of_global(name),
            linkage: Linkage::External,
            visibility: Visibility::Default,
            dso_local: false,
            comdat: Comdat::None,
            address_space,
            address_taken: false,
            used: false,
            used_by_host: false,
            content: None,
            prototype: None,
            body,
        }
    }

    #[test]
    fn each_symbol_is_in_the_list_of_its_kind_and_memory() {
        let variable = Body::Variable(VariableSummary::default());
        let texture =
            VariableSummary { handle: Some(Handle::Texture), ..VariableSummary::default() };
        let kernel = FunctionFlags { kernel: true, ..FunctionFlags::default() };
        let kernel = FunctionSummary { flags: kernel, ..FunctionSummary::default() };
        let bodies = [
            (0, Body::Function(FunctionSummary::default())),
            (0, Body::Function(kernel)),
            (0, Body::Declaration(Declaration::Function)),
            (0, Body::Declaration(Declaration::Kernel)),
            (1, variable.clone()),
            (3, variable.clone()),
            (3, Body::Declaration(Declaration::DynamicShared(16))),
            (4, variable),
            (1, Body::Variable(texture)),
        ];
        let symbols = (0..).zip(bodies);
        let symbols =
            symbols.map(|(place, (space, body))| symbol(&format!("{place}"), space, body));
        let device = DeviceModule {
            architecture: String::new(),
            triple: String::new(),
            data_layout: String::new(),
            producer: String::new(),
            nvvm_ir_version: None,
            options: Vec::new(),
            lto_ir: None,
            symbols: symbols.collect(),
        };
        let at = |places: &[u32]| places.iter().copied().map(SymbolIndex).collect::<Vec<_>>();
        let function = FunctionSummary {
            calls: at(&[0, 1, 2, 3]).into_iter().map(Call::once).collect(),
            // The last one is no symbol of the module.
            references: at(&[0, 1, 3, 4, 5, 6, 7, 8, 9]),
            ..FunctionSummary::default()
        };
        let expected = DeviceContext {
            direct_calls: at(&[0, 2]),
            shared: at(&[5, 6]),
            handles: at(&[8]),
            constants: at(&[7]),
            kernel_launches: at(&[1, 3, 1, 3]),
            others: [(0, at(&[0])), (1, at(&[4]))].into(),
        };
        assert_eq!(device.context(&function), expected);
    }
}
