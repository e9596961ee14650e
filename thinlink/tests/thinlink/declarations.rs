//! Declarations of summaries that are written by hand.

use std::collections::BTreeMap;

use thinlink::Unit;
use weft_artifact::{Body, Declaration};

/// Makes declarations agree with the definitions that other units have: what a name is, and where.
pub(crate) fn declare_as_defined(units: &mut [Unit]) {
    let devices = || units.iter().filter_map(|unit| unit.summary.device.as_ref());
    let symbols = devices().flat_map(|device| &device.symbols);
    let visible = symbols.filter(|symbol| !symbol.linkage.is_local() && symbol.is_definition());
    let defined: BTreeMap<String, (Declaration, u32)> = visible
        .map(|symbol| {
            let kind = match &symbol.body {
                Body::Variable(_) => Declaration::Variable,
                _ if symbol.is_kernel() => Declaration::Kernel,
                _ => Declaration::Function,
            };
            (symbol.name.clone(), (kind, symbol.address_space))
        })
        .collect();
    for device in units.iter_mut().filter_map(|unit| unit.summary.device.as_mut()) {
        for symbol in &mut device.symbols {
            if let (Body::Declaration(kind), Some((defined, space))) =
                (&mut symbol.body, defined.get(&symbol.name))
            {
                (*kind, symbol.address_space) = (*defined, *space);
            }
        }
    }
}
