//! Reading summaries, and checking what decoding cannot.
//!
//! A summary that decodes has the right digest, so it says what its writer meant. Whether that
//! writer kept the rules of the record (names sorted, indices in range) is checked here, as the
//! first step of the link, so that no later one needs to.

use std::path::PathBuf;

use rayon::prelude::*;
use weft_artifact::{Artifact as _, Body, DeviceModule, Summary, SummaryFile, SymbolIndex};
use weft_cli::{Blame as _, Fault, files};

use crate::LinkError;

/// A summary and where it came from. The path serves messages only and reaches no output.
#[derive(Clone, Debug)]
pub struct Unit {
    /// The file.
    pub path: PathBuf,
    /// What it holds.
    pub summary: Summary,
}

/// All summaries of a program.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The files as they are, in the order of their paths.
    pub contents: Vec<Vec<u8>>,
    /// What they hold.
    pub units: Vec<Unit>,
}

/// Reads and decodes all summaries, in parallel. A file of an archive holds several. Of several
/// failures, the one of the first path is reported.
pub fn read(paths: &[PathBuf]) -> anyhow::Result<Loaded> {
    let read: Vec<anyhow::Result<(Vec<u8>, SummaryFile)>> = paths
        .par_iter()
        .map(|path| {
            let bytes = files::read(path)?;
            let decoded = SummaryFile::decode(&bytes)
                .blame(Fault::Input, || format!("cannot use {}", path.display()))?;
            Ok((bytes, decoded))
        })
        .collect();
    let (contents, decoded): (Vec<_>, Vec<_>) =
        read.into_iter().collect::<anyhow::Result<Vec<_>>>()?.into_iter().unzip();
    Ok(Loaded { contents, units: units(paths, decoded) })
}

fn units(paths: &[PathBuf], decoded: Vec<SummaryFile>) -> Vec<Unit> {
    let mut units = Vec::new();
    for (path, file) in paths.iter().zip(decoded) {
        let summaries = file.summaries;
        let several = summaries.len() > 1;
        units.extend(summaries.into_iter().map(|summary| {
            // Of an archive's file, a message has to say which member it is about.
            let member = || format!("{}({})", path.display(), summary.module_id);
            let path = if several { member().into() } else { path.clone() };
            Unit { path, summary }
        }));
    }
    units
}

/// Checks the rules that a decoded record may still break.
pub fn check(unit: &Unit) -> Result<(), LinkError> {
    unit.summary
        .module_id
        .validate()
        .map_err(|error| LinkError::ModuleId { path: unit.path.clone(), error })?;
    match unit.summary.device.as_ref().and_then(broken_rule) {
        Some(reason) => Err(LinkError::Record { path: unit.path.clone(), reason }),
        None => Ok(()),
    }
}

fn broken_rule(device: &DeviceModule) -> Option<String> {
    if let Some([first, second]) =
        device.symbols.array_windows().find(|[first, second]| first.name >= second.name)
    {
        return Some(format!(
            "symbol '{}' follows '{}': names must be sorted and unique",
            second.name, first.name
        ));
    }
    for symbol in &device.symbols {
        let slots = symbol.variable().into_iter().flat_map(|it| &it.virtual_functions);
        let slots = slots.map(|slot| slot.function);
        if let Some(index) =
            indices(&symbol.body).chain(slots).find(|&index| device.symbol(index).is_none())
        {
            return Some(format!(
                "symbol '{}' names symbol {}, but there are only {}",
                symbol.name,
                index.0,
                device.symbols.len()
            ));
        }
        if !symbol.is_definition() && symbol.linkage.is_local() {
            return Some(format!("symbol '{}' is local but not defined", symbol.name));
        }
    }
    None
}

/// Every symbol that a body names: calls first, then references or the alias's target.
pub(crate) fn indices(body: &Body) -> impl Iterator<Item = SymbolIndex> + '_ {
    let (calls, references, named, target) = match body {
        Body::Declaration(_) => (&[][..], &[][..], &[][..], None),
        Body::Function(function) => (&function.calls[..], &function.references[..], &[][..], None),
        Body::Variable(variable) => (&[][..], &[][..], &variable.references[..], None),
        Body::Alias(alias) => (&[][..], &[][..], &[][..], Some(alias.target)),
    };
    let references = references.iter().map(|reference| reference.target);
    let calls = calls.iter().map(|call| call.callee);
    calls.chain(references).chain(named.iter().copied()).chain(target)
}
