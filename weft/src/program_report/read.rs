//! The files that a report is made of.

use std::path::{Path, PathBuf};

use weft_artifact::{Artifact as _, Decisions, Manifest, Plan, Summary, SummaryFile};
use weft_cli::{Blame as _, Fault, failure, files, manifest};
use weft_container::{is_cubin, ptx_facts};
use weft_job::JobReport;

use super::device_code::{Code, read_code};

/// Everything that was read.
pub(super) struct Material {
    /// Files of the lists, by unit and path.
    pub(super) files: Vec<JobFile>,
    /// Thin links, in the order of the command line.
    pub(super) links: Vec<ReadLink>,
    /// Images that the program was linked to.
    pub(super) images: Vec<Code>,
}

/// One file about a module.
pub(super) struct JobFile {
    /// Module or unit that the list names.
    pub(super) unit: String,
    /// Report of the job, or the report that its product allows.
    pub(super) report: JobReport,
    /// PTX with its architecture, if the file is PTX.
    pub(super) ptx: Option<(String, Vec<u8>)>,
    /// Summaries of units, if the file holds some.
    pub(super) summaries: Vec<Summary>,
}

/// The outputs of a thin link.
pub(super) struct ReadLink {
    pub(super) manifest: Manifest,
    pub(super) decisions: Decisions,
    /// Plans, in the order of the manifest's modules.
    pub(super) plans: Vec<Plan>,
}

impl Material {
    /// Reads the files that `lists` name, the thin links of `manifests`, and linked `images`.
    pub(super) fn read(
        lists: &[PathBuf],
        manifests: &[PathBuf],
        images: &[PathBuf],
    ) -> anyhow::Result<Self> {
        let mut read = Vec::new();
        for path in lists {
            for (number, line) in (1..).zip(read_text(path)?.lines()) {
                let (unit, file) = line.split_once('\t').ok_or_else(|| {
                    let place = format!("{}:{number}", path.display());
                    failure(Fault::Input, format!("{place}: expected ID<TAB>FILE"))
                })?;
                read.push((unit.to_owned(), PathBuf::from(file)));
            }
        }
        // The order of the lists does not matter.
        read.sort();
        let read = read.iter().map(|(unit, path)| job_file(unit, path));
        let read = read.collect::<anyhow::Result<_>>()?;
        let links = manifests.iter().map(|path| link(path)).collect::<anyhow::Result<_>>()?;
        Ok(Self { files: read, links, images: read_code(images)? })
    }
}

fn read_text(path: &Path) -> anyhow::Result<String> {
    String::from_utf8(files::read(path)?).blame(Fault::Input, || path.display().to_string())
}

/// Reads the report of a job, or makes one from its cubin or PTX.
fn job_file(unit: &str, path: &Path) -> anyhow::Result<JobFile> {
    let content = files::read(path)?;
    let unit = unit.to_owned();
    let mut file = JobFile { unit, report: JobReport::default(), ptx: None, summaries: Vec::new() };
    // The cubin of a module without code is an empty file.
    if content.is_empty() && path.extension().is_some_and(|extension| extension == "cubin") {
        return Ok(file);
    }
    if is_cubin(&content) {
        let report = JobReport::of_cubin(&content);
        file.report = report.blame(Fault::Input, || path.display().to_string())?;
    } else if let Ok(facts) = ptx_facts(&content) {
        file.report = JobReport::of_ptx(&facts.architecture, &content);
        file.ptx = Some((facts.architecture, content));
    } else if let Ok(read) = SummaryFile::decode(&content) {
        file.summaries = read.summaries;
    } else {
        let wrong =
            || format!("{}: neither a report nor a cubin, PTX or a summary", path.display());
        file.report = serde_json::from_slice(&content).blame(Fault::Input, wrong)?;
    }
    Ok(file)
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
