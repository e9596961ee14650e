//! Runs all phases in one process.
//!
//! clang compiles a unit once for each architecture, and its object holds a module for each. A thin
//! link runs once for each architecture, too, so a unit has as many plans. Given all plans, one
//! call makes all of the unit's cubins from the same object, and ptxas runs for all of them at
//! once. The plans name the architectures, which an option could only contradict.

use std::fmt::Write as _;

use weft_action::{Session, TimeLimit};
use weft_artifact::{ModuleId, PhaseOptions};
use weft_cli::files;
use weft_device_ir::{Wanted, trace};
use weft_workers::Workers;

use crate::arguments::RunArguments;
use crate::assembled::Assembled;
use crate::codegen::{Compiler, Part};
use crate::emit::{Emission, Product};
use crate::outputs::{of_architecture, of_part};
use crate::report::Report;
use crate::{assemble, import, plans, ptxas_remarks, save};

/// One call of ptxas.
struct Task {
    module_id: ModuleId,
    architecture: String,
    /// Options that the thin link settled.
    settled: PhaseOptions,
    /// Number of the partition.
    number: usize,
    part: Part,
}

/// Carries out `backend-job run`.
pub(crate) fn all_phases(session: &Session, arguments: &RunArguments) -> anyhow::Result<()> {
    let workers = Workers::new(arguments.split.threads);
    if let Some(folder) = &arguments.save {
        save::save(folder, arguments)?;
    }
    let mut report = Report::start(&arguments.report);
    let emission = Emission::new(arguments.emit.iter().copied(), &arguments.output);
    emission.check_split()?;
    let plans = plans::plans(arguments)?;
    let partitions = arguments.split.partitions(&arguments.output)?;
    let mut compiler = Compiler::new(session, &arguments.codegen)?;
    let limit = arguments.assemble.time_limit();
    if emission.file(Product::Cubin).is_some() {
        compiler = compiler.for_ptxas(&assemble::ptxas(&arguments.assemble)?, limit.as_ref());
    }
    let module = &arguments.inputs.module;
    let mut tasks = Vec::new();
    let mut outputs = Vec::new();
    for (architecture, mut inputs) in plans {
        inputs.libnvvm_options.clone_from(&arguments.codegen.generator.libnvvm_options);
        let span = trace::span("import", &architecture);
        let imported = import::import(session, &inputs)?;
        drop(span);
        report.phase(format!("import {architecture}"));
        let place =
            |product| emission.file(product).map(|pattern| of_architecture(pattern, &architecture));
        let wanted = emission.of_codegen();
        if wanted != Wanted::default() {
            let optimized = compiler.optimize(
                imported.module_id.as_str(),
                &imported.linked,
                partitions,
                wanted,
                module,
            )?;
            report.phase(format!("codegen {architecture}"));
            optimized.add_to(&mut report);
            outputs.extend(place(Product::Bc).map(|path| (path, optimized.bitcode)));
            for (number, part) in optimized.parts.into_iter().enumerate() {
                let (architecture, settled) = (architecture.clone(), optimized.settled.clone());
                let module_id = imported.module_id.clone();
                tasks.push(Task { module_id, architecture, settled, number, part });
            }
        }
        outputs.extend(place(Product::Linked).map(|path| (path, imported.linked)));
    }
    let is_traced = arguments.report.traces();
    let made = workers.map(&tasks, |task| -> anyhow::Result<(Vec<u8>, Option<Assembled>)> {
        let _thread = trace::thread(is_traced);
        let ptx = compiler.emit(&task.part, module)?;
        if emission.file(Product::Cubin).is_none() {
            return Ok((ptx, None));
        }
        let Task { module_id, architecture, settled, .. } = task;
        let input = assemble::Ptx { subject: module_id.as_str(), text: &ptx, target: architecture };
        let limit = limit.as_ref().map(TimeLimit::branch);
        let assembled =
            assemble::assemble(session, &input, settled, &arguments.assemble, limit.as_ref())?;
        Ok((ptx, Some(assembled)))
    });
    report.phase("assemble");
    let mut list = String::new();
    for (task, made) in tasks.iter().zip(made) {
        let (ptx, assembled) = made?;
        report.ptx(&task.architecture, &ptx);
        let place = |product| {
            let pattern = emission.file(product)?;
            Some(of_part(&of_architecture(pattern, &task.architecture), task.number))
        };
        outputs.extend(place(Product::Ptx).map(|path| (path, ptx)));
        let (Some(path), Some(assembled)) = (place(Product::Cubin), assembled) else { continue };
        report.cubin(arguments.assemble.architecture(&task.architecture), &assembled)?;
        files::say(ptxas_remarks::for_users(&assembled.messages, task.module_id.as_str()));
        // Writing to a String cannot fail.
        let _ = writeln!(list, "{}", path.display());
        outputs.push((path, assembled.cubin));
    }
    if let Some(path) = &arguments.split.list {
        outputs.push((path.clone(), list.into_bytes()));
    }
    for (path, content) in &outputs {
        files::write(path, content)?;
    }
    report.finish(session, &arguments.report)
}
