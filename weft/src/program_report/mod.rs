//! Puts everything that a build says about a program together: as a text, as JSON, as a page, as a
//! short form for reviews, as a trace, and held against limits.
//!
//! All of these come from one [`BuildReport`], so they say the same.
//!
//! The thin link left its plans, its decisions and its manifest, and each job left a separate
//! report. `report` reads them all, so nobody has to open two files for each unit. A build that
//! keeps no reports, because they hold times, gives cubins and PTX instead, which state everything
//! about a kernel except its spills.

mod against;
mod arguments;
mod device_code;
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

use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::anyhow;
use weft_cli::{Fault, failure, files};
use weft_report::{Breach, BuildReport, DEFAULT_WIDTH, Form, TextOptions};

pub(crate) use arguments::ReportArguments;
use gather::gather;
use read::Material;

/// Maximum number of lines about one limit in a message.
const LINES: usize = 20;

/// Carries out `weft report`.
pub(crate) fn program_report(arguments: &ReportArguments) -> anyhow::Result<()> {
    if arguments.against.is_empty() {
        let gate = arguments.fail_if.iter().find(|gate| gate.needs_comparison());
        gate.map_or(Ok(()), |gate| gate.check(&BuildReport::default(), Form::Short).map(drop))
            .map_err(|reason| failure(Fault::Usage, format!("--fail-if {reason}")))?;
    }
    let material = Material::read(&arguments.lists, &arguments.manifest, &arguments.image)?;
    let title = arguments.title.as_deref().unwrap_or_default();
    let mut report = gather(title, &material, arguments.listings)?;
    if let Some((earlier, title)) = against::earlier(&arguments.against)? {
        weft_report::compare(&mut report, &earlier, &title);
    }
    let breaches = breaches(arguments, &report)?;
    let outputs = outputs(arguments, &report, &breaches)?;
    // Everything is made before the first file is written.
    outputs.iter().try_for_each(|(path, content)| files::write(path, content))?;
    if arguments.output.is_none() && outputs.is_empty() {
        let width = files::terminal_width().unwrap_or(DEFAULT_WIDTH);
        files::print(text(arguments, &report, width).as_bytes())?;
    }
    if breaches.is_empty() { Ok(()) } else { Err(failure(Fault::Limit, message(&breaches))) }
}

/// Returns the files to write, with their contents.
fn outputs<'all>(
    arguments: &'all ReportArguments,
    report: &BuildReport,
    breaches: &[Breach],
) -> anyhow::Result<Vec<(&'all PathBuf, Vec<u8>)>> {
    let mut outputs = Vec::new();
    if let Some(path) = &arguments.json {
        let mut json = serde_json::to_vec(report)?;
        json.push(b'\n');
        outputs.push((path, json));
    }
    if let Some(path) = &arguments.html {
        let page = weft_report::page(report);
        let page = page.map_err(|error| anyhow!("the page cannot be made: {error}"))?;
        outputs.push((path, page.into_bytes()));
    }
    if let Some(path) = &arguments.markdown {
        outputs.push((path, weft_report::markdown(report, breaches).into_bytes()));
    }
    if let Some(path) = &arguments.trace {
        outputs.push((path, weft_report::trace(report)?));
    }
    if let Some(path) = &arguments.output {
        outputs.push((path, text(arguments, report, DEFAULT_WIDTH).into_bytes()));
    }
    Ok(outputs)
}

fn text(arguments: &ReportArguments, report: &BuildReport, width: usize) -> String {
    let form = if arguments.mangled { Form::Mangled } else { Form::Short };
    weft_report::text(report, TextOptions { form, width })
}

/// Returns the limits that the build passed.
fn breaches(arguments: &ReportArguments, report: &BuildReport) -> anyhow::Result<Vec<Breach>> {
    let form = if arguments.mangled { Form::Mangled } else { Form::Short };
    let checked = arguments.fail_if.iter().filter_map(|gate| gate.check(report, form).transpose());
    let checked: Result<Vec<Breach>, String> = checked.collect();
    checked.map_err(|reason| failure(Fault::Usage, format!("--fail-if {reason}")))
}

/// Returns the message about the limits that the build passed.
fn message(breaches: &[Breach]) -> String {
    let mut message = match breaches.len() {
        1 => "a limit is passed".to_owned(),
        several => format!("{several} limits are passed"),
    };
    // Writing to a String cannot fail.
    for Breach { gate, lines } in breaches {
        let _ = write!(message, "\n  --fail-if '{gate}':");
        for line in lines.iter().take(LINES) {
            let _ = write!(message, "\n    {line}");
        }
        if lines.len() > LINES {
            let _ = write!(message, "\n    and {} more", lines.len() - LINES);
        }
    }
    message
}
