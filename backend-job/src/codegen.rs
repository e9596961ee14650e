//! The codegen phase, which makes one PTX of a linked module, or one for each partition.
//!
//! For a whole module the phase is a declared action, whose result may come from the cache. For a
//! module in partitions it is not, as their number is known only after the optimization. The cubins
//! of partitions are cached all the same.

use std::fmt::Write as _;
use std::path::Path;

use weft_action::{Action, Input, Outcome, Phase, Session, TimeLimit, Tool};
use weft_artifact::PhaseOptions;
use weft_cli::{Blame as _, Declared, Fault, failure, files};
use weft_container::is_ptx;
use weft_device_ir::{
    CodegenOptions, Compiled, InlineReport, IrError, Libnvvm, Partition, Partitions, PtxVersion,
    Split, Wanted, trace,
};
use weft_workers::Workers;

use crate::arguments::{CodegenArguments, CodegenChoices};
use crate::assemble::target_of;
use crate::emit::{Emission, Product};
use crate::generator_choices::generator;
use crate::outputs::of_part;
use crate::report::{Report, optimized_report};
use crate::results;

/// Name of libnvvm in an action's folder.
const LIBNVVM: &str = "nvvm/libnvvm.so";

/// An optimized module, with its PTX if it is not split.
pub(crate) struct Optimized {
    pub(crate) architecture: String,
    /// Options that the thin link settled for the phases.
    pub(crate) settled: PhaseOptions,
    /// Bitcode of the optimized module, if it is wanted.
    pub(crate) bitcode: Vec<u8>,
    /// Parts to make PTX from; none if no PTX is wanted.
    pub(crate) parts: Vec<Part>,
    /// Report of the optimizer, as JSON, which an action hands over as its standard output.
    report: Vec<u8>,
}

/// The input of one call of ptxas.
pub(crate) enum Part {
    /// The whole module, as PTX.
    Whole(Vec<u8>),
    /// A partition, whose PTX is not made yet.
    Split(Partition),
}

/// The choices of the codegen phase, with the library that they name.
pub(crate) struct Compiler<'choices> {
    session: &'choices Session,
    choices: &'choices Declared<CodegenChoices>,
    library: Option<Libnvvm>,
    options: CodegenOptions,
}

impl<'choices> Compiler<'choices> {
    pub(crate) fn new(
        session: &'choices Session,
        choices: &'choices Declared<CodegenChoices>,
    ) -> anyhow::Result<Self> {
        let (library, options) = (choices.generator.load()?, choices.resolve());
        Ok(Self { session, choices, library, options })
    }

    /// Returns the compiler with the newest PTX that `ptxas` takes as the limit, if none is given.
    /// To ask it takes from the time `limit`.
    pub(crate) fn for_ptxas(mut self, ptxas: &Path, limit: Option<&TimeLimit>) -> Self {
        if !self.choices.limits_ptx() {
            let asked = weft_job::known_newest_ptx(self.session, ptxas, limit);
            let asked: Option<PtxVersion> = asked.and_then(|version| version.parse().ok());
            self.options.newest_ptx = asked.filter(|version| version.limits());
        }
        self
    }

    /// Optimizes the linked module of `subject`. Errors name `path`, the module's file or its
    /// origin.
    pub(crate) fn optimize(
        &self,
        subject: &str,
        linked: &[u8],
        partitions: Option<Partitions>,
        wanted: Wanted,
        path: &Path,
    ) -> anyhow::Result<Optimized> {
        let _span = trace::span("codegen", "");
        if is_ptx(linked) {
            return handed_on(linked, wanted, path);
        }
        self.choices.generator.check_for_bitcode()?;
        let options = self.options;
        let wrong = |error| blamed(&error, path);
        if let Some(partitions) = partitions {
            let Split { architecture, options: settled, partitions, before, after, inlining } =
                weft_device_ir::split(linked, options, partitions).map_err(wrong)?;
            self.choices.check_settled(&settled)?;
            files::say(self.inlining(&inlining));
            let parts = partitions.into_iter().map(Part::Split).collect();
            let report = optimized_report(before, after, &inlining, options.inline.model);
            let (bitcode, report) = (Vec::new(), serde_json::to_vec(&report)?);
            return Ok(Optimized { architecture, settled, bitcode, parts, report });
        }
        let outcome = self.session.get(&self.action(subject, linked, wanted), || {
            let generator = generator(self.library.as_ref());
            let Compiled { optimized, ptx, before, after, inlining, .. } =
                weft_device_ir::compile(linked, options, generator, wanted).map_err(wrong)?;
            let stderr = self.inlining(&inlining).into_bytes();
            let report = optimized_report(before, after, &inlining, options.inline.model);
            let stdout = serde_json::to_vec(&report)?;
            let products = [(wanted.optimized, optimized), (wanted.ptx, ptx)];
            let outputs = products.into_iter().filter(|(is_wanted, _)| *is_wanted);
            let outputs = outputs.map(|(_, content)| content).collect();
            anyhow::Ok(Outcome { outputs, stdout, stderr })
        })?;
        files::say(&outcome.stderr);
        let report = outcome.stdout;
        let mut outputs = outcome.outputs.into_iter();
        let mut take = |is_wanted: bool| if is_wanted { outputs.next() } else { None };
        let (bitcode, ptx) = (take(wanted.optimized), take(wanted.ptx));
        // The PTX itself states its architecture and the settled options.
        let stated = ptx.as_deref().map(stated_facts).transpose();
        let (architecture, settled): (String, PhaseOptions) = stated?.unwrap_or_default();
        self.choices.check_settled(&settled)?;
        let parts = ptx.map(Part::Whole).into_iter().collect();
        let bitcode = bitcode.unwrap_or_default();
        Ok(Optimized { architecture, settled, bitcode, parts, report })
    }

