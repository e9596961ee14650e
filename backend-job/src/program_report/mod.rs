//! Puts everything that a build says about a program together: as a text, as JSON, as a page.
//!
//! The thin link left its plans, its decisions and its manifest, and each job a report of its own.
//! `report` reads them all, so that nobody has to open two files for each unit. A build that keeps
//! no reports, because they hold times, gives cubins and PTX in their place, which state everything
//! about a kernel except its spills.

mod gather;
mod job_graph;
mod jobs;
mod kernels;
mod links;
mod opaque;
mod placed;
mod read;
mod sites;
mod table;
mod text;

use anyhow::anyhow;
use weft_cli::files;

use crate::arguments::ReportArguments;
use gather::gather;
use read::Material;

/// Carries out `backend-job report`.
pub(crate) fn program_report(arguments: &ReportArguments) -> anyhow::Result<()> {
    let material = Material::read(&arguments.lists, &arguments.manifest)?;
    let mut outputs = Vec::new();
    if arguments.wants_data() {
        let title = arguments.title.as_deref().unwrap_or_default();
        let report = gather(title, &material, arguments.listings)?;
        if let Some(path) = &arguments.json {
            let mut json = serde_json::to_vec(&report)?;
            json.push(b'\n');
            outputs.push((path, json));
        }
        if let Some(path) = &arguments.html {
            let page = weft_report::page(&report);
            let page = page.map_err(|error| anyhow!("the page cannot be made: {error}"))?;
            outputs.push((path, page.into_bytes()));
        }
    }
    if let Some(path) = &arguments.output {
        outputs.push((path, text::text(&material).into_bytes()));
    } else if outputs.is_empty() {
        files::print(text::text(&material).as_bytes())?;
    }
    // Everything is made before the first file is written.
    outputs.iter().try_for_each(|(path, content)| files::write(path, content))
}
