//! The files that the thin link writes.
//!
//! Cost: bytes written, in parallel; one plan per thread is in memory at a time.

use std::path::{Path, PathBuf};

use rayon::prelude::*;
use weft_artifact::{Artifact as _, MANIFEST_VERSION, Manifest, ManifestModule, Plan, digest};
use weft_cli::files;

use crate::link::Decisions;
use crate::{Link, Tally};

/// One output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputFile {
    /// Path relative to the output folder.
    pub path: PathBuf,
    /// The whole content.
    pub content: Vec<u8>,
}

/// All outputs of a link: the plans in module-id order, then the manifest.
pub fn encode(link: &Link) -> anyhow::Result<Vec<OutputFile>> {
    let plans: Vec<anyhow::Result<(ManifestModule, OutputFile)>> =
        link.plans.par_iter().map(encode_plan).collect();
    let (modules, mut files): (Vec<_>, Vec<_>) =
        plans.into_iter().collect::<anyhow::Result<Vec<_>>>()?.into_iter().unzip();
    files.push(encode_manifest(&Manifest {
        version: MANIFEST_VERSION,
        architecture: link.architecture.clone(),
        modules,
        removed_kernels: link.removed_kernels.clone(),
        removed_variables: link.removed_variables.clone(),
    })?);
    Ok(files)
}

/// What a report needs to know of written outputs.
pub(crate) struct Written {
    /// What happened to each module's definitions, in module-id order.
    pub(crate) tallies: Vec<Tally>,
    /// The manifest.
    pub(crate) manifest: Manifest,
}

/// Encodes and writes plan after plan, in parallel, and the manifest last.
pub(crate) fn write(decisions: &Decisions<'_>, folder: &Path) -> anyhow::Result<Written> {
    let put = |file: &OutputFile| files::write(&folder.join(&file.path), &file.content);
    let plans: Vec<anyhow::Result<(ManifestModule, Tally)>> = (0..decisions.modules())
        .into_par_iter()
        .map(|module| {
            let (plan, tally) = decisions.plan(module);
            let (module, file) = encode_plan(&plan)?;
            put(&file)?;
            Ok((module, tally))
        })
        .collect();
    let (modules, tallies) =
        plans.into_iter().collect::<anyhow::Result<Vec<_>>>()?.into_iter().unzip();
    let manifest = Manifest {
        version: MANIFEST_VERSION,
        architecture: decisions.architecture().to_owned(),
        modules,
        removed_kernels: decisions.removed_kernels(),
        removed_variables: decisions.removed_variables(),
    };
    put(&encode_manifest(&manifest)?)?;
    Ok(Written { tallies, manifest })
}

fn encode_manifest(manifest: &Manifest) -> anyhow::Result<OutputFile> {
    let mut content = serde_json::to_vec_pretty(manifest)?;
    content.push(b'\n');
    Ok(OutputFile { path: PathBuf::from("manifest.json"), content })
}

fn encode_plan(plan: &Plan) -> anyhow::Result<(ManifestModule, OutputFile)> {
    let content = plan.encode()?;
    let path = format!("{}.plan", plan.module_id);
    let module = ManifestModule {
        module_id: plan.module_id.to_string(),
        plan: path.clone(),
        plan_digest: digest(&content).to_hex().to_string(),
        import_sources: plan.imports.iter().map(|list| list.module_id.to_string()).collect(),
    };
    Ok((module, OutputFile { path: path.into(), content }))
}
