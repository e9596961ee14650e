//! Makes the summary of one unit.
//!
//! The input is a file of the unit from the build: a host object of clang or nvcc, device bitcode,
//! one of NVIDIA's forms of device code, or an object without device code. An archive is several
//! units, and gives a summary for each of its members. The summary holds all facts about a unit
//! that the thin link needs, so that the thin link never reads the unit itself.

// These macros panic where nobody reads the output, and a panic counts as a defect.
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod arguments;
mod inputs;
mod listing;
mod lto_ir;
mod modules;
mod shares;

use std::path::Path;

pub use arguments::Arguments;
pub use arguments::Knowledge;
use arguments::{Mode, Request, Style};
use inputs::Unit;
use weft_action::{Action, Input, Outcome, Phase, Session, Tool};
use weft_artifact::{Artifact, ModuleId, Summary, SummaryFile};
use weft_cli::files::{self, read, write};
use weft_cli::{Blame as _, Declared, Fault, failure};
use weft_container::{DeviceCode, device_code, is_archive, offloaded_architectures};
pub use weft_container::{HostFactsError, host_facts};
use weft_device_ir::{Background, IrError, with_source_below_workspace};
use weft_job::JobReport;
use weft_workers::Workers;

/// Runs the program: summarizes one unit or one archive, or prints summaries.
pub fn run(arguments: Declared<Arguments>) -> anyhow::Result<()> {
    // Each unit has its own id, and neither the bitcode nor the report is an output of the action.
    // nvlink has separate actions.
    let files = ["--output", "--bitcode", "--report", "--nvlink", "--nvvm"];
    let prints = ["--print", "--print-text", "--print-modules"];
    let others = ["--module-id", "--opaque", "--host-only"];
    let excluded = [&files[..], &prints, &others].concat();
    let declared = arguments.arguments_without(&excluded);
    let (execution, report) = (arguments.execution.clone(), arguments.job_report.clone());
    let workers = Workers::new(None);
    match arguments.into_inner().resolve()? {
        Mode::PrintModules { input, module_id, lto_ir_use } => {
            modules::print(&input, &module_id, lto_ir_use)
        }
        Mode::Print { summary, style } => print(&summary, style),
        Mode::Summarize(request) => execution.with_session("summarize", |session| {
            write_summary(session, &declared, &request, &workers)?;
            let architecture = request.architecture.unwrap_or_default();
            report.write(session, JobReport { architecture, ..JobReport::default() })
        }),
    }
}

fn write_summary(
    session: &Session,
    declared: &[String],
    request: &Request,
    workers: &Workers,
) -> anyhow::Result<()> {
    let Request { input, module_id, architecture, knowledge, summary, bitcode, .. } = request;
    let file = read(input)?;
    if bitcode.is_some() && is_archive(&file) {
        return Err(failure(
            Fault::Usage,
            format!(
                "{}: --bitcode takes one unit, and this is an archive: \
                 backend-job reads the members of archives itself",
                input.display()
            ),
        ));
    }
    let mut summaries = Vec::new();
    let mut bitcode_content = Vec::new();
    let units = inputs::units(input, &file, module_id)?;
    for unit in &units {
        let wrong = || unit.name.clone();
        let code = device_code(&unit.content, architecture.as_deref(), request.lto_ir_use);
        let code = code.blame(Fault::Input, wrong)?;
        if request.opaque {
            check_opaque(&unit.content, &code).blame(Fault::Input, wrong)?;
        }
        if request.host_only && !code.lto_ir.is_empty() {
            return Err(lost(&unit.name, "LTO IR of nvcc")).blame(Fault::Input, wrong);
        }
        if bitcode.is_some() {
            check_single_module(&unit.name, &code)?;
            bitcode_content = single_module(&code, &unit.module_id).blame(Fault::Input, wrong)?;
        }
        let ptx = lto_ir::ptx(session, unit, &code.lto_ir, &request.nvlink)?;
        let has_lto_ir = !ptx.is_empty();
        let make = || {
            let id = &unit.module_id;
            let summaries = summarize(&unit.content, code, &ptx, id, knowledge, workers);
            let file = SummaryFile { summaries: summaries.blame(Fault::Input, wrong)? };
            anyhow::Ok(file.encode()?)
        };
        // nvlink, whose result was just got, did what takes long.
        summaries.push(if has_lto_ir {
            make()?
        } else {
            let action = action(unit, declared);
            session.get(&action, || anyhow::Ok(Outcome::of(make()?)))?.into_output()
        });
    }
    let checked = request.opaque || request.host_only;
    let encoded = match summaries.as_slice() {
        [one] if !checked => one.clone(),
        several => {
            let mut summaries = joined(several)?;
            let wrong = || input.display().to_string();
            if request.opaque {
                summaries = as_opaque(summaries).blame(Fault::Input, wrong)?;
            }
            if request.host_only {
                without_bitcode(&summaries).blame(Fault::Input, wrong)?;
            }
            SummaryFile { summaries }.encode()?
        }
    };
    if let Some(path) = bitcode {
        write(path, &bitcode_content)?;
    }
    write(summary, &encoded)
}

