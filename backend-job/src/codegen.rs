//! The codegen phase at its edge: one PTX of a linked module, or one for each partition.

use std::fmt::Write as _;
use std::path::Path;

use weft_artifact::PhaseOptions;
use weft_cli::{Fault, failure, files};
use weft_device_ir::{
    Compiled, Counts, IrError, Libnvvm, Partition, Partitions, Split, Wanted, trace,
};
use weft_workers::Workers;

use crate::arguments::{CodegenArguments, CodegenChoices};
use crate::emit::{Emission, Product};
use crate::generator_choices::generator;
use crate::outputs::of_part;
use crate::report::Report;

/// An optimised module, with its PTX where it is not split.
pub(crate) struct Optimised {
    pub(crate) architecture: String,
    /// What the thin link settled for the phases.
    pub(crate) settled: PhaseOptions,
    /// Its bitcode, if that is wanted.
    pub(crate) bitcode: Vec<u8>,
    /// What PTX is to be made of; nothing if none is wanted.
    pub(crate) parts: Vec<Part>,
    before: Counts,
    after: Counts,
}

/// What one call of ptxas takes.
pub(crate) enum Part {
    /// The whole module, as PTX.
    Whole(Vec<u8>),
    /// A partition, whose PTX is still to be made.
    Split(Partition),
}

/// The choices of the codegen phase, with the library they name.
pub(crate) struct Compiler<'choices> {
    choices: &'choices CodegenChoices,
    library: Option<Libnvvm>,
}

impl<'choices> Compiler<'choices> {
    pub(crate) fn new(choices: &'choices CodegenChoices) -> anyhow::Result<Self> {
        Ok(Self { choices, library: choices.generator.load()? })
    }

    /// Optimises the linked module, which `path` is or was made from.
    pub(crate) fn optimise(
        &self,
        linked: &[u8],
        partitions: Option<Partitions>,
        wanted: Wanted,
        path: &Path,
    ) -> anyhow::Result<Optimised> {
        let _span = trace::span("codegen", "");
        let options = self.choices.resolve();
        let wrong = |error| blamed(&error, path);
        if let Some(partitions) = partitions {
            let Split { architecture, options: settled, partitions, before, after } =
                weft_device_ir::split(linked, options, partitions).map_err(wrong)?;
            let parts = partitions.into_iter().map(Part::Split).collect();
            let bitcode = Vec::new();
            return Ok(Optimised { architecture, settled, bitcode, parts, before, after });
        }
        let generator = generator(self.library.as_ref());
        let Compiled { optimised, ptx, architecture, options: settled, before, after } =
            weft_device_ir::compile(linked, options, generator, wanted).map_err(wrong)?;
        let parts = if wanted.ptx { vec![Part::Whole(ptx)] } else { Vec::new() };
        Ok(Optimised { architecture, settled, bitcode: optimised, parts, before, after })
    }

    /// The PTX of a part.
    pub(crate) fn emit(&self, part: &Part, path: &Path) -> anyhow::Result<Vec<u8>> {
        match part {
            Part::Whole(ptx) => Ok(ptx.clone()),
            Part::Split(partition) => {
                let _span = trace::span("emit", "");
                partition
                    .emit(self.choices.resolve(), generator(self.library.as_ref()))
                    .map_err(|error| blamed(&error, path))
            }
        }
    }
}

impl Optimised {
    pub(crate) fn add_to(&self, report: &mut Report) {
        report.module(&self.architecture, self.parts.len(), self.before, self.after);
    }
}

fn blamed(error: &IrError, path: &Path) -> anyhow::Error {
    let fault = if matches!(error, IrError::Libnvvm { .. }) { Fault::Tool } else { Fault::Input };
    failure(fault, format!("{}: {error}", path.display()))
}

/// `backend-job codegen`.
pub(crate) fn phase(arguments: &CodegenArguments) -> anyhow::Result<()> {
    let workers = Workers::new(arguments.split.threads);
    let mut report = Report::start(&arguments.report);
    let emission =
        Emission::new(arguments.emit.iter().copied().map(Product::from), &arguments.output);
    emission.check_split()?;
    let partitions = arguments.split.partitions(&arguments.output)?;
    let compiler = Compiler::new(&arguments.options)?;
    let linked = files::read(&arguments.input)?;
    let optimised =
        compiler.optimise(&linked, partitions, emission.of_codegen(), &arguments.input)?;
    let is_traced = arguments.report.traces();
    let ptx = workers.map(&optimised.parts, |part| {
        let _thread = trace::thread(is_traced);
        compiler.emit(part, &arguments.input)
    });
    let ptx = ptx.into_iter().collect::<anyhow::Result<Vec<_>>>()?;
    report.phase("codegen");
    optimised.add_to(&mut report);
    let mut list = String::new();
    if let Some(path) = emission.file(Product::Bc) {
        files::write(path, &optimised.bitcode)?;
    }
    for (part, content) in ptx.iter().enumerate() {
        let Some(pattern) = emission.file(Product::Ptx) else { break };
        let path = of_part(pattern, part);
        // Writing to a String cannot fail.
        let _ = writeln!(list, "{}", path.display());
        files::write(&path, content)?;
    }
    if let Some(path) = &arguments.split.list {
        files::write(path, list.as_bytes())?;
    }
    report.finish(&arguments.report)
}
