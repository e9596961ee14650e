//! The files that the thin link writes.
//!
//! Cost: bytes written, in parallel. In a folder they take the memory of one plan per thread, as the
//! decisions and the manifest are written bit by bit.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;

use rayon::prelude::*;
use weft_artifact::{MANIFEST_VERSION, Manifest, ManifestModule, ModuleId, digest};

use crate::index::Module;
use crate::link::{self, Decided};
use crate::place::{Memory, Place};
use crate::plans::Planned;
use crate::{Policy, Tally, Unit, load};

/// The manifest's file.
pub const MANIFEST: &str = "manifest.json";

/// The file of the decisions with their reasons.
pub const DECISIONS: &str = "decisions.weft";

type Listing<'all> = Manifest<&'all ModuleId, &'all BTreeMap<String, u32>>;
type Job<'all> = ManifestModule<&'all ModuleId, &'all BTreeMap<String, u32>>;

/// One output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputFile {
    /// Path relative to the output folder.
    pub path: PathBuf,
    /// The whole content.
    pub content: Vec<u8>,
}

/// The path of a module's plan.
pub(crate) fn plan_path(module_id: &ModuleId) -> String {
    format!("{module_id}.plan")
}

/// All outputs of the link of `units`, given in any order: the plans in module-id order, the
/// decisions, then the manifest.
pub fn files(units: &[Unit], policy: &Policy) -> anyhow::Result<Vec<OutputFile>> {
    let (units, code) = load::pack(units)?;
    let decided = link::decide(&units, code, policy)?;
    Ok(produce(&decided, &Memory)?.0)
}

/// Encodes output after output, the plans in parallel, and puts each into `place`. What is left of them is
/// in the order of [`files`]. Besides, what happened to each module's definitions, in module-id order.
pub(crate) fn produce<P: Place>(
    decided: &Decided<'_>,
    place: &P,
) -> anyhow::Result<(Vec<P::Left>, Vec<Tally>)> {
    let options = decided.options.named().into_iter();
    let options: BTreeMap<String, u32> =
        options.map(|(name, value)| (name.to_owned(), value)).collect();
    let plans: Vec<anyhow::Result<_>> = (0..decided.modules())
        .into_par_iter()
        .map(|module| {
            let planned = decided.plan(module)?;
            let tally = planned.tally;
            let (module, file) = describe_plan(decided, module, planned, &options);
            Ok((module, place.put(file)?, tally))
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
        decisions: DECISIONS.to_owned(),
        modules,
        removed_kernels: decided.removed_kernels.clone(),
        removed_variables: decided.removed_variables.clone(),
    };
    let (decisions, listing) = rayon::join(
        || place.put_large(DECISIONS, |file| decided.write_decisions(file)),
        || place.put_large(MANIFEST, |file| write_manifest(&manifest, file)),
    );
    left.extend([decisions?, listing?]);
    Ok((left, tallies))
}

fn write_manifest(manifest: &Listing<'_>, mut file: impl Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut file, manifest)?;
    file.write_all(b"\n")
}

fn describe_plan<'all>(
    decided: &Decided<'all>,
    module: Module,
    planned: Planned<'all>,
    options: &'all BTreeMap<String, u32>,
) -> (Job<'all>, OutputFile) {
    let module_id = decided.index.module_id(module);
    let path = plan_path(module_id);
    let kernels = decided.closing.kernels(module);
    let kernels = || kernels.iter().filter(|it| decided.index.is_kernel(it.kernel));
    let closed = kernels().filter(|it| it.end.is_none()).count();
    let tally = planned.tally;
    let module = ManifestModule {
        module_id,
        plan: path.clone(),
        plan_digest: digest(&planned.content).to_hex().to_string(),
        import_sources: planned.sources,
        phase_options: options,
        estimated_cost: planned.cost,
        copied_functions: tally.copied,
        closed_kernels: closed,
        open_kernels: kernels().count() - closed,
        emits_code: !planned.is_empty,
    };
    (module, OutputFile { path: path.into(), content: planned.content })
}
