//! The files that the thin link writes.
//!
//! Cost: bytes written, in parallel. Whoever puts files away as they come has one plan per thread in
//! memory at a time.

use std::collections::BTreeMap;
use std::path::PathBuf;

use rayon::prelude::*;
use weft_artifact::{MANIFEST_VERSION, Manifest, ManifestModule, ModuleId, digest};

use crate::link::{self, Decided};
use crate::plans::Planned;
use crate::{Policy, Tally, Unit, load};

/// The manifest's file.
pub const MANIFEST: &str = "manifest.json";

/// The file of the decisions with their reasons.
pub const DECISIONS: &str = "decisions.weft";

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
    Ok(produce(&decided, Ok)?.0)
}

/// What a report needs to know of the outputs.
pub(crate) struct Told<'units> {
    /// What happened to each module's definitions, in module-id order.
    pub(crate) tallies: Vec<Tally>,
    /// The manifest.
    pub(crate) manifest: Manifest<&'units ModuleId>,
}

/// Encodes output after output, the plans in parallel, and gives each to `put`. The answers of `put`
/// are in the order of [`files`].
pub(crate) fn produce<'units, Answer: Send>(
    decided: &Decided<'units>,
    put: impl Fn(OutputFile) -> anyhow::Result<Answer> + Sync,
) -> anyhow::Result<(Vec<Answer>, Told<'units>)> {
    let options = decided.options.named().into_iter();
    let options: BTreeMap<String, u32> =
        options.map(|(name, value)| (name.to_owned(), value)).collect();
    let plans: Vec<anyhow::Result<(ManifestModule<_>, Answer, Tally)>> = (0..decided.modules())
        .into_par_iter()
        .map(|module| {
            let planned = decided.plan(module)?;
            let tally = planned.tally;
            let (module, file) = describe_plan(decided.index.module_id(module), planned, &options);
            Ok((module, put(file)?, tally))
        })
        .collect();
    let (mut modules, mut answers, mut tallies) = (Vec::new(), Vec::new(), Vec::new());
    for plan in plans {
        let (module, answer, tally) = plan?;
        modules.push(module);
        answers.push(answer);
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
        || put(OutputFile { path: PathBuf::from(DECISIONS), content: decided.record()? }),
        || put(encode_manifest(&manifest)?),
    );
    answers.extend([decisions?, listing?]);
    Ok((answers, Told { tallies, manifest }))
}

fn encode_manifest(manifest: &Manifest<&ModuleId>) -> anyhow::Result<OutputFile> {
    let mut content = serde_json::to_vec_pretty(manifest)?;
    content.push(b'\n');
    Ok(OutputFile { path: PathBuf::from(MANIFEST), content })
}

fn describe_plan<'units>(
    module_id: &'units ModuleId,
    planned: Planned<'units>,
    options: &BTreeMap<String, u32>,
) -> (ManifestModule<&'units ModuleId>, OutputFile) {
    let path = plan_path(module_id);
    let module = ManifestModule {
        module_id,
        plan: path.clone(),
        plan_digest: digest(&planned.content).to_hex().to_string(),
        import_sources: planned.sources,
        phase_options: options.clone(),
        estimated_cost: planned.cost,
    };
    (module, OutputFile { path: path.into(), content: planned.content })
}
