//! The files that a report is made of.

use std::path::{Path, PathBuf};

use weft_artifact::{Decisions, Manifest, Plan};
use weft_cli::{Blame as _, Fault, failure, files};
use weft_container::{is_cubin, ptx_facts};

use crate::manifest::manifest;
use crate::report::Report;

/// Everything that was read.
pub(super) struct Material {
    /// Files of the lists, in order.
    pub(super) files: Vec<JobFile>,
    /// Thin links, in the order of the command line.
    pub(super) links: Vec<ReadLink>,
}

/// One file about a module.
pub(super) struct JobFile {
    /// Module or unit that the list names.
    pub(super) unit: String,
    /// Report of the job, or the report that its product allows.
    pub(super) report: Report,
    /// PTX with its architecture, if the file is PTX.
    pub(super) ptx: Option<(String, Vec<u8>)>,
}

/// The outputs of a thin link.
pub(super) struct ReadLink {
    pub(super) manifest: Manifest,
    pub(super) decisions: Decisions,
    /// Plans, in the order of the manifest's modules.
    pub(super) plans: Vec<Plan>,
}

impl Material {
    /// Reads the files that `lists` name, and the thin links of `manifests`.
    pub(super) fn read(lists: &[PathBuf], manifests: &[PathBuf]) -> anyhow::Result<Self> {
        let mut read = Vec::new();
        for path in lists {
            for (number, line) in (1..).zip(read_text(path)?.lines()) {
                let (unit, file) = line.split_once('\t').ok_or_else(|| {
                    let place = format!("{}:{number}", path.display());
                    failure(Fault::Input, format!("{place}: expected ID<TAB>FILE"))
                })?;
                read.push(job_file(unit, Path::new(file))?);
            }
        }
        let links = manifests.iter().map(|path| link(path)).collect::<anyhow::Result<_>>()?;
        Ok(Self { files: read, links })
    }
}

fn read_text(path: &Path) -> anyhow::Result<String> {
    String::from_utf8(files::read(path)?).blame(Fault::Input, || path.display().to_string())
}

/// Reads the report of a job, or makes one from its cubin or PTX.
fn job_file(unit: &str, path: &Path) -> anyhow::Result<JobFile> {
    let content = files::read(path)?;
    let unit = unit.to_owned();
    if is_cubin(&content) {
        let report = Report::of_cubin(&content);
        let report = report.blame(Fault::Input, || path.display().to_string())?;
        return Ok(JobFile { unit, report, ptx: None });
    }
    if let Ok(facts) = ptx_facts(&content) {
        let report = Report::of_ptx(&facts.architecture, &content);
        return Ok(JobFile { unit, report, ptx: Some((facts.architecture, content)) });
    }
    let wrong = || format!("{}: neither a report nor a cubin nor PTX", path.display());
    let report = serde_json::from_slice(&content).blame(Fault::Input, wrong)?;
    Ok(JobFile { unit, report, ptx: None })
}

fn link(path: &Path) -> anyhow::Result<ReadLink> {
    let manifest = manifest(path)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let decisions: Decisions = artifact(&folder.join(&manifest.decisions))?;
    let plans = manifest.modules.iter().map(|module| artifact(&folder.join(&module.plan)));
    let plans = plans.collect::<anyhow::Result<Vec<Plan>>>()?;
    Ok(ReadLink { manifest, decisions, plans })
}

fn artifact<T: weft_artifact::Artifact>(path: &Path) -> anyhow::Result<T> {
    T::decode(&files::read(path)?).blame(Fault::Input, || path.display().to_string())
}
