//! Reading summaries.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use weft_artifact::{Summary, SummaryFile};
use weft_cli::{Blame as _, Fault, failure, files};

use crate::model::error::LinkError;
use crate::model::program::{Code, PackedUnit, Packer};

/// A summary and where it came from. The path serves messages only and reaches no output.
#[derive(Clone, Debug)]
pub struct Unit {
    /// The file.
    pub path: PathBuf,
    /// The summary.
    pub summary: Summary,
}

/// All summaries of a program.
pub(crate) struct Loaded {
    /// Contents of the files, in the order of their paths; empty unless requested.
    pub(crate) contents: Vec<Vec<u8>>,
    /// The units without their code.
    pub(crate) units: Vec<PackedUnit>,
    /// The code, in parts.
    pub(crate) code: Vec<Code>,
}

/// Number of files that one thread reads in sequence, except for the first part: enough for few,
/// long lists, and few enough to keep all threads busy.
const FILES: usize = 64;

/// Reads, checks and packs all summaries, in parallel. Each is dropped as soon as it is packed,
/// unless the caller `keeps` the files' contents. The file of an archive holds several. `libraries`
/// are the files of libraries of device code. Of several failures, the one of the first path is
/// reported.
pub(crate) fn read(
    paths: &[PathBuf],
    libraries: &BTreeSet<PathBuf>,
    keeps: bool,
) -> anyhow::Result<Loaded> {
    let share = paths.len() / rayon::current_num_threads();
    // The first part is the share of one thread, as the others are joined to it in the end.
    let (first, others) = paths.split_at(share);
    let others = others.chunks((share / 4).clamp(1, FILES));
    let parts: Vec<&[PathBuf]> = std::iter::once(first).chain(others).collect();
    let parts: Vec<anyhow::Result<Loaded>> = parts
        .par_iter()
        .with_max_len(1)
        .enumerate()
        .map(|(part, paths)| read_part(part, paths, libraries, keeps))
        .collect();
    let mut loaded = Loaded { contents: Vec::new(), units: Vec::new(), code: Vec::new() };
    for part in parts {
        let mut part = part?;
        loaded.contents.append(&mut part.contents);
        loaded.units.append(&mut part.units);
        loaded.code.append(&mut part.code);
    }
    Ok(loaded)
}

fn read_part(
    part: usize,
    paths: &[PathBuf],
    libraries: &BTreeSet<PathBuf>,
    keeps: bool,
) -> anyhow::Result<Loaded> {
    let mut packer = Packer::new(part);
    let (mut contents, mut units) = (Vec::new(), Vec::with_capacity(paths.len()));
    let mut room = Vec::new();
    for path in paths {
        let file = files::read(path)?;
        let is_library = libraries.contains(path);
        units.append(&mut read_file(path, &file, is_library, &mut room, &mut packer)?);
        contents.extend(keeps.then_some(file));
    }
    Ok(Loaded { contents, units, code: vec![packer.finish()] })
}

/// Returns the units of one file, the content of `path`.
fn read_file(
    path: &Path,
    file: &[u8],
    is_library: bool,
    room: &mut Vec<u8>,
    packer: &mut Packer,
) -> anyhow::Result<Vec<PackedUnit>> {
    SummaryFile::read_into(file, room, packer)
        .blame(Fault::Input, || format!("cannot use {}", path.display()))?;
    let members = packer.take_units();
    let several = members.len() > 1;
    let mut units = Vec::with_capacity(members.len());
    for (member, mut unit) in members.into_iter().enumerate() {
        // For an archive's file, a message has to name the member.
        let name = || format!("{}({})", path.display(), unit.module_id);
        let path: PathBuf = if several { name().into() } else { path.to_owned() };
        if let Some(reason) = unit.broken.take() {
            let error = LinkError::Record { path, reason };
            return Err(failure(Fault::Input, error.to_string()));
        }
        units.push(unit.of(path, member, is_library));
    }
    Ok(units)
}

/// Reads, checks and packs the units of one file that is in memory, the content of `path`.
pub fn pack_file(path: &Path, file: &[u8]) -> anyhow::Result<(Vec<PackedUnit>, Vec<Code>)> {
    let mut packer = Packer::new(0);
    let units = read_file(path, file, false, &mut Vec::new(), &mut packer)?;
    Ok((units, vec![packer.finish()]))
}

/// Checks and packs units that are in memory.
pub fn pack(units: &[Unit]) -> Result<(Vec<PackedUnit>, Vec<Code>), LinkError> {
    let mut units: Vec<&Unit> = units.iter().collect();
    units.sort_by(|first, second| first.summary.module_id.cmp(&second.summary.module_id));
    let mut packer = Packer::new(0);
    let mut all = Vec::with_capacity(units.len());
    for unit in units {
        let path = &unit.path;
        let module_id = unit.summary.module_id.validate();
        module_id.map_err(|error| LinkError::ModuleId { path: path.clone(), error })?;
        unit.summary.give_to(&mut packer);
        for mut unit in packer.take_units() {
            if let Some(reason) = unit.broken.take() {
                return Err(LinkError::Record { path: path.clone(), reason });
            }
            all.push(unit.of(path.clone(), 0, false));
        }
    }
    Ok((all, vec![packer.finish()]))
}
