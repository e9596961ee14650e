//! The receiver of the pieces of a summary.

use std::num::NonZeroU32;

use crate::record::head::FunctionHead;
use crate::{
    Body, Call, Comdat, Declaration, DeviceModule, HostFacts, Linkage, ModuleId, OpaqueImage,
    Summary, Symbol, SymbolIndex, VariableSummary, Visibility,
};

/// Receives the pieces of summaries in the order of files: a unit, its symbols by name, each after
/// the calls and references of its body, and the end of the unit.
pub trait SummarySink {
    /// Begins a unit, whose device code has no symbols yet.
    fn unit(&mut self, module_id: ModuleId, device: Option<DeviceModule>);

    /// Adds a call of the function that comes next.
    fn call(&mut self, call: Call);

    /// Adds a symbol that the function that comes next refers to.
    fn reference(&mut self, target: SymbolIndex);

    /// Adds a symbol.
    fn symbol(&mut self, symbol: SymbolHead<'_>);

    /// Ends the unit.
    fn end(&mut self, host: Option<HostFacts>, opaque: Vec<OpaqueImage>);
}

/// A [`Symbol`](crate::Symbol) without its GUID, which follows from its name.
#[derive(Debug)]
pub struct SymbolHead<'name> {
    /// Mangled name.
    pub name: &'name str,
    /// LLVM linkage.
    pub linkage: Linkage,
    /// LLVM visibility.
    pub visibility: Visibility,
    /// Whether the symbol is known to be defined in the image that uses it.
    pub dso_local: bool,
    /// Group of symbols that are kept or dropped together.
    pub comdat: Comdat,
    /// NVPTX address space.
    pub address_space: u32,
    /// Whether the symbol is address-taken in the module.
    pub address_taken: bool,
    /// Whether the symbol stays, with or without references.
    pub used: bool,
    /// Whether the symbol is listed only because host code of the same unit may name it.
    pub used_by_host: bool,
    /// Digest of an interposable definition.
    pub content: Option<u64>,
    /// Digest of the prototype of a function.
    pub prototype: Option<NonZeroU32>,
    /// Kind of the value, with its facts.
    pub body: BodyHead,
}

/// A [`Body`] without a function's calls and references, which came before.
#[derive(Debug)]
pub enum BodyHead {
    /// Stands for [`Body::Declaration`].
    Declaration(Declaration),
    /// Stands for [`Body::Function`].
    Function(FunctionHead),
    /// Stands for [`Body::Variable`].
    Variable(VariableSummary),
    /// Stands for [`Body::Alias`], with the alias's target.
    Alias(SymbolIndex),
}

impl Summary {
    /// Passes the pieces of the summary to `sink`, as reading its file would.
    pub fn give_to(&self, sink: &mut impl SummarySink) {
        let head = self.device.as_ref().map(|device| DeviceModule {
            architecture: device.architecture.clone(),
            triple: device.triple.clone(),
            data_layout: device.data_layout.clone(),
            producer: device.producer.clone(),
            options: device.options.clone(),
            lto_ir: device.lto_ir.clone(),
            symbols: Vec::new(),
            ..*device
        });
        sink.unit(self.module_id.clone(), head);
        for symbol in self.device.iter().flat_map(|device| &device.symbols) {
            if let Some(function) = symbol.function() {
                function.calls.iter().for_each(|call| sink.call(*call));
                function.references.iter().for_each(|target| sink.reference(*target));
            }
            sink.symbol(SymbolHead::of(symbol));
        }
        sink.end(self.host.clone(), self.opaque.clone());
    }
}

impl<'name> SymbolHead<'name> {
    fn of(symbol: &'name Symbol) -> Self {
        let body = match &symbol.body {
            Body::Declaration(declaration) => BodyHead::Declaration(*declaration),
            Body::Function(function) => BodyHead::Function(FunctionHead::of(function)),
            Body::Variable(variable) => BodyHead::Variable(variable.clone()),
            Body::Alias(alias) => BodyHead::Alias(alias.target),
        };
        Self {
            name: &symbol.name,
            linkage: symbol.linkage,
            visibility: symbol.visibility,
            dso_local: symbol.dso_local,
            comdat: symbol.comdat.clone(),
            address_space: symbol.address_space,
            address_taken: symbol.address_taken,
            used: symbol.used,
            used_by_host: symbol.used_by_host,
            content: symbol.content,
            prototype: symbol.prototype,
            body,
        }
    }
}
