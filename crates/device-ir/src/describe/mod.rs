//! The facts of a module, as a summary holds them.
//!
//! The module is walked once, in time linear in instructions and in the nodes of constant
//! expressions, plus the cost of LLVM's block frequencies. Few bodies of a large module are in
//! memory at a time: the data gathered from a body names symbols by their identity, and becomes the
//! facts of the summary when all bodies have been read and the symbols are numbered.
//!
//! Declarations are symbols like definitions, so an edge to another module's definition is never
//! lost: the thin link matches the two by name.

mod bodies;
mod body;
mod destination;
mod function;
mod module_facts;
mod names;
mod priority;
mod shares;
#[cfg(test)]
mod tests;
mod variable;
mod walk;

use std::num::NonZeroUsize;

use weft_artifact::{
    AliasSummary, Body, Declaration, DeviceModule, Guid, ModuleId, OptionSetting, Symbol, fits,
};
use weft_workers::Workers;

use crate::context::Context;
use crate::dynamic_shared;
use crate::error::IrError;
use crate::handles::{Alias, Function, Global, Variable};
use crate::module::{Module, Reading};
use crate::producer::Producer;
use crate::prototype;
use crate::target::Target;
use bodies::Bodies;
pub use priority::PriorityOverride;
use shares::Parts;
use walk::Walk;

/// Number of instructions of a module that are read before their bodies are freed. They and their
/// analyses take about 100 MB.
const INSTRUCTIONS_IN_MEMORY: usize = 200_000;
/// Minimum size, in bytes, of bitcode that is read in shares. Units are smaller; the device
/// libraries of vendors are not. Everything outside bodies is read once for each share.
const LARGE: usize = 16 << 20;
/// Number of shares of a large module.
const SHARES: NonZeroUsize = NonZeroUsize::new(4).unwrap();

/// Facts of a module that the build knows and the module does not show.
#[derive(Clone, Debug, Default)]
pub struct Background<'text> {
    /// Architecture of the image that the module is for; empty if functions alone name it.
    pub architecture: &'text str,
    /// Options that the IR does not show. They win over what it shows.
    pub options: Vec<OptionSetting>,
    /// Another way to assign import priorities.
    pub priority_override: PriorityOverride,
}

/// The facts of the device bitcode `bitcode` of module `module_id`. `workers` read a large module.
pub fn describe(
    bitcode: &[u8],
    module_id: &ModuleId,
    background: &Background<'_>,
    workers: &Workers,
) -> Result<DeviceModule, IrError> {
    let shares = if bitcode.len() < LARGE { NonZeroUsize::MIN } else { SHARES };
    let parts = Parts { shares, instructions: INSTRUCTIONS_IN_MEMORY };
    describe_in_parts(bitcode, module_id, background, parts, workers)
}

/// [`describe`], with the module read as `parts` says.
fn describe_in_parts(
    bitcode: &[u8],
    module_id: &ModuleId,
    background: &Background<'_>,
    parts: Parts,
    workers: &Workers,
) -> Result<DeviceModule, IrError> {
    let context = Context::new();
    let mut module = Module::read(&context, bitcode, Reading::Lazy)?;
    let bodies = shares::read(&mut module, bitcode, parts, workers)?;
    let target = Target::of_functions(&module);
    let symbols = symbols(&mut module, &bodies, module_id, background.priority_override);
    Ok(DeviceModule {
        architecture: target
            .map(|target| target.architecture)
            .filter(|own| !fits(own, background.architecture))
            .unwrap_or_else(|| background.architecture.to_owned()),
        triple: module.triple(),
        data_layout: module.data_layout(),
        producer: Producer::of(bitcode)?.name,
        nvvm_ir_version: module_facts::nvvm_ir_version(&module),
        options: module_facts::options(&module, bodies.arithmetic, &background.options),
        lto_ir: None,
        symbols,
    })
}

/// The module's symbols, sorted by name.
fn symbols(
    module: &mut Module<'_>,
    bodies: &Bodies,
    module_id: &ModuleId,
    priority_override: PriorityOverride,
) -> Vec<Symbol> {
    bodies.assembly.declare_externals(module);
    let walk = Walk::over(module, bodies, priority_override);
    let mut symbols: Vec<_> =
        walk.names.iter().map(|global| symbol(&walk, global, module_id)).collect();
    drop(walk);
    names::mark_taken_addresses(&mut symbols);
    let is_replaceable =
        |symbol: &Symbol| symbol.is_definition() && symbol.linkage.is_interposable();
    // Digests come last, as computing them takes bodies apart.
    let digests = module.content_digests(|module| {
        let globals = symbols.iter().zip(names::sorted(module));
        globals.map(|(symbol, global)| is_replaceable(symbol).then_some(global)).collect()
    });
    for (symbol, digest) in symbols.iter_mut().zip(digests) {
        symbol.content = digest;
    }
    symbols
}

fn symbol<'m>(walk: &Walk<'m>, global: Global<'m>, module_id: &ModuleId) -> Symbol {
    let (name, linkage) = (global.name(), global.linkage());
    let guid =
        if linkage.is_local() { Guid::of_local(module_id, &name) } else { Guid::of_global(&name) };
    Symbol {
        name,
        guid,
        linkage,
        visibility: global.visibility(),
        dso_local: global.is_dso_local(),
        comdat: global.comdat(),
        address_space: global.address_space(),
        // Whether other code takes the address is known when all bodies have been read.
        address_taken: walk.names.is_named_by_assembly(global),
        used: walk.names.is_used(global),
        used_by_host: walk.names.is_used_by_host(global),
        content: None,
        prototype: walk.linked_by_prototype(global).and_then(prototype::digest),
        body: body(walk, global, module_id),
    }
}

fn body<'m>(walk: &Walk<'m>, global: Global<'m>, module_id: &ModuleId) -> Body {
    let bare = || Body::Declaration(Declaration::Variable);
    if let Some(function) = Function::of(global) {
        return match function.is_declaration() {
            true if function.is_kernel() => Body::Declaration(Declaration::Kernel),
            true => Body::Declaration(Declaration::Function),
            false => walk.bodies.of(function).map_or_else(bare, |body| {
                Body::Function(function::facts(walk, function, body, module_id))
            }),
        };
    }
    if let Some(variable) = Variable::of(global) {
        if !variable.is_declaration() {
            return Body::Variable(variable::facts(walk, variable));
        }
        return dynamic_shared::alignment(variable)
            .map_or_else(bare, |bytes| Body::Declaration(Declaration::DynamicShared(bytes)));
    }
    // An alias of a bare address has nothing to follow.
    let target =
        Alias::of(global).and_then(|alias| walk.names.named_by([alias.aliasee()]).first().copied());
    target.map_or_else(bare, |target| Body::Alias(AliasSummary { target }))
}
