//! Reading summaries, and checking what decoding cannot.
//!
//! A summary that decodes has the right digest, so it says what its writer meant. Whether that
//! writer kept the rules of the record (names sorted, indices in range) is checked here, as the
//! first step of the link, so that no later one needs to.

use std::path::{Path, PathBuf};

use rayon::prelude::*;
use weft_artifact::{Artifact as _, Body, DeviceModule, Summary, SummaryFile, SymbolIndex};
use weft_cli::{Blame as _, Fault, failure, files};

use crate::LinkError;
use crate::program::Unit as Packed;

/// A summary and where it came from. The path serves messages only and reaches no output.
#[derive(Clone, Debug)]
pub struct Unit {
    /// The file.
    pub path: PathBuf,
    /// What it holds.
    pub summary: Summary,
}

/// All summaries of a program.
pub(crate) struct Loaded {
    /// The files as they are, in the order of their paths; none if nobody asked for them.
    pub(crate) contents: Vec<Vec<u8>>,
    /// What they hold.
    pub(crate) units: Vec<Packed>,
}

/// Reads, checks and packs all summaries, in parallel, none of them in memory longer than that takes
/// unless the caller `keeps` the files' contents. A file of an archive holds several. Of several
/// failures, the one of the first path is reported.
pub(crate) fn read(paths: &[PathBuf], keeps: bool) -> anyhow::Result<Loaded> {
    let read = paths.par_iter().map(|path| {
        let bytes = files::read(path)?;
        let units = one(path, &bytes)?;
        Ok((keeps.then_some(bytes), units))
    });
    let read: Vec<anyhow::Result<_>> = read.collect();
    let mut loaded = Loaded { contents: Vec::new(), units: Vec::with_capacity(paths.len()) };
    for file in read {
        let (content, mut units): (Option<_>, Vec<_>) = file?;
        loaded.contents.extend(content);
        loaded.units.append(&mut units);
    }
    Ok(loaded)
}

fn one(path: &Path, bytes: &[u8]) -> anyhow::Result<Vec<Packed>> {
    let file = SummaryFile::decode(bytes)
        .blame(Fault::Input, || format!("cannot use {}", path.display()))?;
    let several = file.summaries.len() > 1;
    let units = file.summaries.into_iter().map(|summary| {
        // Of an archive's file, a message has to say which member it is about.
        let member = || format!("{}({})", path.display(), summary.module_id);
        let path = if several { member().into() } else { path.to_owned() };
        check(&path, &summary).map_err(|error| failure(Fault::Input, error.to_string()))?;
        Ok(Packed::pack(path, summary))
    });
    units.collect()
}

/// Checks and packs units that are in memory.
pub(crate) fn pack(units: &[Unit]) -> Result<Vec<Packed>, LinkError> {
    let mut units: Vec<&Unit> = units.iter().collect();
    units.sort_by(|first, second| first.summary.module_id.cmp(&second.summary.module_id));
    let packed = units.into_iter().map(|unit| {
        check(&unit.path, &unit.summary)?;
        Ok(Packed::pack(unit.path.clone(), unit.summary.clone()))
    });
    packed.collect()
}

/// Checks the rules that a decoded record may still break.
fn check(path: &Path, summary: &Summary) -> Result<(), LinkError> {
    let module_id = summary.module_id.validate();
    module_id.map_err(|error| LinkError::ModuleId { path: path.to_owned(), error })?;
    match summary.device.as_ref().and_then(broken_rule) {
        Some(reason) => Err(LinkError::Record { path: path.to_owned(), reason }),
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
fn indices(body: &Body) -> impl Iterator<Item = SymbolIndex> + '_ {
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
