//! The earlier build that a report is compared with.

use std::path::PathBuf;

use weft_cli::{Blame as _, Fault, failure, files};
use weft_report::{BuildReport, may_be_report, unpack};

use super::device_code::{Code, code};
use super::gather::gather;
use super::read::{JobFile, Material};

/// Reads the earlier build: one report, or files with device code. Returns its report and the name
/// of its file; `None` if there is no path.
pub(super) fn earlier(paths: &[PathBuf]) -> anyhow::Result<Option<(BuildReport, String)>> {
    let Some(first) = paths.first() else { return Ok(None) };
    let name = first.file_name().unwrap_or(first.as_os_str()).to_string_lossy();
    let name = match paths.len() {
        1 => name.into_owned(),
        count => format!("{name} and {} more", count - 1),
    };
    let mut all = Vec::new();
    for path in paths {
        let content = files::read(path)?;
        if !may_be_report(&content) {
            all.extend(code(path, &content, "neither a report of a build nor device code")?);
        } else if paths.len() > 1 {
            let message = "is a report, and a report is compared with no other file";
            return Err(failure(Fault::Usage, format!("--against {}: {message}", path.display())));
        } else {
            let report = unpack(&content).blame(Fault::Input, || path.display().to_string())?;
            return Ok(Some((report, name)));
        }
    }
    Ok(Some((of_code(all)?, name)))
}

/// Returns the report that device code allows.
fn of_code(all: Vec<Code>) -> anyhow::Result<BuildReport> {
    let has_linked = all.iter().any(|code| code.is_linked);
    let file = |Code { file, report, .. }| JobFile {
        unit: file,
        report,
        ptx: None,
        summaries: Vec::new(),
    };
    let files = all.into_iter().map(file).collect();
    let material = Material { files, links: Vec::new(), images: Vec::new() };
    let mut report = gather("", &material, false)?;
    if has_linked {
        // The contents of an image differ from those of the cubins that were linked into it.
        for image in &mut report.images {
            image.image_bytes = Some(std::mem::take(&mut image.cubin_bytes));
        }
    }
    Ok(report)
}
