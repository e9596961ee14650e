//! Drafts of symbols, which name each other by name.

use std::collections::BTreeMap;
use std::error::Error;
use std::num::NonZeroU32;

use weft_artifact::{
    AliasSummary, Body, Call, Declaration, FunctionFlags, FunctionSummary, Linkage, SymbolIndex,
    VariableSummary, VirtualFunction,
};

/// A symbol but for its name.
#[derive(Clone)]
pub(crate) struct Draft {
    pub(crate) linkage: Linkage,
    pub(crate) address_space: u32,
    pub(crate) used: bool,
    pub(crate) used_by_host: bool,
    pub(crate) content: Option<u64>,
    pub(crate) prototype: Option<NonZeroU32>,
    pub(crate) kind: Kind,
}

impl Draft {
    /// Nobody is known to use it, and it is in the generic address space.
    pub(crate) fn new(linkage: Linkage, kind: Kind) -> Self {
        let (used, used_by_host) = (false, false);
        Self { linkage, address_space: 0, used, used_by_host, content: None, prototype: None, kind }
    }
}

/// The kind of a symbol, with the names of what it names.
#[derive(Clone)]
pub(crate) enum Kind {
    Declaration,
    /// Dynamic shared memory, with its alignment.
    DynamicShared(u32),
    Function {
        instructions: u32,
        flags: FunctionFlags,
        calls: Vec<String>,
        /// Facts of calls that are not as [`Call::once`] says, by callee.
        call_facts: BTreeMap<String, Call>,
        references: Vec<String>,
        /// References that the function only reads.
        reads: Vec<String>,
        facts: Box<FunctionSummary>,
    },
    Variable {
        facts: VariableSummary,
        references: Vec<String>,
        slots: Vec<(u64, String)>,
    },
    Alias {
        target: String,
    },
}

impl Kind {
    /// Names of the symbols that this one names.
    pub(crate) fn names(&self) -> Vec<&str> {
        let lists: [&[String]; 2] = match self {
            Self::Declaration | Self::DynamicShared(_) => [&[], &[]],
            Self::Function { calls, references, .. } => [calls, references],
            Self::Variable { references, .. } => [references, &[]],
            Self::Alias { target } => [std::slice::from_ref(target), &[]],
        };
        lists.into_iter().flatten().map(String::as_str).collect()
    }

    /// Returns the body of the symbol's summary. `names` are those of all symbols, sorted.
    pub(crate) fn body(
        &self,
        address_space: u32,
        names: &[&String],
    ) -> Result<Body, Box<dyn Error>> {
        let index = |name: &String| -> Result<SymbolIndex, Box<dyn Error>> {
            let position = names.binary_search(&name).map_err(|_| format!("no symbol {name}"))?;
            Ok(SymbolIndex(u32::try_from(position)?))
        };
        let indices = |list: &[String]| -> Result<Vec<SymbolIndex>, Box<dyn Error>> {
            let mut indices = list.iter().map(index).collect::<Result<Vec<_>, _>>()?;
            indices.sort_unstable();
            indices.dedup();
            Ok(indices)
        };
        Ok(match self {
            Self::Declaration if address_space == 0 => Body::Declaration(Declaration::Function),
            Self::Declaration => Body::Declaration(Declaration::Variable),
            Self::DynamicShared(it) => Body::Declaration(Declaration::DynamicShared(*it)),
            Self::Function { instructions, flags, calls, call_facts, references, reads, facts } => {
                let call = |callee: SymbolIndex| {
                    let name = names[callee.0 as usize];
                    let known = call_facts.get(name).copied();
                    Call { callee, ..known.unwrap_or_else(|| Call::once(callee)) }
                };
                Body::Function(FunctionSummary {
                    instruction_count: *instructions,
                    flags: *flags,
                    calls: indices(calls)?.into_iter().map(call).collect(),
                    references: indices(references)?,
                    reads: indices(reads)?,
                    ..(**facts).clone()
                })
            }
            Self::Variable { facts, references, slots } => Body::Variable(VariableSummary {
                references: indices(references)?,
                virtual_functions: slots
                    .iter()
                    .map(|(offset, name)| {
                        Ok(VirtualFunction { offset: *offset, function: index(name)? })
                    })
                    .collect::<Result<_, Box<dyn Error>>>()?,
                ..facts.clone()
            }),
            Self::Alias { target } => Body::Alias(AliasSummary { target: index(target)? }),
        })
    }
}
