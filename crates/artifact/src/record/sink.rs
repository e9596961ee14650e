//! Who takes the pieces of a summary.

use crate::record::head::FunctionHead;
use crate::{
    Body, Call, Comdat, Declaration, DeviceModule, HostFacts, Linkage, ModuleId, OpaqueImage,
    Reference, Summary, Symbol, SymbolIndex, VariableSummary, Visibility,
};

/// Takes the pieces of summaries in the order in which files hold them: a unit, its symbols by name,
/// each after what its body names, and the end of the unit.
pub trait SummarySink {
    /// A unit begins. Its device code has no symbols yet.
    fn unit(&mut self, module_id: ModuleId, device: Option<DeviceModule>);

    /// The symbol that comes next is a function that calls this.
    fn call(&mut self, call: Call);

    /// The symbol that comes next is a function that names this.
    fn reference(&mut self, reference: Reference);

    /// A symbol.
    fn symbol(&mut self, symbol: SymbolHead<'_>);

    /// The unit ends.
    fn end(&mut self, host: Option<HostFacts>, opaque: Vec<OpaqueImage>);
}

/// A [`Symbol`](crate::Symbol) but for its GUID, which follows from its name.
#[derive(Debug)]
pub struct SymbolHead<'name> {
    /// Mangled name.
    pub name: &'name str,
    /// LLVM linkage.
    pub linkage: Linkage,
    /// LLVM visibility.
    pub visibility: Visibility,
    /// It is known to be defined in the image it is used in.
    pub dso_local: bool,
    /// The group of symbols that are kept or dropped together.
    pub comdat: Comdat,
    /// NVPTX address space.
    pub address_space: u32,
    /// Something in the module takes its address.
    pub address_taken: bool,
    /// Must stay whoever refers to it.
    pub used: bool,
    /// Listed only because host code of the same unit may name it.
    pub used_by_host: bool,
    /// Digest of a definition that a different one may replace.
    pub content: Option<u64>,
    /// What kind of value it is, with what is known of that kind.
    pub body: BodyHead,
}

/// A [`Body`]. A function's calls and references are not in it, as they came before.
#[derive(Debug)]
pub enum BodyHead {
    /// See [`Body::Declaration`].
    Declaration(Declaration),
    /// See [`Body::Function`].
    Function(FunctionHead),
    /// See [`Body::Variable`].
    Variable(VariableSummary),
    /// See [`Body::Alias`]: the symbol that it stands for.
    Alias(SymbolIndex),
}

impl Summary {
    /// Gives the pieces of the summary to `sink`, as reading its file would.
    pub fn give_to(&self, sink: &mut impl SummarySink) {
        let head = self.device.as_ref().map(|device| DeviceModule {
            architecture: device.architecture.clone(),
            triple: device.triple.clone(),
            data_layout: device.data_layout.clone(),
            producer: device.producer.clone(),
            options: device.options.clone(),
            symbols: Vec::new(),
            ..*device
        });
        sink.unit(self.module_id.clone(), head);
        for symbol in self.device.iter().flat_map(|device| &device.symbols) {
            if let Some(function) = symbol.function() {
                function.calls.iter().for_each(|call| sink.call(*call));
                function.references.iter().for_each(|reference| sink.reference(*reference));
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
            body,
        }
    }
}