/// Refuses a unit of several modules, of which `--bitcode` could write only one.
fn check_single_module(name: &str, code: &DeviceCode<'_>) -> anyhow::Result<()> {
    let bitcode = code.modules.iter().map(|module| module.architecture);
    let all = bitcode.chain(code.lto_ir.iter().map(|module| module.architecture.as_str()));
    let [_, architecture, ..] = all.collect::<Vec<_>>()[..] else { return Ok(()) };
    let count = code.modules.len() + code.lto_ir.len();
    let message = format!(
        "{name}: --bitcode takes one module, and this unit holds {count} for {architecture}, as \
         what `ld -r` joins does: link the objects that it was made of, or leave out --bitcode, as \
         backend-job reads such units itself"
    );
    Err(failure(Fault::Usage, message))
}

/// Returns the unit's only module as backend jobs read it. It is empty for a unit without modules,
/// as build systems declare the file in advance.
fn single_module(code: &DeviceCode<'_>, module_id: &ModuleId) -> Result<Vec<u8>, IrError> {
    match (code.modules.first(), code.lto_ir.first()) {
        (Some(module), _) => with_source_below_workspace(module.content, module_id),
        (None, Some(module)) => Ok(module.fatbin.clone()),
        (None, None) => Ok(Vec::new()),
    }
}

/// Returns the declared action that summarizes one unit. A member of an archive is a unit like
/// others.
fn action<'data>(unit: &'data Unit<'_>, declared: &[String]) -> Action<'data> {
    let mut arguments = vec!["unit".to_owned(), "--output=unit.summary".to_owned()];
    arguments.extend([format!("--module-id={}", unit.module_id), "--no-cache".to_owned()]);
    arguments.extend(declared.iter().cloned());
    Action {
        phase: Phase::Summarize,
        subject: unit.module_id.to_string(),
        program: Tool::this_program("summarize"),
        arguments,
        tools: Vec::new(),
        inputs: vec![Input::new("unit", &unit.content)],
        outputs: vec!["unit.summary".to_owned()],
        time_limit: None,
        check: |claim| claim.check_each(weft_artifact::check),
    }
}

/// Returns the summaries of several files.
fn joined(files: &[Vec<u8>]) -> anyhow::Result<Vec<Summary>> {
    let mut summaries = Vec::new();
    for file in files {
        summaries.extend(SummaryFile::decode(file)?.summaries);
    }
    Ok(summaries)
}

