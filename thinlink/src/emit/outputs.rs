//! The files that the thin link writes.
//!
//! Cost: bytes written, in parallel. In a folder they take the memory of one plan per thread, as
//! the decisions and the manifest are written in pieces.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

use rayon::prelude::*;
use weft_artifact::{
    Decisions, JobClasses, MANIFEST_VERSION, Manifest, ManifestModule, ModuleId, digest,
};

use super::decided::{Decided, Tally};
use super::destination::{Destination, Folder, Memory};
use super::files::{MANIFEST, OutputFile, plan_path};
use super::planned::Planned;
use crate::model::ids::ModuleIndex;

type Listing<'all> = Manifest<&'all ModuleId, &'all BTreeMap<String, u32>>;
type Job<'all> = ManifestModule<&'all ModuleId, &'all BTreeMap<String, u32>>;

/// Returns all outputs: the plans in module-id order, the decisions, then the manifest. The numbers
/// of each module's definitions come with them, in module-id order.
pub fn in_memory(decided: &Decided<'_>) -> anyhow::Result<(Vec<OutputFile>, Vec<Tally>)> {
    produce(decided, &Memory)
}

/// Writes all outputs into `folder` as they are made, and returns the numbers of each module's
/// definitions, in module-id order.
pub fn into_folder(decided: &Decided<'_>, folder: &Path) -> anyhow::Result<Vec<Tally>> {
    Ok(produce(decided, &Folder(folder))?.1)
}

/// Encodes the outputs, the plans in parallel, and hands each to `destination`. Returns what
/// `destination` leaves of the outputs, in the order of [`in_memory`], and the numbers of each
/// module's definitions.
fn produce<P: Destination>(
    decided: &Decided<'_>,
    destination: &P,
) -> anyhow::Result<(Vec<P::Left>, Vec<Tally>)> {
    // The decisions come first: while they are written, they take memory that the jobs of the
    // manifest take afterwards.
    let decisions =
        destination.put_large(Decisions::FILE_NAME, |file| decided.write_decisions(file))?;
    let options = decided.options.named().into_iter();
    let options: BTreeMap<String, u32> =
        options.map(|(name, value)| (name.to_owned(), value)).collect();
    let plans: Vec<anyhow::Result<_>> = decided
        .index
        .modules()
        .into_par()
        .map(|module| {
            let planned = decided.plan(module)?;
            let tally = planned.tally;
            let (module, file) = describe_plan(decided, module, planned, &options);
            Ok((module, destination.put(file)?, tally))
        })
        .collect();
    let (mut modules, mut left, mut tallies) = (Vec::new(), Vec::new(), Vec::new());
    for plan in plans {
        let (module, put, tally) = plan?;
        modules.push(module);
        left.push(put);
        tallies.push(tally);
    }
    let manifest = Manifest {
        version: MANIFEST_VERSION,
        architecture: decided.architecture().to_owned(),
        mode: decided.mode,
        device_runtime: decided.device_runtime,
        decisions: Decisions::FILE_NAME.to_owned(),
        modules,
        removed_kernels: decided.removed_kernels.clone(),
        removed_variables: decided.removed_variables.clone(),
    };
    left.push(decisions);
    left.push(destination.put_large(MANIFEST, |file| write_manifest(&manifest, file))?);
    Ok((left, tallies))
}

fn write_manifest(manifest: &Listing<'_>, mut file: impl Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut file, manifest)?;
    file.write_all(b"\n")
}

fn describe_plan<'all>(
    decided: &Decided<'all>,
    module: ModuleIndex,
    planned: Planned<'all>,
    options: &'all BTreeMap<String, u32>,
) -> (Job<'all>, OutputFile) {
    let module_id = decided.index.module_id(module);
    let path = plan_path(module_id);
    let kernels = decided.closing.kernels(module);
    let kernels = || kernels.iter().filter(|closure| decided.index.is_kernel(closure.kernel));
    let closed = kernels().filter(|closure| closure.end.is_none()).count();
    let tally = planned.tally;
    let members = decided.index.members(module).skip(1);
    let module = ManifestModule {
        module_id,
        members: members.map(|member| decided.index.module_id(member)).collect(),
        plan: path.clone(),
        plan_digest: digest(&planned.content).to_hex().to_string(),
        import_sources: planned.sources,
        phase_options: options,
        estimated_cost: planned.cost,
        classes: JobClasses::of(planned.cost),
        copied_functions: tally.copied,
        closed_kernels: closed,
        open_kernels: kernels().count() - closed,
        emits_code: !planned.is_empty,
    };
    (module, OutputFile { path: path.into(), content: planned.content })
}
