//! All phases in one process.
//!
//! clang compiles a unit once for each architecture, and its object holds a module for each. So does
//! a thin link run once for each, and a unit has as many plans: given all of them, one call makes all
//! of the unit's cubins, from the same object, and ptxas runs for all of them at once. The plans name
//! the architectures; an option for that could only contradict them.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use weft_action::Done;
use weft_cli::{Fault, failure, files};
use weft_device_ir::trace;
use weft_workers::Workers;

use crate::arguments::{ImportInputs, RunArguments};
use crate::codegen::{Compiler, Part};
use crate::outputs::{names_architecture, of_architecture, of_part};
use crate::report::Report;
use crate::{assemble, import, save};

/// One call of ptxas.
struct Task {
    architecture: String,
    /// The partition's number.
    number: usize,
    part: Part,
}

/// `backend-job run`.
pub(crate) fn all_phases(arguments: &RunArguments) -> anyhow::Result<()> {
    let workers = Workers::new(arguments.split.threads);
    if let Some(folder) = &arguments.save {
        save::save(folder, arguments)?;
    }
    let mut report = Report::start(&arguments.report);
    let plans = plans(arguments)?;
    let partitions = arguments.split.partitions(&arguments.output)?;
    let compiler = Compiler::new(&arguments.codegen)?;
    let module = &arguments.inputs.module;
    let mut tasks = Vec::new();
    let mut outputs = Vec::new();
    for (architecture, inputs) in plans {
        let span = trace::span("import", &architecture);
        let imported = import::import(&inputs)?;
        drop(span);
        report.phase(format!("import {architecture}"));
        let optimised = compiler.optimise(&imported.linked, partitions, module)?;
        report.phase(format!("codegen {architecture}"));
        optimised.add_to(&mut report);
        if let Some(pattern) = &arguments.save_linked {
            outputs.push((of_architecture(pattern, &architecture), imported.linked));
        }
        for (number, part) in optimised.parts.into_iter().enumerate() {
            tasks.push(Task { architecture: architecture.clone(), number, part });
        }
    }
    let is_traced = arguments.report.traces();
    let made = workers.map(&tasks, |task| -> anyhow::Result<(Vec<u8>, Done)> {
        let _thread = trace::thread(is_traced);
        let ptx = compiler.emit(&task.part, module)?;
        let done = assemble::assemble(&ptx, &task.architecture, &arguments.assemble)?;
        Ok((ptx, done))
    });
    report.phase("assemble");
    let mut list = String::new();
    for (task, made) in tasks.iter().zip(made) {
        let (ptx, done) = made?;
        report.cubin(arguments.assemble.architecture(&task.architecture), &done)?;
        let place = |pattern| of_part(&of_architecture(pattern, &task.architecture), task.number);
        if let Some(pattern) = &arguments.save_ptx {
            outputs.push((place(pattern), ptx));
        }
        let path = place(&arguments.output);
        // Writing to a String cannot fail.
        let _ = writeln!(list, "{}", path.display());
        outputs.push((path, done.output));
    }
    if let Some(path) = &arguments.split.list {
        outputs.push((path.clone(), list.into_bytes()));
    }
    for (path, content) in &outputs {
        files::write(path, content)?;
    }
    report.finish(&arguments.report)
}

/// The architecture of each plan, and the inputs for it.
pub(crate) fn plans(arguments: &RunArguments) -> anyhow::Result<Vec<(String, ImportInputs)>> {
    let mut plans: Vec<(String, ImportInputs)> = Vec::new();
    for path in std::iter::once(&arguments.inputs.plan).chain(&arguments.also_plan) {
        let architecture = import::plan(path)?.architecture;
        if plans.iter().any(|(known, _)| *known == architecture) {
            let message = format!("{}: another plan is for {architecture} too", path.display());
            return Err(failure(Fault::Input, message));
        }
        let inputs = inputs_for(&arguments.inputs, path, &architecture);
        plans.push((architecture, inputs));
    }
    let patterns =
        [Some(&arguments.output), arguments.save_linked.as_ref(), arguments.save_ptx.as_ref()];
    for pattern in patterns.into_iter().flatten() {
        if plans.len() > 1 && !names_architecture(pattern) {
            let message = format!(
                "several plans make several files: put {{arch}} into the name '{}'",
                pattern.display()
            );
            return Err(failure(Fault::Usage, message));
        }
    }
    Ok(plans)
}

fn inputs_for(inputs: &ImportInputs, plan: &Path, architecture: &str) -> ImportInputs {
    let place = |pattern: &PathBuf| of_architecture(pattern, architecture);
    ImportInputs {
        plan: plan.to_owned(),
        module_id: inputs.module_id.clone(),
        module: place(&inputs.module),
        import: inputs.import.iter().map(|(id, path)| (id.clone(), place(path))).collect(),
        module_map: inputs.module_map.as_ref().map(place),
        staged: inputs.staged.as_ref().map(place),
    }
}
