//! The files that the thin link writes, as bytes.

use std::collections::BTreeMap;
use std::path::PathBuf;

use rayon::prelude::*;
use weft_artifact::{
    Artifact as _, MANIFEST_VERSION, Manifest, ManifestModule, ModuleId, Plan, digest,
};

use crate::Link;

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

/// All outputs: the plans in module-id order, the decisions, then the manifest.
pub fn encode(link: &Link) -> anyhow::Result<Vec<OutputFile>> {
    let plans: Vec<anyhow::Result<(ManifestModule, OutputFile)>> = link
        .plans
        .par_iter()
        .zip(&link.costs)
        .map(|(plan, &cost)| encode_plan(plan, cost))
        .collect();
    let (modules, mut files): (Vec<_>, Vec<_>) =
        plans.into_iter().collect::<anyhow::Result<Vec<_>>>()?.into_iter().unzip();
    let manifest = Manifest {
        version: MANIFEST_VERSION,
        architecture: link.architecture.clone(),
        mode: link.mode,
        device_runtime: link.device_runtime,
        decisions: DECISIONS.to_owned(),
        modules,
        removed_kernels: link.removed_kernels.clone(),
        removed_variables: link.removed_variables.clone(),
    };
    let content = link.decisions.encode()?;
    files.push(OutputFile { path: PathBuf::from(DECISIONS), content });
    let mut content = serde_json::to_vec_pretty(&manifest)?;
    content.push(b'\n');
    files.push(OutputFile { path: PathBuf::from(MANIFEST), content });
    Ok(files)
}

fn encode_plan(plan: &Plan, estimated_cost: u64) -> anyhow::Result<(ManifestModule, OutputFile)> {
    let content = plan.encode()?;
    let path = plan_path(&plan.module_id);
    let module = ManifestModule {
        module_id: plan.module_id.to_string(),
        plan: path.clone(),
        plan_digest: digest(&content).to_hex().to_string(),
        import_sources: plan.imports.iter().map(|list| list.module_id.to_string()).collect(),
        phase_options: phase_options(plan),
        estimated_cost,
    };
    Ok((module, OutputFile { path: path.into(), content }))
}

fn phase_options(plan: &Plan) -> BTreeMap<String, u32> {
    plan.options.named().into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}
