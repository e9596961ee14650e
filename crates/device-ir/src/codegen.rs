//! The codegen phase: LLVM's ThinLTO pipeline for the target, then PTX.

use weft_artifact::PhaseOptions;

use crate::context::Context;
use crate::counts::Counts;
use crate::error::IrError;
use crate::inline::{InlineOptions, InlineReport};
use crate::level::{Effort, OptimizationLevel};
use crate::libnvvm::Libnvvm;
use crate::module::{Module, Reading};
use crate::ptx_version::PtxVersion;
use crate::target::Target;
use crate::target_machine::{self, TargetMachine};
use crate::{kernel_choices, options, ptx_names};

/// Options of the codegen phase. With the linked module's bytes and the tool's digest it is
/// the phase's whole key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodegenOptions {
    /// How hard to optimize; by default what the linked module says, or else for speed.
    pub effort: Option<Effort>,
    /// Options of the inliner.
    pub inline: InlineOptions,
    /// Whether LLVM unrolls loops by its own limits, too.
    pub unrolls_loops: bool,
    /// Newest version of PTX that may be written; by default the one that the module asks for.
    pub newest_ptx: Option<PtxVersion>,
}

impl CodegenOptions {
    /// The options that the thin link settled for a module, with these over them.
    fn over_those_of(&self, module: &Module<'_>) -> Result<PhaseOptions, IrError> {
        let settled = options::recorded(module)?;
        Ok(match self.effort {
            Some(effort) => effort.over(settled),
            None => settled,
        })
    }
}

/// Products requested from the codegen phase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// The optimized module.
    pub optimized: bool,
    /// PTX of the module.
    pub ptx: bool,
}

/// Code generator that makes PTX of an optimized module.
#[derive(Clone, Copy, Debug)]
pub enum Generator<'library> {
    /// LLVM's NVPTX target.
    Llvm,
    /// NVIDIA's libnvvm.
    Libnvvm(&'library Libnvvm),
}

/// Products of the codegen phase. A product that was not wanted is empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compiled {
    /// The optimized module as bitcode, as the code generator gets it.
    pub optimized: Vec<u8>,
    /// Text of the PTX.
    pub ptx: Vec<u8>,
    /// Architecture of the module, such as `sm_90`.
    pub architecture: String,
    /// Options for the phases: those that the thin link settled, with the given effort.
    pub options: PhaseOptions,
    /// Sizes before optimization.
    pub before: Counts,
    /// Sizes after optimization.
    pub after: Counts,
    /// Decisions of the inliner.
    pub inlining: InlineReport,
}

/// Optimizes a linked module for the architecture that it names, and makes what is wanted of it.
pub fn compile(
    linked: &[u8],
    options: CodegenOptions,
    generator: Generator<'_>,
    wanted: Wanted,
) -> Result<Compiled, IrError> {
    let context = Context::new();
    let Optimized { mut module, target, settled, before, after, inlining } =
        optimized(&context, linked, options)?;
    // The bitcode is made before the code generator changes the module.
    let optimized = if wanted.optimized { module.to_bitcode()? } else { Vec::new() };
    let ptx = if wanted.ptx { generate(&mut module, options, generator)? } else { Vec::new() };
    let architecture = target.architecture;
    Ok(Compiled { optimized, ptx, architecture, options: settled, before, after, inlining })
}

/// A module after the optimizer.
pub(crate) struct Optimized<'context> {
    pub(crate) module: Module<'context>,
    pub(crate) target: Target,
    pub(crate) settled: PhaseOptions,
    pub(crate) before: Counts,
    pub(crate) after: Counts,
    pub(crate) inlining: InlineReport,
}

/// Reads and optimizes a linked module.
pub(crate) fn optimized<'context>(
    context: &'context Context,
    linked: &[u8],
    options: CodegenOptions,
) -> Result<Optimized<'context>, IrError> {
    target_machine::initialize();
    let mut module = Module::read(context, linked, Reading::Whole)?;
    let before = Counts::of(&module);
    let target = target_machine::within(&module, Target::of(&module)?, options.newest_ptx)?;
    let settled = options.over_those_of(&module)?;
    let level = OptimizationLevel::of(&settled);
    let machine = TargetMachine::new(&module, &target, level)?;
    let inline = options.inline.within(settled.fast_compile);
    let (unrolls, constants) = (options.unrolls_loops, settled.largest_constant);
    let inlining = machine.optimize(&mut module, inline, unrolls, constants)?;
    kernel_choices::limit_registers(&module);
    let after = Counts::of(&module);
    Ok(Optimized { module, target, settled, before, after, inlining })
}

/// PTX of an optimized module, with the options for the next phase.
pub(crate) fn generate(
    module: &mut Module<'_>,
    options: CodegenOptions,
    generator: Generator<'_>,
) -> Result<Vec<u8>, IrError> {
    let target = target_machine::within(module, Target::of(module)?, options.newest_ptx)?;
    let settled = options.over_those_of(module)?;
    let level = OptimizationLevel::of(&settled);
    ptx_names::spell(module)?;
    let ptx = match generator {
        Generator::Llvm => TargetMachine::new(module, &target, level)?.emit(module)?,
        Generator::Libnvvm(libnvvm) => {
            libnvvm.emit(module, &target.architecture, level, &settled)?
        }
    };
    Ok(weft_container::with_ptx_options(ptx, &settled))
}