/// Makes the summaries of the unit `unit` with the device code `code`: one for each of its modules,
/// or one if it has none. The other facts about the unit are in the first summary. nvlink made
/// `ptx` of the modules of LTO IR, in their order. `workers` read large modules.
pub fn summarize(
    unit: &[u8],
    code: DeviceCode<'_>,
    ptx: &[Vec<u8>],
    module_id: &ModuleId,
    knowledge: &Knowledge,
    workers: &Workers,
) -> anyhow::Result<Vec<Summary>> {
    let host = host_facts(unit)?;
    let mut modules = Vec::new();
    for (number, bitcode) in (1..).zip(&code.modules) {
        let background = Background {
            architecture: bitcode.architecture,
            options: knowledge.options.clone(),
            priority_override: knowledge.priority_override,
        };
        let module_id = module_id.of_module(number);
        match weft_device_ir::describe(bitcode.content, &module_id, &background, workers) {
            Ok(module) => modules.push((module_id, module)),
            // Bitcode of host code does not yet show the symbols that it will refer to.
            Err(IrError::Triple { .. })
                if weft_device_ir::is_plain_host_code(unit).unwrap_or(false) => {}
            Err(error) => return Err(error.into()),
        }
    }
    for (number, (lto_ir, ptx)) in (code.modules.len() + 1..).zip(code.lto_ir.iter().zip(ptx)) {
        let background =
            weft_lto_ir::Background { options: &lto_ir.options, given: &knowledge.options };
        let module_id = module_id.of_module(number);
        let module = weft_lto_ir::describe(ptx, &module_id, &background)?;
        modules.push((module_id, module));
    }
    let mut hosts = shares::shares(host, modules.iter().map(|(_, module)| module)).into_iter();
    let mut summaries: Vec<_> = modules
        .into_iter()
        .zip(&mut hosts)
        .map(|((module_id, module), host)| {
            let (device, opaque) = (Some(module), Vec::new());
            Summary { module_id, device, host, opaque }
        })
        .collect();
    summaries.extend(hosts.map(|host| {
        let (module_id, opaque) = (module_id.clone(), Vec::new());
        Summary { module_id, device: None, host, opaque }
    }));
    if let Some(first) = summaries.first_mut() {
        first.opaque = code.opaque;
    }
    Ok(summaries)
}

/// Checks a unit for which `--opaque` is given: NVIDIA's device linker, which gets the file as it
/// is, must see all of its device code.
fn check_opaque(unit: &[u8], code: &DeviceCode<'_>) -> anyhow::Result<()> {
    anyhow::ensure!(
        code.modules.is_empty(),
        "it holds device bitcode, which is linked as a module and not as it is: link the file with \
         the program, like any other object or archive"
    );
    let unseen = offloaded_architectures(unit)?;
    let unseen: Vec<&str> = unseen.iter().map(String::as_str).collect();
    anyhow::ensure!(
        unseen.is_empty(),
        "it holds device code for {} in the form of clang's new driver (.llvm.offloading), which \
         nvlink leaves out: compile it with -foffload-lto and link the file with the program, or \
         compile a cubin of it with -fgpu-rdc --cuda-device-only",
        unseen.join(", ")
    );
    Ok(())
}

/// Returns the summaries of a file for which `--opaque` is given: its host code is known to be none
/// but its own. A file without device code is an error.
fn as_opaque(mut summaries: Vec<Summary>) -> anyhow::Result<Vec<Summary>> {
    anyhow::ensure!(
        summaries.iter().any(|summary| !summary.opaque.is_empty()),
        "it holds no device code"
    );
    for summary in &mut summaries {
        summary.host.get_or_insert_default();
    }
    Ok(summaries)
}

/// Checks a file for which `--host-only` is given: device bitcode in it would be lost.
fn without_bitcode(summaries: &[Summary]) -> anyhow::Result<()> {
    let Some(lost) = summaries.iter().find(|summary| summary.device.is_some()) else {
        return Ok(());
    };
    Err(self::lost(lost.module_id.as_str(), "device bitcode"))
}

fn lost(name: &str, what: &str) -> anyhow::Error {
    anyhow::anyhow!(
        "{name} holds {what}, and only the host code of this file would be linked: compile its \
         source as a unit"
    )
}

fn print(path: &Path, style: Style) -> anyhow::Result<()> {
    let content = read(path)?;
    let file = SummaryFile::decode(&content).blame(Fault::Input, || path.display().to_string())?;
    let text = match style {
        Style::Json => serde_json::to_string_pretty(&file)? + "\n",
        Style::Text => listing::listing(&file),
    };
    files::print(text.as_bytes())
}
