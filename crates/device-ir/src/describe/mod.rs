//! The facts of a module, as a summary holds them.
//!
//! One walk over the module: linear in instructions and in the nodes of constant expressions, and
//! what LLVM's block frequencies cost. Declarations are symbols like definitions, so an edge to what
//! another module defines is never lost: the thin link meets the two by name.

mod function;
mod intrinsics;
mod module_facts;
mod names;
mod priority;
mod sizes;
mod variable;

use weft_artifact::{
    AliasSummary, Body, Declaration, DeviceModule, Guid, ModuleId, OptionSetting, Symbol,
};

use crate::analyses::Analyses;
use crate::assembly::Assembly;
use crate::context::Context;
use crate::dynamic_shared;
use crate::error::IrError;
use crate::global::{Global, GlobalKind};
use crate::module::{Module, Reading, producer};
use crate::target::Target;
pub(crate) use intrinsics::{IntrinsicClass, class_of};
use names::Names;
pub use priority::PriorityOverride;
pub(crate) use sizes::Sizes;

/// What the build knows of a module and the module does not say.
#[derive(Clone, Debug, Default)]
pub struct Background<'text> {
    /// Architecture, for a module without functions; they name their own.
    pub architecture: &'text str,
    /// Options that the IR does not show. They win over what it shows.
    pub options: Vec<OptionSetting>,
    /// Another way to assign import priorities.
    pub priority_override: PriorityOverride,
}

/// The facts of the device bitcode `bitcode` of module `module_id`.
pub fn describe(
    bitcode: &[u8],
    module_id: &ModuleId,
    background: &Background<'_>,
) -> Result<DeviceModule, IrError> {
    let context = Context::new();
    let module = Module::read(&context, bitcode, Reading::Whole)?;
    let assembly = Assembly::of(&module);
    assembly.declare_externals(&context, &module);
    let target = Target::of_functions(&module);
    let symbols = Walk::over(&module, assembly, background.priority_override).symbols(module_id);
    Ok(DeviceModule {
        architecture: target
            .map_or_else(|| background.architecture.to_owned(), |it| it.architecture),
        triple: module.triple(),
        data_layout: module.data_layout(),
        producer: producer(bitcode)?,
        nvvm_ir_version: module_facts::nvvm_ir_version(&module),
        lto: module_facts::lto_flags(&module),
        has_debug_info: module_facts::has_debug_info(&module),
        options: module_facts::options(&module, &background.options),
        symbols,
    })
}

/// What the walk over one module's symbols needs.
struct Walk<'module> {
    module: &'module Module<'module>,
    assembly: Assembly,
    names: Names<'module>,
    sizes: Sizes,
    analyses: Analyses<'module>,
    priority_override: PriorityOverride,
}

impl<'module> Walk<'module> {
    fn over(
        module: &'module Module<'module>,
        assembly: Assembly,
        priority_override: PriorityOverride,
    ) -> Self {
        let names = Names::of(module, &assembly);
        let sizes = Sizes::of(module);
        Self { module, assembly, names, sizes, analyses: Analyses::of(module), priority_override }
    }

    fn symbols(&self, module_id: &ModuleId) -> Vec<Symbol> {
        let mut symbols: Vec<_> =
            self.names.iter().map(|global| self.symbol(global, module_id)).collect();
        names::mark_taken_addresses(&mut symbols);
        // Digests come last, as computing them takes bodies apart.
        for (symbol, global) in symbols.iter_mut().zip(self.names.iter()) {
            let is_replaceable = symbol.is_definition() && symbol.linkage.is_interposable();
            symbol.content = is_replaceable.then(|| global.content_digest());
        }
        symbols
    }

    fn symbol(&self, global: Global<'module>, module_id: &ModuleId) -> Symbol {
        let (name, linkage) = (global.name(), global.linkage());
        let guid = if linkage.is_local() {
            Guid::of_local(module_id, &name)
        } else {
            Guid::of_global(&name)
        };
        Symbol {
            name,
            guid,
            linkage,
            visibility: global.visibility(),
            dso_local: global.is_dso_local(),
            comdat: global.comdat(),
            address_space: global.address_space(),
            // Whether other code takes the address is known when all bodies have been read.
            address_taken: self.names.is_named_by_assembly(global),
            used: self.names.is_used(global),
            used_by_host: self.names.is_used_by_host(global),
            content: None,
            body: self.body(global),
        }
    }

    fn body(&self, global: Global<'module>) -> Body {
        if global.is_declaration() {
            return Body::Declaration(match global.kind() {
                GlobalKind::Function if global.is_kernel() => Declaration::Kernel,
                GlobalKind::Function => Declaration::Function,
                _ => match dynamic_shared::alignment(self.module, global) {
                    Some(alignment) => Declaration::DynamicShared(alignment),
                    None => Declaration::Variable,
                },
            });
        }
        match global.kind() {
            GlobalKind::Function => Body::Function(self.function(global)),
            GlobalKind::Variable => Body::Variable(self.variable(global)),
            GlobalKind::Alias => match self.names.named_by(global.content()).first() {
                Some(&target) => Body::Alias(AliasSummary { target }),
                // An alias of a bare address: nothing to follow.
                None => Body::Declaration(Declaration::Variable),
            },
        }
    }
}
