//! The facts of a module of LTO IR, as a summary holds them.
//!
//! nvlink's PTX without optimization shows each symbol of the unit: functions with their calls,
//! variables with their initial values, declarations of other units' symbols. Two things need more
//! than reading: which variables the code may write ([`flow`]), and whether definitions of several
//! units are equal ([`content`]).
//!
//! Facts that PTX does not state count as unknown: every weak definition may differ from another
//! one, and every function may access any memory.
//!
//! Cost: each body is read once; definitions that several units may hold are read twice.

mod bodies;
mod content;
mod flow;
mod heads;
mod options;
mod statements;
mod symbols;

use std::collections::BTreeMap;
use std::ops::Range;

use thiserror::Error;
use weft_artifact::{
    Body, DeviceModule, LtoIrModule, ModuleId, OptionSetting, Symbol, SymbolIndex,
};
use weft_container::{PtxError, PtxFacts, ptx_facts, ptx_items};

use bodies::{BodyFacts, Callees};
use content::Contents;
use flow::{Flow, Signature};
use symbols::Found;

/// Target triple of device code, as clang's modules have it.
const TRIPLE: &str = "nvptx64-nvidia-cuda";

/// Facts of a module that its PTX does not show.
#[derive(Clone, Copy, Debug, Default)]
pub struct Background<'text> {
    /// Options of the compilation, as the fat binary states them.
    pub options: &'text str,
    /// Options that the build states. They win.
    pub given: &'text [OptionSetting],
}

/// The reason why text is no PTX of a module.
#[derive(Debug, Error)]
pub enum DescribeError {
    /// The text is not UTF-8.
    #[error("PTX that is not UTF-8")]
    NotText(#[from] std::str::Utf8Error),
    /// The text cannot be read.
    #[error(transparent)]
    Ptx(#[from] PtxError),
}

/// Returns the facts of the module `module_id`, of which nvlink wrote `ptx` without optimization.
pub fn describe(
    ptx: &[u8],
    module_id: &ModuleId,
    background: &Background<'_>,
) -> Result<DeviceModule, DescribeError> {
    let text = std::str::from_utf8(ptx)?.trim_end_matches('\0');
    let items = ptx_items(text)?;
    let found = symbols::found(text, &items);
    let mut symbols: Vec<Symbol> =
        found.iter().map(|(name, found)| symbols::symbol(text, name, found, module_id)).collect();
    let names: Vec<&str> = found.keys().copied().collect();
    let index = |name: &str| names.binary_search(&name).ok();
    symbols::add_references(text, &found, index, &mut symbols);
    let escaped = add_bodies(text, &found, index, &mut symbols);
    symbols::mark_taken_addresses(&mut symbols);
    let written = symbols::written(&symbols, &escaped);
    add_digests(text, &found, &mut symbols);
    let PtxFacts { architecture, version: ptx_version, .. } = ptx_facts(ptx)?;
    Ok(DeviceModule {
        architecture,
        triple: TRIPLE.to_owned(),
        data_layout: String::new(),
        producer: format!("NVVM{}", in_header(text, "Based on NVVM ")),
        nvvm_ir_version: None,
        options: options::settings(background.options, background.given),
        lto_ir: Some(LtoIrModule {
            release: in_header(text, "Cuda compilation tools, release ").to_owned(),
            ptx_version,
            written,
        }),
        symbols,
    })
}

/// Adds the facts of all bodies to the symbols. Returns for each symbol whether its address
/// escapes.
fn add_bodies<'text>(
    text: &'text str,
    found: &BTreeMap<&'text str, Found<'_, 'text>>,
    index: impl Fn(&str) -> Option<usize>,
    symbols: &mut [Symbol],
) -> Vec<bool> {
    let mut flow = Flow::new(symbols.len());
    let heads: Vec<_> =
        found.iter().map(|(name, found)| (found.function(), found.head(text, name))).collect();
    let mut signatures: BTreeMap<usize, Signature> = BTreeMap::new();
    for (place, (function, head)) in heads.iter().enumerate() {
        if function.is_some() {
            signatures.insert(place, bodies::signature(&mut flow, head));
        }
    }
    let is_function = symbols.iter().map(symbols::is_function).collect();
    let mut callees = Callees { symbols: index, is_function, signatures };
    let all = callees.signatures.clone();
    callees.signatures.retain(|&place, _| symbols.get(place).is_some_and(is_believed));
    let mut bodies: Vec<(usize, BodyFacts)> = Vec::new();
    for (place, (function, head)) in heads.iter().enumerate() {
        if let (Some(item), Some(signature)) = (function, all.get(&place)) {
            bodies.push((place, callees.read(text, item, head, signature, &mut flow)));
        }
    }
    for (place, facts) in &bodies {
        if let Some(Body::Function(function)) =
            symbols.get_mut(*place).map(|symbol| &mut symbol.body)
        {
            function.instruction_count = facts.instructions;
            function.indirect_calls = facts.indirect_calls;
            function.calls = facts.calls();
            function.references = facts.references();
        }
    }
    let taken: Vec<SymbolIndex> = symbols::taken_addresses(symbols);
    for (&place, signature) in &all {
        let is_local = symbols.get(place).is_some_and(|symbol| symbol.linkage.is_local());
        // Callers that cannot be seen get the results.
        if !is_local || taken.binary_search(&bodies::index(place)).is_ok() {
            signature.results.iter().for_each(|&result| flow.escapes(result));
        }
    }
    flow.escaped()
}

/// Whether this module's calls of a function reach its body here.
fn is_believed(symbol: &Symbol) -> bool {
    symbol.linkage.is_local() || symbol.name.starts_with("_ZNK")
}

/// Adds the digests of definitions that several units may hold.
fn add_digests(text: &str, found: &BTreeMap<&str, Found<'_, '_>>, symbols: &mut [Symbol]) {
    let places: Vec<Option<Range<usize>>> = found.values().map(Found::definition).collect();
    let mut contents = Contents::new(text, symbols, &places);
    let merged = |symbol: &Symbol| symbol.is_definition() && symbol.linkage.is_interposable();
    let digests: Vec<Option<u64>> =
        (0..places.len()).map(|place| contents.digest_of(place, merged)).collect();
    for (symbol, digest) in symbols.iter_mut().zip(digests) {
        symbol.content = digest;
    }
}

/// Returns the word behind `label` in the comments before the first directive; empty without one.
fn in_header<'text>(text: &'text str, label: &str) -> &'text str {
    let mut comments = text.lines().take_while(|line| line.is_empty() || line.starts_with("//"));
    let word = |line: &'text str| line.split_once(label)?.1.split([',', ' ']).next();
    comments.find_map(word).unwrap_or_default()
}

#[cfg(test)]
mod tests;
