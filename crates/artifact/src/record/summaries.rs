//! Collects whole summaries from their pieces.

use std::mem::take;

use crate::record::sink::{BodyHead, SummarySink, SymbolHead};
use crate::{
    AliasSummary, Body, Call, DeviceModule, Guid, HostFacts, ModuleId, OpaqueImage, Summary,
    Symbol, SymbolIndex,
};

/// The sink that collects whole summaries.
#[derive(Default)]
pub(super) struct Summaries {
    whole: Vec<Summary>,
    calls: Vec<Call>,
    references: Vec<SymbolIndex>,
}

impl Summaries {
    pub(super) fn finish(self) -> Vec<Summary> {
        self.whole
    }
}

impl SummarySink for Summaries {
    fn unit(&mut self, module_id: ModuleId, device: Option<DeviceModule>) {
        self.whole.push(Summary { module_id, device, host: None, opaque: Vec::new() });
    }

    fn call(&mut self, call: Call) {
        self.calls.push(call);
    }

    fn reference(&mut self, target: SymbolIndex) {
        self.references.push(target);
    }

    fn symbol(&mut self, symbol: SymbolHead<'_>) {
        let SymbolHead { name, linkage, body, .. } = symbol;
        let body = match body {
            BodyHead::Declaration(declaration) => Body::Declaration(declaration),
            BodyHead::Function(function) => {
                let (calls, references) = (take(&mut self.calls), take(&mut self.references));
                Body::Function(function.with(calls, references))
            }
            BodyHead::Variable(variable) => Body::Variable(variable),
            BodyHead::Alias(target) => Body::Alias(AliasSummary { target }),
        };
        let Some(Summary { module_id, device: Some(device), .. }) = self.whole.last_mut() else {
            return;
        };
        let guid = if linkage.is_local() {
            Guid::of_local(module_id, name)
        } else {
            Guid::of_global(name)
        };
        device.symbols.push(Symbol {
            name: name.to_owned(),
            guid,
            linkage,
            visibility: symbol.visibility,
            dso_local: symbol.dso_local,
            comdat: symbol.comdat,
            address_space: symbol.address_space,
            address_taken: symbol.address_taken,
            used: symbol.used,
            used_by_host: symbol.used_by_host,
            content: symbol.content,
            prototype: symbol.prototype,
            body,
        });
    }

    fn end(&mut self, host: Option<HostFacts>, opaque: Vec<OpaqueImage>) {
        if let Some(summary) = self.whole.last_mut() {
            (summary.host, summary.opaque) = (host, opaque);
        }
    }
}