    /// Returns the text of the report on inlining. It is printed with the messages, because
    /// standard output is for data that a caller reads.
    fn inlining(&self, inlining: &InlineReport) -> String {
        self.choices.inline.profuse(inlining).unwrap_or_default()
    }

    /// Returns the phase as a declared action.
    fn action<'data>(&self, subject: &str, linked: &'data [u8], wanted: Wanted) -> Action<'data> {
        let (kinds, outputs): (Vec<_>, Vec<_>) =
            [(wanted.optimized, "bc", "module.opt.bc"), (wanted.ptx, "ptx", "module.ptx")]
                .into_iter()
                .filter(|(is_wanted, ..)| *is_wanted)
                .map(|(_, kind, name)| (kind, name.to_owned()))
                .unzip();
        let mut arguments = ["codegen", "module.bc", "--no-cache"].map(str::to_owned).to_vec();
        arguments.push("--print-report".to_owned());
        arguments.push(format!("--emit={}", kinds.join(",")));
        arguments.extend(outputs.last().map(|name| format!("--output={name}")));
        // The library counts by its content, under its name in the action's folder.
        arguments.extend(self.choices.arguments_without(&["--libnvvm", "--newest-ptx"]));
        // A limit that changes nothing is no part of the key.
        let limit = self.options.newest_ptx;
        arguments.extend(limit.map(|version| format!("--newest-ptx={version}")));
        let library = self
            .choices
            .generator
            .library()
            .map(|path| Tool { name: LIBNVVM.to_owned(), path: path.to_owned() });
        arguments.extend(library.iter().map(|library| format!("--libnvvm={}", library.name)));
        Action {
            phase: Phase::Codegen,
            subject: subject.to_owned(),
            program: Tool::this_program("backend-job"),
            arguments,
            tools: library.into_iter().collect(),
            inputs: vec![Input::new("module.bc", linked)],
            outputs,
            time_limit: None,
            check: results::check,
        }
    }

    /// Makes the PTX of a part.
    pub(crate) fn emit(&self, part: &Part, path: &Path) -> anyhow::Result<Vec<u8>> {
        match part {
            Part::Whole(ptx) => Ok(ptx.clone()),
            Part::Split(partition) => {
                let _span = trace::span("emit", "");
                partition
                    .emit(self.options, generator(self.library.as_ref()))
                    .map_err(|error| blamed(&error, path))
            }
        }
    }
}

impl Optimized {
    pub(crate) fn add_to(&self, report: &mut Report) {
        // Another version of Weft may have made a result of a cluster.
        let optimized = serde_json::from_slice(&self.report).ok();
        report.module(&self.architecture, self.parts.len(), optimized);
    }
}

/// Returns a linked module that is PTX already. nvlink has optimized it, so options for LLVM and
/// the models do not concern it, and it is one part.
fn handed_on(ptx: &[u8], wanted: Wanted, path: &Path) -> anyhow::Result<Optimized> {
    if wanted.optimized {
        let message = "nvlink optimized the module, so it has no bitcode: leave out --emit bc";
        return Err(failure(Fault::Input, format!("{}: {message}", path.display())));
    }
    let facts = stated_facts(ptx).blame(Fault::Input, || path.display().to_string())?;
    let (architecture, settled) = facts;
    let parts = wanted.ptx.then(|| Part::Whole(ptx.to_vec())).into_iter().collect();
    Ok(Optimized { architecture, settled, bitcode: Vec::new(), parts, report: Vec::new() })
}

/// Returns the architecture of PTX, and the options that the thin link settled.
fn stated_facts(ptx: &[u8]) -> anyhow::Result<(String, PhaseOptions)> {
    Ok((target_of(ptx)?, weft_container::ptx_options(ptx).map_err(anyhow::Error::msg)?))
}

fn blamed(error: &IrError, path: &Path) -> anyhow::Error {
    let fault = if matches!(error, IrError::Libnvvm { .. }) { Fault::Tool } else { Fault::Input };
    failure(fault, format!("{}: {error}", path.display()))
}

/// Carries out `backend-job codegen`.
pub(crate) fn phase(session: &Session, arguments: &CodegenArguments) -> anyhow::Result<()> {
    let workers = Workers::new(arguments.split.threads);
    let mut report = Report::start(&arguments.report);
    let emission =
        Emission::new(arguments.emit.iter().copied().map(Product::from), &arguments.output);
    emission.check_split()?;
    let partitions = arguments.split.partitions(&arguments.output)?;
    let compiler = Compiler::new(session, &arguments.options)?;
    let linked = files::read(&arguments.input)?;
    let optimized = compiler.optimize(
        &arguments.input.display().to_string(),
        &linked,
        partitions,
        emission.of_codegen(),
        &arguments.input,
    )?;
    let is_traced = arguments.report.traces();
    let ptx = workers.map(&optimized.parts, |part| {
        let _thread = trace::thread(is_traced);
        compiler.emit(part, &arguments.input)
    });
    let ptx = ptx.into_iter().collect::<anyhow::Result<Vec<_>>>()?;
    report.phase("codegen");
    optimized.add_to(&mut report);
    if arguments.print_report {
        files::print(&optimized.report)?;
    }
    for content in &ptx {
        report.ptx(&optimized.architecture, content);
    }
    let mut list = String::new();
    if let Some(path) = emission.file(Product::Bc) {
        files::write(path, &optimized.bitcode)?;
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
    report.finish(session, &arguments.report)
}
